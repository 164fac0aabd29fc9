"""Opening the critical memory: the copies are compared, one that lags is brought up, one that is lost is made anew.

Power may go between one copy and the next, so the mirror and then the anchor may lack what the last append wrote; that
is mended silently. Everything else is evidence that a medium lost or changed something. If a copy that can be trusted
is left, the others are made from it and the journal says so. If none is left, the memory stays locked, however often
the power is switched: nothing is written, so that an audit finds what there is.

Not responsible for damage deep in the past (``verify``): at the opening the ends are compared and the newest rows read.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.entries.types import MemoryRebuilt
from firmware.journal.anchor import Anchor, Anchored, FileSlots
from firmware.journal.critical import Copies, CriticalMemory, Places
from firmware.journal.errors import (
    CommitUnknownError,
    DamagedJournalError,
    DuplicateEntryError,
    ForeignFileError,
    JournalError,
    MemoryLockUpError,
    NoJournalError,
    OtherVersionError,
    StoreUnavailableError,
)
from firmware.journal.files import Files, OsFiles
from firmware.journal.mirror import Mirror
from firmware.journal.record import ChainError, Head, Row, Tally
from firmware.journal.schema import FILE_NAME, unavailable
from firmware.journal.scrub import follow
from firmware.journal.segments import FOLDER, read_segments
from firmware.journal.sizes import USUAL, Sizes
from firmware.journal.store import JournalStore, make_store, open_store

LOCK_NAME: Final = ".lock"
_BATCH_ROWS: Final = 200


@dataclass(frozen=True, slots=True)
class _Medium:
    """Where and through what the copies are reached."""

    places: Places
    at_ms: int
    files: Files
    vfs: str | None
    sizes: Sizes

    @property
    def path(self) -> Path:
        return self.places.data_dir / FILE_NAME

    def open_store(self) -> JournalStore:
        store = open_store(self.places.data_dir, files=self.files, vfs=self.vfs, sizes=self.sizes)
        if self.places.mirror_dir is not None:
            store.segment_files.spare_folders = (self.places.mirror_dir / FOLDER,)
        return store


def open_memory(
    places: Places, at_ms: int, *, files: Files | None = None, vfs: str | None = None, sizes: Sizes = USUAL
) -> CriticalMemory:
    """Open the memory; a new one is made only where no copy holds anything.

    Args:
        places: where the copies are.
        at_ms: wall time, for the entry that tells of a repair.
        files: the file system, the operating system's by default.
        vfs: name of a registered SQLite VFS (the power-loss tests record through one).
        sizes: how much is kept where.

    Raises:
        ForeignFileError: a file is something else or of another version; it is left untouched.
        DamagedJournalError: the journal is damaged and there is no other copy; it is left untouched.
        MemoryLockUpError: the copies contradict each other and none can be trusted; all are left untouched.
        StoreUnavailableError: a copy can't be written, or another process uses the journal.
    """
    medium = _Medium(places, at_ms, files or OsFiles(), vfs, sizes)
    release = lock_memory(places, medium.files)
    store: JournalStore | None = None
    try:
        mirror, anchor = _open_others(medium)
        store, trouble = _open_journal(medium, mirror, anchor)
        anchored = anchor.newest if anchor is not None else None
        good_mirror = _better_mirror(store, trouble, mirror, anchor)
        if good_mirror is not None and anchor is not None:
            _bring_up_anchor(anchor, good_mirror.head)
        if good_mirror is not None and store is not None:
            _catch_up(medium, store, good_mirror)
        elif good_mirror is not None:
            _make_anew(medium, good_mirror, str(trouble))
        store = store or medium.open_store()
        _bring_up(medium, Copies(store, mirror, anchor))
        return CriticalMemory(Copies(store, mirror, anchor), medium.files, release, anchored)
    except BaseException as error:
        if store is not None:
            store.close()
        release()
        if isinstance(error, OSError | CommitUnknownError):
            raise unavailable(places.data_dir, error) from error
        raise


def lock_memory(places: Places, files: Files) -> Callable[[], None]:
    """Become the only user of the memory; returns what ends that. Raises StoreUnavailableError."""
    folder = places.data_dir
    try:
        files.make_folder(folder)
        return files.lock(folder / LOCK_NAME)
    except BlockingIOError as error:
        raise StoreUnavailableError(f"{folder}: another croupier uses this folder; end it or choose another") from error
    except OSError as error:
        raise unavailable(folder, error) from error


def _open_others(medium: _Medium) -> tuple[Mirror | None, Anchor | None]:
    places, files = medium.places, medium.files
    mirror = anchor = None
    if places.mirror_dir is not None:
        try:
            mirror = Mirror(places.mirror_dir, files, medium.sizes)
        except OSError as error:
            raise unavailable(places.mirror_dir, error) from error
    if places.anchor_file is not None:
        try:
            anchor = Anchor(FileSlots(places.anchor_file, files))
        except OSError as error:
            raise unavailable(places.anchor_file, error) from error
    return mirror, anchor


def _open_journal(
    medium: _Medium, mirror: Mirror | None, anchor: Anchor | None
) -> tuple[JournalStore | None, JournalError | None]:
    """Return the journal, or what is wrong with it. A new one is made where no copy holds anything."""
    is_new = (mirror is None or mirror.is_empty) and (anchor is None or anchor.is_blank)
    try:
        return medium.open_store(), None
    except NoJournalError:
        if not is_new:
            return None, DamagedJournalError(f"{medium.path}: it is missing")
        make_store(medium.places.data_dir, files=medium.files, vfs=medium.vfs)
        return medium.open_store(), None
    except OtherVersionError:
        raise
    except (ForeignFileError, DamagedJournalError) as error:
        if is_new:
            raise
        return None, error


def _better_mirror(
    store: JournalStore | None, trouble: JournalError | None, mirror: Mirror | None, anchor: Anchor | None
) -> Mirror | None:
    """Return the mirror when it knows more than the journal, None when the journal can be trusted.

    Raises:
        MemoryLockUpError: no copy can be trusted.
    """
    anchored = anchor.newest if anchor is not None else None
    sound = mirror if mirror is not None and not mirror.damage and not mirror.is_empty else None
    if store is not None:
        is_vouched = anchored is None or store.has(anchored.head)
        if is_vouched and (sound is None or store.has(sound.head)):
            return None
        extends = sound is not None and sound.holds(store.head)
        if is_vouched and not extends:
            if anchored is not None:
                return None
            raise MemoryLockUpError(_text("journal and mirror have parted ways", store, mirror, anchored))
        if not extends:
            raise MemoryLockUpError(_text("the journal is not what the anchor remembers", store, mirror, anchored))
    if sound is None:
        raise MemoryLockUpError(_text(f"the journal is lost ({trouble})", store, mirror, anchored))
    if anchored is not None and not sound.holds(anchored.head):
        raise MemoryLockUpError(_text("neither journal nor mirror reaches the anchor", store, mirror, anchored))
    if store is None and anchor is not None and anchor.has_bad_slot and anchored and sound.head == anchored.head:
        # A slot that power cut short says that the mirror was written before; it has nothing beyond the other slot.
        raise MemoryLockUpError(_text("the journal is lost and the last append is in doubt", store, mirror, anchored))
    return sound


def _text(reason: str, store: JournalStore | None, mirror: Mirror | None, anchored: Anchored | None) -> str:
    parts = [f"journal ends at {store.head.seq if store else 'nothing'}"]
    if mirror is not None:
        parts.append(f"mirror at {mirror.head.seq}" + (f" ({mirror.damage})" if mirror.damage else ""))
    if anchored is not None:
        parts.append(f"anchor at {anchored.head.seq}")
        if anchored.tally.epoch:
            parts.append(f"last known credit {anchored.tally.credit_minor}")
    return f"memory lock-up: {reason}; {', '.join(parts)}; a technician's RAM clear is needed"


def _catch_up(medium: _Medium, store: JournalStore, mirror: Mirror) -> None:
    """Give the journal back what its storage has lost. Raises MemoryLockUpError when the mirror is damaged there."""
    from_seq = store.head.seq
    try:
        _take_rows(store, mirror.rows(), mirror.head)
    except (ChainError, DamagedJournalError, DuplicateEntryError) as error:
        raise MemoryLockUpError(f"memory lock-up: the journal has lost entries and {error}") from error
    store.append((MemoryRebuilt("journal", from_seq, store.head.seq, "its newest entries were lost"),), medium.at_ms)


def _make_anew(medium: _Medium, mirror: Mirror, trouble: str) -> None:
    """Make the journal anew from the mirror and the sealed segments, and set what there was aside.

    Raises:
        MemoryLockUpError: the mirror is damaged further back; nothing was changed.
    """
    folders = tuple(folder / FOLDER for folder in (medium.places.data_dir, mirror.folder))

    def fill(new: JournalStore) -> None:
        for segment, rows, data in read_segments(folders, medium.files):
            new.segment_files.write(segment, data)
            new.adopt(segment, rows)
        _take_rows(new, mirror.log_rows(), mirror.head)
        new.append((MemoryRebuilt("journal", 0, new.head.seq, trouble),), medium.at_ms)

    try:
        make_store(medium.places.data_dir, files=medium.files, vfs=medium.vfs, fill=fill)
    except (ChainError, DamagedJournalError, DuplicateEntryError) as error:
        raise MemoryLockUpError(
            f"memory lock-up: the journal is lost ({trouble}) and so is the mirror ({error})"
        ) from error


def _take_rows(store: JournalStore, rows: Iterator[Row], end: Head) -> None:
    """Append those rows that the journal does not hold. Raises ChainError when they do not lead to ``end``."""
    batch: list[Row] = []
    for row in rows:
        if row.seq > store.head.seq + len(batch):
            batch.append(row)
        if len(batch) == _BATCH_ROWS:
            store.restore(batch)
            batch = []
    store.restore(batch)
    if store.head != end:
        raise ChainError(f"the mirror leads to entry {store.head.seq}, not to {end.seq}")


def _bring_up(medium: _Medium, copies: Copies) -> None:
    """Bring mirror and anchor to the journal's end, and record what was more than power lost between two writes."""
    store, mirror, anchor = copies.store, copies.mirror, copies.anchor
    mirror_trouble = _mirror_trouble(store, mirror) if mirror is not None else ""
    anchor_trouble = _anchor_trouble(store, anchor) if anchor is not None else ""
    is_apart = mirror is not None and (bool(mirror.damage) or not store.has(mirror.head))
    repairs: list[MemoryRebuilt] = []
    if mirror is not None and mirror_trouble:
        repairs.append(MemoryRebuilt("mirror", mirror.head.seq, store.head.seq, mirror_trouble))
    if anchor is not None and anchor_trouble:
        from_seq = anchor.newest.head.seq if anchor.newest is not None else 0
        repairs.append(MemoryRebuilt("anchor", from_seq, store.head.seq, anchor_trouble))
    if repairs:
        if anchor is not None and not anchor_trouble:  # or it would lack two appends if power goes after this one
            _bring_up_anchor(anchor, store.head)
        store.append(repairs, medium.at_ms)
    if mirror is not None:
        _bring_up_mirror(medium, store, mirror, is_apart=is_apart)
    if anchor is not None:
        _bring_up_anchor(anchor, store.head)


