"""Exact counts of one box against the dealer for strategies that don't look at the upcard.

Counts pairs of disjoint five-card hands (player, dealer) by inclusion and exclusion over the cards both would share:
the sum over card sets S of (-1)^|S| x (hands with S) x (hands with S). Sets that differ only in suits count alike, so
18,370 of them do for sets of up to four cards; with five the hands are one and the same.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from firmware.cards.card import DECK, Card, rank_of, suit_of
from firmware.cards.poker_rank import KEY_COUNT, LOWEST_ACE_KING_KEY, rank_five

UPCARDS = 5
"""Any of the dealer's five cards can be the one that lies open."""
TOTAL = 2_598_960 * 1_533_939 * UPCARDS
"""All deals: player's hand, upcard, dealer's other four cards."""


@cache
def outcomes_by_key() -> tuple[list[int], list[int], list[int], list[int]]:
    """Return, by the player's key, how many deals end with: dealer not qualified, player higher, equal, lower."""
    table = ([0] * KEY_COUNT, [0] * KEY_COUNT, [0] * KEY_COUNT, [0] * KEY_COUNT)
    for size in range(5):
        for shared, count in _up_to_suits(size):
            _add(table, shared, (-1) ** size * count * UPCARDS)
    for key, count in Counter(map(rank_five, combinations(DECK, 5))).items():
        table[0 if key < LOWEST_ACE_KING_KEY else 2][key] -= count * UPCARDS
    return table


def _up_to_suits(size: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    found: dict[tuple[int, ...], list[tuple[Card, ...]]] = {}
    for cards in combinations(DECK, size):
        by_suit = [0, 0, 0, 0]
        for card in cards:
            by_suit[suit_of(card)] |= 1 << rank_of(card)
        found.setdefault(tuple(sorted(by_suit)), []).append(cards)
    yield from ((same[0], len(same)) for same in found.values())


def _add(table: tuple[list[int], list[int], list[int], list[int]], shared: tuple[Card, ...], weight: int) -> None:
    """Add ``weight`` times all ordered pairs of hands that hold the shared cards."""
    others = [card for card in DECK if card not in shared]
    hands = Counter(rank_five((*shared, *rest)) for rest in combinations(others, 5 - len(shared)))
    not_qualified = sum(count for key, count in hands.items() if key < LOWEST_ACE_KING_KEY)
    qualified = sum(hands.values()) - not_qualified
    lower = 0
    for key in sorted(hands):
        count = hands[key]
        times = weight * count
        equal = count if key >= LOWEST_ACE_KING_KEY else 0
        table[0][key] += times * not_qualified
        table[1][key] += times * lower
        table[2][key] += times * equal
        table[3][key] += times * (qualified - lower - equal)
        lower += equal
