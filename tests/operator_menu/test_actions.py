"""What can be done in the menu: periods, cash, tests, settings, PINs. What is done is recorded; no test moves money."""

from collections.abc import Callable

import pytest

from firmware.entries.keeping import PeriodClosed, SettingChanged
from firmware.entries.menu import MenuLevelChanged, NoteTested, PinEntered, RecallShown, TestStarted
from firmware.entries.types import CashBoxCollected, HopperRefilled
from firmware.settings.pin import hashed, is_pin
from firmware.terminal import decide_menu_acts
from firmware.terminal.menu import Act
from tests.operator_menu.operator import Operator
from tests.terminal.test_play_end_to_end import deal

PIN = hashed("4711", bytes(16))


def test_period_is_closed_after_a_question_and_its_figures_are_kept(busy: Operator) -> None:
    cabinet = busy.cabinet
    cabinet.insert_note(2_000)
    busy.open()
    busy.go("cash.period")
    busy.choose_act("close_period", None)
    assert len(busy.entries("period_closed")) == 1, "not before the question is answered"
    busy.confirm()
    assert busy.entries("period_closed") == [PeriodClosed(1, "operator"), PeriodClosed(2, "operator")]
    closed = cabinet.terminal.state.recorded.periods.history[-1]
    assert closed.meters["notes_in_minor"] == 2_000
    busy.go("cash.period")
    assert cabinet.books.meter("notes_in_minor") == 17_000, "master meters stay"


def test_no_answer_and_back_leave_everything_as_it_was(busy: Operator) -> None:
    busy.open()
    for way in ("page:row:1", "page:back"):
        busy.go("cash.period")
        busy.choose_act("close_period", None)
        busy.cabinet.touch(way)
        assert busy.menu.asked is None
        assert len(busy.entries("period_closed")) == 1


def test_cash_box_is_collected_by_the_books_and_saves_a_slip(busy: Operator) -> None:
    held = busy.cabinet.books.balance("cash.box")
    assert held > 0
    busy.open()
    busy.go("cash.collect")
    busy.choose_act("collect", None)
    busy.confirm()
    assert busy.entries("cash_box_collected") == [CashBoxCollected(1, held)]
    assert busy.cabinet.books.balance("cash.box") == 0
    saved = busy.entries("report_saved")
    assert len(saved) == 1


def test_refill_is_typed_confirmed_and_booked(busy: Operator) -> None:
    busy.open("attendant")
    busy.go("cash.refill")
    busy.type("250")
    busy.confirm()
    assert busy.entries("hopper_refilled") == [HopperRefilled(1, 250, 25_000)]


def test_nothing_typed_is_no_refill(busy: Operator) -> None:
    busy.open()
    busy.go("cash.refill")
    busy.type("0")
    busy.confirm()
    assert busy.entries("hopper_refilled") == []
    assert busy.view.notice is not None


def test_note_test_names_the_note_and_gives_it_back_without_credit(busy: Operator) -> None:
    cabinet = busy.cabinet
    meters, balances = dict(cabinet.books.meters), dict(cabinet.books.balances)
    cabinet.act(lambda world: world.open_door("main"))
    busy.open()
    busy.go("diagnostics.notes")
    cabinet.insert_note(2_000)
    cabinet.wait(2_000)
    assert busy.entries("note_tested") == [NoteTested(2_000)]
    assert cabinet.world.readings.mouth_minor == (2_000,)
    assert cabinet.view.credit_minor == 0
    assert dict(cabinet.books.balances) == balances
    moved = {name for name, value in cabinet.books.meters.items() if value != meters.get(name, 0)}
    assert {name for name in moved if not name.startswith(("door.", "fault."))} == set()
    busy.step("back", "touch")
    cabinet.wait(300)
    assert cabinet.world.readings.note_state == "disabled"


def test_lamps_are_tried_one_at_a_time_and_go_back_to_their_work(busy: Operator) -> None:
    cabinet = busy.cabinet
    cabinet.act(lambda world: world.open_door("main"))
    busy.open()
    busy.go("diagnostics.lamps")
    assert busy.entries("test_started") == [TestStarted("lamps", "operator")]
    for button in ("b3", "b12"):
        busy.choose_act("test", f"lamp:{button}")
        lit = {name for name, lamp in cabinet.world.readings.lamps if lamp != "off"}
        assert lit == {button}
    busy.choose_act("test", "tower:red")
    assert dict(cabinet.world.readings.tower) == {"white": "off", "red": "on"}
    busy.step("back", "buttons")
    assert dict(cabinet.world.readings.lamps)["b8"] == "on"


def test_pressed_buttons_are_shown_live_and_counted(busy: Operator) -> None:
    busy.open()
    busy.go("diagnostics.inputs")
    busy.cabinet.world.press("b5")
    busy.cabinet.wait(100)
    assert busy.menu.held == {"b5"}
    busy.cabinet.world.release("b5")
    busy.cabinet.wait(100)
    assert busy.menu.held == frozenset()
    assert busy.menu.presses["b5"] == 1


