"""Partial results of a long computation, kept on disk so that an interrupted one goes on where it was.

Kept below the user's cache folder (``XDG_CACHE_HOME``), under a digest of what is being computed. A file that can't be
read is no result. Not responsible for what the arrays mean.
"""

import contextlib
import hashlib
import os
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import numpy as np

from firmware.maths.compiled import Array

_VERSION: Final = 1
"""Raised whenever a computation changes what its stages mean."""


def cache_directory() -> Path:
    """Return the folder for partial results and tables of best play."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "croupier" / "maths"


class Checkpoint:
    """The stages of one computation."""

    def __init__(self, subject: str, directory: Path | None = None) -> None:
        """``subject`` describes all that decides the result; ``directory`` is for tests."""
        digest = hashlib.sha256(f"{_VERSION} {subject}".encode()).hexdigest()[:24]
        self._folder = (directory or cache_directory()) / digest

    def load(self, stage: str) -> dict[str, Array] | None:
        """Return the arrays of a finished stage, or None."""
        try:
            path = self._folder / f"{stage}.npz"
            with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                return {name: file[name] for name in file.files}
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return None

    def save(self, stage: str, **arrays: Array) -> None:
        """Keep a finished stage. A disk that is full or read-only only means that it can't be resumed."""
        path = self._folder / f"{stage}.npz"
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with temporary.open("wb") as file:
                np.savez(file, allow_pickle=False, **arrays)
            temporary.replace(path)

    def forget(self, *stages: str) -> None:
        """Remove stages that are no longer needed."""
        for stage in stages:
            with contextlib.suppress(OSError):
                (self._folder / f"{stage}.npz").unlink()
