"""The mirror: frames that are whole or nothing, a torn end that is replaced, damage that is told from a torn end."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.journal.files import OsFiles
from firmware.journal.mirror import SECTOR_BYTES, Mirror, frame_at, frames_of, pack_frame
from firmware.journal.record import ChainError, Head, Row, rows_for
from firmware.journal.sizes import Sizes
from tests.journal.memories import AT_MS, entries_of, quick_folder

SIZES = Sizes(log_rows=6, log_fill_bytes=2_048)
FILES = OsFiles()


def appends(count: int, head: Head = Head()) -> list[tuple[Row, ...]]:  # noqa: B008 - immutable
    made = []
    for number in range(1, count + 1):
        rows = rows_for(entries_of(number), AT_MS + number, head)
        head = Head(rows[-1].seq, rows[-1].link)
        made.append(rows)
    return made


def mirror_of(folder: Path, made: Sequence[Sequence[Row]]) -> Mirror:
    mirror = Mirror(folder, FILES, SIZES)
    for rows in made:
        mirror.append(rows)
    return mirror


def log_file(folder: Path, number: int = -1) -> Path:
    return sorted(folder.glob("log-*"))[number]


@given(st.integers(1, 12), st.integers(0, 3))
def test_frame_of_any_rows_comes_back_and_fills_whole_sectors(count: int, before: int) -> None:
    head = Head(before, bytes([before]) * 32)
    rows = [row for made in appends(count, head) for row in made]
    data = pack_frame(rows, head)
    assert len(data) % SECTOR_BYTES == 0
    frame = frame_at(data, 0)
    assert frame is not None
    assert (frame.before, frame.after, frame.byte_count) == (head, Head(rows[-1].seq, rows[-1].link), len(data))
    assert list(frame.rows()) == rows


@given(st.data())
def test_frame_with_any_byte_changed_is_no_frame(data: st.DataObject) -> None:
    rows = appends(3)[2]
    frame = bytearray(pack_frame(rows, Head(rows[0].seq - 1)))
    used = len(bytes(frame).rstrip(b"\0"))
    place = data.draw(st.integers(0, used - 1))
    frame[place] ^= data.draw(st.integers(1, 255))
    assert frame_at(bytes(frame), 0) is None


def test_frame_that_was_forged_with_its_checksum_does_not_fit_the_chain() -> None:
    rows = appends(3)[2]
    forged = [replace(row, body=row.body.replace("500", "900")) for row in rows]
    frame = frame_at(pack_frame(forged, Head(rows[0].seq - 1)), 0)
    assert frame is not None
    with pytest.raises(ChainError, match="were changed"):
        list(frame.rows())


@given(st.binary(max_size=2_000))
def test_garbage_is_no_frame(data: bytes) -> None:
    assert frames_of(data) == ([], False)


def test_rows_come_back_over_several_logs(tmp_path: Path) -> None:
    made = appends(20)
    mirror_of(tmp_path, made)
    again = Mirror(tmp_path, FILES, SIZES)
    assert list(again.rows()) == [row for rows in made for row in rows]
    assert (again.head.seq, again.damage) == (made[-1][-1].seq, "")
    assert len(again.logs()) > 2


def test_append_goes_on_where_the_last_opening_ended(tmp_path: Path) -> None:
    made = appends(20)
    for start in range(0, 20, 3):
        mirror = Mirror(tmp_path, FILES, SIZES)
        for rows in made[start : start + 3]:
            mirror.append(rows)
    assert list(Mirror(tmp_path, FILES, SIZES).rows()) == [row for rows in made for row in rows]


def test_frame_that_was_cut_short_is_forgotten_and_replaced() -> None:
    made = appends(3)
    whole = sum(len(pack_frame(rows, Head(rows[0].seq - 1))) for rows in made)
    for kept in range(0, whole, 64):
        with quick_folder() as folder:
            mirror_of(folder, made)
            path = log_file(folder)
            data = path.read_bytes()
            path.write_bytes(data[:kept] + bytes(len(data) - kept))
            mirror = Mirror(folder, FILES, SIZES)
            assert mirror.damage == ""
            done = [rows for rows in made if rows[-1].seq <= mirror.head.seq]
            assert list(mirror.rows()) == [row for rows in done for row in rows]
            for rows in made[len(done) :]:
                mirror.append(rows)
            assert list(Mirror(folder, FILES, SIZES).rows()) == [row for rows in made for row in rows]


def test_damage_before_the_end_is_not_taken_for_a_torn_end(tmp_path: Path) -> None:
    mirror_of(tmp_path, appends(3))
    path = log_file(tmp_path)
    data = bytearray(path.read_bytes())
    data[SECTOR_BYTES + 100] ^= 1
    path.write_bytes(data)
    mirror = Mirror(tmp_path, FILES, SIZES)
    assert "damaged behind 1 frames" in mirror.damage
    with pytest.raises(ChainError, match="damaged behind 1 frames"):
        list(mirror.rows())


def test_log_that_is_gone_is_noticed(tmp_path: Path) -> None:
    mirror_of(tmp_path, appends(20))
    log_file(tmp_path, 1).unlink()
    with pytest.raises(ChainError, match="entry 7 is missing"):
        list(Mirror(tmp_path, FILES, SIZES).rows())


def test_new_log_without_a_frame_does_not_hide_the_end(tmp_path: Path) -> None:
    mirror = mirror_of(tmp_path, appends(4))
    (tmp_path / "log-000000000007.bin").write_bytes(bytes(2_048))
    again = Mirror(tmp_path, FILES, SIZES)
    assert again.head == mirror.head
    assert again.damage == ""


@settings(max_examples=20)
@given(st.integers(0, 29), st.booleans())
def test_mirror_knows_every_end_it_ever_had_and_no_other(seq: int, is_right: bool) -> None:
    made = appends(20)
    heads = [Head(), *(Head(row.seq, row.link) for rows in made for row in rows)]
    with quick_folder() as folder:
        mirror = mirror_of(folder, made)
        head = heads[min(seq, len(heads) - 1)]
        asked = head if is_right else Head(head.seq or 1, b"\1" * 32)
        assert mirror.holds(asked) == is_right


def test_mirror_that_was_never_written_makes_no_folder(tmp_path: Path) -> None:
    mirror = Mirror(tmp_path / "mirror", FILES)
    assert mirror.is_empty
    assert not (tmp_path / "mirror").exists()
