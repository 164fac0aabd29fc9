"""What a blackjack hand is worth, and when the dealer must draw.

Not responsible for what a player may do with a hand (``blackjack_play``) nor for what it is paid.
"""

from functools import lru_cache
from typing import Final

from firmware.cards.card import Card, rank_of
from firmware.cards.point_value import blackjack_points

BLACKJACK: Final = 21
_ACE_RANK: Final = 12
_CACHED: Final = 2**10
"""Hands whose value is remembered: all two-card hands and more; a terminal plays for months and must not grow by it. A value is
asked for at every node."""


@lru_cache(maxsize=_CACHED)
def hand_value(cards: tuple[Card, ...]) -> tuple[int, bool]:
    """Return the best total and whether it is soft, that is, whether an ace counts 11 in it."""
    hard_total = 0
    has_ace = False
    for card in cards:
        points = blackjack_points(card)
        hard_total += points
        has_ace = has_ace or points == 1
    return better_value(hard_total, has_ace)


def better_value(hard_total: int, has_ace: bool) -> tuple[int, bool]:
    """Return total and softness from the sum with every ace as 1: one ace counts 11 where that does not bust."""
    if has_ace and hard_total <= 11:
        return hard_total + 10, True
    return hard_total, False


@lru_cache(maxsize=_CACHED)
def is_natural(cards: tuple[Card, ...]) -> bool:
    """Tell whether two cards are an ace and a ten-valued card. The caller knows whether the hand was split."""
    return len(cards) == 2 and hand_value(cards)[0] == BLACKJACK


def is_ace(card: Card) -> bool:
    """Tell whether the card is an ace."""
    return rank_of(card) == _ACE_RANK


def can_make_natural(upcard: Card) -> bool:
    """Tell whether a dealer who shows this card may have a natural: an ace or a ten-valued card."""
    return blackjack_points(upcard) in (1, 10)


def dealer_draws(total: int, soft: bool, hits_soft_17: bool) -> bool:
    """Tell whether the dealer takes another card: below 17 always, on a soft 17 where the table says so."""
    return total < 17 or (hits_soft_17 and soft and total == 17)


@lru_cache(maxsize=_CACHED)
def value_name(cards: tuple[Card, ...]) -> str:
    """Return the text of a hand's value: ``17``, ``soft_18``; 21 is simply ``21``."""
    total, soft = hand_value(cards)
    return f"soft_{total}" if soft and total != BLACKJACK else str(total)
