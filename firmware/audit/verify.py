"""Verifying a store: the whole chain, all copies, and every figure folded again from the beginning.

Nothing is believed that can be computed: the meters of the newest snapshot must be those of a fresh fold, the mirror's
rows those of the journal, the anchor's tally that of the books at its place. Not responsible for repairing anything.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from firmware.audit.source import JournalSource
from firmware.entries.codec import decode, kind_of
from firmware.entries.types import Commissioned
from firmware.errors import InvariantError
from firmware.journal.anchor import Anchor, Anchored, FileSlots
from firmware.journal.errors import ForeignFileError, JournalError
from firmware.journal.files import OsFiles
from firmware.journal.mirror import Mirror
from firmware.journal.record import ChainError, Record, Row
from firmware.memory import FOLD_CHUNK, load_recorded
from firmware.terminal.evolve import fold
from firmware.terminal.snapshot import tally_of
from firmware.terminal.state import Recorded

MOST_IN_FLIGHT = 64
"""A mirror or anchor beside a running terminal may be so many entries away from what was read of the journal."""


@dataclass(slots=True)
class Verification:
    """What was checked and what is wrong; ``copies`` says of mirror and anchor what was found."""

    entry_count: int = 0
    segment_count: int = 0
    recorded: Recorded = field(default_factory=Recorded)
    copies: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Tell whether nothing is wrong."""
        return not self.problems


def verify(
    source: JournalSource,
    mirror_dir: Path | None = None,
    anchor_file: Path | None = None,
    on_rows: Callable[[int], None] = lambda _: None,
) -> Verification:
    """Check a whole store and its copies.

    Args:
        source: the journal.
        mirror_dir: the mirror's folder; None: it is not looked at.
        anchor_file: the anchor's file; None: it is not looked at.
        on_rows: told the number of further rows that were checked, for a progress bar.

    Raises:
        ForeignFileError: a copy belongs to another terminal or epoch.
        OtherVersionError: a newer version wrote the journal.
    """
    found = Verification(segment_count=len(source.segments))
    anchored = _anchored(found, anchor_file)
    mirror = _mirror(found, source, mirror_dir)
    _check(found, source.check_structure)
    _check(found, lambda: _fold_again(found, source, anchored, mirror, on_rows))
    _check(found, lambda: _compare_loaded(found, source))
    if anchored is not None:
        _compare_anchor(found, source, anchored)
    return found


def _check(found: Verification, work: Callable[[], None]) -> None:
    try:
        work()
    except ForeignFileError:
        raise
    except (JournalError, InvariantError, ChainError) as error:
        if str(error) not in found.problems:
            found.problems.append(str(error))


def _fold_again(
    found: Verification,
    source: JournalSource,
    anchored: Anchored | None,
    mirror: Iterator[Row] | None,
    on_rows: Callable[[int], None],
) -> None:
    chunk: list[Record] = []
    tally_at = anchored.head.seq if anchored is not None and anchored.tally.epoch else 0
    mirrored = 0
    for record in source.records():
        found.entry_count += 1
        if mirror is not None:
            mirror, mirrored = _compare_row(found, record, mirror, mirrored)
        chunk.append(record)
        if len(chunk) == FOLD_CHUNK or record.seq == tally_at:
            found.recorded, chunk = fold(found.recorded, chunk), []
            on_rows(FOLD_CHUNK)
        if anchored is not None and record.seq == tally_at and tally_of(found.recorded) != anchored.tally:
            found.problems.append(f"anchor: remembers {anchored.tally}, the journal gives {tally_of(found.recorded)}")
    found.recorded = fold(found.recorded, chunk)
    on_rows(len(chunk))
    found.recorded.books.check()
    if "mirror" in found.copies and not found.copies["mirror"]:
        found.copies["mirror"] = f"agrees up to entry {mirrored}"
        if source.head.seq - mirrored > MOST_IN_FLIGHT:
            found.problems.append(f"mirror: ends at entry {mirrored}, the journal at {source.head.seq}")


