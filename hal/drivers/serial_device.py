"""Devices on a serial line: the interfaces of ``hal.interfaces`` over a port thread.

One class per kind of device serves every serial protocol. Not responsible for protocols or threads.
"""

from collections.abc import Callable

from hal.drivers.ordered import OrderedCoinAcceptor, OrderedDevice, OrderedHopper, OrderedNoteAcceptor
from hal.drivers.port_thread import PortThread


class SerialDevice(OrderedDevice):
    """A device on a serial line, alone or with others."""

    _orders: PortThread

    @property
    def worst_late_ms(self) -> int:
        """How late a deadline of its port, a poll for example, was kept at worst since the start."""
        return self._orders.worst_late_ms

    def watch_polls(self, told: Callable[[int], None]) -> None:
        """Tell of each poll of its port, from the port's thread, how many milliseconds after its time it was sent."""
        self._orders.on_poll = told

    def abandon(self) -> None:
        """Let go of the port, and of all devices on it, without a word to them: what a killed program leaves."""
        self._orders.abandon()


class SerialNoteAcceptor(SerialDevice, OrderedNoteAcceptor):
    """A note acceptor on a serial line."""


class SerialCoinAcceptor(SerialDevice, OrderedCoinAcceptor):
    """A coin acceptor on a serial line."""


class SerialHopper(SerialDevice, OrderedHopper):
    """A hopper on a serial line."""
