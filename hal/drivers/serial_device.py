"""The interfaces of ``hal.interfaces`` over a port thread: each call becomes a command for the session.

One class per kind of device serves every serial protocol. Not responsible for protocols or threads.
"""

from collections.abc import Callable, Iterable

from hal.drivers.port_thread import PortThread
from hal.interfaces import EventSink
from hal.wire.session import Confirm, Disable, Enable, Halt, Pay, ReturnNote, Route, StackNote


class SerialDevice:
    """A device on a serial line, alone or with others."""

    def __init__(self, name: str, port: PortThread) -> None:
        self._name = name
        self._port = port

    @property
    def name(self) -> str:
        """The device's name in events and in the journal."""
        return self._name

    @property
    def worst_late_ms(self) -> int:
        """How late a deadline of its port, a poll for example, was kept at worst since the start."""
        return self._port.worst_late_ms

    def watch_polls(self, told: Callable[[int], None]) -> None:
        """Tell of each poll of its port, from the port's thread, how many milliseconds after its time it was sent."""
        self._port.on_poll = told

    @property
    def moved_ms(self) -> int | None:
        """When the port's thread was last at work; None while there is none."""
        return self._port.moved_ms

    def start(self, sink: EventSink, last_event: int) -> None:
        """Begin to work; the port is opened by its thread, so a silent device delays nobody."""
        self._port.start(self._name, sink, last_event)

    def stop(self) -> None:
        """Make the device safe and close the port."""
        self._port.stop(self._name)

    def abandon(self) -> None:
        """Let go of the port, and of all devices on it, without a word to them: what a killed program leaves."""
        self._port.abandon()


class SerialNoteAcceptor(SerialDevice):
    """See ``hal.interfaces.NoteAcceptor``."""

    def enable(self, denominations_minor: Iterable[int]) -> None:
        """Take these denominations."""
        self._port.command(Enable(self._name, tuple(sorted(set(denominations_minor)))))

    def disable(self) -> None:
        """Take no more notes."""
        self._port.command(Disable(self._name))

    def stack(self, escrow_id: str) -> None:
        """Move the escrowed note to the cash box."""
        self._port.command(StackNote(self._name, escrow_id))

    def return_note(self, escrow_id: str) -> None:
        """Give the escrowed note back."""
        self._port.command(ReturnNote(self._name, escrow_id))

    def confirm(self, key: str) -> None:
        """Acknowledge a ``NoteStacked``."""
        self._port.command(Confirm(self._name, key))


class SerialCoinAcceptor(SerialDevice):
    """See ``hal.interfaces.CoinAcceptor``."""

    def enable(self, values_minor: Iterable[int]) -> None:
        """Take these coins."""
        self._port.command(Enable(self._name, tuple(sorted(set(values_minor)))))

    def disable(self) -> None:
        """Take no more coins."""
        self._port.command(Disable(self._name))

    def route(self, to: str) -> None:
        """Send further coins to ``hopper`` or ``cash_box``."""
        if to not in ("hopper", "cash_box"):
            raise ValueError(f"coins can go to hopper or cash_box, not to {to}")
        self._port.command(Route(self._name, to))

    def confirm(self, key: str) -> None:
        """Acknowledge a ``CoinAccepted``."""
        self._port.command(Confirm(self._name, key))


class SerialHopper(SerialDevice):
    """See ``hal.interfaces.Hopper``."""

    def __init__(self, name: str, port: PortThread, coin_value_minor: int) -> None:
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
