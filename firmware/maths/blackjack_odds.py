"""Values of a blackjack player's hands against one dealer's hand, by the exact composition of what is left in the shoe.

The dealer's draws are taken as coming from the shoe without the player's cards; as nobody looks at them, their order in
time does not matter. A dealer's natural is kept apart: where he looks for it, or takes the first bet only, it costs the
same whatever the player does. Not responsible for splits, surrender or naturals of the player (``blackjack_play``).
"""

from typing import NamedTuple

import numpy as np

from firmware.maths.blackjack_hands import DEALER_BUST, NATURAL, RESULT_COUNT
from firmware.maths.compiled import Floats, Ints, compiled


class Values(NamedTuple):
    """By hand, in bets. A dealer's natural counts 0 where it costs the same for any play, else it takes the wager."""

    stand: Floats
    hit: Floats
    best: Floats
    """The better of both."""
    double: Floats
    """One more card and a wager of two; not asking whether the table allows it."""


@compiled
def dealer_odds(
    counts: Ints, parents: Ints, points: Ints, taken: Ints, ends: Ints, products: Floats, odds: Floats
) -> bool:
    """Set ``odds`` to the chances of the dealer's results. ``counts`` are the shoe's cards by points, their sum at 0."""
    odds[:] = 0.0
    products[0] = 1.0
    for node in range(1, len(parents)):
        products[node] = products[parents[node]] * max(0, counts[points[node]] - taken[node])
    share = 1.0
    size = 0
    for index in range(len(ends)):  # ends come by number of cards
        while size < ends[index, 3]:
            share /= counts[0] - size
            size += 1
        odds[ends[index, 2]] += products[ends[index, 0]] * ends[index, 1] * share
    return True


@compiled
def natural_chance(counts: Ints, known: Ints) -> float:
    """Return the chance that a dealer who shows one ace or ten has a natural with his next card."""
    if len(known) != 1 or (known[0] != 1 and known[0] != 10):
        return 0.0
    return counts[11 - known[0]] / counts[0]  # type: ignore[no-any-return]


@compiled
def hand_values(
    shoe: Ints,
    known: Ints,
    base: Ints,
    hand_counts: Ints,
    totals: Ints,
    children: Ints,
    parents: Ints,
    points: Ints,
    taken: Ints,
    ends: Ints,
    payoffs: Floats,
    natural_loss: float,
    needed: Ints,
    stand: Floats,
    hit: Floats,
    best: Floats,
    double: Floats,
) -> None:
    """Set the values of all hands that hold at least ``base`` and can be dealt.

    Args:
        shoe: cards by points, their sum at 0, without the dealer's known cards and without what else is gone, but
            with the player's own.
        known: the dealer's known cards. base: the least that the hand holds, by points.
        payoffs: player's total (0 to 21) x dealer's result -> result of standing for a wager of one.
        natural_loss: what a dealer's natural takes of a wager: 1, or 0 where it is counted elsewhere.
        needed: by hand, whether its value is wanted; all that can come of such a hand must be wanted too.
    """
    counts = np.zeros(11, np.int64)
    products = np.zeros(len(parents), np.float64)
    odds = np.zeros(RESULT_COUNT, np.float64)
    for number in range(len(totals) - 1, -1, -1):
        if needed[number] == 0:
            continue
        possible = True
        gone = 0
        for one in range(1, 11):
            counts[one] = shoe[one] - hand_counts[number, one]
            gone += hand_counts[number, one]
            if counts[one] < 0 or hand_counts[number, one] < base[one]:
                possible = False
        if not possible:
            continue
        counts[0] = shoe[0] - gone
        dealer_odds(counts, parents, points, taken, ends, products, odds)
        value = 0.0
        for result in range(RESULT_COUNT):
            value += odds[result] * payoffs[totals[number], result]
        stand[number] = value
        if totals[number] == 21:
            best[number] = value
            hit[number] = -9.0
            double[number] = -9.0
            continue
        drawn = 0.0
        doubled = 0.0
        for one in range(1, 11):
            if counts[one] <= 0:
                continue
            chance = counts[one] / counts[0]
            child = children[number, one]
            if child >= 0:
                drawn += chance * best[child]
                doubled += chance * 2 * stand[child]
            else:
                counts[one] -= 1
                counts[0] -= 1
                bust = -1.0 + natural_chance(counts, known) * (1.0 - natural_loss)
                counts[one] += 1
                counts[0] += 1
                drawn += chance * bust
                doubled += chance * 2 * bust
        hit[number] = drawn
        double[number] = doubled
        best[number] = max(value, drawn)


