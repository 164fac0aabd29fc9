"""The journal on SQLite: one file, one process, one writing connection, one thread; a commit is durable when it returns.

The settings are measured, not guessed: write-ahead log with ``synchronous=EXTRA`` (read back, because it is per
connection), and ``psow=0``, without which a torn sector under the newest transaction can destroy the one before it.
Rows can't be changed or deleted; each is chained to the one before. An error from COMMIT means *unknown*: the store
refuses everything afterwards, and only opening the file again tells what happened.

Not responsible for further copies of the journal, nor for what the entries mean.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

from firmware.entries.codec import UnknownEntryError, decode, encode, kind_of
from firmware.entries.types import Entry
from firmware.journal.errors import (
    CommitUnknownError,
    DamagedJournalError,
    DuplicateEntryError,
    ForeignFileError,
    StoreUnavailableError,
)
from firmware.journal.record import GENESIS_LINK, Head, Record, chain_link

APPLICATION_ID: Final = 0x43525550
SCHEMA_VERSION: Final = 1
FILE_NAME: Final = "journal.sqlite"

_SCHEMA = f"""
CREATE TABLE entry (
    seq INTEGER PRIMARY KEY CHECK (seq > 0),
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    link BLOB NOT NULL CHECK (length(link) = 32)
) STRICT;
CREATE TABLE unique_key (key TEXT PRIMARY KEY, seq INTEGER NOT NULL REFERENCES entry (seq)) STRICT, WITHOUT ROWID;
CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
CREATE TRIGGER entry_is_never_deleted BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
CREATE TRIGGER key_is_never_changed BEFORE UPDATE ON unique_key BEGIN SELECT RAISE(ABORT, 'keys are append-only'); END;
CREATE TRIGGER key_is_never_deleted BEFORE DELETE ON unique_key BEGIN SELECT RAISE(ABORT, 'keys are append-only'); END;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
"""
_SQLITE_MAGIC = b"SQLite format 3\x00"


class JournalStore:
    """An open journal. Belongs to the thread that opened it."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        """Wrap a checked connection; use ``open_store``."""
        self.path = path
        self._connection: sqlite3.Connection | None = connection
        row = connection.execute("SELECT seq, link FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
        self.head = Head(row[0], bytes(row[1])) if row else Head(0, GENESIS_LINK)

    def append(self, entries: Sequence[Entry], at_ms: int) -> tuple[Record, ...]:
        """Record the entries in one durable transaction and return their records.

        Raises:
            DuplicateEntryError: one of the entries is recorded already; nothing was written.
            StoreUnavailableError: nothing was written (storage full or read-only before the commit).
            CommitUnknownError: the commit ended with an error; close everything and start again from the file.
        """
        connection = self._usable()
        records = []
        head = self.head
        try:
            connection.execute("BEGIN IMMEDIATE")
            for entry in entries:
                kind, body, seq = kind_of(entry), encode(entry), head.seq + 1
                link = chain_link(head.link, seq, at_ms, kind, body)
                connection.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?)", (seq, at_ms, kind, body, link))
                for key in entry.unique_keys():
                    self._claim(connection, key, seq)
                head = Head(seq, link)
                records.append(Record(seq, at_ms, entry, link))
        except DuplicateEntryError:
            self._roll_back(connection)
            raise
        except sqlite3.Error as error:
            self._roll_back(connection)
            raise StoreUnavailableError(
                f"{self.path}: {error}; free space or mend the storage, then restart"
            ) from error
        try:
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            self.close()
            raise CommitUnknownError(f"{self.path}: commit: {error}") from error
        self.head = head
        return tuple(records)

    def records(self, after_seq: int = 0) -> Iterator[Record]:
        """Yield the records behind ``after_seq`` in order, checking numbering and chain from there.

        Raises:
            DamagedJournalError: a gap, a broken link, or an entry that can't be read.
        """
        connection = self._usable()
        previous = GENESIS_LINK
        if after_seq:
            row = connection.execute("SELECT link FROM entry WHERE seq = ?", (after_seq,)).fetchone()
            if row is None:
                raise DamagedJournalError(f"{self.path}: entry {after_seq} is missing")
            previous = bytes(row[0])
        expected = after_seq + 1
        try:
            cursor = connection.execute(
                "SELECT seq, at_ms, kind, body, link FROM entry WHERE seq > ? ORDER BY seq", (after_seq,)
            )
            for seq, at_ms, kind, body, link in cursor:
                if seq != expected:
                    raise DamagedJournalError(f"{self.path}: entry {expected} is missing")
                if chain_link(previous, seq, at_ms, kind, body) != link:
                    raise DamagedJournalError(f"{self.path}: entry {seq} does not fit the chain; it was changed")
                yield Record(seq, at_ms, decode(kind, body), bytes(link))
                previous, expected = bytes(link), seq + 1
        except sqlite3.DatabaseError as error:
            raise DamagedJournalError(f"{self.path}: {error}") from error
        except UnknownEntryError as error:
            raise DamagedJournalError(f"{self.path}: {error}") from error

    def is_recorded(self, key: str) -> bool:
        """Tell whether an entry with this unique key is recorded."""
        row = self._usable().execute("SELECT 1 FROM unique_key WHERE key = ?", (key,)).fetchone()
        return row is not None

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._connection is not None:
            try:
                self._connection.close()
            finally:
                self._connection = None

    def _usable(self) -> sqlite3.Connection:
        if self._connection is None:
            raise CommitUnknownError(f"{self.path}: the journal is closed")
        return self._connection

    def _claim(self, connection: sqlite3.Connection, key: str, seq: int) -> None:
        try:
            connection.execute("INSERT INTO unique_key VALUES (?, ?)", (key, seq))
        except sqlite3.IntegrityError as error:
            raise DuplicateEntryError(f"{key} is recorded already") from error

    def _roll_back(self, connection: sqlite3.Connection) -> None:
        if not connection.in_transaction:
            return
        try:
            connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            self.close()
            raise CommitUnknownError(f"{self.path}: rollback: {error}") from error


def open_store(data_dir: Path, *, read_only: bool = False, vfs: str | None = None) -> JournalStore:
    """Open the journal in a data directory; a new one is made only where there is none.

    Args:
        data_dir: the directory; made when missing, unless ``read_only``.
        read_only: open for reading beside a running terminal; nothing is ever written.
        vfs: name of a registered SQLite VFS (the power-loss tests record through one).

    Raises:
        ForeignFileError: the file is something else; it is left untouched.
        DamagedJournalError: SQLite can't read it; it is left untouched.
        StoreUnavailableError: the directory can't be written.
    """
    path = data_dir / FILE_NAME
    fresh = not path.exists() or path.stat().st_size == 0
    if read_only and fresh:
        raise ForeignFileError(f"{path}: there is no journal; give the data directory with --data")
    if not read_only:
        _check_writable(data_dir)
    if not fresh:
        _check_magic(path)
    mode = "ro" if read_only else "rwc"
    uri = f"file:{quote(str(path))}?psow=0&mode={mode}" + (f"&vfs={vfs}" if vfs else "")
    try:
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=5)
    except sqlite3.Error as error:
        raise StoreUnavailableError(f"{path}: {error}; check the folder's permissions and free space") from error
    try:
        _configure(connection, path, read_only=read_only, fresh=fresh)
        return JournalStore(connection, path)
    except sqlite3.OperationalError as error:
        connection.close()
        raise StoreUnavailableError(f"{path}: {error}; check permissions and free space") from error
    except sqlite3.DatabaseError as error:
        connection.close()
        raise DamagedJournalError(
            f"{path}: {error}; restore a copy or move the file away, it was not changed"
        ) from error
    except BaseException:
        connection.close()
        raise


def _check_writable(data_dir: Path) -> None:
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        probe = data_dir / ".write-test"
        with probe.open("wb") as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
        probe.unlink()
    except OSError as error:
        raise StoreUnavailableError(
            f"{data_dir}: {error.strerror or error}; money is refused until the data directory can be written"
        ) from error


def _check_magic(path: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_SQLITE_MAGIC))
    except OSError as error:
        raise StoreUnavailableError(f"{path}: {error.strerror or error}") from error
    if magic != _SQLITE_MAGIC:
        raise ForeignFileError(f"{path}: not a journal of this program; move it away or choose another --data folder")


def _configure(connection: sqlite3.Connection, path: Path, *, read_only: bool, fresh: bool) -> None:
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    if application_id == 0 and not read_only:  # power may have gone between the file's creation and its schema
        fresh = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if not fresh:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if application_id != APPLICATION_ID:
            raise ForeignFileError(f"{path}: a database of another program; choose another --data folder")
        if version != SCHEMA_VERSION:
            raise ForeignFileError(
                f"{path}: written by another version (schema {version}, this program reads {SCHEMA_VERSION})"
            )
    if not read_only:
        if connection.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise StoreUnavailableError(f"{path}: the storage does not allow a write-ahead log")
        connection.execute("PRAGMA synchronous=EXTRA")
        if connection.execute("PRAGMA synchronous").fetchone()[0] != 3:
            raise StoreUnavailableError(f"{path}: SQLite does not honour synchronous=EXTRA")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    if fresh:
        connection.executescript("BEGIN IMMEDIATE;" + _SCHEMA + "COMMIT;")
