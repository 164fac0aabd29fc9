"""Where reports are saved one after another: how far the one being saved is, and the wish to stop it. Safe from any thread.

Not responsible for what is saved or where.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from firmware.terminal.menu import ReportWork


class ReportStoppedError(Exception):
    """Somebody has stopped the report that was being saved; the text says who."""


class ReportDesk:
    """The desk of one terminal."""

    def __init__(self) -> None:
        """Begin with nothing to do."""
        self._turn = threading.Lock()
        self._work: ReportWork | None = None
        self._stopped_by = ""

    @property
    def work(self) -> ReportWork | None:
        """The report that is being saved, and how far it is; None when there is none."""
        return self._work

    @contextmanager
    def saving(self, name: str, step_count: int) -> Iterator[None]:
        """Wait until no other report is being saved, and have this one saved inside."""
        with self._turn:
            self._stopped_by, self._work = "", ReportWork(name, 0, step_count)
            try:
                yield
            finally:
                self._work = None

    def step(self) -> None:
        """One more step is done. Raises ReportStoppedError when somebody has stopped the report."""
        if self._stopped_by:
            raise ReportStoppedError(f"stopped by the {self._stopped_by}")
        if (work := self._work) is not None:
            self._work = ReportWork(work.name, min(work.done + 1, work.total), work.total)

    def stop(self, level: str) -> None:
        """Stop the report that is being saved at its next step; without one this does nothing."""
        if self._work is not None:
            self._stopped_by = level
