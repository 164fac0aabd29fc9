"""Russian Poker as a sheet: every hand and open card nearly exactly, and the rest measured deal by deal on a sample.

For all 134,459 hands up to suits against every open card best play is found with counts that are exact but for one thing:
where two cards and more are exchanged each discard alone is dead, and what several do together is taken as the sum. What this
misses is measured (``russian_sample``): the mean difference of every outcome's chance is added to it, and every figure gets an
interval of standard errors. Not responsible for printing.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import numpy as np

from firmware.cards.card import RANKS
from firmware.errors import UserError
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.maths.compiled import Array, Floats
from firmware.maths.draw_passes import NO_DRAW_DEALS
from firmware.maths.draw_poker import groups_of
from firmware.maths.hand_codes import hand_list
from firmware.maths.progress import Progress
from firmware.maths.russian_best import (
    FIRSTS,
    Nearly,
    five_pays,
    hand_rows,
    nearly,
    numbers_by_size,
    possible,
    six_tables,
)
from firmware.maths.russian_ends import ENDS, MOST_PAY
from firmware.maths.russian_hand import MASKS, SIXTH
from firmware.maths.russian_lines import end_bets, flow_of, spread_kept, spread_sixth
from firmware.maths.russian_options import RussianTerms
from firmware.maths.russian_outcomes import FOLD, SURRENDER, Outcome, outcomes_of
from firmware.maths.russian_passes import LARGEST, average_alike
from firmware.maths.russian_pays import class_table
from firmware.maths.russian_sample import MARGIN, SAMPLE, Measured, checkpoint_of, measured
from firmware.maths.sheet import Line, Sheet, merged, percent, text
from firmware.maths.sweep import FIELD, FIELD_BITS, Sweep

BOUND: Final = 3
"""The sheet's intervals, in standard errors either way."""
EQUAL: Final = 1e-9
CHANCES: Final = 10**15
"""Chances of lines are fractions of this."""
Gathered = dict[tuple[int, int], Floats]
"""Class and pay -> chances of the ends."""
Add = Callable[[Outcome, float], None]
"""Takes an outcome and its chance."""


def _parts(counts: Array) -> tuple[Array, Array, Array]:
    return counts & FIELD, (counts >> FIELD_BITS) & FIELD, (counts >> 2 * FIELD_BITS) & FIELD


# --- The sheet


def figures(profile: DealerPokerProfile, progress: Progress, sample: int = SAMPLE) -> dict[str, Any]:
    """Return the sheet of a table as plain JSON values.

    Raises:
        UserError: an option whose odds are not computed, or a sample too small to correct a rare line.
    """
    if profile.suit_priority != "none":
        raise UserError("par: suit_priority: this table's odds are computed without suits only")
    terms = RussianTerms.of(profile)
    near = nearly(terms, progress)
    found = measured(near, progress, sample, checkpoint_of(terms))
    counted = counted_outcomes(near, progress)
    chances = dict(counted)
    for outcome, difference in zip(found.outcomes, found.chances.mean(axis=0).tolist(), strict=True):
        chances[outcome] = chances.get(outcome, 0.0) + difference
    lines = _lines(chances, found)
    wager = sum((_chance(chance) * _money(outcome.put_up) for outcome, chance in chances.items()), Fraction(0))
    sheet = Sheet("ante", lines, wager)
    _raise_unless_equal(-float(sheet.house_edge), near.total + float(found.values.mean()))
    intervals = _intervals(sheet, found)
    low, high = intervals["house_edge_percent"]
    differs = found.exact != found.nearly
    made = Sheet(
        "ante", lines, wager,
        (
            f"House edge: what was counted ({-100 * near.total:.4f} %) less what was measured ({100 * found.values.mean():.4f} %, standard "
            f"error {100 * _error(found.values):.4f} %). It lies between {low:.4f} and {high:.4f} %: {BOUND} standard errors either way.",
            "The same holds for every line, the average wager, the element of risk, the standard deviation and the hit frequency: each "
            f"was counted and corrected by what was measured, and has an interval of {BOUND} standard errors either way. A line without one "
            "was the same in all hands of the sample.",
            "Counted in full: bets at once, sixth cards, exchanges of one card and the dealer's bought card. Where two cards and more "
            "are exchanged each discard alone is counted as dead exactly, and what several do together is taken as the sum.",
            f"Measured: {len(found.values)} hands and open cards by chance with a fixed seed. For each, every exchange of two cards and "
            f"more that is within {MARGIN} antes of the best was counted in full; none was worth more than {found.largest:.4f} antes more or "
            "less than counted. Then all that best play ends in was counted, in full and as above; the mean difference is the correction.",
            "Shares of play are those of the counted values. In the sample full counting plays otherwise with "
            f"{100 * differs.mean():.2f} % of the hands, which gains {100 * found.costs.mean():.4f} % of an ante a round.",
        ),
        (
            "All hands of five cards up to suits, with every open card of the dealer and all draws.",
            "Further open boxes know more cards and are not counted; the blind box's figures are exact.",
        ),
        extra={
            "intervals": intervals,
            "interval_standard_errors": BOUND,
            "counted_house_edge_percent": -100 * near.total,
            "play_percent": _play(near),
            "by_upcard": _by_rank(near, found),
            **({} if profile.blind_box == "none" else {"blind_box": _blind(near)}),
        },
    )  # fmt: skip
    return made.figures()


