"""Blackjack's odds as a sheet, by exact composition. Not responsible for best play or its chances."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

import numpy as np

from firmware.games.families.blackjack_options import BlackjackProfile, rules_of
from firmware.games.families.blackjack_rules import BlackjackRules
from firmware.maths.blackjack_best import Table, full_shoe, natural_costs_wager, without
from firmware.maths.blackjack_exact import Case, Play, best_play, exact_ends
from firmware.maths.blackjack_hands import DEALER_BUST, NATURAL, RESULT_COUNT, RESULTS, hand_number
from firmware.maths.blackjack_odds import dealer_odds
from firmware.maths.compiled import Floats
from firmware.maths.sheet import Line, Sheet, merged

_NETS: Final = (-2, -1, 0, 1, 2)
SPLIT_NOTE: Final = (
    "Split hands: a pair of equal points is split once into two hands. The return is exact for hands that are each played by "
    "their own cards alone, which is how best play is meant here; what the second hand could gain from the first one's cards is "
    "left out (never a loss to the player)."
)
SPREAD_NOTE: Final = (
    "Standard deviation, hit frequency and what follows from them take two split hands as independent of each other once the "
    "dealer's result is given."
)
MORE_SPLITS_NOTE: Final = (
    "Splits beyond the first are left out of all figures, so the player's return is at least what is said. By how often a split "
    "hand is paired again, and what the first split gains, they add {percent:.3f} % of a bet; where returns with "
    "up to four hands are published, that is right within 0.004 %."
)
CARRIED_NOTE: Final = (
    "The sheet is that of a fresh shoe. To a player without memory of earlier rounds a carried shoe returns the same but for "
    "the cut card's effect, which is not included: of the order of hundredths of a percent, against the player."
)
BOXES_NOTE: Final = (
    "Every box returns this much if its player uses its own cards and the dealer's open cards only; what further boxes' cards "
    "tell is left out."
)


def sheet(profile: BlackjackProfile) -> tuple[Sheet, Play]:
    """Return the sheet of a table and the play it is about."""
    rules = rules_of(profile)
    play = best_play(rules)
    ends = exact_ends(play)
    natural = Fraction(*rules.natural_pays)
    tied = {"push": Fraction(0), "win": natural, "lose": Fraction(-1)}[rules.tied_naturals]
    nets = {
        "blackjack": natural,
        "blackjack_tied": tied,
        "dealer_blackjack": Fraction(-1),
        "win": Fraction(1),
        "push": Fraction(0),
        "lose": Fraction(-1),
        "double_win": Fraction(2),
        "double_push": Fraction(0),
        "double_lose": Fraction(-2),
        "dealer_blackjack_doubled": Fraction(-2),
        "surrender": Fraction(-1, 2),
    }
    lines = [Line(name, net, ends[name]) for name, net in nets.items()]
    extra_variance = extra_hits = 0.0
    notes = []
    if ends["split"]:
        mean = ends["split_mean"] / ends["split"]
        lines.append(Line("split (mean of both hands)", mean, ends["split"]))
        extra_variance, hits = _split_spread(play, mean)
        extra_hits = hits - (float(ends["split"]) if mean > 0 else 0.0)
        notes.append(SPREAD_NOTE)
        if rules.max_hands > 2:
            notes.append(MORE_SPLITS_NOTE.format(percent=100 * further_splits(play)))
    if profile.shoe_carried:
        notes.append(CARRIED_NOTE)
    insurance = ends["insurance_won"] + ends["insurance_lost"]
    doubled = sum(ends[name] for name in ("double_win", "double_push", "double_lose", "dealer_blackjack_doubled"))
    if insurance:
        value = ends["insurance_won"] - Fraction(1, 2) * ends["insurance_lost"]
        lines.append(Line("insurance (mean, beside the main result)", value / insurance, insurance))
    wager = 1 + doubled + _split_wagers(play) + Fraction(1, 2) * insurance
    found = Sheet(
        "bet", merged(lines), wager, tuple(notes),
        (f"Every order of cards from {rules.deck_count} deck(s), by exact composition.", SPLIT_NOTE, BOXES_NOTE),
        extra_variance, extra_hits, most=_most(rules, ends),
    )  # fmt: skip
    return found, play


def _most(rules: BlackjackRules, ends: Mapping[str, Fraction]) -> Fraction:
    """Return the best result of a round: two hands, both doubled where the table allows that."""
    if ends["split"]:
        return Fraction(4 if rules.double_after_split else 2)
    return Fraction(2) if ends["double_win"] else Fraction(*rules.natural_pays)


def _weight(rules: BlackjackRules, case: Case) -> Fraction:
    left = full_shoe(rules.deck_count).copy()
    weight = Fraction(1)
    for one in (*case.known, *case.pair):
        weight *= Fraction(int(left[one]), int(left[0]))
        left[one] -= 1
        left[0] -= 1
    for cards in (case.known, case.pair):
        weight *= 2 if len(cards) == 2 and cards[0] != cards[1] else 1
    return weight


def _played(play: Play, case: Case) -> Fraction:
    """Return the chance that a case comes to its split or double: a natural found before takes it away."""
    if natural_costs_wager(play.rules) or len(case.known) == 2 or case.known[0] not in (1, 10):
        return Fraction(1)
    left = without(play.tables[case.known].shoe, case.pair)
    return 1 - Fraction(int(left[11 - case.known[0]]), int(left[0]))


def _split_wagers(play: Play) -> Fraction:
    """Return the bets added by splits per round: the second hand's, and doubles of split hands."""
    total = Fraction(0)
    for case in play.cases:
        if case.action != "split":
            continue
        points = case.pair[0]
        table = play.tables[case.known]
        left = without(table.shoe, case.pair)
        doubled = Fraction(0)
        for second in range(1, 11):
            if left[second] > 0:
                action, _ = table.split_second(points, second, table.split_values(points))
                doubled += Fraction(int(left[second]), int(left[0])) * (action == "double")
        total += _weight(play.rules, case) * _played(play, case) * (1 + 2 * doubled)
    return total


