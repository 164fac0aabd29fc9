"""A unit on a bench: waveforms in, lines and events out, with a clock of its own."""

from collections.abc import Iterable
from typing import TypeVar

from hal.events import DeviceEvent
from hal.wire.pins import PinCommand, PinOutputs, PinUnit, SetLine
from hal.wire.session import Start

_Event = TypeVar("_Event", bound=DeviceEvent)


class PinBench:
    """Feeds a unit and keeps what it says. Starts at 0 ms with every input inactive."""

    def __init__(self, unit: PinUnit, active: Iterable[str] = (), last_event: int = 0, settle_ms: int = 1_000) -> None:
        self.unit = unit
        self.now_ms = 0
        self.levels = {line: line in set(active) for line in unit.inputs}
        self.outputs = dict.fromkeys(unit.outputs, False)
        self.switched: list[tuple[int, str, bool]] = []
        self.events: list[DeviceEvent] = []
        self._do(unit.begin(self.levels, 0))
        self.command(Start(unit.device, last_event))
        self.run(settle_ms)

    def run(self, duration_ms: int) -> None:
        """Let time pass; the unit is called at each of its deadlines."""
        end_ms = self.now_ms + duration_ms
        while self.unit.deadline_ms is not None and self.unit.deadline_ms <= end_ms:
            self.now_ms = max(self.now_ms, self.unit.deadline_ms)
            self._do(self.unit.timeout(self.now_ms))
        self.now_ms = end_ms

    def level(self, line: str, active: bool) -> None:
        """Change an input now."""
        self.levels[line] = active
        self._do(self.unit.edge(line, active, self.now_ms))

    def pulse(self, line: str, width_ms: int, gap_ms: int = 0) -> None:
        """Make one pulse, and wait after it."""
        self.level(line, True)
        self.run(width_ms)
        self.level(line, False)
        self.run(gap_ms)

    def command(self, command: PinCommand) -> None:
        self._do(self.unit.command(command, self.now_ms))

    def lose_edges(self) -> None:
        self._do(self.unit.edges_lost(self.levels, self.now_ms))

    def heard(self, kind: type[_Event]) -> list[_Event]:
        return [event for event in self.events if isinstance(event, kind)]

    def _do(self, outputs: PinOutputs) -> None:
        for output in outputs:
            if not isinstance(output, SetLine):
                self.events.append(output.event)
            elif self.outputs[output.line] != output.active:
                self.outputs[output.line] = output.active
                self.switched.append((self.now_ms, output.line, output.active))
