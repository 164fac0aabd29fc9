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
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Final

from firmware.journal.files import Files
from firmware.journal.record import ChainError, Head, Row, chain_link

FOLDER: Final = "segments"
_FORMAT: Final = "croupier-segment/1"
_COMPRESSION_LEVEL: Final = 6
GZIP: Final = 16 + zlib.MAX_WBITS
"""Tells zlib that a stream has gzip's head and end."""


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
    # Row by row, for a terminal's memory is small and its largest moment stays with the process.
    packing = zlib.compressobj(_COMPRESSION_LEVEL, wbits=GZIP)
    parts = [packing.compress(json.dumps(head).encode())]
    parts += (packing.compress(f"\n{row.seq}\t{row.at_ms}\t{row.kind}\t{row.body}".encode()) for row in rows)
    data = b"".join((*parts, packing.flush()))
    return Segment(rows[0].seq, rows[-1].seq, rows[-1].link, hashlib.sha256(data).digest()), data


def describe(data: bytes, before: Head) -> tuple[Segment, tuple[Row, ...]]:
    """Return what a segment's file holds, which must follow ``before``.

    Raises:
        ChainError: the file is damaged or belongs somewhere else.
    """
    rows = tuple(_rows(data, before))
    return Segment(rows[0].seq, rows[-1].seq, rows[-1].link, hashlib.sha256(data).digest()), rows


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

    def rows(self, segment: Segment, before: Head) -> Iterator[Row]:
        """Yield the rows of a segment that follows ``before``, from a spare folder if need be.

        Raises:
            ChainError: there is no sound file of it.
        """
        return _rows(self._sound(segment), before)

    def lines(self, segment: Segment) -> Iterator[str]:
        """Yield the rows of a segment as text, from a spare folder if need be. Only the file's checksum is compared: the
        chain was when it was sealed. Raises ChainError when there is no sound file of it."""
        return islice(_lines(self._sound(segment), f"segment {segment.name}"), 1, None)

    def _sound(self, segment: Segment) -> bytes:
        """Return the bytes of a segment's file from the first folder where it is as it was sealed. Raises ChainError, which names
        what is wrong with the first, when it is so in none."""
        wrong = ""
        for folder in (self.folder, *self.spare_folders):
            try:
                data = self._files.read(folder / segment.name)
            except OSError as error:
                wrong = wrong or str(error)
                continue
            if hashlib.sha256(data).digest() == segment.digest:
                return data
            wrong = wrong or f"segment {segment.name}: its checksum does not fit; it was changed"
        raise ChainError(wrong)

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


def _rows(data: bytes, before: Head) -> Iterator[Row]:
    """Yield the rows in a segment's file, each with its link, and compare place and links with what the first line says."""
    name = f"the segment behind entry {before.seq}"
    lines, seq, link = _lines(data, name), before.seq, before.link
    try:
        said = json.loads(next(lines))
        if (said["format"], said["first_seq"], said["link_before"]) != (_FORMAT, before.seq + 1, before.link.hex()):
            raise ChainError(f"{name}: its first line does not fit")
        for line in lines:
            number, at_ms, kind, body = line.split("\t")
            seq += 1
            link = chain_link(link, int(number), int(at_ms), kind, body)
            if int(number) != seq:
                raise ChainError(f"{name}: entry {seq} is missing")
            yield Row(seq, int(at_ms), kind, body, link)
        if seq == before.seq or (said["last_seq"], said["link_after"]) != (seq, link.hex()):
            raise ChainError(f"{name}: its rows were changed")
    except ChainError:
        raise
    except (ValueError, KeyError, TypeError, StopIteration) as error:
        raise ChainError(f"{name}: {error}") from error


def _lines(data: bytes, name: str) -> Iterator[str]:
    """Yield the lines of a compressed text, unpacked piece by piece; they are joined by line feeds, so none follows the last."""
    try:
        with gzip.open(BytesIO(data), "rt", encoding="utf-8", newline="\n") as text:
            line = "\n"
            for line in text:
                yield line.removesuffix("\n")
            if line.endswith("\n"):
                yield ""
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise ChainError(f"{name}: {error}") from error
