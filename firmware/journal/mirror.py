"""The mirror: a second copy of the journal on a second path, an append-only log of checked frames.

A frame is what one append wrote: a header with lengths, numbers, the chain's links before and after, and a CRC, then
the rows as text, padded to whole sectors so that no two frames share one. Files are filled with zeros in advance, so
that an append changes no file's size. A frame that power cut short is no frame; the next one takes its place. A sound
frame *behind* an unsound one is damage. Sealed segments are copied as they are, and logs that they cover removed.

Not responsible for deciding which copy is right (``critical``).
"""

import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from firmware.journal.files import Files
from firmware.journal.record import ChainError, Head, Row, chain_link, chained
from firmware.journal.segments import FOLDER, Segment, read_segments
from firmware.journal.sizes import USUAL, Sizes

SECTOR_BYTES: Final = 512
_MAGIC: Final = b"CRM1"
_HEADER: Final = struct.Struct("<4sIIQI32s32s")
"""Magic, CRC-32 of all that follows it, payload bytes, first row's number, row count, links before and after."""
_CHECKED_FROM: Final = 8


@dataclass(frozen=True, slots=True)
class Frame:
    """A sound frame: the journal's end before and after it, where it lies, and its rows as text."""

    before: Head
    after: Head
    offset: int
    byte_count: int
    payload: bytes

    def rows(self) -> Iterator[Row]:
        """Yield the rows. Raises ChainError when they do not lead from ``before`` to ``after``."""
        seq, link = self.before.seq, self.before.link
        try:
            for line in self.payload.decode().split("\n"):
                at_ms, kind, body = line.split("\t")
                seq += 1
                link = chain_link(link, seq, int(at_ms), kind, body)
                yield Row(seq, int(at_ms), kind, body, link)
        except ValueError as error:
            raise ChainError(f"mirror: entry {seq + 1}: {error}") from error
        if Head(seq, link) != self.after:
            raise ChainError(f"mirror: entries {self.before.seq + 1} to {seq} were changed")


def pack_frame(rows: Sequence[Row], before: Head) -> bytes:
    """Return the frame of rows that follow ``before``, in whole sectors."""
    payload = "\n".join(f"{row.at_ms}\t{row.kind}\t{row.body}" for row in rows).encode()
    header = _HEADER.pack(_MAGIC, 0, len(payload), rows[0].seq, len(rows), before.link, rows[-1].link)
    frame = bytearray(header + payload)
    struct.pack_into("<I", frame, 4, zlib.crc32(frame[_CHECKED_FROM:]))
    return bytes(frame) + bytes(-len(frame) % SECTOR_BYTES)


