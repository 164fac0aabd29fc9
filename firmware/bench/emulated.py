"""Emulated devices in processes of their own, so that a benchmark's program has only its drivers' time to count.

They end with the program, however that ends. Not responsible for the devices (``hal.emulators``).
"""

import multiprocessing
import signal
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

from firmware.errors import CheckFailed
from hal.emulators.base import ScriptError
from hal.emulators.pty import PtyPort
from hal.emulators.registry import emulator_class

PATIENCE_S: Final = 60.0
"""So long a device's process may take to begin on a busy machine."""


@contextmanager
def emulated_ports(protocols: Iterable[str]) -> Iterator[dict[str, str]]:
    """Run an emulated device of each protocol; gives protocol -> name of its port.

    Raises CheckFailed when a device does not start; the text says which and why.
    """
    context = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        words: dict[str, Connection[Any, Any]] = {}
        for protocol in protocols:
            ours, theirs = context.Pipe(duplex=False)
            stack.enter_context(ours)
            with theirs:
                process = context.Process(
                    target=_serve, args=(theirs, protocol), name=f"emulated {protocol}", daemon=True
                )
                process.start()
            stack.callback(_end, process)
            words[protocol] = ours
        yield {protocol: _port(protocol, ours) for protocol, ours in words.items()}


def _port(protocol: str, words: "Connection[Any, Any]") -> str:
    problem = f"nothing heard of it in {PATIENCE_S:.0f} s"
    try:
        if words.poll(PATIENCE_S):
            port, problem = words.recv()
            if port:
                return str(port)
    except EOFError:
        problem = "its process has ended"
    raise CheckFailed(f"bench: the emulated device {protocol} does not start: {problem}")


def _serve(words: "Connection[Any, Any]", protocol: str) -> None:
    """The process: the device on its port, until the program ends it or is gone itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # meant for the program, which ends its devices
    program = multiprocessing.parent_process()
    if program is None:
        return
    try:
        port = PtyPort(emulator_class(protocol)())
        with port:
            words.send((port.path, ""))
            wait([program.sentinel])
    except (ScriptError, OSError) as error:
        words.send(("", str(error)))


def _end(process: BaseProcess) -> None:
    process.terminate()
    process.join()
