"""The terminal in a thread of its own, behind a bounded queue.

Not responsible for what happens in it (``loop``).
"""

import queue
import threading
import time
from collections.abc import Callable

from display.view_model import View
from firmware.loop import RestartNeededError, Terminal
from firmware.terminal.step import Stimulus, Tick

QUEUE_LENGTH = 1_000
TICK_MS = 50
WAIT_S = 0.2


class TerminalThread:
    """A terminal in a thread of its own. ``post`` may be called from anywhere; ``latest_view`` is always whole.

    ``build`` makes the terminal inside the thread, because the journal belongs to it, and is called again after a
    ``RestartNeededError``. ``before_tick`` is called in the thread before each tick.
    """

    def __init__(self, build: Callable[[], Terminal], *, before_tick: Callable[[], None] = lambda: None) -> None:
        """Prepare; nothing runs before ``start``."""
        self._build = build
        self._before_tick = before_tick
        self._queue: queue.Queue[Stimulus | None] = queue.Queue(QUEUE_LENGTH)
        self._thread = threading.Thread(target=self._run, name="terminal", daemon=True)
        self._started = threading.Event()
        self._is_abandoned = False
        self._view: View | None = None
        self.moved_ms: int | None = None
        """When the thread last went round, in milliseconds of the monotonic clock; None before its start and after its end."""
        self.is_building = False
        """It builds a terminal out of the journal, which takes a while; ``moved_ms`` is when it began, or was further."""
        self.read = (0, 0)
        """While it builds: how many of the journal's entries are read, and of how many; nought of nought at first."""
        self.error: Exception | None = None
        self.on_change: Callable[[], None] = lambda: None

    def start(self, while_waiting: Callable[[], None] = lambda: None) -> None:
        """Start the thread and wait for the first view; ``while_waiting`` is called meanwhile, a few times a second.

        Raises what building the terminal raised, and what ``while_waiting`` raises.
        """
        self._thread.start()
        while not self._started.wait(WAIT_S):
            while_waiting()
        if self.error is not None:
            raise self.error

    def post(self, stimulus: Stimulus) -> None:
        """Queue a stimulus; waits while the queue is full, so that no device's event is lost."""
        self._queue.put(stimulus)

    @property
    def latest_view(self) -> View | None:
        """The newest view."""
        return self._view

    def stop(self, *, abandon: bool = False) -> None:
        """End the thread and wait for it; ``abandon`` records nothing, as a power cut would leave it."""
        self._is_abandoned = abandon
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def reading(self, done: int, of_all: int) -> None:
        """Note how far the journal is read; for who builds the terminal."""
        self.moved_ms, self.read = _now_ms(), (done, of_all)

    def _publish(self, view: View) -> None:
        self._view = view
        self._started.set()
        self.on_change()

    def _run(self) -> None:
        terminal: Terminal | None = None
        try:
            terminal = self._begin()
            while (stimulus := self._next()) is not None:
                self.moved_ms = _now_ms()
                try:
                    if isinstance(stimulus, Tick):
                        self._before_tick()
                    terminal.handle(stimulus)
                except RestartNeededError:
                    terminal = self._begin()
            if self._is_abandoned:
                terminal.abandon()
            else:
                terminal.stop()
        except Exception as error:  # noqa: BLE001 - handed to the main thread, which ends the program with it
            self.error = error
            if terminal is not None:
                terminal.stop_devices()
            self._started.set()
            self.on_change()
        finally:
            self.moved_ms = None

    def _begin(self) -> Terminal:
        self.moved_ms, self.is_building, self.read = _now_ms(), True, (0, 0)
        terminal = self._build()
        terminal.on_view = self._publish
        terminal.start(self._queue.put)
        self.is_building = False
        return terminal

    def _next(self) -> Stimulus | None:
        try:
            return self._queue.get(timeout=TICK_MS / 1000)
        except queue.Empty:
            return Tick()


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
