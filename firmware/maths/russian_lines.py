"""How Russian Poker's draws end: the values of ``russian_passes`` taken apart into outcomes, in the same order of counting.

``russian_passes`` adds up what every drawn hand is worth; here the chances of the chosen draws are spread over the drawn
hands, and what each of them ends in is gathered. Both are the same sum, so the lines of the sheet add up to its value.
Not responsible for choices or values.
"""

import numpy as np

from firmware.maths.compiled import Floats, Ints, SmallInts, compiled
from firmware.maths.draw_passes import NO_DRAW_DEALS, ONE_CARD_DEALS
from firmware.maths.hand_codes import relabelings
from firmware.maths.kept_cards import choose, renamed, set_place
from firmware.maths.russian_bought import ENDS as BOUGHT_ENDS
from firmware.maths.russian_bought import LEAST_BUYING_PAY, Bought, gains_by_dead_card, gains_by_upcard
from firmware.maths.russian_ends import MOST_PAY, add_end
from firmware.maths.russian_passes import best_of_six, cards_as_bits, keep, pattern_of
from firmware.maths.russian_pays import six_cards
from firmware.maths.sweep import SweepTables, dead_counts


@compiled
def flow_of(
    hand: Ints, mask: int, chosen: Ints, weight: float, numbers: Ints, firsts: Ints, flows: Floats, dead_flows: Floats
) -> None:
    """Add the chance of a hand whose discards ``mask`` are chosen against the open cards ``chosen``.

    A draw is worth what it is without dead cards, plus what each discard alone changes: so many times is each counted.
    """
    names = np.zeros((24, 4), np.int64)
    kept = np.zeros(5, np.int64)
    size = keep(hand, mask, kept)
    relabelings(kept[:size], names)
    number = pattern_of(hand, mask, names[0], numbers)
    for u in range(52):
        if not chosen[u]:
            continue
        moved = renamed(u, names[0])
        flows[size, number, moved] += weight
        for index in range(5):
            if size and mask & (1 << index):
                flows[size, number, moved] -= weight
                dead_flows[firsts[size] + number, renamed(hand[index], names[0]), moved] += weight


@compiled
def end_bets(
    hands: Ints,
    flow: Floats,
    key: int,
    pay: int,
    counts: Ints,
    results: Floats,
    bought: Bought,
    buys: bool,
    ends: Floats,
) -> None:
    """Add the ends of one key's hands that bet at once; ``flow``, ``counts``: row x open card; ``ends`` as in ``spread_kept``."""
    gains = np.zeros(52, np.float64)
    bought_ends = np.zeros((52, BOUGHT_ENDS), np.float64)
    for row in range(len(hands)):
        if buys and pay >= LEAST_BUYING_PAY:
            gains_by_upcard(hands[row], key, pay, bought, gains, bought_ends)
        for u in range(52):
            add_end(counts[row, u], NO_DRAW_DEALS, pay, gains[u], bought_ends[u], flow[row, u], results, ends[u >> 2])


