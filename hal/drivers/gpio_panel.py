"""The devices on the pins as the program sees them: the panel, and pulse devices for coins, notes and pay-outs.

Each call becomes a command for the unit in the process that owns the chip. Not responsible for pins or time.
"""

from typing import Protocol

from hal.drivers.ordered import OrderedCoinAcceptor, OrderedDevice, OrderedHopper, OrderedNoteAcceptor, OrderPort
from hal.wire.pins import PinCommand, PulseMeter, SetLamp, SetTower


class PinPort(OrderPort, Protocol):
    """Where commands go: ``hal.drivers.gpio_process.GpioProcess``, or a test's."""

    def command(self, command: PinCommand, /) -> None:
        """Send a command."""


class GpioPanel(OrderedDevice):
    """See ``hal.interfaces.Panel``."""

    def __init__(self, name: str, port: PinPort) -> None:
        super().__init__(name, port)
        self._port = port

    def set_lamp(self, button: str, state: str) -> None:
        """Set a button's lamp."""
        self._port.command(SetLamp(self._name, button, _lamp_state(state)))

    def set_tower(self, colour: str, state: str) -> None:
        """Set a light of the tower."""
        self._port.command(SetTower(self._name, colour, _lamp_state(state)))

    def pulse_meter(self, meter: str, count: int) -> None:
        """Advance an electromechanical meter; steps are queued. Raises ValueError for a negative count."""
        if count < 0:
            raise ValueError(f"meter {meter}: a count of {count} steps; meters only go forward")
        self._port.command(PulseMeter(self._name, meter, count))


class PulseNoteAcceptor(OrderedNoteAcceptor):
    """A note acceptor without escrow: ``NoteStacked`` is the first that is heard of a note."""

    def stack(self, escrow_id: str) -> None:
        """Nothing ever waits in escrow here."""

    def return_note(self, escrow_id: str) -> None:
        """Nothing ever waits in escrow here."""


class PulseCoinAcceptor(OrderedCoinAcceptor):
    """A coin acceptor on pins."""


class PulseHopper(OrderedHopper):
    """A hopper on pins."""


def _lamp_state(state: str) -> str:
    if state not in ("off", "on", "blink"):
        raise ValueError(f"a lamp can be off, on or blink, not {state}")
    return state
