"""The process that owns the GPIO chip, and the program's end of the pipe to it.

Everything that must not be late happens in that small process: sampling, pulse widths, switching a hopper's motor off at
the last coin, blinking. The program's own process, with its window and its interpreter lock, only sends commands and
takes events that carry the time at which they happened. When the program dies, the process sees the end of the pipe,
makes every output inactive (motor off, money refused) and ends. Not responsible for what the units on the pins are.
"""

import contextlib
import gc
import multiprocessing
import os
import select
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from hal.drivers.gpio_board import GpioBoard
from hal.drivers.gpio_chip import GpioChip, InputPin, OutputPin
from hal.errors import HalError
from hal.events import CoinAccepted, DeviceEvent, DeviceLost, NoteStacked
from hal.interfaces import EventSink
from hal.wire.pins import PinCommand, PinUnit
from hal.wire.session import Start, Stop

STATUS_MS = 500
"""How often the process says that it is well."""

SILENCE_S = 5.0
"""A process that says nothing for so long hangs and is replaced."""

FIRST_WORD_S = 60.0
"""How long a new process may take to say its first word: an interpreter starts slowly on a busy board, as at its boot."""

LOOK_UP_S = 1.0
"""How often its thread shows that it lives, however silent the process is."""

RESTART_S = 2.0
GOODBYE_S = 3.0


@dataclass(frozen=True, slots=True)
class GpioSetup:
    """What the process runs. All of it is sent to the process, so ``make_chip`` and the units must be picklable."""

    make_chip: Callable[[], GpioChip]
    inputs: tuple[InputPin, ...]
    outputs: tuple[OutputPin, ...]
    make_units: Callable[[], Sequence[PinUnit]]


@dataclass(frozen=True, slots=True)
class _Status:
    worst_gap_ms: int


@dataclass(frozen=True, slots=True)
class _Failed:
    reason: str


class GpioProcess:
    """Starts the process, carries commands and events, and replaces the process when it ends or hangs."""

    def __init__(self, setup: GpioSetup, restart_s: float = RESTART_S) -> None:
        self._setup = setup
        self._restart_s = restart_s
        self._sinks: dict[str, EventSink] = {}
        self._last_events: dict[str, int] = {}
        self._commands: deque[PinCommand] = deque()
        self._wake_read = self._wake_write = -1
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._told = ""
        self.moved_ms: int | None = None
        """When the thread was last at work; None while there is none. A process that hangs is the thread's to replace."""
        self.worst_gap_ms = 0
        """The longest time between two samples, as the process last said."""

    def start(self, device: str, sink: EventSink, last_event: int) -> None:
        """Begin to work for one more device of the pins; the first one starts the process."""
        if self._thread is None:
            self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            self._stopping.clear()
        self._last_events[device] = max(last_event, self._last_events.get(device, 0))
        self._sinks[device] = sink
        self.command(Start(device, self._last_events[device]))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="gpio", daemon=True)
            self._thread.start()

    def command(self, command: PinCommand) -> None:
        """Send a command; returns at once. Before ``start`` and after ``stop`` nothing happens."""
        if self._wake_write >= 0:
            self._commands.append(command)
            self._nudge()

    def stop(self, device: str) -> None:
        """Make a device safe; after the last one the process is ended."""
        if device not in self._sinks:
            return
        self.command(Stop(device))
        if len(self._sinks) == 1 and self._thread is not None:
            self._stopping.set()
            self._nudge()
            self._thread.join()
            self._thread = None
            for descriptor in (self._wake_read, self._wake_write):
                os.close(descriptor)
            self._wake_read = self._wake_write = -1
        self._sinks.pop(device, None)

    # --- inside the thread ------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._run_processes()
        finally:
            self.moved_ms = None

    def _run_processes(self) -> None:
        while True:
            self._move()
            self._lost(self._one_process())
            self._move()
            if self._stopping.wait(self._restart_s):
                return
            self._commands = deque(Start(device, number) for device, number in self._last_events.items())

    def _one_process(self) -> str:
        """Run one process to its end; returns why it ended."""
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs, self._setup), name="croupier-gpio", daemon=True)
        with ours:
            try:
                process.start()
            except Exception as error:  # noqa: BLE001 - no memory, no processes left: tell it and try again
                theirs.close()
                return f"the GPIO process can't be started: {error}"
            theirs.close()
            try:
                return self._serve(ours)
            except (EOFError, OSError):
                return "the GPIO process has ended"
            finally:
                ours.close()  # the process sees it, makes the outputs inactive and ends
                process.join(GOODBYE_S)
                if process.is_alive():
                    process.kill()
                    process.join()
                process.close()

    def _serve(self, ours: Connection) -> str:
        heard_at, patience_s = time.monotonic(), FIRST_WORD_S
        poll = select.poll()
        poll.register(ours.fileno(), select.POLLIN)
        poll.register(self._wake_read, select.POLLIN)
        while True:
            self._move()
            poll.poll(int(LOOK_UP_S * 1000))
            self._drain_wakes()
            while self._commands:
                ours.send(self._commands.popleft())
            while ours.poll():
                heard_at, patience_s = time.monotonic(), SILENCE_S
                message = ours.recv()
                if isinstance(message, _Failed):
                    return message.reason
                self._take(message)
            if self._stopping.is_set() and not self._commands:
                return ""
            if time.monotonic() - heard_at > patience_s:
                return "the GPIO process hangs"

    def _take(self, message: "_Status | DeviceEvent") -> None:
        if isinstance(message, _Status):
            self.worst_gap_ms = max(self.worst_gap_ms, message.worst_gap_ms)
            return
        self._told = ""
        if isinstance(message, CoinAccepted | NoteStacked):  # a new process must number on from here
            self._last_events[message.device] = int(message.key.rpartition(":")[2])
        sink = self._sinks.get(message.device)
        if sink is not None:
            sink(message)

    def _lost(self, reason: str) -> None:
        if not reason or reason == self._told:
            return
        self._told = reason
        for device, sink in tuple(self._sinks.items()):
            sink(DeviceLost(device, time.monotonic_ns() // 1_000_000, reason))

    def _move(self) -> None:
        self.moved_ms = time.monotonic_ns() // 1_000_000

    def _nudge(self) -> None:
        with contextlib.suppress(BlockingIOError):  # a full pipe wakes just as well
            os.write(self._wake_write, b"\0")

    def _drain_wakes(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self._wake_read, 64):
                pass


def serve(pipe: Connection, setup: GpioSetup) -> None:
    """The process itself: run the board until the program's end of the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # meant for the program, which ends us by closing the pipe
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    _raise_priority()
    chip = setup.make_chip()
    with contextlib.suppress(EOFError, OSError):  # the program has gone
        try:
            board = GpioBoard(chip, setup.inputs, setup.outputs, setup.make_units(), pipe.send)
            board.open()
            gc.freeze()
            _loop(board, chip, pipe)
        except HalError as error:
            pipe.send(_Failed(str(error)))
        finally:
            chip.close()


def _loop(board: GpioBoard, chip: GpioChip, pipe: Connection) -> None:
    status_ms = 0
    while True:
        now_ms = time.monotonic_ns() // 1_000_000
        if now_ms >= status_ms:
            status_ms = now_ms + STATUS_MS
            pipe.send(_Status(chip.worst_gap_ms))
        board.step(pipe.fileno(), status_ms)
        while pipe.poll():
            board.command(pipe.recv())


def _raise_priority() -> None:
    """Go before the painting of the table, where the system lets us (LimitRTPRIO in the service's unit)."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
    except OSError:
        with contextlib.suppress(OSError):
            os.nice(-10)
