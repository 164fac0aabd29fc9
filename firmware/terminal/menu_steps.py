"""What all acts of the operator's menu have in common: the open menu, put back changed, and a refusal that is recorded."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from display.view_model import Text
from firmware.entries import menu as menu_entry
from firmware.terminal.menu import Menu
from firmware.terminal.notices import refused
from firmware.terminal.state import State
from firmware.terminal.step import Environment, Step


@dataclass(frozen=True, slots=True)
class ActRow:
    """A row of the table of acts: who may do it at the least, and the decision from its argument."""

    level: str
    decide: Callable[[State, Environment, str], Step]


def menu_of(state: State) -> Menu:
    """Return the open menu. Raises LookupError when there is none."""
    if state.screen.menu is None:
        raise LookupError("the menu is not open")
    return state.screen.menu


def with_menu(state: State, menu: Menu) -> State:
    """Return the state with somebody elsewhere in the menu."""
    return replace(state, screen=replace(state.screen, menu=menu))


def no_right(state: State, environment: Environment, what: str) -> Step:
    """Refuse something beyond somebody's level, and record it."""
    step = refused(state, environment, Text("menu", "This needs a higher level: another key, a PIN or the logic door"))
    return replace(step, entries=(menu_entry.MenuRefused(menu_of(state).level, what),))
