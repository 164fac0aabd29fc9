"""The packages of a version: shared with the running one when the lock file is the same, else installed from the bundle.

pip checks every package against the lock file's hashes and asks no network. Compiling is done once here, because the
program must not be able to write its own folder. Not responsible for where versions lie (``versions``).
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from firmware.errors import UserError
from firmware.update.versions import Disk

LOCK: Final = "requirements.lock"
STAMP: Final = "installed-requirements.lock"
"""What the start script compares with the lock file; it is written last."""


def packages_for(root: Path, running: Path, versions: Path, wheels: Path, disk: Disk) -> Path:
    """Return the folder of packages for a program; it is made where it has to be.

    Raises:
        UserError: the packages are others than here and the bundle does not bring them, or they can't be installed.
    """
    lock = (root / LOCK).read_bytes()
    here = (running / ".venv").resolve()
    if (here / STAMP).is_file() and (here / STAMP).read_bytes() == lock:
        return here
    folder = versions / f"packages-{hashlib.sha256(lock).hexdigest()[:16]}"
    if (folder / STAMP).is_file() and (folder / STAMP).read_bytes() == lock:
        return folder
    if not wheels.is_dir():
        raise UserError(
            "update: this version needs other packages than are installed, and the bundle brings none; "
            "its maker has to add them: ./croupier bundle make --wheels DIR"
        )
    _run("make a place for packages", sys.executable, "-m", "venv", "--clear", str(folder))
    python = str(folder / "bin" / "python")
    pip = ("-m", "pip", "install", "--no-index", "--no-deps", "--require-hashes", "--no-input", "--no-compile")
    _run("install the packages", python, *pip, "--requirement", str(root / LOCK), wheels=wheels)
    _run("remove setuptools", python, "-m", "pip", "uninstall", "--yes", "setuptools")
    compile_all(folder)
    disk.write(folder / STAMP, lock)
    disk.sync(folder)
    return folder


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
