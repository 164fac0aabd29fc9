"""The judge: boots the real program on a crash state and says what is not as it must be.

Under storage that keeps what it has synced, whatever the moment: the memory opens by itself; nothing that was promised
is lost; nothing is there that was not tried; an append is there whole or not at all; what was caused in the world is
recorded; SQLite finds its file sound; the entries give the same state (money, cards, meters, self-audit) as they gave in
the session; no copy is found to be damaged, except the mirror's newest block; and the terminal goes on from there.
"""

import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from firmware.app import Seams, build_terminal
from firmware.clock import ManualClock
from firmware.entries.types import Booted, Entry, MemoryRebuilt, NoteIntended
from firmware.errors import InvariantError
from firmware.games.contract import Decision
from firmware.journal.critical import CriticalMemory, Places
from firmware.journal.errors import JournalError
from firmware.journal.record import Head, Record
from firmware.journal.recovery import open_memory
from firmware.memory import load_recorded
from firmware.rng.seeded import SeededSource
from firmware.terminal.evolve import fold, revive
from firmware.terminal.snapshot import tally_of
from firmware.terminal.state import Games, Recorded, Screen
from hal.simulated.world import World
from tests.crash.money import money_of
from tests.crash.session import Session, simulator_settings
from tests.crash.states import CrashState

AT_MS = 1_800_000_000_000
"""Wall time of the boots after a crash."""
WHOLE = ("all", "none", "newest")
"""Kinds of states in which no sector is half written: no copy may be found damaged."""
LIVE_ROWS = 4
"""Fewer than any session leaves in the database when it seals old rows."""


@dataclass(frozen=True, slots=True)
class Violation:
    """What was wrong, and the state that shows it again."""

    seed: int
    index: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"seed {self.seed}, operation {self.index}, {self.kind}: {self.text}"


class _WrongError(Exception):
    """What is not as it must be; the text says it."""


