"""Lock-ups cleared by reading the screen: a memory that can't be read has no figures and is cleared in the menu; what can
not be cleared says what to do instead."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from display.draw_list import Label
from display.motion import still
from display.scenes import compose
from firmware.entries.keeping import RamCleared
from firmware.operator_menu.tree import NODES
from firmware.settings.pin import hashed
from firmware.terminal.faults import FAULTS
from firmware.terminal.menu import SET_UP
from tests.operator_menu.operator import Operator, played
from tests.terminal.test_fault_rows import break_books

SALT = b"0123456789abcdef"


def _damage(operator: Operator) -> None:
    """Change a bit of the only copy, and start."""
    cabinet = operator.cabinet
    cabinet.shut_down()
    path = cabinet.settings.storage.data_dir / "journal.sqlite"
    data = bytearray(path.read_bytes())
    data[data.rindex(b"note_credited") + 40] ^= 1
    path.write_bytes(data)
    cabinet.boot()
    cabinet.expect_faults("M1")


@pytest.fixture
def lost(busy: Operator) -> Operator:
    """An operator at a cabinet whose memory can't be read."""
    _damage(busy)
    return busy


def _texts(operator: Operator) -> list[str]:
    return [row.label.message for row in operator.page.view.rows]


def _follow_the_screen(operator: Operator, by: str) -> None:
    """Do what the page of the lock-up says, from row to row."""
    assert operator.menu.page == "lockup"
    assert FAULTS["M1"].remedy.message in _texts(operator)
    operator.choose_act("go", "service.clear", by)
    operator.choose_act("arm_clear", "memory", by)
    operator.choose(2, by)
    if by == "touch":
        operator.type(operator.menu.clear_code)
    else:
        for digit in operator.menu.clear_code:
            operator.choose_act("type", digit, by)
        operator.choose(111, by)
    operator.choose(2, by)
    operator.cabinet.wait(1_500)


@pytest.mark.parametrize("by", ["touch", "buttons"])
def test_memory_that_can_not_be_read_is_cleared_by_reading_the_screen(lost: Operator, by: str) -> None:
    cabinet = lost.cabinet
    lost.open("technician")
    _follow_the_screen(lost, by)
    assert lost.menu.page == SET_UP
    cleared = cabinet.records()[1].entry
    assert isinstance(cleared, RamCleared)
    assert (cleared.by, cleared.reason, cleared.epoch) == ("technician", "memory", 1)
    folder = cabinet.settings.storage.data_dir
    before = json.loads((folder / "ram-clears" / cleared.record).read_text())
    assert any("does not fit the chain" in problem for problem in before["problems"])
    assert (folder / "archive" / "epoch-00001" / "journal.sqlite").exists()


def test_no_page_shows_figures_of_a_memory_that_can_not_be_read(lost: Operator) -> None:
    lost.open()
    for node in NODES.values():
        if node.id.partition(".")[0] not in ("meters", "cash", "graphs", "recall", "reports") or node.read is None:
            continue
        if not node.is_listed:
            continue
        lost.go(node.id)
        assert "The memory can't be read: there are no figures here" in _texts(lost), node.id
        assert all(row.value == "" for row in lost.page.view.rows), node.id
    lost.go("status")
    values = {row.label.message: row.value for row in lost.page.view.rows}
    assert values["Credit"] == values["Owed by hand"] == "–"


def test_memory_that_can_not_be_read_is_cleared_by_nobody_without_logic_door_and_code(lost: Operator) -> None:
    lost.open()
    lost.choose_act("go", "service.clear")
    assert lost.menu.page == "lockup", "the page needs the logic door"
    lost.cabinet.act(lambda world: world.open_door("logic"))
    lost.choose_act("go", "service.clear")
    lost.choose_act("arm_clear", "memory")
    lost.confirm()
    code = lost.menu.clear_code
    lost.type("00000000" if code != "00000000" else "11111111")
    lost.confirm()
    lost.cabinet.expect_faults("M1")
    lost.cabinet.act(lambda world: world.close_door("logic"))
    assert lost.menu.page == "service"
    assert lost.menu.level == "operator"
    lost.cabinet.expect_faults("M1")


