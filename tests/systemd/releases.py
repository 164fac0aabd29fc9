"""Releases of the real program for the service's test: signed by a key of the test, the next one with other packages, one that can't start.

Not responsible for installing them (``updates``).
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = "0.1.0"
NEXT, BROKEN = "9.1.0", "9.2.0"
LEFT_OUT = "colorama"
"""A package that no Linux installs: the lock file of the next release is without it, so all packages come anew."""


def copy_of_program(source: Path) -> None:
    """Copy what is committed or new, as a clone would have it."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    there = b"\0".join(name for name in names.split(b"\0") if name and (ROOT / os.fsdecode(name)).is_file())
    packed = subprocess.run(
        ["tar", "--null", "--files-from=-", "-cf", "-"], cwd=ROOT, input=there, capture_output=True, check=True
    )
    subprocess.run(["tar", "-C", source, "-xf", "-"], input=packed.stdout, check=True)


class Releases:
    """A maker's key and what it signs, in a folder."""

    def __init__(self, folder: Path) -> None:
        """Make the folder and a key."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self._folder = folder
        self._key = folder / "release.pem"
        self.public_key = folder / "release.pub"

    def sign(self, source: Path) -> None:
        """Sign a program's folder before it is installed."""
        _run(source, "manifest", "key", str(self._key))
        _run(source, "manifest", "make", "--key", str(self._key), "--counter", "1")

    def next(self, source: Path, wheels: Path | None = None) -> Path:
        """Make the bundle of a later release: with other packages, which it brings from the folder, or with those that are there."""
        root = self._copy(source, NEXT)
        if wheels is None:
            return self._bundle(root, NEXT, 2)
        for name in ("requirements.lock", "requirements-cabinet.lock"):
            lines = (root / name).read_text(encoding="ascii").splitlines(keepends=True)
            at = next(number for number, line in enumerate(lines) if line.startswith(LEFT_OUT + "=="))
            end = next(number for number in range(at + 1, len(lines)) if not lines[number].startswith(" "))
            (root / name).write_text("".join(lines[:at] + lines[end:]), encoding="ascii")
        return self._bundle(root, NEXT, 2, "--wheels", str(wheels))

    def broken(self, source: Path) -> Path:
        """Make the bundle of one after that, which ends before it is ready; its packages are those of the next."""
        root = self._copy(source, BROKEN)
        for name in ("requirements.lock", "requirements-cabinet.lock"):
            shutil.copy(self._folder / NEXT / name, root / name)
        with (root / "firmware/run_command.py").open("a", encoding="utf-8") as file:
            file.write('\nraise RuntimeError("a release that does not start")\n')
        return self._bundle(root, BROKEN, 3)

    def _copy(self, source: Path, version: str) -> Path:
        root = self._folder / version
        shutil.copytree(source, root, ignore=shutil.ignore_patterns("manifest.*", "__pycache__", "tests"))
        about = root / "firmware/__init__.py"
        about.write_text(about.read_text(encoding="utf-8").replace(f'"{VERSION}"', f'"{version}"'), encoding="utf-8")
        return root

    def _bundle(self, root: Path, version: str, counter: int, *more: str) -> Path:
        path = self._folder / f"{version}.bundle"
        _run(root, "bundle", "make", str(path), "--key", str(self._key), "--counter", str(counter), *more)
        return path


def _run(root: Path, *words: str) -> None:
    """Run a subcommand of a program in a folder by this machine's packages: it says its own version."""
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(
        [sys.executable, "-P", "-m", "firmware", *words],
        cwd=root,
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )
