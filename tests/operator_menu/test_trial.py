"""Test games: the whole play with money that is not there. No meter moves, every screen is marked, all is as before."""

import random
from dataclasses import replace

import pytest

from display.view_model import Gesture
from firmware.presenter.trial import TRIAL_MARK
from firmware.terminal.state import Recorded, Screen
from firmware.terminal.trial import PAGE
from hal.events import ButtonPressed
from tests.operator_menu.operator import Operator


def kept(recorded: Recorded) -> Recorded:
    """What must not change: everything but the record of having been there."""
    return replace(recorded, chronicle=type(recorded.chronicle)(), last_at_ms=0)


def shown(screen: Screen) -> Screen:
    return replace(screen, active_at_ms=0, sounds=(), sound_count=0, notice=None, clock_offset_ms=None)


def play_a_hand(operator: Operator, game: str = "oasis") -> None:
    cabinet = operator.cabinet
    if cabinet.view.mode == "lobby":
        cabinet.touch(f"lobby:{game}")
    cabinet.bet(1, "ante", 500)
    cabinet.touch("button:deal")
    cabinet.wait(3_000)
    if any(button.id == "button:fold" for button in cabinet.view.buttons):
        cabinet.touch("button:fold")
    cabinet.wait(3_000)


def test_a_played_test_game_leaves_the_terminal_exactly_as_it_was(busy: Operator) -> None:
    cabinet = busy.cabinet
    cabinet.insert_note(2_000)
    cabinet.sit_down("oasis")
    before, screen = kept(cabinet.terminal.state.recorded), shown(cabinet.terminal.state.screen)
    view, count = cabinet.view, len(cabinet.records())
    busy.open()
    busy.go(PAGE)
    cabinet.expect_mode("lobby")
    for _ in range(3):
        play_a_hand(busy)
        assert cabinet.view.watermark == TRIAL_MARK
        assert not cabinet.view.accepts_money
    assert cabinet.view.table is not None
    assert cabinet.view.credit_minor != 2_000
    cabinet.press("b12")
    assert busy.menu.page == "diagnostics"
    busy.close()
    after = cabinet.terminal.state
    assert kept(replace(after.recorded, keys_on=before.keys_on)) == before
    assert shown(after.screen) == screen
    assert replace(cabinet.view, sounds=view.sounds, notice=view.notice, wall_time_ms=view.wall_time_ms) == view
    kinds = {record.entry.KIND for record in cabinet.records()[count:]}
    assert kinds <= {"key_turned", "menu_opened", "menu_closed", "test_started"}


def test_every_screen_of_a_test_is_marked(operator: Operator) -> None:
    operator.open()
    operator.go(PAGE)
    cabinet, chance = operator.cabinet, random.Random(3)
    for _ in range(150):
        view = cabinet.view
        assert view.watermark == TRIAL_MARK, view.mode
        targets = [button.id for button in view.buttons if button.id != "button:cash_out"]
        targets += [f"lobby:{tile.game}" for tile in view.lobby] + ["chip:500", "box:1:ante", "lang", "key:primary"]
        cabinet.touch(chance.choice(targets))
    assert operator.menu.page == PAGE


@pytest.mark.parametrize("leave", ["button", "key", "idle", "power"])
def test_every_way_out_forgets_the_test(operator: Operator, leave: str) -> None:
    cabinet = operator.cabinet
    operator.open()
    operator.go(PAGE)
    play_a_hand(operator)
    if leave == "button":
        cabinet.touch("button:cash_out")
        operator.close()
    elif leave == "key":
        operator.close()
    elif leave == "idle":
        cabinet.wait(121_000)
    else:
        cabinet.cut_power()
        cabinet.boot()
    assert cabinet.view.credit_minor == 0
    assert cabinet.view.watermark != TRIAL_MARK
    assert cabinet.books.meter("games_played") == 0
    cabinet.books.check()


def test_buttons_play_the_test_and_their_lamps_show_it(operator: Operator) -> None:
    cabinet = operator.cabinet
    operator.open()
    operator.go(PAGE)
    cabinet.press("b9")
    cabinet.expect_mode("table")
    lamps = dict(cabinet.world.readings.lamps)
    for button in cabinet.view.buttons:
        if button.slot and button.id != "button:cash_out":
            assert (lamps[f"b{button.slot}"] != "off") == button.enabled, button.id


def test_test_games_never_pay_and_never_take(operator: Operator) -> None:
    cabinet = operator.cabinet
    operator.open()
    operator.go(PAGE)
    tray = cabinet.world.readings.tray_minor
    for _ in range(3):
        cabinet.terminal.handle(ButtonPressed("panel", cabinet.clock.monotonic_ms(), "b12"))
        cabinet.terminal.handle(Gesture("button:cash_out"))
    cabinet.wait(3_000)
    assert cabinet.world.readings.tray_minor == tray
    assert cabinet.world.readings.note_state == "disabled"
    assert operator.entries("cash_out_started") == []


def test_player_who_plays_long_never_runs_out_of_test_money(operator: Operator) -> None:
    cabinet = operator.cabinet
    operator.open()
    operator.go(PAGE)
    cabinet.touch("lobby:oasis")
    for _ in range(30):
        cabinet.bet(1, "ante", 10_000)
        cabinet.touch("button:deal")
        cabinet.wait(1_500)
        if any(button.id == "button:fold" for button in cabinet.view.buttons):
            cabinet.touch("button:fold")
        cabinet.wait(1_000)
        assert cabinet.view.credit_minor >= 40_000
    assert cabinet.books.meter("games_played") == 0
