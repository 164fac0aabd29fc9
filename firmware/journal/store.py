"""One copy of the journal: rows in a SQLite database and, when they are old, in sealed segments beside it.

One process, one writing connection, one thread; a commit is durable when it returns. Rows can't be changed or deleted;
each is chained to the one before. An error from COMMIT means *unknown*: the store refuses everything afterwards, and
only opening the file again tells what happened.

Not responsible for further copies of the journal (``critical``), nor for what the entries mean.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from firmware.entries.types import Entry
from firmware.journal import snapshots
from firmware.journal.anchor import Anchored
from firmware.journal.errors import (
    CommitUnknownError,
    DamagedJournalError,
    DuplicateEntryError,
    NoJournalError,
)
from firmware.journal.files import Files, OsFiles
from firmware.journal.record import GENESIS_LINK, ChainError, Head, Record, Row, chained, rows_for
from firmware.journal.schema import FILE_NAME, UNREADABLE, beside, install, make_database, open_database, unavailable
from firmware.journal.segments import FOLDER, Segment, SegmentFiles, pack
from firmware.journal.sizes import USUAL, Sizes

_CHUNK_LENGTH: Final = 1_000
_ALL: Final = 2**62


class JournalStore:
    """An open journal. Belongs to the thread that opened it."""

    anchored: Anchored | None = None
    """A single copy knows of no anchor."""

    def __init__(self, connection: sqlite3.Connection, path: Path, files: Files, sizes: Sizes = USUAL) -> None:
        """Wrap a checked connection; use ``open_store``."""
        self.path = path
        self._connection: sqlite3.Connection | None = connection
        self._commit_count = 0
        self.sizes = sizes
        self.segment_files = SegmentFiles(path.parent / FOLDER, files)
        self.segments = tuple(_listed_segments(connection))
        row = connection.execute("SELECT seq, link, first_seq FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
        if row and not (isinstance(row[1], bytes) and isinstance(row[2], int)):
            raise DamagedJournalError(f"{path}: entry {row[0]} can't be read")
        self.head = Head(row[0], row[1]) if row else self.sealed
        self.previous_seq: int = row[2] - 1 if row else self.sealed.seq
        """Where the journal ended before the last append."""
        self._snapshot_seq = snapshots.newest_seq(connection)

    # --- writing ------------------------------------------------------------------------------------------------------

    def append(self, entries: Sequence[Entry], at_ms: int) -> tuple[Row, ...]:
        """Record the entries in one durable transaction and return their rows.

        Raises:
            DuplicateEntryError: one of the entries is recorded already; nothing was written.
            DamagedJournalError: the newest rows are not what was written; nothing was written now.
            StoreUnavailableError: nothing was written (storage full or read-only before the commit).
            CommitUnknownError: the commit ended with an error; close everything and start again from the file.
        """
        self.check_tail()
        rows = rows_for(entries, at_ms, self.head)
        if not rows:
            return ()
        self._insert(rows, entries)
        return rows

    def restore(self, rows: Sequence[Row]) -> None:
        """Take over rows of another copy that follow this one's end, in one transaction. Errors as in ``append``."""
        entries = [_entry_of(row) for row in chained(rows, self.head)]
        if not entries:
            return
        self._insert(rows, entries)

    def adopt(self, segment: Segment, rows: Sequence[Row]) -> None:
        """Take over a sealed segment of another copy as this one's next part; its file lies in its place already.

        Errors as in ``append``.
        """
        kept = [(row.seq, entry) for row in rows if (entry := _entry_of(row)).KEEPS_KEYS]

        def take_over() -> None:
            self._list(segment)
            for seq, entry in kept:
                self._claim(entry, seq)

        self._in_transaction(take_over)
        self.segments, self.head, self.previous_seq = (*self.segments, segment), segment.head, segment.last_seq

    def seal(self) -> Segment | None:
        """Move the oldest rows into a segment if there are many; at most one segment a call. Errors as in ``append``.

        The file is written, and read again, before the rows leave the database in the same transaction that lists it.
        """
        before = self.sealed
        if self.head.seq - before.seq < self.sizes.live_rows + self.sizes.segment_rows:
            return None
        with self._reading():
            rows = tuple(self._live_rows(before, self.sizes.segment_rows))
            segment, data = pack(rows, before)
            try:
                self.segment_files.write(segment, data)
            except OSError as error:
                raise unavailable(self.segment_files.folder, error) from error
            again = zip_longest(rows, self.segment_files.rows(segment, before))
            if any(row != read for row, read in again):
                raise ChainError(f"segment {segment.name}: does not read back as it was written")
        entries = map(_entry_of, rows)
        forgotten = [(key,) for entry in entries if not entry.KEEPS_KEYS for key in entry.unique_keys()]

        def leave() -> None:
            self._list(segment)
            self._usable().executemany("DELETE FROM unique_key WHERE key = ?", forgotten)
            self._usable().execute("DELETE FROM entry WHERE seq <= ?", (segment.last_seq,))

        self._in_transaction(leave)
        self.segments = (*self.segments, segment)
        return segment

    @property
    def snapshot_is_due(self) -> bool:
        """Tell whether so much was recorded since the last snapshot that another should be kept."""
        return self.head.seq - self._snapshot_seq >= self.sizes.snapshot_rows

    def claim_again(self, keys: Sequence[tuple[str, int]]) -> None:
        """Put unique keys of recorded entries back that were lost. Errors as in ``append``."""
        self._in_transaction(lambda: self._usable().executemany("INSERT INTO unique_key VALUES (?, ?)", keys))

    def keep_snapshot(self, body: bytes, after: Head | None = None) -> None:
        """Keep what the journal means up to its end, or to a row of it, so that the next start need not read it all.

        A mere cache. Errors as in ``append``.
        """
        head = self.head if after is None else after
        self._in_transaction(lambda: snapshots.keep(self._usable(), head, body))
        self._snapshot_seq = head.seq

    def checkpoint(self) -> None:
        """Copy what was committed into the database file if it is time. Raises CommitUnknownError when that fails."""
        if self._commit_count < self.sizes.checkpoint_commits:
            return
        try:
            self._usable().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.Error as error:
            self.close()
            raise CommitUnknownError(f"{self.path}: checkpoint: {error}") from error
        self._commit_count = 0

    # --- reading ------------------------------------------------------------------------------------------------------

    @property
    def sealed(self) -> Head:
        """The end of the last sealed segment; the rows behind it are in the database."""
        return self.segments[-1].head if self.segments else Head()

    def records(self, after_seq: int = 0) -> Iterator[Record]:
        """Yield the records behind ``after_seq`` in order, checking numbering and chain from there.

        Raises:
            DamagedJournalError: a gap, a broken link, or an entry that can't be read.
        """
        with self._reading():
            for row in self.rows(after_seq):
                yield row.record()

    def rows(self, after_seq: int = 0) -> Iterator[Row]:
        """Yield the rows behind ``after_seq`` up to ``head``; as ``records``, without reading the entries."""
        with self._reading():
            before = Head()
            for segment in self.segments:
                if segment.last_seq > after_seq:
                    yield from (row for row in self.segment_files.rows(segment, before) if row.seq > after_seq)
                before = segment.head
            if after_seq > before.seq:
                before = Head(after_seq, self._link_at(after_seq))
            while before.seq < self.head.seq:
                for row in self._live_rows(before, min(_CHUNK_LENGTH, self.head.seq - before.seq)):
                    yield row
                    before = Head(row.seq, row.link)

    def has(self, head: Head) -> bool:
        """Tell whether the journal once ended like this: it holds that row with that link."""
        try:
            return head.seq <= self.head.seq and self._link_at(head.seq) == head.link
        except ChainError:
            return False

    def is_recorded(self, key: str) -> bool:
        """Tell whether an entry with this unique key is recorded. Raises DamagedJournalError.

        Keys of sealed entries are known only where the entry's class keeps them.
        """
        with self._reading():
            return bool(self._fetch("SELECT 1 FROM unique_key WHERE key = ?", key))

    def seq_of_key(self, key: str) -> int | None:
        """Return the number of the row with this unique key; None as in ``is_recorded``. Raises DamagedJournalError."""
        with self._reading():
            found = self._fetch("SELECT seq FROM unique_key WHERE key = ?", key)
            return found[0][0] if found else None

    def key_count(self, last_seq: int) -> int:
        """Return how many unique keys are kept of the rows up to this number. Raises DamagedJournalError."""
        with self._reading():
            counted: int = self._fetch("SELECT count(*) FROM unique_key WHERE seq <= ?", last_seq)[0][0]
            return counted

    def snapshots(self) -> Iterator[tuple[int, bytes]]:
        """Yield the sound snapshots, the newest first, each with the number of the row that it follows."""
        with self._reading():
            yield from snapshots.newest_first(self._usable(), self.has)

    def check_tail(self) -> None:
        """Check the newest rows against the journal's end. Raises DamagedJournalError."""
        last = self._checked(self.head.seq - self.sizes.tail_rows, self.sizes.tail_rows)
        if last != self.head:
            raise DamagedJournalError(f"{self.path}: ends at entry {last.seq}, not as written at {self.head.seq}")

    def check_live(self) -> None:
        """Check all rows of the database against each other. Raises DamagedJournalError."""
        self._checked(0, _ALL)

    def live_rows(self, after_seq: int, most: int) -> tuple[Row, ...]:
        """Return some rows of the database behind a number, checked. Raises DamagedJournalError."""
        first = max(after_seq, self.sealed.seq)
        with self._reading():
            return tuple(self._live_rows(Head(first, self._link_at(first)), most))

    def check_structure(self) -> None:
        """Let SQLite check its pages. Raises DamagedJournalError."""
        with self._reading():
            said = self._fetch("PRAGMA integrity_check(1)")[0][0]
            if said != "ok":
                raise ChainError(said)

    def close(self) -> None:
        """Close the file; may be called twice."""
        if self._connection is not None:
            try:
                self._connection.close()
            finally:
                self._connection = None

    # --- inside -------------------------------------------------------------------------------------------------------

    def _usable(self) -> sqlite3.Connection:
        if self._connection is None:
            raise CommitUnknownError(f"{self.path}: the journal is closed")
        return self._connection

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """What can't be read, or does not follow from what is before it, is damage."""
        try:
            yield
        except (ChainError, *UNREADABLE) as error:
            raise DamagedJournalError(f"{self.path}: {error}") from error

    def _fetch(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all that a query finds. Raises ChainError when SQLite can't read it."""
        try:
            return self._usable().execute(statement, values).fetchall()
        except UNREADABLE as error:
            raise ChainError(str(error)) from error

    def _checked(self, after_seq: int, most: int) -> Head:
        first = max(after_seq, self.sealed.seq)
        with self._reading():
            last = Head(first, self._link_at(first))
            for row in self._live_rows(last, most):
                last = Head(row.seq, row.link)
            return last

    def _link_at(self, seq: int) -> bytes:
        """Return the link of a row. Raises ChainError when there is no such row."""
        if seq == 0:
            return GENESIS_LINK
        found = self._fetch("SELECT link FROM entry WHERE seq = ?", seq)
        if found:
            link: bytes = found[0][0]
            return link
        before = Head()
        for segment in self.segments:
            if segment.first_seq <= seq <= segment.last_seq:
                for row in self.segment_files.rows(segment, before):
                    if row.seq == seq:
                        return row.link
            before = segment.head
        raise ChainError(f"entry {seq} is missing")

    def _live_rows(self, before: Head, most: int) -> Iterator[Row]:
        """Yield rows of the database behind ``before``, at most so many; they are read before the first is yielded."""
        stored = self._fetch(
            "SELECT seq, at_ms, kind, body, link FROM entry WHERE seq > ? ORDER BY seq LIMIT ?", before.seq, most
        )
        if not stored and before.seq < self.head.seq:
            raise ChainError(f"entry {before.seq + 1} is missing")
        return chained((Row(*values) for values in stored), before)

    def _insert(self, rows: Sequence[Row], entries: Sequence[Entry]) -> None:
        """Write rows that follow the end in one transaction."""
        first_seq = rows[0].seq

        def insert() -> None:
            for row, entry in zip(rows, entries, strict=True):
                self._usable().execute(
                    "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)",
                    (row.seq, first_seq, row.at_ms, row.kind, row.body, row.link),
                )
                self._claim(entry, row.seq)

        self._in_transaction(insert)
        self.head, self.previous_seq = Head(rows[-1].seq, rows[-1].link), first_seq - 1

    def _claim(self, entry: Entry, seq: int) -> None:
        for key in entry.unique_keys():
            try:
                self._usable().execute("INSERT INTO unique_key VALUES (?, ?)", (key, seq))
            except sqlite3.IntegrityError as error:
                raise DuplicateEntryError(f"{key} is recorded already") from error

    def _list(self, segment: Segment) -> None:
        self._usable().execute(
            "INSERT INTO segment VALUES (?, ?, ?, ?)",
            (segment.last_seq, segment.first_seq, segment.link, segment.digest),
        )

    def _in_transaction(self, work: Callable[[], object]) -> None:
        connection = self._usable()
        try:
            connection.execute("BEGIN IMMEDIATE")
            work()
        except DuplicateEntryError:
            self._roll_back(connection)
            raise
        except sqlite3.Error as error:
            self._roll_back(connection)
            raise unavailable(self.path, error) from error
        try:
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            self.close()
            raise CommitUnknownError(f"{self.path}: commit: {error}") from error
        self._commit_count += 1

    def _roll_back(self, connection: sqlite3.Connection) -> None:
        if not connection.in_transaction:
            return
        try:
            connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            self.close()
            raise CommitUnknownError(f"{self.path}: rollback: {error}") from error


def open_store(
    data_dir: Path,
    *,
    read_only: bool = False,
    files: Files | None = None,
    vfs: str | None = None,
    sizes: Sizes = USUAL,
) -> JournalStore:
    """Open the journal in a data directory.

    Args:
        data_dir: the directory.
        read_only: open for reading beside a running terminal, or a copy; nothing is ever written.
        files: the file system, the operating system's by default.
        vfs: name of a registered SQLite VFS (the power-loss tests record through one).
        sizes: how much is kept where.

    Raises:
        NoJournalError: there is none.
        ForeignFileError: the file is something else, or of another version; it is left untouched.
        DamagedJournalError: it can't be read, or contradicts itself; it is left untouched.
        StoreUnavailableError: it can't be opened.
    """
    files = files or OsFiles()
    path = data_dir / FILE_NAME
    if not files.exists(path):
        if files.exists(beside(path, "-wal")) or files.names(data_dir / FOLDER):
            raise DamagedJournalError(f"{path}: missing, though parts of a journal are there; restore a copy of it")
        raise NoJournalError(f"{path}: there is no journal; give the data directory with --data")
    connection = open_database(path, files, read_only=read_only, vfs=vfs)
    try:
        store = JournalStore(connection, path, files, sizes)
        if not read_only:
            store.check_live()
            store.check_tail()
    except UNREADABLE as error:
        connection.close()
        raise DamagedJournalError(f"{path}: {error}; restore a copy or move the file away") from error
    except BaseException:
        connection.close()
        raise
    return store


def make_store(
    data_dir: Path,
    *,
    files: Files | None = None,
    vfs: str | None = None,
    fill: Callable[[JournalStore], None] = lambda _: None,
) -> None:
    """Make a journal where there is none; ``fill`` may put another copy's rows into it before it gets its name.

    Raises:
        StoreUnavailableError: the directory can't be written.
    """
    files = files or OsFiles()
    path = data_dir / FILE_NAME
    try:
        files.make_folder(data_dir)
    except OSError as error:
        raise unavailable(data_dir, error) from error
    connection = make_database(path, files, vfs)
    try:
        fill(JournalStore(connection, path, files))
    except BaseException:
        connection.close()
        raise
    install(connection, path, files)


def _entry_of(row: Row) -> Entry:
    try:
        return row.record().entry
    except ChainError as error:
        raise DamagedJournalError(str(error)) from error


def _listed_segments(connection: sqlite3.Connection) -> Iterator[Segment]:
    before = Head()
    for first_seq, last_seq, link, digest in connection.execute(
        "SELECT first_seq, last_seq, link, digest FROM segment ORDER BY last_seq"
    ):
        if first_seq != before.seq + 1 or not isinstance(link, bytes) or not isinstance(digest, bytes):
            raise DamagedJournalError(f"the list of segments is damaged behind entry {before.seq}")
        segment = Segment(first_seq, last_seq, link, digest)
        yield segment
        before = segment.head
