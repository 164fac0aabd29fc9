"""ccTalk and ID-003 as they run in a cabinet: drivers, port thread, pseudo-terminal, emulated device."""

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from hal.drivers.cctalk import CctalkLine
from hal.drivers.id003 import id003_note_acceptor
from hal.emulators.cctalk_bus import CctalkWire
from hal.emulators.id003 import Id003Acceptor
from hal.emulators.pty import PtyPort
from hal.errors import WiringError
from hal.events import (
    CoinAccepted,
    DeviceEvent,
    DeviceLost,
    DeviceReady,
    HopperDone,
    NoteEscrowed,
    NoteStacked,
)
from hal.wire.cctalk_coin import CoinStation, Sorter
from hal.wire.cctalk_hopper import HopperStation
from hal.wire.cctalk_note import NoteStation

PATIENCE_S = 30

_Event = TypeVar("_Event", bound=DeviceEvent)


class Heard:
    """Events as they come from the port's thread."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[DeviceEvent] = queue.SimpleQueue()

    def sink(self, event: DeviceEvent) -> None:
        self._queue.put(event)

    def wait(self, kind: type[_Event]) -> _Event:
        """Return the next event of a kind; fails after a long while."""
        while True:
            event = self._queue.get(timeout=PATIENCE_S)
            if isinstance(event, kind):
                return event

    def try_until(self, kind: type[_Event], action: Callable[[], None]) -> _Event:
        """Do something again and again, because the device may not be enabled yet, until an event of a kind comes."""
        for _ in range(PATIENCE_S):
            action()
            try:
                event = self._queue.get(timeout=1)
            except queue.Empty:
                continue
            if isinstance(event, kind):
                return event
        raise AssertionError(f"no {kind.__name__}")


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[PtyPort]:
    with PtyPort(CctalkWire(), tmp_path / "by-id-cctalk") as port:
        yield port


def line_on(path: str) -> CctalkLine:
    sorter = Sorter(hopper_path=1, cash_box_path=2, hopper_values_minor=frozenset((100,)))
    return CctalkLine(
        path,
        [CoinStation("coins", "EU", sorter=sorter), HopperStation("hopper", "EU", 100), NoteStation("notes", "EU")],
    )


def test_coins_notes_and_a_pay_out_on_one_wire(wire: PtyPort, heard: Heard) -> None:
    line = line_on(wire.path)
    coins, hopper, notes = line.coin_acceptor("coins"), line.hopper("hopper"), line.note_acceptor("notes")
    assert hopper.coin_value_minor == 100
    for device in (coins, hopper, notes):
        device.start(heard.sink, 0)
    try:
        assert {heard.wait(DeviceReady).device for _ in range(3)} == {"coins", "hopper", "notes"}
        notes.enable([2_000])
        coins.enable([100])
        hopper.pay("p1-1", 3)
        done = heard.wait(HopperDone)
        assert (done.paid_count, done.reason) == (3, "complete")
        wire.do("insert_note 2000")
        escrowed = heard.wait(NoteEscrowed)
        notes.stack(escrowed.escrow_id)
        stacked = heard.wait(NoteStacked)
        assert stacked.escrow_id == escrowed.escrow_id
        notes.confirm(stacked.key)
        wire.do("insert_coin 100")
        coin = heard.wait(CoinAccepted)
        assert (coin.value_minor, coin.to) == (100, "cash_box")
        coins.confirm(coin.key)
    finally:
        for device in (coins, hopper, notes):
            device.stop()


def test_the_cable_out_and_in_again(wire: PtyPort, heard: Heard) -> None:
    coins = line_on(wire.path).coin_acceptor("coins")
    coins.start(heard.sink, 0)
    try:
        heard.wait(DeviceReady)
        wire.unplug()
        heard.wait(DeviceLost)
        wire.plug()
        heard.wait(DeviceReady)
        coins.enable([200])
        assert heard.try_until(CoinAccepted, lambda: wire.do("insert_coin 200")).value_minor == 200
    finally:
        coins.stop()


def test_a_bill_through_an_id003_acceptor(tmp_path: Path, heard: Heard) -> None:
    with PtyPort(Id003Acceptor(), tmp_path / "by-id-id003") as port:
        notes = id003_note_acceptor("notes", port.path, "EUR")
        notes.start(heard.sink, 0)
        try:
            ready = heard.wait(DeviceReady)
            assert ready.info.denominations_minor == (500, 1_000, 2_000, 5_000, 10_000)
            notes.enable([500])
            escrowed = heard.try_until(NoteEscrowed, lambda: port.do("insert_note 500"))
            notes.stack(escrowed.escrow_id)
            stacked = heard.wait(NoteStacked)
            notes.confirm(stacked.key)
        finally:
            notes.stop()


def test_wiring_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(WiringError, match="none"):
        CctalkLine("/dev/null", [])
    with pytest.raises(WiringError, match="coins at 2, hopper at 2"):
        CctalkLine("/dev/null", [CoinStation("coins", "EU"), HopperStation("hopper", "EU", 100, address=2)])
    line = line_on("/dev/null")
    with pytest.raises(WiringError, match="no coin acceptor"):
        line.coin_acceptor("hopper")
    with pytest.raises(WiringError, match="no bill validator"):
        line.note_acceptor("coins")
    with pytest.raises(WiringError, match="no hopper"):
        line.hopper("notes")
    with pytest.raises(WiringError, match="no printer"):
        line.hopper("printer")
