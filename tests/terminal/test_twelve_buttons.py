"""Twelve buttons are enough: lamps, labels and effects agree in every state, and every state is reached without touch."""

from collections import deque
from pathlib import Path

import pytest

from display.motion import still
from display.scenes import compose
from display.view_model import View
from firmware.terminal.controls import PAD_KEYS
from firmware.terminal.outputs import outputs
from hal.interfaces import BUTTONS
from tests.support.cabinet import CabinetUnderTest, settings_for

GAMES = settings_for(Path("unused")).games.enabled


def check_agreement(cabinet: CabinetUnderTest) -> View:
    """Lamps say what labels say; no button has two meanings; nothing needs a touch. Returns the view."""
    terminal = cabinet.terminal
    view = terminal.view()
    lamps = outputs(terminal.state, terminal.environment()).lamps
    slots = [button.slot for button in view.buttons if button.slot]
    assert len(slots) == len(set(slots)), f"two meanings: {view.buttons}"
    # While a number is typed all twelve are the keypad, whose last key leaves as Back does.
    is_keypad = any(button.id == f"button:digit:{PAD_KEYS[-1]}" for button in view.buttons)
    for button in view.buttons:
        assert button.slot or (is_keypad and button.id == "button:back"), f"{button.id} needs a touch"
    labelled = {b.slot: "blink" if b.attention else "on" for b in view.buttons if b.enabled}
    assert lamps == {name: labelled.get(slot, "off") for slot, name in enumerate(BUTTONS, 1)}
    assert dict(cabinet.world.readings.lamps) == dict(lamps), "the hardware's lamps are the wanted ones"
    drawn = compose(view, still(view), 0)
    for button in view.buttons:
        assert (
            button.enabled or button.reason is not None or button.id not in {hit.target for hit in drawn.targets()}
        ), f"{button.id} is refused without a reason"
    return view


@pytest.mark.parametrize("game", GAMES)
def test_lamps_labels_and_reasons_agree_wherever_the_buttons_lead(tmp_path: Path, game: str) -> None:
    """A walk that presses in every state the button it has pressed least there, without ever touching the screen."""
    settings = settings_for(tmp_path, large_win_minor=10**9)
    cabinet = CabinetUnderTest(settings, seed=11)
    cabinet.boot()
    for _ in range(3):
        cabinet.insert_note(10_000)
    pressed: dict[tuple[object, ...], dict[str, int]] = {}
    seen_modes: deque[str] = deque()
    for _ in range(260):
        view = check_agreement(cabinet)
        seen_modes.append(view.mode)
        if view.mode == "lobby":
            tile = next(tile for tile in view.lobby if tile.selected)
            cabinet.press("b9" if tile.game == game else "b2")
            continue
        phase = view.table.phase if view.table is not None else view.page.title.message if view.page else ""
        state = (view.mode, phase, tuple((button.id, button.enabled) for button in view.buttons))
        counts = pressed.setdefault(state, {})
        ready = [b for b in view.buttons if b.enabled and b.slot and b.id not in ("button:cash_out", "button:lobby")]
        choice = min(ready, key=lambda button: (counts.get(button.id, 0), button.slot))
        counts[choice.id] = counts.get(choice.id, 0) + 1
        cabinet.press(f"b{choice.slot}")
    assert {"table", "page"} <= set(seen_modes)
    assert cabinet.terminal.state.recorded.count("rounds") >= 3
    cabinet.conserve()
    cabinet.close()


def test_lamps_and_labels_agree_without_credit_in_a_tilt_and_while_money_is_paid(tmp_path: Path) -> None:
    cabinet = CabinetUnderTest(settings_for(tmp_path), seed=1)
    cabinet.boot()
    assert check_agreement(cabinet).mode == "attract"
    cabinet.press("start")
    assert check_agreement(cabinet).mode == "lobby"
    cabinet.insert_note(1_000)
    cabinet.act(lambda world: world.open_door("main"))
    assert check_agreement(cabinet).mode == "tilt"
    cabinet.act(lambda world: world.close_door("main"))
    cabinet.wait(1_000)
    if check_agreement(cabinet).mode == "tilt":
        cabinet.act(lambda world: world.turn_key("attendant"))
        cabinet.act(lambda world: world.turn_back_key("attendant"))
    cabinet.press("cash_out")
    assert check_agreement(cabinet).mode == "cash_out"
    cabinet.close()