# --- The same for a fixed way to play, modulo a prime: exact fractions come out of several primes.


STATES = 8
"""What becomes of one hand: won, pushed, lost, met by a natural; the same for a doubled wager."""


@compiled
def hand_ends(
    shoe: Ints,
    known: Ints,
    hand_counts: Ints,
    totals: Ints,
    children: Ints,
    parents: Ints,
    points: Ints,
    taken: Ints,
    ends: Ints,
    tie: int,
    actions: Ints,
    prime: int,
    inverses: Ints,
    wanted: Ints,
    found: Ints,
) -> None:
    """Set ``found`` to the chances of what becomes of hands, modulo a prime, for a fixed way to play.

    Args:
        shoe, known: as in ``hand_values``.
        tie: 1 where equal totals push, 2 where they lose.
        actions: by hand: 0 stand, 1 hit, 2 double.
        inverses: of 0 to the shoe's size, modulo the prime.
        wanted: by hand, 1 where it is asked for; whatever comes of those hands is marked too.
        found: room for hand x state.
    """
    for number in range(len(totals)):
        if wanted[number] == 0 or actions[number] == 0:
            continue
        for one in range(1, 11):
            child = children[number, one]
            if child >= 0 and shoe[one] > hand_counts[number, one]:
                # 2: only its standing is wanted (after a double); 1: it is played on.
                wanted[child] |= 2 if actions[number] == 2 else 1
    counts = np.zeros(11, np.int64)
    products = np.zeros(len(parents), np.int64)
    odds = np.zeros(RESULT_COUNT, np.int64)
    stands = np.zeros((len(totals), 4), np.int64)
    for number in range(len(totals) - 1, -1, -1):
        if wanted[number] == 0:
            continue
        gone = 0
        for one in range(1, 11):
            counts[one] = shoe[one] - hand_counts[number, one]
            gone += hand_counts[number, one]
        counts[0] = shoe[0] - gone
        found[number] = 0
        if (wanted[number] & 2) or actions[number] == 0:
            odds[:] = 0
            products[0] = 1
            for node in range(1, len(parents)):
                left = counts[points[node]] - taken[node]
                products[node] = products[parents[node]] * left % prime if left > 0 else 0
            share = 1
            size = 0
            for index in range(len(ends)):
                while size < ends[index, 3]:
                    share = share * inverses[counts[0] - size] % prime
                    size += 1
                term = products[ends[index, 0]] * ends[index, 1] % prime * share % prime
                odds[ends[index, 2]] = (odds[ends[index, 2]] + term) % prime
            stands[number] = 0
            for result in range(RESULT_COUNT):
                if result == NATURAL:
                    state = 3
                elif result == DEALER_BUST or totals[number] > 17 + result:
                    state = 0
                else:
                    state = tie if totals[number] == 17 + result else 2
                stands[number, state] = (stands[number, state] + odds[result]) % prime
            if actions[number] == 0:
                found[number, :4] = stands[number]
        if not (wanted[number] & 1) or actions[number] == 0:
            continue
        for one in range(1, 11):
            if counts[one] <= 0:
                continue
            chance = counts[one] * inverses[counts[0]] % prime
            child = children[number, one]
            doubled = actions[number] == 2
            if child >= 0:
                for state in range(STATES):
                    if doubled:
                        term = stands[child, state - 4] if state >= 4 else 0
                    else:
                        term = found[child, state]
                    found[number, state] = (found[number, state] + chance * term) % prime
            else:
                natural = 0
                if len(known) == 1 and (known[0] == 1 or known[0] == 10):
                    other = 11 - known[0]
                    left = counts[other] - (1 if one == other else 0)
                    natural = left * inverses[counts[0] - 1] % prime
                base = 4 if doubled else 0
                found[number, base + 2] = (found[number, base + 2] + chance * (1 + prime - natural)) % prime
                found[number, base + 3] = (found[number, base + 3] + chance * natural) % prime
