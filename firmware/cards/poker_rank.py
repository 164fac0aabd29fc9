"""Ranking five cards: eleven classes from "no hand" over Ace-King to the royal flush, 7,462 distinct values.

A hand's key is an integer 0-7,461: the higher hand has the higher key, equal hands have equal keys. Suits never count
beyond flushes. Source of the classes: the house's rules, section "Poker hands"; Ace-King is a class of its own there.

Not responsible for which cards form the combination (``poker_hand``) or for what it pays.
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import combinations
from typing import Final

from firmware.cards.card import DECK, Card, rank_of


class HandClass(IntEnum):
    """The class of a hand, weakest first, so that classes compare like hands."""

    NO_HAND = 0
    ACE_KING = 1
    PAIR = 2
    TWO_PAIRS = 3
    THREE_OF_A_KIND = 4
    STRAIGHT = 5
    FLUSH = 6
    FULL_HOUSE = 7
    FOUR_OF_A_KIND = 8
    STRAIGHT_FLUSH = 9
    ROYAL_FLUSH = 10

    @property
    def label(self) -> str:
        """The class's name as records and catalogues write it, e.g. ``full_house``."""
        return _LABELS[self]


_LABELS: Final = tuple(hand_class.name.lower() for hand_class in HandClass)
CLASS_LABELS: Final = {hand_class.label: hand_class for hand_class in HandClass}
"""Name -> class."""

_KING, _ACE = 11, 12
_DESCENDING: Final = tuple(range(_ACE, -1, -1))
WHEEL: Final = (3, 2, 1, 0, _ACE)
"""The ranks of the lowest straight, 5-4-3-2-A, in the order in which they compare."""
STRAIGHTS: Final = (WHEEL, *((top, top - 1, top - 2, top - 3, top - 4) for top in range(4, 13)))
"""The ranks of all ten straights, lowest first."""

# A sum of five of these tells which ranks a hand has: in base 5 every digit is the count of one rank, 0-4.
_WEIGHT_OF_RANK: Final = tuple(5**rank for rank in range(13))
_WEIGHT: Final = tuple(_WEIGHT_OF_RANK[rank_of(card)] for card in DECK)


def _unsuited_hands() -> Iterator[tuple[HandClass, tuple[int, ...]]]:
    """Yield class and ranks of every hand without a flush, weakest first; ranks in the order in which they compare."""
    straights = {tuple(sorted(ranks)) for ranks in STRAIGHTS}
    distinct = [ranks for ranks in combinations(_DESCENDING, 5) if tuple(ranks[::-1]) not in straights][::-1]
    has_ace_king = [ranks[:2] == (_ACE, _KING) for ranks in distinct]
    yield from ((HandClass.NO_HAND, ranks) for ranks, both in zip(distinct, has_ace_king, strict=True) if not both)
    yield from ((HandClass.ACE_KING, ranks) for ranks, both in zip(distinct, has_ace_king, strict=True) if both)
    for hand_class, groups, kicker_count in (
        (HandClass.PAIR, (2,), 3),
        (HandClass.TWO_PAIRS, (2, 2), 1),
        (HandClass.THREE_OF_A_KIND, (3,), 2),
    ):
        yield from ((hand_class, ranks) for ranks in _grouped(groups, kicker_count))
    yield from ((HandClass.STRAIGHT, ranks) for ranks in STRAIGHTS)
    yield from ((HandClass.FULL_HOUSE, (three,) * 3 + (two,) * 2) for three in range(13) for two in _others(three))
    yield from ((HandClass.FOUR_OF_A_KIND, ranks) for ranks in _grouped((4,), 1))


def _others(*used: int) -> list[int]:
    return [rank for rank in range(13) if rank not in used]


def _grouped(groups: tuple[int, ...], kicker_count: int) -> Iterator[tuple[int, ...]]:
    """Yield the ranks of hands with groups of equal size (pairs, trips, quads) and single kickers, weakest first."""
    for leaders in sorted(combinations(_DESCENDING, len(groups))):
        for kickers in sorted(combinations(sorted(_others(*leaders), reverse=True), kicker_count)):
            yield tuple(rank for rank, size in zip(leaders, groups, strict=True) for _ in range(size)) + kickers


def _flush_hands() -> Iterator[tuple[HandClass, tuple[int, ...]]]:
    """Yield class and ranks of every flush, weakest first."""
    straights = {tuple(sorted(ranks)) for ranks in STRAIGHTS}
    for ranks in sorted(combinations(_DESCENDING, 5)):
        if tuple(ranks[::-1]) not in straights:
            yield HandClass.FLUSH, ranks
    for ranks in STRAIGHTS:
        yield (HandClass.ROYAL_FLUSH if ranks[0] == _ACE else HandClass.STRAIGHT_FLUSH), ranks


def _build() -> tuple[dict[int, int], dict[int, int], tuple[HandClass, ...]]:
    """Return weight -> key without and with a flush, and key -> class."""
    hands = [(hand_class, ranks, False) for hand_class, ranks in _unsuited_hands()]
    hands += [(hand_class, ranks, True) for hand_class, ranks in _flush_hands()]
    hands.sort(key=lambda hand: hand[0])  # stable: within a class the order above stays
    unsuited: dict[int, int] = {}
    suited: dict[int, int] = {}
    for key, (_, ranks, flush) in enumerate(hands):
        a, b, c, d, e = ranks
        weight = 5**a + 5**b + 5**c + 5**d + 5**e
        (suited if flush else unsuited)[weight] = key
    return unsuited, suited, tuple(hand_class for hand_class, _, _ in hands)


_UNSUITED, _SUITED, _CLASSES = _build()

KEY_COUNT: Final = len(_CLASSES)
"""How many distinct values there are: 7,462."""
LOWEST_ACE_KING_KEY: Final = _CLASSES.index(HandClass.ACE_KING)
"""The key of A-K-4-3-2, the lowest hand with which the dealer qualifies: 1,113."""


def rank_five(cards: Sequence[Card]) -> int:
    """Return the key of exactly five distinct cards, in any order. Raises ValueError for another number of cards."""
    a, b, c, d, e = cards
    weight = _WEIGHT[a] + _WEIGHT[b] + _WEIGHT[c] + _WEIGHT[d] + _WEIGHT[e]
    if (a ^ b) & 3 or (a ^ c) & 3 or (a ^ d) & 3 or (a ^ e) & 3:  # two suits at least
        return _UNSUITED[weight]
    return _SUITED[weight]


def rank_best(cards: Sequence[Card]) -> int:
    """Return the key of the best five of five or more distinct cards."""
    if len(cards) == 5:
        return rank_five(cards)
    return max(map(rank_five, combinations(cards, 5)))


def class_of(key: int) -> HandClass:
    """Return the class of a key."""
    return _CLASSES[key]


def first_key(hand_class: HandClass) -> int:
    """Return the lowest key of a class; every key from there on is this class or better."""
    return _CLASSES.index(hand_class)
