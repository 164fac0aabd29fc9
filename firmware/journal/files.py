"""The files of the journal besides the SQLite database: every write is on the medium when the call returns.

``Files`` is the seam through which the power-loss tests record each write; ``OsFiles`` is the real one. Errors are
``OSError``. Not responsible for what the bytes mean.
"""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class Files(Protocol):
    """What the journal asks of a file system. Data and names are durable when a call returns."""

    def exists(self, path: Path) -> bool:
        """Tell whether there is such a file or folder."""

    def size(self, path: Path) -> int:
        """Return a file's size in bytes."""

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder in order; none when there is no such folder."""

    def read(self, path: Path, offset: int = 0, length: int = -1) -> bytes:
        """Return bytes of a file, to its end by default."""

    def write(self, path: Path, offset: int, data: bytes) -> None:
        """Write into an existing file, growing it where the data ends behind its end."""

    def replace(self, path: Path, data: bytes) -> None:
        """Make a file of these bytes; whoever reads it finds the old file or the new one, whole."""

    def rename(self, old: Path, new: Path) -> None:
        """Give a file another name in the same folder, in place of a file that had it."""

    def remove(self, path: Path) -> None:
        """Remove a file; nothing happens when there is none."""

    def make_folder(self, folder: Path) -> None:
        """Make a folder and the folders above it where they are missing."""

    def lock(self, path: Path) -> Callable[[], None]:
        """Become the only user of a lock file; returns what ends that. Raises BlockingIOError when another has it."""


class OsFiles:
    """The files of the operating system."""

    def exists(self, path: Path) -> bool:
        """Tell whether there is such a file or folder."""
        return path.exists()

    def size(self, path: Path) -> int:
        """Return a file's size in bytes."""
        return path.stat().st_size

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder in order; none when there is no such folder."""
        try:
            return sorted(path.name for path in folder.iterdir())
        except FileNotFoundError:
            return []

    def read(self, path: Path, offset: int = 0, length: int = -1) -> bytes:
        """Return bytes of a file, to its end by default."""
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(length)

    def write(self, path: Path, offset: int, data: bytes) -> None:
        """Write into an existing file, growing it where the data ends behind its end."""
        descriptor = os.open(path, os.O_WRONLY)
        try:
            _write_all(descriptor, offset, data)
            os.fdatasync(descriptor)
        finally:
            os.close(descriptor)

    def replace(self, path: Path, data: bytes) -> None:
        """Make a file of these bytes; whoever reads it finds the old file or the new one, whole."""
        scratch = path.with_name(path.name + ".new")
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            _write_all(descriptor, 0, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        self.rename(scratch, path)

    def rename(self, old: Path, new: Path) -> None:
        """Give a file another name in the same folder, in place of a file that had it."""
        old.replace(new)
        _sync_folder(new.parent)

    def remove(self, path: Path) -> None:
        """Remove a file; nothing happens when there is none."""
        try:
            path.unlink()
        except FileNotFoundError:
            return
        _sync_folder(path.parent)

    def make_folder(self, folder: Path) -> None:
        """Make a folder and the folders above it where they are missing."""
        if folder.is_dir():
            return
        self.make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        _sync_folder(folder.parent)

    def lock(self, path: Path) -> Callable[[], None]:
        """Become the only user of a lock file; returns what ends that. Raises BlockingIOError when another has it."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException:
            os.close(descriptor)
            raise
        return lambda: os.close(descriptor)


def _write_all(descriptor: int, offset: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        count = os.pwrite(descriptor, view, offset)
        view, offset = view[count:], offset + count


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
