"""One ccTalk wire: three devices take turns, and whatever happens to the bytes ends in a repeat or in a name."""

from hypothesis import given, settings
from hypothesis import strategies as st

from hal.drivers.serial_device import SerialCoinAcceptor, SerialHopper, SerialNoteAcceptor
from hal.emulators.cctalk_bus import CctalkWire
from hal.emulators.cctalk_coin import CctalkCoinAcceptor
from hal.events import (
    CoinAccepted,
    DeviceEvent,
    DeviceFault,
    DeviceLost,
    DeviceReady,
    HopperDone,
    NoteEscrowed,
    NoteStacked,
)
from hal.wire.cctalk import Echo
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_coin import CoinStation, Sorter
from hal.wire.cctalk_hopper import HopperStation
from hal.wire.cctalk_note import NoteStation
from hal.wire.session import Send, Start, Stop
from tests.hal.contract.loop_port import LoopPort
from tests.hal.contract.loop_rigs import LoopCoinRig
from tests.hal.contract.rig import heard, run_until

ACK = b"\x01\x00\x02\x00\xfd"
POLL = b"\x02\x00\x01\xfe\xff"


def stations() -> list[CoinStation | HopperStation | NoteStation]:
    sorter = Sorter(hopper_path=1, cash_box_path=2, hopper_values_minor=frozenset((100,)))
    return [CoinStation("coins", "EU", sorter=sorter), HopperStation("hopper", "EU", 100), NoteStation("notes", "EU")]


class Cabinet:
    """A wire with three devices and a program."""

    def __init__(self, wire: CctalkWire) -> None:
        self.wire = wire
        self.events: list[DeviceEvent] = []
        self.port = LoopPort(CctalkBus(stations()), wire)
        self.coins = SerialCoinAcceptor("coins", self.port)  # type: ignore[arg-type]
        self.hopper = SerialHopper("hopper", self.port, 100)  # type: ignore[arg-type]
        self.notes = SerialNoteAcceptor("notes", self.port)  # type: ignore[arg-type]
        for device in (self.coins, self.hopper, self.notes):
            device.start(self.events.append, 0)

    def run(self, duration_ms: int) -> None:
        self.port.run(duration_ms)


def open_cabinet(wire: CctalkWire) -> Cabinet:
    cabinet = Cabinet(wire)
    cabinet.run(6_000)
    assert {event.device for event in cabinet.events if isinstance(event, DeviceReady)} == {"coins", "hopper", "notes"}
    cabinet.coins.enable([100, 200])
    cabinet.notes.enable([2_000])
    cabinet.run(500)
    return cabinet


def waits(cabinet: Cabinet) -> bool:
    return cabinet.port.session.deadline_ms is not None


def test_three_devices_work_on_one_wire_at_the_same_time() -> None:
    cabinet = open_cabinet(CctalkWire())
    cabinet.coins.route("hopper")
    cabinet.run(500)
    cabinet.wire.do(["insert_note", "2000"], cabinet.port.now_ms)
    cabinet.hopper.pay("p1-1", 5)
    for _ in range(3):
        cabinet.wire.do(["insert_coin", "100"], cabinet.port.now_ms)
        cabinet.run(300)
    cabinet.run(1_000)
    escrowed = [event for event in cabinet.events if isinstance(event, NoteEscrowed)]
    cabinet.notes.stack(escrowed[0].escrow_id)
    cabinet.run(4_000)
    coins = {event.key: event.to for event in cabinet.events if isinstance(event, CoinAccepted)}
    assert list(coins.values()) == ["hopper"] * 3
    assert [event.paid_count for event in cabinet.events if isinstance(event, HopperDone)] == [5]
    assert {event.denomination_minor for event in cabinet.events if isinstance(event, NoteStacked)} == {2_000}
    assert cabinet.wire.hopper.coin_count == 50 - 5 + 3
    assert not [event for event in cabinet.events if isinstance(event, DeviceLost | DeviceFault)]


def test_one_device_without_power_does_not_hold_up_the_others() -> None:
    cabinet = open_cabinet(CctalkWire(notes_crc=False, echo=False))
    cabinet.wire.hopper.power_cut()
    cabinet.run(5_000)
    assert [(event.device, event.reason) for event in cabinet.events if isinstance(event, DeviceLost)] == [
        ("hopper", "no answer")
    ]
    cabinet.wire.do(["insert_coin", "200"], cabinet.port.now_ms)
    cabinet.run(2_500)
    assert [event.value_minor for event in cabinet.events if isinstance(event, CoinAccepted)][:1] == [200]


def test_a_device_that_is_not_started_is_not_asked() -> None:
    wire = CctalkWire()
    port = LoopPort(CctalkBus(stations()), wire)
    events: list[DeviceEvent] = []
    port.start("coins", events.append, 0)
    port.run(3_000)
    assert isinstance(events[0], DeviceReady)
    assert not wire.hopper.heard
    port.start("hopper", events.append, 0)
    port.run(3_000)
    assert wire.hopper.heard


def test_after_stop_of_all_devices_there_is_nothing_to_wait_for() -> None:
    cabinet = open_cabinet(CctalkWire())
    cabinet.coins.stop()
    cabinet.notes.stop()
    cabinet.run(500)
    assert waits(cabinet)
    cabinet.hopper.stop()
    cabinet.run(500)
    assert not waits(cabinet)
    cabinet.wire.do(["insert_coin", "200"], cabinet.port.now_ms)
    cabinet.run(500)
    assert not cabinet.wire.coins.accepted


