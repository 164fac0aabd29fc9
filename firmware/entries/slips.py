"""Entries about slips on paper. They move no money. Rules as in ``types``: a field never changes its meaning.

A slip that was ordered and of which nothing else is recorded has no proof: the power went while it was printed.
"""

from dataclasses import dataclass
from typing import ClassVar

from firmware.entries.types import Entry


@dataclass(frozen=True, slots=True)
class SlipOrdered(Entry):
    """A slip about ``amount_minor`` that an attendant has to pay is to be printed; never again under the same id."""

    KIND: ClassVar[str] = "slip_ordered"
    slip_id: str
    amount_minor: int

    def unique_keys(self) -> tuple[str, ...]:
        """A slip is ordered once."""
        return (f"slip:{self.slip_id}",)


@dataclass(frozen=True, slots=True)
class SlipProved(Entry):
    """The printer has said after the slip's last byte that all is well."""

    KIND: ClassVar[str] = "slip_proved"
    slip_id: str

    def unique_keys(self) -> tuple[str, ...]:
        """A slip ends once."""
        return (f"slip:{self.slip_id}:end",)


@dataclass(frozen=True, slots=True)
class SlipUnproved(Entry):
    """There is no proof of the slip; with ``may_exist`` some of it may be on paper, and a person must look."""

    KIND: ClassVar[str] = "slip_unproved"
    slip_id: str
    reason: str
    may_exist: bool

    def unique_keys(self) -> tuple[str, ...]:
        """A slip ends once."""
        return (f"slip:{self.slip_id}:end",)


@dataclass(frozen=True, slots=True)
class ReportSlipOrdered(Entry):
    """A report (of a collection, a refill, a period) is to be printed on paper for somebody of ``level``. Proof, or that
    there is none, follows as for every slip."""

    KIND: ClassVar[str] = "report_slip_ordered"
    slip_id: str
    report: str
    level: str

    def unique_keys(self) -> tuple[str, ...]:
        """A slip is ordered once."""
        return (f"slip:{self.slip_id}",)


SLIP_TYPES: tuple[type[Entry], ...] = (SlipOrdered, SlipProved, SlipUnproved, ReportSlipOrdered)
