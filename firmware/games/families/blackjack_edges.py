"""Blackjack rules that together favour the player, and the options that must be acknowledged then.

An estimate: the return of strict rules, plus what each departure from them is worth, in hundredths of a percent of the
bet. The figures come from best play by exact composition with one split, and are rounded in the player's favour, so
that an edge is rather seen where there is none than overlooked. Not responsible for refusing a profile (``profile``)
nor for exact returns (``maths``).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from firmware.games.families.blackjack_rules import BlackjackRules

_SAFE: Final = -5
"""An estimate up to here (0.05 % for the house) is no edge, allowing for what the sum of single figures leaves out."""

_STRICT: Final[Mapping[int, int]] = {1: -11, 2: -45, 4: -61, 6: -66, 8: -69}
"""By decks: soft 17 stood on, hard 9-11 doubled, no double after split, one split, naturals 3:2, one card on aces."""

_STRICT_EXPOSED: Final[Mapping[int, int]] = {1: -45, 2: -93, 4: -111, 6: -117, 8: -120}
"""The same with both dealer cards up, ties lost and naturals 1:1; one deck is -55, but there doubling is worth more."""


@dataclass(frozen=True, slots=True)
class _Departure:
    """An option other than the strict one, and its worth in an ordinary and in an exposed game."""

    name: str
    holds: Callable[[BlackjackRules], bool]
    worth: int
    worth_exposed: int


_DEPARTURES: Final = (
    _Departure("double_any_two", lambda rules: rules.double == "any_two", 15, 106),
    _Departure("double_after_split", lambda rules: rules.double_after_split, 13, 30),
    _Departure("more_than_one_split", lambda rules: rules.max_hands > 2, 6, 15),
    _Departure("resplit_aces", lambda rules: rules.resplit_aces, 8, 15),
    _Departure("split_aces_played_on", lambda rules: not rules.split_aces_one_card, 19, 20),
    _Departure("late_surrender", lambda rules: rules.surrender == "late", 10, 275),
    _Departure("early_surrender", lambda rules: rules.surrender == "early", 72, 275),
    _Departure("tied_naturals_win", lambda rules: rules.tied_naturals == "win", 33, 22),
    _Departure("ties_push", lambda rules: rules.ties == "push", 0, 760),
    _Departure("naturals_3_to_2", lambda rules: rules.natural_pays == (3, 2), 0, 233),
    _Departure("naturals_6_to_5", lambda rules: rules.natural_pays == (6, 5), -135, 94),
    _Departure("naturals_1_to_1", lambda rules: rules.natural_pays == (1, 1), -226, 0),
    _Departure("ties_lose", lambda rules: rules.ties == "lose", -860, 0),
    _Departure("tied_naturals_lose", lambda rules: rules.tied_naturals == "lose", -17, -15),
    _Departure("dealer_hits_soft_17", lambda rules: rules.soft_17 == "hit", -19, -35),
    _Departure("double_10_11", lambda rules: rules.double == "hard_10_11", -9, 0),
    _Departure("double_11", lambda rules: rules.double == "hard_11", -59, 0),
    _Departure("no_split", lambda rules: rules.max_hands == 1, -36, 0),
    _Departure(
        "dealer_natural_takes_all",
        lambda rules: rules.dealer_natural_takes == "all_bets" and not rules.natural_ends_round,
        -10,
        0,
    ),
)


def player_edges(rules: BlackjackRules) -> Mapping[str, str]:
    """Return name -> reason for each generous option, if the rules together are not safely the house's; else nothing."""
    found = {
        departure.name: departure.worth_exposed if rules.exposed else departure.worth
        for departure in _DEPARTURES
        if departure.holds(rules)
    }
    estimate = (_STRICT_EXPOSED if rules.exposed else _STRICT)[rules.deck_count] + sum(found.values())
    if estimate <= _SAFE:
        return {}
    return {
        name: f"it is worth up to {_percent(worth)} to the player, and these rules together come to {_percent(estimate)}"
        for name, worth in found.items()
        if worth > 0
    }


def _percent(hundredths: int) -> str:
    """Return hundredths of a percent as text, with a sign."""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else '+'}{whole}.{rest:02d} %"
