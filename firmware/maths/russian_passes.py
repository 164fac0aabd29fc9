"""Russian Poker for all hands at once, nearly exact: counts without draws, and draws valued without minding the discards.

A drawn hand is valued against the dealer's hands that hold none of its own five cards; that some of those hold a discard
is left out. The mistake is small, and ``russian_sheet`` measures it. Values are in antes.
"""

from typing import Final

import numpy as np

from firmware.maths.compiled import Floats, Ints, SmallInts, compiled
from firmware.maths.draw_passes import NO_DRAW_DEALS
from firmware.maths.hand_codes import relabelings
from firmware.maths.kept_cards import choose, renamed, set_place
from firmware.maths.russian_hand import MASKS, MOST_PAY, SIXTH, kind_of
from firmware.maths.russian_pays import six_cards
from firmware.maths.sweep import FIELD, FIELD_BITS

LARGEST: Final = 16_432
"""Patterns of four kept cards, the most of any number."""
WHOLE = 31


@compiled
def bet_value(
    counts: int, pay: int, key: int, upcard: int, results: Floats, gains: Floats, kinds: Ints, met: int
) -> float:
    """Return the value of a bet from the counts of dealer's hands it meets."""
    unqualified = counts & FIELD
    win = (counts >> FIELD_BITS) & FIELD
    tie = (counts >> 2 * FIELD_BITS) & FIELD
    value = unqualified * (results[0] + gains[upcard >> 2, kind_of(key, kinds), min(pay, MOST_PAY - 1), 0])
    value += win * (results[1] + 2.0 * pay) + tie * results[2] + (met - unqualified - win - tie) * results[3]
    return value / met  # type: ignore[no-any-return]


@compiled
def keep(hand: Ints, mask: int, kept: Ints) -> int:
    """Write the cards that are not given up; return how many."""
    count = 0
    for index in range(5):
        if not mask & (1 << index):
            kept[count] = hand[index]
            count += 1
    return count


@compiled
def pattern_of(hand: Ints, mask: int, names: Ints, numbers: Ints) -> int:
    """Return the number of the pattern of the kept cards under a renaming of suits; ``numbers`` by size x place."""
    kept = np.zeros(5, np.int64)
    size = keep(hand, mask, kept)
    if size == 0:
        return 0
    for index in range(size):
        kept[index] = renamed(kept[index], names)
    return numbers[size, set_place(kept[:size])]  # type: ignore[no-any-return]


@compiled
def gather_kept(hands: Ints, weights: Ints, values: Floats, numbers: Ints, sums: Floats) -> None:
    """Add values of final hands (row x open card) to what may have been kept: size x pattern x open card; 24 times the sum."""
    names = np.zeros((24, 4), np.int64)
    kept = np.zeros(5, np.int64)
    for row in range(len(hands)):
        hand = hands[row]
        for mask in range(1, 32):
            size = keep(hand, mask, kept)
            for s in range(relabelings(kept[:size], names)):
                into = sums[size, pattern_of(hand, mask, names[s], numbers)]
                for u in range(52):
                    into[renamed(u, names[s])] += values[row, u] * weights[row]


@compiled
def spread_kept(hands: Ints, weights: Ints, flows: Floats, numbers: Ints, found: Floats) -> None:
    """The reverse of ``gather_kept``: add to every final hand (row x open card) how often it is drawn."""
    names = np.zeros((24, 4), np.int64)
    kept = np.zeros(5, np.int64)
    for row in range(len(hands)):
        hand = hands[row]
        for mask in range(1, 32):
            size = keep(hand, mask, kept)
            share = weights[row] / (24.0 * choose(51 - size, 5 - size))
            for s in range(relabelings(kept[:size], names)):
                flow = flows[size, pattern_of(hand, mask, names[s], numbers)]
                for u in range(52):
                    if u != hand[0] and u != hand[1] and u != hand[2] and u != hand[3] and u != hand[4]:
                        found[row, u] += share * flow[renamed(u, names[s])]


