"""Acceptors and hoppers as the program sees them, whatever carries its orders: each call becomes a command for a port.

Not responsible for the port (``serial_device``, ``gpio_panel``) or for what only one of them can do.
"""

from collections.abc import Iterable
from typing import Protocol

from hal.interfaces import EventSink
from hal.wire.session import Command, Confirm, Disable, Enable, Halt, Pay, ReturnNote, Route, StackNote


class OrderPort(Protocol):
    """Where orders go: a serial port's thread, or the process that owns the pins."""

    @property
    def moved_ms(self) -> int | None:
        """When it was last seen at work; None while it does nothing."""

    def start(self, device: str, sink: EventSink, last_event: int) -> None:
        """Begin to work for a device."""

    def command(self, command: Command, /) -> None:
        """Send a command."""

    def stop(self, device: str) -> None:
        """Make a device safe and leave it alone."""


class OrderedDevice:
    """A device behind a port, alone or with others."""

    def __init__(self, name: str, port: OrderPort) -> None:
        self._name = name
        self._orders = port

    @property
    def name(self) -> str:
        """The device's name in events and in the journal."""
        return self._name

    @property
    def moved_ms(self) -> int | None:
        """When what works for it was last at work; None while there is nothing."""
        return self._orders.moved_ms

    def start(self, sink: EventSink, last_event: int) -> None:
        """Begin to work; the port opens by itself, so a silent device delays nobody."""
        self._orders.start(self._name, sink, last_event)

    def stop(self) -> None:
        """Make the device safe; after its last device the port is closed."""
        self._orders.stop(self._name)


class OrderedAcceptor(OrderedDevice):
    """What note and coin acceptors have in common."""

    def enable(self, values_minor: Iterable[int]) -> None:
        """Take these; a pulse device takes all that it is set to take itself, for pulses can't choose."""
        self._orders.command(Enable(self._name, tuple(sorted(set(values_minor)))))

    def disable(self) -> None:
        """Take no more."""
        self._orders.command(Disable(self._name))

    def confirm(self, key: str) -> None:
        """Acknowledge a ``NoteStacked`` or ``CoinAccepted``, where the device knows of acknowledgements."""
        self._orders.command(Confirm(self._name, key))


class OrderedNoteAcceptor(OrderedAcceptor):
    """See ``hal.interfaces.NoteAcceptor``."""

    def stack(self, escrow_id: str) -> None:
        """Move the escrowed note to the cash box."""
        self._orders.command(StackNote(self._name, escrow_id))

    def return_note(self, escrow_id: str) -> None:
        """Give the escrowed note back."""
        self._orders.command(ReturnNote(self._name, escrow_id))


class OrderedCoinAcceptor(OrderedAcceptor):
    """See ``hal.interfaces.CoinAcceptor``."""

    def route(self, to: str) -> None:
        """Send further coins to ``hopper`` or ``cash_box``, where a diverter is fitted. Raises ValueError for another place."""
        if to not in ("hopper", "cash_box"):
            raise ValueError(f"coins can go to hopper or cash_box, not to {to}")
        self._orders.command(Route(self._name, to))


class OrderedHopper(OrderedDevice):
    """See ``hal.interfaces.Hopper``."""

    def __init__(self, name: str, port: OrderPort, coin_value_minor: int) -> None:
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
        self._orders.command(Pay(self._name, payout_id, coin_count))

    def halt(self) -> None:
        """Stop the motor at once."""
        self._orders.command(Halt(self._name))
