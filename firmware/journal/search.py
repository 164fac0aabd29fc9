"""Finding entries in a journal of any length without reading all of it: numbered ones by their number, others by key.

Numbers of a kind rise through the journal, so the sealed segments are halved again and again, looking only at the
beginning of a file each time. What is then given comes from a file whose checksum fits; its chain was checked when it was
sealed. Reads only. Not responsible for what the entries mean.
"""

import json
import zlib
from collections import OrderedDict
from typing import Final

from firmware.journal.errors import DamagedJournalError
from firmware.journal.record import ChainError, Record, Row
from firmware.journal.segments import GZIP, Segment
from firmware.journal.store import JournalStore

_PIECE_BYTES: Final = 16_384
_SEGMENTS_KEPT: Final = 3
_NEVER: Final = 2**62


class Search:
    """Searches an open journal. Belongs to the thread of its store."""

    def __init__(self, store: JournalStore) -> None:
        """Search a store; nothing is read yet."""
        self._store = store
        self._first_numbers: dict[tuple[str, str], int] = {}
        self._lines: OrderedDict[str, list[str]] = OrderedDict()

    @property
    def last_seq(self) -> int:
        """The number of the journal's last entry."""
        return self._store.head.seq

    def seq_of(self, kind: str, number: int, key: str) -> int | None:
        """Return where the entry of a kind with this ``number`` stands; None when there is none.

        ``key`` is its unique key, by which the newest entries are found.

        Raises:
            DamagedJournalError: no sound file of the segment in which it must be.
        """
        known = self._store.seq_of_key(key)
        if known is not None:
            return known
        segments = self._store.segments
        low, high = 0, len(segments)
        while low < high:
            middle = (low + high) // 2
            if self._first_number(segments, middle, kind) <= number:
                low = middle + 1
            else:
                high = middle
        return self._seq_in(segments[low - 1], kind, number) if low else None

    def record_of(self, key: str) -> Record | None:
        """Return the entry with a unique key, if the key is still known. Raises DamagedJournalError."""
        seq = self._store.seq_of_key(key)
        return None if seq is None else next(iter(self.records(seq, seq)), None)

    def records(self, first_seq: int, last_seq: int) -> tuple[Record, ...]:
        """Return the entries of a stretch (without their links). Raises DamagedJournalError."""
        found: list[Record] = []
        try:
            for segment in self._store.segments:
                if segment.last_seq >= first_seq and segment.first_seq <= last_seq:
                    begin = max(first_seq, segment.first_seq) - segment.first_seq
                    end = min(last_seq, segment.last_seq) - segment.first_seq + 1
                    found += [_row(line).record() for line in self._lines_of(segment)[begin:end]]
            live_seq = max(first_seq, self._store.sealed.seq + 1)
            if live_seq <= last_seq:
                found += [row.record() for row in self._store.live_rows(live_seq - 1, last_seq - live_seq + 1)]
        except ChainError as error:
            raise DamagedJournalError(f"{self._store.path}: {error}") from error
        return tuple(found)

    def _seq_in(self, segment: Segment, kind: str, number: int) -> int | None:
        try:
            wanted, called = f'"number":{number}', f"\t{kind}\t"
            for line in self._lines_of(segment):
                if wanted in line and called in line and _number(line) == number:
                    return int(line.partition("\t")[0])
        except (ChainError, ValueError) as error:
            raise DamagedJournalError(f"{self._store.path}: {error}") from error
        return None

    def _first_number(self, segments: tuple[Segment, ...], index: int, kind: str) -> int:
        """The first number of a kind in a segment or in those behind it."""
        for segment in segments[index:]:
            key = (segment.name, kind)
            if key not in self._first_numbers:
                self._first_numbers[key] = self._peek(segment, kind)
            if self._first_numbers[key]:
                return self._first_numbers[key]
        return _NEVER

    def _peek(self, segment: Segment, kind: str) -> int:
        """The first number of a kind in a segment, 0 for none; reads no further than that and checks nothing."""
        pattern, text, offset = f"\t{kind}\t", "", 0
        unpacking = zlib.decompressobj(GZIP)
        while piece := self._store.segment_files.piece(segment, offset, _PIECE_BYTES):
            offset += len(piece)
            try:
                text += unpacking.decompress(piece).decode("ascii", "replace")
            except zlib.error:
                return 0
            *lines, text = text.split("\n")
            for line in lines:
                if pattern in line:
                    return _number(line)
        return _number(text) if pattern in text else 0

    def _lines_of(self, segment: Segment) -> list[str]:
        if segment.name not in self._lines:
            self._lines[segment.name] = list(self._store.segment_files.lines(segment))
            if len(self._lines) > _SEGMENTS_KEPT:
                self._lines.popitem(last=False)
        self._lines.move_to_end(segment.name)
        return self._lines[segment.name]


def _row(line: str) -> Row:
    try:
        seq, at_ms, kind, body = line.split("\t")
        return Row(int(seq), int(at_ms), kind, body, b"")
    except ValueError as error:
        raise ChainError(f"a sealed row can't be read: {error}") from error


def _number(line: str) -> int:
    try:
        number = json.loads(line.rpartition("\t")[2]).get("number")
    except ValueError:
        return 0
    return number if isinstance(number, int) else 0
