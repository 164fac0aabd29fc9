"""Power lost while a copy is made anew: whatever was left, the next start ends with the whole journal."""

import random
from collections.abc import Callable, Iterator

import pytest

from firmware.entries.types import MemoryRebuilt
from firmware.journal.clear import clear_memory
from firmware.journal.errors import DamagedJournalError, JournalError
from firmware.journal.recovery import open_memory
from firmware.journal.sizes import Sizes
from tests.crash.campaign import Bench
from tests.crash.disk import DiskFiles, RecordingDisk
from tests.crash.judge import AT_MS, lay_out, placed
from tests.crash.session import ALL_PLACES, Session, record_session
from tests.crash.states import Variety, crash_states

SIZES = Sizes(live_rows=6, segment_rows=4, snapshot_rows=5, checkpoint_commits=3, log_rows=5, log_fill_bytes=2_048)
FEW = Variety(random_count=1, torn_count=1, block_count=1)
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    made = Bench("repairs")
    yield made
    made.close()


@pytest.fixture(scope="module")
def session(bench: Bench) -> Session:
    """A session with sealed segments, several logs and all copies."""
    return record_session(bench.vfs, 21, step_count=9, sizes=SIZES)


def whole_files(session: Session) -> Files:
    """All files at the end of the session, with everything written."""
    return [state.files for state in crash_states(session.log, {}, random.Random(1)) if state.kind == "all"][-1]


def stale_journal(session: Session) -> Files:
    """The database as its storage had it a while ago, and everything else as it is."""
    states = [state for state in crash_states(session.log, {}, random.Random(1)) if state.kind == "none"]
    old = next(s for s in states if s.reached.acked_seq >= len(session.records) * 2 // 3).files
    newest = whole_files(session)
    return {path: data for path, data in newest.items() if not path.startswith("/data/journal")} | {
        path: data for path, data in old.items() if path.startswith("/data/journal")
    }


def without(part: str) -> Callable[[Session], Files]:
    def made(session: Session) -> Files:
        return {path: data for path, data in whole_files(session).items() if part not in path}

    made.__name__ = f"without {part}"
    return made


def broken(part: str) -> Callable[[Session], Files]:
    def made(session: Session) -> Files:
        return {
            path: bytes(range(256)) * (len(data) // 256) if part in path and len(data) >= 256 else data
            for path, data in whole_files(session).items()
        }

    made.__name__ = f"broken {part}"
    return made


@pytest.mark.parametrize(
    "hurt",
    [without("/data/journal"), without("/data/"), broken("/data/journal"), stale_journal, without("/mirror/"),
     broken("/mirror/log"), broken("/anchor/")],
    ids=lambda hurt: hurt.__name__,
)  # fmt: skip
def test_power_lost_while_a_copy_is_made_anew_loses_nothing(
    bench: Bench, session: Session, hurt: Callable[[Session], Files]
) -> None:
    disk = RecordingDisk(hurt(session))
    bench.vfs.disk = disk
    memory = open_memory(ALL_PLACES, AT_MS, files=DiskFiles(disk), vfs=bench.vfs.name, sizes=SIZES)
    assert any(isinstance(record.entry, MemoryRebuilt) for record in memory.records())
    memory.close()
    rng = random.Random(3)
    seen = set()
    for state in crash_states(disk.log, disk.initial, rng, FEW):
        if state.fingerprint() in seen or rng.randrange(3):
            continue
        seen.add(state.fingerprint())
        lay_out(state.files, bench.folder)
        try:
            again = open_memory(placed(ALL_PLACES, bench.folder), AT_MS, sizes=SIZES)
        except JournalError as error:
            raise AssertionError(f"operation {state.index}, {state.kind}: {error}") from error
        kept = [record for record in again.records() if not isinstance(record.entry, MemoryRebuilt)]
        again.close()
        assert tuple(kept) == session.records, (state.index, state.kind)
    assert len(seen) > 10


def test_repair_of_the_mirror_that_power_interrupts_blames_no_other_copy(bench: Bench, session: Session) -> None:
    files = broken("/mirror/log")(session)
    slots = files["/anchor/anchor"]
    counts = [int.from_bytes(slots[place + 8 : place + 16], "little") for place in (0, 4_096)]
    torn = 4_096 * counts.index(max(counts))
    files["/anchor/anchor"] = slots[:torn] + b"\xff" * 512 + slots[torn + 512 :]
    disk = RecordingDisk(files)
    bench.vfs.disk = disk
    open_memory(ALL_PLACES, AT_MS, files=DiskFiles(disk), vfs=bench.vfs.name, sizes=SIZES).close()
    for state in crash_states(disk.log, disk.initial, random.Random(5), FEW):
        lay_out(state.files, bench.folder)
        again = open_memory(placed(ALL_PLACES, bench.folder), AT_MS, sizes=SIZES)
        copies = {record.entry.copy for record in again.records() if isinstance(record.entry, MemoryRebuilt)}
        again.close()
        assert copies == {"mirror"}, (state.index, state.kind)


def test_power_lost_in_a_ram_clear_leaves_the_old_memory_or_one_that_is_cleared_again(
    bench: Bench, session: Session
) -> None:
    disk = RecordingDisk({path: data for path, data in whole_files(session).items() if "/data/segments" not in path})
    files = DiskFiles(disk)
    clear_memory(ALL_PLACES, files)
    assert not any(name.startswith("/mirror/log") for name in disk.names)
    outcomes = set()
    for state in crash_states(disk.log, disk.initial, random.Random(4), FEW):
        lay_out(state.files, bench.folder)
        places = placed(ALL_PLACES, bench.folder)
        places.data_dir.mkdir(exist_ok=True, parents=True)
        try:
            memory = open_memory(places, AT_MS, sizes=SIZES)
            outcomes.add("new" if memory.head.seq == 0 else "old")
            memory.close()
        except DamagedJournalError:
            outcomes.add("locked")
            clear_memory(places)
            memory = open_memory(places, AT_MS, sizes=SIZES)
            assert memory.head.seq == 0
            memory.close()
    assert {"old", "new"} <= outcomes