def further_splits(play: Play) -> float:
    """Return about what splits beyond the first would add to the player's return, in bets.

    Each is taken to gain what the first one would over playing the pair, and to be dealt as often as at the first one.
    """
    rules, total = play.rules, 0.0
    for case in play.cases:
        points = case.pair[0]
        if case.action != "split" or (points == 1 and not rules.resplit_aces):
            continue
        table = play.tables[case.known]
        left = without(table.shoe, case.pair)
        paired = max(0.0, float(left[points] / left[0]))
        _, unsplit = table.split_second(points, points, table.split_values(points))
        gain = max(0.0, table.split(points) - unsplit)
        count = _further_count(2, rules.max_hands - 2, paired)
        total += float(_weight(rules, case) * _played(play, case)) * count * gain
    return total


def _further_count(waiting: int, most: int, paired: float) -> float:
    """Return how many further splits are to be expected of hands that wait for their second card."""
    if not waiting or not most:
        return 0.0
    again = 1.0 + _further_count(waiting + 1, most - 1, paired)
    return paired * again + (1.0 - paired) * _further_count(waiting - 1, most, paired)


def _split_spread(play: Play, mean: Fraction) -> tuple[float, float]:
    """Return what splits add to the variance beyond their mean, and the chance of a positive result in a split."""
    squares = hits = chance = 0.0
    for case in play.cases:
        if case.action != "split":
            continue
        table = play.tables[case.known]
        weight = float(_weight(play.rules, case))
        one = _joint(table, case.pair[0])
        for result in range(RESULT_COUNT):
            if result == NATURAL and not table.natural_loss:
                continue  # counted with the dealer's naturals, at one bet
            share = one[result].sum()
            if share <= 0:
                continue
            chance += weight * share
            for first, net in zip(one[result], _NETS, strict=True):
                for second, other in zip(one[result], _NETS, strict=True):
                    both = weight * float(first * second / share)
                    squares += both * (net + other) ** 2
                    hits += both * (net + other > 0)
    return float(squares - chance * float(mean) ** 2), float(hits)


def _joint(table: Table, points: int) -> Floats:
    """Return dealer's result x net result of one split hand: the chances under best play."""
    values = table.split_values(points)
    shoe = without(table.shoe, (points,))
    hands, tree = table.hands, table.tree
    products = np.zeros(len(tree.parents), np.float64)
    memory: dict[int, Floats] = {}

    def odds_after(number: int) -> Floats:
        odds = np.zeros(RESULT_COUNT, np.float64)
        counts = shoe - hands.counts[number]
        counts[0] = shoe[0] - hands.sizes[number]
        dealer_odds(counts, tree.parents, tree.points, tree.taken, tree.ends, products, odds)
        return odds

    def stood(number: int, wager: int) -> Floats:
        found = np.zeros((RESULT_COUNT, len(_NETS)), np.float64)
        for result, chance in enumerate(odds_after(number)):
            total = int(hands.totals[number])
            if result == DEALER_BUST or (result < len(RESULTS) and total > RESULTS[result]):
                net = wager
            elif result < len(RESULTS) and total == RESULTS[result] and table.rules.ties == "push":
                net = 0
            else:
                net = -wager
            found[result, net + 2] += chance
        return found

    def bust(number: int, one: int, wager: int) -> Floats:
        """The dealer's result still matters to the other hand; a bust card is taken off as any other."""
        counts = shoe - hands.counts[number]
        counts[0] = shoe[0] - hands.sizes[number]
        counts[one] -= 1
        counts[0] -= 1
        odds = np.zeros(RESULT_COUNT, np.float64)
        dealer_odds(counts, tree.parents, tree.points, tree.taken, tree.ends, products, odds)
        found = np.zeros((RESULT_COUNT, len(_NETS)), np.float64)
        found[:, 2 - wager] = odds
        return found

    def drawn(number: int, wager: int, then: int) -> Floats:
        left = shoe - hands.counts[number]
        size = shoe[0] - hands.sizes[number]
        found = np.zeros((RESULT_COUNT, len(_NETS)), np.float64)
        for one in range(1, 11):
            if left[one] > 0:
                child = int(hands.children[number, one])
                if child < 0:
                    after = bust(number, one, wager)
                else:
                    after = played(child) if then else stood(child, wager)
                found += left[one] / size * after
        return found

    def played(number: int) -> Floats:
        if number not in memory:
            hits = hands.totals[number] != 21 and values.hit[number] > values.stand[number]
            memory[number] = drawn(number, 1, 1) if hits else stood(number, 1)
        return memory[number]

    left = without(table.shoe, (points, points))
    found = np.zeros((RESULT_COUNT, len(_NETS)), np.float64)
    for second in range(1, 11):
        if left[second] <= 0:
            continue
        action, _ = table.split_second(points, second, values)
        number = hand_number((points, second))
        if action == "double":
            after = drawn(number, 2, 0)
        else:
            after = drawn(number, 1, 1) if action == "hit" else stood(number, 1)
        found += left[second] / left[0] * after
    return found
