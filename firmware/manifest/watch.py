"""Checks the program once soon after the start and then every hour, in a thread that gives way to everything else.

The first check waits a moment so that it does not delay the first picture; until its verdict the terminal takes no money,
so that check gives way only a little. Not responsible for what a verdict means to the terminal (``terminal.decide_program``).
"""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware.manifest.check import TRUSTED_KEYS, Verdict, check
from firmware.manifest.tree import PROGRAM
from firmware.settings.sections import Settings
from firmware.terminal.menu import SoftwareState
from firmware.terminal.step import ProgramChecked

FIRST_DELAY_S: Final = 0.5
PERIOD_S: Final = 3_600.0
FIRST_PRIORITY, LOWEST_PRIORITY = 5, 19
"""Nice values: a busy screen would starve a first check of the lowest priority, and nobody could play."""
AMUSEMENT: Final = "CRD"
"""The currency of credits that are worth nothing."""


class ProgramWatch:
    """One checker for the life of the process; a terminal that is built anew takes it over with ``start``."""

    def __init__(
        self, examine: Callable[[], Verdict], *, first_delay_s: float = FIRST_DELAY_S, period_s: float = PERIOD_S
    ) -> None:
        """``examine`` reads all files and takes its time. Nothing runs before ``start``."""
        self._examine = examine
        self._first_delay_s, self._period_s = first_delay_s, period_s
        self._sink: Callable[[ProgramChecked], object] = lambda _: None
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self.verdict: Verdict | None = None
        """The newest verdict; None before the first."""

    def start(self, sink: Callable[[ProgramChecked], object]) -> None:
        """Tell ``sink`` each verdict from now on, beginning with the newest that is known."""
        self._sink = sink
        if self.verdict is not None:
            sink(told(self.verdict))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="program", daemon=True)
            self._thread.start()

    def software(self) -> SoftwareState:
        """Return what the operator's menu says of the signature."""
        return software_of(self.verdict)

    def stop(self) -> None:
        """End the thread at the next file; does not wait for it."""
        self._ended.set()

    def _run(self) -> None:
        _give_way(FIRST_PRIORITY)
        wait_s = self._first_delay_s
        while not self._ended.wait(wait_s):
            before, self.verdict = self.verdict, self._examine()
            if self.verdict.state != "signed" and (before is None or before.state != self.verdict.state):
                print(f"croupier: {warning(self.verdict)}", file=sys.stderr, flush=True)
            self._sink(told(self.verdict))
            wait_s = self._period_s
            _give_way(LOWEST_PRIORITY)


def _give_way(nice: int) -> None:
    """Lower the priority of this thread alone, which is what Linux means by a process here; never raise it, few may."""
    thread = threading.get_native_id()
    os.setpriority(os.PRIO_PROCESS, thread, max(nice, os.getpriority(os.PRIO_PROCESS, thread)))


def told(verdict: Verdict) -> ProgramChecked:
    """Return a verdict as the terminal is told it: in a line's length, the first problem and how many more there are."""
    problems = verdict.problems
    detail = problems[0] if problems else ""
    if len(problems) > 1:
        detail += f" (+{len(problems) - 1})"
    return ProgramChecked(verdict.state, detail)


def software_of(verdict: Verdict | None) -> SoftwareState:
    """Return a verdict as the operator's menu shows it: version and counter, the signer's fingerprint, files, or what differs."""
    if verdict is None:
        return SoftwareState()
    if verdict.state == "unsigned":
        return SoftwareState("unsigned")
    if verdict.state == "altered":
        return SoftwareState("bad", told(verdict).detail)
    return SoftwareState("good", f"{verdict.version}-{verdict.counter}, {verdict.fingerprint}, {verdict.file_count}")


def warning(verdict: Verdict) -> str:
    """Say in one line what is wrong with a program that is not signed as it should be."""
    if verdict.state == "unsigned":
        return f"the program is not signed: {TRUSTED_KEYS} holds no key, so changed files are not noticed"
    return f"the program is not as it was signed: {'; '.join(verdict.problems)}"


def is_for_money(settings: Settings) -> bool:
    """Tell whether a terminal takes money that is worth something, so that somebody must have signed its program."""
    return settings.terminal.mode == "cabinet" and settings.currency.code != AMUSEMENT


def watch_running_program(
    settings: Settings, *, root: Path = PROGRAM, keys_folder: Path = TRUSTED_KEYS
) -> ProgramWatch:
    """Return the watch over the program that runs."""
    return ProgramWatch(lambda: check(root, keys_folder, require=is_for_money(settings)))
