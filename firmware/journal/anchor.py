"""The head anchor: a few hundred bytes on a third medium that remember how the journal ended and what the books said.

A storage device that silently lost its newest writes leaves a journal that is consistent and too short; only something
elsewhere can tell. Two slots are written in turn, each with a counter and a checksum, so that the older one survives
whatever happens to the newer one. A file serves as well as an FRAM chip: ``Slots`` is all that a medium must do.

Not responsible for comparing with the journal (``critical``).
"""

import struct
import zlib
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Final, Protocol

from firmware.journal.errors import ForeignFileError
from firmware.journal.files import Files
from firmware.journal.record import Head, Tally

SLOT_BYTES: Final = 512
_BLOCK_BYTES: Final = 4_096
"""Slots of a file lie this far apart, so that no block of a flash medium holds both."""
_MAGIC: Final = b"CRA1"
_TALLY_COUNT: Final = len(fields(Tally))
_SLOT: Final = struct.Struct(f"<4sIQQ32s{_TALLY_COUNT}q")
"""Magic, CRC-32 of all that follows it, write counter, number and link of the last row, the tally."""
_CHECKED_FROM: Final = 8


class Slots(Protocol):
    """A medium with two slots of ``SLOT_BYTES``. Errors are ``OSError``."""

    def read(self, index: int) -> bytes:
        """Return a slot's bytes."""

    def write(self, index: int, data: bytes) -> None:
        """Overwrite a slot; durable when the call returns."""


class FileSlots:
    """Two slots in a file."""

    def __init__(self, path: Path, files: Files) -> None:
        """Use the file; when missing it is made with two sound slots, or the first write could leave none.

        Raises:
            ForeignFileError: the file can't be an anchor; it is left untouched.
            OSError: it can't be made or read.
        """
        self._path, self._files = path, files
        if not files.exists(path):
            files.make_folder(path.parent)
            both = (_pack(count, Anchored(Head(), Tally())) for count in (1, 2))
            files.replace(path, b"".join(slot.ljust(_BLOCK_BYTES, bytes(1)) for slot in both))
        elif files.size(path) != 2 * _BLOCK_BYTES:
            raise ForeignFileError(f"{path}: not an anchor of this program; choose another storage.anchor_file")

    def read(self, index: int) -> bytes:
        """Return a slot's bytes."""
        return self._files.read(self._path, index * _BLOCK_BYTES, SLOT_BYTES)

    def write(self, index: int, data: bytes) -> None:
        """Overwrite a slot; durable when the call returns."""
        self._files.write(self._path, index * _BLOCK_BYTES, data)


@dataclass(frozen=True, slots=True)
class Anchored:
    """What a slot says: the journal's end, and the books at that end."""

    head: Head
    tally: Tally


class Anchor:
    """An open anchor. ``newest`` is what it remembers, None when both slots are damaged."""

    def __init__(self, slots: Slots) -> None:
        """Read both slots. Raises OSError."""
        self._slots = slots
        found = [_unpack(slots.read(index)) for index in (0, 1)]
        self._counts = [slot[0] if slot is not None else 0 for slot in found]
        best = found[self._counts.index(max(self._counts))]
        self.newest: Anchored | None = best[1] if best is not None else None

    @property
    def has_bad_slot(self) -> bool:
        """Tell whether one slot can't be read: it was being written when power went, or it has rotted."""
        return self.newest is not None and 0 in self._counts

    @property
    def is_blank(self) -> bool:
        """Tell whether it never had anything to remember."""
        return self.newest is not None and self.newest.head.seq == 0

    def write(self, head: Head, tally: Tally) -> None:
        """Remember the journal's end in the older slot. Raises OSError."""
        index = self._counts.index(min(self._counts))
        count = max(self._counts) + 1
        self._slots.write(index, _pack(count, Anchored(head, tally)))
        self._counts[index] = count
        self.newest = Anchored(head, tally)


def _pack(count: int, anchored: Anchored) -> bytes:
    head = anchored.head
    slot = bytearray(_SLOT.pack(_MAGIC, 0, count, head.seq, head.link, *astuple(anchored.tally)))
    struct.pack_into("<I", slot, 4, zlib.crc32(slot[_CHECKED_FROM:]))
    return bytes(slot) + bytes(SLOT_BYTES - len(slot))


def _unpack(data: bytes) -> tuple[int, Anchored] | None:
    if len(data) < _SLOT.size:
        return None
    magic, crc, count, seq, link, *tally = _SLOT.unpack_from(data)
    if magic != _MAGIC or zlib.crc32(data[_CHECKED_FROM : _SLOT.size]) != crc:
        return None
    return count, Anchored(Head(seq, link), Tally(*tally))
