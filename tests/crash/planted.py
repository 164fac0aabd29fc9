"""Planted faults: mistakes that a program could make, each of which the simulator must find, or it proves nothing.

Each is planted around or under the unchanged program. Not responsible for the campaign that looks for them.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import cast
from unittest.mock import patch

from firmware.entries.types import Entry
from firmware.journal.anchor import Anchor
from firmware.journal.critical import CriticalMemory, Places
from firmware.journal.record import Head, Record, Tally, rows_for
from firmware.loop import Terminal
from firmware.memory import Journal
from firmware.terminal.state import State
from firmware.terminal.step import Step
from tests.crash.disk import RecordingDisk
from tests.crash.session import ALL_PLACES, DATA_DIR, Session, Wrap, record_session
from tests.crash.sqlite_vfs import RecordingVfs
from tests.support.journal import JournalProxy


@dataclass(frozen=True, slots=True)
class PlantedFault:
    """A mistake: its name, what wraps the journal, what is patched while the session is played, and with which copies
    it must be found (other copies may repair what the journal alone would lose)."""

    name: str
    wrap: Wrap = lambda journal, _: journal
    patched: Callable[[], AbstractContextManager[object]] = nullcontext
    ignores_psow: bool = False
    variants: tuple[Places, ...] = (ALL_PLACES,)

    def record(self, vfs: RecordingVfs, seed: int, places: Places) -> Session:
        """Record a session with the mistake in it."""
        vfs.ignores_psow = self.ignores_psow
        try:
            with self.patched():
                return record_session(vfs, seed, places=places, wrap=self.wrap)
        finally:
            vfs.ignores_psow = False


def _critical(journal: Journal) -> CriticalMemory:
    return cast(CriticalMemory, journal)


def _with_synchronous(level: str) -> Wrap:
    def wrap(journal: Journal, _: RecordingDisk) -> Journal:
        connection = _critical(journal)._copies.store._connection
        if connection is not None:
            connection.execute(f"PRAGMA synchronous={level}")
        return journal

    return wrap


class _SplitAppends(JournalProxy):
    """What belongs together is recorded one entry at a time."""

    def append(self, entries: Sequence[Entry], at_ms: int, tally: Tally | None = None) -> tuple[Record, ...]:
        return tuple(record for entry in entries for record in self.real.append((entry,), at_ms, tally))


class _MirrorFirst(JournalProxy):
    """The mirror is written before the journal's commit."""

    def append(self, entries: Sequence[Entry], at_ms: int, tally: Tally | None = None) -> tuple[Record, ...]:
        copies = _critical(self.real)._copies
        rows = rows_for(entries, at_ms, copies.store.head)
        if copies.mirror is not None:
            copies.mirror.append(rows)
        copies.store.append(entries, at_ms)
        if copies.anchor is not None:
            copies.anchor.write(copies.store.head, tally or Tally())
        copies.store.checkpoint()
        return tuple(Record(row.seq, at_ms, entry, row.link) for row, entry in zip(rows, entries, strict=True))


class _OneSlotAnchor(Anchor):
    """The anchor is written in one slot, over what it remembers."""

    def write(self, head: Head, tally: Tally) -> None:
        self._counts[0] = 0
        super().write(head, tally)


def _with_one_slot(journal: Journal, _: RecordingDisk) -> Journal:
    anchor = _critical(journal)._copies.anchor
    if anchor is not None:
        anchor.__class__ = _OneSlotAnchor
    return journal


class _EffectsFirst(Terminal):
    """Effects are performed before what causes them is recorded."""

    def _recorded(self, step: Step) -> State:
        for effect in step.effects:
            self._perform(effect)
        return super()._recorded(step)


_WITH_AND_WITHOUT_COPIES = (ALL_PLACES, Places(DATA_DIR))

PLANTED: tuple[PlantedFault, ...] = (
    PlantedFault("synchronous=OFF", _with_synchronous("OFF"), variants=_WITH_AND_WITHOUT_COPIES),
    PlantedFault("WAL NORMAL", _with_synchronous("NORMAL"), variants=_WITH_AND_WITHOUT_COPIES),
    PlantedFault("default psow with torn sectors", ignores_psow=True, variants=_WITH_AND_WITHOUT_COPIES),
    PlantedFault("credit and event in two transactions", lambda journal, _: _SplitAppends(journal)),
    PlantedFault("effect before commit", patched=lambda: patch("firmware.app.Terminal", _EffectsFirst)),
    PlantedFault("mirror written first", lambda journal, _: _MirrorFirst(journal)),
    PlantedFault("anchor in one slot", _with_one_slot),
)
