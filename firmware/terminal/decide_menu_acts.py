"""What choosing a row of the operator's menu does: one table from an act's name to its decision. Pure.

Rights are checked here once more, for every act; what is refused is recorded. No act moves money between accounts;
orders check for themselves that nothing is under way (``decide_orders``).
"""

from dataclasses import replace
from typing import Final

from display.view_model import Text
from firmware.entries import menu as menu_entry
from firmware.entries.types import FaultRaised
from firmware.ids import round_id
from firmware.terminal import decide_orders
from firmware.terminal.decide_calibration import CALIBRATION_ACTS
from firmware.terminal.decide_checks import CHECK_ACTS
from firmware.terminal.decide_hopper_test import HOPPER_ACTS
from firmware.terminal.decide_play import epoch_of
from firmware.terminal.decide_ram_clear import RAM_CLEAR_ACTS
from firmware.terminal.decide_set_up import SET_UP_ACTS
from firmware.terminal.decide_setting_acts import SETTING_ACTS
from firmware.terminal.decide_slips import with_report_slip
from firmware.terminal.faults import OUT_OF_SERVICE, is_up
from firmware.terminal.menu import LEVELS, ROOT, SET_UP, Act, reaches
from firmware.terminal.menu_rights import level_to_prove, may_change_money_settings, may_see, pin_wait_ms
from firmware.terminal.menu_steps import ActRow, menu_of, no_right, with_menu
from firmware.terminal.notices import noticed, refused
from firmware.terminal.set_up import level_of
from firmware.terminal.state import State
from firmware.terminal.step import (
    ClearFaults,
    ClosePeriod,
    CollectCashBox,
    Environment,
    Order,
    RefillHopper,
    SaveReport,
    Step,
    StopReport,
)

MOST_DIGITS: Final = 12
_WITHOUT_RECORD: Final = frozenset({"go", "no", "type", "pick", "pin", "arm_clear", "confirm_clear"})
"""Acts that are possible while nothing can be recorded; of the last two only what clears a memory that can't be read."""


def act(state: State, environment: Environment, chosen: Act) -> Step:
    """Do what a row stands for."""
    menu = menu_of(state)
    if menu.asked is not None and chosen.name != "no":
        menu = replace(menu, asked=None, cursor=0)
        state = with_menu(state, menu)
    row = _ACTS[chosen.name]
    if state.screen.lock_up is not None and chosen.name not in _WITHOUT_RECORD:
        return refused(state, environment, Text("menu", "Nothing can be recorded in this lock-up"))
    if not reaches(menu.level, row.level):
        return no_right(state, environment, chosen.name)
    return row.decide(state, environment, chosen.argument)


def go(state: State, environment: Environment, where: str) -> Step:
    """Open a page, ``page`` or ``page|item``; one beyond somebody's rights is refused and recorded."""
    menu = menu_of(state)
    page_id, _, item = where.partition("|")
    is_same = menu.page == page_id and (page_id != ROOT or not menu.trail)  # another part of the same list
    trail = menu.trail if is_same else (*menu.trail, (menu.page, menu.item, menu.cursor))
    there = replace(
        menu,
        page=page_id,
        item=item,
        cursor=0,
        turn=0,
        steps_back=0,
        typed="",
        first_typed="",
        asked=None,
        test="",
        points=(),
        trail=trail,
    )
    page = environment.menu_page(with_menu(state, there), environment)
    if not may_see(page, menu.level, state.recorded.doors_open):
        if reaches(menu.level, page.level):
            wanted = Text("menu", "Open the logic door first")
            if page.door == "main":
                wanted = Text("menu", "Open the main door first")
            return refused(state, environment, wanted)
        return no_right(state, environment, page_id)
    step = Step(with_menu(state, there).screen).with_sound("button")
    if page.test:
        return replace(step, entries=(menu_entry.TestStarted(page.test, menu.level),))
    if page.recalls:
        return replace(step, entries=(menu_entry.RecallShown(page.recalls, menu.level),))
    return step


def _no(state: State, _: Environment, __: str) -> Step:
    return Step(with_menu(state, replace(menu_of(state), asked=None, cursor=0)).screen).with_sound("button")


def _type(state: State, _: Environment, digit: str) -> Step:
    menu = menu_of(state)
    typed = "" if digit == "clear" else (menu.typed + digit)[:MOST_DIGITS]
    return Step(with_menu(state, replace(menu, typed=typed)).screen).with_sound("button")


