"""A disk in memory that records every operation in order, for SQLite (``sqlite_vfs``) and for the journal's other files.

Files are inodes under names, as in a file system: a file that is removed and made again is another one. The log says
what was written, made, renamed, removed and synced when; marks of the test stand between. An operation can be made to
fail. Not responsible for what is left of it all after a power cut (``states``).
"""

import errno
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Write:
    inode: int
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    inode: int
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    """All that was written to a file is now on the medium."""

    inode: int


@dataclass(frozen=True, slots=True)
class Name:
    """A name now stands for an inode, or for none."""

    path: str
    inode: int | None


@dataclass(frozen=True, slots=True)
class Rename:
    """One name takes another's inode, in one step."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class SyncFolder:
    """All changes of names in a folder are now on the medium."""

    folder: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A note of the test's own: ``attempt``, ``ack`` or ``effect``."""

    kind: str
    seq: int = 0
    key: str = ""


Operation = Write | Truncate | Sync | Name | Rename | SyncFolder | Mark


class DiskFailure(OSError):
    """The disk does not do what it was asked."""


class RecordingDisk:
    """Files in memory and the log of all that was done to them."""

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        """Begin with these files, durable; they are not in the log."""
        self.log: list[Operation] = []
        self.initial = dict(files or {})
        self.names: dict[str, int] = {}
        self.contents: dict[int, bytearray] = {}
        self.refuse: Callable[[Operation], int] = lambda _: 0
        """Returns the ``errno`` with which an operation fails, or 0."""
        self._count = 0
        for path, data in self.initial.items():
            self.names[path] = self._new_inode()
            self.contents[self.names[path]] = bytearray(data)

    def mark(self, mark: Mark) -> None:
        """Write a note into the log."""
        self.log.append(mark)

    def create(self, path: str) -> int:
        """Make an empty file under a name and return its inode."""
        inode = self._new_inode()
        self._do(Name(path, inode))
        self.names[path], self.contents[inode] = inode, bytearray()
        return inode

    def write(self, inode: int, offset: int, data: bytes) -> None:
        """Write into a file."""
        self._do(Write(inode, offset, data))
        content = self.contents[inode]
        if len(content) < offset:
            content.extend(bytes(offset - len(content)))
        content[offset : offset + len(data)] = data

    def truncate(self, inode: int, size: int) -> None:
        """Cut a file."""
        self._do(Truncate(inode, size))
        del self.contents[inode][size:]

    def sync(self, inode: int) -> None:
        """Bring a file's data onto the medium."""
        self._do(Sync(inode))

    def sync_folder(self, folder: str) -> None:
        """Bring a folder's names onto the medium."""
        self._do(SyncFolder(folder))

    def rename(self, old: str, new: str) -> None:
        """Give a file another name."""
        self._do(Rename(old, new))
        self.names[new] = self.names.pop(old)

    def remove(self, path: str) -> None:
        """Remove a name."""
        self._do(Name(path, None))
        del self.names[path]

    def files(self) -> dict[str, bytes]:
        """Return what the files hold now."""
        return {path: bytes(self.contents[inode]) for path, inode in self.names.items()}

    def _new_inode(self) -> int:
        self._count += 1
        return self._count

    def _do(self, operation: Operation) -> None:
        number = self.refuse(operation)
        if number:
            raise DiskFailure(number, errno.errorcode[number])
        self.log.append(operation)


class DiskFiles:
    """The journal's ``Files`` on a recording disk, with the same operations in the same order as the real ones."""

    def __init__(self, disk: RecordingDisk) -> None:
        self.disk = disk

    def exists(self, path: Path) -> bool:
        return str(path) in self.disk.names or any(name.startswith(f"{path}/") for name in self.disk.names)

    def size(self, path: Path) -> int:
        return len(self.disk.contents[self._inode(path)])

    def names(self, folder: Path) -> list[str]:
        start = f"{folder}/"
        return sorted({name[len(start) :].partition("/")[0] for name in self.disk.names if name.startswith(start)})

    def read(self, path: Path, offset: int = 0, length: int = -1) -> bytes:
        content = self.disk.contents[self._inode(path)]
        return bytes(content[offset:] if length < 0 else content[offset : offset + length])

    def write(self, path: Path, offset: int, data: bytes) -> None:
        inode = self._inode(path)
        self.disk.write(inode, offset, data)
        self.disk.sync(inode)

    def replace(self, path: Path, data: bytes) -> None:
        scratch = path.with_name(path.name + ".new")
        inode = self.disk.create(str(scratch))
        self.disk.write(inode, 0, data)
        self.disk.sync(inode)
        self.rename(scratch, path)

    def rename(self, old: Path, new: Path) -> None:
        self._inode(old)
        self.disk.rename(str(old), str(new))
        self.disk.sync_folder(str(new.parent))

    def remove(self, path: Path) -> None:
        if str(path) in self.disk.names:
            self.disk.remove(str(path))
            self.disk.sync_folder(str(path.parent))

    def make_folder(self, folder: Path) -> None:
        """Folders are taken for granted: that they are there first is ``OsFiles``' own business."""

    def lock(self, path: Path) -> Callable[[], None]:
        return lambda: None

    def _inode(self, path: Path) -> int:
        inode = self.disk.names.get(str(path))
        if inode is None:
            raise FileNotFoundError(errno.ENOENT, "no such file", str(path))
        return inode
