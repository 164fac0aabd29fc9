"""The three passes over all hands that find the value of drawing one card or two at a table of dealer poker.

``gather`` adds up, for every pattern of kept cards with every discard and open card, what the drawn hand is worth:
exactly for one card, as an upper bound for two. ``gather_pairs`` adds up exactly where the bound did not rule two
cards out. ``count_draws`` counts how the chosen draws end.

A drawn hand is worth the better of the bet and the fold. Values are sums over the dealer's hands, in half antes.
Where a loop runs over hands up to suits, every sum is 24 times what it says, for all renamings together.
Not responsible for the choice (``draw_choice``).
"""

from firmware.maths.compiled import Ints, SmallInts, compiled
from firmware.maths.hand_codes import FLUSH_BASE, relabelings
from firmware.maths.kept_cards import renamed, set_place
from firmware.maths.sweep import FIELD, FIELD_BITS, SweepTables, dead_counts

import numpy as np  # isort: skip

ONE_CARD_DEALS = 148_995
"""Dealer's hands with a given open card when six other cards are known: 45 over 4."""
TWO_CARD_DEALS = 135_751
"""The same with seven known cards: 44 over 4."""
NO_DRAW_DEALS = 163_185
"""The same with five known cards: 46 over 4."""
TRIPLE_DEALS = 946
"""Dealer's hands with three given cards when five others are known: 44 over 2."""
PAIR_DEALS = 14_190
"""Dealer's hands with two given cards when five others are known: 45 over 3."""


@compiled
def worth_of(counts: int, deals: int, pays: Ints) -> int:
    """Return the sum of results of a bet. ``pays``: not qualified, win, tie, lose."""
    not_qualified = counts & FIELD
    win = (counts >> FIELD_BITS) & FIELD
    tie = (counts >> 2 * FIELD_BITS) & FIELD
    lose = deals - not_qualified - win - tie
    return not_qualified * pays[0] + win * pays[1] + tie * pays[2] + lose * pays[3]  # type: ignore[no-any-return]


@compiled
def gather(
    hands: Ints,
    weights: Ints,
    pays: Ints,
    fold: int,
    sweep: SweepTables,
    bets: Ints,
    four_number: Ints,
    ones: Ints,
    three_number: Ints,
    bounds: Ints,
) -> None:
    """Add up one key's hands.

    Args:
        hands: rows of five cards of the same key; ``weights`` how many look alike.
        pays: the results of a bet by outcome, ``fold`` that of folding, in half antes.
        sweep: the counters for this key.
        bets: gets the counts of every hand (row) against every open card.
        four_number: patterns of four kept cards; ``ones``: pattern x discard x open card; empty to leave out.
        three_number: patterns of three kept cards; ``bounds``: pattern x one of two discards x open card.
    """
    found = np.zeros((52, 52), np.int64)
    value = np.zeros((52, 52), np.int64)
    bound = np.zeros((52, 52), np.int64)
    names = np.zeros((24, 4), np.int64)
    kept4 = np.zeros(4, np.int64)
    kept3 = np.zeros(3, np.int64)
    others = np.zeros(47, np.int64)
    new = np.zeros(47, np.int64)
    best_pay = max(pays[0], pays[1], pays[2], pays[3])
    for row in range(len(hands)):
        hand = hands[row]
        dead_counts(hand, sweep, found)
        count = 0
        for card in range(52):
            if card != hand[0] and card != hand[1] and card != hand[2] and card != hand[3] and card != hand[4]:
                others[count] = card
                count += 1
                bets[row, card] = found[card, card]
        if len(ones) == 0:
            continue
        value[:] = 0
        bound[:] = 0
        for u in others:
            whole = worth_of(found[u, u], NO_DRAW_DEALS, pays)
            for x in others:
                if x == u:
                    continue
                less = worth_of(found[u, x], PAIR_DEALS, pays)
                value[x, u] = max(fold * ONE_CARD_DEALS, whole - less) * weights[row]
                bound[x, u] = max(fold * TWO_CARD_DEALS, whole - 2 * less + TRIPLE_DEALS * best_pay) * weights[row]
        for i in range(5):
            kept4[:i] = hand[:i]
            kept4[i:] = hand[i + 1 :]
            for s in range(relabelings(kept4, names)):
                for index in range(4):
                    kept4[index] = renamed(hand[index if index < i else index + 1], names[s])
                _add_renamed(value, names[s], others, new, ones[four_number[set_place(kept4)]])
            kept4[:i] = hand[:i]
            kept4[i:] = hand[i + 1 :]
            if len(bounds) == 0:
                continue
            for j in range(i + 1, 5):
                _keep_three(hand, i, j, kept3)
                ways = relabelings(kept3, names)
                for s in range(ways):
                    _keep_three(hand, i, j, kept3)
                    for index in range(3):
                        kept3[index] = renamed(kept3[index], names[s])
                    _add_renamed(bound, names[s], others, new, bounds[three_number[set_place(kept3)]])


