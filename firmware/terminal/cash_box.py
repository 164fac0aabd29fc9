"""What lies in the cash box piece by piece, and the last collection and refill: what a drop is counted against. A pure fold.

Not responsible for amounts owed or for meters (``ledger``), which count the same entries by themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from firmware.entries import types as entry
from firmware.journal.record import Record

_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Collected:
    """A collection: its number, when (wall time), what the books said, and the pieces (``note.500`` to count)."""

    number: int
    at_ms: int
    amount_minor: int
    pieces: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Refilled:
    """A refill of the hopper."""

    number: int
    at_ms: int
    coin_count: int
    amount_minor: int


@dataclass(frozen=True, slots=True)
class CashBox:
    """The pieces in the box since the last collection, by ``note.`` or ``coin.`` and their value in minor units."""

    pieces: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    last_collection: Collected | None = None
    last_refill: Refilled | None = None

    def post(self, records: Sequence[Record]) -> "CashBox":
        """Return the box after these records."""
        box, pieces = self, dict(self.pieces)
        for record in records:
            match record.entry:
                case entry.NoteCredited(_, minor, _):
                    pieces[f"note.{minor}"] = pieces.get(f"note.{minor}", 0) + 1
                case entry.CoinCredited(_, minor, "cash_box"):
                    pieces[f"coin.{minor}"] = pieces.get(f"coin.{minor}", 0) + 1
                case entry.CashBoxCollected(number, minor):
                    box = replace(box, last_collection=Collected(number, record.at_ms, minor, MappingProxyType(pieces)))
                    pieces = {}
                case entry.HopperRefilled(number, count, minor):
                    box = replace(box, last_refill=Refilled(number, record.at_ms, count, minor))
                case _:
                    pass
        return box if pieces == self.pieces and box is self else replace(box, pieces=MappingProxyType(pieces))


def value_of(pieces: Mapping[str, int]) -> int:
    """Return what pieces are worth together, in minor units."""
    return sum(int(name.partition(".")[2]) * count for name, count in pieces.items())
