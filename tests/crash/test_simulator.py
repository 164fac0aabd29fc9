"""Power cuts on the unchanged program: a quick run of the simulator, and the command of the long one."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

from firmware.journal.critical import Places
from firmware.journal.errors import JournalError, MemoryLockUpError
from firmware.journal.recovery import open_memory
from tests.crash.campaign import PLACES, Bench
from tests.crash.disk import Mark, Name, Sync
from tests.crash.judge import AT_MS, lay_out, placed
from tests.crash.session import ALL_PLACES, ANCHOR_FILE, DATA_DIR, ROOT, Session, record_session
from tests.crash.states import Variety, crash_states

QUICK = Variety(random_count=1, torn_count=1, block_count=1)
EVERY = 4
"""One state in so many is judged here; the campaign judges all."""


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    made = Bench("quick")
    yield made
    made.close()


@pytest.mark.parametrize("seed", [101, 102, 103])
def test_power_cut_at_any_moment_loses_nothing_and_invents_nothing(bench: Bench, seed: int) -> None:
    session = record_session(bench.vfs, seed, step_count=8, places=PLACES[seed % len(PLACES)])
    assert len(session.records) > 8
    judged = bench.judged(session, random.Random(seed), variety=QUICK, every=EVERY, second_every=40)
    assert [str(violation) for violation in judged.violations] == []
    assert judged.second_crashes > 0
    assert len(judged.fingerprints) // 8 > 150


def test_equal_seeds_record_equal_sessions(bench: Bench) -> None:
    first, second = (record_session(bench.vfs, 7, step_count=5) for _ in range(2))
    assert first.log == second.log
    assert first.records == second.records


def test_each_append_is_on_the_journal_then_on_the_mirror_then_on_the_anchor(bench: Bench) -> None:
    session = record_session(bench.vfs, 7, step_count=5)
    names = {operation.inode: operation.path for operation in session.log if isinstance(operation, Name)}
    orders = set()
    order: list[str] = []
    for operation in session.log:
        if isinstance(operation, Mark) and operation.kind == "attempt":
            order = []
        elif isinstance(operation, Sync):
            medium = names[operation.inode].split("/")[1]
            order += [medium] if order[-1:] != [medium] else []
        elif isinstance(operation, Mark) and operation.kind == "ack":
            orders.add(tuple(order[:3]))
    assert orders == {("data", "mirror", "anchor")}


@pytest.mark.parametrize("places", [ALL_PLACES, Places(DATA_DIR, anchor_file=ANCHOR_FILE), Places(DATA_DIR)])
def test_storage_that_lost_what_it_had_flushed_is_noticed_wherever_there_is_another_copy(
    bench: Bench, places: Places
) -> None:
    session = record_session(bench.vfs, 104, step_count=8, places=places)
    whole = len(session.records)
    outcomes = {outcome(bench, session, files, whole) for files in stale_journals(session)}
    if places == Places(DATA_DIR):
        assert "silently lost" in outcomes, "a journal alone can't know"
    else:
        assert outcomes <= ({"mended"} if places.mirror_dir else {"locked"})


def stale_journals(session: Session) -> Iterator[dict[str, bytes]]:
    """The journal as it was on the medium at some earlier moments, beside the newest mirror and anchor."""
    states = [state for state in crash_states(session.log, {}, random.Random(1)) if state.kind == "none"]
    newest = states[-1].files
    last = states[-1].reached.acked_seq
    for state in states[::25]:
        if state.reached.acked_seq > 0 and state.reached.attempted_seq < last - 2:
            journal = {path: data for path, data in state.files.items() if path.startswith("/data/")}
            yield {path: data for path, data in newest.items() if not path.startswith("/data/")} | journal


def outcome(bench: Bench, session: Session, files: dict[str, bytes], whole: int) -> str:
    lay_out(files, bench.folder)
    try:
        memory = open_memory(placed(session.places, bench.folder), AT_MS, sizes=session.sizes)
    except MemoryLockUpError:
        return "locked"
    except JournalError as error:
        return str(error)
    count = memory.head.seq
    memory.close()
    return "mended" if count > whole else "silently lost"


def test_campaign_as_a_command_finds_every_planted_fault_and_nothing_else() -> None:
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "firmware",
            "crashtest",
            "--minutes",
            "0.03",
            "--processes",
            "1",
            "--seed",
            "1",
            "--json",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(ended.stdout)
    assert (ended.returncode, report["violations"], report["examples"]) == (0, 0, [])
    assert all(report["planted_found"].values())
    assert len(report["planted_found"]) == 7
    assert report["states"] > 0
    assert report["states_per_second"] > 0


@pytest.mark.parametrize("arguments", [["--minutes", "0"], ["--minutes", "-1"], ["--processes", "0"]])
def test_impossible_numbers_are_refused_in_one_line(arguments: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "firmware", "crashtest", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert arguments[0] in ended.stderr