def _pin(state: State, environment: Environment, _: str) -> Step:
    menu, doors = menu_of(state), state.recorded.doors_open
    wanted = level_to_prove(menu, doors, environment)
    wait_ms = pin_wait_ms(state, environment)
    if wait_ms:
        minutes = (("minutes", -(-wait_ms // 60_000)),)
        state = with_menu(state, replace(menu, typed=""))
        return refused(state, environment, Text("menu", "Too many wrong PINs: wait {minutes} min", minutes))
    if not wanted or not menu.typed:
        return Step(state.screen)
    if not environment.is_pin(wanted, menu.typed):
        state = with_menu(state, replace(menu, typed="", cursor=0))
        step = refused(state, environment, Text("menu", "Wrong PIN"))
        return replace(step, entries=(menu_entry.PinEntered(wanted, is_right=False),))
    proven = menu.proven | {wanted}
    menu = replace(menu, proven=proven)
    level = level_of(menu, state.recorded.keys_on, doors, environment)
    menu = replace(
        menu, level=level, page=SET_UP if menu.key == SET_UP else ROOT, item="", cursor=0, typed="", trail=()
    )
    entries = (menu_entry.PinEntered(wanted, is_right=True), menu_entry.MenuLevelChanged(level, "pin"))
    return Step(with_menu(state, menu).screen, entries).with_sound("button")


def _ordered(state: State, environment: Environment, given: Order, done: Text, slip: str = "") -> Step:
    """Give an order; when it is carried out say so, with a slip of it."""
    step = decide_orders.order(state, environment, given)
    if not step.entries:
        return step
    step = replace(step, screen=noticed(step.screen, environment, done))
    menu = menu_of(state)
    return with_report_slip(state, step, environment, slip, menu.level, menu.language) if slip else step


def _print(state: State, environment: Environment, report: str) -> Step:
    if "printer" not in state.screen.ready:
        return refused(state, environment, Text("menu", "The printer does not answer"))
    menu = menu_of(state)
    step = Step(noticed(state.screen, environment, Text("menu", "The report is being printed"))).with_sound("button")
    return with_report_slip(state, step, environment, report, menu.level, menu.language)


def _close_period(state: State, environment: Environment, _: str) -> Step:
    given = ClosePeriod(menu_of(state).level)
    return _ordered(state, environment, given, Text("menu", "The period is closed"), "last_period")


def _collect(state: State, environment: Environment, _: str) -> Step:
    return _ordered(state, environment, CollectCashBox(), Text("menu", "The collection is recorded"), "collection")


def _refill(state: State, environment: Environment, _: str) -> Step:
    typed = menu_of(state).typed
    if not typed or int(typed) == 0:
        return refused(state, environment, Text("menu", "Type how many coins first"))
    step = _ordered(state, environment, RefillHopper(int(typed)), Text("menu", "The refill is recorded"), "refill")
    if not step.entries or step.screen.menu is None:
        return step
    return replace(step, screen=replace(step.screen, menu=replace(step.screen.menu, typed="")))


def _clear(state: State, environment: Environment, _: str) -> Step:
    given = ClearFaults(menu_of(state).level)
    step = _ordered(state, environment, given, Text("menu", "What could be cleared is cleared"))
    return step if step.entries else refused(state, environment, Text("notice", "The fault is still there"))


def _out_of_service(state: State, environment: Environment, _: str) -> Step:
    if not may_change_money_settings(state):
        return refused(state, environment, Text("menu", "Only without credit, an open hand or a pay-out"))
    if is_up(state, OUT_OF_SERVICE, "terminal"):
        return Step(state.screen)
    return Step(state.screen, (FaultRaised(OUT_OF_SERVICE, "terminal", menu_of(state).level),)).with_sound("button")


def _pick(state: State, _: Environment, argument: str) -> Step:
    menu = menu_of(state)
    name, value = argument.split("=", 1)
    return Step(with_menu(state, replace(menu, picks={**menu.picks, name: value}, turn=0)).screen).with_sound("button")


def _test(state: State, environment: Environment, what: str) -> Step:
    menu = menu_of(state)
    menu = replace(menu, test="" if menu.test == what else what, tested_at_ms=environment.now_ms)
    step = Step(with_menu(state, menu).screen)
    kind, name = what.split(":", 1)
    return step.with_sound(name if kind == "sound" else "button")


def _recall(state: State, environment: Environment, _: str) -> Step:
    typed = menu_of(state).typed
    number = int(typed or "0")
    if not environment.past_rounds(number, 1):
        return refused(state, environment, Text("menu", "There is no such round, or it was void"))
    return go(state, environment, f"recall.round|{round_id(epoch_of(state), number)}")


def _report(state: State, environment: Environment, name: str) -> Step:
    if not environment.machine().report_folder:
        return refused(state, environment, Text("menu", "No folder for reports is set (reports.folder)"))
    menu = menu_of(state)
    screen = noticed(state.screen, environment, Text("menu", "The report is being saved"))
    ordered = menu_entry.ReportOrdered(name, menu.level)
    return Step(screen, (ordered,), (SaveReport(name, menu.language),)).with_sound("button")


def _stop_report(state: State, environment: Environment, _: str) -> Step:
    screen = noticed(state.screen, environment, Text("menu", "The report is being stopped"))
    return Step(screen, (), (StopReport(menu_of(state).level),)).with_sound("button")


_ATTENDANT, _OPERATOR, _TECHNICIAN = LEVELS
_ACTS: Final[dict[str, ActRow]] = {
    "go": ActRow(_ATTENDANT, go),
    "no": ActRow(_ATTENDANT, _no),
    "type": ActRow(_ATTENDANT, _type),
    "pin": ActRow(_ATTENDANT, _pin),
    "pick": ActRow(_ATTENDANT, _pick),
    "test": ActRow(_ATTENDANT, _test),
    "clear": ActRow(_ATTENDANT, _clear),
    "refill": ActRow(_ATTENDANT, _refill),
    "out_of_service": ActRow(_ATTENDANT, _out_of_service),
    "collect": ActRow(_OPERATOR, _collect),
    "close_period": ActRow(_OPERATOR, _close_period),
    "recall": ActRow(_ATTENDANT, _recall),
    "print": ActRow(_OPERATOR, _print),
    "report": ActRow(_OPERATOR, _report),
    "stop_report": ActRow(_OPERATOR, _stop_report),
    **SETTING_ACTS,
    **SET_UP_ACTS,
    **RAM_CLEAR_ACTS,
    **HOPPER_ACTS,
    **CHECK_ACTS,
    **CALIBRATION_ACTS,
}
"""Every act, and who may do it at the least; settings say it themselves, pages guard what stands on them."""
