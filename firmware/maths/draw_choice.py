"""Chooses, for every hand against every open card, between fold, bet and the draws of one card and two.

All values are brought to one denominator, so that every comparison is exact. Options of equal value are told apart by
the code of their cell, which does not depend on the names of suits; one hand may have several options with the same
code, and each then stands for its share of the choice. Not responsible for the values (``draw_passes``).
"""

import numpy as np

from firmware.maths.compiled import Ints, SmallInts, compiled
from firmware.maths.draw_passes import NO_DRAW_DEALS, TWO_CARD_DEALS, worth_of
from firmware.maths.hand_codes import relabelings
from firmware.maths.kept_cards import renamed, set_place

FOLD, BET, ONE, TWO = 0, 1, 2, 7
"""Codes of the choice: fold, bet, ``ONE`` plus the card's index, ``TWO`` plus the number of the pair of cards."""
RENAMINGS = 24
BET_FACTOR, ONE_FACTOR, TWO_FACTOR = 1722, 41, 2
"""What brings sums over 163,185, 46 x 148,995 and 1,035 x 135,751 deals to 2 x 163,185 x 861."""
DENOMINATOR = NO_DRAW_DEALS * BET_FACTOR * RENAMINGS
SHARES = 12
"""A choice is counted in twelfths, so that it can be shared by up to four like options."""


@compiled
def split_code(code: int, cell: Ints) -> int:
    """Undo ``two_code``: set x, y and the open card, return the pattern."""
    cell[2] = code % 52
    cell[1] = code // 52 % 52
    cell[0] = code // 2704 % 52
    return code // 140_608


@compiled
def one_code(hand: Ints, i: int, u: int, number: Ints, names: Ints, kept: Ints, codes: Ints) -> int:
    """Write the cells (pattern x discard x open card) of drawing for card i, under all renamings; return how many."""
    kept[:i] = hand[:i]
    kept[i:] = hand[i + 1 :]
    ways = relabelings(kept, names)
    for s in range(ways):
        for index in range(4):
            kept[index] = renamed(hand[index if index < i else index + 1], names[s])
        codes[s] = (number[set_place(kept)] * 52 + renamed(hand[i], names[s])) * 52 + renamed(u, names[s])
    return ways


@compiled
def two_code(hand: Ints, i: int, j: int, u: int, number: Ints, names: Ints, kept: Ints, codes: Ints) -> int:
    """Write the cells of drawing for cards i and j (pattern x lower discard x higher x open card); return how many."""
    count = 0
    for index in range(5):
        if index != i and index != j:
            kept[count] = hand[index]
            count += 1
    ways = relabelings(kept, names)
    for s in range(ways):
        count = 0
        for index in range(5):
            if index != i and index != j:
                kept[count] = renamed(hand[index], names[s])
                count += 1
        x = renamed(hand[i], names[s])
        y = renamed(hand[j], names[s])
        cell = (number[set_place(kept)] * 52 + min(x, y)) * 52 + max(x, y)
        codes[s] = cell * 52 + renamed(u, names[s])
    return ways


@compiled
def _least(codes: Ints, count: int) -> int:
    least = codes[0]
    for index in range(1, count):
        least = min(least, codes[index])
    return least  # type: ignore[no-any-return]


