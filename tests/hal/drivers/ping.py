"""The smallest device there is, on both sides of a line: it answers ``P`` with ``A``, and ``S`` makes it safe."""

import queue

from hal.emulators.base import Emulator, Faults, verb
from hal.errors import LocalProtocolError
from hal.events import DeviceInfo, DeviceLost, DeviceReady, HopperPaid
from hal.wire.session import Command, Output, Pay, Report, Send, Start, Stop

POLL_MS = 20


class PingDevice(Emulator):
    """The device."""

    protocol = "ping"

    def __init__(self, faults: Faults | None = None) -> None:
        super().__init__(faults)
        self.heard: queue.SimpleQueue[int] = queue.SimpleQueue()

    def wait_for(self, byte: bytes) -> None:
        """Return once this byte has arrived; fails after a long while."""
        while self.heard.get(timeout=20) != byte[0]:
            pass

    def on_bytes(self, data: bytes) -> None:
        for byte in data:
            self.heard.put(byte)
            if byte == ord("P"):
                self.reply(b"A", after_ms=1)
            elif byte == 0xFF:
                self.reply(b"\xff\xff", after_ms=1)

    @verb
    def shout(self, count: int, word: str = "x") -> None:
        """Say a word some times."""
        self.reply(word.encode() * count)


class PingSession:
    """The host: ready at the first answer, lost after three silent polls."""

    def __init__(self, device: str = "ping") -> None:
        self._device = device
        self._deadline_ms: int | None = None
        self._unanswered = 0
        self._ready = False
        self.received = b""
        self.line_errors = 0
        self.fail = False

    @property
    def deadline_ms(self) -> int | None:
        return self._deadline_ms

    def opened(self, now_ms: int) -> list[Output]:
        self._deadline_ms, self._unanswered = now_ms + POLL_MS, 0
        return [Send(b"P")]

    def closed(self, now_ms: int) -> list[Output]:
        self._deadline_ms, self._ready = None, False
        return []

    def receive(self, data: bytes, now_ms: int) -> list[Output]:
        if self.fail:
            raise RuntimeError("a mistake of ours")
        self.received += data
        self._unanswered = 0
        if b"A" not in data or self._ready:
            return []
        self._ready = True
        return [Report(DeviceReady(self._device, now_ms, DeviceInfo(product="ping")))]

    def line_error(self, now_ms: int) -> list[Output]:
        self.line_errors += 1
        return []

    def timeout(self, now_ms: int) -> list[Output]:
        self._deadline_ms = now_ms + POLL_MS
        self._unanswered += 1
        if self._unanswered == 50 and self._ready:
            self._ready = False
            return [Report(DeviceLost(self._device, now_ms, "no answer")), Send(b"P")]
        return [Send(b"P")]

    def command(self, command: Command, now_ms: int) -> list[Output]:
        match command:
            case Start():
                return []
            case Stop():
                self._deadline_ms = None
                return [Send(b"S")]
            case Pay():
                return [Send(b"\xff"), Report(HopperPaid(self._device, now_ms, command.payout_id, 0))]
            case _:
                raise LocalProtocolError(f"{self._device} can't {command}")
