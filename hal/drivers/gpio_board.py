"""The loop that owns a GPIO chip: it feeds edges and times to the units on the pins and does what they answer.

Not responsible for what a unit is, nor for the process or thread in which it runs.
"""

import time
from collections.abc import Callable, Sequence

from hal.drivers.gpio_chip import Edges, GpioChip, InputPin, OutputPin
from hal.events import DeviceEvent
from hal.wire.pins import PinCommand, PinOutputs, PinUnit, SetLine


class GpioBoard:
    """Units on one chip. ``inputs`` and ``outputs`` say which pins the units' lines are."""

    def __init__(
        self,
        chip: GpioChip,
        inputs: Sequence[InputPin],
        outputs: Sequence[OutputPin],
        units: Sequence[PinUnit],
        report: Callable[[DeviceEvent], None],
        clock_ms: Callable[[], int] = lambda: time.monotonic_ns() // 1_000_000,
    ) -> None:
        self._chip = chip
        self._inputs, self._outputs = tuple(inputs), tuple(outputs)
        self._units = {unit.device: unit for unit in units}
        self._owners = {line: unit for unit in units for line in unit.inputs}
        self._report = report
        self._clock_ms = clock_ms

    def open(self) -> None:
        """Take the chip. Raises ``PortError``."""
        self._chip.open(self._inputs, self._outputs)
        levels = self._chip.levels()
        for unit in self._units.values():
            self._perform(unit.begin(levels, self._clock_ms()))

    def step(self, wake_fd: int, until_ms: int | None = None) -> None:
        """Wait for what comes first, an edge, a unit's deadline, ``until_ms`` or ``wake_fd``, and deal with it.

        Raises ``PortError`` when the chip has gone.
        """
        due = [unit.deadline_ms for unit in self._units.values() if unit.deadline_ms is not None]
        if until_ms is not None:
            due.append(until_ms)
        wait_ms = max(0, min(due) - self._clock_ms()) if due else None
        self._deal(self._chip.wait(wait_ms, wake_fd))

    def command(self, command: PinCommand) -> None:
        """Hand a command to the unit that it is for."""
        unit = self._units.get(command.device)
        if unit is not None:
            self._perform(unit.command(command, self._clock_ms()))

    def close(self) -> None:
        """Make all outputs inactive and give the chip back."""
        self._chip.close()

    def _deal(self, heard: Edges) -> None:
        for edge in heard.edges:
            owner = self._owners.get(edge.line)
            if owner is not None:
                self._perform(owner.edge(edge.line, edge.active, edge.at_ms))
        if heard.lost:
            levels = self._chip.levels()
            for unit in self._units.values():
                if heard.lost.intersection(unit.inputs):
                    self._perform(unit.edges_lost(levels, heard.until_ms))
        for unit in self._units.values():
            deadline_ms = unit.deadline_ms
            if deadline_ms is not None and deadline_ms <= heard.until_ms:
                self._perform(unit.timeout(heard.until_ms))

    def _perform(self, outputs: PinOutputs) -> None:
        for output in outputs:
            if isinstance(output, SetLine):
                self._chip.set(output.line, output.active)
            else:
                self._report(output.event)
