"""A GPIO chip that is read at a steady period, for a library without dependable edges.

Not responsible for how a pin is read (``PinReader``), nor for running undisturbed: ``gpio_process`` gives it a process
of its own, so that neither the painting of the table nor the interpreter's lock delays it.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from hal.drivers.gpio_chip import Edge, Edges, InputPin, OutputPin, WaitReadable, monotonic_ns, wait_readable


class PinReader(Protocol):
    """The few things that a library for pins is used for. A level is True for high."""

    def open(self, inputs: Sequence[InputPin], outputs: Sequence[OutputPin]) -> None:
        """Set the pins up, outputs inactive. Raises ``PortError``."""

    def read(self, pin: int) -> bool:
        """Return the level of an input."""

    def write(self, pin: int, high: bool) -> None:
        """Set the level of an output."""

    def close(self) -> None:
        """Give the pins back."""


class PolledChip:
    """See ``hal.drivers.gpio_chip.GpioChip``."""

    def __init__(
        self,
        reader: PinReader,
        period_ms: int = 5,
        clock_ns: Callable[[], int] = monotonic_ns,
        wait: WaitReadable = wait_readable,
    ) -> None:
        self._reader = reader
        self._period_ns = period_ms * 1_000_000
        self._clock_ns = clock_ns
        self._wait = wait
        self._inputs: tuple[InputPin, ...] = ()
        self._outputs: dict[str, OutputPin] = {}
        self._levels: dict[str, bool] = {}
        self._sampled_ns = 0
        self._worst_gap_ns = 0
        self._is_open = False

    @property
    def worst_gap_ms(self) -> int:
        """The longest time between two samples."""
        return self._worst_gap_ns // 1_000_000

    def open(self, inputs: Sequence[InputPin], outputs: Sequence[OutputPin]) -> None:
        """Set the pins up and take a first sample."""
        self._inputs, self._outputs = tuple(inputs), {pin.line: pin for pin in outputs}
        self._reader.open(inputs, outputs)
        self._is_open = True
        self._sampled_ns, self._worst_gap_ns = self._clock_ns(), 0
        self._levels = {pin.line: self._reader.read(pin.pin) == pin.active_high for pin in self._inputs}

    def levels(self) -> dict[str, bool]:
        """Return the newest sample."""
        return dict(self._levels)

    def wait(self, duration_ms: int | None, wake_fd: int) -> Edges:
        """Take samples until something happens."""
        end_ns = None if duration_ms is None else self._clock_ns() + duration_ms * 1_000_000
        while True:
            next_ns = self._sampled_ns + self._period_ns
            pause_ms = max(0, -((self._clock_ns() - next_ns) // 1_000_000))
            woken = self._wait((wake_fd,), pause_ms)
            now_ns = self._clock_ns()
            edges = self._sample(now_ns) if now_ns >= next_ns else ()
            if edges or woken or (end_ns is not None and now_ns >= end_ns):
                return Edges(edges, self._sampled_ns // 1_000_000)

    def set(self, line: str, active: bool) -> None:
        """Set an output."""
        pin = self._outputs[line]
        self._reader.write(pin.pin, active == pin.active_high)

    def close(self) -> None:
        """Make outputs inactive and give the pins back."""
        if self._is_open:
            self._is_open = False
            for line in self._outputs:
                self.set(line, False)
            self._reader.close()

    def _sample(self, now_ns: int) -> tuple[Edge, ...]:
        self._worst_gap_ns = max(self._worst_gap_ns, now_ns - self._sampled_ns)
        self._sampled_ns = now_ns
        edges = []
        for pin in self._inputs:
            active = self._reader.read(pin.pin) == pin.active_high
            if active != self._levels[pin.line]:
                self._levels[pin.line] = active
                edges.append(Edge(pin.line, active, now_ns // 1_000_000))
        return tuple(edges)
