"""The PAR sheet: what a game returns, line by line, and the figures that follow from the lines.

All chances and results are exact fractions; floats are made only for printing. Not responsible for computing lines
(``poker_sheet``, ``baccarat_sheet``, ``blackjack_sheet``) or for files (``command``).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, Final

BAND_GAMES: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
BAND_NORMAL: Final = 1.959963984540054
"""Of the normal distribution: 95 % lie within so many standard deviations."""
VOLATILITY_NORMAL: Final = 1.6448536269514722
"""The same for 90 %, which is what a volatility index means."""


@dataclass(frozen=True, slots=True)
class Line:
    """One way a round can end. ``net`` is in initial stakes, after all fees; ``combinations`` where they are whole."""

    name: str
    net: Fraction
    probability: Fraction
    combinations: int | None = None
    within: tuple[float, float] | None = None
    """The chance's interval, where it was measured."""

    @property
    def contribution(self) -> Fraction:
        """What the line adds to the player's expected result."""
        return self.net * self.probability

    def as_json(self) -> dict[str, Any]:
        """Return the line as plain JSON values."""
        found: dict[str, Any] = {"name": self.name, "net": plain(self.net)}
        if self.combinations is not None:
            found["combinations"] = self.combinations
        return {
            **found,
            "probability": text(self.probability),
            "probability_percent": percent(self.probability),
            **({} if self.within is None else {"probability_interval_percent": [100 * end for end in self.within]}),
            "contribution_percent": percent(self.contribution),
        }


@dataclass(frozen=True)
class Sheet:
    """One bet's odds under best play. The initial stake (an ante, a bet) is the unit of everything."""

    stake: str
    """Name of the initial stake."""
    lines: tuple[Line, ...]
    average_wager: Fraction
    """All money put up per round: stake, bets, fees, doubles, splits."""
    inexact: tuple[str, ...] = ()
    """What is not exact, one sentence each; empty for a sheet that is exact throughout."""
    method: tuple[str, ...] = ()
    """How it was computed and what is meant, one sentence each."""
    extra_variance: float = 0.0
    """What lines with a mean result leave out of the variance."""
    extra_hits: float = 0.0
    """Chance of a positive result in lines with a mean result, where that mean says otherwise (may be negative)."""
    most: Fraction | None = None
    """The best result of a round, where no line shows it."""
    total_combinations: int | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    """Further parts of the sheet as plain JSON values."""

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of an initial stake on average."""
        return -sum((line.contribution for line in self.lines), Fraction(0))

    @property
    def variance(self) -> float:
        """The variance of one round's result."""
        squares = sum((line.net * line.contribution for line in self.lines), Fraction(0))
        return float(squares - self.house_edge**2) + self.extra_variance

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of one round's result."""
        return sqrt(self.variance)

    @property
    def hit_frequency(self) -> float:
        """The share of rounds with a positive result."""
        return float(sum((line.probability for line in self.lines if line.net > 0), Fraction(0))) + self.extra_hits

    def figures(self) -> dict[str, Any]:
        """Return all figures as plain JSON values."""
        edge, deviation = self.house_edge, self.standard_deviation
        returned = 100 - percent(edge)
        return {
            "stake": self.stake,
            "house_edge": text(edge),
            "house_edge_percent": percent(edge),
            "rtp_percent": returned,
            "element_of_risk_percent": percent(edge / self.average_wager),
            "average_wager": text(self.average_wager),
            "standard_deviation": deviation,
            "variance": self.variance,
            "hit_frequency_percent": 100 * self.hit_frequency,
            "maximum_win": plain(self.most if self.most is not None else max(line.net for line in self.lines)),
            "volatility_index": VOLATILITY_NORMAL * deviation,
            "confidence_band": [_band(returned, deviation, games) for games in BAND_GAMES],
            "lines": [line.as_json() for line in self.lines],
            **({} if self.total_combinations is None else {"total_combinations": self.total_combinations}),
            "exact": list(self.inexact) or True,
            "method": list(self.method),
            **self.extra,
        }


def _band(returned: float, deviation: float, games: int) -> dict[str, float]:
    half = 100 * BAND_NORMAL * deviation / sqrt(games)
    return {"games": games, "low_percent": returned - half, "high_percent": returned + half}


def text(value: Fraction) -> str:
    """Return a fraction as ``numerator/denominator``."""
    return f"{value.numerator}/{value.denominator}"


def plain(value: Fraction) -> int | float:
    """Return a fraction as a JSON number."""
    return int(value) if value.denominator == 1 else float(value)


def percent(value: Fraction) -> float:
    """Return a fraction in percent."""
    return float(100 * value)


def merged(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines that can happen, best result first."""
    return tuple(sorted((line for line in lines if line.probability), key=lambda line: (-line.net, line.name)))
