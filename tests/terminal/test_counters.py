"""Devices' own counters against the journal at every (re)connection: equal, settled exactly, or a fault with both numbers."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from firmware.entries.keeping import CounterRead
from firmware.terminal import faults
from firmware.terminal.state import State
from hal.events import DeviceFault, DeviceInfo, DeviceReady, HopperReport, NoteReport
from tests.support.cabinet import CabinetUnderTest

Plant = Callable[[CabinetUnderTest, int], None]


def plant_notes(cabinet: CabinetUnderTest, count: int) -> None:
    cabinet.world.notes._state.stacked_count += count


def plant_coins(cabinet: CabinetUnderTest, count: int) -> None:
    cabinet.world.coins._state.accepted_count += count


def plant_hopper(cabinet: CabinetUnderTest, count: int) -> None:
    cabinet.world.hopper._state.dispensed_count += count


PLANTS = {
    faults.NOTE_COUNTER: ("notes", plant_notes),
    faults.COIN_COUNTER: ("coins", plant_coins),
    faults.HOPPER_COUNTER: ("hopper", plant_hopper),
}


def busy(cabinet: CabinetUnderTest) -> None:
    """Money in by both acceptors, and out by the hopper."""
    cabinet.insert_note(2_000)
    cabinet.insert_coin(100)
    cabinet.press("cash_out")
    cabinet.wait(30_000)
    cabinet.act(lambda world: world.take_tray())
    cabinet.insert_note(2_000)


def counters(cabinet: CabinetUnderTest) -> list[CounterRead]:
    return [record.entry for record in cabinet.records() if isinstance(record.entry, CounterRead)]


def test_counters_that_agree_are_read_once_and_raise_nothing(cabinet: CabinetUnderTest) -> None:
    for _ in range(3):
        busy(cabinet)
        cabinet.cut_power()
        cabinet.boot()
        cabinet.wait(3_000)
        cabinet.expect_faults()
    assert {entry.device for entry in counters(cabinet)} == {"notes", "coins", "hopper"}
    assert len(counters(cabinet)) == 3


@pytest.mark.parametrize("code", PLANTS)
@pytest.mark.parametrize("count", [1, -1])
@pytest.mark.parametrize("how", ["power", "plug"])
def test_counter_that_differs_is_a_fault_of_its_own_with_both_numbers_once(
    cabinet: CabinetUnderTest, code: str, count: int, how: str
) -> None:
    device, plant = PLANTS[code]
    busy(cabinet)
    known = cabinet.terminal.state.recorded.counters[device].count
    credit = cabinet.view.credit_minor
    if how == "power":
        cabinet.cut_power()
        plant(cabinet, count)
        cabinet.boot()
    else:
        cabinet.act(lambda world: world.unplug(device), wait_ms=3_000)
        plant(cabinet, count)
        cabinet.act(lambda world: world.plug(device))
    cabinet.wait(3_000)
    cabinet.expect_faults(code)
    detail = cabinet.terminal.state.recorded.faults[0].detail
    assert f"counted {known + count}" in detail
    assert f"journal {known}" in detail
    cabinet.expect_credit(credit)
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.act(lambda world: world.turn_back_key("attendant"))
    cabinet.expect_faults()
    cabinet.cut_power()
    cabinet.boot()
    cabinet.wait(3_000)
    cabinet.expect_faults()


def test_counter_of_three_bytes_begins_anew_after_its_largest_number(cabinet: CabinetUnderTest) -> None:
    state: State = cabinet.terminal._state
    known = {**state.recorded.counters, "notes": replace(state.recorded.counters["notes"], count=(1 << 24) - 1)}
    cabinet.terminal._state = replace(state, recorded=replace(state.recorded, counters=known))
    cabinet.insert_note(2_000)
    serial = state.recorded.counters["notes"].serial
    cabinet.terminal.handle(ready(cabinet, "notes", serial, NoteReport(stacked_count=0)))
    cabinet.expect_faults()


def test_another_device_is_counted_from_where_it_stands(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.terminal.handle(ready(cabinet, "notes", "ANOTHER", NoteReport(stacked_count=9_000)))
    cabinet.expect_faults()
    assert counters(cabinet)[-1] == CounterRead("notes", "ANOTHER", 9_000)


@pytest.mark.parametrize(("more", "credit"), [(1, 2_000), (0, 0), (2, 0), (-1, 0)])
def test_note_of_which_the_acceptor_can_not_tell_is_credited_only_if_exactly_one_more_was_counted(
    cabinet: CabinetUnderTest, more: int, credit: int
) -> None:
    cabinet.act(lambda world: world.insert_note(2_000), wait_ms=0)
    while cabinet.terminal.state.recorded.note is None:
        cabinet.wait(10)
    counter = cabinet.terminal.state.recorded.counters["notes"]
    report = NoteReport(stacked_count=counter.count + more, uncertain=True)
    cabinet.terminal.handle(ready(cabinet, "notes", counter.serial, report))
    assert cabinet.books.credit_minor == credit
    recorded = cabinet.terminal.state.recorded
    assert recorded.note is None
    if credit:
        cabinet.expect_faults()
    else:
        assert cabinet.fault_codes == (faults.NOTE_UNCERTAIN,)
        assert f"counted {counter.count + more} notes, the journal {counter.count}" in recorded.faults[0].detail


@pytest.mark.parametrize("more", [-1, 0, 3, 18, 25])
def test_pay_out_that_the_hopper_has_forgotten_is_settled_by_its_counter_or_named(
    cabinet: CabinetUnderTest, more: int
) -> None:
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    payout, counter = cabinet.terminal.state.recorded.payout, cabinet.terminal.state.recorded.counters["hopper"]
    assert payout is not None
    assert payout.started.hopper_coin_count == 20
    before = payout.paid_count
    assert before < 3
    cabinet.terminal.handle(
        ready(cabinet, "hopper", counter.serial, HopperReport(dispensed_count=counter.count + more))
    )
    paid = cabinet.books.meter("hopper_paid_minor")
    if 0 <= more <= 18:
        cabinet.expect_faults()
        assert paid == (before + more) * 100
        assert cabinet.books.handpay_minor == 2_000 - paid
        assert cabinet.terminal.state.recorded.counters["hopper"].count == counter.count + more
    else:
        assert faults.HOPPER_UNCERTAIN in cabinet.fault_codes
        assert f"counted {counter.count + more}, the journal {counter.count}" in (
            cabinet.terminal.state.recorded.faults[0].detail
        )
        assert paid == before * 100


UNCOUNTED = {
    "B4": (faults.NOTE_COUNTER, "unknown_money"),
    "C3": (faults.COIN_COUNTER, "unknown_money"),
    "H4": (faults.HOPPER_COUNTER, "unknown_money"),
}
"""By the fault that says already that money moved uncounted: the fault of the counter, and what the device says."""


def settle(cabinet: CabinetUnderTest) -> None:
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.act(lambda world: world.turn_back_key("attendant"))
    cabinet.expect_faults()


def start_again(cabinet: CabinetUnderTest) -> None:
    cabinet.cut_power()
    cabinet.boot()
    cabinet.wait(3_000)


@pytest.mark.parametrize("code", UNCOUNTED)
@pytest.mark.parametrize("is_read_before", [False, True])
def test_difference_is_explained_by_a_fault_that_stands_and_by_none_that_was_dealt_with(
    cabinet: CabinetUnderTest, code: str, is_read_before: bool
) -> None:
    counter_code, condition = UNCOUNTED[code]
    device, plant = PLANTS[counter_code]
    busy(cabinet)
    known = cabinet.terminal.state.recorded.counters[device].count
    readings = len(counters(cabinet))
    plant(cabinet, 1)
    now_ms = cabinet.clock.monotonic_ms()
    cabinet.terminal.handle(DeviceFault(device, now_ms, condition))
    cabinet.terminal.handle(DeviceFault(device, now_ms, condition, is_up=False))
    cabinet.expect_faults(code)
    if is_read_before:
        start_again(cabinet)
        cabinet.expect_faults(code)
        settle(cabinet)
    else:
        settle(cabinet)
        start_again(cabinet)
        cabinet.expect_faults(counter_code)  # a coin that fell in a power cut must not hide behind an older one
        settle(cabinet)
    assert [(each.device, each.count) for each in counters(cabinet)[readings:]] == [(device, known + 1)]
    start_again(cabinet)
    cabinet.expect_faults()
    assert len(counters(cabinet)) == readings + 1
    plant(cabinet, 1)
    start_again(cabinet)
    cabinet.expect_faults(counter_code)


def test_no_note_is_credited_by_a_counter_that_a_fault_has_put_in_doubt(cabinet: CabinetUnderTest) -> None:
    now_ms = cabinet.clock.monotonic_ms()
    cabinet.terminal.handle(DeviceFault("notes", now_ms, "unknown_money"))
    cabinet.terminal.handle(DeviceFault("notes", now_ms, "unknown_money", is_up=False))
    settle(cabinet)
    cabinet.act(lambda world: world.insert_note(2_000), wait_ms=0)
    while cabinet.terminal.state.recorded.note is None:
        cabinet.wait(10)
    counter = cabinet.terminal.state.recorded.counters["notes"]
    report = NoteReport(stacked_count=counter.count + 1, uncertain=True)
    cabinet.terminal.handle(ready(cabinet, "notes", counter.serial, report))
    cabinet.expect_credit(0)
    assert cabinet.fault_codes == (faults.NOTE_UNCERTAIN,)


def ready(cabinet: CabinetUnderTest, device: str, serial: str, report: NoteReport | HopperReport) -> DeviceReady:
    return DeviceReady(device, cabinet.clock.monotonic_ms(), DeviceInfo(serial=serial), report)