def _chance(value: float) -> Fraction:
    return Fraction(round(value * CHANCES), CHANCES)


def _money(value: float) -> Fraction:
    return Fraction(value).limit_denominator(1000)


def _error(differences: Floats) -> float:
    """The standard error of a mean."""
    return float(differences.std(ddof=1) / np.sqrt(len(differences)))


def _raise_unless_equal(first: float, second: float) -> None:
    if abs(first - second) > EQUAL:
        raise ArithmeticError(f"the lines and the value of play differ by {first - second}")


def _lines(chances: dict[Outcome, float], found: Measured) -> tuple[Line, ...]:
    """Return the lines, outcomes of one name and result together, with intervals where the sample differs."""
    together: dict[tuple[str, float], float] = {}
    differences: dict[tuple[str, float], Floats] = {}
    for outcome, chance in chances.items():
        key = (outcome.name, outcome.net)
        together[key] = together.get(key, 0.0) + float(_chance(chance))
    for outcome, column in zip(found.outcomes, found.chances.T, strict=True):
        key = (outcome.name, outcome.net)
        differences[key] = differences.get(key, np.zeros(len(column))) + column
    lines = []
    for (name, net), chance in together.items():
        if chance < 0:
            raise UserError(f"par: a sample of {len(found.values)} hands is too small for the line {name!r}")
        within = None
        if (name, net) in differences:
            half = BOUND * _error(differences[name, net])
            within = (max(chance - half, 0.0), chance + half)
        lines.append(Line(name, _money(net), _chance(chance), within=within))
    return merged(lines)


def _intervals(sheet: Sheet, found: Measured) -> dict[str, list[float]]:
    """Return figure -> lowest and highest: the figures as functions of the measured means, to first order."""
    nets = np.array([outcome.net for outcome in found.outcomes])
    put_up = np.array([outcome.put_up for outcome in found.outcomes])
    edge, wager = float(sheet.house_edge), float(sheet.average_wager)
    wagers = found.chances @ put_up
    squares = found.chances @ nets**2
    variance = BOUND * _error(squares + 2 * edge * found.values)

    def around(value: float, differences: Floats) -> list[float]:
        half = BOUND * _error(differences)
        return [value - half, value + half]

    return {
        "house_edge_percent": around(100 * edge, 100 * found.values),
        "average_wager": around(wager, wagers),
        "element_of_risk_percent": around(100 * edge / wager, 100 * (-found.values - edge / wager * wagers) / wager),
        "standard_deviation": [(sheet.variance + side * variance) ** 0.5 for side in (-1, 1)],
        "hit_frequency_percent": around(100 * sheet.hit_frequency, 100 * found.chances @ (nets > 0)),
    }


