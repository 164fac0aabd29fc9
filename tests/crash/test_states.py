"""The generator of crash states itself: what may be found after a power cut, and what may not."""

import random
from pathlib import Path

from tests.crash.disk import DiskFiles, Mark, RecordingDisk
from tests.crash.states import BLOCK_BYTES, SECTOR_BYTES, CrashState, Variety, crash_states

OLD, NEW = b"o" * 2_000, b"n" * 2_000


def states_of(disk: RecordingDisk, **variety: int) -> list[CrashState]:
    return list(crash_states(disk.log, disk.initial, random.Random(1), Variety(**{"random_count": 60, **variety})))


def found(states: list[CrashState], path: str) -> set[bytes | None]:
    return {state.files.get(path) for state in states}


def test_synced_data_is_there_in_every_later_state() -> None:
    disk = RecordingDisk({"/d/a": OLD})
    inode = disk.names["/d/a"]
    disk.write(inode, 0, NEW)
    disk.sync(inode)
    last = len(disk.log) - 1
    assert found([state for state in states_of(disk) if state.index == last], "/d/a") == {NEW}


def test_unsynced_write_is_there_wholly_partly_or_not_at_all() -> None:
    disk = RecordingDisk({"/d/a": OLD})
    disk.write(disk.names["/d/a"], 0, NEW)
    states = [state for state in states_of(disk) if state.kind in ("all", "none", "random", "newest")]
    contents = found(states, "/d/a")
    assert {OLD, NEW} < contents
    for content in contents:
        assert content is not None
        for start in range(0, len(content), SECTOR_BYTES):
            assert len(set(content[start : start + SECTOR_BYTES])) == 1, "a sector is old or new"


def test_newest_write_may_arrive_before_an_older_one() -> None:
    disk = RecordingDisk({"/d/a": bytes(1_024)})
    disk.write(disk.names["/d/a"], 0, b"1" * 512)
    disk.write(disk.names["/d/a"], 512, b"2" * 512)
    assert bytes(512) + b"2" * 512 in found([s for s in states_of(disk) if s.kind == "newest"], "/d/a")


def test_torn_sector_spoils_what_was_under_the_write_and_nothing_else() -> None:
    disk = RecordingDisk({"/d/a": OLD * 10})
    disk.write(disk.names["/d/a"], 1_000, b"n" * 100)
    for unit, kind in ((SECTOR_BYTES, "torn"), (BLOCK_BYTES, "block")):
        spoiled = {
            state.files["/d/a"] for state in states_of(disk, torn_count=20, block_count=20) if state.kind == kind
        }
        assert len(spoiled) > 1
        for content in spoiled:
            touched = {place // unit for place, byte in enumerate(content) if byte not in b"on"}
            assert touched <= {1_000 // unit, 1_099 // unit}


def test_new_name_is_only_sure_after_its_folder_was_synced() -> None:
    disk = RecordingDisk()
    inode = disk.create("/d/a")
    disk.write(inode, 0, NEW)
    disk.sync(inode)
    assert found([s for s in states_of(disk) if s.index == 2], "/d/a") == {None, NEW}
    disk.sync_folder("/d")
    assert found([s for s in states_of(disk) if s.index == 3], "/d/a") == {NEW}


def test_rename_is_one_step_and_the_old_file_survives_until_it_is_synced() -> None:
    disk = RecordingDisk({"/d/a": OLD})
    files = DiskFiles(disk)
    files.replace(Path("/d/a"), NEW)
    contents = [(state.files["/d/a"], state.index) for state in states_of(disk)]
    assert {content for content, _ in contents} == {OLD, NEW}
    assert {content for content, index in contents if index == len(disk.log) - 1} == {NEW}


def test_file_that_is_removed_and_made_again_is_another_file() -> None:
    disk = RecordingDisk({"/d/a": OLD})
    disk.remove("/d/a")
    inode = disk.create("/d/a")
    disk.write(inode, 0, NEW)
    states = [state for state in states_of(disk) if state.kind not in ("torn", "block")]
    contents = found(states, "/d/a")
    assert {OLD, None, b"", NEW} <= contents
    assert not any({*b"on"} <= {*(content or b"")} for content in contents)


def test_marks_tell_what_had_been_promised_when_the_power_went() -> None:
    disk = RecordingDisk({"/d/a": OLD})
    disk.mark(Mark("attempt", 3))
    disk.write(disk.names["/d/a"], 0, NEW)
    disk.mark(Mark("ack", 3))
    disk.mark(Mark("effect", key="note:1"))
    reached = {state.index: state.reached for state in states_of(disk)}
    assert [(r.attempted_seq, r.acked_seq, r.effects) for r in reached.values()] == [
        (3, 0, ()),
        (3, 0, ()),
        (3, 3, ()),
        (3, 3, ("note:1",)),
    ]


def test_equal_states_have_equal_fingerprints_and_promises_tell_them_apart() -> None:
    disk = RecordingDisk({"/d/a": OLD})
    disk.write(disk.names["/d/a"], 0, NEW)
    disk.mark(Mark("ack", 1))
    states = states_of(disk)
    by_kind = {(state.index, state.kind): state.fingerprint() for state in states}
    assert by_kind[0, "all"] != by_kind[0, "none"]
    assert by_kind[0, "all"] != by_kind[1, "all"]
    again = {(state.index, state.kind): state.fingerprint() for state in states_of(disk)}
    assert again == by_kind
