"""A session and an emulated device joined in one thread, with a clock of their own: whole dialogues without waiting.

``LoopPort`` stands where ``hal.drivers.port_thread.PortThread`` stands in the cabinet. Time passes only in ``run``.
"""

from hal.emulators.base import Emulator
from hal.interfaces import EventSink
from hal.wire.session import Command, Outputs, Send, Session, Start, Stop


class LoopPort:
    """Carries bytes between a session and an emulator; ``chunk_size`` cuts what the host receives into pieces."""

    def __init__(self, session: Session, emulator: Emulator, now_ms: int = 1_000, chunk_size: int = 0) -> None:
        self.now_ms = now_ms
        self.session = session
        self.emulator = emulator
        self.sent: list[bytes] = []
        self._chunk_size = chunk_size
        self._sinks: dict[str, EventSink] = {}
        self._is_open = False

    def start(self, device: str, sink: EventSink, last_event: int) -> None:
        """As ``PortThread.start``."""
        self._sinks[device] = sink
        self.command(Start(device, last_event))
        if not self._is_open:
            self._is_open = True
            self._perform(self.session.opened(self.now_ms))

    def command(self, command: Command) -> None:
        """As ``PortThread.command``."""
        self._perform(self.session.command(command, self.now_ms))

    def stop(self, device: str) -> None:
        """As ``PortThread.stop``."""
        self.command(Stop(device))

    def close(self) -> None:
        """The port goes."""
        self._is_open = False
        self._perform(self.session.closed(self.now_ms))

    def reopen(self) -> None:
        """The port is there again."""
        self._is_open = True
        self._perform(self.session.opened(self.now_ms))

    def run(self, duration_ms: int) -> None:
        """Let time pass and everything happen that belongs into it, in order."""
        end_ms = self.now_ms + duration_ms
        while True:
            self._deliver()
            deadlines = [due for due in (self.session.deadline_ms, self.emulator.next_due_ms()) if due is not None]
            due_ms = min(deadlines, default=end_ms + 1)
            if due_ms > end_ms:
                self.now_ms = end_ms
                self._deliver()
                return
            self.now_ms = max(self.now_ms, due_ms)
            self._deliver()
            deadline_ms = self.session.deadline_ms
            if deadline_ms is not None and self._is_open and deadline_ms <= self.now_ms:
                self._perform(self.session.timeout(self.now_ms))
                if self.session.deadline_ms is not None and self.session.deadline_ms <= self.now_ms:
                    self.now_ms += 1  # a session that asks to be called again at once must not stop the time

    def _deliver(self) -> None:
        while answer := self.emulator.output(self.now_ms):
            size = self._chunk_size or len(answer)
            for index in range(0, len(answer), size):
                if self._is_open:
                    self._perform(self.session.receive(answer[index : index + size], self.now_ms))

    def _perform(self, outputs: Outputs) -> None:
        for output in outputs:
            if not isinstance(output, Send):
                self._sinks[output.event.device](output.event)
            elif self._is_open:
                self.sent.append(output.data)
                self.emulator.receive(output.data, self.now_ms)
