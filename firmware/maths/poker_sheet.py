"""Caribbean and Oasis Poker as sheets: lines by class, draw and outcome, Oasis by open card, blind box, jackpot.

Not responsible for finding best play (``draw_poker``) or for Russian Poker (``russian_sheet``).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from firmware.cards.card import RANKS
from firmware.cards.poker_rank import HandClass, class_of
from firmware.errors import UserError
from firmware.games.families.dealer_poker.checks import jackpot_return
from firmware.games.families.dealer_poker.profile import DealerPokerProfile, JackpotProfile
from firmware.maths.checkpoint import Checkpoint
from firmware.maths.draw_choice import BET, DENOMINATOR, FOLD, ONE, TWO
from firmware.maths.draw_passes import NO_DRAW_DEALS
from firmware.maths.draw_poker import HALF, OUTCOMES, Solution, Terms, solve, weighted_sum
from firmware.maths.hand_codes import hand_list
from firmware.maths.progress import Progress
from firmware.maths.sheet import Line, Sheet, merged, percent, text
from firmware.maths.sweep import FIELD, FIELD_BITS

STARTS: Final = 2_598_960 * 47
"""Hands of five cards, each with every open card of the dealer."""
SUIT_NOTE: Final = (
    "Suits decide ties (0.0016 % of deals): each counts as half a win and half a loss, which is exact for play that does not "
    "look at suits for the sake of ties; looking can add at most the ties' share."
)
OTHER_BOXES: Final = (
    "The sheet is that of a box whose player knows only its own cards and the dealer's open card. A second open box knows the "
    "first one's cards too, which can only help it and is not counted. The blind box's figures are exact, whatever the "
    "other boxes do."
)
MANY_CARDS_NOTE: Final = (
    "Exchanges of more than two cards are left out, so the player's return is at least what is said."
)


_FOUND: dict[Terms, Solution] = {}


def terms_of(profile: DealerPokerProfile) -> Terms:
    """Return what decides the odds.

    Raises:
        UserError: an option whose odds are not computed.
    """
    if profile.after_draw != "free_choice":
        raise UserError("par: after_draw: found 'must_improve', odds are computed for 'free_choice' only")
    if profile.max_win_minor is not None:
        raise UserError("par: max_win_minor: found a cap, odds are computed without one only")
    ante = Fraction(int(profile.ante_paid_when_dealer_qualifies))
    if profile.suit_priority == "highest_card":
        tie = None
    else:
        tie = Fraction(0 if profile.equal_hands == "push" else -3)
    prices = [profile.exchange_tariff.get(count) for count in (1, 2)]
    pays = tuple(profile.pays.get(hand_class.label, 0) for hand_class in HandClass)
    return Terms(pays, int(ante), tie, *prices)


def solution(terms: Terms, progress: Progress, *, reuse: bool = False) -> Solution:
    """Return best play; partial results are kept only where there are draws, for all else takes seconds.

    What was found last stays in memory, for the pages of best play and the simulation ask again.
    """
    draws = terms.one_price is not None or terms.two_price is not None
    if terms not in _FOUND:
        found = solve(terms, progress, Checkpoint(f"draw poker {terms!r}") if draws else None, reuse=reuse)
        while len(_FOUND) > 1:
            _FOUND.pop(next(iter(_FOUND)))
        _FOUND[terms] = found
    return _FOUND[terms]


@dataclass(frozen=True)
class _Counted:
    """Deals by class, draw (0, 1, 2 cards) and outcome, of ``total``."""

    deals: dict[tuple[HandClass, int, str], int]
    total: int


def make_sheet(profile: DealerPokerProfile, terms: Terms, solution: Solution) -> Sheet:
    """Return the sheet of best play that has been found."""
    counted = _counted(solution)
    lines = []
    prices = (Fraction(0), terms.one_price or Fraction(0), terms.two_price or Fraction(0))
    by_name: dict[tuple[str, Fraction], int] = {}
    for (hand_class, draw, outcome), count in counted.deals.items():
        for name, net, deals in _named(terms, hand_class, outcome, count):
            full = name + ("" if draw == 0 else f" after exchange of {draw}")
            key = (full, net - prices[draw])
            by_name[key] = by_name.get(key, 0) + deals
    for (name, net), count in by_name.items():
        lines.append(Line(name, net, Fraction(count, counted.total), count))
    wager = sum(
        (
            Fraction(count, counted.total) * (1 + prices[draw] + (0 if outcome == "fold" else 2))
            for (_, draw, outcome), count in counted.deals.items()
        ),
        Fraction(0),
    )
    notes = [SUIT_NOTE] if terms.tie is None else []
    if any(count > 2 for count in profile.exchange_tariff):
        notes.append(MANY_CARDS_NOTE)
    extra: dict[str, Any] = {
        "play_percent": _play(solution, np.ones(52, np.bool_)),
        "by_upcard": [_by_rank(solution, rank) for rank in reversed(range(13))],
    }
    if profile.blind_box != "none":
        extra["blind_box"] = _blind(terms, solution)
    if profile.jackpot is not None:
        extra["jackpot"] = jackpot_figures(profile.jackpot)
    method = [
        f"All {counted.total:,} deals: hands, open card, drawn cards, the dealer's other four cards.",
        OTHER_BOXES,
    ]
    if solution.pair_candidates:
        method.append(
            "Exchanges of two cards were counted in full wherever an exact upper bound did not already show them to be no better."
        )
    found = Sheet(
        "ante", merged(lines), wager, tuple(notes), tuple(method), total_combinations=counted.total, extra=extra
    )
    if found.house_edge != -solution.total_value:
        raise ArithmeticError("lines and values of best play disagree")
    return found


def _counted(solution: Solution) -> _Counted:
    """Bring bets, folds and draws to one number of deals: the least in which all are whole."""
    drawn = [int(solution.draw_ends[:, :, draw].sum()) > 0 for draw in (0, 1)]
    factor = 1722 if drawn[1] else 42 if drawn[0] else 1
    deals: dict[tuple[HandClass, int, str], int] = {}

    def add(hand_class: HandClass, draw: int, outcome: str, count: int) -> None:
        key = (hand_class, draw, outcome)
        deals[key] = deals.get(key, 0) + count

    hands = hand_list()
    classes = np.array([class_of(int(key)) for key in hands.keys])
    for hand_class in HandClass:
        rows = np.flatnonzero(classes == hand_class)
        weights = hands.weights[rows, None]
        chosen = solution.choices[rows]
        bets = (chosen == BET) & (solution.bets[rows] != 0)
        packed = solution.bets[rows]
        parts = [packed & FIELD, (packed >> FIELD_BITS) & FIELD, (packed >> 2 * FIELD_BITS) & FIELD]
        parts.append(NO_DRAW_DEALS - parts[0] - parts[1] - parts[2])
        for outcome, part in zip(OUTCOMES, parts, strict=False):
            add(hand_class, 0, outcome, factor * int((weights * part * bets).sum()))
        folds = ((chosen == FOLD) & _open(hands.cards[rows])) * weights
        add(hand_class, 0, "fold", factor * NO_DRAW_DEALS * int(folds.sum()))
        for draw, share in ((1, factor // 42), (2, factor // 861)):
            for index, outcome in enumerate(OUTCOMES):
                count = int(solution.draw_ends[hand_class, :, draw - 1, index].sum())
                add(hand_class, draw, outcome, count * share)
    total = STARTS * NO_DRAW_DEALS * factor
    if sum(deals.values()) != total:
        raise ArithmeticError("the deals do not add up")
    return _Counted({key: count for key, count in deals.items() if count}, total)


def _open(cards: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return hand x card: whether the card can be the dealer's."""
    found: np.ndarray[Any, np.dtype[np.bool_]] = ~(cards[:, :, None] == np.arange(52)).any(axis=1)
    return found


