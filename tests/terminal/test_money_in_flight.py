"""Money in flight: what the plug, a jam, a lost event or a full meter may do to a note, a coin or a pay-out."""

from collections.abc import Callable

import pytest
from pytest_mock import MockerFixture

from firmware.entries.types import NoteCredited
from hal.events import DeviceInfo, DeviceReady, FormerNote, NoteReport
from tests.support.cabinet import CabinetUnderTest

STEPS_MS = (0, 100, 250, 320, 400, 600, 720, 900)


@pytest.mark.parametrize("after_ms", STEPS_MS)
@pytest.mark.parametrize("fate", [None, "returned", "stacked", "lost"])
def test_note_is_credited_once_or_returned_or_a_named_fault_wherever_the_power_goes(
    cabinet: CabinetUnderTest, after_ms: int, fate: str | None
) -> None:
    cabinet.act(lambda world: world.insert_note(2_000), wait_ms=after_ms)
    moving = cabinet.world.readings.note_state in ("escrow", "stacking", "returning")
    cabinet.cut_power(fate if moving else None)
    cabinet.boot()
    cabinet.wait(3_000)
    credit, readings = cabinet.view.credit_minor, cabinet.world.readings
    if cabinet.fault_codes:
        assert cabinet.fault_codes == ("B4",)
        assert "2000" in cabinet.terminal.state.recorded.faults[0].detail
        assert credit == 0
    else:
        assert (credit, readings.cash_box_minor, sum(readings.mouth_minor)) in ((2_000, 2_000, 0), (0, 0, 2_000))
    assert cabinet.terminal.state.recorded.note is None


@pytest.mark.parametrize("after_ms", STEPS_MS)
def test_program_that_dies_while_a_note_moves_credits_it_once(cabinet: CabinetUnderTest, after_ms: int) -> None:
    cabinet.act(lambda world: world.insert_note(2_000), wait_ms=after_ms)
    cabinet.kill()
    cabinet.wait(2_000)
    cabinet.boot()
    cabinet.wait(12_000)
    readings = cabinet.world.readings
    cabinet.expect_faults()
    assert (cabinet.view.credit_minor, readings.cash_box_minor, sum(readings.mouth_minor)) in (
        (2_000, 2_000, 0),
        (0, 0, 2_000),
    )


def former_note_after(cabinet: CabinetUnderTest, escrow_id: str | None) -> FormerNote:
    """Order a note into the cash box and let an acceptor say, as after a restart, that it awaits a confirmation."""
    cabinet.act(lambda world: world.insert_note(2_000), wait_ms=0)
    while cabinet.terminal.state.recorded.note is None:
        cabinet.wait(10)
    former = FormerNote("SIM-NOTES:1:900", escrow_id or cabinet.terminal.state.recorded.note.escrow_id)
    say_former(cabinet, former)
    return former


def say_former(cabinet: CabinetUnderTest, former: FormerNote) -> None:
    report = NoteReport(former=former)
    cabinet.terminal.handle(DeviceReady("notes", cabinet.clock.monotonic_ms(), DeviceInfo(), report))


def test_note_of_the_order_in_the_journal_that_awaits_its_confirmation_is_credited_once_and_confirmed_after_it(
    cabinet: CabinetUnderTest, mocker: MockerFixture
) -> None:
    seen: list[tuple[str, int]] = []
    mocker.patch.object(
        cabinet.world.notes, "confirm", lambda key: seen.append((key, cabinet.terminal.state.recorded.credit_minor))
    )
    former = former_note_after(cabinet, None)
    assert cabinet.terminal.state.recorded.note is None
    say_former(cabinet, former)
    cabinet.expect_credit(2_000)
    cabinet.expect_faults()
    assert seen == [(former.key, 2_000)] * 2
    assert [r.entry.key for r in cabinet.records() if isinstance(r.entry, NoteCredited)] == [former.key]


def test_note_that_awaits_its_confirmation_without_an_order_in_the_journal_is_a_fault_and_no_credit(
    cabinet: CabinetUnderTest, mocker: MockerFixture
) -> None:
    confirm = mocker.patch.object(cabinet.world.notes, "confirm")
    former_note_after(cabinet, "ANOTHER:0:escrow:4")
    assert cabinet.fault_codes == ("B4",)
    detail = cabinet.terminal.state.recorded.faults[0].detail
    assert "stacked ANOTHER:0:escrow:4" in detail
    assert "2000" in detail
    assert cabinet.terminal.state.recorded.note is None
    assert cabinet.view.credit_minor == 0
    confirm.assert_called_once_with("SIM-NOTES:1:900")


