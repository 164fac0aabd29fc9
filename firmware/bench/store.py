"""Stores of many rounds: a made-up life is put into journal, mirror and anchor as fast as the journal's own code can.

The rows are chained, sealed and copied by the same code as on a terminal, only many commits in one transaction. The last
rows follow the newest snapshot, as a running terminal leaves them when power goes. Not responsible for measuring
(``journal``) or for what happened (``made_history``).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware.app import games_on_offer
from firmware.bench.made_history import MadeHistory
from firmware.entries.types import Entry, RoundSettled
from firmware.journal.anchor import Anchor, FileSlots
from firmware.journal.critical import Places
from firmware.journal.files import Files, OsFiles
from firmware.journal.mirror import Mirror
from firmware.journal.record import Head, Record, Row, rows_for
from firmware.journal.sizes import USUAL
from firmware.journal.store import JournalStore, make_store, open_store
from firmware.settings.sections import Settings
from firmware.terminal.evolve import fold
from firmware.terminal.snapshot import encode_recorded, tally_of
from firmware.terminal.state import Recorded

_BATCH_ROWS: Final = 2_000
_BEHIND_SNAPSHOT: Final = USUAL.snapshot_rows - 20


def places_in(folder: Path) -> Places:
    """Return where the copies of a store lie in a folder: each in one of its own, as on three media."""
    return Places(folder / "data", folder / "mirror", folder / "third" / "anchor")


def fill(
    places: Places, settings: Settings, round_count: int, on_progress: Callable[[int], None] = lambda _: None
) -> None:
    """Make a store with so many rounds; ``on_progress`` is told how many are in. Raises StoreUnavailableError."""
    make_store(places.data_dir)
    files, store = OsFiles(), open_store(places.data_dir)
    try:
        mirror = Mirror(places.mirror_dir, files) if places.mirror_dir is not None else None
        filling = _Filling(store, mirror, files)
        history = MadeHistory(settings, games_on_offer(settings))
        for at_ms, entries in history.commits():
            filling.take(at_ms, entries)
            if history.round_count >= round_count and isinstance(entries[-1], RoundSettled):
                break
            if len(filling.rows) >= _BATCH_ROWS:
                filling.write(len(filling.rows))
                on_progress(history.round_count)
        filling.write(max(len(filling.rows) - _BEHIND_SNAPSHOT, 0))
        store.keep_snapshot(encode_recorded(filling.recorded))
        filling.write(len(filling.rows))
        on_progress(round_count)
        if places.anchor_file is not None:
            anchor = Anchor(FileSlots(places.anchor_file, files))
            for _ in range(2):
                anchor.write(store.head, tally_of(filling.recorded))
    finally:
        store.close()


class _Filling:
    """Rows on their way into the copies; ``recorded`` is what those that are in give."""

    def __init__(self, store: JournalStore, mirror: Mirror | None, files: Files) -> None:
        self.rows: list[Row] = []
        self.recorded = Recorded()
        self._records: list[Record] = []
        self._head = store.head
        self._store, self._mirror, self._files = store, mirror, files

    def take(self, at_ms: int, entries: tuple[Entry, ...]) -> None:
        rows = rows_for(entries, at_ms, self._head)
        self._head = Head(rows[-1].seq, rows[-1].link)
        self.rows += rows
        self._records += [Record(row.seq, at_ms, entry, row.link) for row, entry in zip(rows, entries, strict=True)]

    def write(self, count: int) -> None:
        rows, self.rows = self.rows[:count], self.rows[count:]
        records, self._records = self._records[:count], self._records[count:]
        if not rows:
            return
        self._store.restore(rows)
        self.recorded = fold(self.recorded, records)
        if self._mirror is not None:
            self._mirror.append(rows)
        while (segment := self._store.seal()) is not None:
            if self._mirror is not None:
                self._mirror.take_segment(segment, self._files.read(self._store.segment_files.path(segment)))
        self._store.checkpoint()
