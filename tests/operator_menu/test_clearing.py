"""A RAM clear on the running terminal: two steps, then a new epoch that begins with the set-up, over power cuts."""

import json
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from firmware import app
from firmware.entries.keeping import RamCleared
from firmware.entries.service import RamClearArmed, RamClearConfirmed
from firmware.entries.types import Commissioned
from firmware.journal.errors import StoreUnavailableError
from firmware.terminal.decide_ram_clear import CODE_GOOD_MS
from tests.operator_menu.operator import Operator
from tests.operator_menu.test_set_up import confirm_all, finish, is_set_up_shown


def arm(operator: Operator) -> str:
    """The first step; returns the code."""
    operator.open("technician")
    operator.go("service.clear")
    operator.choose_act("arm_clear", "options")
    operator.confirm()
    return operator.menu.clear_code


def type_code(operator: Operator, code: str) -> None:
    """The second step."""
    operator.type(code)
    operator.confirm()


def epoch(operator: Operator) -> int:
    commissioned = operator.cabinet.terminal.state.recorded.commissioned
    assert commissioned is not None
    return commissioned.epoch


def test_two_steps_begin_a_new_epoch_with_the_set_up_and_a_record_of_the_old_one(busy: Operator) -> None:
    cabinet = busy.cabinet
    meters = {name: value for name, value in cabinet.books.meters.items() if name.startswith("notes")}
    assert meters
    code = arm(busy)
    assert busy.entries("ram_clear_armed") == [RamClearArmed(code, "technician", "options")]
    assert len(busy.entries("report_saved")) == 1, "everything is saved before it is gone"
    type_code(busy, code)
    cabinet.wait(1_500)
    entries = [record.entry for record in cabinet.records()]
    assert isinstance(entries[0], Commissioned)
    assert entries[0].epoch == 2
    cleared = entries[1]
    assert isinstance(cleared, RamCleared)
    assert (cleared.by, cleared.reason, cleared.epoch) == ("technician", "options", 1)
    assert {meter.name: meter.value for meter in cleared.meters if meter.name in meters} == meters
    assert cabinet.books.meter("notes_in_minor") == 0
    assert is_set_up_shown(busy)
    record = cabinet.settings.storage.data_dir / "ram-clears" / cleared.record
    assert json.loads(record.read_text())["meters"]["notes_in_minor"] == meters["notes_in_minor"]
    assert (cabinet.settings.storage.data_dir / "archive" / "epoch-00001" / "journal.sqlite").exists()
    confirm_all(busy)
    finish(busy)
    busy.close()
    cabinet.expect_faults("D4")  # the logic door was open at the start: somebody has to look
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.act(lambda world: world.turn_back_key("attendant"))
    cabinet.insert_note(1_000)
    cabinet.expect_credit(1_000)


def test_wrong_code_old_code_and_closed_door_clear_nothing(operator: Operator) -> None:
    code = arm(operator)
    type_code(operator, "00000000" if code != "00000000" else "11111111")
    assert operator.menu.clear_code == code, "one may try again"
    for _ in range(CODE_GOOD_MS // 60_000):
        operator.cabinet.wait(60_500)
        operator.cabinet.touch("page:down")
    type_code(operator, code)
    assert operator.menu.clear_code == ""
    operator.close()
    code = arm(operator)
    operator.cabinet.act(lambda world: world.close_door("logic"))
    assert operator.menu.page == "service", "without the door the page is gone"
    assert epoch(operator) == 1
    assert operator.entries("ram_clear_confirmed") == []


def test_what_is_owed_has_to_be_paid_first(operator: Operator) -> None:
    operator.cabinet.insert_note(2_000)
    operator.open("technician")
    operator.go("service.clear")
    assert operator.page.acts == {}
    assert operator.entries("ram_clear_armed") == []


def test_money_that_came_in_between_the_steps_is_not_cleared(operator: Operator) -> None:
    code = arm(operator)
    operator.close()
    operator.cabinet.insert_note(2_000)
    operator.open("technician")
    assert operator.menu.clear_code == "", "leaving the menu forgets the code"
    assert code
    operator.cabinet.expect_credit(2_000)


@pytest.mark.parametrize("level", ["attendant", "operator"])
def test_a_technician_is_needed(operator: Operator, level: str) -> None:
    operator.open(level)
    operator.home("touch")
    operator.choose_act("go", "service")
    operator.choose_act("go", "service.clear")
    assert operator.menu.page == "service"


def test_power_cut_after_the_first_step_forgets_it(operator: Operator) -> None:
    arm(operator)
    operator.cabinet.cut_power()
    operator.cabinet.boot()
    assert epoch(operator) == 1
    assert not operator.is_open


def test_power_cut_right_after_the_second_step_clears_at_the_next_start(
    operator: Operator, mocker: MockerFixture
) -> None:
    code = arm(operator)
    mocker.patch.object(type(operator.cabinet.terminal), "_perform", side_effect=KeyboardInterrupt)
    operator.type(code)
    with pytest.raises(KeyboardInterrupt):
        operator.confirm()
    mocker.stopall()
    assert operator.entries("ram_clear_confirmed") == [RamClearConfirmed("technician", "options")]
    operator.cabinet.cut_power()
    operator.cabinet.boot()
    assert epoch(operator) == 2
    assert is_set_up_shown(operator)


def test_storage_that_fails_while_clearing_is_tried_again_and_nobody_plays_before(
    operator: Operator, mocker: MockerFixture
) -> None:
    code = arm(operator)
    mocker.patch.object(app, "clear", side_effect=StoreUnavailableError("full"))
    operator.type(code)
    with pytest.raises(StoreUnavailableError):
        operator.confirm()
    mocker.stopall()
    operator.cabinet.boot()
    assert epoch(operator) == 2


def test_clear_takes_back_pins_and_settings_of_the_menu(operator: Operator) -> None:
    operator.open("technician")
    operator.go("settings.pin")
    operator.type("4711")
    operator.type("4711")
    operator.go("settings.access")
    operator.close()
    operator.open("technician")
    operator.type("4711")
    operator.go("service.clear")
    operator.choose_act("arm_clear", "test")
    operator.confirm()
    type_code(operator, operator.menu.clear_code)
    operator.cabinet.wait(1_500)
    recorded = operator.cabinet.terminal.state.recorded
    assert (recorded.pins, recorded.overrides) == ({}, {})
    assert Path(operator.cabinet.settings.storage.data_dir / "ram-clears").is_dir()