class Judge:
    """Judges the states of one session, on files in a folder of its own (best in memory)."""

    def __init__(self, session: Session, games: Games, folder: Path, *, is_second: bool = False) -> None:
        """``is_second``: the session is the recovery from another state, which may have hurt the mirror."""
        self._session, self._games, self._folder = session, games, folder
        self._is_second = is_second
        self._known: dict[Head, Recorded] = {}

    def judge(self, state: CrashState) -> Violation | None:
        """Boot on a state; returns what is wrong, or None."""
        try:
            self.boot(state)
        except _WrongError as error:
            return Violation(self._session.seed, state.index, state.kind, str(error))
        return None

    def boot(self, state: CrashState) -> None:
        """Open the memory that a state leaves and look at it; raises the judge's own error.

        The first time that a journal is found to end at some entry, the whole terminal is started on the state as well.
        Equal ends mean equal entries, and the terminal is made of them alone.
        """
        lay_out(state.files, self._folder)
        places = placed(self._session.places, self._folder)
        try:
            memory = open_memory(places, AT_MS, sizes=self._session.sizes)
        except JournalError as error:
            raise _WrongError(f"refused: {error}") from error
        try:
            expected = self._look_at(memory, state)
        except (JournalError, InvariantError, sqlite3.Error) as error:
            raise _WrongError(f"{type(error).__name__}: {error}") from error
        finally:
            memory.close()
        if expected is not None:
            lay_out(state.files, self._folder)
            self._start_terminal(places, expected)

    def _look_at(self, memory: CriticalMemory, state: CrashState) -> Recorded | None:
        """Return what the terminal must find when this end was not seen before, else None."""
        records = list(memory.records())
        _check_repairs(records, mirror_may_suffer=state.kind not in WHOLE or self._is_second)
        kept = [record for record in records if not isinstance(record.entry, MemoryRebuilt)]
        head = Head(kept[-1].seq, kept[-1].link) if kept else Head()
        reached = state.reached
        if head.seq < reached.acked_seq:
            raise _WrongError(f"lost: ends at {head.seq}, {reached.acked_seq} was promised")
        if head not in self._session.ends or head.seq > reached.attempted_seq:
            raise _WrongError(f"torn or invented: ends at {head.seq}, {reached.attempted_seq} was tried")
        if memory.anchored is not None and memory.anchored.head.seq < reached.acked_seq:
            raise _WrongError(f"anchor behind: at {memory.anchored.head.seq}, {reached.acked_seq} was promised")
        _check_effects(reached.effects, kept)
        known = [record for record in kept if record.entry.KEEPS_KEYS] + kept[-LIVE_ROWS:]
        if not all(memory.is_recorded(key) for record in known for key in record.entry.unique_keys()):
            raise _WrongError("a unique key is missing")
        memory.check_structure()
        recorded = load_recorded(memory)
        is_new = head not in self._known
        expected = self._expected(head, kept)
        if len(kept) < len(records):  # a rebuilt mirror is a fault of its own
            expected = fold(Recorded(), records)
        if replace(recorded, last_at_ms=0) != replace(expected, last_at_ms=0):
            raise _WrongError("another state than in the session")
        booted = Booted(recorded.count("boots") + 1, "crash", recorded.clean_stop)
        after = fold(recorded, [Record(memory.head.seq + 1, AT_MS, booted, b"")])
        memory.append((booted,), AT_MS, tally_of(after))
        return expected if is_new and expected.commissioned is not None else None

    def _start_terminal(self, places: Places, expected: Recorded) -> None:
        """Start the whole terminal, devices and screen too, and compare the player's money and cards."""
        settings = simulator_settings()
        storage = settings.storage.model_copy(
            update={"data_dir": places.data_dir, "mirror_dir": places.mirror_dir, "anchor_file": places.anchor_file}
        )

        def open_journal(_: Places, at_ms: int) -> CriticalMemory:
            return open_memory(places, at_ms, sizes=self._session.sizes)

        seams = Seams(ManualClock(AT_MS), SeededSource(1), World().devices, open_journal=open_journal)
        terminal = build_terminal(settings.model_copy(update={"storage": storage}), seams, self._games)
        try:
            terminal.start(lambda _: None)
            state, view = terminal.state, terminal.view()
            cards = revive(expected, Screen(), self._games)
            if state.screen.lock_up is not None:
                raise _WrongError(f"locked up: {state.screen.lock_up.detail}")
            if (view.credit_minor, state.live, state.last) != (expected.credit_minor, cards.live, cards.last):
                raise _WrongError("the screen shows another credit or other cards")
        finally:
            terminal.abandon()

    def _expected(self, head: Head, kept: list[Record]) -> Recorded:
        """Return the state that belongs to a journal's end: equal links mean equal entries, so it is folded once."""
        if head not in self._known:
            recorded = fold(Recorded(), kept)
            if recorded.credit_minor != money_of([record.entry for record in kept]):
                raise _WrongError(f"credit {recorded.credit_minor}, not {money_of([r.entry for r in kept])}")
            live = revive(recorded, Screen(), self._games).live
            if live is not None and not isinstance(live.node, Decision):
                raise _WrongError(f"round {live.opened.round_id} is over but not settled")
            self._known[head] = recorded
        return self._known[head]


def lay_out(files: dict[str, bytes], folder: Path) -> None:
    """Make a folder hold exactly these files; plain calls, because this happens a million times."""
    root = str(folder)
    for place, _, names in os.walk(root):
        for name in names:
            os.remove(f"{place}/{name}")  # noqa: PTH107
    for path, data in files.items():
        target = root + path
        try:
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT)
        except FileNotFoundError:
            Path(target).parent.mkdir(parents=True)
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT)
        os.write(descriptor, data)
        os.close(descriptor)


def placed(places: Places, folder: Path) -> Places:
    """Return a session's places under a folder."""

    def under(path: Path | None) -> Path | None:
        return folder / str(path).lstrip("/") if path is not None else None

    return Places(folder / str(places.data_dir).lstrip("/"), under(places.mirror_dir), under(places.anchor_file))


def _check_repairs(records: list[Record], *, mirror_may_suffer: bool) -> None:
    for record in records:
        if isinstance(record.entry, MemoryRebuilt) and not (mirror_may_suffer and record.entry.copy == "mirror"):
            raise _WrongError(f"false alarm: {record.entry.copy} was made anew: {record.entry.detail}")


def _check_effects(effects: tuple[str, ...], kept: list[Record]) -> None:
    missing = set(effects) - {key for record in kept for key in _keys(record.entry)}
    if missing:
        raise _WrongError(f"effect without entry: {', '.join(sorted(missing))}")


def _keys(entry: Entry) -> Iterator[str]:
    yield from entry.unique_keys()
    if isinstance(entry, NoteIntended):
        yield f"intent:{entry.escrow_id}"
