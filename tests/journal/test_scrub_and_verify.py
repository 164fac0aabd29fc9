"""Looking through everything: what rots in old parts is found, mended from the good copy, and told."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.entries.types import Entry, MemoryRebuilt
from firmware.journal.critical import CriticalMemory, Places
from firmware.journal.errors import DamagedJournalError
from firmware.journal.record import Record
from firmware.journal.schema import FILE_NAME
from firmware.journal.segments import FOLDER
from firmware.journal.verify import Verified, verify_memory
from tests.journal.memories import fill, opened, places_in
from tests.journal.test_segments import seal_all
from tests.journal.test_store import forge


def flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 4
    path.write_bytes(data)


def look_through(memory: CriticalMemory) -> list[Entry]:
    """Tidy until everything was looked at twice, recording what was mended as the terminal does."""
    mended: list[Entry] = []
    for _ in range(120):
        found = memory.tidy()
        if found:
            memory.append(found, 0)
        mended += found
    return mended


def own_segment(places: Places) -> Path:
    return sorted((places.data_dir / FOLDER).iterdir())[1]


def mirrored_segment(places: Places) -> Path:
    return sorted(((places.mirror_dir or Path()) / FOLDER).iterdir())[1]


def old_log(places: Places) -> Path:
    return min((places.mirror_dir or Path()).glob("log-*"))


@pytest.mark.parametrize(
    ("part", "copy"), [(own_segment, "journal"), (mirrored_segment, "mirror"), (old_log, "mirror")]
)
@pytest.mark.parametrize("is_gone", [False, True])
def test_old_part_that_rots_is_mended_from_the_other_copy(
    tmp_path: Path, part: Callable[[Places], Path], copy: str, is_gone: bool
) -> None:
    places = places_in(tmp_path)
    seal_all(places, 24)
    path = part(places)
    good = path.read_bytes()
    if is_gone:
        path.unlink()
    else:
        flip(path, 60)
    assert problems(places)
    with opened(places) as memory:
        mended = look_through(memory)
        told = [record.entry.copy for record in memory.records() if isinstance(record.entry, MemoryRebuilt)]
        assert told == [copy]
        assert len(mended) <= 1
        assert look_through(memory) == []
    assert problems(places) == ()
    if copy == "journal":
        assert path.read_bytes() == good


def test_old_part_of_which_there_is_no_good_copy_stops_the_memory(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    seal_all(places, 24)
    flip(own_segment(places), 60)
    flip(mirrored_segment(places), 61)
    with opened(places) as memory, pytest.raises(DamagedJournalError, match="no good copy"):
        look_through(memory)


def test_row_that_changes_while_the_memory_is_open_is_noticed(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    with opened(places) as memory:
        fill(memory, 8)
        forge(places.data_dir, "UPDATE entry SET at_ms = at_ms + 1 WHERE seq = 2")
        with pytest.raises(DamagedJournalError, match="entry 2"):
            look_through(memory)


def problems(places: Places) -> tuple[str, ...]:
    return verify_memory(places).problems


def test_whole_memory_has_no_problems_and_every_record_is_shown_in_order(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    seal_all(places)
    shown: list[Record] = []
    progress: list[tuple[int, int]] = []
    verified = verify_memory(places, on_record=shown.append, on_progress=lambda *step: progress.append(step))
    with opened(places) as memory:
        assert shown == list(memory.records())
        count = memory.head.seq
    assert verified == Verified(count, 8, verified.anchored, ())
    assert verified.anchored is not None
    assert verified.anchored.head.seq == count
    assert progress[-1] == (count, count)


def test_verifying_writes_nothing(tmp_path: Path) -> None:
    places = Places(tmp_path / "data", tmp_path / "mirror", tmp_path / "anchor")
    seal_all(Places(places.data_dir))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert problems(places) == (
        f"mirror: ends at entry 0, the journal at {verify_memory(places).entry_count}",
        f"anchor: {places.anchor_file} is missing",
    )
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_memory_can_be_verified_beside_a_running_terminal(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    with opened(places) as memory:
        fill(memory, 9)
        assert problems(places) == ()
        fill(memory, 1, 10)
        assert problems(places) == ()


def break_anchor(places: Places) -> None:
    flip(places.anchor_file or Path(), 0)
    flip(places.anchor_file or Path(), 4_096)


@pytest.mark.parametrize(
    ("hurt", "words"),
    [
        (lambda places: flip(own_segment(places), 50), "segment 000000000005-000000000008.gz is damaged"),
        (lambda places: flip(mirrored_segment(places), 50), "segments/000000000005-000000000008.gz"),
        (lambda places: flip(old_log(places), 100), "mirror: "),
        (break_anchor, "both slots are damaged"),
        (lambda places: places.anchor_file.unlink(), "is missing"),
        (
            lambda places: forge(places.data_dir, "DELETE FROM unique_key WHERE seq = 1"),
            "its key commissioned is missing",
        ),
        (lambda places: forge(places.data_dir, "INSERT INTO unique_key VALUES ('x', 2)"), "1 unique keys more"),
        (lambda places: forge(places.data_dir, "UPDATE entry SET body = '{}' WHERE seq = 33"), "entry 33"),
    ],
)
def test_every_damage_is_told(tmp_path: Path, hurt: Callable[[Places], None], words: str) -> None:
    places = places_in(tmp_path)
    seal_all(places)
    hurt(places)
    assert any(words in problem for problem in problems(places)), problems(places)


def test_damaged_database_is_told_or_refused(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    seal_all(places)
    path = places.data_dir / FILE_NAME
    data = path.read_bytes()
    path.write_bytes(data[:8_192] + bytes(4_096) + data[12_288:])
    try:
        told = problems(places)
    except DamagedJournalError as error:
        told = (str(error),)
    assert told
