"""A Linux frame buffer (``/dev/fb0``) as the screen: what SDL's dummy driver has drawn is copied there, changed places alone.

For boards without a graphics driver that SDL knows: small panels on SPI, and emulated machines. Pixels of 16, 24 and 32 bits
in any order of colours. The layout comes from the kernel (``struct fb_var_screeninfo`` and ``fb_fix_screeninfo`` of
``linux/fb.h``). Not responsible for drawing, for input (SDL's ``evdev`` driver has it), nor for the text console: a kernel
that writes its cursor there must be told not to (``fbcon=map:1`` on its command line).
"""

import errno
import fcntl
import mmap
import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pygame

from display.canvas_diff import Rect

DEVICE = Path("/dev/fb0")
_FBIOGET_VSCREENINFO = 0x4600
_FBIOGET_FSCREENINFO = 0x4602
_VARIABLE = struct.Struct("@8I9I")
"""Sizes, offsets, bits per pixel and grey scale, then offset, length and side of red, green and blue."""
_VARIABLE_BYTES = 160
_FIXED = struct.Struct("@16sL4I3HI")
_FIXED_BYTES = 96
"""More than the kernel's structure has on any machine."""


class FrameBufferError(Exception):
    """The frame buffer can't be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How pixels lie in the memory: sizes in pixels, ``stride`` and ``offset`` in bytes, a mask for each of red, green, blue."""

    width: int
    height: int
    stride: int
    bits: int
    masks: tuple[int, int, int]
    offset: int = 0

    @property
    def length(self) -> int:
        """Bytes up to the last line's end."""
        return self.offset + self.stride * self.height


class FrameBuffer:
    """An open frame buffer. ``layout`` is for a plain file, which can't be asked."""

    def __init__(self, path: Path = DEVICE, layout: Layout | None = None) -> None:
        """Open and map it. Raises FrameBufferError."""
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            try:
                self.layout = layout or _ask(descriptor)
                self._memory = mmap.mmap(descriptor, self.layout.length)
            finally:
                os.close(descriptor)
        except (OSError, ValueError) as error:
            raise FrameBufferError(f"{path}: {_remedy(error)}") from error
        masks = (*self.layout.masks, 0)
        try:
            self._same = pygame.Surface((self.layout.width, self.layout.height), 0, self.layout.bits, masks)
        except (pygame.error, ValueError) as error:
            self._memory.close()
            raise FrameBufferError(f"{path}: pixels of {self.layout.bits} bits are not supported") from error

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.layout.width, self.layout.height

    def show(self, screen: pygame.Surface, rects: Iterable[Rect | pygame.Rect]) -> None:
        """Copy rectangles of a surface that begins at the same corner, clipped to what both have."""
        alike = (screen.get_bitsize(), screen.get_masks()[:3]) == (self.layout.bits, self.layout.masks)
        whole = self._same.get_rect().clip(screen.get_rect())
        places = [whole.clip(rect) for rect in rects]
        if not alike:
            for place in places:
                self._same.blit(screen, place, place)
        source = screen if alike else self._same
        pixel, pitch = source.get_bytesize(), source.get_pitch()
        stride, memory = self.layout.stride, self._memory
        with memoryview(source.get_buffer()) as pixels:  # type: ignore[arg-type] # it is a buffer, the stubs don't know
            for place in places:
                start = place.y * pitch + place.x * pixel
                there = self.layout.offset + place.y * stride + place.x * pixel
                for _ in range(place.h):
                    memory[there : there + place.w * pixel] = pixels[start : start + place.w * pixel]
                    start += pitch
                    there += stride

    def close(self) -> None:
        """Give it back; the last picture stays, so that a restart shows no black gap. May be called twice."""
        self._memory.close()


def _ask(descriptor: int) -> Layout:
    """Ask the kernel for the layout. Raises OSError for what is no frame buffer, ValueError for one with a palette."""
    variable, fixed = bytearray(_VARIABLE_BYTES), bytearray(_FIXED_BYTES)
    fcntl.ioctl(descriptor, _FBIOGET_VSCREENINFO, variable)
    fcntl.ioctl(descriptor, _FBIOGET_FSCREENINFO, fixed)
    return read_layout(bytes(variable), bytes(fixed))


def read_layout(variable: bytes, fixed: bytes) -> Layout:
    """Return the layout out of the kernel's two structures. Raises ValueError for pixels that are not made of colours."""
    width, height, _, _, x, y, bits, _, *fields = _VARIABLE.unpack_from(variable)
    *_, stride = _FIXED.unpack_from(fixed)
    offsets, lengths = fields[0::3], fields[1::3]
    if bits not in (16, 24, 32) or not all(lengths):
        raise ValueError(f"pixels of {bits} bits are not supported; set 16 or 32 bits")
    red, green, blue = (((1 << length) - 1) << offset for offset, length in zip(offsets, lengths, strict=True))
    return Layout(width, height, stride, bits, (red, green, blue), y * stride + x * bits // 8)


def _remedy(error: OSError | ValueError) -> str:
    if not isinstance(error, OSError):
        return str(error)
    match error.errno:
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return "there is no frame buffer; connect a screen, or choose another display.driver"
        case errno.EACCES | errno.EPERM:
            return "no permission; add the user to the group video and log in again"
        case errno.ENOTTY | errno.EINVAL:
            return "is not a frame buffer"
    return error.strerror or str(error)
