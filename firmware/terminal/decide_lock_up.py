"""What people can do while the program has locked itself up: read the menu, and clear a memory that can't be read. Pure.

Nothing is recorded, because nothing can be. Doors, keys and PINs count all the same, as long as the power is on. Not
responsible for what stands on a page, nor for clearing (``firmware.audit.clearing``).
"""

from dataclasses import replace

from display.view_model import Gesture, Text
from firmware.entries.menu import PinEntered
from firmware.terminal.decide_menu import button, gesture, when_idle, where_allowed
from firmware.terminal.decide_menu_acts import go
from firmware.terminal.menu import LOCK_UP, PIN_PAGE, Menu
from firmware.terminal.menu_rights import granted, level_to_prove
from firmware.terminal.notices import noticed
from firmware.terminal.state import State
from firmware.terminal.step import ClearMemory, Effect, Environment, MemoryCleared, Step, Stimulus, Tick
from hal.events import ButtonPressed, ButtonReleased, DoorChanged, KeyChanged

Locked = tuple[State, tuple[Effect, ...]]
"""The state after a stimulus, and what has to be done."""


def in_lock_up(state: State, stimulus: Stimulus, environment: Environment) -> Locked:
    """Return the state after a stimulus while the program has locked itself up, and the clearing if it was ordered."""
    screen, menu = state.screen, state.screen.menu
    match stimulus:
        case KeyChanged(key=key, is_on=True) if menu is None:
            return _opened(state, key, environment), ()
        case KeyChanged(key=key, is_on=False) if menu is not None and menu.key == key:
            return replace(state, screen=replace(screen, menu=None)), ()
        case DoorChanged(door=door, is_open=is_open):
            doors = state.recorded.doors_open | {door} if is_open else state.recorded.doors_open - {door}
            return _at_level(replace(state, recorded=replace(state.recorded, doors_open=doors)), environment), ()
        case MemoryCleared(error=error) if error:
            text = Text("menu", "The memory could not be cleared: {error}", (("error", error),))
            return replace(state, screen=noticed(screen, environment, text, "error")), ()
        case Gesture():
            return _done(state, gesture(state, environment, stimulus), environment)
        case ButtonPressed() | ButtonReleased():
            return _done(state, button(state, environment, stimulus), environment)
        case Tick():
            return replace(state, screen=when_idle(state, environment).screen), ()
        case _:
            return state, ()


def _opened(state: State, key: str, environment: Environment) -> State:
    doors = state.recorded.doors_open
    menu = Menu(key, granted(key, (), doors, environment), state.screen.language, environment.now_ms)
    opened = replace(state, screen=replace(state.screen, menu=menu))
    first = PIN_PAGE if level_to_prove(menu, doors, environment) else LOCK_UP
    return replace(opened, screen=go(opened, environment, first).screen)


def _at_level(state: State, environment: Environment) -> State:
    """Give somebody the level that follows from the doors now; a page that needs more is left."""
    menu = state.screen.menu
    if menu is None:
        return state
    doors = state.recorded.doors_open
    level = granted(menu.key, menu.proven, doors, environment)
    menu = where_allowed(state, environment, replace(menu, level=level))
    return replace(state, screen=replace(state.screen, menu=menu))


def _done(state: State, step: Step, environment: Environment) -> Locked:
    """Take what a step shows and the one thing that it may do; wrong PINs are counted while the power is on."""
    recorded = state.recorded
    for each in step.entries:
        if isinstance(each, PinEntered):
            wrong = 0 if each.is_right else recorded.wrong_pins + 1
            recorded = replace(recorded, wrong_pins=wrong, wrong_pin_ms=environment.wall_ms)
    effects = tuple(effect for effect in step.effects if isinstance(effect, ClearMemory))
    return replace(state, recorded=recorded, screen=step.screen), effects
