"""One copy of the journal: what it promises, and what nobody can do to it."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from firmware.entries.types import Commissioned, Entry, NoteCredited, Stopped
from firmware.journal.errors import (
    CommitUnknownError,
    DamagedJournalError,
    DuplicateEntryError,
    StoreUnavailableError,
)
from firmware.journal.record import GENESIS_LINK, Head, chain_link
from firmware.journal.schema import FILE_NAME
from firmware.journal.sizes import Sizes
from firmware.journal.store import JournalStore, make_store, open_store
from tests.journal.memories import AT_MS, FIRST


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JournalStore]:
    """A new store in a folder of its own."""
    make_store(tmp_path)
    opened = open_store(tmp_path)
    yield opened
    opened.close()


def note(number: int) -> NoteCredited:
    return NoteCredited(f"SIM-NOTES:1:{number}", 1_000)


def sql(store: JournalStore, statement: str) -> list[tuple[object, ...]]:
    assert store._connection is not None
    return store._connection.execute(statement).fetchall()


def test_new_store_is_empty_and_begins_at_the_genesis_link(store: JournalStore) -> None:
    assert (store.head, list(store.records())) == (Head(0, GENESIS_LINK), [])


def test_what_was_appended_is_read_again_in_order_after_reopening(store: JournalStore, tmp_path: Path) -> None:
    store.append((FIRST, note(1)), AT_MS)
    store.append((note(2),), AT_MS + 5)
    store.close()
    again = open_store(tmp_path)
    records = list(again.records())
    assert [(record.seq, record.at_ms, record.entry) for record in records] == [
        (1, AT_MS, FIRST),
        (2, AT_MS, note(1)),
        (3, AT_MS + 5, note(2)),
    ]
    assert again.head == Head(3, records[-1].link)
    assert [record.seq for record in again.records(after_seq=2)] == [3]
    again.close()


def test_every_link_depends_on_all_before_it(store: JournalStore) -> None:
    first, second = store.append((note(1), note(2)), AT_MS)
    assert first.link == chain_link(GENESIS_LINK, 1, AT_MS, first.kind, first.body)
    assert second.link == chain_link(first.link, 2, AT_MS, second.kind, second.body)
    assert second.link != chain_link(GENESIS_LINK, 2, AT_MS, second.kind, second.body)


def test_settings_are_those_that_were_measured_and_are_read_back(store: JournalStore) -> None:
    found = {
        name: sql(store, f"PRAGMA {name}")[0][0]
        for name in ("journal_mode", "synchronous", "wal_autocheckpoint", "trusted_schema", "mmap_size")
    }
    assert found == {
        "journal_mode": "wal",
        "synchronous": 3,
        "wal_autocheckpoint": 0,
        "trusted_schema": 0,
        "mmap_size": 0,
    }


def test_sqlite_that_does_not_honour_a_setting_is_refused(tmp_path: Path, mocker: MockerFixture) -> None:
    make_store(tmp_path)
    mocker.patch("firmware.journal.schema._FULLER_THAN_FULL", 4)
    with pytest.raises(StoreUnavailableError, match="synchronous"):
        open_store(tmp_path)


def test_nothing_is_written_twice_for_the_same_cause(store: JournalStore) -> None:
    store.append((note(1),), AT_MS)
    with pytest.raises(DuplicateEntryError, match="note:SIM-NOTES:1:1"):
        store.append((note(2), note(1)), AT_MS)
    assert store.head.seq == 1
    assert not store.is_recorded("note:SIM-NOTES:1:2")
    store.append((note(2),), AT_MS)
    assert store.is_recorded("note:SIM-NOTES:1:2")


def test_append_of_nothing_writes_nothing(store: JournalStore) -> None:
    assert store.append((), AT_MS) == ()
    assert store.head.seq == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET body = '{}' WHERE seq = 1",
        "DELETE FROM entry WHERE seq = 1",
        "INSERT OR REPLACE INTO entry SELECT seq, first_seq, at_ms, kind, '{}', link FROM entry WHERE seq = 1",
        "UPDATE unique_key SET seq = 9",
        "DELETE FROM unique_key",
        "INSERT OR REPLACE INTO unique_key SELECT key, 9 FROM unique_key",
        "INSERT INTO entry VALUES (0, 1, 0, 'a', 'b', zeroblob(32))",
        "INSERT INTO entry VALUES (7, 7, 0, 'a', 'b', zeroblob(31))",
        "INSERT INTO entry VALUES (7, 7, 'now', 'a', 'b', zeroblob(32))",
        "INSERT INTO entry VALUES (7, 7, 1.5, 'a', 'b', zeroblob(32))",
        "INSERT INTO segment VALUES (3, 4, zeroblob(32), zeroblob(32))",
    ],
)
def test_rows_can_neither_be_changed_nor_removed_nor_be_of_another_type(store: JournalStore, statement: str) -> None:
    store.append((note(1),), AT_MS)
    with pytest.raises(sqlite3.IntegrityError):
        sql(store, statement)
    assert [record.entry for record in store.records()] == [note(1)]


def test_list_of_sealed_segments_can_neither_be_changed_nor_shortened(store: JournalStore) -> None:
    sql(store, "INSERT INTO segment VALUES (4, 1, zeroblob(32), zeroblob(32))")
    for statement in ("UPDATE segment SET last_seq = 9", "DELETE FROM segment"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            sql(store, statement)


def test_rows_that_were_changed_behind_the_store_are_noticed_before_the_next_append(
    store: JournalStore, tmp_path: Path
) -> None:
    store.append((note(1), note(2)), AT_MS)
    forge(tmp_path, "UPDATE entry SET body = replace(body, '1000', '9000') WHERE seq = 2")
    with pytest.raises(DamagedJournalError, match="entry 2 does not fit the chain"):
        store.append((note(3),), AT_MS)
    store.close()
    with pytest.raises(DamagedJournalError, match="entry 2"):
        open_store(tmp_path)


def test_row_that_is_missing_is_noticed_at_the_opening(store: JournalStore, tmp_path: Path) -> None:
    store.append((note(1), note(2), note(3)), AT_MS)
    store.close()
    forge(tmp_path, "DELETE FROM entry WHERE seq = 2")
    with pytest.raises(DamagedJournalError, match="entry 2 is missing"):
        open_store(tmp_path)


def test_row_that_changed_long_before_the_newest_is_noticed_at_the_opening(tmp_path: Path) -> None:
    make_store(tmp_path)
    store = open_store(tmp_path, sizes=Sizes(tail_rows=4))
    for number in range(40):
        store.append((note(number),), AT_MS)
    store.close()
    forge(tmp_path, "UPDATE entry SET at_ms = 0 WHERE seq = 3")
    with pytest.raises(DamagedJournalError, match="entry 3 does not fit"):
        open_store(tmp_path, sizes=Sizes(tail_rows=4))


def forge(folder: Path, statement: str) -> None:
    """Change the database as somebody with a screwdriver would, past the triggers."""
    connection = sqlite3.connect(folder / FILE_NAME, isolation_level=None)
    for (trigger,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute(statement)
    connection.close()


class Failing:
    """A connection on which one kind of statement fails."""

    def __init__(self, real: sqlite3.Connection, statement: str) -> None:
        self.real, self.statement = real, statement

    def execute(self, statement: str, *arguments: object) -> sqlite3.Cursor:
        if statement.startswith(self.statement):
            raise sqlite3.OperationalError("disk I/O error")
        return self.real.execute(statement, *arguments)  # type: ignore[arg-type]

    def close(self) -> None:
        self.real.close()

    @property
    def in_transaction(self) -> bool:
        return self.real.in_transaction


@pytest.mark.parametrize("statement", ["COMMIT", "ROLLBACK"])
def test_error_from_a_commit_is_unknown_and_closes_the_store(store: JournalStore, statement: str) -> None:
    store.append((note(1),), AT_MS)
    store._connection = Failing(store._connection, statement)  # type: ignore[arg-type, assignment]
    with pytest.raises(CommitUnknownError, match="disk I/O error"):
        store.append((note(1) if statement == "ROLLBACK" else note(2),), AT_MS)
    with pytest.raises(CommitUnknownError, match="closed"):
        store.append((note(3),), AT_MS)
    with pytest.raises(CommitUnknownError):
        store.is_recorded("note:SIM-NOTES:1:1")
    store.close()


def test_error_before_the_commit_leaves_nothing_and_the_store_usable(store: JournalStore) -> None:
    real = store._connection
    assert real is not None
    store._connection = Failing(real, "INSERT")  # type: ignore[assignment]
    with pytest.raises(StoreUnavailableError, match="free space"):
        store.append((note(1),), AT_MS)
    store._connection = real
    store.append((note(1),), AT_MS)
    assert store.head.seq == 1


def test_failed_checkpoint_is_unknown_and_never_silent(tmp_path: Path) -> None:
    make_store(tmp_path)
    store = open_store(tmp_path, sizes=Sizes(checkpoint_commits=1))
    store.append((note(1),), AT_MS)
    store._connection = Failing(store._connection, "PRAGMA wal_checkpoint")  # type: ignore[arg-type, assignment]
    with pytest.raises(CommitUnknownError, match="checkpoint"):
        store.checkpoint()
    again = open_store(tmp_path)
    assert again.head.seq == 1
    again.close()


def test_write_ahead_log_stays_small_because_the_store_empties_it(tmp_path: Path) -> None:
    make_store(tmp_path)
    store = open_store(tmp_path, sizes=Sizes(checkpoint_commits=5))
    sizes = []
    for number in range(60):
        store.append((note(number),), AT_MS)
        store.checkpoint()
        sizes.append((tmp_path / f"{FILE_NAME}-wal").stat().st_size)
    store.close()
    assert max(sizes) < 6 * 5 * 4_096  # five commits of at most six pages


def test_reader_beside_a_running_writer_sees_whole_appends_and_writes_nothing(
    store: JournalStore, tmp_path: Path
) -> None:
    store.append((FIRST, note(1)), AT_MS)
    reader = open_store(tmp_path, read_only=True)
    assert [record.seq for record in reader.records()] == [1, 2]
    with pytest.raises(StoreUnavailableError, match="readonly"):
        reader.append((note(9),), AT_MS)
    store.append((note(2),), AT_MS)
    assert [record.seq for record in reader.records()] == [1, 2]
    reader.close()
    later = open_store(tmp_path, read_only=True)
    assert later.head.seq == 3
    later.close()


def test_finished_copy_on_a_medium_without_the_log_is_read(store: JournalStore, tmp_path: Path) -> None:
    store.append((note(1),), AT_MS)
    store.close()
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / FILE_NAME).write_bytes((tmp_path / FILE_NAME).read_bytes())
    reader = open_store(copy, read_only=True)
    assert [record.entry for record in reader.records()] == [note(1)]
    reader.close()


def test_entry_of_a_newer_program_is_named_and_not_skipped(store: JournalStore, tmp_path: Path) -> None:
    class Tomorrow(Stopped):
        KIND = "tomorrow"

    store.append((Tomorrow(),), AT_MS)
    with pytest.raises(DamagedJournalError, match="entry 1: entry kind 'tomorrow/1' is not known"):
        list(store.records())


def test_bodies_with_every_kind_of_text_come_back(store: JournalStore) -> None:
    strange: tuple[Entry, ...] = (Commissioned("T\n\t\"'\\", 1, "демо", "€", 2, "\u2028\x7f"), NoteCredited("ключ", 5))
    store.append(strange, AT_MS)
    assert tuple(record.entry for record in store.records()) == strange
