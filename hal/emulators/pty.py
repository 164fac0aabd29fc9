"""Runs an emulated device on a pseudo-terminal, with a thread of its own.

Any program opens the port's name like a serial port. With ``link_path`` that name is a symbolic link which survives
un- and replugging, as a by-id name does. Not responsible for protocols.
"""

import contextlib
import os
import select
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hal.emulators.base import Emulator

READ_BYTES = 4096


class PtyPort:
    """A serial port with an emulated device at its other end. Use it as a context manager, or ``start`` and ``close``."""

    def __init__(self, emulator: Emulator, link_path: Path | None = None) -> None:
        self._emulator = emulator
        self._link_path = link_path
        self._lock = threading.RLock()
        self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._master: int | None = None
        self._slave: int | None = None
        self._name = ""
        self._closing = False
        self.heard_host = False
        """Whether the host has sent anything yet."""
        self._thread = threading.Thread(target=self._run, name=f"emulated {emulator.protocol}", daemon=True)

    @property
    def path(self) -> str:
        """The name to open."""
        return str(self._link_path) if self._link_path is not None else self._name

    def start(self) -> "PtyPort":
        """Plug the device in and let it run."""
        self.plug()
        self._thread.start()
        return self

    def close(self) -> None:
        """End the device and its port."""
        self._closing = True
        self._wake()
        if self._thread.is_alive():
            self._thread.join()
        self.unplug()
        for descriptor in (self._wake_read, self._wake_write):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def __enter__(self) -> "PtyPort":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def plug(self) -> None:
        """Put the cable in: the port is there."""
        with self._lock:
            if self._master is None:
                self._master, self._slave = os.openpty()
                tty.setraw(self._slave)
                os.set_blocking(self._master, False)
                self._name = os.ttyname(self._slave)
                if self._link_path is not None:
                    self._link_path.unlink(missing_ok=True)
                    self._link_path.symlink_to(self._name)
        self._wake()

    def unplug(self) -> None:
        """Pull the cable: the port vanishes under whoever has it open."""
        with self._lock:
            for descriptor in (self._master, self._slave):
                if descriptor is not None:
                    os.close(descriptor)
            self._master = self._slave = None
            if self._link_path is not None:
                self._link_path.unlink(missing_ok=True)
        self._wake()

    @contextmanager
    def device(self) -> Iterator[Emulator]:
        """Give the device to the caller alone, at the present time; what it sends goes out when the block ends."""
        with self._lock:
            self._emulator.advance(_now_ms())
            yield self._emulator
        self._wake()

    def do(self, line: str) -> None:
        """Carry out one script line. Raises ``hal.emulators.base.ScriptError``."""
        with self.device() as device:
            device.do(line.split(), _now_ms())

    # --- inside -----------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._closing:
            with self._lock:
                self._exchange()
                due_ms = self._emulator.next_due_ms()
                master = self._master
            poll = select.poll()
            poll.register(self._wake_read, select.POLLIN)
            if master is not None:
                poll.register(master, select.POLLIN)
            poll.poll(None if due_ms is None else max(0, due_ms - _now_ms()))
            with contextlib.suppress(BlockingIOError):
                while os.read(self._wake_read, 64):
                    pass

    def _exchange(self) -> None:
        if self._master is None:
            self._emulator.output(_now_ms())  # a device without its cable talks to nobody
            return
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._master, READ_BYTES)
            self.heard_host = True
            self._emulator.receive(data, _now_ms())
        answer = self._emulator.output(_now_ms())
        if answer:
            with contextlib.suppress(BlockingIOError):  # nobody reads: the bytes are lost, as on a real line
                os.write(self._master, answer)

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError, OSError):
            os.write(self._wake_write, b"\0")


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
