"""The disk cache of rasterised pictures: a second start reads pixels instead of drawing them.

Files lie under the user's cache folder, in a folder named by the art's version (a digest of the art's own source and of
the libraries that rasterise it), so a stale picture cannot be read. A cache that cannot be read or written is no error: pictures
are then drawn each time. Not responsible for the pictures that are held in memory (`display.canvas_sprites`).
"""

import hashlib
import os
import shutil
import struct
import tempfile
import zlib
from functools import cache
from pathlib import Path

import pygame

from display.assets.raster import Raster

_HEADER = struct.Struct("<4sHHhhHHB")
_MAGIC = b"CRA1"


def default_cache_dir() -> Path:
    """Return the folder for caches that the desktop standard names: ``$XDG_CACHE_HOME`` or ``~/.cache``."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".cache") / "croupier"


@cache
def art_version() -> str:
    """Return a digest of the art's source files and the libraries that turn them into pixels."""
    digest = hashlib.sha256(f"{pygame.version.ver} {pygame.get_sdl_version()}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


class RasterStore:
    """Rasters on disk, by sprite name and size."""

    def __init__(self, folder: Path | None) -> None:
        """Use ``folder`` (made when first needed); None keeps nothing."""
        self._folder = None if folder is None else folder / f"art-{art_version()}"
        self._writable = folder is not None
        self._ready = False

    def load(self, name: str, width: int, height: int) -> Raster | None:
        """Return a kept raster, or None if there is none or it is damaged."""
        if self._folder is None:
            return None
        try:
            data = self._file(name, width, height).read_bytes()
            magic, w, h, dx, dy, box_w, box_h, alpha = _HEADER.unpack_from(data)
            pixels = zlib.decompress(memoryview(data)[_HEADER.size :])
        except (OSError, zlib.error, struct.error):
            return None
        if magic != _MAGIC or (box_w, box_h) != (width, height) or len(pixels) != w * h * 4:
            return None
        surface = pygame.Surface((w, h), pygame.SRCALPHA if alpha else 0, 32)
        surface.get_buffer().write(pixels)
        return Raster(surface, dx, dy, box_w, box_h)

    def save(self, name: str, raster: Raster) -> None:
        """Keep a raster, if the folder can be written."""
        if not self._writable or self._folder is None:
            return
        try:
            self._prepare(self._folder)
            surface = raster.surface
            alpha = int(bool(surface.get_flags() & pygame.SRCALPHA))
            head = _HEADER.pack(_MAGIC, *surface.get_size(), raster.dx, raster.dy, raster.width, raster.height, alpha)
            body = zlib.compress(surface.get_buffer().raw, 1)
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                file.write(head + body)
            Path(file.name).replace(self._file(name, raster.width, raster.height))
        except OSError:
            # No room or no permission: draw each time, and do not try again.
            self._writable = False

    def _prepare(self, folder: Path) -> None:
        if self._ready:
            return
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.parent.glob("art-*"):
            if old != folder:
                shutil.rmtree(old, ignore_errors=True)
        self._ready = True

    def _file(self, name: str, width: int, height: int) -> Path:
        assert_folder = self._folder if self._folder is not None else Path()
        return assert_folder / f"{name.replace(':', '.')}.{width}x{height}"
