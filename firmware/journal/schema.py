"""The journal's SQLite database: its tables, and how it is made, recognised and opened.

The settings are measured, not guessed: write-ahead log with ``synchronous=EXTRA`` (read back, because it belongs to the
connection), and ``psow=0``, without which a torn sector under the newest transaction can destroy the one before it.
SQLite's automatic checkpoint is off because it keeps an I/O error to itself; the store makes its own. A new database is
made under another name and renamed when it is whole, so an empty or half-made file is never taken for a journal.
Not responsible for rows (``store``).
"""

import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

from firmware.journal.errors import (
    DamagedJournalError,
    ForeignFileError,
    OtherVersionError,
    StoreUnavailableError,
)
from firmware.journal.files import Files

FILE_NAME: Final = "journal.sqlite"
APPLICATION_ID: Final = 0x43525550
SCHEMA_VERSION: Final = 1
_FULLER_THAN_FULL: Final = 3
_CACHE_KIB: Final = 512
"""Pages that SQLite keeps in memory, a quarter of what it takes unasked: the system's own cache has them as well."""
UNREADABLE: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged database raises: SQLite's errors, or text that is none, in a row or in SQLite's own message."""

_SCHEMA: Final = """
CREATE TABLE entry (
    seq INTEGER PRIMARY KEY CHECK (seq > 0),
    first_seq INTEGER NOT NULL CHECK (first_seq BETWEEN 1 AND seq),
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    link BLOB NOT NULL CHECK (length(link) = 32)
) STRICT;
CREATE TABLE unique_key (key TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE segment (
    last_seq INTEGER PRIMARY KEY,
    first_seq INTEGER NOT NULL CHECK (first_seq BETWEEN 1 AND last_seq),
    link BLOB NOT NULL CHECK (length(link) = 32),
    digest BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;
CREATE TABLE snapshot (
    seq INTEGER PRIMARY KEY,
    link BLOB NOT NULL,
    digest BLOB NOT NULL,
    body BLOB NOT NULL
) STRICT;
CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
CREATE TRIGGER entry_leaves_only_sealed BEFORE DELETE ON entry
    WHEN OLD.seq > coalesce((SELECT max(last_seq) FROM segment), 0)
    BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
CREATE TRIGGER key_is_never_changed BEFORE UPDATE ON unique_key
    BEGIN SELECT RAISE(ABORT, 'keys are append-only'); END;
CREATE TRIGGER key_leaves_only_sealed BEFORE DELETE ON unique_key
    WHEN OLD.seq > coalesce((SELECT max(last_seq) FROM segment), 0)
    BEGIN SELECT RAISE(ABORT, 'keys are append-only'); END;
CREATE TRIGGER segment_is_never_changed BEFORE UPDATE ON segment
    BEGIN SELECT RAISE(ABORT, 'segments are append-only'); END;
CREATE TRIGGER segment_is_never_deleted BEFORE DELETE ON segment
    BEGIN SELECT RAISE(ABORT, 'segments are append-only'); END;
"""


def make_database(path: Path, files: Files, vfs: str | None = None) -> sqlite3.Connection:
    """Return a connection to a new, empty journal under a provisional name; ``install`` gives it its own.

    Raises:
        StoreUnavailableError: the folder can't be written.
    """
    scratch = _scratch(path)
    try:
        for suffix in ("", "-wal", "-shm", "-journal"):
            files.remove(beside(scratch, suffix))
        connection = _connect(scratch, "rwc", vfs)
    except (OSError, sqlite3.Error) as error:
        raise unavailable(path, error) from error
    try:
        _configure(connection, scratch)
        connection.executescript("BEGIN IMMEDIATE;" + _SCHEMA)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        connection.close()
        raise unavailable(path, error) from error
    return connection


def install(connection: sqlite3.Connection, path: Path, files: Files) -> None:
    """Close a database of ``make_database`` and make it the journal; what had its name is set aside.

    Raises StoreUnavailableError.
    """
    try:
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            connection.close()
        set_aside(path, files, "damaged")
        files.rename(_scratch(path), path)
    except (sqlite3.Error, OSError) as error:
        raise unavailable(path, error) from error


def open_database(path: Path, files: Files, *, read_only: bool = False, vfs: str | None = None) -> sqlite3.Connection:
    """Return a checked connection to the journal that is there.

    Raises:
        ForeignFileError: the file is something else, or of another version; it is left untouched.
        DamagedJournalError: SQLite can't read it; it is left untouched.
        StoreUnavailableError: it can't be opened for writing.
    """
    try:
        if files.size(path) == 0:
            raise DamagedJournalError(f"{path}: empty, which a journal never is; restore a copy or move the file away")
        if not read_only:
            return _open(path, "rw", vfs)
        # Without its log nobody has it open: then not even SQLite's own helper files are made beside it.
        return _open(path, "ro" if files.exists(beside(path, "-wal")) else "ro&immutable=1", vfs)
    except (sqlite3.OperationalError, OSError) as error:
        raise unavailable(path, error) from error
    except UNREADABLE as error:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            raise ForeignFileError(
                f"{path}: not a journal of this program; move it away or choose another --data folder"
            ) from error
        raise DamagedJournalError(
            f"{path}: {error}; restore a copy or move the file away, it was not changed"
        ) from error


def unavailable(path: Path, error: Exception) -> StoreUnavailableError:
    """Return the error that says why the storage can't be used and what to do."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return StoreUnavailableError(f"{path}: {reason}; check permissions and free space, then start again")


def set_aside(path: Path, files: Files, reason: str) -> int:
    """Give a database another name, with its log, which SQLite would else apply to the next one; returns its number.

    Raises OSError.
    """
    number = 1
    while any(files.exists(beside(path, f".{reason}-{number}{suffix}")) for suffix in ("", "-wal")):
        number += 1
    for suffix in ("-shm", "-wal", ""):
        if files.exists(beside(path, suffix)):
            files.rename(beside(path, suffix), beside(path, f".{reason}-{number}{suffix}"))
    return number


def beside(path: Path, suffix: str) -> Path:
    """Return the path of one of SQLite's files beside a database, e.g. ``-wal``."""
    return path.with_name(path.name + suffix)


def _scratch(path: Path) -> Path:
    return beside(path, ".new")


def _open(path: Path, mode: str, vfs: str | None) -> sqlite3.Connection:
    connection = _connect(path, mode, vfs)
    try:
        _check_identity(connection, path)
        _configure(connection, path, read_only=mode != "rw")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path, mode: str, vfs: str | None) -> sqlite3.Connection:
    uri = f"file:{quote(str(path))}?psow=0&mode={mode}" + (f"&vfs={vfs}" if vfs else "")
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=5)


