"""Opening a store to read it: live beside a running terminal, or a copy. Nothing is ever written.

Refuses what this program can't judge: a newer version's journal, or one of another epoch than was asked for. Not
responsible for what the records mean.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Self

from firmware.entries.codec import is_known
from firmware.entries.types import Commissioned
from firmware.ids import EntryId
from firmware.journal.anchor import Anchored
from firmware.journal.errors import DamagedJournalError, ForeignFileError, OtherVersionError
from firmware.journal.record import ChainError, Head, Record, Row
from firmware.journal.segments import FOLDER, Segment
from firmware.journal.store import JournalStore, open_store


class JournalSource:
    """A journal that is only read. ``head`` is where it ended when it was opened."""

    anchored: Anchored | None = None
    """A reader trusts no anchor; ``verify`` looks at it."""

    def __init__(self, data_dir: Path, mirror_dir: Path | None = None, epoch: int | None = None) -> None:
        """Open the store in a folder; a mirror's sealed segments stand in for damaged ones.

        Raises:
            JournalError: there is none, or it can't be read, or it is of another version.
            ForeignFileError: it is of another epoch than ``epoch``.
        """
        self.data_dir, self._mirror_dir = data_dir, mirror_dir
        self._store = self._open()
        try:
            self.head: Head = self._store.head
            self.commissioned = self._first()
        except BaseException:
            self._store.close()
            raise
        if epoch is not None and self.commissioned.epoch != epoch:
            self._store.close()
            raise ForeignFileError(
                f"{data_dir}: the journal is of epoch {self.commissioned.epoch}, not of epoch {epoch}; "
                "older epochs lie in its archive folder"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The sealed segments."""
        return self._store.segments

    def name_of(self, seq: int) -> EntryId:
        """Return an entry's name in the whole venue."""
        return EntryId(self.commissioned.terminal, self.commissioned.epoch, seq)

    def rows(self, after_seq: int = 0) -> Iterator[Row]:
        """Yield the rows behind a number up to ``head``, checking the chain.

        A running terminal may seal rows while they are read; they are then read from where they went.

        Raises:
            DamagedJournalError: a gap or a changed row.
            OtherVersionError: an entry of a kind that only a newer version knows.
        """
        while after_seq < self.head.seq:
            sealed = self._store.sealed
            try:
                for row in self._store.rows(after_seq):
                    if row.seq > self.head.seq:
                        return
                    if not is_known(row.kind):
                        raise OtherVersionError(
                            f"{self.data_dir}: entry {row.seq} is a {row.kind}, which a newer version wrote; read it with that"
                        )
                    yield row
                    after_seq = row.seq
                if after_seq < self.head.seq:
                    raise DamagedJournalError(f"{self.data_dir}: ends at entry {after_seq}, not at {self.head.seq}")
            except DamagedJournalError:
                self._store.close()
                self._store = self._open()
                if self._store.sealed == sealed:
                    raise

    def records(self, after_seq: int = 0) -> Iterator[Record]:
        """Yield the records behind a number; errors as in ``rows``."""
        for row in self.rows(after_seq):
            try:
                yield row.record()
            except ChainError as error:
                raise DamagedJournalError(f"{self.data_dir}: {error}") from error

    def snapshots(self) -> Iterator[tuple[int, bytes]]:
        """Yield the snapshots that are not behind ``head``, the newest first, and the numbers of the rows they follow."""
        return (kept for kept in self._store.snapshots() if kept[0] <= self.head.seq)

    def was_sealed_meanwhile(self) -> bool:
        """Open the store again; tells whether a running terminal has sealed rows since it was opened last."""
        before = self._store.sealed
        self._store.close()
        self._store = self._open()
        self.head = self._store.head
        return self._store.sealed != before

    def reaches(self, seq: int) -> bool:
        """Tell whether the journal goes as far as an entry; looks again if it did not when it was opened."""
        if self.head.seq < seq:
            self.was_sealed_meanwhile()
        return self.head.seq >= seq

    def _open(self) -> JournalStore:
        store = open_store(self.data_dir, read_only=True)
        if self._mirror_dir is not None:
            store.segment_files.spare_folders = (self._mirror_dir / FOLDER,)
        return store

    def _first(self) -> Commissioned:
        first = next(self.records(), None)
        if first is None or not isinstance(first.entry, Commissioned):
            raise DamagedJournalError(f"{self.data_dir}: does not begin with the terminal's commissioning")
        return first.entry