@compiled
def _add_renamed(value: Ints, names: Ints, others: Ints, new: Ints, into: Ints) -> None:
    """Add card x card values with all suits renamed; ``others`` are the cards that count, ``new`` is room for as many."""
    if names[0] == 0 and names[1] == 1 and names[2] == 2:
        for x in range(52):
            for u in range(52):
                into[x, u] += value[x, u]
        return
    for index in range(len(others)):
        new[index] = renamed(others[index], names)
    for at_x in range(len(others)):
        row = value[others[at_x]]
        target = into[new[at_x]]
        for at_u in range(len(others)):
            target[new[at_u]] += row[others[at_u]]


@compiled
def _keep_three(hand: Ints, i: int, j: int, kept: Ints) -> None:
    count = 0
    for index in range(5):
        if index != i and index != j:
            kept[count] = hand[index]
            count += 1


@compiled
def triple_counts(
    hand: Ints,
    u: int,
    x: int,
    y: int,
    pair_of: Ints,
    triples: Ints,
    quads: Ints,
    fives: SmallInts,
    codes: Ints,
    worth: Ints,
) -> int:
    """Return the counts of dealer's hands that hold u, x and y and none of the hand's cards."""
    pair = pair_of[x, y]
    value = triples[u, pair]
    code = codes[u] + codes[x] + codes[y]
    ranks = (1 << (u >> 2)) | (1 << (x >> 2)) | (1 << (y >> 2))
    suited = (u & 3) == (x & 3) and (u & 3) == (y & 3)
    for i in range(5):
        a = hand[i]
        value -= quads[pair, pair_of[u, a]]
        for j in range(i + 1, 5):
            b = hand[j]
            if suited and (a & 3) == (u & 3) and (b & 3) == (u & 3):
                place = FLUSH_BASE + (ranks | (1 << (a >> 2)) | (1 << (b >> 2)))
            else:
                place = code + codes[a] + codes[b]
            value += worth[fives[place]]
    return value  # type: ignore[no-any-return]


@compiled
def gather_pairs(
    hands: Ints,
    weights: Ints,
    pays: Ints,
    fold: int,
    sweep: SweepTables,
    three_number: Ints,
    starts: Ints,
    cells: Ints,
    sums: Ints,
) -> None:
    """Add up exactly what two drawn cards are worth, for one key's hands.

    ``cells`` are rows x, y, open card, sorted by pattern of kept cards (``starts``); ``sums`` belongs to them.
    """
    pair_of, _, triples, quads, fives, codes, worth = sweep
    found = np.zeros((52, 52), np.int64)
    names = np.zeros((24, 4), np.int64)
    kept = np.zeros(3, np.int64)
    back = np.zeros(4, np.int64)
    for row in range(len(hands)):
        hand = hands[row]
        ready = False
        for i in range(5):
            for j in range(i + 1, 5):
                _keep_three(hand, i, j, kept)
                for s in range(relabelings(kept, names)):
                    _keep_three(hand, i, j, kept)
                    for index in range(3):
                        kept[index] = renamed(kept[index], names[s])
                    for old in range(4):
                        back[names[s, old]] = old
                    pattern = three_number[set_place(kept)]
                    for cell in range(starts[pattern], starts[pattern + 1]):
                        x = renamed(cells[cell, 0], back)
                        y = renamed(cells[cell, 1], back)
                        u = renamed(cells[cell, 2], back)
                        a, b = hand[i], hand[j]
                        if x == a or x == b or y == a or y == b or u == a or u == b:
                            continue
                        if not ready:
                            dead_counts(hand, sweep, found)
                            ready = True
                        counts = found[u, u] - found[u, x] - found[u, y]
                        counts += triple_counts(hand, u, x, y, pair_of, triples, quads, fives, codes, worth)
                        bet = worth_of(counts, TWO_CARD_DEALS, pays)
                        sums[cell] += max(fold * TWO_CARD_DEALS, bet) * weights[row]