def test_touched_places_of_the_grid_are_remembered(busy: Operator) -> None:
    busy.open()
    busy.go("diagnostics.touch")
    busy.cabinet.touch("touch:3.2")
    assert busy.view.page is not None
    assert busy.view.page.touched == ("3.2",)


def test_recalled_round_is_drawn_by_the_table_step_by_step_and_recorded(busy: Operator) -> None:
    busy.open("attendant")
    busy.go("recall.round", "buttons")
    view = busy.view
    assert view.mode == "table"
    assert view.table is not None
    assert view.table.recall
    assert view.table.phase == "settled"
    assert busy.entries("recall_shown") == [RecallShown("r1-2", "attendant")]
    busy.step("up", "buttons")
    assert busy.view.table is not None
    assert busy.view.table.phase == "deciding"
    assert busy.view.table.dealer.cards[0].code == "" or busy.view.table.dealer.cards[1].code == ""
    busy.step("back", "buttons")
    assert busy.menu.page == "recall.rounds"


def test_out_of_service_stops_play_until_the_attendant_turns_the_key(operator: Operator) -> None:
    cabinet = operator.cabinet
    operator.open("attendant")
    operator.go("service.out")
    operator.choose_act("out_of_service", None)
    operator.confirm()
    operator.close()
    cabinet.expect_mode("tilt")
    cabinet.expect_faults("O1")
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_faults("O1")
    operator.open("attendant")
    cabinet.expect_faults()


def test_lock_up_page_clears_what_its_level_may_clear(operator: Operator) -> None:
    cabinet = operator.cabinet
    cabinet.act(lambda world: world.open_door("main"))
    operator.open()
    cabinet.act(lambda world: world.jam("coins"))
    cabinet.act(lambda world: world.clear_jam("coins"))
    cabinet.expect_faults("D1", "C1")
    operator.go("lockup")
    operator.choose_act("clear", None)
    cabinet.expect_faults("D1")


# --- settings ---------------------------------------------------------------------------------------------------------


def _open_setting(operator: Operator, key: str) -> None:
    operator.go(f"settings.{key.rpartition('.')[0].replace('.', '_')}")
    for row, act in sorted(operator.page.acts.items()):
        if getattr(act, "argument", "") == f"settings.one|{key}":
            operator.choose(row, "touch")
            return
    raise AssertionError(key)


def test_changed_setting_works_at_once_stays_over_a_restart_and_leaves_the_file(operator: Operator) -> None:
    cabinet = operator.cabinet
    operator.open("technician")
    _open_setting(operator, "limits.credit_limit_minor")
    operator.type("12000")
    operator.confirm()
    changed = SettingChanged("limits.credit_limit_minor", "1000000", "12000", "technician")
    assert operator.entries("setting_changed") == [changed]
    operator.close()
    cabinet.insert_note(10_000)
    cabinet.insert_note(5_000)
    cabinet.expect_credit(10_000)
    cabinet.cut_power()
    cabinet.boot()
    cabinet.wait(3_000)
    assert operator.entries("setting_changed") == [changed], "a restart does not find the file's value again"
    cabinet.insert_note(5_000)
    cabinet.expect_credit(10_000)
    cabinet.insert_note(2_000)
    cabinet.expect_credit(12_000)


def test_whether_money_is_taken_during_play_is_chosen_in_the_menu_and_works_at_once(operator: Operator) -> None:
    cabinet = operator.cabinet
    operator.open("technician")
    _open_setting(operator, "limits.money_during_play")
    operator.choose_act("set", "limits.money_during_play=false")
    operator.confirm()
    changed = SettingChanged("limits.money_during_play", "true", "false", "technician")
    assert operator.entries("setting_changed") == [changed]
    operator.close()
    deal(cabinet)
    cabinet.wait(300)
    assert cabinet.world.readings.note_state == "disabled"
    cabinet.press("raise")
    cabinet.wait(300)
    assert cabinet.world.readings.note_state != "disabled"


def test_value_beyond_its_range_is_refused_with_what_is_expected(operator: Operator) -> None:
    operator.open("technician")
    _open_setting(operator, "display.frames_per_second")
    operator.type("5")
    operator.confirm()
    assert operator.entries("setting_changed") == []
    notice = operator.view.notice
    assert notice is not None
    assert "15" in str(notice.text.args)


def test_set_up_options_have_nothing_to_choose(operator: Operator) -> None:
    operator.open("technician")
    for key in ("terminal.mode", "currency.code", "games.enabled", "terminal.seed"):
        _open_setting(operator, key)
        assert operator.page.acts == {}


def test_nothing_that_touches_money_changes_with_credit_on_the_meter(operator: Operator) -> None:
    operator.cabinet.insert_note(2_000)
    operator.open("technician")
    _open_setting(operator, "limits.large_win_minor")
    assert operator.page.acts == {}
    _open_setting(operator, "sound.volume_percent")
    operator.type("20")
    operator.confirm()
    assert operator.entries("setting_changed") == [SettingChanged("sound.volume_percent", "60", "20", "technician")]