def _bring_up_anchor(anchor: Anchor, head: Head) -> None:
    """Let both slots be sound, and the newest remember this end; what the books say at it is not known here."""
    if anchor.newest is None or anchor.newest.head != head:
        anchor.write(head, Tally())
    if anchor.has_bad_slot:
        anchor.write(head, Tally())


def _mirror_trouble(store: JournalStore, mirror: Mirror) -> str:
    """Return what the mirror lacks beyond what power can take between two writes, or nothing."""
    if mirror.damage:
        return mirror.damage
    if not store.has(mirror.head):
        return "it held other entries"
    if mirror.head.seq < store.previous_seq:
        return "its newest entries were missing"
    if mirror.first_seq > store.sealed.seq + 1:
        return "its oldest log was missing"
    if any(not mirror.has_segment(segment) for segment in store.segments[:-1]):
        return "sealed segments were missing"
    return ""


def _anchor_trouble(store: JournalStore, anchor: Anchor) -> str:
    """Return what the anchor lacks beyond what power can take between two writes, or nothing."""
    if anchor.newest is None:
        return "both slots were damaged"
    if anchor.newest.head.seq < store.previous_seq:
        return "its newest slot was missing"
    if anchor.has_bad_slot and anchor.newest.head == store.head:
        return "a slot was damaged"
    return ""


def _bring_up_mirror(medium: _Medium, store: JournalStore, mirror: Mirror, *, is_apart: bool) -> None:
    if is_apart or mirror.head.seq < store.sealed.seq or mirror.first_seq > store.sealed.seq + 1:
        mirror.clear(store.sealed)
    for segment in store.segments:
        if not mirror.has_segment(segment) and store.segment_files.is_sound(segment):
            mirror.take_segment(segment, medium.files.read(store.segment_files.path(segment)))
    follow(mirror, store)
