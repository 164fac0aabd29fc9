"""Russian Poker for all hands at once, nearly exact: counts without draws, and draws valued without minding the discards.

Counting every set of discards as dead cards would take days. Each discard alone is counted exactly, and what several do
together is taken as the sum; the mistake is small, and ``russian_sheet`` measures it. Values are in antes.
"""

from typing import Final

import numpy as np

from firmware.maths.compiled import Floats, Ints, SmallInts, compiled
from firmware.maths.draw_passes import NO_DRAW_DEALS, ONE_CARD_DEALS
from firmware.maths.hand_codes import place_of, relabelings
from firmware.maths.kept_cards import choose, next_set, renamed, set_place
from firmware.maths.russian_bought import ENDS, LEAST_BUYING_PAY, Bought, gains_by_dead_card, gains_by_upcard
from firmware.maths.russian_ends import bet_value
from firmware.maths.russian_hand import MASKS, SIXTH
from firmware.maths.russian_pays import six_cards
from firmware.maths.sweep import SweepTables, dead_counts

LARGEST: Final = 16_432
"""Patterns of four kept cards, the most of any number."""


@compiled
def best_of_six(six: Ints, key: int, keys: Ints, codes: Ints, five: Ints) -> int:
    """Return how many fives of six cards have this key, -1 where one of them has a higher one; ``five`` is for its use."""
    alike = 0
    for out in range(6):
        five[:out] = six[:out]
        five[out:] = six[out + 1 :]
        one = keys[place_of(five[0], five[1], five[2], five[3], five[4], codes)]
        if one > key:
            return -1
        alike += one == key
    return alike


@compiled
def cards_as_bits(cards: Ints) -> int:
    """Return a set of cards as bits."""
    held = 0
    for card in cards:
        held |= 1 << card
    return held


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
def gather_kept(
    hands: Ints,
    weights: Ints,
    key: int,
    pay: int,
    results: Floats,
    bought: Bought,
    buys: bool,
    sweep: SweepTables,
    numbers: Ints,
    bets: Ints,
    bet_values: Floats,
    sums: Floats,
    dead: Floats,
    firsts: Ints,
) -> None:
    """Count one key's hands and add their values to what may have been kept before a draw.

    Args:
        hands, weights: rows of five cards of this key, and how many look alike. pay: what they pay to one.
        buys: whether the dealer's game is sold. numbers: size x place -> pattern.
        bets, bet_values: get counts and values without a draw.
        sums: size x pattern x open card: gets 24 times the sum over drawn hands (fold or bet, whichever is better).
        dead: pattern (from ``firsts`` by size) x discard x open card: the same where one discard is known to be dead; has still to be
            averaged over the renamings that leave the pattern as it is (``average_alike``).
    """
    found = np.zeros((52, 52), np.int64)
    gains = np.zeros((52, 52), np.float64)
    ends = np.zeros((52, 52, ENDS), np.float64)
    value = np.zeros((52, 52), np.float64)
    names = np.zeros((24, 4), np.int64)
    kept = np.zeros(5, np.int64)
    fold = results[4]
    for row in range(len(hands)):
        hand = hands[row]
        dead_counts(hand, sweep, found)
        if buys and pay >= LEAST_BUYING_PAY:
            gains_by_dead_card(hand, key, pay, bought, gains, ends)
        value[:] = 0.0
        held = cards_as_bits(hand)
        for u in range(52):
            if held >> u & 1:
                continue
            bets[row, u] = found[u, u]
            bet_values[row, u] = bet_value(found[u, u], pay, gains[u, u], results, NO_DRAW_DEALS)
            for x in range(52):
                if x != u and not held >> x & 1:
                    one = bet_value(found[u, u] - found[u, x], pay, gains[x, u], results, ONE_CARD_DEALS)
                    value[x, u] = max(fold, one) * weights[row]
        for mask in range(1, 32):
            size = keep(hand, mask, kept)
            ways = relabelings(kept[:size], names)
            for s in range(ways):
                into = sums[size, pattern_of(hand, mask, names[s], numbers)]
                for u in range(52):
                    if not held >> u & 1:
                        into[renamed(u, names[s])] += max(fold, bet_values[row, u]) * weights[row]
            if size:
                _add_dead(value, names[0], ways, dead[firsts[size] + pattern_of(hand, mask, names[0], numbers)])


@compiled
def _add_dead(value: Floats, names: Ints, ways: int, into: Floats) -> None:
    if names[0] == 0 and names[1] == 1 and names[2] == 2:
        for x in range(52):
            for u in range(52):
                into[x, u] += value[x, u] * ways
        return
    for rank in range(13):
        for suit in range(4):
            row = value[rank * 4 + suit]
            target = into[rank * 4 + names[suit]]
            for other in range(0, 52, 4):
                target[other + names[0]] += row[other] * ways
                target[other + names[1]] += row[other + 1] * ways
                target[other + names[2]] += row[other + 2] * ways
                target[other + names[3]] += row[other + 3] * ways


