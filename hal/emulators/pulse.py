"""Pulse devices as their wires see them: acceptors that answer money with pulses, a hopper that answers its motor.

Sans-I/O: told the levels of the outputs and the time, they say when which of their own lines changes. A level is the
meaning (active), not the voltage. Used by tests and benchmarks in place of a cabinet's wiring.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LineChange:
    """A line of the device becomes active or inactive at that time."""

    at_ms: int
    line: str
    active: bool


@dataclass(slots=True)
class PulseAcceptorDevice:
    """An acceptor: ``wave`` says on which line how many pulses an amount gives. It takes money only while let in.

    ``gate_ms`` is the way from the gate to the first pulse: what has passed the gate is reported in any case.
    """

    wave: Mapping[int, tuple[str, int]]
    width_ms: int = 50
    gap_ms: int = 100
    gate_ms: int = 80
    let_in: bool = False
    taken_minor: list[int] = field(default_factory=list)
    refused_minor: list[int] = field(default_factory=list)
    _free_ms: int = 0

    def insert(self, minor: int, now_ms: int) -> list[LineChange]:
        """Put money in; returns what the lines will do."""
        if not self.let_in or minor not in self.wave:
            self.refused_minor.append(minor)
            return []
        self.taken_minor.append(minor)
        line, count = self.wave[minor]
        at_ms = max(now_ms + self.gate_ms, self._free_ms)
        changes = []
        for _ in range(count):
            changes += [LineChange(at_ms, line, True), LineChange(at_ms + self.width_ms, line, False)]
            at_ms += self.width_ms + self.gap_ms
        self._free_ms = at_ms + 4 * self.gap_ms  # the next coin is let through when this one is told
        return changes


@dataclass(slots=True)
class PulseHopperDevice:
    """A hopper: while its motor runs, a coin passes the sensor each ``coin_ms``. ``brake_ms``: what still comes within
    that time after the motor was switched off falls as well."""

    sensor: str
    coin_count: int
    coin_ms: int = 150
    width_ms: int = 40
    brake_ms: int = 0
    jammed: bool = False
    paid_count: int = 0
    _next_ms: int | None = None
    _stop_ms: int | None = None

    def motor(self, running: bool, now_ms: int) -> None:
        """Switch the motor."""
        if running:
            self._stop_ms = None
            if self._next_ms is None:
                self._next_ms = now_ms + self.coin_ms
        elif self._next_ms is not None and self._stop_ms is None:
            self._stop_ms = now_ms + self.brake_ms

    def next_due_ms(self) -> int | None:
        """Return when the next coin would pass, or None."""
        return self._next_ms

    def pass_coin(self, now_ms: int) -> list[LineChange]:
        """The next coin's time has come; returns what the sensor does."""
        if self._stop_ms is not None and now_ms > self._stop_ms:
            self._next_ms = None
            return []
        self._next_ms = now_ms + self.coin_ms
        if self.jammed or not self.coin_count:
            return []
        self.coin_count -= 1
        self.paid_count += 1
        return [LineChange(now_ms, self.sensor, True), LineChange(now_ms + self.width_ms, self.sensor, False)]
