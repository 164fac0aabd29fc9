"""Acts of the touch calibration: crosses are touched one after another, and what follows is kept as a setting. Pure.

Not responsible for finding the calibration from the points (``display.pointer``) or for applying it (``display.window``).
"""

from dataclasses import replace
from typing import Final

from display.view_model import Text
from firmware.terminal.decide_setting_acts import canonical, change_setting
from firmware.terminal.menu import LEVELS, Menu
from firmware.terminal.menu_steps import ActRow, menu_of, with_menu
from firmware.terminal.notices import refused
from firmware.terminal.state import State
from firmware.terminal.step import Environment, Step

SETTING: Final = "display.touch_ppm"
CROSSES: Final = ((192, 108), (1_728, 108), (1_728, 972), (192, 972), (960, 540))
"""Where the crosses stand, in the picture's own pixels; the last one shows how good the others were."""
_PARTS: Final = 4


def cross_touched(menu: Menu, rest: str) -> Menu:
    """Return the menu after a touch, ``x.y.wanted x.wanted y`` in millionths of the panel's sides."""
    parts = rest.split(".")
    if (
        len(parts) != _PARTS
        or not all(part.lstrip("-").isdigit() for part in parts)
        or len(menu.points) == len(CROSSES)
    ):
        return menu
    x, y, wanted_x, wanted_y = map(int, parts)
    return replace(menu, points=(*menu.points, (x, y, wanted_x, wanted_y)))


def _keep(state: State, environment: Environment, _: str) -> Step:
    menu = menu_of(state)
    found = environment.calibration(menu.points)
    if found is None:
        again = with_menu(state, replace(menu, points=(), cursor=0))
        return refused(again, environment, Text("menu", "These touches give no calibration: touch each cross"))
    measured = with_menu(state, replace(menu, points=(), cursor=0))
    return change_setting(measured, environment, f"{SETTING}={canonical(list(found))}")


def _again(state: State, _: Environment, __: str) -> Step:
    return Step(with_menu(state, replace(menu_of(state), points=(), cursor=0)).screen).with_sound("button")


def _none(state: State, environment: Environment, _: str) -> Step:
    return change_setting(state, environment, f"{SETTING}=[]")


CALIBRATION_ACTS: Final = {
    "keep_calibration": ActRow(LEVELS[0], _keep),
    "calibrate_again": ActRow(LEVELS[0], _again),
    "no_calibration": ActRow(LEVELS[0], _none),
}
