"""The program as a service, with a hang planted in one part: ``python -m tests.service.planted PART CONFIG``.

SIGUSR1 makes that part stand still for ever, in the middle of its work. Patience is short, so that a test is. The part
``reading`` is a program that can't use the snapshots of the one before it, and reads its journal slowly.
"""

import argparse
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from display.window import Window
from firmware import memory, run_command, service_notify
from firmware.errors import UserError
from firmware.loop import Terminal
from firmware.terminal_thread import TerminalThread
from hal.drivers.port_thread import PortThread

PLACES: dict[str, tuple[type, str]] = {
    "frame": (Window, "show"),
    "terminal": (Terminal, "handle"),
    "device": (PortThread, "_take_commands"),
    "end": (Terminal, "stop"),
    "nothing": (Terminal, "stop"),
}


def _plant(place: type, name: str, is_due: threading.Event, then: Callable[[], object]) -> None:
    whole = getattr(place, name)

    def part(*arguments: Any, **named: Any) -> Any:
        if is_due.is_set():
            then()
        return whole(*arguments, **named)

    setattr(place, name, part)


def _crash() -> None:
    raise RuntimeError("planted")


def _plant_slow_reading() -> None:
    usual = TerminalThread.reading

    def reading(self: TerminalThread, done: int, of_all: int) -> None:
        usual(self, done, of_all)
        time.sleep(0.5)

    vars(memory).update(decode_recorded=lambda _: None, FOLD_CHUNK=1)
    TerminalThread.reading = reading  # type: ignore[method-assign]


def main() -> int:
    """Run the cabinet until it is ended."""
    part, config = sys.argv[1], Path(sys.argv[2])
    is_due = threading.Event()
    signal.signal(signal.SIGUSR1, lambda *_: is_due.set())
    if part == "crash":
        _plant(Terminal, "handle", is_due, _crash)
    elif part == "reading":
        _plant_slow_reading()
    elif part != "nothing":
        _plant(*PLACES[part], is_due, threading.Event().wait)
    vars(run_command).update(TERMINAL_PATIENCE_MS=1_500, DEVICE_PATIENCE_MS=2_500)
    vars(service_notify).update(FEED_EVERY_MS=200)
    try:
        return run_command.command(argparse.Namespace(config=config))
    except UserError as error:
        return error.exit_status


if __name__ == "__main__":
    sys.exit(main())
