"""Acts of the first set-up, and the choice of PINs, which is part of it and possible later as well. Pure.

Not responsible for settings (``decide_setting_acts``) or for when the set-up is there (``set_up``).
"""

import hashlib
from dataclasses import replace
from typing import Final

from display.view_model import Text
from firmware.entries.service import PinChosen, SetUpConfirmed, SetUpDone
from firmware.entries.types import Stopped
from firmware.terminal.availability import needs_set_up
from firmware.terminal.decide_setting_acts import canonical
from firmware.terminal.menu import LEVELS, SET_UP, SET_UP_STEPS, Menu
from firmware.terminal.menu_rights import may_change_money_settings
from firmware.terminal.menu_steps import ActRow, menu_of, with_menu
from firmware.terminal.notices import noticed, refused
from firmware.terminal.set_up import level_of, open_steps
from firmware.terminal.state import State
from firmware.terminal.step import Environment, Restart, Step

_NOT_NOW: Final = Text("menu", "There is no set-up now: only a RAM clear frees it")


def _confirm(state: State, environment: Environment, step_name: str) -> Step:
    """A step is looked through; the next one follows, after the last one the list of all."""
    menu = menu_of(state)
    if not needs_set_up(state.recorded) or step_name not in SET_UP_STEPS:
        return refused(state, environment, _NOT_NOW)
    place = SET_UP_STEPS.index(step_name) + 1
    follows = f"{SET_UP}.{SET_UP_STEPS[place]}" if place < len(SET_UP_STEPS) else SET_UP
    trail = ((SET_UP, "", place - 1),) if follows != SET_UP else ()
    there = replace(menu, page=follows, item="", cursor=0, turn=0, typed="", first_typed="", trail=trail)
    confirmed = SetUpConfirmed(step_name, menu.level)
    return Step(with_menu(state, there).screen, (confirmed,)).with_sound("button")


def _finish(state: State, environment: Environment, _: str) -> Step:
    """End the set-up: the settings as they stand are the configuration, and everything starts again with them."""
    menu, recorded = menu_of(state), state.recorded
    if not needs_set_up(recorded):
        return refused(state, environment, _NOT_NOW)
    left = open_steps(recorded)
    if left:
        return refused(state, environment, Text("menu", "Some steps are not confirmed yet"))
    if not may_change_money_settings(state):
        return refused(state, environment, Text("menu", "Only without credit, an open hand or a pay-out"))
    digest = hashlib.sha256(canonical(dict(recorded.settings)).encode()).hexdigest()
    return Step(replace(state.screen, menu=None), (SetUpDone(menu.level, digest), Stopped()), (Restart(),))


def _choose_pin(state: State, environment: Environment, level: str) -> Step:
    """A new PIN is typed twice; whoever chose it has proven to know it."""
    menu = menu_of(state)
    if not menu.typed:
        return refused(state, environment, Text("menu", "Type the new PIN first"))
    if not menu.first_typed:
        try:
            environment.hash_pin(menu.typed)
        except ValueError:
            state = with_menu(state, replace(menu, typed=""))
            return refused(state, environment, Text("menu", "A PIN has 4 to 12 digits"))
        again = replace(menu, first_typed=menu.typed, typed="", cursor=0)
        screen = noticed(with_menu(state, again).screen, environment, Text("menu", "Type the same PIN once more"))
        return Step(screen).with_sound("button")
    if menu.typed != menu.first_typed:
        state = with_menu(state, replace(menu, typed="", first_typed="", cursor=0))
        return refused(state, environment, Text("menu", "The two were not the same: begin again"))
    chosen = PinChosen(level, environment.hash_pin(menu.typed), menu.level)
    return _proven(state, environment, menu, level, chosen)


def _proven(state: State, environment: Environment, menu: Menu, level: str, chosen: PinChosen) -> Step:
    recorded = state.recorded
    menu = replace(menu, proven=menu.proven | {level}, typed="", first_typed="", cursor=0)
    menu = replace(menu, level=level_of(menu, recorded.keys_on, recorded.doors_open, environment))
    screen = noticed(with_menu(state, menu).screen, environment, Text("menu", "The PIN is chosen"))
    return Step(screen, (chosen,)).with_sound("button")


SET_UP_ACTS: Final = {
    "confirm_step": ActRow(LEVELS[2], _confirm),
    "finish_set_up": ActRow(LEVELS[2], _finish),
    "choose_pin": ActRow(LEVELS[2], _choose_pin),
}
