"""The panel on pins: buttons with lamps, doors, key switches, tower light, electromechanical meters.

Pure. Lines are named ``button.b1``, ``lamp.b1``, ``door.main``, ``key.operator``, ``tower.red``, ``meter.in``. A part that
is not fitted has no line, and a command for it does nothing.
"""

from collections.abc import Mapping

from hal.debounce import Change, Contact
from hal.errors import LocalProtocolError
from hal.events import (
    ButtonPressed,
    ButtonReleased,
    DeviceInfo,
    DeviceReady,
    DoorChanged,
    KeyChanged,
    PanelEvent,
)
from hal.wire.pins import PinCommand, PinOutput, PulseMeter, SetLamp, SetLine, SetTower
from hal.wire.session import Report, Start, Stop

STABLE_MS = {"button": 15, "door": 60, "key": 60}
"""How long a contact of each kind must be stable. A button's must be felt at once; a door may take its time."""

BLINK_MS = 400
"""Half of a blink's period; all blinking lamps go together."""

METER_PULSE_MS = 60
"""How long an electromechanical meter's coil is on, and off before the next step: eight steps a second."""

_IN, _OUT = ("button", "door", "key"), ("lamp", "tower", "meter")


class PanelUnit:
    """See ``hal.wire.pins.PinUnit``. ``lines`` are the names of the lines that are fitted."""

    def __init__(self, lines: tuple[str, ...], device: str = "panel") -> None:
        self._device = device
        self._inputs = tuple(line for line in lines if _kind(line) in _IN)
        self._outputs = tuple(line for line in lines if _kind(line) in _OUT)
        self._contacts: dict[str, Contact] = {}
        self._started = False
        self._blinking: set[str] = set()
        self._blink_on = False
        self._blink_ms: int | None = None
        self._steps: dict[str, int] = {}
        self._meter_ms: dict[str, int] = {}
        self._meter_on: dict[str, bool] = {}

    @property
    def device(self) -> str:
        """The panel's name."""
        return self._device

    @property
    def inputs(self) -> tuple[str, ...]:
        """Buttons, doors, keys."""
        return self._inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        """Lamps, tower lights, meters."""
        return self._outputs

    @property
    def deadline_ms(self) -> int | None:
        """When a contact is stable, a lamp blinks or a meter's pulse ends."""
        due = [contact.due_ms for contact in self._contacts.values() if contact.due_ms is not None]
        due += list(self._meter_ms.values())
        if self._blink_ms is not None:
            due.append(self._blink_ms)
        return min(due, default=None)

    def begin(self, levels: Mapping[str, bool], now_ms: int) -> list[PinOutput]:
        """Take the levels as they are."""
        self._contacts = {line: Contact(STABLE_MS[_kind(line)], levels[line]) for line in self._inputs}
        return []

    def edge(self, line: str, active: bool, at_ms: int) -> list[PinOutput]:
        """A contact moved."""
        change = self._contacts[line].edge(at_ms, active)
        return [] if change is None else self._tell(line, change)

    def edges_lost(self, levels: Mapping[str, bool], now_ms: int) -> list[PinOutput]:
        """Go on from the levels as they are."""
        outputs: list[PinOutput] = []
        for line in self._inputs:
            outputs += self.edge(line, levels[line], now_ms)
        return outputs

    def timeout(self, now_ms: int) -> list[PinOutput]:
        """Settle contacts, blink, step meters."""
        outputs: list[PinOutput] = []
        for line, contact in self._contacts.items():
            change = contact.settle(now_ms)
            if change is not None:
                outputs += self._tell(line, change)
        if self._blink_ms is not None and now_ms >= self._blink_ms:
            self._blink_on = not self._blink_on
            self._blink_ms = now_ms + BLINK_MS
            outputs += [SetLine(line, self._blink_on) for line in sorted(self._blinking)]
        for line in [line for line, due_ms in self._meter_ms.items() if now_ms >= due_ms]:
            outputs += self._step_meter(line, now_ms)
        return outputs

    def command(self, command: PinCommand, now_ms: int) -> list[PinOutput]:
        """Light lamps, step meters, start and stop."""
        match command:
            case Start():
                self._started = True
                return self._greeting(now_ms)
            case Stop():
                self._started = False
                self._blinking, self._blink_ms = set(), None
                self._steps, self._meter_ms, self._meter_on = {}, {}, {}
                return [SetLine(line, False) for line in self._outputs]
            case SetLamp():
                return self._light(f"lamp.{command.button}", command.state, now_ms)
            case SetTower():
                return self._light(f"tower.{command.colour}", command.state, now_ms)
            case PulseMeter():
                return self._add_steps(f"meter.{command.meter}", command.count, now_ms)
            case _:
                raise LocalProtocolError(f"the panel can't {command}")

    # --- inside -----------------------------------------------------------------------------------------------------

    def _greeting(self, now_ms: int) -> list[PinOutput]:
        """``DeviceReady``, then every door, every key, and each button that is held."""
        outputs: list[PinOutput] = [Report(DeviceReady(self._device, now_ms, DeviceInfo(product="GPIO panel")))]
        for line, contact in self._contacts.items():
            if _kind(line) != "button" or contact.active:
                outputs.append(Report(self._event(line, Change(now_ms, contact.active))))
        return outputs

    def _tell(self, line: str, change: Change) -> list[PinOutput]:
        return [Report(self._event(line, change))] if self._started else []

    def _event(self, line: str, change: Change) -> PanelEvent:
        kind, _, name = line.partition(".")
        if kind == "door":
            return DoorChanged(self._device, change.at_ms, name, change.active)
        if kind == "key":
            return KeyChanged(self._device, change.at_ms, name, change.active)
        if change.active:
            return ButtonPressed(self._device, change.at_ms, name)
        return ButtonReleased(self._device, change.at_ms, name)

    def _light(self, line: str, state: str, now_ms: int) -> list[PinOutput]:
        if state not in ("off", "on", "blink"):
            raise LocalProtocolError(f"{line} can't be {state}; it can be off, on, blink")
        if line not in self._outputs or not self._started:
            return []
        if state != "blink":
            self._blinking.discard(line)
            if not self._blinking:
                self._blink_ms = None
            return [SetLine(line, state == "on")]
        if not self._blinking:
            self._blink_on, self._blink_ms = True, now_ms + BLINK_MS
        self._blinking.add(line)
        return [SetLine(line, self._blink_on)]

    def _add_steps(self, line: str, count: int, now_ms: int) -> list[PinOutput]:
        if line not in self._outputs or not self._started or not count:
            return []
        self._steps[line] = self._steps.get(line, 0) + count
        return [] if line in self._meter_ms else self._step_meter(line, now_ms)

    def _step_meter(self, line: str, now_ms: int) -> list[PinOutput]:
        """End a pulse or a pause of a meter and begin what follows."""
        if self._meter_on.get(line):
            self._meter_on[line] = False
            self._meter_ms[line] = now_ms + METER_PULSE_MS
            return [SetLine(line, False)]
        if not self._steps.get(line):
            self._meter_ms.pop(line, None)
            return []
        self._steps[line] -= 1
        self._meter_on[line] = True
        self._meter_ms[line] = now_ms + METER_PULSE_MS
        return [SetLine(line, True)]


def _kind(line: str) -> str:
    return line.partition(".")[0]