def test_note_stacked_twice_credits_once(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    (credited,) = [r.entry for r in cabinet.records() if r.entry.KIND == "note_credited"]
    for _ in range(3):
        cabinet.post_again(credited)
    cabinet.expect_credit(2_000)
    cabinet.expect_faults()


def test_coins_are_credited_by_value_and_go_to_the_hopper(cabinet: CabinetUnderTest) -> None:
    before = cabinet.world.readings.hopper_coin_count
    cabinet.insert_coin(100)
    cabinet.insert_coin(50)
    cabinet.expect_credit(150)
    assert cabinet.books.meter("coins.100.count") == 1
    assert cabinet.world.readings.hopper_coin_count == before + 1


def test_note_above_the_credit_limit_is_given_back(new_cabinet: Callable[..., CabinetUnderTest]) -> None:
    cabinet = new_cabinet(credit_limit_minor=10_000)
    cabinet.insert_note(5_000)
    cabinet.insert_note(10_000)
    cabinet.expect_credit(5_000)
    assert cabinet.world.readings.mouth_minor == (10_000,)
    cabinet.act(lambda world: world.take_returned())
    cabinet.insert_note(5_000)
    cabinet.expect_credit(10_000)
    assert cabinet.world.readings.note_state == "disabled"


@pytest.mark.parametrize("door", ["main", "cash_box", "logic"])
def test_open_door_stops_money_play_and_cash_out_until_it_closes(cabinet: CabinetUnderTest, door: str) -> None:
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.act(lambda world: world.open_door(door))
    cabinet.expect_mode("tilt")
    cabinet.insert_note(1_000)
    cabinet.expect_credit(2_000)
    cabinet.touch("button:deal")
    cabinet.touch("button:cash_out")
    cabinet.expect_credit(2_000)
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_mode("tilt")
    cabinet.act(lambda world: world.close_door(door))
    cabinet.expect_faults()
    cabinet.expect_credit(2_000)


def test_door_opened_in_mid_hand_leaves_the_hand_as_it_was(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    hand = cabinet.cards(1)
    cabinet.act(lambda world: world.open_door("main"))
    cabinet.touch("button:raise")
    cabinet.expect_credit(1_500)
    cabinet.act(lambda world: world.close_door("main"))
    cabinet.expect_mode("table")
    assert cabinet.cards(1) == hand
    cabinet.press("raise")


@pytest.mark.parametrize("after_ms", [0, 60, 130, 250, 500, 900, 1_500, 2_400, 2_600])
def test_pay_out_interrupted_by_the_plug_is_paid_to_the_coin(cabinet: CabinetUnderTest, after_ms: int) -> None:
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(after_ms)
    cabinet.cut_power()
    cabinet.boot()
    cabinet.wait(12_000)
    paid = cabinet.world.readings.tray_minor
    if paid < 2_000:
        cabinet.expect_mode("handpay")
    assert cabinet.books.handpay_minor == 2_000 - paid
    cabinet.expect_credit(0)
    cabinet.conserve()
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.act(lambda world: world.turn_back_key("attendant"))
    cabinet.expect_mode("attract")
    assert cabinet.books.meter("handpaid_minor") == 2_000 - paid


@pytest.mark.parametrize("after_ms", [0, 130, 900, 2_400])
def test_program_that_dies_while_coins_fall_counts_them_all(cabinet: CabinetUnderTest, after_ms: int) -> None:
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(after_ms)
    cabinet.kill()
    cabinet.wait(1_000)
    cabinet.boot()
    cabinet.wait(8_000)
    assert cabinet.books.handpay_minor == 2_000 - cabinet.world.readings.tray_minor
    cabinet.conserve()


def test_hopper_that_runs_empty_leaves_the_rest_to_the_attendant(cabinet: CabinetUnderTest) -> None:
    cabinet.act(lambda world: world.set_hopper(7))
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(8_000)
    cabinet.expect_mode("handpay")
    assert cabinet.books.handpay_minor == 1_300
    assert "H1" in cabinet.fault_codes
    cabinet.conserve()


def test_jammed_hopper_is_named_and_cleared_by_the_key_after_the_jam(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(400)
    cabinet.act(lambda world: world.jam("hopper"))
    cabinet.wait(8_000)
    cabinet.expect_mode("handpay")
    assert "H2" in cabinet.fault_codes
    cabinet.act(lambda world: world.clear_jam("hopper"))
    cabinet.act(lambda world: world.turn_key("attendant"))
    assert "H2" not in cabinet.fault_codes
    cabinet.expect_mode("handpay")  # one turn does one thing
    cabinet.act(lambda world: world.turn_back_key("attendant"))
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.expect_mode("attract")
    cabinet.conserve()


def test_key_left_turned_pays_nothing_by_itself_after_a_power_cut(cabinet: CabinetUnderTest) -> None:
    cabinet.act(lambda world: world.set_hopper(0))
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.act(lambda world: world.turn_back_key("attendant"))
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(2_000)
    cabinet.expect_mode("handpay")
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_mode("handpay")
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.expect_mode("attract")
    cabinet.cut_power()
    cabinet.boot()
    assert cabinet.books.meter("handpaid_minor") == 2_000


def test_hopper_that_never_answers_after_the_start_becomes_a_handpay_and_a_fault(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(500)
    cabinet.cut_power()
    cabinet.world.unplug("hopper")
    cabinet.boot()
    cabinet.wait(12_000)
    assert "H4" in cabinet.fault_codes
    counted = cabinet.books.meter("hopper_paid_minor")
    assert cabinet.books.handpay_minor == 2_000 - counted


@pytest.mark.parametrize("after_ms", [60, 500, 1_500, 2_400])
@pytest.mark.parametrize("away_ms", [100, 1_500, 8_000])
def test_hopper_whose_cable_comes_off_for_a_moment_is_paid_to_the_coin(
    cabinet: CabinetUnderTest, after_ms: int, away_ms: int
) -> None:
    cabinet.wait(20_000)
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(after_ms)
    cabinet.act(lambda world: world.unplug("hopper"), wait_ms=away_ms)
    cabinet.act(lambda world: world.plug("hopper"), wait_ms=10_000)
    assert "H4" not in cabinet.fault_codes
    assert cabinet.books.handpay_minor == 2_000 - cabinet.world.readings.tray_minor
    cabinet.conserve()


def test_hopper_that_is_lost_while_it_pays_and_stays_away_becomes_a_handpay_and_a_fault(
    cabinet: CabinetUnderTest,
) -> None:
    cabinet.wait(20_000)
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(500)
    cabinet.act(lambda world: world.unplug("hopper"), wait_ms=9_000)
    assert cabinet.fault_codes == ("H5",)
    cabinet.wait(2_000)
    assert "H4" in cabinet.fault_codes
    assert cabinet.books.handpay_minor == 2_000 - cabinet.books.meter("hopper_paid_minor")


def test_large_win_locks_until_the_attendant_and_over_a_power_cut(
    new_cabinet: Callable[..., CabinetUnderTest],
) -> None:
    cabinet = new_cabinet(large_win_minor=1_000)
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(3, "ante", 500)
    cabinet.lay("As 9c Ah 9d 4h 2s 8h Jc Tc Kd 7s")
    cabinet.press("deal")
    cabinet.press("raise")
    cabinet.expect_faults("W1")
    cabinet.press_if_there("deal")
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_faults("W1")
    cabinet.expect_credit(3_500)
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.expect_faults()


def test_clock_set_back_is_noticed_and_order_stays_by_number(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    year_ms = 365 * 86_400_000
    cabinet.clock.set_wall(cabinet.clock.wall_ms() - year_ms)
    cabinet.wait(500)
    cabinet.expect_faults("S2")
    cabinet.insert_note(1_000)
    cabinet.expect_credit(3_000)
    numbers = [record.seq for record in cabinet.records()]
    assert numbers == list(range(1, len(numbers) + 1))


def test_removed_cash_box_stops_everything_until_it_is_back(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.act(lambda world: world.open_door("cash_box"))
    cabinet.act(lambda world: world.remove_cash_box())
    assert set(cabinet.fault_codes) == {"D2", "B3"}
    cabinet.act(lambda world: world.insert_cash_box())
    cabinet.act(lambda world: world.close_door("cash_box"), wait_ms=3_000)
    cabinet.expect_faults()


def test_unplugged_acceptor_is_named_and_comes_back_by_itself(cabinet: CabinetUnderTest) -> None:
    cabinet.act(lambda world: world.unplug("notes"), wait_ms=3_000)
    assert "B6" in cabinet.fault_codes
    cabinet.act(lambda world: world.plug("notes"), wait_ms=3_000)
    cabinet.expect_faults()
    cabinet.insert_note(2_000)
    cabinet.expect_credit(2_000)
