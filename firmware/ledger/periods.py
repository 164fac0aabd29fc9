"""Periods: the same meters since the last closing, beside the master meters that nothing ever resets.

A period's figure is the master meter less what it was when the period began, modulo the roll-over; so closing a period
is one entry, and nothing can be half reset. Not responsible for who may close one (``terminal``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from firmware.entries.keeping import PeriodClosed
from firmware.errors import InvariantError
from firmware.ledger.meters import ROLL_OVER, SINCE_METERS

HISTORY_LENGTH: Final = 24
_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Period:
    """A period that is closed: when it began and ended (wall time), who closed it, and its meters that moved."""

    number: int
    began_ms: int
    ended_ms: int
    by: str
    meters: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Periods:
    """The period that runs (its number, beginning, and the master meters then) and the last ones before it."""

    number: int = 1
    began_ms: int = 0
    baseline: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    history: tuple[Period, ...] = ()

    def meters(self, master: Mapping[str, int]) -> dict[str, int]:
        """Return the running period's meters, given the master meters; those at zero are left out."""
        moved = {name: (value - self.baseline.get(name, 0)) % ROLL_OVER for name, value in master.items()}
        return {name: value for name, value in moved.items() if value and name not in SINCE_METERS}

    def closed(self, entry: PeriodClosed, at_ms: int, master: Mapping[str, int]) -> "Periods":
        """Return the periods after a closing. Raises InvariantError when another period than the running one closes."""
        if entry.number != self.number:
            raise InvariantError(f"period {entry.number} is closed while period {self.number} runs")
        ended = Period(self.number, self.began_ms, at_ms, entry.by, self.meters(master))
        return Periods(self.number + 1, at_ms, dict(master), (*self.history, ended)[-HISTORY_LENGTH:])
