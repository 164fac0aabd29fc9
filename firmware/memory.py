"""What the loop needs of the journal, and how the terminal's recorded state is loaded from it.

Not responsible for storage (``journal``) or for what entries mean (``terminal``).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final, Protocol

from firmware.entries.types import Entry
from firmware.errors import InvariantError
from firmware.journal.anchor import Anchored
from firmware.journal.errors import CommitUnknownError, StoreUnavailableError
from firmware.journal.record import Head, Record, Tally
from firmware.journal.search import Search
from firmware.terminal.evolve import fold
from firmware.terminal.snapshot import decode_recorded, encode_recorded, tally_of
from firmware.terminal.state import Recorded

FOLD_CHUNK: Final = 10_000
KEEP_EVERY: Final = 100_000
"""A long reading leaves a snapshot behind so many entries: a power cut in it costs no more than these again."""

Progress = Callable[[int, int], None]
"""Is told how many entries are read, and of how many."""


class ReadableJournal(Protocol):
    """What loading needs of a journal, or of a single copy of one."""

    @property
    def anchored(self) -> Anchored | None:
        """What the anchor remembered at the opening."""

    def records(self, after_seq: int = 0) -> Iterator[Record]:
        """Yield the records behind a number."""

    def snapshots(self) -> Iterator[tuple[int, bytes]]:
        """Yield the snapshots, the newest first, each with the number of the record that it follows."""


class Journal(ReadableJournal, Protocol):
    """What the loop needs of the journal's storage; see ``firmware.journal.critical``."""

    @property
    def head(self) -> Head:
        """The journal's end."""

    def append(self, entries: Sequence[Entry], at_ms: int, tally: Tally | None = None) -> tuple[Record, ...]:
        """Record entries in one durable transaction; ``tally`` is what the books say after them."""

    def is_recorded(self, key: str) -> bool:
        """Tell whether a unique key is recorded."""

    @property
    def search(self) -> Search | None:
        """What finds old entries quickly; None: there are none."""

    @property
    def snapshot_is_due(self) -> bool:
        """Tell whether another snapshot should be kept."""

    def keep_snapshot(self, body: bytes, after: Head | None = None) -> None:
        """Keep what the journal means so far, or up to a record of it."""

    def tidy(self) -> tuple[Entry, ...]:
        """Do some housekeeping; returns what has to be recorded of it."""

    def close(self) -> None:
        """Close the storage."""


class NoMemory:
    """Stands in for a memory that can't be trusted: it holds nothing and takes nothing."""

    head = Head()
    anchored = None
    search = None
    snapshot_is_due = False

    def append(self, entries: Sequence[Entry], at_ms: int, tally: Tally | None = None) -> tuple[Record, ...]:
        """Refuse to record. Raises CommitUnknownError."""
        raise CommitUnknownError("there is no memory to record in")

    def records(self, after_seq: int = 0) -> Iterator[Record]:
        """Yield nothing."""
        return iter(())

    def is_recorded(self, key: str) -> bool:
        """Tell that nothing is recorded."""
        return False

    def snapshots(self) -> Iterator[tuple[int, bytes]]:
        """Yield nothing."""
        return iter(())

    def keep_snapshot(self, body: bytes, after: Head | None = None) -> None:
        """Refuse to record. Raises CommitUnknownError."""
        raise CommitUnknownError("there is no memory to record in")

    def tidy(self) -> tuple[Entry, ...]:
        """Do nothing."""
        return ()

    def close(self) -> None:
        """Do nothing."""


def load_recorded(journal: ReadableJournal) -> Recorded:
    """Return what the journal says: the newest snapshot and all that was recorded after it.

    Raises:
        DamagedJournalError: the chain or an entry is broken.
        InvariantError: the entries contradict each other, or the books are not those that the anchor remembers.
    """
    return _loaded(journal, lambda _recorded, _last: None)


def take_up(journal: Journal, on_progress: Progress) -> Recorded:
    """Do as ``load_recorded`` for a terminal that goes on with this journal.

    Where no snapshot is of this version's form, the whole journal is read, which takes minutes after a year of play:
    ``on_progress`` is told, and snapshots are kept on the way, so that what was read stays read.

    Raises:
        DamagedJournalError, InvariantError: as ``load_recorded``.
        CommitUnknownError: a snapshot's commit ended with an error; the journal is closed.
    """
    kept_seq: int | None = None

    def look(recorded: Recorded, last: Record) -> None:
        nonlocal kept_seq
        on_progress(last.seq, journal.head.seq)
        if kept_seq is None:
            kept_seq = last.seq
        elif last.seq - kept_seq >= KEEP_EVERY:
            kept_seq = last.seq
            with suppress(StoreUnavailableError):  # nothing was written; a cache can do without
                journal.keep_snapshot(encode_recorded(recorded), Head(last.seq, last.link))

    return _loaded(journal, look)


_OnChunk = Callable[[Recorded, Record], None]
"""Is told the state behind each whole chunk, and the chunk's last record."""


def _loaded(journal: ReadableJournal, on_chunk: _OnChunk) -> Recorded:
    for seq, body in journal.snapshots():
        known = decode_recorded(body)
        if known is None:
            continue  # of another version, which may come back
        with suppress(InvariantError):  # a wrong cache, or wrong entries: what is older tells
            return _folded(journal, known, seq, on_chunk)
    return _folded(journal, Recorded(), 0, on_chunk)


def _folded(journal: ReadableJournal, recorded: Recorded, seq: int, on_chunk: _OnChunk) -> Recorded:
    anchored = journal.anchored
    anchored_seq = anchored.head.seq if anchored is not None and anchored.tally.epoch else None
    chunk: list[Record] = []

    def compare(state: Recorded) -> None:
        if anchored is not None and anchored.tally != tally_of(state):
            raise InvariantError(f"the anchor remembers {anchored.tally}, the journal gives {tally_of(state)}")

    if seq == anchored_seq:
        compare(recorded)
    for record in journal.records(seq):
        chunk.append(record)
        if len(chunk) == FOLD_CHUNK or record.seq == anchored_seq:
            recorded = fold(recorded, chunk)
            on_chunk(recorded, record)
            chunk = []
        if record.seq == anchored_seq:
            compare(recorded)
    return fold(recorded, chunk)
