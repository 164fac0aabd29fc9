"""Trying the hardware in the menu: coins are counted as what they are, no test moves a player's money, all is recorded."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from display.view_model import Gesture
from firmware.entries.service import (
    ClockSet,
    CoinTested,
    HardMeterTested,
    HopperTestFinished,
    MemoryChecked,
    RandomTested,
)
from firmware.entries.types import CoinCredited, HopperRefilled
from firmware.ledger import accounts
from firmware.rng.source import RandomnessError
from firmware.system_clock import no_clock_here, set_system_clock
from firmware.terminal.decide_calibration import CROSSES
from firmware.terminal.outputs import BURN_IN_STEP_MS
from firmware.terminal.step import Tick
from tests.operator_menu.operator import Operator

CLAIMS = (accounts.CREDIT, accounts.STAKES, accounts.PAYOUT, accounts.HANDPAY, accounts.HOUSE, accounts.PLAYER)


def claims(operator: Operator) -> dict[str, int]:
    """Whose money is whose."""
    return {name: operator.cabinet.books.balance(name) for name in CLAIMS}


def serve(operator: Operator, page: str) -> None:
    """Open both doors and go to a page as a technician."""
    operator.cabinet.act(lambda world: world.open_door("main"))
    operator.open("technician")
    operator.go(page)


# --- hopper -------------------------------------------------------------------------------------------------------


def test_coins_of_a_hopper_test_leave_the_hopper_and_nobodys_credit(busy: Operator) -> None:
    cabinet, before = busy.cabinet, claims(busy)
    held, tray = cabinet.books.balance(accounts.HOPPER), cabinet.world.readings.tray_minor
    serve(busy, "diagnostics.hopper")
    busy.choose_act("test_hopper", "5")
    busy.confirm()
    cabinet.wait(2_000)
    (finished,) = busy.entries("hopper_test_finished")
    assert isinstance(finished, HopperTestFinished)
    assert (finished.paid_count, finished.reason) == (5, "complete")
    assert cabinet.world.readings.tray_minor == tray + 500
    assert cabinet.books.balance(accounts.HOPPER) == held - 500
    assert (cabinet.books.meter("hopper_test_coins"), cabinet.books.meter("hopper_test_minor")) == (5, 500)
    assert claims(busy) == before
    busy.go("cash.refill")
    busy.type("5")
    busy.confirm()
    assert busy.entries("hopper_refilled")[-1] == HopperRefilled(1, 5, 500)
    assert cabinet.books.balance(accounts.HOPPER) == held


@pytest.mark.parametrize("paid_before_ms", [0, 130, 300, 560])
def test_power_cut_in_a_hopper_test_counts_every_coin_that_left(busy: Operator, paid_before_ms: int) -> None:
    cabinet, before = busy.cabinet, claims(busy)
    held, tray = cabinet.books.balance(accounts.HOPPER), cabinet.world.readings.tray_minor
    serve(busy, "diagnostics.hopper")
    busy.choose_act("test_hopper", "10")
    assert busy.menu.asked is not None
    cabinet.terminal.handle(Gesture("page:row:2"))
    cabinet.wait(paid_before_ms)
    cabinet.cut_power()
    cabinet.boot()
    left = cabinet.world.readings.tray_minor - tray
    assert cabinet.terminal.state.recorded.hopper_test is None
    assert cabinet.books.balance(accounts.HOPPER) == held - left
    assert cabinet.books.meter("hopper_test_minor") == left
    assert claims(busy) == before
    cabinet.books.check()


def test_leaving_the_page_or_turning_the_key_back_stops_the_hopper(busy: Operator) -> None:
    cabinet = busy.cabinet
    serve(busy, "diagnostics.hopper")
    for by_key in (False, True):
        busy.go("diagnostics.hopper")
        busy.choose_act("test_hopper", "10")
        busy.confirm()
        if by_key:
            busy.close()
        else:
            busy.step("back", "touch")
        cabinet.wait(500)
        assert cabinet.terminal.state.recorded.hopper_test is None
    first, second = busy.entries("hopper_test_finished")
    assert isinstance(first, HopperTestFinished)
    assert isinstance(second, HopperTestFinished)
    assert first.reason == second.reason == "stopped"
    assert first.paid_count < 10
    assert cabinet.books.meter("hopper_test_coins") == first.paid_count + second.paid_count


def test_hopper_is_not_tried_with_credit_on_the_meter(busy: Operator) -> None:
    busy.cabinet.insert_note(2_000)
    serve(busy, "diagnostics.hopper")
    busy.choose_act("test_hopper", "1")
    busy.confirm()
    assert busy.entries("hopper_test_started") == []
    assert busy.view.notice is not None


def test_an_empty_hopper_ends_its_test_and_the_next_pay_out_is_whole(busy: Operator) -> None:
    cabinet = busy.cabinet
    cabinet.act(lambda world: world.set_hopper(3))
    serve(busy, "diagnostics.hopper")
    busy.choose_act("test_hopper", "10")
    busy.confirm()
    cabinet.wait(4_000)
    assert cabinet.books.meter("hopper_test_coins") == 3
    busy.close()
    cabinet.act(lambda world: world.set_hopper(100))
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(5_000)
    assert cabinet.view.credit_minor == 0
    cabinet.books.check()


# --- coins --------------------------------------------------------------------------------------------------------


def test_refused_coins_fall_through_and_are_counted_on_the_page_alone(busy: Operator) -> None:
    cabinet, meters = busy.cabinet, dict(busy.cabinet.books.meters)
    serve(busy, "diagnostics.coins")
    for _ in range(3):
        cabinet.insert_coin(100)
    assert sum(count for name, count in busy.menu.presses.items() if name.startswith("coin:")) == 3
    moved = {name for name, value in cabinet.books.meters.items() if value != meters.get(name, 0)}
    assert not {name for name in moved if not name.startswith(("door.", "fault."))}
    assert cabinet.view.credit_minor == 0


def test_coins_that_are_let_in_are_counted_and_are_nobodys_credit(busy: Operator) -> None:
    cabinet, before = busy.cabinet, claims(busy)
    held = cabinet.books.balance(accounts.HOPPER) + cabinet.books.balance(accounts.CASH_BOX)
    serve(busy, "diagnostics.coins")
    busy.choose_act("test", "coins:accept")
    cabinet.insert_coin(100)
    cabinet.insert_coin(200)
    tested = [entry for entry in busy.entries("coin_tested") if isinstance(entry, CoinTested)]
    assert [entry.amount_minor for entry in tested] == [100, 200]
    assert claims(busy) == before
    after = cabinet.books.balance(accounts.HOPPER) + cabinet.books.balance(accounts.CASH_BOX)
    assert after == held + 300
    assert cabinet.books.meter("coins_tested_minor") == 300
    cabinet.cut_power()
    cabinet.boot()
    assert cabinet.view.credit_minor == 0, "a repeat of the device is known"


def test_a_coin_that_comes_after_the_test_is_the_players(busy: Operator) -> None:
    cabinet = busy.cabinet
    count = len(busy.entries("coin_credited"))
    serve(busy, "diagnostics.coins")
    busy.choose_act("test", "coins:accept")
    cabinet.world.insert_coin(100)
    cabinet.terminal.handle(Gesture("page:back"))
    cabinet.wait(1_500)
    credited = busy.entries("coin_credited")
    assert len(credited) == count + 1
    assert isinstance(credited[-1], CoinCredited)
    assert cabinet.view.credit_minor == 100


def test_letting_coins_in_ends_by_itself(busy: Operator) -> None:
    serve(busy, "diagnostics.coins")
    busy.choose_act("test", "coins:accept")
    assert busy.cabinet.world.readings.coin_state != "disabled"
    busy.cabinet.wait(31_000)
    assert busy.cabinet.world.readings.coin_state == "disabled"
    assert busy.is_open


# --- lamps, meters, printer ---------------------------------------------------------------------------------------


def test_a_lamp_that_is_tried_goes_back_to_its_work_by_itself(busy: Operator) -> None:
    serve(busy, "diagnostics.lamps")
    busy.choose_act("test", "lamp:b3")
    busy.cabinet.wait(31_000)
    assert busy.menu.test == ""


def test_a_step_of_a_hard_meter_is_asked_for_and_counted_apart(busy: Operator) -> None:
    cabinet = busy.cabinet
    before = dict(cabinet.world.readings.meters)
    serve(busy, "diagnostics.meters")
    busy.choose_act("pulse_meter", "out")
    assert busy.entries("hard_meter_tested") == []
    busy.confirm()
    assert busy.entries("hard_meter_tested") == [HardMeterTested("out", 1, "technician")]
    assert dict(cabinet.world.readings.meters)["out"] == before["out"] + 1
    assert cabinet.books.meter("hard_meter_out_tests") == 1


def test_burn_in_lights_everything_by_turns_takes_no_money_and_lasts(busy: Operator) -> None:
    cabinet, books = busy.cabinet, busy.cabinet.books
    serve(busy, "diagnostics.burn_in")
    books = cabinet.books
    lit, shown = set(), set()
    for _ in range(14):
        cabinet.wait(BURN_IN_STEP_MS)
        lit |= {name for name, lamp in cabinet.world.readings.lamps if lamp != "off"}
        assert busy.view.page is not None
        shown.add(busy.view.page.pattern)
        assert cabinet.world.readings.note_state == "disabled"
    assert len(lit) == 12
    assert len(shown) == 7
    cabinet.wait(300_000)
    assert busy.menu.page == "diagnostics.burn_in", "it is meant to be left alone"
    busy.step("back", "buttons")
    assert cabinet.books == books


# --- memory and randomness ----------------------------------------------------------------------------------------


def test_copies_are_compared_on_demand_and_damage_is_named(busy: Operator) -> None:
    cabinet = busy.cabinet
    busy.open()
    busy.go("diagnostics.memory")
    busy.choose_act("check_memory", None)
    (first,) = busy.entries("memory_checked")
    assert isinstance(first, MemoryChecked)
    assert first.problems == ()
    assert first.seq >= 1
    data = cabinet.settings.storage.data_dir
    spare = data.parent / "spare"
    shutil.copytree(data, spare)
    service = cabinet.terminal._parts.service
    storage = service.file.storage.model_copy(update={"data_dir": spare})
    damaged = replace(service, file=service.file.model_copy(update={"storage": storage}))
    cabinet.terminal._parts = replace(cabinet.terminal._parts, service=damaged)
    _damage(spare / "journal.sqlite")
    busy.choose_act("check_memory", None)
    second = busy.entries("memory_checked")[-1]
    assert isinstance(second, MemoryChecked)
    assert second.problems


def _damage(path: Path) -> None:
    """Overwrite the middle of every page but the first."""
    for log in path.parent.glob("journal.sqlite-*"):
        log.unlink()
    data = bytearray(path.read_bytes())
    for at in range(4_096 + 200, len(data), 512):
        data[at] ^= 0xFF
    path.write_bytes(data)


def test_source_is_tested_on_demand_and_a_failure_stops_play(busy: Operator, mocker: MockerFixture) -> None:
    busy.open()
    busy.go("diagnostics.randomness")
    busy.choose_act("check_random", None)
    assert busy.entries("random_tested") == [RandomTested(65_536, "")]
    mocker.patch("firmware.menu_service.HealthTested.take", side_effect=RandomnessError("stuck bit"))
    busy.choose_act("check_random", None)
    assert busy.entries("random_tested")[-1] == RandomTested(65_536, "stuck bit")
    busy.cabinet.expect_faults("R1")


# --- clock --------------------------------------------------------------------------------------------------------


def test_clock_is_set_is_recorded_and_is_no_fault_and_the_order_stays(operator: Operator) -> None:
    cabinet = operator.cabinet
    operator.open()
    for digits in ("202701021530", "202501021530"):
        operator.go("service.clock")
        operator.type(digits)
        before = cabinet.clock.wall_ms()
        operator.confirm()
        cabinet.wait(1_000)
        done = operator.entries("clock_set")[-1]
        assert isinstance(done, ClockSet)
        assert (done.level, done.error) == ("operator", "")
        assert abs(done.before_ms - before) < 2_000
        assert operator.cabinet.terminal.environment().local_ms(done.after_ms) % 60_000 == 0
        assert abs(cabinet.clock.wall_ms() - done.after_ms) < 2_000
    cabinet.expect_faults()
    operator.close()
    assert [record.seq for record in cabinet.records()] == list(range(1, len(cabinet.records()) + 1))
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_faults()
    cabinet.books.check()


def test_a_tick_between_the_setting_and_its_result_is_no_fault(operator: Operator) -> None:
    cabinet = operator.cabinet
    jobs: list[Callable[[], None]] = []

    def set_clock(wall_ms: int) -> str:
        cabinet.clock.set_wall(wall_ms)
        cabinet.terminal.handle(Tick())
        return ""

    parts = cabinet.terminal._parts
    service = replace(parts.service, set_clock=set_clock, background=jobs.append)
    cabinet.terminal._parts = replace(parts, service=service)
    operator.open()
    operator.go("service.clock")
    operator.choose_act("shift_clock", "3600")
    operator.confirm()
    jobs.pop()()
    cabinet.wait(500)
    assert len(operator.entries("clock_set")) == 1
    cabinet.expect_faults()


@pytest.mark.parametrize("digits", ["", "2026", "202613012359", "202602300000", "202601012460"])
def test_what_is_no_time_is_refused(operator: Operator, digits: str) -> None:
    operator.open()
    operator.go("service.clock")
    before = operator.cabinet.clock.wall_ms()
    operator.type(digits)
    operator.confirm()
    assert operator.entries("clock_set") == []
    assert operator.cabinet.clock.wall_ms() - before < 10_000


def test_clock_that_jumps_by_itself_is_still_a_fault(operator: Operator) -> None:
    operator.cabinet.clock.set_wall(operator.cabinet.clock.wall_ms() + 3_600_000)
    operator.cabinet.wait(500)
    operator.cabinet.expect_faults("S3")


def test_a_clock_that_may_not_be_set_says_so_and_is_recorded(operator: Operator) -> None:
    cabinet = operator.cabinet
    parts = cabinet.terminal._parts
    cabinet.terminal._parts = replace(parts, service=replace(parts.service, set_clock=no_clock_here))
    operator.open()
    operator.go("service.clock")
    operator.choose_act("shift_clock", "3600")
    operator.confirm()
    (done,) = operator.entries("clock_set")
    assert isinstance(done, ClockSet)
    assert "simulator" in done.error
    assert operator.view.notice is not None


def test_setting_the_systems_clock_without_the_right_names_both_ways(mocker: MockerFixture) -> None:
    mocker.patch("time.clock_settime_ns", side_effect=PermissionError)
    mocker.patch("subprocess.run", side_effect=FileNotFoundError)
    assert "CAP_SYS_TIME" in set_system_clock(1_800_000_000_000)
    done = mocker.Mock(
        returncode=1, stderr="Failed to set time: Automatic time synchronization is enabled\n", stdout=""
    )
    run = mocker.patch("subprocess.run", return_value=done)
    assert "Automatic time synchronization" in set_system_clock(1_800_000_000_000)
    assert run.call_args.args[0][-1] == "2027-01-15 08:00:00 UTC"
    run.return_value = mocker.Mock(returncode=0)
    assert set_system_clock(1_800_000_000_000) == ""


# --- touch --------------------------------------------------------------------------------------------------------


def test_calibration_is_measured_kept_as_a_setting_and_on_the_screen_at_once(operator: Operator) -> None:
    cabinet = operator.cabinet
    operator.open("attendant")
    operator.go("diagnostics.calibrate")
    for x, y in CROSSES:
        assert operator.view.page is not None
        assert operator.view.page.pattern == f"cross:{x}.{y}"
        assert operator.view.touch_ppm == ()
        wanted_x, wanted_y = x * 1_000_000 // 1_920, y * 1_000_000 // 1_080
        cabinet.touch(f"touch:cross:{wanted_x * 9 // 10 + 20_000}.{wanted_y + 30_000}.{wanted_x}.{wanted_y}")
    operator.choose_act("keep_calibration", None)
    kept = json.loads(cabinet.terminal.state.recorded.settings["display.touch_ppm"])
    assert [round(part / 1_000) for part in kept] == [1_111, 0, -22, 0, 1_000, -30]
    operator.close()
    assert cabinet.view.touch_ppm == tuple(kept)
    cabinet.cut_power()
    cabinet.boot()
    assert cabinet.view.touch_ppm == tuple(kept)


def test_touches_on_one_line_give_no_calibration(operator: Operator) -> None:
    operator.open("attendant")
    operator.go("diagnostics.calibrate")
    for _ in CROSSES:
        operator.cabinet.touch("touch:cross:500000.500000.500000.500000")
    assert not any(getattr(act, "name", "") == "keep_calibration" for act in operator.page.acts.values())
    operator.choose_act("calibrate_again", None)
    assert operator.menu.points == ()
