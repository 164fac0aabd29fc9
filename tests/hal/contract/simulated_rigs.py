"""The simulated devices as rigs of the contract suite."""

from abc import ABC, abstractmethod

from hal.events import DeviceEvent
from hal.interfaces import CoinAcceptor, Device, Hopper, NoteAcceptor, Panel
from hal.simulated import World, WorldConfig


class _SimulatedRig(ABC):
    def __init__(self) -> None:
        self.world = World(WorldConfig(hopper_start_count=50), now_ms=1_000)
        self.events: list[DeviceEvent] = []

    @abstractmethod
    def _device(self) -> Device: ...

    def run(self, duration_ms: int) -> None:
        self.world.advance(self.world.now_ms + duration_ms)

    def cut_power(self) -> None:
        self.world.cut_power()

    def host_dies(self) -> None:
        self.world.host_dies()

    def boot(self, last_event: int = 0) -> None:
        if not self.world.readings.powered:
            self.world.restore_power()
        self.events = []
        self._device().start(self.events.append, last_event)


class SimulatedNoteRig(_SimulatedRig):
    """The simulated note acceptor."""

    def __init__(self) -> None:
        super().__init__()
        self._emptied: list[int] = []

    @property
    def subject(self) -> NoteAcceptor:
        return self.world.notes

    def _device(self) -> Device:
        return self.world.notes

    def insert(self, minor: int) -> None:
        self.world.insert_note(minor)

    def jam(self) -> None:
        self.world.jam("notes")

    def clear_jam(self) -> None:
        self.world.clear_jam("notes")

    def remove_box(self) -> None:
        self.world.open_door("cash_box")
        notes, _ = self.world.remove_cash_box()
        self._emptied += [minor for minor, count in notes.items() for _ in range(count)]

    def insert_box(self) -> None:
        self.world.insert_cash_box()
        self.world.close_door("cash_box")

    @property
    def stacked_minor(self) -> list[int]:
        box = self.world.readings.box_notes
        return sorted(self._emptied + [minor for minor, count in box.items() for _ in range(count)])

    @property
    def returned_minor(self) -> list[int]:
        return list(self.world.readings.mouth_minor)


class SimulatedCoinRig(_SimulatedRig):
    """The simulated coin acceptor."""

    @property
    def subject(self) -> CoinAcceptor:
        return self.world.coins

    def _device(self) -> Device:
        return self.world.coins

    def insert(self, minor: int) -> None:
        self.world.insert_coin(minor)

    @property
    def accepted_minor(self) -> list[int]:
        readings = self.world.readings
        to_hopper = [readings.hopper_coin_minor] * (readings.hopper_coin_count - 50)
        return sorted(to_hopper + [minor for minor, count in readings.box_coins.items() for _ in range(count)])


class SimulatedHopperRig(_SimulatedRig):
    """The simulated hopper."""

    @property
    def subject(self) -> Hopper:
        return self.world.hopper

    def _device(self) -> Device:
        return self.world.hopper

    def set_coins(self, count: int) -> None:
        self.world.set_hopper(count)

    @property
    def paid_count(self) -> int:
        readings = self.world.readings
        return (readings.tray_minor + readings.taken_minor) // readings.hopper_coin_minor


class SimulatedPanelRig(_SimulatedRig):
    """The simulated panel."""

    @property
    def subject(self) -> Panel:
        return self.world.panel

    def _device(self) -> Device:
        return self.world.panel

    def press(self, button: str) -> None:
        self.world.press(button)

    def release(self, button: str) -> None:
        self.world.release(button)

    def move_door(self, door: str, is_open: bool) -> None:
        (self.world.open_door if is_open else self.world.close_door)(door)

    def turn_key(self, key: str, is_on: bool) -> None:
        (self.world.turn_key if is_on else self.world.turn_back_key)(key)

    def lamp(self, button: str) -> str:
        return dict(self.world.readings.lamps)[button]

    def meter_steps(self, meter: str) -> int:
        return self.world.readings.meters.get(meter, 0)