@compiled
def choose_without_two(
    hands: Ints,
    pays: Ints,
    fold: int,
    bets: Ints,
    four_number: Ints,
    ones: Ints,
    one_price: int,
    values: Ints,
    choices: SmallInts,
) -> None:
    """Set value and choice of every hand (row) and open card. ``pays`` has a row for every hand."""
    names = np.zeros((24, 4), np.int64)
    kept = np.zeros(4, np.int64)
    codes = np.zeros(24, np.int64)
    for row in range(len(hands)):
        hand = hands[row]
        for u in range(52):
            if u == hand[0] or u == hand[1] or u == hand[2] or u == hand[3] or u == hand[4]:
                continue
            best = fold * DENOMINATOR
            choice = FOLD
            bet = worth_of(bets[row, u], NO_DRAW_DEALS, pays[row]) * BET_FACTOR * RENAMINGS
            if bet > best:
                best = bet
                choice = BET
            if len(ones):
                best_code = 0
                for i in range(5):
                    ways = one_code(hand, i, u, four_number, names, kept, codes)
                    least = _least(codes, ways)
                    value = ones[least // 2704, least // 52 % 52, least % 52] * ONE_FACTOR - one_price
                    if value > best or (value == best and choice >= ONE and least < best_code):
                        best = value
                        best_code = least
                        choice = ONE + i
            values[row, u] = best
            choices[row, u] = choice


@compiled
def possible_pairs(
    hands: Ints, fold: int, values: Ints, three_number: Ints, bounds: Ints, two_price: int, found: Ints
) -> int:
    """Write the cells of all draws of two cards that may be better than the value so far; return how many."""
    names = np.zeros((24, 4), np.int64)
    kept = np.zeros(3, np.int64)
    codes = np.zeros(24, np.int64)
    cell = np.zeros(3, np.int64)
    count = 0
    # A pair of new cards that holds the other discard is in the bound, at no less than a fold's worth.
    spare = -2 * 46 * fold * TWO_CARD_DEALS * RENAMINGS
    for row in range(len(hands)):
        hand = hands[row]
        for u in range(52):
            if u == hand[0] or u == hand[1] or u == hand[2] or u == hand[3] or u == hand[4]:
                continue
            for i in range(5):
                for j in range(i + 1, 5):
                    ways = two_code(hand, i, j, u, three_number, names, kept, codes)
                    pattern = split_code(codes[0], cell)
                    twice = bounds[pattern, cell[0], cell[2]] + bounds[pattern, cell[1], cell[2]] + spare
                    if twice - two_price <= values[row, u]:
                        continue
                    if count < len(found):
                        found[count] = _least(codes, ways)
                    count += 1
    return count


@compiled
def choose_with_two(
    hands: Ints,
    values: Ints,
    choices: SmallInts,
    three_number: Ints,
    cells: Ints,
    sums: Ints,
    two_price: int,
) -> None:
    """Take a draw of two cards wherever it is better. ``cells`` are sorted codes, ``sums`` belong to them."""
    names = np.zeros((24, 4), np.int64)
    kept = np.zeros(3, np.int64)
    codes = np.zeros(24, np.int64)
    for row in range(len(hands)):
        hand = hands[row]
        for u in range(52):
            if u == hand[0] or u == hand[1] or u == hand[2] or u == hand[3] or u == hand[4]:
                continue
            best_code = 0
            number = 0
            for i in range(5):
                for j in range(i + 1, 5):
                    ways = two_code(hand, i, j, u, three_number, names, kept, codes)
                    least = _least(codes, ways)
                    at = np.searchsorted(cells, least)
                    if at < len(cells) and cells[at] == least:
                        value = sums[at] * TWO_FACTOR - two_price
                        equal = value == values[row, u] and choices[row, u] >= TWO
                        if value > values[row, u] or (equal and least < best_code):
                            values[row, u] = value
                            best_code = least
                            choices[row, u] = TWO + number
                    number += 1


@compiled
def chosen_cells(
    hands: Ints, choices: SmallInts, four_number: Ints, ones: SmallInts, three_number: Ints, twos: Ints
) -> int:
    """Mark every cell of the chosen draws with its share; return how many rows of ``twos`` (code, share) were written."""
    names = np.zeros((24, 4), np.int64)
    kept4 = np.zeros(4, np.int64)
    kept3 = np.zeros(3, np.int64)
    codes = np.zeros(24, np.int64)
    other = np.zeros(24, np.int64)
    count = 0
    for row in range(len(hands)):
        hand = hands[row]
        for u in range(52):
            if u == hand[0] or u == hand[1] or u == hand[2] or u == hand[3] or u == hand[4]:
                continue
            choice = choices[row, u]
            if ONE <= choice < TWO:
                ways = one_code(hand, choice - ONE, u, four_number, names, kept4, codes)
                least = _least(codes, ways)
                like = 0
                for i in range(5):
                    if _least(other, one_code(hand, i, u, four_number, names, kept4, other)) == least:
                        like += 1
                for s in range(ways):
                    ones[codes[s] // 2704, codes[s] // 52 % 52, codes[s] % 52] = SHARES // like
            elif choice >= TWO:
                number = 0
                ways = 0
                for i in range(5):
                    for j in range(i + 1, 5):
                        if number == choice - TWO:
                            ways = two_code(hand, i, j, u, three_number, names, kept3, codes)
                        number += 1
                least = _least(codes, ways)
                like = 0
                for i in range(5):
                    for j in range(i + 1, 5):
                        if _least(other, two_code(hand, i, j, u, three_number, names, kept3, other)) == least:
                            like += 1
                for s in range(ways):
                    if count < len(twos):
                        twos[count, 0] = codes[s]
                        twos[count, 1] = SHARES // like
                    count += 1
    return count
