"""The first set-up: on the screen of a new cabinet before anybody plays, by touch and by four buttons, over power cuts."""

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from display.view_model import Gesture
from firmware.entries.keeping import SettingChanged
from firmware.entries.service import PinChosen, SetUpConfirmed, SetUpDone
from firmware.operator_menu.tree import NODES
from firmware.settings.pin import hashed
from firmware.settings.sections import Access
from firmware.terminal.decide_setting_acts import canonical
from firmware.terminal.menu import SET_UP, SET_UP_STEPS, Ask
from tests.operator_menu.operator import Operator
from tests.support.cabinet import CabinetUnderTest, settings_for


@pytest.fixture
def unboxed(tmp_path: Path) -> Iterator[Callable[..., Operator]]:
    """Makes an operator in front of a new cabinet that was switched on for the first time."""
    made: list[CabinetUnderTest] = []

    def make(**pins: str) -> Operator:
        settings = settings_for(tmp_path / "data").model_copy(update={"access": Access(**pins)})
        cabinet = CabinetUnderTest(settings, seed=1, asks_set_up=True)
        made.append(cabinet)
        cabinet.boot()
        return Operator(cabinet)

    yield make
    for cabinet in made:
        cabinet.close()


@pytest.fixture
def new(unboxed: Callable[..., Operator]) -> Operator:
    """A new cabinet that nobody has served yet."""
    return unboxed()


def serve(operator: Operator) -> None:
    """Turn the operator key and open the logic door."""
    operator.cabinet.act(lambda world: world.open_door("logic"))
    operator.cabinet.act(lambda world: world.turn_key("operator"))


def confirm_all(operator: Operator, by: str = "touch") -> None:
    """Go through all steps from the first one on."""
    operator.choose_act("go", f"{SET_UP}.{SET_UP_STEPS[0]}", by)
    for step in SET_UP_STEPS:
        assert operator.menu.page == f"{SET_UP}.{step}"
        operator.choose_act("confirm_step", step, by)
    assert operator.menu.page == SET_UP


def finish(operator: Operator, by: str = "touch") -> None:
    """End the set-up and let the terminal start anew."""
    operator.choose_act("finish_set_up", None, by)
    operator.choose(2, by)
    operator.cabinet.wait(1_500)


def is_set_up_shown(operator: Operator) -> bool:
    return operator.is_open and operator.menu.key == SET_UP


def test_new_cabinet_shows_the_set_up_and_a_simulator_goes_straight_into_play(
    new: Operator, operator: Operator
) -> None:
    assert is_set_up_shown(new)
    assert new.view.mode == "page"
    assert not operator.is_open
    operator.cabinet.expect_mode("attract")


@pytest.mark.parametrize("by", ["buttons", "touch"])
def test_set_up_is_done_by_buttons_alone_and_by_touch_alone_and_ends_in_the_journal(new: Operator, by: str) -> None:
    serve(new)
    confirm_all(new, by)
    before = dict(new.cabinet.terminal.state.recorded.settings)
    finish(new, by)
    assert new.entries("set_up_confirmed") == [SetUpConfirmed(step, "technician") for step in SET_UP_STEPS]
    digest = hashlib.sha256(canonical(before).encode()).hexdigest()
    assert new.entries("set_up_done") == [SetUpDone("technician", digest)]
    assert not new.is_open
    new.close()
    new.cabinet.expect_mode("attract")
    assert new.cabinet.books.meter("power_losses") == 0, "the start after it is no power loss"
    new.cabinet.insert_note(2_000)
    new.cabinet.expect_credit(2_000)


def test_nobody_plays_or_pays_in_before_it_is_done(new: Operator) -> None:
    cabinet = new.cabinet
    readings = cabinet.world.readings
    assert (readings.note_state, readings.coin_state) == ("disabled", "disabled")
    for target in ("button:start", "lobby:oasis", "box:1:ante", "slot:12", "key:primary", "page:back", "key:escape"):
        cabinet.touch(target)
    assert is_set_up_shown(new)
    cabinet.wait(200_000)
    assert is_set_up_shown(new), "idle time does not end it"
    assert cabinet.terminal.state.live is None


def test_only_operator_key_and_open_logic_door_may_confirm(new: Operator) -> None:
    for act in (lambda world: world.turn_key("operator"), lambda world: world.open_door("logic")):
        new.choose_act("go", f"{SET_UP}.language")
        new.choose_act("confirm_step", "language")
        assert new.entries("set_up_confirmed") == []
        new.cabinet.act(act)
        new.step("back", "touch")
    assert new.menu.level == "technician"
    new.cabinet.act(lambda world: world.turn_back_key("operator"))
    assert new.menu.level == "attendant"
    assert is_set_up_shown(new)


def test_power_cut_at_every_step_goes_on_with_what_was_confirmed(new: Operator) -> None:
    serve(new)
    for number, step in enumerate(SET_UP_STEPS):
        new.choose_act("go", f"{SET_UP}.{step}")
        new.cabinet.cut_power()
        new.cabinet.boot()
        assert is_set_up_shown(new)
        assert len(new.cabinet.terminal.state.recorded.set_up_steps) == number
        new.choose_act("go", f"{SET_UP}.{step}")
        new.choose_act("confirm_step", step)
        new.cabinet.cut_power()
        new.cabinet.boot()
        assert new.menu.page == SET_UP
    finish(new)
    assert not new.is_open