def _named(terms: Terms, hand_class: HandClass, outcome: str, count: int) -> list[tuple[str, Fraction, int]]:
    """Return name, net result before fees and deals of an outcome's lines."""
    unqualified, win, tie, lose = (Fraction(value, HALF) for value in terms.results(hand_class))
    if outcome == "win":
        return [(f"win, {hand_class.label}", win, count)]
    if outcome == "push" and terms.tie is None:
        half, rest = divmod(count, 2)
        if rest:
            raise ArithmeticError("an odd number of ties")
        return [
            (f"tie won by suit, {hand_class.label}", win, half),
            (f"tie lost by suit, {hand_class.label}", lose, half),
        ]
    return [(outcome, {"no_qualify": unqualified, "push": tie, "lose": lose, "fold": Fraction(-1)}[outcome], count)]


def _play(solution: Solution, upcards: np.ndarray[Any, np.dtype[np.bool_]]) -> dict[str, float]:
    """Return how often each action is best against some open cards, in percent of all hands."""
    hands = hand_list()
    possible = _open(hands.cards) & upcards
    weights = hands.weights[:, None] * possible
    total = int(weights.sum())
    chosen = solution.choices
    shares = {
        "fold": chosen == FOLD,
        "bet": chosen == BET,
        "exchange_1": (chosen >= ONE) & (chosen < TWO),
        "exchange_2": chosen >= TWO,
    }
    found = {name: 100 * int((weights * mask).sum()) / total for name, mask in shares.items()}
    return {name: share for name, share in found.items() if share or name in ("fold", "bet")}


