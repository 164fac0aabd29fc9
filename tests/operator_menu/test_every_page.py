"""Every page of the tree: reached by buttons alone and by touch alone, drawn in both languages, left by a power cut."""

import random
from dataclasses import replace

import pytest

from display import motion
from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, Box, Label
from display.scenes import compose
from display.view_model import Gesture
from firmware.entries.menu import MenuRefused
from firmware.operator_menu.tree import NODES, TREE, below
from firmware.settings.sections import Settings
from firmware.settings.spec import rows
from firmware.terminal.menu import SET_UP, SET_UP_STEPS, Act, Ask, reaches
from firmware.terminal.trial import PAGE as TRIAL_PAGE
from tests.display.frames import inks
from tests.operator_menu.operator import DEEP, Operator, pages_for

TESTS = ("check_memory", "check_random", "test_printer", "stop_hopper", "choose_pin")
"""Acts that can be repeated or taken back, so they ask nothing; a PIN is typed twice."""
SCREEN = Box(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT)


def test_every_page_is_listed_once_or_has_its_way() -> None:
    listed = [node.id for page in NODES for node in below(page)]
    of_the_set_up = [SET_UP, *(f"{SET_UP}.{step}" for step in SET_UP_STEPS)]
    assert sorted([*listed, *DEEP, *of_the_set_up]) == sorted(node.id for node in TREE)
    assert all(node.above in NODES for node in TREE)


@pytest.mark.parametrize("by", ["buttons", "touch"])
def test_every_page_is_reached_by_buttons_alone_and_by_touch_alone(busy: Operator, by: str) -> None:
    busy.cabinet.act(lambda world: world.open_door("main"))
    busy.open("technician")
    for node in pages_for("technician"):
        busy.go(node.id, by)
        assert busy.view.mode == {TRIAL_PAGE: "lobby", "recall.round": "table"}.get(node.id, "page")
        lamps = dict(busy.cabinet.world.readings.lamps)
        for button in busy.view.buttons:
            if node.id not in ("diagnostics.lamps", "diagnostics.burn_in"):
                assert lamps.get(f"b{button.slot}", "off") == (
                    "off" if not button.enabled else "blink" if button.attention else "on"
                )
    busy.home(by)
    busy.step("back", by)
    assert not busy.is_open


def test_every_page_fits_the_screen_in_both_languages_and_sizes(busy: Operator) -> None:
    busy.cabinet.act(lambda world: world.open_door("main"))
    busy.open("technician")
    for node in pages_for("technician"):
        busy.go(node.id)
        for language in ("en", "ru"):
            view = replace(busy.view, language=language, notice=None)
            frame = compose(view, motion.still(view), 1e6)
            for size in ((1920, 1080), (1280, 720)):
                for ink in inks(frame, size):
                    where = f"{node.id} {language} {size}: {ink.label.text!r}"
                    assert "\ufffd" not in ink.label.text
                    assert ink.box.x >= ink.label.box.x - 3, where
                    assert ink.box.x + ink.box.w <= ink.label.box.x + ink.label.box.w + 3, where
                    assert ink.box.y + ink.box.h <= SCREEN.h + 1, where
            if view.mode == "page" and view.page is not None and not view.page.pattern:
                labels = [item for item in frame.items if isinstance(item, Label)]
                assert min(label.size for label in labels) >= 14, node.id
                shown = {str(row.value) for row in view.page.rows} | {str(row.second) for row in view.page.rows}
                values = {label.size for label in labels if label.text in shown and label.align == "r"}
                assert len(values) <= 1, f"{node.id}: values in several sizes of type"
                assert min(values, default=20) >= 20, f"{node.id}: values too small to be read standing"