# --- What nearly exact play ends in


def counted_outcomes(near: Nearly, progress: Progress) -> dict[Outcome, float]:
    """Return the chance of every outcome of nearly exact play; they add up to its value.

    Raises:
        ArithmeticError: they do not.
    """
    terms, hands = near.terms, hand_list()
    chances: dict[Outcome, float] = {}
    weights = hands.weights[:, None] * possible() / (2_598_960 * 47)

    def add(outcome: Outcome, chance: float) -> None:
        if chance:
            chances[outcome] = chances.get(outcome, 0.0) + chance

    add(SURRENDER, float((weights * (near.choices == FOLD)).sum()))
    _add_bets(near, np.where(near.choices == 0, weights, 0.0), add)
    for price in sorted({terms.prices[mask] for mask in terms.prices if mask != SIXTH}):
        masks = [mask for mask in terms.prices if mask != SIXTH and terms.prices[mask] == price]
        _add_exchanges(near, weights, masks, add, progress)
    if SIXTH in terms.prices:
        _add_sixths(near, np.where(near.choices == SIXTH, weights, 0.0), add, progress)
    _raise_unless_equal(sum(outcome.net * chance for outcome, chance in chances.items()), near.total)
    return chances


def _add_bets(near: Nearly, flow: Floats, add: Add) -> None:
    """Add the outcomes of bets at once: ``flow`` says how often each hand meets each open card."""
    hands, five = hand_list(), five_pays(near.terms)
    gathered: Gathered = {}
    for first, end in groups_of(hands.keys):
        key, pay, rows = int(hands.keys[first]), int(five[first]), slice(first, end)
        ends = np.zeros((13, ENDS), np.float64)
        end_bets(
            hands.cards[rows], flow[rows], key, pay, near.bets[rows], near.terms.results, near.terms.bought,
            near.terms.buys, ends,
        )  # fmt: skip
        _gather(gathered, key, pay, ends)
    _add_ends(near.terms, gathered, 0, add)


def _gather(gathered: Gathered, key: int, pay: int, ends: Floats) -> None:
    """Add the ends of one key's hands (rank of the open card x end) to those of its class with the same pay."""
    at = (int(class_table()[key]), pay)
    gathered[at] = gathered.get(at, np.zeros(ENDS)) + ends.sum(axis=0)


def _add_exchanges(near: Nearly, weights: Floats, masks: list[int], add: Add, progress: Progress) -> None:
    """Add the outcomes of exchanges; all these options have one price."""
    hands, five, numbers = hand_list(), five_pays(near.terms), numbers_by_size()
    flows = np.zeros((5, LARGEST, 52), np.float64)
    dead = np.zeros((FIRSTS[-1], 52, 52), np.float64)
    start = 1.0 / (2_598_960 * 47)
    wanted = np.isin(near.choices, masks) & possible()
    for row in np.flatnonzero(wanted.any(axis=1)):
        for mask in np.unique(near.choices[row][wanted[row]]):
            chosen = (wanted[row] & (near.choices[row] == mask)).astype(np.int64)
            flow_of(hands.cards[row], int(mask), chosen, hands.weights[row] * start, numbers, FIRSTS, flows, dead)
    for size in range(1, 5):
        average_alike(size, numbers, int(FIRSTS[size]), dead)
    sweep, ends = Sweep(), np.zeros((13, ENDS), np.float64)
    gathered: Gathered = {}
    for first, end in groups_of(hands.keys):
        key, pay, rows = int(hands.keys[first]), int(five[first]), slice(first, end)
        sweep.move_to(key)
        ends[:] = 0.0
        spread_kept(
            hands.cards[rows], hands.weights[rows], key, pay, near.terms.results, near.terms.bought, near.terms.buys,
            sweep.tables, numbers, flows, dead, FIRSTS, ends,
        )  # fmt: skip
        _gather(gathered, key, pay, ends)
        progress("how exchanges end", end / len(hands.keys))
    _add_ends(near.terms, gathered, masks[0], add)