def _by_rank(solution: Solution, rank: int) -> dict[str, Any]:
    hands = hand_list()
    upcards = np.arange(52) >> 2 == rank
    weights = hands.weights[:, None] * (_open(hands.cards) & upcards)
    total = weighted_sum(solution.values, weights)
    value = Fraction(total, int(weights.sum()) * DENOMINATOR * solution.scale * HALF)
    return {
        "upcard": RANKS[rank],
        "house_edge": text(-value),
        "house_edge_percent": percent(-value),
        "play_percent": _play(solution, upcards),
    }


def _blind(terms: Terms, solution: Solution) -> dict[str, Any]:
    """Return the odds of a box that always bets and sees nothing."""
    hands = hand_list()
    mean = square = Fraction(0)
    total = STARTS * NO_DRAW_DEALS
    classes = np.array([class_of(int(key)) for key in hands.keys])
    for index in range(len(HandClass)):
        rows = np.flatnonzero(classes == index)
        packed = solution.bets[rows]
        parts = [packed & FIELD, (packed >> FIELD_BITS) & FIELD, (packed >> 2 * FIELD_BITS) & FIELD]
        parts.append((NO_DRAW_DEALS - parts[0] - parts[1] - parts[2]) * _open(hands.cards[rows]))
        for result, part in zip(terms.results(HandClass(index)), parts, strict=True):
            chance = Fraction(int((hands.weights[rows, None] * part).sum()), total)
            mean += chance * Fraction(result, HALF)
            square += chance * Fraction(result, HALF) ** 2
    return {
        "house_edge": text(-mean),
        "house_edge_percent": percent(-mean),
        "standard_deviation": float(square - mean**2) ** 0.5,
        "exact": True,
    }


def jackpot_figures(jackpot: JackpotProfile) -> dict[str, Any]:
    """Return the side bet's return as a function of the meter: ``fixed + per_unit * meter``, meter in stakes."""
    fixed = jackpot_return(jackpot, 0)
    slope = jackpot_return(jackpot, jackpot.unit_minor) - fixed
    found: dict[str, Any] = {
        "fixed_return": text(fixed),
        "return_per_unit_of_meter": text(slope),
        "return_percent_at_seed": percent(jackpot_return(jackpot, jackpot.seed_minor)),
        "return_percent_at_cap": percent(jackpot_return(jackpot, jackpot.cap_minor)),
        "prizes_at_one_box": "a round's prizes are worked out on the meter as it stood when the round began",
        "exact": True,
    }
    if slope:
        even = (1 - fixed) / slope
        found["break_even_meter_units"] = text(even)
        found["break_even_meter_minor"] = float(even * jackpot.unit_minor)
    if jackpot.judged_on != "dealt":
        found["exact"] = ["The figures are for the dealt hand; this table judges the final one."]
    return found
