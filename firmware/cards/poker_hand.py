"""The combinations that a poker hand of five or six cards contains, and which of its cards form them.

A combination consists of the cards that make it: pair and Ace-King two, three of a kind three, two pairs and four of
a kind four, all others five. Not responsible for ranking (``poker_rank``) or for what is paid.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from firmware.cards.card import Card, rank_of
from firmware.cards.poker_rank import HandClass, class_of, rank_best, rank_five

_KING, _ACE = 11, 12
_FIVE_CARD_CLASSES: Final = frozenset(
    {HandClass.STRAIGHT, HandClass.FLUSH, HandClass.STRAIGHT_FLUSH, HandClass.ROYAL_FLUSH}
)


@dataclass(frozen=True, slots=True)
class Combination:
    """One combination in a hand: its class and the indices of its cards in the hand."""

    hand_class: HandClass
    indices: frozenset[int]


def combinations_in(cards: Sequence[Card]) -> Iterator[Combination]:
    """Yield every combination in a hand, each with its own set of cards, in no order."""
    places: dict[int, list[int]] = {}
    for index, card in enumerate(cards):
        places.setdefault(rank_of(card), []).append(index)
    groups = {rank: indices for rank, indices in places.items() if len(indices) > 1}
    for pair in product(places.get(_ACE, ()), places.get(_KING, ())):
        yield Combination(HandClass.ACE_KING, frozenset(pair))
    if groups:
        yield from _of_equal_ranks(groups)
    for five in combinations(range(len(cards)), 5):
        hand_class = class_of(rank_five([cards[index] for index in five]))
        if hand_class in _FIVE_CARD_CLASSES:
            yield Combination(hand_class, frozenset(five))


def _of_equal_ranks(groups: dict[int, list[int]]) -> Iterator[Combination]:
    pairs = {rank: [frozenset(two) for two in combinations(indices, 2)] for rank, indices in groups.items()}
    trips = {rank: [frozenset(three) for three in combinations(indices, 3)] for rank, indices in groups.items()}
    for rank, indices in groups.items():
        yield from (Combination(HandClass.PAIR, pair) for pair in pairs[rank])
        yield from (Combination(HandClass.THREE_OF_A_KIND, three) for three in trips[rank])
        if len(indices) == 4:
            yield Combination(HandClass.FOUR_OF_A_KIND, frozenset(indices))
    for first, second in combinations(groups, 2):
        for one, other in product(pairs[first], pairs[second]):
            yield Combination(HandClass.TWO_PAIRS, one | other)
        for three_rank, two_rank in ((first, second), (second, first)):
            for three, two in product(trips[three_rank], pairs[two_rank]):
                yield Combination(HandClass.FULL_HOUSE, three | two)


def best_indices(cards: Sequence[Card]) -> tuple[int, ...]:
    """Return the places of the cards that form the hand's own combination, e.g. the pair; empty for "no hand"."""
    key = rank_best(cards)
    hand_class = class_of(key)
    if hand_class is HandClass.NO_HAND:
        return ()
    five = next(
        five for five in combinations(range(len(cards)), 5) if rank_five([cards[index] for index in five]) == key
    )
    own = [cards[index] for index in five]
    found = next(one for one in combinations_in(own) if one.hand_class is hand_class)
    return tuple(sorted(five[index] for index in found.indices))
