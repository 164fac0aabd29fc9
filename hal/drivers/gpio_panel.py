"""The devices on the pins as the program sees them: the panel, and pulse devices for coins, notes and pay-outs.

Each call becomes a command for the unit in the process that owns the chip. Not responsible for pins or time.
"""

from collections.abc import Iterable
from typing import Protocol

from hal.interfaces import EventSink
from hal.wire.pins import PinCommand, PulseMeter, SetLamp, SetTower
from hal.wire.session import Confirm, Disable, Enable, Halt, Pay, Route


class PinPort(Protocol):
    """Where commands go: ``hal.drivers.gpio_process.GpioProcess``, or a test's."""

    @property
    def moved_ms(self) -> int | None:
        """When it was last seen at work; None while it does nothing."""

    def start(self, device: str, sink: EventSink, last_event: int) -> None:
        """Begin to work for a device."""

    def command(self, command: PinCommand) -> None:
        """Send a command."""

    def stop(self, device: str) -> None:
        """Make a device safe and leave it alone."""


class PinDevice:
    """A device on the pins."""

    def __init__(self, name: str, port: PinPort) -> None:
        self._name = name
        self._port = port

    @property
    def name(self) -> str:
        """The device's name in events and in the journal."""
        return self._name

    @property
    def moved_ms(self) -> int | None:
        """When the thread that watches over the pins' process was last at work; None while there is none."""
        return self._port.moved_ms

    def start(self, sink: EventSink, last_event: int) -> None:
        """Begin to work; the chip is opened by its own process, so nobody waits for it."""
        self._port.start(self._name, sink, last_event)

    def stop(self) -> None:
        """Make the device's outputs inactive; after the last device the chip is given back."""
        self._port.stop(self._name)


class GpioPanel(PinDevice):
    """See ``hal.interfaces.Panel``."""

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


class PulseNoteAcceptor(PinDevice):
    """See ``hal.interfaces.NoteAcceptor``. Without escrow: ``NoteStacked`` is the first that is heard of a note."""

    def enable(self, denominations_minor: Iterable[int]) -> None:
        """Let notes in: all that the acceptor itself is set to take, for pulses can't choose."""
        self._port.command(Enable(self._name, tuple(sorted(set(denominations_minor)))))

    def disable(self) -> None:
        """Take no more notes."""
        self._port.command(Disable(self._name))

    def stack(self, escrow_id: str) -> None:
        """Nothing ever waits in escrow here."""

    def return_note(self, escrow_id: str) -> None:
        """Nothing ever waits in escrow here."""

    def confirm(self, key: str) -> None:
        """A pulse device knows of no acknowledgement."""
        self._port.command(Confirm(self._name, key))


class PulseCoinAcceptor(PinDevice):
    """See ``hal.interfaces.CoinAcceptor``."""

    def enable(self, values_minor: Iterable[int]) -> None:
        """Let coins in: all that the acceptor itself is set to take, for pulses can't choose."""
        self._port.command(Enable(self._name, tuple(sorted(set(values_minor)))))

    def disable(self) -> None:
        """Take no more coins."""
        self._port.command(Disable(self._name))

    def route(self, to: str) -> None:
        """Send further coins to ``hopper`` or ``cash_box``, where a diverter is fitted."""
        if to not in ("hopper", "cash_box"):
            raise ValueError(f"coins can go to hopper or cash_box, not to {to}")
        self._port.command(Route(self._name, to))

    def confirm(self, key: str) -> None:
        """A pulse device knows of no acknowledgement."""
        self._port.command(Confirm(self._name, key))


class PulseHopper(PinDevice):
    """See ``hal.interfaces.Hopper``."""

    def __init__(self, name: str, port: PinPort, coin_value_minor: int) -> None:
        super().__init__(name, port)
        self._coin_value_minor = coin_value_minor

    @property
    def coin_value_minor(self) -> int:
        """What one coin is worth."""
        return self._coin_value_minor

    def pay(self, payout_id: str, coin_count: int) -> None:
        """Pay coins out. Raises ValueError for no coins."""
        if coin_count <= 0:
            raise ValueError(f"pay-out {payout_id} of {coin_count} coins; at least one is needed")
        self._port.command(Pay(self._name, payout_id, coin_count))

    def halt(self) -> None:
        """Stop the motor at once."""
        self._port.command(Halt(self._name))


def _lamp_state(state: str) -> str:
    if state not in ("off", "on", "blink"):
        raise ValueError(f"a lamp can be off, on or blink, not {state}")
    return state
