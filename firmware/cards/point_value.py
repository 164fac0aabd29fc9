"""What a single card counts in baccarat and in blackjack.

Not responsible for the value of a hand (last digit, soft and hard totals): the rule families add up.
"""

from typing import Final

from firmware.cards.card import DECK, Card, rank_of

_PIPS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1)
_BLACKJACK: Final = tuple(_PIPS[rank_of(card)] for card in DECK)
_BACCARAT: Final = tuple(pips % 10 for pips in _BLACKJACK)


def baccarat_points(card: Card) -> int:
    """Return the points of a card in baccarat: ace 1, two to nine as printed, ten and faces 0."""
    return _BACCARAT[card]


def blackjack_points(card: Card) -> int:
    """Return the points of a card in blackjack with an ace as 1: two to ten as printed, faces 10."""
    return _BLACKJACK[card]
