"""Old rows in sealed segments: everything still reads, keys of the outer world still count once, damage is noticed."""

import gzip
import shutil
from pathlib import Path

import pytest

from firmware.journal.critical import Places
from firmware.journal.errors import DamagedJournalError, DuplicateEntryError
from firmware.journal.files import OsFiles
from firmware.journal.record import ChainError, Head, Row, rows_for
from firmware.journal.schema import FILE_NAME
from firmware.journal.segments import FOLDER, SegmentFiles, describe, pack
from firmware.journal.store import open_store
from tests.journal.memories import AT_MS, FIRST, entries_of, fill, opened, places_in


def rows(count: int) -> tuple[Row, ...]:
    return rows_for([entry for number in range(count) for entry in entries_of(number)], AT_MS, Head())


def seal_all(places: Places, count: int = 30) -> list[str]:
    """Record so many appends, seal what can be sealed, and return the names of the segments."""
    with opened(places) as memory:
        memory.append((FIRST,), AT_MS)
        fill(memory, count)
        for _ in range(count):
            assert memory.tidy() == (), "sealing leaves nothing to mend"
    return sorted(path.name for path in (places.data_dir / FOLDER).iterdir())


def test_segment_is_text_that_anybody_can_read_and_comes_back_as_it_was() -> None:
    made = rows(10)
    segment, data = pack(made, Head())
    lines = gzip.decompress(data).decode().split("\n")
    assert lines[1].split("\t")[:3] == ["1", str(AT_MS), "coin_credited/1"]
    assert describe(data, Head()) == (segment, made)


def test_segment_at_the_wrong_place_in_the_chain_is_refused() -> None:
    made = rows(10)
    segment, data = pack(made[4:], Head(4, made[3].link))
    assert describe(data, Head(4, made[3].link)) == (segment, made[4:])
    for before in (Head(), Head(4, bytes(32)), Head(5, made[4].link)):
        with pytest.raises(ChainError):
            describe(data, before)


def test_segment_with_any_byte_changed_is_refused(tmp_path: Path) -> None:
    made = rows(10)
    segment, data = pack(made, Head())
    files = SegmentFiles(tmp_path, OsFiles())
    files.write(segment, data)
    assert tuple(files.rows(segment, Head())) == made
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 0x40
        files.path(segment).write_bytes(changed)
        for read in (lambda: files.rows(segment, Head()), lambda: files.lines(segment)):
            with pytest.raises(ChainError, match="checksum"):
                tuple(read())
    for length in range(0, len(data), 7):
        with pytest.raises(ChainError):
            describe(data[:length], Head())


def test_rows_leave_the_database_for_segments_and_still_read_in_order(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    names = seal_all(places)
    assert names[:2] == ["000000000001-000000000004.gz", "000000000005-000000000008.gz"]
    with opened(places) as memory:
        records = list(memory.records())
        assert [record.seq for record in records] == list(range(1, memory.head.seq + 1))
        for after in (0, 3, 4, 5, 9, memory.head.seq - 1, memory.head.seq):
            assert list(memory.records(after)) == records[after:]
        live = memory._copies.store._connection
        assert live is not None
        assert live.execute("SELECT count(*) FROM entry").fetchone()[0] < 6 + 4


def test_same_segments_lie_beside_the_mirror_and_its_logs_shrink(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    names = seal_all(places)
    assert places.mirror_dir is not None
    for name in names:
        mirrored = places.mirror_dir / FOLDER / name
        assert mirrored.read_bytes() == (places.data_dir / FOLDER / name).read_bytes()
    first = min(places.mirror_dir.glob("log-*")).name
    assert int(first.removeprefix("log-").removesuffix(".bin")) > 1


def test_money_of_a_sealed_entry_still_counts_only_once(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    seal_all(places)
    with opened(places) as memory:
        for number in (1, 4, 5, 8):
            entries = entries_of(number)
            assert memory.is_recorded(entries[0].unique_keys()[0])
            with pytest.raises(DuplicateEntryError):
                memory.append(entries, AT_MS)
        with pytest.raises(DuplicateEntryError):
            memory.append((FIRST,), AT_MS)


def test_keys_that_the_journal_numbers_itself_leave_with_their_rows(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    seal_all(places)
    with opened(places) as memory:
        assert not memory.is_recorded("round:r1-2:open")
        assert memory.is_recorded("round:r1-30:open")
        assert memory._copies.store.key_count(memory.head.seq) < 30


def test_damaged_segment_is_noticed_when_it_is_read_and_read_from_the_mirror_where_there_is_one(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    path = places.data_dir / FOLDER / seal_all(places)[0]
    path.write_bytes(path.read_bytes()[:-9] + bytes(9))
    with opened(places) as memory:
        assert len(list(memory.records())) == memory.head.seq
    reader = open_store(places.data_dir, read_only=True)
    with pytest.raises(DamagedJournalError, match="checksum"):
        list(reader.records())
    assert next(reader.records(after_seq=8)).seq == 9
    reader.close()


def test_folder_without_its_database_is_a_lost_journal(tmp_path: Path) -> None:
    places = Places(tmp_path)
    seal_all(places)
    (tmp_path / FILE_NAME).unlink()
    with pytest.raises(DamagedJournalError, match="missing, though parts"), opened(places):
        pass


def test_file_of_a_sealing_that_power_interrupted_is_in_nobodys_way(tmp_path: Path) -> None:
    places = Places(tmp_path)
    seal_all(places, 13)
    names = sorted(path.name for path in (tmp_path / FOLDER).iterdir())
    last = names[-1]
    shutil.copy(tmp_path / FOLDER / last, tmp_path / "kept")
    with opened(places) as memory:
        fill(memory, 8, 40)
        next_name = f"{int(last[13:25]) + 1:012d}-{int(last[13:25]) + 4:012d}.gz"
        (tmp_path / FOLDER / next_name).write_bytes(b"half a segment")
        memory.tidy()
        assert len(list(memory.records())) == memory.head.seq