def _add_sixths(near: Nearly, flows: Floats, add: Add, progress: Progress) -> None:
    """Add the outcomes of hands that buy a sixth card; ``flows`` says how often each does."""
    hands = hand_list()
    keys, codes, classes, pays, duplicate = six_tables(near.terms)
    rows_of, sweep, ends = hand_rows(), Sweep(), np.zeros((MOST_PAY, 13, ENDS), np.float64)
    gathered: Gathered = {}
    for first, end in groups_of(hands.keys):
        key, rows = int(hands.keys[first]), slice(first, end)
        sweep.move_to(key)
        ends[:] = 0.0
        spread_sixth(
            hands.cards[rows], hands.weights[rows], key, keys, codes, classes, pays, duplicate, rows_of,
            near.terms.results, near.terms.bought, near.terms.buys, sweep.tables, flows, ends,
        )  # fmt: skip
        for pay in np.flatnonzero(ends.any(axis=(1, 2))).tolist():
            _gather(gathered, key, pay, ends[pay])
        progress("how sixth cards end", end / len(hands.keys))
    _add_ends(near.terms, gathered, SIXTH, add)


def _add_ends(terms: RussianTerms, gathered: Gathered, option: int, add: Add) -> None:
    """Add the outcomes of what was gathered after an option."""
    for (hand_class, pay), ends in gathered.items():
        for outcome, chance in zip(outcomes_of(terms, option, hand_class, pay), ends.tolist(), strict=True):
            add(outcome, chance)


def _play(near: Nearly, upcards: Array | None = None) -> dict[str, float]:
    """Return how often each action is chosen, in percent of hands."""
    open_cards = possible() if upcards is None else possible() & upcards
    weights = hand_list().weights[:, None] * open_cards
    total = float(weights.sum())
    counts = np.array([0 if mask == SIXTH else int(mask).bit_count() for mask in range(MASKS)])
    drawn = np.where(near.choices > 0, counts[np.maximum(near.choices, 0)], 0)
    shares = {
        "surrender": near.choices == FOLD,
        "bet": near.choices == 0,
        "sixth_card": near.choices == SIXTH,
        **{f"exchange_{count}": drawn == count for count in range(1, 6)},
    }
    return {name: 100 * float((weights * mask).sum()) / total for name, mask in shares.items()}


def _by_rank(near: Nearly, found: Measured) -> list[dict[str, Any]]:
    ranks = []
    for rank in reversed(range(13)):
        upcards = np.arange(52) >> 2 == rank
        weights = hand_list().weights[:, None] * (possible() & upcards)
        differences = found.values[found.upcards >> 2 == rank]
        edge = -100 * (float((near.values * weights).sum() / weights.sum()) + float(differences.mean()))
        half = 100 * BOUND * _error(differences)
        ranks.append(
            {
                "upcard": RANKS[rank],
                "house_edge_percent": edge,
                "house_edge_interval_percent": [edge - half, edge + half],
                "play_percent": _play(near, upcards),
            }
        )
    return ranks


def _blind(near: Nearly) -> dict[str, Any]:
    """Return the odds of a box that always bets, draws nothing and buys no game: exact."""
    hands, five = hand_list(), five_pays(near.terms)
    total = 2_598_960 * 47 * NO_DRAW_DEALS
    unqualified, win, tie = _parts(near.bets)
    lose = (NO_DRAW_DEALS - unqualified - win - tie) * possible()
    mean = square = Fraction(0)
    results = [Fraction(float(result)).limit_denominator(1000) for result in near.terms.results]
    for pay in np.unique(five):
        rows = five == pay
        weights = hands.weights[rows][:, None]
        nets = (results[0], results[1] + 2 * int(pay), results[2], results[3])
        for net, part in zip(nets, (unqualified, win, tie, lose), strict=True):
            chance = Fraction(int((weights * part[rows]).sum()), total)
            mean += chance * net
            square += chance * net**2
    return {
        "house_edge": text(-mean),
        "house_edge_percent": percent(-mean),
        "standard_deviation": float(square - mean**2) ** 0.5,
        "exact": True,
    }