def test_power_cut_on_every_page_returns_to_the_state_before(busy: Operator) -> None:
    cabinet = busy.cabinet
    cabinet.insert_note(2_000)
    cabinet.sit_down("oasis")
    before = replace(cabinet.books, meters={})
    for node in pages_for("technician"):
        cabinet.act(lambda world: world.open_door("main"), wait_ms=20)
        busy.open("technician")
        busy.go(node.id)
        cabinet.cut_power()
        cabinet.boot()
        assert not busy.is_open, node.id
        assert replace(cabinet.books, meters={}) == before, node.id
        assert cabinet.view.credit_minor == 2_000
        busy.close()
        cabinet.act(lambda world: world.turn_key("attendant"), wait_ms=20)  # doors that were open at the start
        busy.close()
        assert cabinet.view.mode == "lobby", node.id
    moved = {name for name in cabinet.books.meters if name.split(".")[0] not in ("door", "fault", "power_resets")}
    assert not {name for name in moved if "test" in name}


def test_random_keys_never_leave_the_menus_state_space(busy: Operator) -> None:
    cabinet = busy.cabinet
    balances = dict(cabinet.books.balances)
    busy.open()
    chance = random.Random(7)
    seen: set[str] = set()
    for _ in range(700):
        while not busy.is_open:  # a first turn may clear what was taken out of service
            busy.close()
            busy.open()
        page = busy.page
        targets = [f"page:{word}" for word in ("up", "down", "select", "select", "back")]
        targets += [f"page:row:{row}" for row in (*page.choices, 7, 99, 999)]
        targets += ["button:deal", "box:1:ante", "slot:3", "slot:12", "page:row:x", "key:escape", "touch:1.1", "lang"]
        busy.cabinet.terminal.handle(Gesture(chance.choice(targets)))
        assert cabinet.terminal.state.screen.lock_up is None
        if busy.is_open:
            assert busy.menu.page in NODES
            seen.add(busy.menu.page)
            node = NODES[busy.menu.page]
            assert reaches(busy.menu.level, node.level)
    assert len(seen) > 15
    after = dict(cabinet.books.balances)
    outside = {"cash.box", "cash.hopper", "cash.outside"}  # collections and refills tell of what a hand did
    assert {name: after[name] for name in after if name not in outside} == {
        name: balances.get(name, 0) for name in after if name not in outside
    }


def test_every_setting_stands_on_exactly_one_page(busy: Operator) -> None:
    busy.open()
    found: list[str] = []
    for node in below("settings"):
        busy.go(node.id)
        for act in busy.page.acts.values():
            assert isinstance(act, Act)
            if act.argument.startswith("settings.one|"):
                found.append(act.argument.partition("|")[2])
    assert sorted(found) == sorted(spec.key for spec in rows(Settings))


@pytest.mark.parametrize("level", ["attendant", "operator"])
def test_wrong_level_is_refused_and_recorded(busy: Operator, level: str) -> None:
    busy.open(level)
    refused = [node for node in TREE if not reaches(level, node.level) and node.is_listed]
    assert refused
    for node in refused:
        busy.home("touch")
        if node.above:
            busy.choose_act("go", node.above)
        busy.choose_act("go", node.id)
        assert busy.menu.page == node.above
    assert busy.entries("menu_refused") == [MenuRefused(level, node.id) for node in refused]


def test_closing_the_door_leaves_a_page_that_needs_it(busy: Operator) -> None:
    busy.open()
    for page in ("diagnostics.lamps", "diagnostics.notes"):
        busy.cabinet.act(lambda world: world.open_door("main"))
        busy.go(page)
        busy.cabinet.act(lambda world: world.close_door("main"))
        assert busy.menu.page == "diagnostics"
    busy.choose_act("go", "diagnostics.lamps")
    assert busy.menu.page == "diagnostics"


def test_a_question_is_asked_before_anything_that_counts(busy: Operator) -> None:
    busy.cabinet.act(lambda world: world.open_door("main"))
    busy.open("technician")
    harmless = {*TESTS, "go", "type", "pick", "test", "report", "clear", "no", "pin", "recall"}
    for node in pages_for("technician"):
        busy.go(node.id)
        for act in busy.page.acts.values():
            assert isinstance(act, Ask) or act.name in harmless, (node.id, act)
