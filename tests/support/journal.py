"""A journal that passes everything on; tests override what they want to go wrong."""

from collections.abc import Iterator, Sequence

from firmware.entries.types import Entry
from firmware.journal.anchor import Anchored
from firmware.journal.record import Head, Record, Tally
from firmware.journal.search import Search
from firmware.memory import Journal


class JournalProxy:
    """A real journal behind a thin wall."""

    def __init__(self, real: Journal) -> None:
        self.real = real

    @property
    def head(self) -> Head:
        return self.real.head

    @property
    def anchored(self) -> Anchored | None:
        return self.real.anchored

    def append(self, entries: Sequence[Entry], at_ms: int, tally: Tally | None = None) -> tuple[Record, ...]:
        return self.real.append(entries, at_ms, tally)

    def records(self, after_seq: int = 0) -> Iterator[Record]:
        return self.real.records(after_seq)

    @property
    def search(self) -> Search | None:
        """What finds old entries."""
        return self.real.search

    def is_recorded(self, key: str) -> bool:
        return self.real.is_recorded(key)

    def snapshots(self) -> Iterator[tuple[int, bytes]]:
        return self.real.snapshots()

    @property
    def snapshot_is_due(self) -> bool:
        return self.real.snapshot_is_due

    def keep_snapshot(self, body: bytes, after: Head | None = None) -> None:
        self.real.keep_snapshot(body, after)

    def tidy(self) -> tuple[Entry, ...]:
        return self.real.tidy()

    def close(self) -> None:
        self.real.close()
