"""Byte-level ccTalk devices behind their real hosts: at every (re)connection their own counters agree with the journal,
or a fault says by how much they do not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.terminal import faults
from hal.emulators.base import Emulator
from hal.emulators.cctalk_coin import CctalkCoinAcceptor
from hal.emulators.cctalk_hopper import CctalkHopper
from hal.emulators.cctalk_line import CctalkAcceptor
from hal.emulators.cctalk_note import CctalkBillValidator
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_coin import CoinStation
from hal.wire.cctalk_hopper import HopperStation
from hal.wire.cctalk_note import NoteStation
from hal.wire.cctalk_station import Station
from tests.support.cabinet import settings_for
from tests.support.wired_cabinet import SerialLine, WiredCabinet

MONEY_MS = 4_000
CUTS = ("power", "program", "device", "line")
CODES = {"notes": faults.NOTE_COUNTER, "coins": faults.COIN_COUNTER, "hopper": faults.HOPPER_COUNTER}
LOST = {"notes": "B4", "coins": "C3"}


def line(kind: str, device: Emulator, station: Callable[[], Station]) -> SerialLine:
    return SerialLine(kind, device, lambda: CctalkBus([station()]))


class Bench:
    """A cabinet through whose three devices money has moved."""

    def __init__(self, folder: Path) -> None:
        self.lines = {
            "notes": line("notes", CctalkBillValidator(), lambda: NoteStation("notes", "EU")),
            "coins": line("coins", CctalkCoinAcceptor(), lambda: CoinStation("coins", "EU")),
            "hopper": line("hopper", CctalkHopper(), lambda: HopperStation("hopper", "EU", 100)),
        }
        self.cabinet = WiredCabinet(settings_for(folder), *self.lines.values())
        self.cabinet.boot()
        self.cabinet.wait(MONEY_MS)
        self.money_in()
        self.cabinet.press("cash_out")
        self.cabinet.wait(2 * MONEY_MS)
        assert self.known == {"notes": 1, "coins": 1, "hopper": 11}

    @property
    def known(self) -> dict[str, int]:
        """What the journal counts."""
        return {device: counter.count for device, counter in self.cabinet.terminal.state.recorded.counters.items()}

    def money_in(self) -> None:
        """A note of 10 and a coin of 1."""
        for kind, words in (("notes", "insert_note 1000"), ("coins", "insert_coin 100")):
            self.lines[kind].do(words)
            self.cabinet.wait(MONEY_MS)

    def plant(self, kind: str, count: int) -> None:
        """Make the device's lifetime counter another one."""
        device = self.lines[kind].device
        if isinstance(device, CctalkHopper):
            device._lifetime += count
        elif isinstance(device, CctalkAcceptor):
            device.accepted_count += count

    def cut(self, cut: str, kind: str, meanwhile: Callable[[], None] = lambda: None) -> None:
        """Cut, do something to the device while nobody listens to it, and come back."""
        cabinet, port = self.cabinet, self.lines[kind].port
        match cut:
            case "power" | "program":
                cabinet.cut_power() if cut == "power" else cabinet.kill()
                cabinet.wait(300)
                meanwhile()
                cabinet.boot()
            case "device":
                self.lines[kind].do("power_cut")
                cabinet.wait(4_000)
                meanwhile()
                self.lines[kind].do("power_on")
            case _:
                assert port is not None
                port.close()
                cabinet.wait(1_000)
                meanwhile()
                port.reopen()
        cabinet.wait(8_000)


@pytest.mark.parametrize("cut", CUTS)
def test_counters_agree_over_every_cut(tmp_path: Path, cut: str) -> None:
    bench = Bench(tmp_path)
    for kind in CODES:
        bench.cut(cut, kind)
        bench.cabinet.expect_faults()
    bench.money_in()
    assert bench.known == {"notes": 2, "coins": 2, "hopper": 11}
    bench.cabinet.expect_credit(1_100)


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("count", [1, -1])
@pytest.mark.parametrize("kind", CODES)
def test_a_counter_that_differs_is_one_fault_with_both_numbers_and_no_money(
    tmp_path: Path, kind: str, count: int, cut: str
) -> None:
    bench = Bench(tmp_path)
    known = bench.known[kind]
    bench.cut(cut, kind, lambda: bench.plant(kind, count))
    found = {fault.code: fault.detail for fault in bench.cabinet.terminal.state.recorded.faults}
    assert f"counted {known + count}, the journal {known}" in found[CODES[kind]]
    bench.cabinet.expect_credit(0)
    bench.cut(cut, kind)
    again = {fault.code: fault.detail for fault in bench.cabinet.terminal.state.recorded.faults}
    assert again == found, "one difference is one fault"


@pytest.mark.parametrize("cut", ["program", "line"])
@pytest.mark.parametrize("kind", ["notes", "coins"])
def test_events_that_nobody_saw_are_a_named_fault(tmp_path: Path, kind: str, cut: str) -> None:
    bench = Bench(tmp_path)
    device = bench.lines[kind].device
    assert isinstance(device, CctalkAcceptor)

    def go_on() -> None:
        for _ in range(7):  # two more than the buffer holds: what they were can't be known any more
            device.happen(0, 1)

    bench.cut(cut, kind, go_on)
    (found,) = bench.cabinet.terminal.state.recorded.faults
    assert (found.code, found.detail) == (LOST[kind], "2 events were not seen; compare the counters")
    bench.cabinet.expect_credit(0)