def frame_at(data: bytes, offset: int) -> Frame | None:
    """Return the sound frame that begins at an offset of a log, or None."""
    if len(data) - offset < _HEADER.size:
        return None
    magic, crc, length, first_seq, count, before, after = _HEADER.unpack_from(data, offset)
    end = offset + _HEADER.size + length
    if magic != _MAGIC or end > len(data) or not count or zlib.crc32(data[offset + _CHECKED_FROM : end]) != crc:
        return None
    return Frame(
        Head(first_seq - 1, before),
        Head(first_seq - 1 + count, after),
        offset,
        -(-(end - offset) // SECTOR_BYTES) * SECTOR_BYTES,
        data[offset + _HEADER.size : end],
    )


def frames_of(data: bytes) -> tuple[list[Frame], bool]:
    """Return the frames of a log from its beginning, and whether a sound frame lies behind an unsound place."""
    frames, offset = [], 0
    while (frame := frame_at(data, offset)) is not None:
        frames.append(frame)
        offset += frame.byte_count
    place = data.find(_MAGIC, offset)
    while place != -1:
        if place % SECTOR_BYTES == 0 and frame_at(data, place) is not None:
            return frames, True
        place = data.find(_MAGIC, place + 1)
    return frames, False


class Mirror:
    """An open mirror. ``head`` is its end; ``damage`` says what is wrong with what was read at the opening."""

    def __init__(self, folder: Path, files: Files, sizes: Sizes = USUAL) -> None:
        """Open the mirror in a folder, which is made with the first row. Reads the newest log only. Raises OSError."""
        self.folder = folder
        self.head = Head()
        self.damage = ""
        self._files, self._sizes = files, sizes
        self._log: Path | None = None
        self._offset = self._size = self._row_count = 0
        self._open_newest()

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing was ever mirrored."""
        return self.head.seq == 0 and not self.damage

    def append(self, rows: Sequence[Row]) -> None:
        """Write rows that follow the end as one frame. Raises OSError; what is then written is unknown."""
        frame = pack_frame(rows, self.head)
        if self._log is None or self._row_count >= self._sizes.log_rows:
            self._begin_log(rows[0].seq, len(frame))
        log = self._usable_log()
        if self._offset + len(frame) > self._size:
            filled = self._size + max(self._sizes.log_fill_bytes, len(frame))
            self._files.write(log, self._size, bytes(filled - self._size))
            self._size = filled
        self._files.write(log, self._offset, frame)
        self._offset += len(frame)
        self._row_count += len(rows)
        self.head = Head(rows[-1].seq, rows[-1].link)

    def rows(self) -> Iterator[Row]:
        """Yield all rows that the mirror holds, sealed ones too, checking everything.

        Raises:
            ChainError: something is missing or damaged; what was yielded before is sound.
        """
        head = Head()
        for segment, rows, _ in read_segments((self.folder / FOLDER,), self._files):
            yield from rows
            head = segment.head
        yield from chained((row for row in self.log_rows() if row.seq > head.seq), head)

    def log_rows(self) -> Iterator[Row]:
        """Yield the rows of the logs. Raises ChainError for a damaged frame or a gap between frames."""
        head: Head | None = None
        for name in self.logs():
            try:
                frames, has_hole = frames_of(self._files.read(self.folder / name))
            except OSError as error:
                raise ChainError(f"mirror: {name}: {error.strerror or error}") from error
            if has_hole:
                raise ChainError(f"mirror: {name} is damaged behind {len(frames)} frames")
            for frame in frames:
                if head is not None and frame.before != head:
                    raise ChainError(f"mirror: entry {head.seq + 1} is missing")
                yield from frame.rows()
                head = frame.after

    def holds(self, head: Head) -> bool:
        """Tell whether the mirror once ended like this. Looks at the newest frames first. Raises OSError."""
        if head == self.head or head.seq == 0:
            return True
        if head.seq > self.head.seq:
            return False
        for name in reversed(self.logs()):
            for frame in reversed(frames_of(self._files.read(self.folder / name))[0]):
                if frame.before.seq <= head.seq <= frame.after.seq:
                    return head in (frame.before, *(Head(row.seq, row.link) for row in frame.rows()))
        try:
            return any(row.seq == head.seq and row.link == head.link for row in self.rows())
        except ChainError:
            return False

    @property
    def first_seq(self) -> int:
        """The number of the first row that the logs can hold; behind the end when there are none."""
        logs = self.logs()
        return _first_seq(logs[0]) if logs else self.head.seq + 1

    def log_is_sound(self, name: str) -> bool:
        """Tell whether a log that is followed by another is whole: it ends where the next one begins."""
        logs = self.logs()
        if name not in logs[:-1]:
            return True
        frames, has_hole = frames_of(self._files.read(self.folder / name))
        end = frames[-1].after.seq if frames else 0
        return not has_hole and end == _first_seq(logs[logs.index(name) + 1]) - 1

    def take_segment(self, segment: Segment, data: bytes) -> None:
        """Keep a sealed segment's file and remove the logs that hold nothing else. Raises OSError."""
        self._files.make_folder(self.folder / FOLDER)
        self._files.replace(self.folder / FOLDER / segment.name, data)
        self.forget_logs(segment.last_seq)

    def has_segment(self, segment: Segment) -> bool:
        """Tell whether the file of a segment is there; not whether it is sound."""
        return self._files.exists(self.folder / FOLDER / segment.name)

    def forget_logs(self, last_seq: int) -> None:
        """Remove the logs that hold only rows up to this number. Raises OSError."""
        logs = self.logs()
        for name, following in pairwise(logs):
            if _first_seq(following) <= last_seq + 1:
                self._files.remove(self.folder / name)

    def clear(self, head: Head) -> None:
        """Remove all logs, so that the mirror can be written anew behind ``head``. Raises OSError."""
        for name in reversed(self.logs()):
            self._files.remove(self.folder / name)
        self._log, self._row_count = None, 0
        self.head, self.damage = head, ""

    def _open_newest(self) -> None:
        """Find the end: in the newest log, or in the one before it when the newest has no frame yet."""
        logs = self.logs()
        for name in reversed(logs[-2:]):
            data = self._files.read(self.folder / name)
            frames, has_hole = frames_of(data)
            if has_hole:
                self.damage = f"{name} is damaged behind {len(frames)} frames"
            if self._log is None:
                self._log, self._size = self.folder / name, len(data)
                self._offset = sum(frame.byte_count for frame in frames)
                self._row_count = sum(frame.after.seq - frame.before.seq for frame in frames)
            if frames:
                self.head = frames[-1].after
                return
        if len(logs) > 2 or self._names(FOLDER, ".gz"):
            self.damage = self.damage or "its newest log has no frames"

    def _begin_log(self, first_seq: int, frame_bytes: int) -> None:
        self._size = max(self._sizes.log_fill_bytes, frame_bytes)
        self._log = self.folder / f"log-{first_seq:012d}.bin"
        self._files.make_folder(self.folder)
        self._files.replace(self._log, bytes(self._size))
        self._offset = self._row_count = 0

    def _usable_log(self) -> Path:
        if self._log is None:
            raise ChainError("the mirror has no log")
        return self._log

    def logs(self) -> list[str]:
        """Return the names of the logs, oldest first."""
        return [name for name in self._files.names(self.folder) if name.startswith("log-") and name.endswith(".bin")]

    def _names(self, folder: str, suffix: str) -> list[str]:
        return [name for name in self._files.names(self.folder / folder) if name.endswith(suffix)]


def _first_seq(log_name: str) -> int:
    return int(log_name.removeprefix("log-").removesuffix(".bin"))