def test_pins_of_the_file_hold_in_a_lock_up_and_wrong_ones_have_to_wait(new_operator: Callable[..., Operator]) -> None:
    operator = new_operator(operator_pin=hashed("1234", SALT), technician_pin=hashed("5678", SALT))
    played(operator.cabinet)
    _damage(operator)
    operator.open("technician")
    assert operator.menu.page == "pin"
    for _ in range(3):
        operator.type("9999")
    assert operator.menu.level == "attendant"
    operator.type("1234")
    assert operator.menu.level == "attendant", "three wrong ones have to wait"
    operator.close()
    operator.cabinet.wait(61_000)
    operator.open("technician")
    operator.type("1234")
    assert operator.menu.level == "operator"
    operator.go("pin")
    operator.type("5678")
    assert operator.menu.level == "technician"
    operator.go("service.clear")


def test_clearing_that_fails_is_said_and_can_be_tried_again(lost: Operator) -> None:
    terminal = lost.cabinet.terminal
    service = terminal._parts.service
    terminal._parts = replace(terminal._parts, service=replace(service, clear_memory=lambda *_: "no space left"))
    lost.open("technician")
    _follow_the_screen(lost, "touch")
    notice = lost.view.notice
    assert notice is not None
    assert dict(notice.text.args) == {"error": "no space left"}
    lost.cabinet.expect_faults("M1")
    terminal._parts = replace(terminal._parts, service=service)
    lost.type(lost.menu.clear_code)
    lost.confirm()
    lost.cabinet.wait(1_500)
    assert lost.menu.page == SET_UP


def test_memory_that_cannot_be_read_shows_nobody_an_amount_and_does_not_call_it_safe(lost: Operator) -> None:
    for language in ("en", "ru"):
        view = replace(lost.cabinet.view, language=language)
        assert view.mode == "tilt"
        drawn = " ".join(item.text for item in compose(view, still(view), 0).items if isinstance(item, Label))
        assert "0.00" not in drawn, drawn
        assert "0,00" not in drawn, drawn
        assert "safe" not in drawn, drawn


def test_broken_books_are_cleared_in_the_menu_after_a_restart(busy: Operator) -> None:
    cabinet = busy.cabinet
    break_books(cabinet)
    cabinet.expect_faults("M2")
    busy.open("technician")
    assert FAULTS["M2"].remedy.message in _texts(busy)
    busy.choose_act("go", "service.clear")
    assert any("Switch the terminal off and on first" in text for text in _texts(busy))
    busy.close()
    cabinet.cut_power()
    cabinet.boot()
    assert "M2" in cabinet.fault_codes
    busy.open("technician")
    busy.choose_act("go", "lockup.one")
    busy.choose_act("go", "service.clear")
    busy.choose_act("arm_clear", "memory")
    busy.confirm()
    busy.type(busy.menu.clear_code)
    busy.confirm()
    cabinet.wait(1_500)
    assert busy.menu.page == SET_UP


def test_several_faults_are_listed_and_each_has_its_page(busy: Operator) -> None:
    cabinet = busy.cabinet
    cabinet.act(lambda world: world.jam("notes"))
    cabinet.act(lambda world: world.open_door("main"))
    busy.open("attendant")
    assert busy.menu.page == "lockup"
    codes = [str(dict(row.label.args)["code"]) for row in busy.page.view.rows if row.target and row.label.args]
    assert codes[:2] == ["D1", "B1"]
    for code in codes[:2]:
        (row,) = (
            index
            for index, act in busy.page.acts.items()
            if getattr(act, "argument", "").startswith(f"lockup.one|{code}")
        )
        busy.choose(row, "touch")
        assert FAULTS[code].remedy.message in _texts(busy)
        busy.step("back", "touch")
        assert busy.menu.page == "lockup"
    busy.choose(next(iter(busy.page.acts)), "touch")
    cabinet.act(lambda world: world.close_door("main"))
    assert _texts(busy) == ["This fault is over"]
