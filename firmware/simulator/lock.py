"""One simulator, one set of simulated hardware: a lock that ends with the process, however it ends.

The journal has a lock of its own; this one keeps a second simulator from moving the hardware's state before it gets as
far as the journal.
"""

import fcntl
import os
from pathlib import Path
from typing import Final, Self

from firmware.journal.errors import StoreUnavailableError

FILE_NAME: Final = "hardware.lock"


class HardwareLock:
    """Holds a data directory for this process until ``release`` or the process's end."""

    def __init__(self, data_dir: Path) -> None:
        """Take the lock; the directory is made when it is missing.

        Raises:
            StoreUnavailableError: another program has it, or the directory can't be written.
        """
        path = data_dir / FILE_NAME
        try:
            data_dir.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+")
        except OSError as error:
            raise StoreUnavailableError(
                f"{data_dir}: {error.strerror or error}; choose a folder that can be written with --data"
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise StoreUnavailableError(
                f"{data_dir}: another terminal is running on this folder; end it first or choose another with --data"
            ) from None
        self._file.truncate(0)
        self._file.write(f"{os.getpid()}\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Let go of the directory; may be called twice."""
        self._file.close()
