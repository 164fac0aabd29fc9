"""Looking through the old parts of the memory, a little at a time, and mending what one good copy allows.

At the opening only the database and the mirror's newest log are read; bits may rot elsewhere. Each step looks at one
sealed segment, one log of the mirror, or some rows of the database. Not responsible for how often (``critical``).
"""

from collections.abc import Iterable, Iterator
from typing import Final

from firmware.entries.codec import ALL_TYPES
from firmware.entries.types import MemoryRebuilt
from firmware.journal.errors import DamagedJournalError
from firmware.journal.files import Files
from firmware.journal.mirror import Mirror
from firmware.journal.record import Head, Row
from firmware.journal.segments import FOLDER, Segment
from firmware.journal.store import JournalStore

_ROWS: Final = 500
_KEEPING_KEYS: Final = frozenset(f"{kind.KIND}/{kind.VERSION}" for kind in ALL_TYPES if kind.KEEPS_KEYS)
_BATCH_ROWS: Final = 200


class Scrubber:
    """Looks at everything in turn, for ever."""

    def __init__(self, store: JournalStore, mirror: Mirror | None, files: Files) -> None:
        """Begin with the oldest."""
        self._store, self._mirror, self._files = store, mirror, files
        self._round: Iterator[MemoryRebuilt | None] = iter(())

    def step(self) -> MemoryRebuilt | None:
        """Look at the next part; returns what was mended, if anything.

        Raises:
            DamagedJournalError: something is damaged of which there is no good copy.
            OSError: a copy can't be read or written.
        """
        for mended in self._round:
            return mended
        self._round = self._look()
        return next(self._round, None)

    def _look(self) -> Iterator[MemoryRebuilt | None]:
        store, mirror = self._store, self._mirror
        store.check_structure()
        yield None
        before = Head()
        for segment in store.segments:
            yield self._segment(segment)
            yield self._keys(row for row in store.segment_files.rows(segment, before) if row.kind in _KEEPING_KEYS)
            before = segment.head
        if mirror is not None:
            for name in mirror.logs():
                is_sound = mirror.log_is_sound(name) and mirror.first_seq <= store.sealed.seq + 1
                yield None if is_sound else self._mirror_anew(mirror, f"{name} was damaged")
        seq = store.sealed.seq
        while seq < store.head.seq:
            rows = store.live_rows(seq, _ROWS)
            seq = rows[-1].seq
            yield self._keys(rows)

    def _keys(self, rows: Iterable[Row]) -> MemoryRebuilt | None:
        lost = [
            (key, row.seq)
            for row in rows
            for key in row.record().entry.unique_keys()
            if not self._store.is_recorded(key)
        ]
        if not lost:
            return None
        self._store.claim_again(lost)
        return MemoryRebuilt("journal", lost[0][1], lost[-1][1], f"{len(lost)} unique keys were missing")

    def _segment(self, segment: Segment) -> MemoryRebuilt | None:
        store, mirror = self._store, self._mirror
        own, spare = store.segment_files.path(segment), None if mirror is None else mirror.folder / FOLDER
        own_is_sound = store.segment_files.is_sound(segment)
        spare_is_sound = spare is not None and store.segment_files.is_sound(segment, spare)
        if own_is_sound and (spare_is_sound or mirror is None):
            return None
        if own_is_sound and mirror is not None:
            mirror.take_segment(segment, self._files.read(own))
            return MemoryRebuilt("mirror", segment.first_seq, segment.last_seq, f"segment {segment.name} was damaged")
        if spare is not None and spare_is_sound:
            store.segment_files.write(segment, self._files.read(spare / segment.name))
            return MemoryRebuilt("journal", segment.first_seq, segment.last_seq, f"segment {segment.name} was damaged")
        raise DamagedJournalError(f"{own}: a sealed segment is damaged or missing, and there is no good copy of it")

    def _mirror_anew(self, mirror: Mirror, detail: str) -> MemoryRebuilt:
        mirror_from_store(mirror, self._store)
        return MemoryRebuilt("mirror", self._store.sealed.seq, self._store.head.seq, detail)


def mirror_from_store(mirror: Mirror, store: JournalStore) -> None:
    """Write the mirror's logs anew from the journal. Raises OSError, DamagedJournalError."""
    mirror.clear(store.sealed)
    follow(mirror, store)


def follow(mirror: Mirror, store: JournalStore) -> None:
    """Append to the mirror what the journal has and it lacks. Raises OSError, DamagedJournalError."""
    batch = []
    for row in store.rows(mirror.head.seq):
        batch.append(row)
        if len(batch) == _BATCH_ROWS:
            mirror.append(batch)
            batch = []
    if batch:
        mirror.append(batch)
