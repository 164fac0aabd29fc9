"""Who gets into the menu, when, with what rights; and that nothing is changed by having been there."""

from dataclasses import replace

import pytest

from display.view_model import Money
from firmware.entries.menu import MenuClosed, MenuLevelChanged, MenuOpened
from firmware.ledger.books import Books
from firmware.ledger.self_audit import SelfAuditError
from firmware.terminal.menu import LOCK_UP
from firmware.terminal.state import Recorded, Screen
from hal.events import KeyChanged
from tests.operator_menu.operator import Operator


def test_operator_key_opens_the_menu_and_turning_it_back_closes_it(operator: Operator) -> None:
    before = operator.view
    operator.open()
    operator.cabinet.expect_mode("page")
    assert operator.menu.level == "operator"
    operator.close()
    assert operator.view.mode == before.mode
    assert operator.entries("menu_opened") == [MenuOpened("operator", "operator")]
    assert operator.entries("menu_closed") == [MenuClosed("operator", "key")]


def test_attendant_key_opens_the_attendants_level_when_there_is_nothing_to_clear(operator: Operator) -> None:
    operator.open("attendant")
    assert operator.menu.level == "attendant"


def test_attendant_key_clears_a_fault_first_and_opens_the_menu_at_the_next_turn(operator: Operator) -> None:
    cabinet = operator.cabinet
    cabinet.act(lambda world: world.jam("coins"))
    cabinet.act(lambda world: world.clear_jam("coins"))
    cabinet.expect_faults("C1")
    operator.open("attendant")
    cabinet.expect_faults()
    assert not operator.is_open
    operator.close()
    operator.open("attendant")
    assert operator.is_open


@pytest.mark.parametrize("door", ["main", "cash_box", "logic"])
def test_no_door_ever_opens_the_menu(operator: Operator, door: str) -> None:
    operator.cabinet.act(lambda world: world.open_door(door))
    assert not operator.is_open


def test_technician_needs_the_operator_key_and_the_logic_door(operator: Operator) -> None:
    operator.open("technician")
    assert operator.menu.level == "technician"
    assert operator.menu.page == LOCK_UP, "with a fault up the menu opens where it is explained"
    operator.cabinet.act(lambda world: world.close_door("logic"))
    assert operator.menu.level == "operator"
    assert operator.entries("menu_level_changed") == [MenuLevelChanged("operator", "door_closed")]


def test_menu_stays_shut_while_a_hand_is_open(operator: Operator) -> None:
    cabinet = operator.cabinet
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    operator.open()
    assert not operator.is_open
    assert operator.view.notice is not None
    cabinet.expect_mode("table")


def test_with_a_fault_up_the_menu_opens_over_an_open_hand_which_goes_on_afterwards(operator: Operator) -> None:
    cabinet = operator.cabinet
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.wait(3_000)
    hand = cabinet.cards(1)
    cabinet.act(lambda world: world.open_door("main"))
    operator.open()
    assert operator.is_open
    cabinet.act(lambda world: world.close_door("main"))
    operator.close()
    cabinet.expect_mode("table")
    assert cabinet.cards(1) == hand


def test_menu_stays_shut_while_the_hopper_pays(operator: Operator) -> None:
    cabinet = operator.cabinet
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    operator.open()
    assert not operator.is_open
    cabinet.expect_mode("cash_out")


def test_money_is_refused_in_the_menu(operator: Operator) -> None:
    operator.open()
    assert operator.cabinet.world.readings.note_state == "disabled"
    assert operator.cabinet.world.readings.coin_state == "disabled"
    assert not operator.view.accepts_money


def test_menu_closes_by_itself_after_two_minutes_without_anybody(operator: Operator) -> None:
    operator.open()
    operator.cabinet.wait(119_000)
    assert operator.is_open
    operator.step("down", "buttons")
    operator.cabinet.wait(119_000)
    operator.cabinet.expect_mode("page")
    operator.cabinet.wait(2_000)
    operator.cabinet.expect_mode("attract")
    assert operator.entries("menu_closed") == [MenuClosed("operator", "idle")]


def test_key_left_turned_over_a_restart_does_not_open_the_menu(operator: Operator) -> None:
    operator.open()
    operator.cabinet.cut_power()
    operator.cabinet.boot()
    assert not operator.is_open


def _kept(recorded: Recorded) -> Recorded:
    """What must not change: everything but the record of having been there."""
    return replace(recorded, chronicle=type(recorded.chronicle)(), last_at_ms=0)


def _shown(screen: Screen) -> Screen:
    return replace(screen, active_at_ms=0, sounds=(), sound_count=0, notice=None, clock_offset_ms=None)


def test_a_thousand_visits_leave_the_terminal_as_it_was(operator: Operator) -> None:
    cabinet = operator.cabinet
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    terminal = cabinet.terminal
    recorded, screen, view = _kept(terminal.state.recorded), _shown(terminal.state.screen), cabinet.view
    now_ms = cabinet.clock.monotonic_ms()
    for number in range(1_000):
        key = ("operator", "attendant")[number % 2]
        terminal.handle(KeyChanged("panel", now_ms, key, is_on=True))
        assert terminal.state.screen.menu is not None
        terminal.handle(KeyChanged("panel", now_ms, key, is_on=False))
    assert _kept(terminal.state.recorded) == recorded
    assert _shown(terminal.state.screen) == screen
    assert replace(cabinet.view, sounds=view.sounds, notice=view.notice) == view


def test_figures_can_be_read_while_the_program_has_locked_itself_up_and_nothing_is_recorded(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    cabinet = operator.cabinet
    cabinet.insert_note(2_000)
    books = cabinet.books
    monkeypatch.setattr(Books, "check", _wrong)
    cabinet.press("cash_out")
    cabinet.expect_mode("tilt")
    count = len(cabinet.records())
    operator.open()
    assert operator.menu.page == LOCK_UP
    operator.go("meters.notes")
    assert operator.view.page is not None
    assert operator.view.page.rows[0].value == Money(2_000)
    operator.go("cash.period")
    operator.choose_act("close_period", None)
    operator.confirm()
    assert operator.view.notice is not None
    operator.close()
    cabinet.expect_mode("tilt")
    assert cabinet.books == books
    assert len(cabinet.records()) == count


def _wrong(_: Books) -> None:
    raise SelfAuditError("planted")
