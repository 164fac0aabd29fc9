"""The terminal's critical memory: the journal, its mirror on a second path, and the anchor on a third.

An append goes to the journal, then to the mirror, then to the anchor, each durable before the next; only then does it
return, so an acknowledgement always has all copies behind it. An error from any of them means *unknown*: everything is
closed and has to be opened again (``recovery``), where the copies are compared. Where no mirror or anchor is configured,
the memory is the journal alone. Not responsible for what entries mean.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware.entries.types import Entry
from firmware.journal.anchor import Anchor, Anchored
from firmware.journal.errors import CommitUnknownError
from firmware.journal.files import Files
from firmware.journal.mirror import Mirror
from firmware.journal.record import Head, Record, Tally
from firmware.journal.scrub import Scrubber
from firmware.journal.search import Search
from firmware.journal.store import JournalStore


@dataclass(frozen=True, slots=True)
class Places:
    """Where the copies are. Only ``data_dir`` is necessary; a cabinet has the others on other media."""

    data_dir: Path
    mirror_dir: Path | None = None
    anchor_file: Path | None = None


@dataclass(frozen=True, slots=True)
class Copies:
    """The open copies of one journal."""

    store: JournalStore
    mirror: Mirror | None = None
    anchor: Anchor | None = None


class CriticalMemory:
    """An open memory whose copies agree. Belongs to the thread that opened it; use ``recovery.open_memory``."""

    def __init__(
        self, copies: Copies, files: Files, release: Callable[[], None], anchored: Anchored | None = None
    ) -> None:
        """``release`` gives the folder free; ``anchored`` is what the anchor said before anything was repaired."""
        self.anchored = anchored
        """What the anchor remembered at the opening: the books must say the same at that place. None: nothing."""
        self._copies, self._files, self._release = copies, files, release
        self._scrubber = Scrubber(copies.store, copies.mirror, files)
        self._search = Search(copies.store)
        self._tidied_count = 0
        self._is_open = True

    @property
    def head(self) -> Head:
        """The journal's end."""
        return self._copies.store.head

    def append(self, entries: Sequence[Entry], at_ms: int, tally: Tally | None = None) -> tuple[Record, ...]:
        """Record entries in one durable transaction and in all copies. ``tally`` is what the books say after them.

        Raises:
            DuplicateEntryError: one of the entries is recorded already; nothing was written.
            DamagedJournalError: the newest rows are not what was written; nothing was written now.
            StoreUnavailableError: nothing was written (storage full or read-only before the commit).
            CommitUnknownError: a copy could not be written; open the memory again to know what is recorded.
        """
        store = self._usable()
        rows = store.append(entries, at_ms)
        if rows:
            try:
                if self._copies.mirror is not None:
                    self._copies.mirror.append(rows)
                if self._copies.anchor is not None:
                    self._copies.anchor.write(store.head, tally or Tally())
            except OSError as error:
                self.close()
                raise CommitUnknownError(f"a copy of the journal can't be written: {error}") from error
            store.checkpoint()
        return tuple(Record(row.seq, at_ms, entry, row.link) for row, entry in zip(rows, entries, strict=True))

    def records(self, after_seq: int = 0) -> Iterator[Record]:
        """Yield the records behind a number, sealed ones too. Raises DamagedJournalError."""
        return self._usable().records(after_seq)

    @property
    def search(self) -> Search:
        """What finds old entries quickly."""
        self._usable()
        return self._search

    def is_recorded(self, key: str) -> bool:
        """Tell whether a unique key is recorded."""
        return self._usable().is_recorded(key)

    def snapshots(self) -> Iterator[tuple[int, bytes]]:
        """Yield the sound snapshots, the newest first, each with the number of the record that it follows."""
        return self._usable().snapshots()

    @property
    def snapshot_is_due(self) -> bool:
        """Tell whether so much was recorded since the last snapshot that another should be kept."""
        return self._usable().snapshot_is_due

    def keep_snapshot(self, body: bytes, after: Head | None = None) -> None:
        """Keep what the journal means up to its end, or to a record of it; a mere cache. Errors as in ``append``."""
        self._usable().keep_snapshot(body, after)

    def check_structure(self) -> None:
        """Let SQLite check its file. Raises DamagedJournalError."""
        self._usable().check_structure()

    def tidy(self) -> tuple[Entry, ...]:
        """Do a little of what can wait: seal old rows, look through old parts, mend what is damaged there.

        Sealing takes up to a second, so call it between rounds, and often. Returns what was mended, to be recorded.

        Raises:
            DamagedJournalError: something is damaged of which there is no good copy.
            StoreUnavailableError, CommitUnknownError: as in ``append``.
        """
        store, mirror = self._usable(), self._copies.mirror
        try:
            segment = store.seal()
            if segment is not None and mirror is not None:
                mirror.take_segment(segment, self._files.read(store.segment_files.path(segment)))
            self._tidied_count += 1
            if self._tidied_count % store.sizes.scrub_calls:
                return ()
            mended = self._scrubber.step()
        except OSError as error:
            self.close()
            raise CommitUnknownError(f"a copy of the journal can't be read or written: {error}") from error
        return () if mended is None else (mended,)

    def close(self) -> None:
        """Close all copies; may be called twice."""
        if self._is_open:
            self._is_open = False
            try:
                self._copies.store.close()
            finally:
                self._release()

    def _usable(self) -> JournalStore:
        if not self._is_open:
            raise CommitUnknownError("the journal is closed")
        return self._copies.store