@compiled
def sixth_row(
    hand: Ints, card: int, keys: Ints, codes: Ints, class_of_key: SmallInts, pays: Ints, duplicate: bool,
    rows: Ints, names: Ints, found: Ints,
) -> int:  # fmt: skip
    """Set ``found`` to key and pay of a hand with a sixth card; return the row of its best five, renamed by ``names[0]``."""
    six = np.zeros(6, np.int64)
    best = np.zeros(5, np.int64)
    six[:5] = hand
    six[5] = card
    six_cards(six, keys, codes, class_of_key, pays, duplicate, found)
    out = found[2]
    best[:out] = six[:out]
    best[out:] = six[out + 1 :]
    relabelings(best, names)
    for index in range(5):
        best[index] = renamed(best[index], names[0])
    return rows[set_place(best)]  # type: ignore[no-any-return]


@compiled
def sixth_values(
    hands: Ints,
    bets: Ints,
    keys: Ints,
    codes: Ints,
    class_of_key: SmallInts,
    pays: Ints,
    duplicate: bool,
    rows: Ints,
    results: Floats,
    gains: Floats,
    kinds: Ints,
    values: Floats,
) -> None:
    """Set row x open card to the mean value of a sixth card."""
    names = np.zeros((24, 4), np.int64)
    found = np.zeros(3, np.int64)
    for row in range(len(hands)):
        hand = hands[row]
        for card in range(52):
            if card == hand[0] or card == hand[1] or card == hand[2] or card == hand[3] or card == hand[4]:
                continue
            best = sixth_row(hand, card, keys, codes, class_of_key, pays, duplicate, rows, names, found)
            for u in range(52):
                if u == card or u == hand[0] or u == hand[1] or u == hand[2] or u == hand[3] or u == hand[4]:
                    continue
                counts = bets[best, renamed(u, names[0])]
                value = bet_value(counts, found[1], found[0], u, results, gains, kinds, NO_DRAW_DEALS)
                values[row, u] += max(results[4], value) / 46.0


@compiled
def option_table(
    hand: Ints, row: int, bet_values: Floats, sums: Floats, sixths: Floats, numbers: Ints, prices: Floats, table: Floats
) -> None:
    """Set option x open card to the nearly exact values; options that are not sold have an infinite price."""
    names = np.zeros((24, 4), np.int64)
    kept = np.zeros(5, np.int64)
    for u in range(52):
        table[0, u] = bet_values[row, u]
        table[SIXTH, u] = sixths[row, u] - prices[SIXTH]
    for mask in range(1, 32):
        size = keep(hand, mask, kept)
        relabelings(kept[:size], names)
        source = sums[size, pattern_of(hand, mask, names[0], numbers)]
        share = 1.0 / (24.0 * choose(51 - size, 5 - size))
        for u in range(52):
            table[mask, u] = source[renamed(u, names[0])] * share - prices[mask]


@compiled
def choose_options(
    hands: Ints,
    bet_values: Floats,
    sums: Floats,
    sixths: Floats,
    numbers: Ints,
    prices: Floats,
    fold: float,
    values: Floats,
    choices: SmallInts,
) -> None:
    """Set value and choice (an option, -1 for a fold) of every row and open card; impossible open cards stay 0."""
    table = np.zeros((MASKS, 52), np.float64)
    for row in range(len(hands)):
        hand = hands[row]
        option_table(hand, row, bet_values, sums, sixths, numbers, prices, table)
        for u in range(52):
            if u == hand[0] or u == hand[1] or u == hand[2] or u == hand[3] or u == hand[4]:
                continue
            values[row, u] = fold
            choices[row, u] = -1
            for mask in range(MASKS):
                if table[mask, u] > values[row, u]:
                    values[row, u] = table[mask, u]
                    choices[row, u] = mask