@compiled
def count_draws(
    hands: Ints,
    weights: Ints,
    pays: Ints,
    fold: int,
    sweep: SweepTables,
    four_number: Ints,
    four_weights: Ints,
    ones: SmallInts,
    three_number: Ints,
    three_weights: Ints,
    starts: Ints,
    cells: Ints,
    ends: Ints,
) -> None:
    """Count how the chosen draws end, for one key's hands.

    Args:
        ones: pattern of four x discard x open card: 12 divided by the number of like choices, 0 where not chosen.
        starts, cells: the chosen draws of two cards by pattern of three: rows x, y, open card, the same share.
        ends: open card's rank x cards drawn (0 for one, 1 for two) x not qualified, win, tie, lose, fold; gets 288 times the number of
            deals (24 renamings, twelfths).
    """
    pair_of, _, triples, quads, fives, codes, worth = sweep
    found = np.zeros((52, 52), np.int64)
    names = np.zeros((24, 4), np.int64)
    kept4 = np.zeros(4, np.int64)
    kept3 = np.zeros(3, np.int64)
    back = np.zeros(4, np.int64)
    for row in range(len(hands)):
        hand = hands[row]
        dead_counts(hand, sweep, found)
        for i in range(5):
            kept4[:i] = hand[:i]
            kept4[i:] = hand[i + 1 :]
            for s in range(relabelings(kept4, names)):
                for index in range(4):
                    kept4[index] = renamed(hand[index if index < i else index + 1], names[s])
                for old in range(4):
                    back[names[s, old]] = old
                pattern = four_number[set_place(kept4)]
                chosen = ones[pattern]
                for x_new in range(52):
                    for u_new in range(52):
                        if chosen[x_new, u_new] == 0:
                            continue
                        x = renamed(x_new, back)
                        u = renamed(u_new, back)
                        if x == hand[i] or u == hand[i]:
                            continue
                        share = weights[row] * four_weights[pattern] * chosen[x_new, u_new]
                        _count(found[u, u] - found[u, x], ONE_CARD_DEALS, pays, fold, share, ends[u >> 2, 0])
            for j in range(i + 1, 5):
                _keep_three(hand, i, j, kept3)
                for s in range(relabelings(kept3, names)):
                    _keep_three(hand, i, j, kept3)
                    for index in range(3):
                        kept3[index] = renamed(kept3[index], names[s])
                    for old in range(4):
                        back[names[s, old]] = old
                    pattern = three_number[set_place(kept3)]
                    for cell in range(starts[pattern], starts[pattern + 1]):
                        x = renamed(cells[cell, 0], back)
                        y = renamed(cells[cell, 1], back)
                        u = renamed(cells[cell, 2], back)
                        a, b = hand[i], hand[j]
                        if x == a or x == b or y == a or y == b or u == a or u == b:
                            continue
                        counts = found[u, u] - found[u, x] - found[u, y]
                        counts += triple_counts(hand, u, x, y, pair_of, triples, quads, fives, codes, worth)
                        share = weights[row] * three_weights[pattern] * cells[cell, 3]
                        _count(counts, TWO_CARD_DEALS, pays, fold, share, ends[u >> 2, 1])


@compiled
def _count(counts: int, deals: int, pays: Ints, fold: int, share: int, ends: Ints) -> None:
    if worth_of(counts, deals, pays) <= fold * deals:
        ends[4] += share * deals
        return
    not_qualified = counts & FIELD
    win = (counts >> FIELD_BITS) & FIELD
    tie = (counts >> 2 * FIELD_BITS) & FIELD
    ends[0] += share * not_qualified
    ends[1] += share * win
    ends[2] += share * tie
    ends[3] += share * (deals - not_qualified - win - tie)
