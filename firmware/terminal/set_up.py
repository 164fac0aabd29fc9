"""The first set-up: when it is there, who may change anything in it, and what still has to be confirmed. Pure.

It is a menu that opens by itself and does not close before it is done. Not responsible for its pages
(``operator_menu.pages_setup``) or for what its rows do (``decide_set_up``).
"""

from collections.abc import Collection
from dataclasses import replace

from firmware.entries.service import SetUpDone
from firmware.terminal.availability import needs_set_up
from firmware.terminal.menu import SET_UP, SET_UP_STEPS, Menu
from firmware.terminal.menu_rights import granted, is_pin_missing
from firmware.terminal.state import Recorded, State
from firmware.terminal.step import Environment, Step


def level_of(menu: Menu, keys_on: Collection[str], doors_open: Collection[str], environment: Environment) -> str:
    """Return the level that somebody in a menu has with these keys turned and these doors open.

    The set-up wants what this machine has of operator key and logic door, and the PINs where there are any.
    """
    if menu.key != SET_UP:
        return granted(menu.key, menu.proven, doors_open, environment)
    guards = environment.options.guards
    if ("operator" in guards and "operator" not in keys_on) or is_pin_missing("operator", menu.proven, environment):
        return "attendant"
    is_shut = "logic" in guards and "logic" not in doors_open
    return "operator" if is_shut or is_pin_missing("technician", menu.proven, environment) else "technician"


def with_set_up(state: State, step: Step, environment: Environment) -> Step:
    """Return the step with the set-up on the screen as long as it is not done and nothing else is there."""
    screen = step.screen
    is_done = any(isinstance(each, SetUpDone) for each in step.entries)
    if not needs_set_up(state.recorded) or is_done or screen.menu is not None or screen.lock_up is not None:
        return step
    menu = Menu(SET_UP, "attendant", screen.language, environment.now_ms, page=SET_UP)
    recorded = state.recorded
    menu = replace(menu, level=level_of(menu, recorded.keys_on, recorded.doors_open, environment))
    return replace(step, screen=replace(screen, menu=menu))


def open_steps(recorded: Recorded) -> tuple[str, ...]:
    """Return the steps that nobody has confirmed."""
    return tuple(step for step in SET_UP_STEPS if step not in recorded.set_up_steps)
