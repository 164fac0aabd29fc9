"""A device whose answers are written down in the test, for any session: what was sent, what was reported, and time."""

from hal.events import DeviceEvent, DeviceFault
from hal.wire.session import Command, Outputs, Report, Send, Session


class WireScript:
    """Runs a session by hand."""

    def __init__(self, subject: Session) -> None:
        self.subject = subject
        self.now_ms = 1_000
        self.sent: list[bytes] = []
        self.events: list[DeviceEvent] = []

    def order(self, command: Command) -> None:
        """The program wants something."""
        self._take(self.subject.command(command, self.now_ms))

    def open(self) -> None:
        """The port is open."""
        self._take(self.subject.opened(self.now_ms))

    def close(self) -> None:
        """The port has gone."""
        self._take(self.subject.closed(self.now_ms))

    def say(self, raw: bytes) -> None:
        """The device sends bytes."""
        self.now_ms += 10
        self._take(self.subject.receive(raw, self.now_ms))

    def wait(self) -> None:
        """Until the next deadline."""
        assert self.subject.deadline_ms is not None
        self.now_ms = max(self.now_ms, self.subject.deadline_ms)
        self._take(self.subject.timeout(self.now_ms))

    def wait_for_sending(self) -> bytes:
        """Until something is sent; returns it."""
        count = len(self.sent)
        for _ in range(100):
            if len(self.sent) > count:
                return self.sent[-1]
            self.wait()
        raise AssertionError("it never sends anything")

    def codes(self) -> list[str]:
        """The faults that came up."""
        return [event.code for event in self.events if isinstance(event, DeviceFault) and event.is_up]

    def _take(self, outputs: Outputs) -> None:
        for output in outputs:
            match output:
                case Send(data):
                    self.sent.append(data)
                case Report(event):
                    self.events.append(event)
