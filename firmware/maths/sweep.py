"""Counts, for one player's hand after the other from the weakest to the strongest, the dealer's hands it meets.

For every set of up to four cards a table holds how many dealer's hands with these cards fail to qualify, qualify and are
lower than the present hand, or are equal to it: three counts in one integer. A hand's own count follows by inclusion
and exclusion over its cards, which the dealer can't hold; dead cards are taken off in the same way. When the hands
become stronger only the dealer's hands of the keys just passed move from one count to another.

Not responsible for what a count is worth (``payoffs``) or for the choice between actions (``draw_poker``).
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.cards.poker_rank import LOWEST_ACE_KING_KEY
from firmware.maths.compiled import Ints, SmallInts, compiled
from firmware.maths.hand_codes import CARD_CODES, FLUSH_BASE, TABLE_SIZE, key_table, place_of

FIELD_BITS: Final = 21
"""Each count has 21 bits: more than four times the 163,185 hands that a dealer's open card leaves."""
FIELD: Final = (1 << FIELD_BITS) - 1
NOT_QUALIFIED: Final = 1
LOWER: Final = 1 << FIELD_BITS
EQUAL: Final = 1 << 2 * FIELD_BITS
QUALIFYING_KEY: Final = LOWEST_ACE_KING_KEY


_WORTH: Final = np.array([0, NOT_QUALIFIED, LOWER, EQUAL], np.int64)


def hands_by_key() -> tuple[Ints, Ints]:
    """Return all hands, weakest first, and where each key's hands begin (one more at the end)."""
    combos = _all_hands()
    keys = _keys_of(combos, key_table(), CARD_CODES)
    order = np.argsort(keys, kind="stable")
    starts = np.searchsorted(keys[order], np.arange(7463)).astype(np.int64)
    return np.ascontiguousarray(combos[order]), starts


def _all_hands() -> Ints:
    rows = np.zeros((2_598_960, 5), np.int64)
    _fill_hands(rows)
    return rows


@compiled
def _fill_hands(rows: Ints) -> None:
    count = 0
    for a in range(52):
        for b in range(a + 1, 52):
            for c in range(b + 1, 52):
                for d in range(c + 1, 52):
                    for e in range(d + 1, 52):
                        rows[count, 0], rows[count, 1], rows[count, 2], rows[count, 3], rows[count, 4] = a, b, c, d, e
                        count += 1


@compiled
def _keys_of(rows: Ints, keys: Ints, codes: Ints) -> Ints:
    found = np.zeros(len(rows), np.int64)
    for index in range(len(rows)):
        row = rows[index]
        found[index] = keys[place_of(row[0], row[1], row[2], row[3], row[4], codes)]
    return found


@compiled
def add_hands(
    rows: Ints,
    amount: int,
    code: int,
    pair_of: Ints,
    pairs: Ints,
    triples: Ints,
    quads: Ints,
    fives: SmallInts,
    codes: Ints,
) -> None:
    """Add ``amount`` to every set of up to four cards in these hands, and give the hands themselves a code."""
    for index in range(len(rows)):
        row = rows[index]
        fives[place_of(row[0], row[1], row[2], row[3], row[4], codes)] = code
        for i in range(5):
            for j in range(i + 1, 5):
                pair = pair_of[row[i], row[j]]
                pairs[pair] += amount
                for m in range(5):
                    if m != i and m != j:
                        triples[row[m], pair] += amount
                        for n in range(m + 1, 5):
                            if n != i and n != j:
                                quads[pair, pair_of[row[m], row[n]]] += amount


class SweepTables(NamedTuple):
    """The counters of a sweep, in the form in which compiled code takes them."""

    pair_of: Ints
    pairs: Ints
    triples: Ints
    quads: Ints
    fives: SmallInts
    codes: Ints
    worth: Ints


@compiled
def dead_counts(hand: Ints, sweep: SweepTables, found: Ints) -> None:
    """Set ``found[u, x]`` to the counts of dealer's hands that hold u and x and none of the hand's five cards.

    ``found`` is 52 x 52; on the diagonal stand the counts of hands that hold u. Rows of the hand's own cards are
    meaningless.
    """
    pair_of, pairs, triples, quads, fives, codes, worth = sweep
    total = pairs.copy()
    for i in range(5):
        total -= triples[hand[i]]
        for j in range(i + 1, 5):
            total += quads[pair_of[hand[i], hand[j]]]
    held = np.zeros(52, np.int8)
    for card in hand:
        held[card] = 1
    sums = np.zeros(10, np.int64)
    sets = np.zeros(10, np.int64)
    suits = np.zeros(10, np.int64)
    count = 0
    for i in range(5):
        for j in range(i + 1, 5):
            for m in range(j + 1, 5):
                a, b, c = hand[i], hand[j], hand[m]
                sums[count] = codes[a] + codes[b] + codes[c]
                sets[count] = (1 << (a >> 2)) | (1 << (b >> 2)) | (1 << (c >> 2))
                suits[count] = a & 3 if (a & 3) == (b & 3) and (a & 3) == (c & 3) else -1
                count += 1
    for u in range(52):
        if held[u]:
            continue
        for x in range(u + 1, 52):
            if held[x]:
                continue
            value = total[pair_of[u, x]]
            code = codes[u] + codes[x]
            suited = u & 3 if (u & 3) == (x & 3) else -2
            for index in range(10):
                if suits[index] == suited:
                    place = FLUSH_BASE + (sets[index] | (1 << (u >> 2)) | (1 << (x >> 2)))
                else:
                    place = sums[index] + code
                value -= worth[fives[place]]
            found[u, x] = value
            found[x, u] = value
    for u in range(52):
        if not held[u]:
            value = 0
            for x in range(52):
                if x != u and not held[x]:
                    value += found[u, x]
            found[u, u] = value >> 2  # a hand that holds u has four other cards


class Sweep:
    """The counters, moved from key to key."""

    def __init__(self) -> None:
        """Start with the weakest hand: a dealer's hand does not qualify or is higher."""
        self.rows, self.starts = hands_by_key()
        pair_of = np.zeros((52, 52), np.int64)
        number = 0
        for low in range(52):
            for high in range(low + 1, 52):
                pair_of[low, high] = pair_of[high, low] = number
                number += 1
        self.pair_of = pair_of
        self.pairs = np.zeros(1326, np.int64)
        self.triples = np.zeros((52, 1326), np.int64)
        self.quads = np.zeros((1326, 1326), np.int64)
        self.fives = np.zeros(TABLE_SIZE, np.int8)
        self._move(0, QUALIFYING_KEY, NOT_QUALIFIED, 1)
        self._next = QUALIFYING_KEY

    @property
    def tables(self) -> SweepTables:
        """The counters as they are now; they change with the sweep."""
        return SweepTables(self.pair_of, self.pairs, self.triples, self.quads, self.fives, CARD_CODES, _WORTH)

    def move_to(self, key: int) -> None:
        """Let the dealer's hands below ``key`` count as lower and those with it as equal; keys only ever rise."""
        if key < QUALIFYING_KEY or key < self._next:
            return
        if self._next > QUALIFYING_KEY:
            self._move(self._next - 1, self._next, LOWER - EQUAL, 2)
        self._move(self._next, key, LOWER, 2)
        self._move(key, key + 1, EQUAL, 3)
        self._next = key + 1

    def _move(self, first_key: int, end_key: int, amount: int, code: int) -> None:
        rows = self.rows[self.starts[first_key] : self.starts[end_key]]
        add_hands(rows, amount, code, self.pair_of, self.pairs, self.triples, self.quads, self.fives, CARD_CODES)
