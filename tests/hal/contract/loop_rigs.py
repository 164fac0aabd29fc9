"""Emulated devices as rigs of the contract suite: driver, session and device in one thread, with a clock of their own."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar, cast

from hal.drivers.port_thread import PortThread
from hal.drivers.serial_device import SerialCoinAcceptor, SerialDevice, SerialHopper, SerialNoteAcceptor
from hal.emulators.base import Emulator
from hal.events import DeviceEvent
from hal.wire.session import Session
from tests.hal.contract.loop_port import LoopPort

_Device = TypeVar("_Device", bound=Emulator)


class LoopRig(ABC, Generic[_Device]):
    """Any emulated device; ``session`` makes a new host, as a program that starts does."""

    def __init__(self, device: _Device, session: Callable[[], Session]) -> None:
        self.device = device
        self.events: list[DeviceEvent] = []
        self.hear: Callable[[DeviceEvent], None] = lambda _event: None
        """The program, if there is more of it than ``events``; made anew after ``boot``."""
        self.now_ms = 1_000
        self._session = session
        self._port: LoopPort | None = None

    def run(self, duration_ms: int) -> None:
        if self._port is None:
            self.device.output(self.now_ms + duration_ms)
            self.now_ms += duration_ms
        else:
            self._port.run(duration_ms)
            self.now_ms = self._port.now_ms

    def do(self, line: str) -> None:
        """Carry out a verb of the device."""
        self.device.do(line.split(), self.now_ms)

    def cut_power(self) -> None:
        self.host_dies()
        self.do("power_cut")

    def host_dies(self) -> None:
        self._port = None

    def boot(self, last_event: int = 0) -> None:
        if not self.device.powered:
            self.do("power_on")
        self.device.output(self.now_ms)  # what was sent to nobody
        self.events = []
        self._port = LoopPort(self._session(), self.device, self.now_ms)
        self.driver.start(self._sink(self.events), last_event)

    def _sink(self, events: list[DeviceEvent]) -> Callable[[DeviceEvent], None]:
        def take(event: DeviceEvent) -> None:
            events.append(event)
            self.hear(event)

        return take

    def unplug(self) -> None:
        """Pull the line's cable; program and device stay on."""
        self.port.close()

    def plug(self) -> None:
        """Put it back."""
        self.port.reopen()

    @property
    def port(self) -> LoopPort:
        """The line of the running program."""
        if self._port is None:
            raise AssertionError("no program runs")
        return self._port

    @property
    def port_thread(self) -> PortThread:
        """The same, as drivers know it."""
        return cast(PortThread, self.port)

    @property
    @abstractmethod
    def driver(self) -> SerialDevice:
        """The device as the program sees it."""


class LoopNoteRig(LoopRig[_Device]):
    """A note acceptor; ``path`` is the device's inside."""

    @property
    def subject(self) -> SerialNoteAcceptor:
        return SerialNoteAcceptor("notes", self.port_thread)

    @property
    def driver(self) -> SerialDevice:
        return self.subject

    def insert(self, minor: int) -> None:
        self.do(f"insert_note {minor}")

    def jam(self) -> None:
        self.do("jam")

    def clear_jam(self) -> None:
        self.do("clear_jam")

    def remove_box(self) -> None:
        self.do("remove_cash_box")

    def insert_box(self) -> None:
        self.do("insert_cash_box")

    @property
    def stacked_minor(self) -> list[int]:
        return sorted(self.device.path.cash_box)  # type: ignore[attr-defined]

    @property
    def returned_minor(self) -> list[int]:
        return list(self.device.path.mouth)  # type: ignore[attr-defined]


class LoopCoinRig(LoopRig[_Device]):
    """A coin acceptor."""

    @property
    def subject(self) -> SerialCoinAcceptor:
        return SerialCoinAcceptor("coins", self.port_thread)

    @property
    def driver(self) -> SerialDevice:
        return self.subject

    def insert(self, minor: int) -> None:
        self.do(f"insert_coin {minor}")

    @property
    def accepted_minor(self) -> list[int]:
        return sorted(minor for minor, _ in self.device.accepted)  # type: ignore[attr-defined]


class LoopHopperRig(LoopRig[_Device]):
    """A hopper of coins worth 100."""

    @property
    def subject(self) -> SerialHopper:
        return SerialHopper("hopper", self.port_thread, 100)

    @property
    def driver(self) -> SerialDevice:
        return self.subject

    def set_coins(self, count: int) -> None:
        self.do(f"set_coins {count}")

    @property
    def paid_count(self) -> int:
        return int(self.device.fallen_count)  # type: ignore[attr-defined]
