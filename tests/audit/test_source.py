"""Reading a journal whose terminal goes on: it appends, and moves old rows into segments under the reader's eyes."""

from pathlib import Path

import pytest

from firmware.audit.source import JournalSource
from firmware.entries.types import Commissioned, KeyTurned
from firmware.journal.critical import CriticalMemory, Places
from firmware.journal.errors import DamagedJournalError
from firmware.journal.recovery import open_memory
from firmware.journal.segments import FOLDER
from firmware.journal.sizes import Sizes

SMALL = Sizes(live_rows=200, segment_rows=300)
COUNT = 2_500


def filled(data_dir: Path) -> CriticalMemory:
    memory = open_memory(Places(data_dir), 1_000, sizes=SMALL)
    memory.append([Commissioned("T1", 1, "simulator", "CRD", 2, "0.1.0")], 1_000)
    while memory.head.seq < COUNT:
        memory.append([KeyTurned("operator", is_on=True)] * 50, 1_000)
    return memory


def test_rows_that_are_sealed_while_they_are_read_are_read_from_where_they_went(tmp_path: Path) -> None:
    memory = filled(tmp_path)
    with JournalSource(tmp_path) as source:
        rows = source.rows()
        first = next(rows)
        for _ in range(8):
            memory.tidy()
        memory.append([KeyTurned("operator", is_on=False)], 2_000)
        assert [first.seq, *(row.seq for row in rows)] == list(range(1, source.head.seq + 1))
        assert source.was_sealed_meanwhile() is False  # it has been opened again since
    with JournalSource(tmp_path) as source:
        assert len(source.segments) >= 7
        assert [row.seq for row in source.rows(1_234)] == list(range(1_235, source.head.seq + 1))
        assert str(source.name_of(7)) == "T1/1/7"
    memory.close()


def test_segment_that_is_gone_is_damage_and_no_endless_search(tmp_path: Path) -> None:
    memory = filled(tmp_path)
    for _ in range(3):
        memory.tidy()
    memory.close()
    with JournalSource(tmp_path) as source:
        sorted((tmp_path / FOLDER).iterdir())[1].unlink()
        with pytest.raises(DamagedJournalError):
            list(source.rows())


def test_mirrors_segment_stands_in_for_a_lost_one(tmp_path: Path) -> None:
    memory = filled(tmp_path)
    for _ in range(3):
        memory.tidy()
    memory.close()
    mirror = tmp_path / "mirror"
    (mirror / FOLDER).mkdir(parents=True)
    lost = min((tmp_path / FOLDER).iterdir())
    lost.rename(mirror / FOLDER / lost.name)
    with JournalSource(tmp_path, mirror) as source:
        assert sum(1 for _ in source.rows()) == source.head.seq
