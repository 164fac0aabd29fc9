"""Carrying out a RAM clear: the old store is sealed in an archive, a new epoch begins, and a record survives it all.

Everything that is decided is first written to a plan; a power cut in the middle leaves the plan, and the next start goes
on with it before anything else opens the memory. The old journal moves to ``archive/epoch-N``, with copies of what mirror
and anchor said. Not responsible for who may clear (``ram_clear``) or for setting the copies aside (``journal.clear``).
"""

import hashlib
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from firmware.audit.ram_clear import Before, before_values, first_entry, money_keys_of
from firmware.audit.source import JournalSource
from firmware.audit.verify import verify
from firmware.audit.wording import iso
from firmware.entries.codec import decode, encode, kind_of
from firmware.entries.types import Commissioned, Entry
from firmware.errors import InvariantError
from firmware.ids import EntryId
from firmware.journal.anchor import Anchor, FileSlots
from firmware.journal.clear import clear_memory
from firmware.journal.critical import Places
from firmware.journal.errors import DamagedJournalError, JournalError, NoJournalError, StoreUnavailableError
from firmware.journal.files import OsFiles
from firmware.journal.mirror import Mirror
from firmware.journal.record import ChainError, Head, Tally
from firmware.journal.recovery import lock_memory, open_memory
from firmware.journal.segments import FOLDER
from firmware.terminal.evolve import fold
from firmware.terminal.state import Recorded

PLAN_NAME: Final = "ram-clear.plan"
RECORDS: Final = "ram-clears"
ARCHIVE: Final = "archive"
MANIFEST: Final = "sealed.json"
NEWEST_ENTRIES: Final = 2_000
"""Among so many are the notes and coins that a device may still repeat."""


@dataclass(frozen=True, slots=True)
class NewEpoch:
    """As what the terminal begins anew; the epoch is the old one's and one."""

    terminal: str
    store: str
    currency: str
    minor_digits: int
    program_version: str


def look(places: Places, terminal: str, on_rows: Callable[[int], None] = lambda _: None) -> Before:
    """Return what the memory says, and all that is wrong with it. Nothing is changed.

    Raises:
        NoJournalError: there is nothing to clear.
        ForeignFileError: a copy is another terminal's, epoch's or version's.
    """
    try:
        with JournalSource(places.data_dir) as source:
            found = verify(source, places, on_rows)
            return Before(
                source.commissioned.terminal,
                source.commissioned.epoch,
                source.head,
                found.recorded,
                found.problems,
                _money_keys(source),
            )
    except NoJournalError as error:
        if places.mirror_dir is None or not places.mirror_dir.is_dir():
            raise
        return _from_mirror(places, terminal, str(error))
    except DamagedJournalError as error:
        return _from_mirror(places, terminal, str(error))


def _money_keys(source: JournalSource) -> tuple[str, ...]:
    """Of a damaged journal as far as its newest entries can be read."""
    try:
        return money_keys_of(source.records(max(source.head.seq - NEWEST_ENTRIES, 0)))
    except DamagedJournalError:
        return ()


def clear(places: Places, new: NewEpoch, before: Before, *, by: str, reason: str, at_ms: int) -> Path:
    """Clear the memory; the terminal must be stopped. Returns the file that tells what was before.

    Raises:
        StoreUnavailableError: a terminal uses the memory, or a folder can't be written.
    """
    values = before_values(before, by, reason, iso(at_ms))
    name = f"{before.terminal}-epoch-{before.epoch}"
    text = json.dumps(values, indent=1).encode()
    commissioned = Commissioned(
        new.terminal, before.epoch + 1, new.store, new.currency, new.minor_digits, new.program_version
    )
    record = f"{name}-before.json"
    cleared = first_entry(before, by, reason, record, hashlib.sha256(text).hexdigest())
    plan = {
        "format": "croupier-ram-clear-plan/1",
        "name": name,
        "epoch": before.epoch,
        "at_ms": at_ms,
        "entries": [{"kind": kind_of(entry), "body": encode(entry)} for entry in (commissioned, cleared)],
    }
    release = lock_memory(places, OsFiles())
    try:
        folder = places.data_dir / RECORDS
        files = OsFiles()
        files.make_folder(folder)
        files.replace(folder / record, text)
        if places.mirror_dir is not None and places.mirror_dir.is_dir():
            files.make_folder(places.mirror_dir / RECORDS)
            files.replace(places.mirror_dir / RECORDS / record, text)
        files.replace(places.data_dir / PLAN_NAME, json.dumps(plan).encode())
    except OSError as error:
        raise StoreUnavailableError(f"{places.data_dir}: {error.strerror or error}; nothing was cleared") from error
    finally:
        release()
    finish(places)
    return folder / record


