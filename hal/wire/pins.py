"""How a unit of the pins (the panel, a pulse device) and the loop that owns the GPIO chip speak with each other.

The counterpart of ``hal.wire.session`` for lines instead of bytes: a unit is sans-I/O, is told edges with their times and
commands, and answers with lines to set and events to report. Lines have names, not numbers; ``active`` is what a level
means (pressed, lamp on), whatever its voltage. Inactive is the safe state of every output. ``hal.drivers.gpio_board``
runs units on a chip.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hal.wire.session import Command, Report


@dataclass(frozen=True, slots=True)
class SetLine:
    """Make an output active or inactive."""

    line: str
    active: bool


PinOutput = SetLine | Report
PinOutputs = Sequence[PinOutput]


@dataclass(frozen=True, slots=True)
class SetLamp:
    """Set a button's lamp: ``off``, ``on``, ``blink``."""

    device: str
    button: str
    state: str


@dataclass(frozen=True, slots=True)
class SetTower:
    """Set a light of the tower: ``off``, ``on``, ``blink``."""

    device: str
    colour: str
    state: str


@dataclass(frozen=True, slots=True)
class PulseMeter:
    """Advance an electromechanical meter."""

    device: str
    meter: str
    count: int


PinCommand = Command | SetLamp | SetTower | PulseMeter


class PinUnit(Protocol):
    """A device on pins. All times are milliseconds of one monotonic clock that is passed in."""

    @property
    def device(self) -> str:
        """The device's name: commands for it come here."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """The lines it wants to hear of."""

    @property
    def outputs(self) -> tuple[str, ...]:
        """The lines it sets; all are inactive before ``begin``."""

    @property
    def deadline_ms(self) -> int | None:
        """When ``timeout`` wants to be called; None while there is nothing to wait for. Asked again after every call."""

    def begin(self, levels: Mapping[str, bool], now_ms: int) -> PinOutputs:
        """The chip is open; ``levels`` says which inputs are active now. Events only after ``Start``."""

    def edge(self, line: str, active: bool, at_ms: int) -> PinOutputs:
        """An input changed at that time, which may lie in the past; edges come in their order."""

    def edges_lost(self, levels: Mapping[str, bool], now_ms: int) -> PinOutputs:
        """Edges may have been missed; ``levels`` is what is true now."""

    def timeout(self, now_ms: int) -> PinOutputs:
        """The deadline has passed."""

    def command(self, command: PinCommand, now_ms: int) -> PinOutputs:
        """The program wants something. ``Stop`` makes every output inactive.

        Raises ``LocalProtocolError`` for a command that this kind of device can never carry out.
        """
