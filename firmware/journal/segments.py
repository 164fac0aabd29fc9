"""Sealed segments: old rows in compressed, checksummed files that are never written again.

A segment is gzip text, readable anywhere: one line of JSON that says where it belongs in the chain, then one line per
row: number, wall time in milliseconds, kind and body, separated by tabs. Not responsible for the list of segments,
which the database keeps.
"""

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.journal.files import Files
from firmware.journal.record import ChainError, Head, Row, chain_link

FOLDER: Final = "segments"
_FORMAT: Final = "croupier-segment/1"
_COMPRESSION_LEVEL: Final = 6


@dataclass(frozen=True, slots=True)
class Segment:
    """A sealed segment: its first and last row, the chain's link at its end, and its file's SHA-256."""

    first_seq: int
    last_seq: int
    link: bytes
    digest: bytes

    @property
    def name(self) -> str:
        """The file's name; names sort as the segments follow."""
        return f"{self.first_seq:012d}-{self.last_seq:012d}.gz"

    @property
    def head(self) -> Head:
        """The journal's end when this segment is the last thing in it."""
        return Head(self.last_seq, self.link)


def pack(rows: Sequence[Row], before: Head) -> tuple[Segment, bytes]:
    """Return the segment of rows that follow ``before``, and its file's bytes."""
    head = {
        "format": _FORMAT,
        "first_seq": rows[0].seq,
        "last_seq": rows[-1].seq,
        "link_before": before.link.hex(),
        "link_after": rows[-1].link.hex(),
    }
    lines = [json.dumps(head), *(f"{row.seq}\t{row.at_ms}\t{row.kind}\t{row.body}" for row in rows)]
    data = gzip.compress("\n".join(lines).encode(), _COMPRESSION_LEVEL, mtime=0)
    return Segment(rows[0].seq, rows[-1].seq, rows[-1].link, hashlib.sha256(data).digest()), data


def describe(data: bytes, before: Head) -> tuple[Segment, tuple[Row, ...]]:
    """Return what a segment's file holds, which must follow ``before``.

    Raises:
        ChainError: the file is damaged or belongs somewhere else.
    """
    try:
        first, *lines = gzip.decompress(data).decode().split("\n")
        said = json.loads(first)
        rows = tuple(_rows(lines, before))
        stands = (_FORMAT, before.seq + 1, before.seq + len(rows), before.link.hex())
        if not rows or (said["format"], said["first_seq"], said["last_seq"], said["link_before"]) != stands:
            raise ChainError("its first line does not fit its rows")
        if said["link_after"] != rows[-1].link.hex():
            raise ChainError("its rows were changed")
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError) as error:
        raise ChainError(f"the segment behind entry {before.seq}: {error}") from error
    return Segment(rows[0].seq, rows[-1].seq, rows[-1].link, hashlib.sha256(data).digest()), rows


def unpack(segment: Segment, data: bytes, before: Head) -> tuple[Row, ...]:
    """Return a known segment's rows. Raises ChainError when the file is not the one that was sealed."""
    if hashlib.sha256(data).digest() != segment.digest:
        raise ChainError(f"segment {segment.name}: its checksum does not fit; it was changed")
    return describe(data, before)[1]


class SegmentFiles:
    """The files of a journal's sealed segments, with a second folder of the same files where there is one."""

    def __init__(self, folder: Path, files: Files) -> None:
        """Use the files in a folder."""
        self.folder, self._files = folder, files
        self.spare_folders: tuple[Path, ...] = ()
        """Where else the files lie, when one here is damaged."""

    def path(self, segment: Segment) -> Path:
        """Return where a segment's file lies."""
        return self.folder / segment.name

    def rows(self, segment: Segment, before: Head) -> tuple[Row, ...]:
        """Return the rows of a segment that follows ``before``, from a spare folder if need be.

        Raises:
            ChainError: there is no sound file of it.
        """
        wrong = ""
        for folder in (self.folder, *self.spare_folders):
            try:
                return unpack(segment, self._files.read(folder / segment.name), before)
            except (OSError, ChainError) as error:
                wrong = wrong or str(error)
        raise ChainError(wrong)

    def lines(self, segment: Segment) -> list[str]:
        """Return the rows of a segment as text, from a spare folder if need be. Only the file's checksum is compared: the
        chain was when it was sealed. Raises ChainError when there is no sound file of it."""
        for folder in (self.folder, *self.spare_folders):
            if self.is_sound(segment, folder):
                try:
                    return gzip.decompress(self._files.read(folder / segment.name)).decode().split("\n")[1:]
                except (OSError, EOFError, zlib.error, ValueError) as error:
                    raise ChainError(f"segment {segment.name}: {error}") from error
        raise ChainError(f"segment {segment.name}: no sound file of it")

    def piece(self, segment: Segment, offset: int, length: int) -> bytes:
        """Return some bytes of a segment's file, unchecked, from a spare folder if need be; none if there is no file."""
        for folder in (self.folder, *self.spare_folders):
            try:
                return self._files.read(folder / segment.name, offset, length)
            except OSError:
                continue
        return b""

    def is_sound(self, segment: Segment, folder: Path | None = None) -> bool:
        """Tell whether a segment's file, here or in another folder, is the one that was sealed."""
        try:
            return hashlib.sha256(self._files.read((folder or self.folder) / segment.name)).digest() == segment.digest
        except OSError:
            return False

    def write(self, segment: Segment, data: bytes) -> None:
        """Write a segment's file unless it is there already. Raises OSError."""
        if not self.is_sound(segment):
            self._files.make_folder(self.folder)
            self._files.replace(self.path(segment), data)


def read_segments(folders: Sequence[Path], files: Files) -> Iterator[tuple[Segment, tuple[Row, ...], bytes]]:
    """Yield all segments in order, each from the first of the folders that has a sound file of it.

    Raises:
        ChainError: no folder has a sound file of the next segment, though one has a file of a later one.
    """
    before, wrong, wrong_name = Head(), "", ""
    places = sorted({(name, folder) for folder in folders for name in files.names(folder) if name.endswith(".gz")})
    for name, folder in places:
        first_seq = name.partition("-")[0]
        if first_seq.isdigit() and int(first_seq) <= before.seq:
            continue  # the same rows from another folder, or cut in another way
        if wrong and name != wrong_name:
            break
        try:
            data = files.read(folder / name)
            segment, rows = describe(data, before)
        except (OSError, ChainError) as error:
            wrong, wrong_name = wrong or f"{folder / name}: {error}", name
            continue
        yield segment, rows, data
        before, wrong = segment.head, ""
    if wrong:
        raise ChainError(wrong)


def _rows(lines: Sequence[str], before: Head) -> list[Row]:
    rows, link = [], before.link
    for line in lines:
        seq, at_ms, kind, body = line.split("\t")
        link = chain_link(link, int(seq), int(at_ms), kind, body)
        rows.append(Row(int(seq), int(at_ms), kind, body, link))
    return rows