@compiled
def average_alike(size: int, numbers: Ints, first: int, dead: Floats) -> None:
    """Average every pattern of one size over the renamings of suits that leave it as it is."""
    cards = np.arange(size)
    names = np.zeros((24, 4), np.int64)
    mean = np.zeros((52, 52), np.float64)
    for place in range(choose(52, size)):
        number = numbers[size, place]
        if number >= 0:
            ways = relabelings(cards, names)
            if ways > 1:
                mean[:] = 0.0
                for s in range(ways):
                    for x in range(52):
                        for u in range(52):
                            mean[renamed(x, names[s]), renamed(u, names[s])] += dead[first + number, x, u] / ways
                dead[first + number] = mean
        next_set(cards, size)


@compiled
def gather_sixth(
    hands: Ints,
    weights: Ints,
    key: int,
    keys: Ints,
    codes: Ints,
    class_of_key: SmallInts,
    class_pays: Ints,
    duplicate: bool,
    rows: Ints,
    results: Floats,
    bought: Bought,
    buys: bool,
    sweep: SweepTables,
    values: Floats,
) -> None:
    """Add what six cards are worth whose best five are of this key to all the hands of five that may have bought the sixth.

    ``rows``: place of five cards -> row of the list; ``values``: row x open card, gets 24 x 46 times the mean of a sixth card.
    """
    found = np.zeros((52, 52), np.int64)
    names = np.zeros((24, 4), np.int64)
    six = np.zeros(6, np.int64)
    own = np.zeros(3, np.int64)
    five = np.zeros(5, np.int64)
    worths = np.zeros(52, np.float64)
    gains = np.zeros(52, np.float64)
    ends = np.zeros((52, ENDS), np.float64)
    for row in range(len(hands)):
        hand = hands[row]
        ready = False
        held = cards_as_bits(hand)
        for extra in range(52):
            if held >> extra & 1:
                continue
            six[:5] = hand
            six[5] = extra
            alike = best_of_six(six, key, keys, codes, five)
            if alike < 0:
                continue  # counted with the better five
            if not ready:
                dead_counts(hand, sweep, found)
                ready = True
            six_cards(six, keys, codes, class_of_key, class_pays, duplicate, own)
            gains[:] = 0.0
            if buys and own[1] >= LEAST_BUYING_PAY:
                gains_by_upcard(six, key, own[1], bought, gains, ends)
            for u in range(52):
                if u != extra and not held >> u & 1:
                    counts = found[u, u] - found[u, extra]
                    value = bet_value(counts, own[1], gains[u], results, ONE_CARD_DEALS)
                    worths[u] = max(results[4], value) * weights[row] / alike
            for out in range(6):
                for s in range(_without(six, out, five, names)):
                    for index in range(5):
                        five[index] = renamed(six[index if index < out else index + 1], names[s])
                    into = values[rows[set_place(five)]]
                    for u in range(52):
                        if u != extra and not held >> u & 1:
                            into[renamed(u, names[s])] += worths[u]


@compiled
def _without(six: Ints, out: int, five: Ints, names: Ints) -> int:
    """Set five cards of six, and the renamings that put their suits in order; return how many."""
    five[:out] = six[:out]
    five[out:] = six[out + 1 :]
    return relabelings(five, names)


@compiled
def option_table(
    hand: Ints,
    row: int,
    bet_values: Floats,
    sums: Floats,
    dead: Floats,
    firsts: Ints,
    sixths: Floats,
    numbers: Ints,
    prices: Floats,
    table: Floats,
) -> None:
    """Set option x open card to the nearly exact values; options that are not sold have an infinite price.

    A draw is worth what it is without dead cards, plus what each discard alone changes.
    """
    names = np.zeros((24, 4), np.int64)
    kept = np.zeros(5, np.int64)
    for u in range(52):
        table[0, u] = bet_values[row, u]
        table[SIXTH, u] = sixths[row, u] - prices[SIXTH]
    for mask in range(1, 32):
        size = keep(hand, mask, kept)
        relabelings(kept[:size], names)
        number = pattern_of(hand, mask, names[0], numbers)
        share = 1.0 / (24.0 * choose(51 - size, 5 - size))
        dead_share = 1.0 / (24.0 * choose(50 - size, 5 - size))
        for u in range(52):
            base = sums[size, number, renamed(u, names[0])] * share
            total = base
            for index in range(5):
                if size and mask & (1 << index):
                    one = dead[firsts[size] + number, renamed(hand[index], names[0]), renamed(u, names[0])]
                    total += one * dead_share - base
            table[mask, u] = total - prices[mask]


@compiled
def choose_options(
    hands: Ints,
    bet_values: Floats,
    sums: Floats,
    dead: Floats,
    firsts: Ints,
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
        option_table(hand, row, bet_values, sums, dead, firsts, sixths, numbers, prices, table)
        for u in range(52):
            if u == hand[0] or u == hand[1] or u == hand[2] or u == hand[3] or u == hand[4]:
                continue
            values[row, u] = fold
            choices[row, u] = -1
            for mask in range(MASKS):
                if table[mask, u] > values[row, u]:
                    values[row, u] = table[mask, u]
                    choices[row, u] = mask