# --- echo and noise -----------------------------------------------------------------------------------------------------


def coin_rig(device: CctalkCoinAcceptor) -> LoopCoinRig[CctalkCoinAcceptor]:
    rig = LoopCoinRig(device, lambda: CctalkBus([CoinStation("coins", "EU")]))
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    return rig


def echo_of(rig: LoopCoinRig[CctalkCoinAcceptor]) -> Echo:
    bus = rig.port.session
    assert isinstance(bus, CctalkBus)
    return bus.echo


def test_the_echo_is_found_out_anew_when_the_adapter_changes() -> None:
    rig = coin_rig(CctalkCoinAcceptor(echo=True))
    assert echo_of(rig) is Echo.PRESENT
    rig.do("set_echo 0")
    rig.run(5_000)
    assert ["echo differs" in lost.reason for lost in heard(rig, DeviceLost)] == [True]
    assert echo_of(rig) is Echo.ABSENT
    rig.do("set_echo 1")
    rig.run(5_000)
    assert echo_of(rig) is Echo.PRESENT
    assert isinstance(rig.events[-1], DeviceReady)


def test_noise_before_answers_is_repeated_away_or_named() -> None:
    class Noisy(CctalkCoinAcceptor):
        """Its transceiver puts a byte on the line before each answer while ``is_noisy``."""

        is_noisy = False

        def _answer(self, header: int, data: bytes) -> None:
            if self.is_noisy:
                self.raw(b"\x00", 4)
            super()._answer(header, data)

    device = Noisy()
    rig = coin_rig(device)
    device.is_noisy = True
    rig.run(3_000)
    assert ["to address 0" in lost.reason for lost in heard(rig, DeviceLost)] == [True]
    device.is_noisy = False
    rig.run(3_000)
    assert isinstance(rig.events[-1], DeviceReady)


def test_noise_while_nobody_was_asked_only_delays_the_next_request() -> None:
    rig = coin_rig(CctalkCoinAcceptor())
    for _ in range(20):
        rig.do("noise 7")
        rig.run(137)
    rig.run(1_000)
    assert not heard(rig, DeviceLost)


def test_a_damaged_byte_voids_the_exchange() -> None:
    bus = CctalkBus([CoinStation("coins", "EU")])
    bus.command(Start("coins", 0), 0)
    bus.opened(0)
    assert bus.line_error(10) == []
    assert bus.timeout(50) == [Send(POLL)]
    bus.line_error(60)
    assert bus.receive(ACK, 70) == []
    assert bus.deadline_ms is not None
    assert bus.deadline_ms >= 120


def test_an_answer_that_breaks_off_is_void() -> None:
    bus = CctalkBus([CoinStation("coins", "EU")])
    bus.opened(0)
    bus.command(Start("coins", 0), 0)
    assert bus.timeout(50) == [Send(POLL)]
    bus.receive(ACK[:3], 60)
    assert bus.deadline_ms == 110
    bus.timeout(110)
    bus.receive(ACK[3:], 115)
    outputs = bus.timeout(2_000)
    assert outputs == [Send(POLL)], "it looks again, and the late rest counts for nothing"


def test_time_that_has_not_come_changes_nothing() -> None:
    bus = CctalkBus([CoinStation("coins", "EU")])
    bus.command(Start("coins", 0), 0)
    bus.opened(0)
    assert bus.timeout(10) == [], "the line must be silent first"
    assert bus.timeout(50) == [Send(POLL)]
    assert bus.timeout(60) == []
    assert bus.receive(POLL + ACK, 70) == []
    assert bus.timeout(71) == []
    assert bus.timeout(75) == [Send(b"\x02\x00\x01\xf5\x08")]
    bus.closed(80)
    assert bus.timeout(200) == []


def test_starting_again_drops_what_was_asked_before() -> None:
    bus = CctalkBus([CoinStation("coins", "EU")])
    bus.opened(0)
    bus.command(Start("coins", 0), 0)
    assert bus.timeout(50) == [Send(POLL)]
    bus.command(Start("coins", 0), 60)
    assert bus.receive(ACK, 70) == []
    assert bus.timeout(200) == [Send(POLL)]


def test_stop_before_the_port_is_open_is_over_at_once() -> None:
    bus = CctalkBus([CoinStation("coins", "EU")])
    bus.command(Start("coins", 0), 0)
    bus.command(Stop("coins"), 0)
    bus.opened(10)
    assert bus.deadline_ms is None


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.binary(max_size=40), st.integers(0, 400)), max_size=25))
def test_whatever_comes_nothing_escapes_and_no_money_is_made(stream: list[tuple[bytes, int]]) -> None:
    bus = CctalkBus(stations())
    now_ms, outputs = 0, []
    for name in ("coins", "hopper", "notes"):
        bus.command(Start(name, 0), now_ms)
    bus.opened(now_ms)
    for data, pause_ms in stream:
        outputs += bus.receive(data, now_ms)
        now_ms += pause_ms
        if bus.deadline_ms is not None and now_ms >= bus.deadline_ms:
            outputs += bus.timeout(now_ms)
    outputs += bus.closed(now_ms)
    events = [output.event for output in outputs if not isinstance(output, Send)]
    assert all(isinstance(event, DeviceLost | DeviceFault) for event in events)
