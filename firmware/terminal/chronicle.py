"""The chronicle: the newest entries of each class, and takings by the hour, kept beside the books. A pure fold.

It lets a terminal with a million rounds show its lists and graphs at once. Rounds are not in it; the whole journal is
read by the audit. Not responsible for words (``firmware.audit``) or for days (they need a time zone).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from firmware.entries import keeping, service, slips
from firmware.entries import menu as menu_entry
from firmware.entries import types as entry
from firmware.entries.codec import encode, kind_of
from firmware.journal.record import Record, Row

HOUR_MS: Final = 3_600_000
HOURS_KEPT: Final = 24 * 62
_NOTHING: Final[Mapping[str, tuple["Kept", ...]]] = MappingProxyType({})

LENGTHS: Final = {
    "payout": 300,
    "money": 100,
    "power": 100,
    "door": 200,
    "fault": 200,
    "setting": 100,
    "cash": 100,
    "menu": 200,
    "service": 100,
}
"""How many entries of each class are kept."""

_CLASSES: Final[dict[type[entry.Entry], str]] = {
    entry.CashOutStarted: "payout",
    entry.HopperFinished: "payout",
    entry.HandpayCleared: "payout",
    entry.NoteCredited: "money",
    entry.NoteReturned: "money",
    entry.NoteUnresolved: "money",
    keeping.NoteRejected: "money",
    entry.CoinCredited: "money",
    entry.Commissioned: "power",
    entry.Booted: "power",
    entry.Stopped: "power",
    entry.MemoryRebuilt: "power",
    entry.DoorMoved: "door",
    entry.KeyTurned: "door",
    entry.FaultRaised: "fault",
    entry.FaultCleared: "fault",
    keeping.SettingChanged: "setting",
    keeping.ProgramReplaced: "power",
    keeping.PeriodClosed: "cash",
    entry.HopperRefilled: "cash",
    entry.CashBoxCollected: "cash",
    slips.ReportSlipOrdered: "cash",
    **dict.fromkeys(menu_entry.MENU_TYPES, "menu"),
    **dict.fromkeys(service.SERVICE_TYPES, "service"),
    service.CoinTested: "money",
}


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry that is kept, as text: its number, wall time, kind and body."""

    seq: int
    at_ms: int
    kind: str
    body: str


@dataclass(frozen=True, slots=True)
class Hour:
    """What one hour (counted from 1970, UTC) saw: money in and out, play, and faults."""

    number: int
    money_in_minor: int = 0
    money_out_minor: int = 0
    wagered_minor: int = 0
    returned_minor: int = 0
    round_count: int = 0
    fault_count: int = 0


@dataclass(frozen=True, slots=True)
class Chronicle:
    """The newest entries by class, oldest first, and the last hours in which something happened."""

    kept: Mapping[str, tuple[Kept, ...]] = field(default_factory=lambda: _NOTHING)
    hours: tuple[Hour, ...] = ()

    def post(self, records: Sequence[Record]) -> "Chronicle":
        """Return the chronicle after these records."""
        new: dict[str, list[Kept]] = {}
        hours = list(self.hours[-1:])
        for record in records:
            name = _CLASSES.get(type(record.entry))
            if name is not None:
                new.setdefault(name, []).append(
                    Kept(record.seq, record.at_ms, kind_of(record.entry), encode(record.entry))
                )
            counted = _HOURLY.get(type(record.entry))
            if counted is not None:
                _count(hours, record, counted(record.entry))
        kept = self.kept
        if new:
            added = {name: (*kept.get(name, ()), *entries)[-LENGTHS[name] :] for name, entries in new.items()}
            kept = MappingProxyType({**kept, **added})
        if hours == list(self.hours[-1:]):
            return self if kept is self.kept else replace(self, kept=kept)
        return Chronicle(kept, (*self.hours[:-1], *hours)[-HOURS_KEPT:])

    def records(self, *names: str) -> tuple[Record, ...]:
        """Return the kept entries of these classes, all by default, as records in their order (without links)."""
        found = [kept for name in names or LENGTHS for kept in self.kept.get(name, ())]
        return tuple(_record(kept) for kept in sorted(found, key=lambda kept: kept.seq))


@lru_cache(maxsize=4_096)
def _record(kept: Kept) -> Record:
    return Row(kept.seq, kept.at_ms, kept.kind, kept.body, b"").record()


def _count(hours: list[Hour], record: Record, counted: tuple[tuple[str, int], ...]) -> None:
    """Add to the hour of a record; a clock that was set back never opens an earlier hour again."""
    number = record.at_ms // HOUR_MS
    if not hours or number > hours[-1].number:
        hours.append(Hour(number))
    hour = hours[-1]
    hours[-1] = replace(hour, **{name: getattr(hour, name) + amount for name, amount in counted})


def _money_in(e: entry.NoteCredited | entry.CoinCredited) -> tuple[tuple[str, int], ...]:
    return (("money_in_minor", e.amount_minor),)


_HOURLY: Final[dict[type[entry.Entry], Any]] = {
    entry.NoteCredited: _money_in,
    entry.CoinCredited: _money_in,
    entry.CashOutStarted: lambda e: (("money_out_minor", e.amount_minor),),
    entry.RoundSettled: lambda e: (
        ("wagered_minor", e.staked_minor),
        ("returned_minor", e.paid_minor),
        ("round_count", 1),
    ),
    entry.FaultRaised: lambda _: (("fault_count", 1),),
}
