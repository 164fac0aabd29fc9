"""Acts of the menu that change settings. Pure.

A change is an entry with old and new value and stands before the file, which stays as it is. Set-up options change in the
set-up alone. Not responsible for what a value does (``firmware.app``).
"""

import json
from dataclasses import replace
from functools import cache
from typing import Final

from display.view_model import Text
from firmware.entries.keeping import SettingChanged
from firmware.settings.sections import Settings
from firmware.settings.spec import SettingSpec, rows
from firmware.terminal.availability import needs_set_up
from firmware.terminal.menu import LEVELS, reaches
from firmware.terminal.menu_rights import may_change_money_settings
from firmware.terminal.menu_steps import ActRow, menu_of, no_right
from firmware.terminal.notices import noticed, refused
from firmware.terminal.state import State
from firmware.terminal.step import Environment, Step


@cache
def setting_specs() -> dict[str, SettingSpec]:
    """Return the table of settings by key."""
    return {spec.key: spec for spec in rows(Settings)}


def canonical(value: object) -> str:
    """Return a value as the journal keeps it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def change_setting(state: State, environment: Environment, argument: str) -> Step:
    """Change a setting, ``key=value`` with the value as JSON text; the journal tells old and new, the file stays."""
    menu = menu_of(state)
    key, value = argument.split("=", 1)
    spec = setting_specs()[key]
    if not reaches(menu.level, spec.access):
        return no_right(state, environment, key)
    if spec.setup_only and not needs_set_up(state.recorded):
        return refused(state, environment, Text("menu", "Fixed at set-up: only a RAM clear frees it"))
    if spec.access != "attendant" and not may_change_money_settings(state):
        return refused(state, environment, Text("menu", "Only without credit, an open hand or a pay-out"))
    old = state.recorded.settings.get(key, "")
    if value == old or not old:
        return refused(state, environment, Text("menu", "That is its value already"))
    problem = environment.setting_problem(key, value)
    if problem:
        return refused(state, environment, Text("menu", "Not possible: {why}", (("why", problem),)))
    screen = noticed(state.screen, environment, Text("menu", "Changed"))
    screen = replace(screen, menu=replace(menu, typed=""))
    return Step(screen, (SettingChanged(key, old, value, menu.level),)).with_sound("button")


def _set_typed(state: State, environment: Environment, key: str) -> Step:
    typed = menu_of(state).typed
    if not typed:
        return refused(state, environment, Text("menu", "Type the new value first"))
    return change_setting(state, environment, f"{key}={int(typed)}")


def _toggle(state: State, environment: Environment, argument: str) -> Step:
    """Put an item into a list, ``key=item`` with the item as JSON text, or take it out; games keep the lobby's order."""
    key, text = argument.split("=", 1)
    item = json.loads(text)
    now = json.loads(state.recorded.settings.get(key) or "[]")
    items = [each for each in now if each != item] if item in now else [*now, item]
    order = list(environment.machine().every_game)
    items.sort(key=lambda each: (order.index(each) if each in order else len(order), each))
    return change_setting(state, environment, f"{key}={canonical(items)}")


SETTING_ACTS: Final = {
    "set": ActRow(LEVELS[0], change_setting),
    "set_typed": ActRow(LEVELS[0], _set_typed),
    "toggle": ActRow(LEVELS[0], _toggle),
}
"""Each setting says itself who may change it."""
