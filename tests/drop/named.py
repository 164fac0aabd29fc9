"""How much a terminal itself says that it could not count: the faults that name a difference, as numbers.

A byte-level device that loses its power forgets what it had not told; where it has a counter of its own the fault says by
how much it differs, where it has none how much it may be. Pure. Not responsible for what was found by counting.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firmware.entries.types import Entry, FaultRaised

_COUNTERS: Final = {"C6": "coins", "B9": "notes", "H7": "hopper"}
_COUNTED: Final = re.compile(r"the device counted (\d+), the journal (\d+)")
_PAY_OUT: Final = re.compile(r"asked (\d+), at least (\d+) coins left")
_LOST: Final = re.compile(r"(\d+) events were not seen")


@dataclass(frozen=True)
class Span:
    """A number of pieces, between these two."""

    least: int = 0
    most: int = 0

    def __add__(self, other: "Span") -> "Span":
        return Span(self.least + other.least, self.most + other.most)

    def holds(self, count: int) -> bool:
        """Tell whether a number lies in it."""
        return self.least <= count <= self.most


@dataclass(frozen=True)
class Named:
    """Pieces that came in (notes, coins) or left (hopper) and that the journal does not have."""

    notes: Span = Span()
    coins: Span = Span()
    hopper: Span = Span()


def named_in(entries: Iterable[Entry]) -> Named:
    """Return what the faults among entries say."""
    spans = {"notes": Span(), "coins": Span(), "hopper": Span()}
    before = ""
    for fault in (each for each in entries if isinstance(each, FaultRaised)):
        counted, pay_out, unseen = (find.search(fault.detail) for find in (_COUNTED, _PAY_OUT, _LOST))
        if fault.code in _COUNTERS and counted is not None:
            more = int(counted[1]) - int(counted[2])
            spans[_COUNTERS[fault.code]] += Span(more, more)
        elif fault.code == "H4" and pay_out is not None:
            spans["hopper"] += Span(0, int(pay_out[1]) - int(pay_out[2]))
        elif fault.code == "B4":
            spans["notes"] += Span(0, 1)
        elif fault.code == "C3" and unseen is not None and before != "C6":  # else the counter has told it exactly
            spans["coins"] += Span(0, int(unseen[1]))
        before = fault.code
    return Named(**spans)
