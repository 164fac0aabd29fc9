"""One thread per serial port: it owns the link and runs a session on it.

It opens the port, opens it again after the cable was out, hands over what comes in with its time, keeps the session's
deadlines and carries commands from the terminal's thread to the session. Not responsible for any protocol.
"""

import contextlib
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable

from hal.drivers.serial_link import SerialLink
from hal.errors import PortError
from hal.events import DeviceEvent, DeviceFault, DeviceLost
from hal.interfaces import EventSink
from hal.wire.session import Command, Outputs, Report, Send, Session, Start, Stop

REOPEN_MS = 1_000
"""A port that can't be opened is tried again after so long."""

SWITCH_S = 0.001
"""A thread that paints holds the interpreter for at most so long while a port waits for it. With Python's own 5 ms the
latest hundredth of the polls of a busy table came after 8 to 18 ms, so after 3 to 8 ms."""

LOOK_UP_MS = 1_000
"""An idle thread shows so often that it lives."""

GOODBYE_MS = 500
"""How long a session may take to make its devices safe at the end."""


def monotonic_ms() -> int:
    """Return the machine's monotonic clock in milliseconds."""
    return time.monotonic_ns() // 1_000_000


class PortThread:
    """Runs one session on one port, for one device or for all devices of a shared line."""

    def __init__(
        self,
        link: SerialLink,
        session: Session,
        clock_ms: Callable[[], int] = monotonic_ms,
        reopen_ms: int = REOPEN_MS,
    ) -> None:
        self._link = link
        self._session = session
        self._clock_ms = clock_ms
        self._reopen_ms = reopen_ms
        self._commands: deque[Command] = deque()
        self._sinks: dict[str, EventSink] = {}
        self._wake_read = self._wake_write = -1
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._abandoned = False
        self._told: dict[str, str] = {}
        self.moved_ms: int | None = None
        """When the thread was last at work; None while there is none."""
        self.worst_late_ms = 0
        """How late a deadline was kept at worst since the start."""
        self.on_poll: Callable[[int], None] | None = None
        """Told of each deadline at which bytes were due: after how many milliseconds they were handed to the port."""

    def start(self, device: str, sink: EventSink, last_event: int) -> None:
        """Begin to work for one more device of the line; the first one starts the thread."""
        if self._wake_write < 0:
            self._wake_read, self._wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._sinks[device] = sink
        self.command(Start(device, last_event))
        if self._thread is None:
            sys.setswitchinterval(min(SWITCH_S, sys.getswitchinterval()))
            self._stopping.clear()
            self._abandoned = False
            self._thread = threading.Thread(target=self._run, name=f"port {self._link.path}", daemon=True)
            self._thread.start()

    def command(self, command: Command) -> None:
        """Hand a command to the session; returns at once. Before ``start`` and after ``stop`` nothing happens."""
        if self._wake_write < 0:
            return
        self._commands.append(command)
        self._nudge()

    def stop(self, device: str) -> None:
        """Make a device safe; after the last device of the line the port is closed and the thread ended."""
        if device not in self._sinks:
            return
        self.command(Stop(device))
        if len(self._sinks) == 1:
            self._end_thread()
        self._sinks.pop(device, None)

    def abandon(self) -> None:
        """End the thread at once and without a word to the devices, as the death of the program does."""
        self._abandoned = True
        self._sinks.clear()
        self._end_thread()

    def _end_thread(self) -> None:
        self._stopping.set()
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._nudge()
        thread.join(timeout=(GOODBYE_MS + self._reopen_ms) / 1000 + 1)
        if not thread.is_alive():
            for descriptor in (self._wake_read, self._wake_write):
                os.close(descriptor)
            self._wake_read = self._wake_write = -1

    def _nudge(self) -> None:
        with contextlib.suppress(BlockingIOError):  # a full pipe wakes just as well
            os.write(self._wake_write, b"\0")

    # --- inside the thread ------------------------------------------------------------------------------------------

    def _run(self) -> None:
        self.moved_ms = self._clock_ms()
        try:
            while self._open():
                try:
                    self._perform(self._session.opened(self._clock_ms()))
                    self._serve()
                except PortError as error:
                    self._perform_unsent(self._session.closed(self._clock_ms()))
                    self._lost(str(error))
                if self._stopping.is_set():
                    break
        except Exception as error:  # noqa: BLE001 - a fault of our own must stop the money, not vanish with the thread
            self._broken(error)
        finally:
            self.moved_ms = None
            self._link.close()

    def _open(self) -> bool:
        """Open the port, however long it takes; returns False when the end came first."""
        while not self._stopping.is_set():
            self.moved_ms = self._clock_ms()
            try:
                self._link.open()
            except PortError as error:
                self._lost(str(error))
            else:
                self._told.clear()
                return True
            self._take_commands_unsent()
            self._stopping.wait(self._reopen_ms / 1000)
        return False

    def _serve(self) -> None:
        """Run the session until the port is lost or all is done."""
        end_ms: int | None = None
        while True:
            if self._abandoned:
                return
            self._take_commands()
            self.moved_ms = now_ms = self._clock_ms()
            deadline_ms = self._session.deadline_ms
            if self._stopping.is_set() and not self._commands:
                end_ms = now_ms + GOODBYE_MS if end_ms is None else end_ms
                if deadline_ms is None or now_ms >= end_ms:
                    self._link.drain()
                    return
                deadline_ms = min(deadline_ms, end_ms)
            if deadline_ms is not None and now_ms >= deadline_ms:
                self.worst_late_ms = max(self.worst_late_ms, now_ms - deadline_ms)
                outputs = self._session.timeout(now_ms)
                self._perform(outputs)
                if self.on_poll is not None and any(isinstance(output, Send) for output in outputs):
                    self.on_poll(self._clock_ms() - deadline_ms)
                continue
            wait_ms = LOOK_UP_MS if deadline_ms is None else min(deadline_ms - now_ms, LOOK_UP_MS)
            incoming = self._link.read(wait_ms, self._wake_read)
            for number, run in enumerate(incoming.runs):
                if number:
                    self._perform(self._session.line_error(self._clock_ms()))
                if run:
                    self._perform(self._session.receive(run, self._clock_ms()))

    def _take_commands(self) -> None:
        self._drain_wakes()
        while self._commands:
            self._perform(self._session.command(self._commands.popleft(), self._clock_ms()))

    def _take_commands_unsent(self) -> None:
        self._drain_wakes()
        while self._commands:
            self._perform_unsent(self._session.command(self._commands.popleft(), self._clock_ms()))

    def _drain_wakes(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self._wake_read, 64):
                pass

    def _perform(self, outputs: Outputs) -> None:
        for output in outputs:
            if isinstance(output, Send):
                self._link.write(output.data)
            else:
                self._report(output)

    def _perform_unsent(self, outputs: Outputs) -> None:
        """Carry out what can be done without a port."""
        for output in outputs:
            if isinstance(output, Report):
                self._report(output)

    def _report(self, output: Report) -> None:
        sink = self._sinks.get(output.event.device)
        if sink is not None:
            sink(output.event)

    def _lost(self, reason: str) -> None:
        """Tell every device's reason once, not at each attempt."""
        for device in tuple(self._sinks):
            if self._told.get(device) != reason:
                self._told[device] = reason
                self._tell(DeviceLost(device, self._clock_ms(), reason))

    def _broken(self, error: Exception) -> None:
        for device in tuple(self._sinks):
            detail = f"{type(error).__name__}: {error}"
            self._tell(DeviceFault(device, self._clock_ms(), "internal", detail))
            self._tell(DeviceLost(device, self._clock_ms(), detail))

    def _tell(self, event: DeviceEvent) -> None:
        sink = self._sinks.get(event.device)
        if sink is not None:
            sink(event)
