"""What the loop needs of the journal, and how the terminal's recorded state is loaded from it.

Not responsible for storage (``journal``) or for what entries mean (``terminal``).
"""

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from firmware.entries.types import Entry
from firmware.errors import InvariantError
from firmware.journal.anchor import Anchored
from firmware.journal.errors import CommitUnknownError
from firmware.journal.record import Head, Record, Tally
from firmware.journal.search import Search
from firmware.terminal.evolve import fold
from firmware.terminal.snapshot import decode_recorded, tally_of
from firmware.terminal.state import Recorded

FOLD_CHUNK: Final = 10_000


class ReadableJournal(Protocol):
    """What loading needs of a journal, or of a single copy of one."""

    @property
    def anchored(self) -> Anchored | None:
        """What the anchor remembered at the opening."""

    def records(self, after_seq: int = 0) -> Iterator[Record]:
        """Yield the records behind a number."""

    def snapshot(self) -> tuple[int, bytes] | None:
        """Return the newest snapshot and the number of the record that it follows."""


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

    def keep_snapshot(self, body: bytes) -> None:
        """Keep what the journal means so far."""

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

    def snapshot(self) -> tuple[int, bytes] | None:
        """Return none."""
        return None

    def keep_snapshot(self, body: bytes) -> None:
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
    kept = journal.snapshot()
    known = decode_recorded(kept[1]) if kept is not None else None
    if kept is not None and known is not None:
        try:
            return _folded(journal, known, kept[0])
        except InvariantError:  # a wrong cache, or wrong entries: the journal from its beginning tells
            pass
    return _folded(journal, Recorded(), 0)


def _folded(journal: ReadableJournal, recorded: Recorded, seq: int) -> Recorded:
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
            chunk = []
        if record.seq == anchored_seq:
            compare(recorded)
    return fold(recorded, chunk)