@compiled
def spread_kept(
    hands: Ints,
    weights: Ints,
    key: int,
    pay: int,
    results: Floats,
    bought: Bought,
    buys: bool,
    sweep: SweepTables,
    numbers: Ints,
    flows: Floats,
    dead_flows: Floats,
    firsts: Ints,
    ends: Floats,
) -> None:
    """Spread the flows over one key's hands: the reverse of ``russian_passes.gather_kept``, arguments as there.

    ``dead_flows`` have been averaged (``average_alike``). ``ends``: rank of the open card x end, gets the chances.
    """
    found = np.zeros((52, 52), np.int64)
    gains = np.zeros((52, 52), np.float64)
    bought_ends = np.zeros((52, 52, BOUGHT_ENDS), np.float64)
    names = np.zeros((24, 4), np.int64)
    kept = np.zeros(5, np.int64)
    whole = np.zeros(52, np.float64)
    dead = np.zeros((52, 52), np.float64)
    for row in range(len(hands)):
        hand = hands[row]
        held = cards_as_bits(hand)
        whole[:] = 0.0
        dead[:] = 0.0
        for mask in range(1, 32):
            size = keep(hand, mask, kept)
            ways = relabelings(kept[:size], names)
            share = weights[row] / (24.0 * choose(51 - size, 5 - size))
            for s in range(ways):
                flow = flows[size, pattern_of(hand, mask, names[s], numbers)]
                for u in range(52):
                    whole[u] += share * flow[renamed(u, names[s])]
            if size:
                dead_share = ways * weights[row] / (24.0 * choose(50 - size, 5 - size))
                _take_dead(
                    dead_flows[firsts[size] + pattern_of(hand, mask, names[0], numbers)], names[0], dead_share, dead
                )
        dead_counts(hand, sweep, found)
        if buys and pay >= LEAST_BUYING_PAY:
            gains_by_dead_card(hand, key, pay, bought, gains, bought_ends)
        for u in range(52):
            if held >> u & 1:
                continue
            into = ends[u >> 2]
            add_end(found[u, u], NO_DRAW_DEALS, pay, gains[u, u], bought_ends[u, u], whole[u], results, into)
            for x in range(52):
                if x != u and not held >> x & 1:
                    counts = found[u, u] - found[u, x]
                    gain, ends_here = gains[x, u], bought_ends[x, u]
                    add_end(counts, ONE_CARD_DEALS, pay, gain, ends_here, dead[x, u], results, into)


@compiled
def _take_dead(flow: Floats, names: Ints, share: float, into: Floats) -> None:
    for x in range(52):
        source = flow[renamed(x, names)]
        target = into[x]
        for other in range(0, 52, 4):
            target[other] += share * source[other + names[0]]
            target[other + 1] += share * source[other + names[1]]
            target[other + 2] += share * source[other + names[2]]
            target[other + 3] += share * source[other + names[3]]


@compiled
def spread_sixth(
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
    flows: Floats,
    ends: Floats,
) -> None:
    """The reverse of ``russian_passes.gather_sixth``, arguments as there.

    ``flows``: row x open card, the chance of hands that buy a sixth card; ``ends``: pay x rank of the open card x end.
    """
    found = np.zeros((52, 52), np.int64)
    names = np.zeros((24, 4), np.int64)
    six = np.zeros(6, np.int64)
    own = np.zeros(3, np.int64)
    five = np.zeros(5, np.int64)
    shares = np.zeros(52, np.float64)
    gains = np.zeros(52, np.float64)
    bought_ends = np.zeros((52, BOUGHT_ENDS), np.float64)
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
                continue
            shares[:] = 0.0
            for out in range(6):
                five[:out] = six[:out]
                five[out:] = six[out + 1 :]
                ways = relabelings(five, names)
                for s in range(ways):
                    for index in range(5):
                        five[index] = renamed(six[index if index < out else index + 1], names[s])
                    flow = flows[rows[set_place(five)]]
                    for u in range(52):
                        shares[u] += flow[renamed(u, names[s])]
            if not ready:
                dead_counts(hand, sweep, found)
                ready = True
            six_cards(six, keys, codes, class_of_key, class_pays, duplicate, own)
            gains[:] = 0.0
            bought_ends[:] = 0.0
            if buys and own[1] >= LEAST_BUYING_PAY and shares.any():
                gains_by_upcard(six, key, own[1], bought, gains, bought_ends)
            share = weights[row] / (alike * 24.0 * 46.0)
            for u in range(52):
                if u != extra and not held >> u & 1:
                    counts = found[u, u] - found[u, extra]
                    into = ends[min(own[1], MOST_PAY - 1), u >> 2]
                    chance = share * shares[u]
                    add_end(counts, ONE_CARD_DEALS, own[1], gains[u], bought_ends[u], chance, results, into)