def finish(places: Places) -> bool:
    """Go on with a clear that was begun, if one was; tells whether there was one. To be called before any opening.

    Raises:
        StoreUnavailableError: a terminal uses the memory, or a folder can't be written; the plan stays.
    """
    path = places.data_dir / PLAN_NAME
    if not path.exists():
        return False
    try:
        plan: dict[str, Any] = json.loads(path.read_bytes())
        _carry_out(places, plan)
        OsFiles().remove(path)
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedJournalError(f"{path}: not a plan of this program ({error}); move it away") from error
    except OSError as error:
        raise StoreUnavailableError(
            f"{places.data_dir}: {error.strerror or error}; a RAM clear waits to be finished, start again"
        ) from error
    return True


def _carry_out(places: Places, plan: dict[str, Any]) -> None:
    entries = [decode(entry["kind"], entry["body"]) for entry in plan["entries"]]
    commissioned = entries[0]
    if not isinstance(commissioned, Commissioned):
        raise TypeError("its first entry commissions nothing")
    if not _has_begun(places, commissioned):
        _archive(places, plan["epoch"])
    memory = open_memory(places, plan["at_ms"])
    try:
        if memory.head.seq == 0:
            memory.append(entries, plan["at_ms"], Tally(epoch=commissioned.epoch))
        head = memory.head
    finally:
        memory.close()
    _write_after(places, plan["name"], commissioned, head, entries)


def _has_begun(places: Places, commissioned: Commissioned) -> bool:
    """Tell whether the journal that is there is the new epoch's already."""
    try:
        with JournalSource(places.data_dir) as source:
            return source.commissioned.epoch == commissioned.epoch
    except DamagedJournalError:
        return (places.data_dir / ARCHIVE / _folder_of(commissioned.epoch - 1)).is_dir() and _is_empty_journal(places)
    except JournalError:
        return False


def _is_empty_journal(places: Places) -> bool:
    """Tell whether the new journal is there without its first entries: power went between the two."""
    try:
        memory = open_memory(places, 0)
    except JournalError:
        return False
    try:
        return memory.head.seq == 0
    finally:
        memory.close()


def _folder_of(epoch: int) -> str:
    return f"epoch-{epoch:05d}"


def _archive(places: Places, epoch: int) -> None:
    """Set the memory aside, gather what is left of it in the archive, and seal it with a manifest of checksums.

    Mirror and anchor are wiped, so what they said is copied first: the journal may be the copy that is lost.
    """
    target = places.data_dir / ARCHIVE / _folder_of(epoch)
    target.mkdir(parents=True, exist_ok=True)
    if places.anchor_file is not None and places.anchor_file.exists() and not (target / "anchor").exists():
        OsFiles().replace(target / "anchor", places.anchor_file.read_bytes())
    if places.mirror_dir is not None and places.mirror_dir.is_dir():
        _keep_mirror(places.mirror_dir, places.mirror_dir / ARCHIVE / _folder_of(epoch))
    clear_memory(places)
    for path in sorted(places.data_dir.iterdir()):
        name = _name_before(path.name)
        if name.endswith("-shm") or (name.endswith("-wal") and path.stat().st_size == 0):
            path.unlink()  # SQLite's index of its log, or a log without anything
        elif name:
            _move(path, target / name)
    _seal(target)


