"""The campaign: random sessions, all their crash states, some with power lost again during recovery, on all cores.

Equal states are counted once, over all processes. Not responsible for the command line (``__main__``).
"""

import json
import multiprocessing
import os
import random
import signal
import tempfile
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, cast

from firmware.app import games_on_offer
from firmware.entries.types import Booted
from firmware.errors import InvariantError
from firmware.journal.critical import Places
from firmware.journal.errors import JournalError
from firmware.journal.record import Record
from firmware.journal.recovery import open_memory
from firmware.memory import load_recorded
from firmware.terminal.evolve import fold
from firmware.terminal.snapshot import tally_of
from tests.crash.disk import DiskFiles, RecordingDisk
from tests.crash.judge import AT_MS, Judge, Violation
from tests.crash.planted import PLANTED, PlantedFault
from tests.crash.session import (
    ALL_PLACES,
    DATA_DIR,
    MIRROR_DIR,
    MarkingJournal,
    Session,
    SessionMemory,
    record_session,
    simulator_settings,
)
from tests.crash.sqlite_vfs import RecordingVfs
from tests.crash.states import USUAL, CrashState, Variety, crash_states

SECOND_CRASH_EVERY = 200
"""One state in so many is recovered on a recording disk, and power is lost again meanwhile."""
PLACES = (ALL_PLACES, ALL_PLACES, Places(DATA_DIR), Places(DATA_DIR, MIRROR_DIR), replace(ALL_PLACES, mirror_dir=None))
MOST_VIOLATIONS = 20
LOOK_UP_S = 0.2
"""So often the parent looks whether it was asked to end."""
PLANTED_SESSIONS = 12
"""So many sessions a planted fault may take to be found."""


@dataclass(slots=True)
class Result:
    """What a campaign found."""

    states: int = 0
    second_crashes: int = 0
    sessions: int = 0
    seconds: float = 0.0
    violations: list[Violation] = field(default_factory=list)
    planted_found: dict[str, bool] = field(default_factory=dict)

    @property
    def is_good(self) -> bool:
        """Tell whether nothing was violated and every planted fault was found."""
        return not self.violations and all(self.planted_found.values())

    def as_json(self) -> str:
        """Return one JSON object."""
        return json.dumps(
            {
                "states": self.states,
                "violations": len(self.violations),
                "states_per_second": round(self.states / self.seconds, 1) if self.seconds else 0,
                "planted_found": self.planted_found,
                "second_crash_states": self.second_crashes,
                "sessions": self.sessions,
                "seconds": round(self.seconds, 1),
                "examples": [str(violation) for violation in self.violations[:MOST_VIOLATIONS]],
            }
        )


@dataclass(frozen=True, slots=True)
class Judged:
    """A session's outcome as a process reports it: fingerprints of the distinct states, and what was wrong."""

    fingerprints: bytes
    second_crashes: int
    violations: tuple[Violation, ...]


class Bench:
    """What one process needs to judge sessions: a recording VFS, the games, and a folder in memory."""

    def __init__(self, name: str) -> None:
        """Register the VFS under a name and make the folder."""
        self.vfs = RecordingVfs(name, RecordingDisk())
        self._scratch = tempfile.TemporaryDirectory(prefix="croupier-crash-", dir=memory_folder())
        self.games = games_on_offer(simulator_settings())

    @property
    def folder(self) -> Path:
        """The folder in which states are laid out."""
        return Path(self._scratch.name)

    def close(self) -> None:
        """Unregister and remove everything."""
        self.vfs.close()
        self._scratch.cleanup()

    def judged(
        self,
        session: Session,
        rng: random.Random,
        *,
        is_over: Callable[[], bool] = lambda: False,
        variety: Variety = USUAL,
        every: int = 1,
        second_every: int = SECOND_CRASH_EVERY,
    ) -> Judged:
        """Judge all states of a session, or one in ``every``, and the states of the recovery of one in so many."""
        judge = Judge(session, self.games, self.folder)
        seen: set[int] = set()
        violations: list[Violation] = []
        second_crashes = 0
        for state in crash_states(session.log, session.initial, rng, variety):
            fingerprint = state.fingerprint()
            if fingerprint in seen or rng.randrange(every):
                continue
            seen.add(fingerprint)
            violation = judge.judge(state)
            if violation is not None:
                violations.append(violation)
            elif rng.randrange(second_every) == 0:
                for again, second in self._second_crashes(session, state, rng, variety):
                    if again in seen:
                        continue
                    seen.add(again)
                    second_crashes += 1
                    if second is not None:
                        violations.append(second)
            if is_over() or len(violations) >= MOST_VIOLATIONS:
                break
        return Judged(array("q", seen).tobytes(), second_crashes, tuple(violations))

    def first_violation(self, session: Session, rng: random.Random) -> Violation | None:
        """Return the first violation of a session, or None."""
        judge = Judge(session, self.games, self.folder)
        seen: set[int] = set()
        for state in crash_states(session.log, session.initial, rng):
            fingerprint = state.fingerprint()
            if fingerprint not in seen:
                seen.add(fingerprint)
                violation = judge.judge(state)
                if violation is not None:
                    return violation
        return None

    def _second_crashes(
        self, session: Session, state: CrashState, rng: random.Random, variety: Variety
    ) -> Iterator[tuple[int, Violation | None]]:
        """Recover a state on a recording disk, lose power at each of the recovery's operations, and judge that."""
        disk = RecordingDisk(state.files)
        self.vfs.disk = disk
        remembered = SessionMemory()
        remembered.ends |= session.ends
        try:
            real = open_memory(session.places, AT_MS, files=DiskFiles(disk), vfs=self.vfs.name, sizes=session.sizes)
            try:
                journal = MarkingJournal(real, disk, remembered)
                recorded = load_recorded(journal)
                booted = Booted(recorded.count("boots") + 1, "recovered", recorded.clean_stop)
                after = fold(recorded, [Record(journal.head.seq + 1, AT_MS, booted, b"")])
                journal.append((booted,), AT_MS, tally_of(after))
            finally:
                real.close()
        except (JournalError, InvariantError) as error:
            yield 0, Violation(session.seed, state.index, state.kind, f"second boot: {error}")
            return
        second = replace(session, ends=frozenset(remembered.ends))
        judge = Judge(second, self.games, self.folder, is_second=True)
        for again in crash_states(disk.log, disk.initial, rng, variety, state.reached):
            violation = judge.judge(again)
            if violation is not None:
                text = f"power lost again at operation {violation.index}, {violation.kind}: {violation.text}"
                violation = Violation(session.seed, state.index, state.kind, text)
            yield again.fingerprint(), violation


