"""Acts of the RAM clear on the running terminal: prepared with a reason, confirmed by the code that is shown. Pure.

Both steps are entries; the second one is an order that outlives a power cut, and is carried out before the terminal does
anything else. A memory that can't be read takes no entries: there the second step clears it at once. Not responsible for carrying it out (``firmware.audit.clearing``).
"""

from dataclasses import replace
from typing import Final

from display.view_model import Text
from firmware.entries.menu import ReportOrdered
from firmware.entries.service import RamClearArmed, RamClearConfirmed
from firmware.entries.types import Stopped
from firmware.terminal.menu import LEVELS
from firmware.terminal.menu_steps import ActRow, menu_of, with_menu
from firmware.terminal.notices import noticed, refused
from firmware.terminal.state import State
from firmware.terminal.step import ClearMemory, Environment, Restart, SaveReport, Step

CODE_GOOD_MS: Final = 120_000
"""So long the code that is shown may be typed."""
REASONS: Final = {
    "new_place": Text("menu", "The machine goes to another place or house"),
    "memory": Text("menu", "The memory or the books are damaged"),
    "hardware": Text("menu", "A board or a storage medium was replaced"),
    "options": Text("menu", "Set-up options have to change"),
    "test": Text("menu", "End of a test or a demonstration"),
}
"""Why somebody clears a memory; the name is kept for ever."""


def _arm(state: State, environment: Environment, reason: str) -> Step:
    """The first step: show the code, and save everything that will be gone where there is a place for it."""
    menu = menu_of(state)
    why_not = _why_not(state, environment)
    if why_not is not None:
        return refused(state, environment, why_not)
    code = environment.clear_code()
    until_ms = environment.now_ms + CODE_GOOD_MS
    menu = replace(menu, clear_code=code, clear_reason=reason, clear_until_ms=until_ms, typed="", cursor=0)
    step = Step(with_menu(state, menu).screen, (RamClearArmed(code, menu.level, reason),)).with_sound("alarm")
    if not environment.machine().report_folder or state.screen.lock_up is not None:
        return step
    ordered = ReportOrdered("all", menu.level)
    return replace(step, entries=(*step.entries, ordered), effects=(SaveReport("all", menu.language),))


def _confirm(state: State, environment: Environment, _: str) -> Step:
    """The second step: the code was typed in time, and nothing came in between."""
    menu = menu_of(state)
    state = with_menu(state, replace(menu, typed="", cursor=0))
    if not menu.clear_code or environment.now_ms > menu.clear_until_ms:
        state = with_menu(state, replace(menu_of(state), clear_code=""))
        return refused(state, environment, Text("menu", "The code is too old: begin again"))
    why_not = _why_not(state, environment)
    if why_not is not None:
        return refused(state, environment, why_not)
    if menu.typed != menu.clear_code:
        return refused(state, environment, Text("menu", "This is not the code"))
    if state.screen.lock_up is not None:  # there is no memory in which an order could wait
        screen = noticed(state.screen, environment, Text("menu", "The memory is being cleared. Leave the power on"))
        return Step(screen, (), (ClearMemory(menu.level, menu.clear_reason),)).with_sound("alarm")
    confirmed = RamClearConfirmed(menu.level, menu.clear_reason)
    return Step(replace(state.screen, menu=None), (confirmed, Stopped()), (Restart(),))


def _why_not(state: State, environment: Environment) -> Text | None:
    if state.recorded.note is not None or state.recorded.hopper_test is not None:
        return Text("menu", "Money is moving: wait until it rests")
    return next(iter(environment.clear_refusals(state)), None)


RAM_CLEAR_ACTS: Final = {
    "arm_clear": ActRow(LEVELS[2], _arm),
    "confirm_clear": ActRow(LEVELS[2], _confirm),
}