def test_attendant_may_change_the_volume_but_no_limit(operator: Operator) -> None:
    operator.open("attendant")
    _open_setting(operator, "sound.volume_percent")
    operator.type("20")
    operator.confirm()
    assert len(operator.entries("setting_changed")) == 1
    _open_setting(operator, "limits.hopper_limit_minor")
    operator.type("20")
    operator.confirm()
    assert len(operator.entries("setting_changed")) == 1
    assert len(operator.entries("menu_refused")) == 1


# --- PINs -------------------------------------------------------------------------------------------------------------


def test_pin_raises_the_level_and_a_wrong_one_does_not(new_operator: Callable[..., Operator]) -> None:
    operator = new_operator(operator_pin=PIN)
    operator.open()
    assert (operator.menu.level, operator.menu.page) == ("attendant", "pin")
    operator.type("1234")
    assert operator.menu.level == "attendant"
    operator.type("4711")
    assert operator.menu.level == "operator"
    assert operator.entries("pin_entered") == [PinEntered("operator", False), PinEntered("operator", True)]
    assert operator.entries("menu_level_changed") == [MenuLevelChanged("operator", "pin")]
    assert all("4711" not in str(record.entry) for record in operator.cabinet.records())


def test_technician_may_have_a_pin_of_his_own(new_operator: Callable[..., Operator]) -> None:
    operator = new_operator(technician_pin=PIN)
    operator.open("technician")
    assert (operator.menu.level, operator.menu.page) == ("operator", "pin")
    operator.type("4711")
    assert operator.menu.level == "technician"


def test_three_wrong_pins_lock_out_also_over_a_power_cut(new_operator: Callable[..., Operator]) -> None:
    operator = new_operator(operator_pin=PIN)
    operator.open()
    for _ in range(3):
        operator.type("0000")
    operator.type("4711")
    assert operator.menu.level == "attendant"
    operator.close()
    operator.cabinet.cut_power()
    operator.cabinet.boot()
    operator.open()
    operator.type("4711")
    assert operator.menu.level == "attendant"
    assert len(operator.entries("pin_entered")) == 3, "a PIN that has to wait is not even looked at"
    operator.cabinet.wait(61_000)
    operator.go("pin")
    operator.type("4711")
    assert operator.menu.level == "operator"


def test_each_further_wrong_pin_waits_longer(new_operator: Callable[..., Operator]) -> None:
    operator = new_operator(operator_pin=PIN)
    operator.open()
    for _ in range(3):
        operator.type("0000")
    operator.cabinet.wait(61_000)
    operator.type("0000")
    operator.cabinet.wait(61_000)
    operator.type("4711")
    assert operator.menu.level == "attendant"
    operator.cabinet.wait(60_000)
    operator.type("4711")
    assert operator.menu.level == "operator"


def test_clock_set_back_does_not_shorten_the_wait(new_operator: Callable[..., Operator]) -> None:
    operator = new_operator(operator_pin=PIN)
    operator.open()
    for _ in range(3):
        operator.type("0000")
    clock = operator.cabinet.clock
    clock.set_wall(clock.wall_ms() - 3_600_000)
    operator.type("4711")
    assert operator.menu.level == "attendant"


@pytest.mark.parametrize("digits", ["", "123", "12a4", "1" * 13, "１２３４"])
def test_what_is_no_pin_is_refused(digits: str) -> None:
    with pytest.raises(ValueError, match="digits"):
        hashed(digits, bytes(16))


def test_pin_is_told_from_its_neighbours() -> None:
    assert is_pin("4711", PIN)
    assert not is_pin("4712", PIN)
    assert hashed("4711", bytes(15) + b"1") != PIN


@pytest.mark.parametrize(
    ("act", "level"),
    [
        (Act("set", "limits.large_win_minor=1"), "technician"),
        (Act("set", 'terminal.mode="demo"'), "technician"),
        (Act("set", "limits.large_win_minor=1"), "operator"),
        (Act("set", 'access.operator_pin="x"'), "operator"),
        (Act("collect"), "attendant"),
        (Act("close_period"), "attendant"),
        (Act("report", "all"), "attendant"),
        (Act("go", "cash.collect"), "attendant"),
        (Act("go", "diagnostics.notes"), "operator"),
        (Act("out_of_service"), "technician"),
    ],
)
def test_every_act_checks_for_itself_whatever_page_it_came_from(operator: Operator, act: Act, level: str) -> None:
    operator.cabinet.insert_note(2_000)
    operator.open(level)
    terminal = operator.cabinet.terminal
    step = decide_menu_acts.act(terminal.state, terminal.environment(), act)
    assert {entry.KIND for entry in step.entries} <= {"menu_refused"}
    assert step.effects == ()
    assert step.screen.notice is not None


@pytest.mark.parametrize("key", ["terminal.mode", "currency.minor_digits", "terminal.seed"])
def test_set_up_option_is_refused_to_a_technician_without_any_credit(operator: Operator, key: str) -> None:
    operator.open("technician")
    terminal = operator.cabinet.terminal
    step = decide_menu_acts.act(terminal.state, terminal.environment(), Act("set", f"{key}=1"))
    assert step.entries == ()
    assert step.screen.notice is not None
    assert "set-up" in step.screen.notice.text.message
