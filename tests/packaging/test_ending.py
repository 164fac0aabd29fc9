"""Long commands that start processes: a signal ends them, without a traceback, and nothing of theirs stays."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.cabinet import ROOT

PATIENCE_S = 90
PROGRAM = (sys.executable, "-m", "firmware")

LONG_COMMANDS = {
    "bench devices --minutes 5": 8,  # six devices, the sampler, multiprocessing's own helper
    "crashtest --minutes 5 --processes 2": 3,
    "sim --headless --devices emulated": 0,  # its devices are threads
    "test --co -q tests/hal tests/games tests/maths": 1,
}
"""Command -> so many processes of its own it has when it is under way."""


@pytest.mark.parametrize(
    ("command", "number"),
    [*((command, signal.SIGTERM) for command in LONG_COMMANDS), ("bench devices --minutes 5", signal.SIGINT)],
)
def test_a_signal_ends_a_long_command_and_all_that_it_started(
    tmp_path: Path, command: str, number: signal.Signals
) -> None:
    program = _start(tmp_path, command)
    try:
        family = _under_way(program, LONG_COMMANDS[command])
        if command.startswith("sim"):
            _wait_for(lambda: any(tmp_path.glob("croupier-ports-*")))
        # To it alone, as a service manager or `kill` does; a terminal tells its children too.
        os.kill(program.pid, number)
        _, errors = program.communicate(timeout=PATIENCE_S)
        assert "Traceback" not in errors
        assert _all_gone(family)
        assert not [path.name for path in tmp_path.iterdir() if path.name.startswith("croupier-")]
    finally:
        _kill(program)


@pytest.mark.parametrize("command", ["bench devices --minutes 5", "crashtest --minutes 5 --processes 2"])
def test_what_a_killed_command_had_started_ends_by_itself(tmp_path: Path, command: str) -> None:
    program = _start(tmp_path, command)
    try:
        family = _under_way(program, LONG_COMMANDS[command])
        program.kill()
        assert _all_gone(family)
    finally:
        _kill(program)


def _start(folder: Path, command: str) -> "subprocess.Popen[str]":
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as of a job in the background: a child would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    environment = {**os.environ, "TMPDIR": str(folder), "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    return subprocess.Popen(
        [*PROGRAM, *command.split()],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _under_way(program: "subprocess.Popen[str]", count: int) -> set[int]:
    """Wait until it has so many processes; returns them."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        assert program.poll() is None, program.stderr and program.stderr.read()
        family = _below(program.pid)
        if len(family) >= count:
            return family
        time.sleep(0.05)
    raise AssertionError(f"it has {len(_below(program.pid))} processes of its own, expected {count}")


def _wait_for(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def _below(pid: int) -> set[int]:
    """All processes that descend from one."""
    found: set[int] = set()
    for child in _children(pid):
        found |= {child, *_below(child)}
    return found


def _children(pid: int) -> list[int]:
    """Those that any of its threads has started."""
    found: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError, ProcessLookupError):
            found += map(int, thread.read_text().split())
    return found


def _all_gone(family: set[int]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while any(_lives(pid) for pid in family):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _kill(program: "subprocess.Popen[str]") -> None:
    """Leave nothing behind, whatever happened."""
    with suppress(ProcessLookupError):
        os.killpg(program.pid, signal.SIGKILL)
    program.communicate()
