"""A card: an integer 0-51 with a two-character text, rank ``23456789TJQKA`` and suit ``shdc``.

Integers because a table terminal ranks millions of hands when its odds are computed; the type keeps them apart from
other numbers. Not responsible for decks (``shoe``) or for what a card is worth (``poker_rank``, ``point_value``).
"""

from collections.abc import Iterable
from typing import Final, NewType

Card = NewType("Card", int)
"""``rank * 4 + suit``: rank 0 (deuce) to 12 (ace), suit 0-3 in the order of ``SUITS``."""

RANKS: Final = "23456789TJQKA"
SUITS: Final = "shdc"
DECK: Final[tuple[Card, ...]] = tuple(Card(index) for index in range(52))

_TEXTS: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS: Final = {text: Card(index) for index, text in enumerate(_TEXTS)}


def parse_card(text: str) -> Card:
    """Return the card for a text such as ``Td``. Raises ValueError for anything else (``10d`` included)."""
    card = _CARDS.get(text)
    if card is None:
        raise ValueError(f"{text!r} is not a card; write rank {RANKS} and suit {SUITS}, e.g. 'Td'")
    return card


def card_text(card: Card) -> str:
    """Return the two-character text of a card."""
    return _TEXTS[card]


def rank_of(card: Card) -> int:
    """Return the rank, 0 for a deuce to 12 for an ace."""
    return card >> 2


def suit_of(card: Card) -> int:
    """Return the suit's index in ``SUITS``."""
    return card & 3


def parse_cards(texts: Iterable[str]) -> tuple[Card, ...]:
    """Return the cards for several texts. Raises ValueError naming the first bad one."""
    return tuple(parse_card(text) for text in texts)


def cards_text(cards: Iterable[Card]) -> list[str]:
    """Return the texts of several cards."""
    return [card_text(card) for card in cards]
