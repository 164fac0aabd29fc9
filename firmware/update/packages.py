"""The packages of a version: shared with the running one when the lock files are the same, else installed from the bundle.

pip checks every package against the lock file's hashes and asks no network. Compiling is done once here, because the
program must not be able to write its own folder. Not responsible for where versions lie (``versions``).
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.errors import UserError
from firmware.update.locked import CABINET_LOCK, CABINET_STAMP, choice_of, locked
from firmware.update.versions import Disk

LOCK: Final = "requirements.lock"
STAMP: Final = "installed-requirements.lock"
"""What the start script compares with the lock file; it is written last."""


def packages_for(root: Path, running: Path, versions: Path, wheels: Path, disk: Disk) -> Path:
    """Return the folder of packages for a program; it is made where it has to be.

    A cabinet keeps its choice of packages (``locked``): its kind of pygame, and what drives its pins.

    Raises:
        UserError: the packages are others than here and the bundle does not bring them, or they can't be installed.
    """
    here = (running / ".venv").resolve()
    stamps, choice = {STAMP: (root / LOCK).read_bytes()}, None
    if (here / CABINET_STAMP).is_file():
        choice = choice_of((here / CABINET_STAMP).read_text(encoding="ascii"))
        stamps[CABINET_STAMP] = locked((root / CABINET_LOCK).read_text(encoding="ascii"), choice).encode("ascii")
    if _is_of(here, stamps):
        return here
    folder = versions / f"packages-{hashlib.sha256(b''.join(stamps.values())).hexdigest()[:16]}"
    if _is_of(folder, stamps):
        return folder
    if not wheels.is_dir():
        raise UserError(
            "update: this version needs other packages than are installed, and the bundle brings none; "
            "its maker has to add them: ./croupier bundle make --wheels DIR"
        )
    seen = ("--system-site-packages",) if choice is not None and choice.system else ()
    _run("make a place for packages", sys.executable, "-m", "venv", "--clear", *seen, str(folder))
    python = str(folder / "bin" / "python")
    pip = (python, "-m", "pip")
    options = ("--no-index", "--no-deps", "--require-hashes", "--only-binary=:all:", "--no-input", "--no-compile")
    wanted = folder / "wanted.lock"
    disk.write(wanted, stamps[CABINET_STAMP if choice is not None else STAMP])
    _run("install the packages", *pip, "install", *options, "--requirement", str(wanted), wheels=wheels)
    _run("remove what only installs", *pip, "uninstall", "--yes", "setuptools", "pip")
    disk.remove(wanted)
    for unread in folder.glob("lib/*/site-packages/pygame/*"):  # megabytes of manual, examples and tests
        if unread.name in ("docs", "examples", "tests"):
            disk.remove(unread)
    compile_all(folder)
    for name, text in reversed(stamps.items()):
        disk.write(folder / name, text)
    disk.sync(folder)
    return folder


def _is_of(folder: Path, stamps: Mapping[str, bytes]) -> bool:
    return all((folder / name).is_file() and (folder / name).read_bytes() == text for name, text in stamps.items())


def compile_all(root: Path, final: Path | None = None) -> None:
    """Compile all modules below a folder, to run at ``final``; a module that can't be compiled is left as it is."""
    moved = ("-s", str(root), "-p", str(final)) if final is not None else ()
    subprocess.run(
        [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", *moved, str(root)],
        check=False,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _run(what: str, *command: str, wheels: Path | None = None) -> None:
    """Run a program in an environment without anybody's own wishes for pip. Raises UserError."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    environment |= {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    if wheels is not None:
        environment["PIP_FIND_LINKS"] = str(wheels)
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no reason given").splitlines()[-1]
        raise UserError(f"update: could not {what}: {last}")
