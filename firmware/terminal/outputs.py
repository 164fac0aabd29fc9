"""What the devices should be doing now, from the state alone: inhibits, lamps, tower light. Pure.

The loop compares it with what it last told them and sends only the difference, so a lamp or an inhibit can never be
forgotten in some path of the program.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from firmware.terminal.availability import accepted_coins, accepted_notes, faults_up, mode
from firmware.terminal.controls import controls
from firmware.terminal.state import State
from firmware.terminal.step import Environment
from hal.interfaces import BUTTONS, TOWER_COLOURS

BURN_IN_STEP_MS: Final = 2_000
"""How long each lamp is lit, and each picture shown, while the outputs are tried for hours."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Notes and coins that may be taken, where coins go, button lamps and tower lights."""

    notes_minor: tuple[int, ...] = ()
    coins_minor: tuple[int, ...] = ()
    coin_route: str = "hopper"
    lamps: Mapping[str, str] = field(default_factory=dict)
    tower: Mapping[str, str] = field(default_factory=dict)


def outputs(state: State, environment: Environment) -> Outputs:
    """Return what the devices should be doing."""
    lamps = dict.fromkeys(BUTTONS, "off")
    for control in controls(state, environment):
        if control.slot and control.enabled:
            lamps[f"b{control.slot}"] = "blink" if control.attention else "on"
    attendant = mode(state) in ("tilt", "handpay")
    if state.screen.menu is not None:
        return _in_menu(state, environment, lamps)
    return Outputs(
        notes_minor=accepted_notes(state, environment.options),
        coins_minor=accepted_coins(state, environment.options),
        lamps=lamps,
        tower={"white": "blink" if attendant else "off", "red": "on" if faults_up(state) else "off"},
    )


def _burning(now_ms: int) -> Outputs:
    """Every lamp and light by turns; no money is taken and none is paid."""
    lit = now_ms // BURN_IN_STEP_MS % len(BUTTONS)
    return Outputs(
        lamps={button: "on" if number == lit else "off" for number, button in enumerate(BUTTONS)},
        tower={
            colour: "on" if now_ms // BURN_IN_STEP_MS % len(TOWER_COLOURS) == number else "off"
            for number, colour in enumerate(TOWER_COLOURS)
        },
    )


def _in_menu(state: State, environment: Environment, lamps: Mapping[str, str]) -> Outputs:
    """In the menu: the lamp or light that is being tried alone, notes only for a test that gives them back, and coins only
    for a test that counts them."""
    menu = state.screen.menu
    what, _, name = menu.test.partition(":") if menu is not None else ("", "", "")
    page = environment.menu_page(state, environment)
    takes_notes = page.takes_notes and state.recorded.note is None
    takes_coins = page.takes_coins and (what, name) == ("coins", "accept") and not state.recorded.credit_minor
    if page.test == "burn_in":
        return _burning(environment.now_ms)
    return Outputs(
        notes_minor=environment.options.notes_minor if takes_notes else (),
        coins_minor=environment.options.coins_minor if takes_coins else (),
        coin_route="cash_box" if page.takes_coins and (what, name) == ("diverter", "cash_box") else "hopper",
        lamps={button: "on" if button == name else "off" for button in lamps} if what == "lamp" else lamps,
        tower={colour: "on" if (what, name) == ("tower", colour) else "off" for colour in TOWER_COLOURS},
    )
