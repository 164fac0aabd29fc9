"""Verifying the whole memory, read-only, beside a running terminal or on a copy: every row, key, segment and copy.

Not responsible for what the entries mean: whoever wants to know is given every record in order.
"""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from firmware.journal.anchor import Anchor, Anchored, FileSlots
from firmware.journal.critical import Places
from firmware.journal.errors import DamagedJournalError, JournalError
from firmware.journal.files import Files, OsFiles
from firmware.journal.mirror import Mirror
from firmware.journal.record import ChainError, Record, Row
from firmware.journal.store import JournalStore, open_store

_STEP_ROWS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found: the journal's end, how much was read, what the anchor remembers, and every problem in a line."""

    entry_count: int
    segment_count: int
    anchored: Anchored | None
    problems: tuple[str, ...]


def verify_memory(
    places: Places,
    *,
    files: Files | None = None,
    on_record: Callable[[Record], None] = lambda _: None,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Verified:
    """Read everything and compare the copies.

    Args:
        places: where the copies are.
        files: the file system, the operating system's by default.
        on_record: is given every record of the journal in order, up to the first damaged one.
        on_progress: is told how many rows are verified, and of how many.

    Raises:
        JournalError: there is no journal, or it is foreign.
    """
    files = files or OsFiles()
    store = open_store(places.data_dir, read_only=True, files=files)
    problems: list[str] = []
    try:
        _verify_database(store, problems)
        last = _verify_rows(store, problems, on_record, on_progress)
        if places.mirror_dir is not None:
            _verify_mirror(store, Mirror(places.mirror_dir, files), last, problems)
        anchored = _verify_anchor(store, places, files, problems)
        return Verified(store.head.seq, len(store.segments), anchored, tuple(problems))
    finally:
        store.close()


def _verify_database(store: JournalStore, problems: list[str]) -> None:
    try:
        store.check_structure()
    except DamagedJournalError as error:
        problems.append(str(error))
    problems += [
        f"segment {segment.name} is damaged or missing"
        for segment in store.segments
        if not store.segment_files.is_sound(segment)
    ]


def _verify_rows(
    store: JournalStore,
    problems: list[str],
    on_record: Callable[[Record], None],
    on_progress: Callable[[int, int], None],
) -> int:
    """Return the number of the last row that is sound with all before it."""
    last, key_count, all_count = 0, 0, store.head.seq
    try:
        for record in store.records():
            keys = record.entry.unique_keys() if record.entry.KEEPS_KEYS or record.seq > store.sealed.seq else ()
            problems += [f"entry {record.seq}: its key {key} is missing" for key in keys if not store.is_recorded(key)]
            key_count += len(keys)
            on_record(record)
            last = record.seq
            if last % _STEP_ROWS == 0:
                on_progress(last, all_count)
        extra = store.key_count(last) - key_count
        if extra:
            problems.append(f"{extra} unique keys more than the entries have")
    except (JournalError, sqlite3.DatabaseError) as error:
        problems.append(str(error))
    on_progress(all_count, all_count)
    return last


def _verify_mirror(store: JournalStore, mirror: Mirror, last: int, problems: list[str]) -> None:
    try:
        for row, mirrored in zip_longest(_rows_to(store, last), mirror.rows()):
            if row is None or mirrored is None:
                break  # a running terminal goes on meanwhile
            if row != mirrored:
                problems.append(f"mirror: entry {row.seq} differs")
                return
    except (ChainError, OSError, JournalError) as error:
        problems.append(str(error))
        return
    if mirror.head.seq < store.previous_seq:
        problems.append(f"mirror: ends at entry {mirror.head.seq}, the journal at {store.head.seq}")


def _rows_to(store: JournalStore, last: int) -> Iterator[Row]:
    for row in store.rows():
        if row.seq > last:
            return
        yield row


def _verify_anchor(store: JournalStore, places: Places, files: Files, problems: list[str]) -> Anchored | None:
    if places.anchor_file is None:
        return None
    if not files.exists(places.anchor_file):
        problems.append(f"anchor: {places.anchor_file} is missing")
        return None
    anchored = Anchor(FileSlots(places.anchor_file, files)).newest
    if anchored is None:
        problems.append("anchor: both slots are damaged")
    elif anchored.head.seq <= store.head.seq and not store.has(anchored.head):
        problems.append(f"anchor: remembers another entry {anchored.head.seq} than the journal has")
    elif anchored.head.seq < store.previous_seq:
        problems.append(f"anchor: remembers entry {anchored.head.seq}, the journal ends at {store.head.seq}")
    return anchored
