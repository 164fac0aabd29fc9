"""What the devices should be doing now, from the state alone: inhibits, lamps, tower light. Pure.

The loop compares it with what it last told them and sends only the difference, so a lamp or an inhibit can never be
forgotten in some path of the program.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware.terminal.availability import accepted_coins, accepted_notes, faults_up, mode
from firmware.terminal.controls import controls
from firmware.terminal.state import State
from firmware.terminal.step import Environment
from hal.interfaces import BUTTONS, TOWER_COLOURS


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


def _in_menu(state: State, environment: Environment, lamps: Mapping[str, str]) -> Outputs:
    """In the menu: the lamp or light that is being tried alone, and notes only for a test that gives them back."""
    menu = state.screen.menu
    what, _, name = menu.test.partition(":") if menu is not None else ("", "", "")
    takes_notes = environment.menu_page(state, environment).takes_notes and state.recorded.note is None
    return Outputs(
        notes_minor=environment.options.notes_minor if takes_notes else (),
        lamps={button: "on" if button == name else "off" for button in lamps} if what == "lamp" else lamps,
        tower={colour: "on" if (what, name) == ("tower", colour) else "off" for colour in TOWER_COLOURS},
    )
