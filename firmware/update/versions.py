"""Versions side by side, and the switch from one to another so that a power cut at any moment leaves a whole one.

    /opt/croupier                    the version that was installed first; it is never changed
    /opt/croupier-versions/1.2.0-7   an update, by version and counter
        packages-<digest>            the packages that such versions share, by their lock file
        current, previous            links to two of them; ``croupier-start`` follows them
    /var/lib/croupier/boot           ``NAME count``, ``NAME ok`` or ``NAME failed``, kept by ``croupier-start``

A version is written under another name, every file of it is on the medium before it gets its own, and only then a
link is moved. Not responsible for what is installed (``bundle``, ``packages``) or whether it may be (``gate``).
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

VERSIONS: Final = Path("/opt/croupier-versions")
FACTORY: Final = Path("/opt/croupier")
BOOT: Final = Path("/var/lib/croupier/boot")
CURRENT: Final = "current"
PREVIOUS: Final = "previous"
PART: Final = ".part"


class Disk:
    """What the installation does to a disk; a step is on the medium when the call returns. Raises OSError."""

    def make_folder(self, path: Path) -> None:
        """Make a folder and those above it."""
        path.mkdir(mode=0o755, parents=True, exist_ok=True)

    def write(self, path: Path, data: bytes, mode: int = 0o644) -> None:
        """Write a new file."""
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def rename(self, old: Path, new: Path) -> None:
        """Give a file, folder or link another name, in place of a file or link that had it."""
        old.rename(new)
        self.sync(new.parent)

    def link(self, path: Path, target: str) -> None:
        """Make a symbolic link where there is nothing."""
        path.symlink_to(target)

    def remove(self, path: Path) -> None:
        """Remove a file, a link or a whole folder; nothing happens when there is none."""
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def settle(self) -> None:
        """Bring everything to the medium, also what other programs have written for the installation."""
        os.sync()

    def sync(self, folder: Path) -> None:
        """Bring a folder's names to the medium."""
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Place:
    """Where versions lie."""

    versions: Path = VERSIONS
    factory: Path = FACTORY
    boot: Path = BOOT

    def version(self, name: str) -> Path | None:
        """Return the folder that ``current`` or ``previous`` leads to; None when there is no whole one."""
        folder = self.versions / name
        return folder.resolve() if (folder / "croupier").is_file() else None

    def running(self) -> Path:
        """Return the version that ``croupier-start`` chooses now."""
        current = self.version(CURRENT)
        if current is not None and self.boot_state() != (current.name, "failed"):
            return current
        return self.version(PREVIOUS) or self.factory

    def boot_state(self) -> tuple[str, str]:
        """Return the version that was tried last, and ``ok``, ``failed`` or a number of starts."""
        try:
            words = self.boot.read_text(encoding="ascii").split()
        except (OSError, ValueError):
            return "", ""
        return (words[0], words[1]) if len(words) == 2 else ("", "")


def point(disk: Disk, place: Place, name: str, target: Path) -> None:
    """Let ``current`` or ``previous`` lead to another version, in one step."""
    draft = place.versions / f".{name}.new"
    disk.remove(draft)
    disk.link(draft, target.name if target.parent == place.versions else str(target))
    disk.rename(draft, place.versions / name)


def switch(disk: Disk, place: Place, name: str) -> None:
    """Make a version that lies whole in its ``.part`` folder the current one, and the running one the previous."""
    before, new = place.running(), place.versions / name
    disk.rename(new.with_name(name + PART), new)
    if before != new:
        point(disk, place, PREVIOUS, before)
    if place.boot_state()[0] == name:  # it failed before and is tried anew
        disk.remove(place.boot)
    point(disk, place, CURRENT, new)


def tidy(disk: Disk, place: Place) -> None:
    """Remove what no link leads to: older versions, packages that nobody shares, and what an interruption left."""
    if not place.versions.is_dir():
        return
    kept = {path.name for name in (CURRENT, PREVIOUS) if (path := place.version(name)) is not None}
    shared = {(place.versions / name / ".venv").resolve().name for name in kept}
    for path in sorted(place.versions.iterdir()):
        if path.name not in kept | shared and path.name not in (CURRENT, PREVIOUS, ".lock", "lost+found"):
            disk.remove(path)
