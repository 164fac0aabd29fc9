"""Return against theory: what a game paid, what its PAR sheet says, and the band in which chance leaves it. Pure.

The band takes every round as staked alike, which is how PAR sheets print it; with uneven stakes the true one is wider.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

from display.view_model import Text
from firmware.terminal.menu import Theory

NORMAL: Final = 1.959963984540054
"""Of the normal distribution: 95 % lie within so many standard deviations."""


@dataclass(frozen=True, slots=True)
class Return:
    """Of one game: stakes and what came back in minor units, rounds; percentages in hundredths, None where unknown."""

    staked_minor: int
    returned_minor: int
    round_count: int
    theory_bp: int | None = None
    low_bp: int | None = None
    high_bp: int | None = None

    @property
    def actual_bp(self) -> int | None:
        """What came back of all stakes, in hundredths of a percent."""
        return 10_000 * self.returned_minor // self.staked_minor if self.staked_minor else None

    @property
    def is_strange(self) -> bool:
        """Tell whether the return lies outside the band; by chance alone one in twenty does."""
        actual = self.actual_bp
        if actual is None or self.low_bp is None or self.high_bp is None:
            return False
        return not self.low_bp <= actual <= self.high_bp


def return_of(staked_minor: int, returned_minor: int, round_count: int, theory: Theory | None) -> Return:
    """Return the figures of a game."""
    if theory is None or not round_count:
        expected = None if theory is None else theory.return_ppm // 100
        return Return(staked_minor, returned_minor, round_count, expected)
    half = NORMAL * theory.deviation_ppm / 100 / sqrt(round_count)
    middle = theory.return_ppm / 100
    return Return(
        staked_minor, returned_minor, round_count, round(middle), max(round(middle - half), 0), round(middle + half)
    )


def mixed(theories: Mapping[str, Theory], staked_minor: Mapping[str, int]) -> Theory | None:
    """Return the theory of several games together, weighted by their stakes; None when one of them has no sheet."""
    total = sum(staked_minor.values())
    if not total or any(game not in theories for game, minor in staked_minor.items() if minor):
        return None
    parts = [(theories[game], minor / total) for game, minor in staked_minor.items() if minor]
    mean = sum(theory.return_ppm * share for theory, share in parts)
    variance = sum(theory.deviation_ppm**2 * share for theory, share in parts)
    return Theory(round(mean), round(sqrt(variance)))


def percent(bp: int | None) -> Text | str:
    """Return hundredths of a percent as ``97.35 %``, with the decimal mark of the language; a dash for None."""
    if bp is None:
        return "–"
    whole = f"{'-' if bp < 0 else ''}{abs(bp) // 100}"
    return Text("menu", "{whole}.{part} %", (("whole", whole), ("part", f"{abs(bp) % 100:02d}")))