def _check_identity(connection: sqlite3.Connection, path: Path) -> None:
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application_id != APPLICATION_ID:
        raise ForeignFileError(f"{path}: a database of another program; choose another --data folder")
    if version != SCHEMA_VERSION:
        raise OtherVersionError(
            f"{path}: written by another version (schema {version}, this program reads {SCHEMA_VERSION}); "
            "start the program that wrote it"
        )


def _configure(connection: sqlite3.Connection, path: Path, *, read_only: bool = False) -> None:
    if not read_only:
        if connection.execute("PRAGMA journal_mode=WAL").fetchone()[0] != "wal":
            raise StoreUnavailableError(f"{path}: the storage does not allow a write-ahead log; use a local disk")
        connection.execute("PRAGMA synchronous=EXTRA")
        if connection.execute("PRAGMA synchronous").fetchone()[0] != _FULLER_THAN_FULL:
            raise StoreUnavailableError(f"{path}: this SQLite does not honour synchronous=EXTRA; use another Python")
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("PRAGMA secure_delete=OFF")
        connection.execute("PRAGMA recursive_triggers=ON")  # else INSERT OR REPLACE deletes past the triggers
        _empty_log(connection, path)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute(f"PRAGMA cache_size=-{_CACHE_KIB}")
    connection.execute("PRAGMA cell_size_check=ON")


def _empty_log(connection: sqlite3.Connection, path: Path) -> None:
    """Bring all that the write-ahead log holds into the database, and begin the log anew.

    ``psow=0`` pads each commit to a whole sector, but what lies beyond the sector is not synced. If power is lost there,
    the next commit would begin in the very sector that holds the end of the last one, and when power is lost again, a
    torn sector would take both.
    """
    is_busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if is_busy:
        raise StoreUnavailableError(f"{path}: another program is reading it and does not end; end it, then start again")
