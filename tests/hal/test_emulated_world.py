"""The whole chain, real drivers, ports and emulated devices, moved by the same hand as the simulated cabinet."""

import queue
import time
from collections.abc import Callable, Iterator

import pytest

from hal.emulated_world import EmulatedWorld
from hal.events import (
    ButtonPressed,
    CoinAccepted,
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    HopperDone,
    NoteEscrowed,
    NoteStacked,
)
from hal.simulated import ImpossibleAction, WorldConfig
from hal.wiring import NoteProtocol

PATIENCE_S = 60


class Program:
    """Takes whatever money comes, as the terminal does."""

    def __init__(self, world: EmulatedWorld, last_events: dict[str, int] | None = None) -> None:
        self._heard: queue.SimpleQueue[DeviceEvent] = queue.SimpleQueue()
        self.devices = world.devices
        self.heard: list[DeviceEvent] = []
        for device in self.devices.all():
            device.start(self._heard.put, (last_events or {}).get(device.name, 0))

    def until(self, true: Callable[[list[DeviceEvent]], object]) -> None:
        """React to events until something is true of them."""
        end = time.monotonic() + PATIENCE_S
        while not true(self.heard):
            event = self._heard.get(timeout=max(0.1, end - time.monotonic()))
            self.heard.append(event)
            notes, coins = self.devices.notes, self.devices.coins
            assert notes is not None
            assert coins is not None
            match event:
                case DeviceReady(device="notes"):
                    notes.enable((1_000, 2_000))
                case DeviceReady(device="coins"):
                    coins.route("hopper")
                    coins.enable((100, 200))
                case NoteEscrowed():
                    notes.stack(event.escrow_id)
                case NoteStacked():
                    notes.confirm(event.key)
                case CoinAccepted():
                    coins.confirm(event.key)

    def until_heard(self, kind: type[DeviceEvent], device: str = "") -> DeviceEvent:
        def matches(event: DeviceEvent) -> bool:
            return isinstance(event, kind) and (not device or event.device == device)

        self.until(lambda heard: any(matches(event) for event in heard))
        return next(event for event in self.heard if matches(event))


@pytest.fixture(params=["cctalk", "ssp", "id003", "ccnet", "ebds"])
def protocol(request: pytest.FixtureRequest) -> NoteProtocol:
    named: NoteProtocol = request.param
    return named


@pytest.fixture
def world(protocol: NoteProtocol) -> Iterator[EmulatedWorld]:
    with EmulatedWorld(protocol, WorldConfig(hopper_start_count=20), paced=False) as world:
        yield world


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def insert_note_until_taken(world: EmulatedWorld, program: Program, minor: int) -> None:
    """The acceptor may not have heard ``enable`` yet; a person just tries again."""

    def taken(heard: list[DeviceEvent]) -> bool:
        return any(isinstance(event, NoteStacked) for event in heard)

    for _ in range(20):
        world.insert_note(minor)
        until(lambda: world.readings.note_state in ("ready", "escrow"))
        if world.readings.note_state == "escrow":
            program.until(taken)
            return
        world.take_returned()
        time.sleep(0.2)
    raise AssertionError("no note was taken")


def test_a_note_goes_in_through_every_protocol_and_survives_the_program(world: EmulatedWorld) -> None:
    program = Program(world)
    program.until_heard(DeviceReady, "notes")
    insert_note_until_taken(world, program, 2_000)
    until(lambda: world.readings.note_state == "ready")
    assert world.readings.box_notes == {2_000: 1}
    stacked = [event for event in program.heard if isinstance(event, NoteStacked)]
    assert {note.denomination_minor for note in stacked} == {2_000}
    world.host_dies()
    again = Program(world, {"notes": int(stacked[0].key.rpartition(":")[2])})
    again.until_heard(DeviceReady, "notes")
    assert {event.key for event in again.heard if isinstance(event, NoteStacked)} <= {stacked[0].key}


@pytest.fixture
def cctalk() -> Iterator[EmulatedWorld]:
    with EmulatedWorld("cctalk", WorldConfig(hopper_start_count=20), paced=False) as world:
        yield world


def test_coins_go_in_and_come_out(cctalk: EmulatedWorld) -> None:
    program = Program(cctalk)
    for name in ("coins", "hopper", "notes"):
        program.until_heard(DeviceReady, name)
    for _ in range(20):
        cctalk.insert_coin(100)
        until(lambda: len(cctalk.readings.cup_minor) or cctalk.readings.coins_accepted_count)
        if cctalk.readings.coins_accepted_count:
            break
        cctalk.take_returned()
        time.sleep(0.2)
    accepted = program.until_heard(CoinAccepted)
    assert isinstance(accepted, CoinAccepted)
    until(lambda: cctalk.readings.hopper_coin_count == 21 or cctalk.readings.box_coins)
    hopper = program.devices.hopper
    assert hopper is not None
    hopper.pay("p1-1", 3)
    done = program.until_heard(HopperDone)
    assert isinstance(done, HopperDone)
    assert (done.paid_count, done.reason) == (3, "complete")
    assert cctalk.readings.tray_minor == 300
    assert cctalk.take_tray() == 300
    assert cctalk.readings.tray_minor == 0


def test_the_panel_is_the_simulated_one(cctalk: EmulatedWorld) -> None:
    program = Program(cctalk)
    cctalk.press("b1")
    program.until_heard(ButtonPressed)
    cctalk.release("b1")


def test_a_pulled_cable_is_a_lost_device_that_comes_back(cctalk: EmulatedWorld) -> None:
    program = Program(cctalk)
    program.until_heard(DeviceReady, "hopper")
    cctalk.unplug("hopper")
    assert set(cctalk.readings.unplugged) == {"notes", "coins", "hopper"}  # one wire
    program.until_heard(DeviceLost, "hopper")
    cctalk.plug("hopper")
    program.heard.clear()
    program.until_heard(DeviceReady, "hopper")
    with pytest.raises(ImpossibleAction):
        cctalk.plug("hopper")


def test_power_goes_and_comes_back(cctalk: EmulatedWorld) -> None:
    Program(cctalk).until_heard(DeviceReady, "notes")
    cctalk.cut_power()
    assert cctalk.readings.note_state == "disabled"
    with pytest.raises(ImpossibleAction):
        cctalk.cut_power(note="returned")
    cctalk.restore_power()
    Program(cctalk).until_heard(DeviceReady, "notes")


def test_the_cash_box_is_behind_its_door(cctalk: EmulatedWorld) -> None:
    with pytest.raises(ImpossibleAction, match="open door cash_box first"):
        cctalk.remove_cash_box()
    cctalk.open_door("cash_box")
    assert cctalk.remove_cash_box() == ({}, {})
    assert not cctalk.readings.cash_box_fitted
    with pytest.raises(ImpossibleAction):
        cctalk.remove_cash_box()
    cctalk.insert_cash_box()
    assert cctalk.readings.cash_box_fitted


def test_a_paced_world_takes_the_time_that_passes() -> None:
    with EmulatedWorld() as world:
        begin = time.monotonic()
        world.advance(150)
        assert time.monotonic() - begin >= 0.15
        assert world.now_ms == 150


def test_the_hoppers_coin_cannot_be_chosen() -> None:
    with pytest.raises(ImpossibleAction, match="coins of 100"):
        EmulatedWorld(config=WorldConfig(hopper_coin_minor=50))