def _keep_mirror(mirror_dir: Path, target: Path) -> None:
    """Copy the mirror's files, unless the sealed copy of an interrupted clear is there already."""
    if (target / MANIFEST).exists():
        return
    for path in [*sorted(mirror_dir.glob("log-*.bin")), *sorted((mirror_dir / FOLDER).glob("*.gz"))]:
        place = target / path.relative_to(mirror_dir)
        place.parent.mkdir(parents=True, exist_ok=True)
        OsFiles().replace(place, path.read_bytes())
    target.mkdir(parents=True, exist_ok=True)
    _seal(target)


def _name_before(name: str) -> str:
    """Return what a set-aside file or folder was called; empty for anything else."""
    match = re.fullmatch(r"(journal\.sqlite|segments)\.cleared-\d+(-wal|-shm)?", name)
    return f"{match[1]}{match[2] or ''}" if match else ""


def _move(path: Path, place: Path) -> None:
    number = 1
    while place.exists():
        place, number = place.with_name(f"{place.name}.{number}"), number + 1
    path.rename(place)
    for folder in (path.parent, place.parent):
        _sync(folder)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _seal(folder: Path) -> None:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(MANIFEST)]
    sums = {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    OsFiles().replace(
        folder / MANIFEST, json.dumps({"format": "croupier-archive/1", "sha256": sums}, indent=1).encode()
    )
    for path in (*files, folder / MANIFEST):
        path.chmod(0o444)


def _write_after(places: Places, name: str, new: Commissioned, head: Head, entries: list[Entry]) -> None:
    after = {
        "format": "croupier-ram-clear/1",
        "terminal": new.terminal,
        "epoch": new.epoch,
        "head": {"seq": head.seq, "link": head.link.hex()},
        "entries": [str(EntryId(new.terminal, new.epoch, seq)) for seq in range(1, len(entries) + 1)],
        "meters": {},
        "credit_minor": 0,
        "handpay_minor": 0,
    }
    folders = [places.data_dir, *([places.mirror_dir] if places.mirror_dir is not None else [])]
    for folder in folders:
        OsFiles().make_folder(folder / RECORDS)
        OsFiles().replace(folder / RECORDS / f"{name}-after.json", json.dumps(after, indent=1).encode())


def _from_mirror(places: Places, terminal: str, problem: str) -> Before:
    """The journal can't be read: what does the mirror say, or at least the anchor?"""
    problems, recorded, head, keys = [problem], Recorded(), Head(), tuple[str, ...]()
    if places.mirror_dir is not None and places.mirror_dir.is_dir():
        try:
            rows = list(Mirror(places.mirror_dir, OsFiles()).rows())
            records = [row.record() for row in rows]
            recorded = fold(recorded, records)
            keys = money_keys_of(records)
            head = Head(rows[-1].seq, rows[-1].link) if rows else head
        except (ChainError, InvariantError, OSError) as error:
            problems.append(str(error))
            recorded = Recorded()
    if recorded.commissioned is not None:
        known = recorded.commissioned
        return Before(known.terminal, known.epoch, head, recorded, tuple(problems), keys)
    epoch = _archived_epoch(places) + 1
    if places.anchor_file is not None and places.anchor_file.exists():
        anchored = Anchor(FileSlots(places.anchor_file, OsFiles())).newest
        if anchored is not None:
            epoch, head = anchored.tally.epoch or epoch, anchored.head
            problems.append(f"the anchor remembers {anchored.tally}")
    return Before(terminal, epoch, head, Recorded(), tuple(problems))


def _archived_epoch(places: Places) -> int:
    folder = places.data_dir / ARCHIVE
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    numbers = [int(name.removeprefix("epoch-")) for name in names if name.removeprefix("epoch-").isdigit()]
    return max(numbers, default=0)
