"""Five-card hands as numbers: sums that tell the ranks, tables from a sum to the rules' key, suit patterns.

The keys come from ``firmware.cards.poker_rank`` alone; the tables only make them quick to find. Not responsible for
counting anything.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np

from firmware.cards.card import Card
from firmware.cards.poker_rank import rank_five
from firmware.maths.compiled import Ints, compiled

RANK_CODES: Final = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""One number per rank: the least ones for which every five cards of different ranks have different sums."""
SUM_COUNT: Final = 4 * RANK_CODES[12] + RANK_CODES[11] + 1
FLUSH_BASE: Final = SUM_COUNT
"""Flushes follow the sums in the tables, by the 13-bit set of their ranks."""
TABLE_SIZE: Final = SUM_COUNT + 8192

CARD_CODES: Final = np.array([RANK_CODES[card >> 2] for card in range(52)], np.int64)


class HandList(NamedTuple):
    """One hand of every suit pattern: 134,459 of the 2,598,960, weakest first."""

    cards: Ints
    """One row of five cards, ascending."""
    keys: Ints
    weights: Ints
    """How many hands look alike but for their suits: 4, 12 or 24, in some cases 6 or 8 or fewer."""


@cache
def key_table() -> Ints:
    """Return the rules' key by sum of rank codes, and for flushes by rank set from ``FLUSH_BASE`` on; -1 elsewhere."""
    table = np.full(TABLE_SIZE, -1, np.int64)
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] == ranks[4]:
            continue
        # Suits 0 1 2 3 0 are never a flush, and equal ranks (at most four, adjacent) get different suits.
        cards = [Card(rank * 4 + index % 4) for index, rank in enumerate(ranks)]
        table[sum(RANK_CODES[rank] for rank in ranks)] = rank_five(cards)
    for ranks in combinations(range(13), 5):
        table[FLUSH_BASE + sum(1 << rank for rank in ranks)] = rank_five([Card(rank * 4) for rank in ranks])
    return table


@compiled
def place_of(a: int, b: int, c: int, d: int, e: int, codes: Ints) -> int:
    """Return where five cards stand in a table of ``TABLE_SIZE``."""
    if (a ^ b) & 3 or (a ^ c) & 3 or (a ^ d) & 3 or (a ^ e) & 3:
        return codes[a] + codes[b] + codes[c] + codes[d] + codes[e]  # type: ignore[no-any-return]
    return FLUSH_BASE + ((1 << (a >> 2)) | (1 << (b >> 2)) | (1 << (c >> 2)) | (1 << (d >> 2)) | (1 << (e >> 2)))


@compiled
def suit_sets(cards: Ints, sets: Ints) -> None:
    """Set ``sets`` to the ranks of each suit, as bits."""
    sets[:] = 0
    for card in cards:
        sets[card & 3] |= 1 << (card >> 2)


@compiled
def relabelings(cards: Ints, found: Ints) -> int:
    """Write every renaming of suits that puts the suits' rank sets in descending order; return how many there are.

    ``found`` has room for 24 rows of four: old suit -> new suit.
    """
    sets = np.zeros(4, np.int64)
    suit_sets(cards, sets)
    count = 0
    for a in range(4):
        for b in range(4):
            for c in range(4):
                d = 6 - a - b - c
                if a == b or a == c or b == c:
                    continue
                # a, b, c, d are the old suits in their new order.
                if sets[a] >= sets[b] >= sets[c] >= sets[d]:
                    found[count, a] = 0
                    found[count, b] = 1
                    found[count, c] = 2
                    found[count, d] = 3
                    count += 1
    return count


@compiled
def _is_first(sets: Ints) -> bool:
    return sets[0] >= sets[1] >= sets[2] >= sets[3]  # type: ignore[no-any-return]


@compiled
def _hand_rows(keys: Ints, codes: Ints, rows: Ints) -> int:
    """Fill rows of five cards, key and weight for every suit pattern; return how many."""
    count = 0
    sets = np.zeros(4, np.int64)
    hand = np.zeros(5, np.int64)
    found = np.zeros((24, 4), np.int64)
    for a in range(52):
        for b in range(a + 1, 52):
            for c in range(b + 1, 52):
                for d in range(c + 1, 52):
                    for e in range(d + 1, 52):
                        hand[0], hand[1], hand[2], hand[3], hand[4] = a, b, c, d, e
                        suit_sets(hand, sets)
                        if _is_first(sets):
                            rows[count, :5] = hand
                            rows[count, 5] = keys[place_of(a, b, c, d, e, codes)]
                            rows[count, 6] = 24 // relabelings(hand, found)
                            count += 1
    return count


@cache
def hand_list() -> HandList:
    """Return one hand of every suit pattern, weakest first."""
    rows = np.zeros((140_000, 7), np.int64)
    count = _hand_rows(key_table(), CARD_CODES, rows)
    rows = rows[:count]
    rows = rows[np.argsort(rows[:, 5], kind="stable")]
    return HandList(
        np.ascontiguousarray(rows[:, :5]), np.ascontiguousarray(rows[:, 5]), np.ascontiguousarray(rows[:, 6])
    )