def memory_folder() -> str | None:
    """Return a folder in memory where there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def find_planted(
    bench: Bench, fault: PlantedFault, seed: int, is_over: Callable[[], bool] = lambda: False
) -> tuple[Violation, ...]:
    """Look for a planted fault in a few sessions; returns a violation that shows it in each variant, or nothing."""
    found = []
    for places in fault.variants:
        for attempt in range(PLANTED_SESSIONS):
            if is_over():
                return ()
            session = fault.record(bench.vfs, seed + attempt, places)
            violation = bench.first_violation(session, random.Random(seed + attempt))
            if violation is not None:
                found.append(violation)
                break
        else:
            return ()
    return tuple(found)


def run(
    seconds: float,
    seed: int,
    *,
    process_count: int,
    on_states: Callable[[int], None] = lambda _: None,
    is_over: Callable[[], bool] = lambda: False,
) -> Result:
    """Look for the planted faults (some seconds), then judge sessions for so long, in so many processes.

    ``on_states`` is told how many distinct states there are. When ``is_over``, what was found so far is the result.
    """
    result = Result()
    bench = Bench("planted")
    try:
        for fault in PLANTED:
            found = bool(find_planted(bench, fault, seed, is_over))
            if is_over():
                return result
            result.planted_found[fault.name] = found
    finally:
        bench.close()
    began = time.monotonic()
    _judge_in_processes(result, began + seconds, seed, process_count, on_states, is_over)
    result.seconds = time.monotonic() - began
    return result


def _judge_in_processes(
    result: Result,
    end: float,
    seed: int,
    process_count: int,
    on_states: Callable[[int], None],
    is_over: Callable[[], bool],
) -> None:
    seen: set[int] = set()
    context = multiprocessing.get_context("spawn")
    pipes: list[Connection[Any, Any]] = []
    processes = []
    for number in range(process_count):
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(
            target=_judge_sessions, args=(theirs, seed + number, process_count, end - time.monotonic()), daemon=True
        )
        process.start()
        theirs.close()
        pipes.append(ours)
        processes.append(process)
    try:
        while pipes and not is_over():
            for pipe in cast(list["Connection[Any, Any]"], wait(pipes, LOOK_UP_S)):
                try:
                    judged: Judged = pipe.recv()
                except EOFError:
                    pipes.remove(pipe)
                    continue
                fingerprints = array("q")
                fingerprints.frombytes(judged.fingerprints)
                seen.update(fingerprints)
                result.states = len(seen)
                result.sessions += 1
                result.second_crashes += judged.second_crashes
                result.violations += judged.violations
                on_states(result.states)
            if len(result.violations) >= MOST_VIOLATIONS:
                break
    finally:
        for pipe in pipes:
            pipe.close()  # a process that is telling something must not wait for us
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


def _judge_sessions(pipe: "Connection[Any, Any]", first_seed: int, step: int, seconds: float) -> None:
    """Judge sessions until the time is over, the parent says so, or it is gone; the work of one process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its processes
    asked = asked_to_end(signal.SIGTERM)
    parent = multiprocessing.parent_process()
    end = time.monotonic() + seconds

    def is_over() -> bool:
        return asked() or time.monotonic() >= end or (parent is not None and not parent.is_alive())

    bench = Bench(f"process-{os.getpid()}")
    seed = first_seed
    try:
        while not is_over():
            rng = random.Random(seed)
            session = record_session(
                bench.vfs, seed, step_count=rng.randint(4, 16), places=PLACES[rng.randrange(len(PLACES))]
            )
            judged = bench.judged(session, rng, is_over=is_over)
            with suppress(BrokenPipeError):  # nobody is there to hear it
                pipe.send(judged)
            seed += step
    finally:
        bench.close()
        pipe.close()


def asked_to_end(*signals: signal.Signals) -> Callable[[], bool]:
    """Return what tells whether one of the signals has come. They raise nothing: SQLite's callbacks would swallow it."""
    come = threading.Event()
    for number in signals:
        signal.signal(number, lambda *_: come.set())
    return come.is_set