def _compare_row(
    found: Verification, record: Record, mirror: Iterator[Row], mirrored: int
) -> tuple[Iterator[Row] | None, int]:
    """Compare the mirror's next row with a record; returns what is left of the mirror, and its last row so far."""
    try:
        row = next(mirror, None)
    except ChainError as error:
        found.problems.append(str(error))
        found.copies["mirror"] = "damaged"
        return None, mirrored
    if row is None:
        return None, mirrored
    if (row.seq, row.link) != (record.seq, record.link):
        found.problems.append(f"mirror: entry {record.seq} is not what the journal has")
        found.copies["mirror"] = "holds other entries"
        return None, mirrored
    return mirror, row.seq


def _compare_loaded(found: Verification, source: JournalSource) -> None:
    """What the terminal itself would load, from its snapshot, must be what the whole journal gives."""
    loaded = load_recorded(source)
    for name, one, other in (
        ("meters", loaded.books.meters, found.recorded.books.meters),
        ("balances", loaded.books.balances, found.recorded.books.balances),
        ("periods", loaded.periods, found.recorded.periods),
    ):
        if one != other:
            found.problems.append(f"snapshot: its {name} are not those that the whole journal gives")


def _anchored(found: Verification, anchor_file: Path | None) -> Anchored | None:
    if anchor_file is None:
        return None
    if not anchor_file.exists():
        found.copies["anchor"] = "missing"
        found.problems.append(f"anchor: {anchor_file} is missing")
        return None
    try:
        anchor = Anchor(FileSlots(anchor_file, OsFiles()))
    except OSError as error:
        found.copies["anchor"] = "unreadable"
        found.problems.append(f"anchor: {anchor_file}: {error.strerror or error}")
        return None
    if anchor.newest is None or anchor.is_blank:
        found.copies["anchor"] = "damaged" if anchor.newest is None else "blank"
        found.problems.append(f"anchor: {anchor_file} remembers nothing")
        return None
    return anchor.newest


def _compare_anchor(found: Verification, source: JournalSource, anchored: Anchored) -> None:
    epoch = source.commissioned.epoch
    if anchored.tally.epoch not in (0, epoch):
        raise ForeignFileError(f"the anchor is of epoch {anchored.tally.epoch}, the journal of epoch {epoch}")
    if not source.reach(anchored.head.seq):
        found.copies["anchor"] = "ahead of the journal"
        found.problems.append(
            f"anchor: remembers entry {anchored.head.seq}, the journal ends at {source.head.seq}: entries are lost"
        )
    elif not source.has(anchored.head):
        found.copies["anchor"] = "remembers other entries"
        found.problems.append(f"anchor: entry {anchored.head.seq} is not what the anchor remembers")
    else:
        found.copies["anchor"] = f"agrees at entry {anchored.head.seq}"


def _mirror(found: Verification, source: JournalSource, mirror_dir: Path | None) -> Iterator[Row] | None:
    if mirror_dir is None:
        return None
    if not mirror_dir.is_dir():
        found.copies["mirror"] = "missing"
        found.problems.append(f"mirror: {mirror_dir} is missing")
        return None
    found.copies["mirror"] = ""
    rows = Mirror(mirror_dir, OsFiles()).rows()
    try:
        first = next(rows, None)
    except ChainError as error:
        found.copies["mirror"] = "damaged"
        found.problems.append(str(error))
        return None
    if first is None:
        found.copies["mirror"] = "empty"
        found.problems.append(f"mirror: {mirror_dir} holds nothing")
        return None
    _check_same_terminal(source.commissioned, first, mirror_dir)
    return _with_first(first, rows)


def _check_same_terminal(ours: Commissioned, first: Row, mirror_dir: Path) -> None:
    if first.kind != kind_of(ours):
        return
    theirs = decode(first.kind, first.body)
    if isinstance(theirs, Commissioned) and (theirs.terminal, theirs.epoch) != (ours.terminal, ours.epoch):
        raise ForeignFileError(
            f"{mirror_dir}: the mirror is of terminal {theirs.terminal}, epoch {theirs.epoch}; "
            f"the journal of terminal {ours.terminal}, epoch {ours.epoch}"
        )


def _with_first(first: Row, rows: Iterator[Row]) -> Iterator[Row]:
    yield first
    yield from rows
