"""Verifying a store: the whole chain and all copies, and every figure folded again from the first entry.

Nothing is believed that can be computed: the state that the terminal itself would load from its newest snapshot must be
that of a fresh fold, and the anchor's tally that of the books at its place. Not responsible for rows and copies
(``firmware.journal.verify``) or for repairing anything.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from firmware.audit.source import JournalSource
from firmware.entries.codec import decode, kind_of
from firmware.entries.types import Commissioned
from firmware.errors import InvariantError
from firmware.journal.anchor import Anchor, Anchored, FileSlots
from firmware.journal.critical import Places
from firmware.journal.errors import DamagedJournalError, ForeignFileError, JournalError
from firmware.journal.files import OsFiles
from firmware.journal.mirror import Mirror
from firmware.journal.record import ChainError, Record
from firmware.journal.verify import verify_memory
from firmware.memory import FOLD_CHUNK, load_recorded
from firmware.terminal.evolve import fold
from firmware.terminal.snapshot import tally_of
from firmware.terminal.state import Recorded

Progress = Callable[[int], None]
"""Is told how many rows are verified so far."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked, the state that the whole journal gives, and every problem in one line."""

    entry_count: int
    segment_count: int
    recorded: Recorded
    copies: tuple[str, ...]
    problems: tuple[str, ...]


def verify(source: JournalSource, places: Places, on_rows: Progress = lambda _: None) -> Verification:
    """Check a whole store and those of its copies that have a place.

    Raises:
        ForeignFileError: a copy belongs to another terminal or epoch.
        OtherVersionError: a newer version wrote the journal.
    """
    anchored = _anchored(places.anchor_file)
    ends = {"anchor": anchored.head.seq if anchored is not None else 0, "mirror": _mirrored_seq(places.mirror_dir)}
    _check_same_epoch(source.commissioned, places.mirror_dir, anchored)
    found = _verified(source, places, anchored, on_rows)
    if found.problems and source.was_sealed_meanwhile():
        found = _verified(source, places, anchored, on_rows)  # a running terminal moved rows while they were read
    # The journal is always written first: whatever the copies held before it was read must be in it.
    lost = tuple(
        f"{name}: holds entry {seq}, the journal ends at {source.head.seq}: entries are lost"
        for name, seq in ends.items()
        if not source.reaches(seq)
    )
    return replace(found, problems=(*found.problems, *lost))


class _Folding:
    """Folds the records as they come, and compares the books with the anchor's tally at its place."""

    def __init__(self, anchored: Anchored | None) -> None:
        self.recorded = Recorded()
        self.problems: list[str] = []
        self.last_seq = 0
        self._chunk: list[Record] = []
        self._anchored = anchored if anchored is not None and anchored.tally.epoch else None

    def take(self, record: Record) -> None:
        self._chunk.append(record)
        self.last_seq = record.seq
        is_anchored = self._anchored is not None and record.seq == self._anchored.head.seq
        if is_anchored or len(self._chunk) == FOLD_CHUNK:
            self.end()
        if is_anchored and self._anchored is not None and tally_of(self.recorded) != self._anchored.tally:
            self.problems.append(
                f"anchor: remembers {self._anchored.tally}, the journal gives {tally_of(self.recorded)}"
            )

    def end(self) -> None:
        """Fold what has come; after a contradiction nothing more is folded."""
        chunk, self._chunk = self._chunk, []
        if self.problems:
            return
        try:
            self.recorded = fold(self.recorded, chunk)
        except InvariantError as error:
            self.problems.append(f"entries {chunk[0].seq} to {chunk[-1].seq}: {error}")


def _verified(source: JournalSource, places: Places, anchored: Anchored | None, on_rows: Progress) -> Verification:
    folding = _Folding(anchored)
    missing = places.mirror_dir is not None and not places.mirror_dir.is_dir()
    there = replace(places, mirror_dir=None) if missing else places  # looking at a mirror would make its folder
    memory = verify_memory(there, on_record=folding.take, on_progress=lambda done, _: on_rows(done))
    folding.end()
    if folding.last_seq < source.head.seq:
        with suppress(DamagedJournalError):  # it is among the problems
            next(source.rows(folding.last_seq), None)  # raises for what a newer version wrote
    problems = [*memory.problems, *folding.problems]
    if missing:
        problems.append(f"mirror: {places.mirror_dir} is missing")
    if not problems:
        problems += _differences(source, folding)
    copies = [name for name, place in (("mirror", places.mirror_dir), ("anchor", places.anchor_file)) if place]
    return Verification(
        memory.entry_count, memory.segment_count, folding.recorded, tuple(copies), tuple(dict.fromkeys(problems))
    )


def _differences(source: JournalSource, folding: _Folding) -> list[str]:
    """What the terminal itself would load, from its snapshot, must be what the whole journal gives."""
    try:
        loaded = load_recorded(source)
    except (JournalError, InvariantError) as error:
        return [str(error)]
    if folding.last_seq != source.head.seq:
        return []  # a running terminal went on between the two readings
    return [
        f"snapshot: its {name} are not those that the whole journal gives"
        for name, one, other in (
            ("meters", loaded.books.meters, folding.recorded.books.meters),
            ("balances", loaded.books.balances, folding.recorded.books.balances),
            ("periods", loaded.periods, folding.recorded.periods),
        )
        if one != other
    ]


def _anchored(anchor_file: Path | None) -> Anchored | None:
    if anchor_file is None or not anchor_file.exists():
        return None
    with suppress(OSError):
        return Anchor(FileSlots(anchor_file, OsFiles())).newest
    return None


def _mirrored_seq(mirror_dir: Path | None) -> int:
    if mirror_dir is None or not mirror_dir.is_dir():
        return 0
    with suppress(OSError, ChainError):
        return Mirror(mirror_dir, OsFiles()).head.seq
    return 0


def _check_same_epoch(ours: Commissioned, mirror_dir: Path | None, anchored: Anchored | None) -> None:
    if anchored is not None and anchored.tally.epoch not in (0, ours.epoch):
        raise ForeignFileError(f"the anchor is of epoch {anchored.tally.epoch}, the journal of epoch {ours.epoch}")
    if mirror_dir is None or not mirror_dir.is_dir():
        return
    with suppress(ChainError, OSError):
        first = next(Mirror(mirror_dir, OsFiles()).rows(), None)
        theirs = decode(first.kind, first.body) if first is not None and first.kind == kind_of(ours) else ours
        if isinstance(theirs, Commissioned) and (theirs.terminal, theirs.epoch) != (ours.terminal, ours.epoch):
            raise ForeignFileError(
                f"{mirror_dir}: the mirror is of terminal {theirs.terminal}, epoch {theirs.epoch}; "
                f"the journal of terminal {ours.terminal}, epoch {ours.epoch}"
            )
