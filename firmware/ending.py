"""How a command ends that started processes or made folders: asked to end by a signal, it first puts them away.

Not for the cabinet's program, which ends in an order of its own (``run_command``).
"""

import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final

TERMINATED: Final = 128 + signal.SIGTERM
"""The exit status of whoever was asked to end."""
GRACE_S: Final = 5.0


def end_in_order_on_sigterm() -> None:
    """From here on SIGTERM ends the program as ``sys.exit`` does, once. For the main thread.

    Set before a window is opened: its library would take the signal for a click on the window's cross.
    """
    signal.signal(signal.SIGTERM, _end)


def _end(_: int, __: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not interrupt what the first one puts away
    sys.exit(TERMINATED)


def run_to_its_end(command: Sequence[str], cwd: Path) -> int:
    """Run a program and return its exit status. Whoever interrupts or ends us ends it first, in its own order."""
    with subprocess.Popen(command, cwd=cwd) as child:
        try:
            return child.wait()
        except KeyboardInterrupt:
            with suppress(subprocess.TimeoutExpired):  # a terminal's Ctrl-C has reached it too
                child.wait(GRACE_S)
            raise
        finally:
            if child.poll() is None:
                child.terminate()
                child.wait()