def test_it_can_not_end_before_every_step_is_confirmed(new: Operator) -> None:
    serve(new)
    names = {act.act.name if isinstance(act, Ask) else act.name for act in new.page.acts.values()}
    assert "finish_set_up" not in names


def test_options_change_here_and_are_frozen_afterwards(new: Operator) -> None:
    serve(new)
    new.choose_act("go", f"{SET_UP}.games")
    new.choose_act("toggle", 'games.enabled="baccarat"')
    new.choose_act("toggle", 'games.enabled="oasis"')
    new.step("back", "touch")
    new.choose_act("go", f"{SET_UP}.language")
    new.choose_act("set", 'terminal.languages=["ru"]')
    new.step("back", "touch")
    confirm_all(new)
    finish(new)
    new.close()
    assert new.view.language == "ru"
    enabled = json.loads(new.cabinet.terminal.state.recorded.settings["games.enabled"])
    assert "oasis" not in enabled
    assert "baccarat" not in enabled
    assert [tile.game for tile in new.view.lobby] == enabled
    new.open("technician")
    new.go("settings.games")
    new.choose(0, "touch")
    assert new.page.acts == {}
    changes = [entry for entry in new.entries("setting_changed") if isinstance(entry, SettingChanged)]
    assert {change.by for change in changes if change.key in ("games.enabled", "terminal.languages")} == {"technician"}


def test_the_last_game_can_not_be_taken_away(new: Operator) -> None:
    serve(new)
    new.choose_act("go", f"{SET_UP}.games")
    for game in json.loads(new.cabinet.terminal.state.recorded.settings["games.enabled"]):
        new.choose_act("toggle", f'games.enabled="{game}"')
    assert len(json.loads(new.cabinet.terminal.state.recorded.settings["games.enabled"])) == 1
    assert new.view.notice is not None


def test_a_note_that_is_taken_away_can_be_taken_again(new: Operator) -> None:
    serve(new)
    new.choose_act("go", f"{SET_UP}.money")
    new.choose_act("toggle", "notes.accepted_minor=500")
    assert 500 not in json.loads(new.cabinet.terminal.state.recorded.settings["notes.accepted_minor"])
    new.choose_act("toggle", "notes.accepted_minor=500")
    assert 500 in json.loads(new.cabinet.terminal.state.recorded.settings["notes.accepted_minor"])


def test_pins_are_chosen_here_work_at_once_and_stand_in_the_journal_as_hashes(new: Operator) -> None:
    serve(new)
    new.choose_act("go", f"{SET_UP}.pins")
    new.choose_act("go", "settings.pin")
    new.type("123")
    assert new.entries("pin_chosen") == [], "too short"
    new.type("4711")
    new.type("4712")
    assert new.entries("pin_chosen") == [], "not the same"
    new.type("4711")
    new.type("4711")
    (chosen,) = new.entries("pin_chosen")
    assert isinstance(chosen, PinChosen)
    assert (chosen.level, chosen.by) == ("operator", "technician")
    assert all("4711" not in str(record.entry).partition("stored")[0] for record in new.cabinet.records())
    assert new.menu.level == "technician", "who has chosen it knows it"
    new.step("back", "touch")
    new.step("back", "touch")
    confirm_all(new)
    finish(new)
    new.close()
    new.open()
    assert (new.menu.level, new.menu.page) == ("attendant", "pin")
    new.type("4711")
    assert new.menu.level == "operator"


def test_pins_of_the_file_are_asked_for(unboxed: Callable[..., Operator]) -> None:
    operator = unboxed(technician_pin=hashed("4711", bytes(16)))
    serve(operator)
    assert operator.menu.level == "operator"
    operator.choose_act("go", "pin")
    operator.type("4711")
    assert (operator.menu.level, operator.menu.page) == ("technician", SET_UP)


def test_random_keys_never_leave_the_set_up(new: Operator) -> None:
    serve(new)
    chance = random.Random(5)
    for _ in range(500):
        rows = [f"page:row:{row}" for row in (*new.page.choices, 99)]
        words = [f"page:{word}" for word in ("up", "down", "select", "back", "back")]
        target = chance.choice(
            [*rows, *words, "button:deal", "slot:12", "key:escape", "lang", "touch:1.1", "box:1:ante"]
        )
        row = target.removeprefix("page:row:")
        act = new.page.acts.get(int(row)) if row.isdigit() else None
        if getattr(getattr(act, "act", act), "name", "") in ("finish_set_up", "confirm_clear"):
            continue
        new.cabinet.terminal.handle(Gesture(target))
        assert is_set_up_shown(new)
        assert new.menu.page in NODES
        assert new.cabinet.terminal.state.screen.lock_up is None
    assert new.cabinet.view.credit_minor == 0
