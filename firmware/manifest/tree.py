"""The files of a program's folder: which belong to the manifest, and their sums.

Three kinds of files lie there. What a release brings is in the signed manifest. What was made from it on this machine
(compiled modules in ``__pycache__``, the packages in ``.venv``) differs from machine to machine; the installer lists it in
``sealed.json``. What no cabinet gets (``tests``, ``.git`` and other names with a dot at the top) is not looked at.

Not responsible for judging differences (``check``).
"""

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from firmware.manifest.model import FileSum

PROGRAM: Final = Path(__file__).resolve().parents[2]
"""The folder of the program that runs."""
MANIFEST_NAME: Final = "manifest.json"
SIGNATURE_NAME: Final = "manifest.sig"
SEAL_NAME: Final = "sealed.json"
NOTE_NAME: Final = "installed.json"
"""Who installed this version and when; written by the update."""
OWN_NAMES: Final = frozenset({MANIFEST_NAME, SIGNATURE_NAME, SEAL_NAME, NOTE_NAME})
NOT_SHIPPED: Final = frozenset({"tests", "data", "screenshots", "build", "dist"})
PACKAGES: Final = ".venv"
COMPILED: Final = "__pycache__"
CHUNK_BYTES: Final = 1 << 20


def release_paths(root: Path) -> Iterator[Path]:
    """Yield the files of a release in order: all but compiled modules, the manifest itself and top names with a dot."""
    yield from _walk(root, root)


def _walk(root: Path, folder: Path) -> Iterator[Path]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        at_top = folder == root
        if entry.name == COMPILED or (at_top and _is_no_release(entry.name)):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(root, Path(entry.path))
        else:
            yield Path(entry.path)


def _is_no_release(name: str) -> bool:
    return name.startswith(".") or name in OWN_NAMES or name in NOT_SHIPPED


def local_paths(root: Path) -> Iterator[Path]:
    """Yield what was made on this machine: compiled modules and packages. Packages are read where a link leads."""
    for folder, names, files in os.walk(root):
        here = Path(folder)
        if here == root:
            names[:] = [name for name in names if not name.startswith(".")]
        names.sort()
        if here.name == COMPILED:
            yield from (here / name for name in sorted(files))
    packages = root / PACKAGES
    for folder, names, files in os.walk(packages):
        names.sort()
        links = [name for name in names if Path(folder, name).is_symlink()]  # not walked into: the link itself counts
        yield from (Path(folder) / name for name in sorted(files + links))


def sums(
    root: Path, paths: Iterator[Path], breathe: Callable[[], None] = lambda: None
) -> Iterator[tuple[str, FileSum]]:
    """Yield path below the root and sum of each file; ``breathe`` is called between reads. Raises OSError."""
    for path in paths:
        yield path.relative_to(root).as_posix(), sum_of(path, breathe)


def sum_of(path: Path, breathe: Callable[[], None] = lambda: None) -> FileSum:
    """Return a file's sum. A symbolic link or a special file is never followed: its sum is nobody's. Raises OSError."""
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        if stat.S_ISLNK(status.st_mode):
            target = str(path.readlink()).encode()
            return FileSum(len(target), hashlib.sha256(b"link " + target).hexdigest())
        return FileSum(0, hashlib.sha256(b"special").hexdigest())
    total, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            total.update(chunk)
            size += len(chunk)
            breathe()
        # Forgotten by the cache, so that the next check reads the medium and not what was read before.
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return FileSum(size, total.hexdigest(), bool(status.st_mode & stat.S_IXUSR))
