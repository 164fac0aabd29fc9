"""Decisions about the operator's menu: opening, moving about, leaving. Pure.

It opens by a key alone, never by a door; everything beneath it stays as it was. Not responsible for what a chosen row
does (``decide_menu_acts``) or for what stands on a page (``operator_menu``).
"""

from dataclasses import replace
from typing import Final

from display.view_model import Gesture, Text
from firmware.entries import menu as menu_entry
from firmware.entries import service
from firmware.entries.types import Entry
from firmware.terminal import decide_devices, decide_money, wishes
from firmware.terminal.availability import faults_up
from firmware.terminal.decide_calibration import cross_touched
from firmware.terminal.decide_menu_acts import act, go
from firmware.terminal.menu import LOCK_UP, PIN_PAGE, ROOT, SET_UP, Ask, Menu, MenuPage
from firmware.terminal.menu_rights import IDLE_MS, granted, level_to_prove, may_open, may_see
from firmware.terminal.notices import noticed
from firmware.terminal.report_troubles import TROUBLES
from firmware.terminal.set_up import level_of
from firmware.terminal.state import Screen, State
from firmware.terminal.step import ConfirmCoin, Environment, ReportDone, ReturnNote, Step
from hal.events import (
    ButtonPressed,
    ButtonReleased,
    CoinAccepted,
    CoinRejected,
    DeviceReady,
    DoorChanged,
    KeyChanged,
    NoteEscrowed,
)

_SLOTS: Final = {"1": "up", "2": "down", "8": "back", "9": "select", "10": "language"}
_BUTTONS: Final = {"page_up": "up", "page_down": "down"}
_KEYBOARD: Final = {"primary": "select", "escape": "back", "left": "back", "right": "select"}
TOUCHES_KEPT: Final = 200
AUTO_OFF_MS: Final = 30_000
"""A lamp or another output that is tried goes back to its work after this."""
_OUTPUTS: Final = ("lamp", "tower", "diverter", "coins")
COINS_LET_IN: Final = "coins:accept"
"""The part of the coin test that keeps the coins."""
ENDLESS_PAGES: Final = ("diagnostics.burn_in",)
"""Pages that are meant to be left alone for hours."""


def key_changed(state: State, environment: Environment, event: KeyChanged) -> Step:
    """A key: what it clears comes first; a turn that clears nothing opens the menu, turning back closes it."""
    step = decide_devices.key_changed(state, environment, event)
    menu = state.screen.menu
    if not step.entries:
        return step
    if menu is not None and menu.key == SET_UP:
        keys = state.recorded.keys_on | {event.key} if event.is_on else state.recorded.keys_on - {event.key}
        return _at_level(replace(state, recorded=replace(state.recorded, keys_on=keys)), step, environment, "key")
    if menu is not None:
        is_ours = not event.is_on and event.key == menu.key
        return _closed(step, menu, "key", environment) if is_ours else step
    if not event.is_on or len(step.entries) > 1 or decide_devices.was_so_before(state, event.at_ms):
        return step
    if not may_open(state):
        busy = Text("notice", "Finish the hand or the pay-out first")
        return replace(step, screen=noticed(step.screen, environment, busy, "warning"))
    return _opened(state, step, environment, event.key)


def door_changed(state: State, environment: Environment, event: DoorChanged) -> Step:
    """A door: rights may come and go with it; a page that needs it is left when it closes."""
    step = decide_devices.door_changed(state, environment, event)
    menu = step.screen.menu
    if menu is None or not step.entries:
        return step
    doors = state.recorded.doors_open | {event.door} if event.is_open else state.recorded.doors_open - {event.door}
    after = replace(state, recorded=replace(state.recorded, doors_open=doors))
    return _at_level(after, step, environment, "door_open" if event.is_open else "door_closed")


def _at_level(after: State, step: Step, environment: Environment, reason: str) -> Step:
    """Give somebody the level that follows from keys and doors as they are ``after`` it, and leave what needs more."""
    menu = step.screen.menu
    if menu is None:
        return step
    level = level_of(menu, after.recorded.keys_on, after.recorded.doors_open, environment)
    entries: tuple[Entry, ...] = ()
    if level != menu.level:
        entries = (menu_entry.MenuLevelChanged(level, reason),)
    menu = where_allowed(after, environment, replace(menu, level=level))
    return replace(step, screen=replace(step.screen, menu=menu), entries=(*step.entries, *entries))


def note_escrowed(state: State, environment: Environment, event: NoteEscrowed) -> Step:
    """A note in the menu's note test is named and given back; it never becomes credit."""
    if state.screen.menu is None:
        return decide_money.note_escrowed(state, environment, event)
    is_test = environment.menu_page(state, environment).takes_notes
    tested = (menu_entry.NoteTested(event.denomination_minor),) if is_test else ()
    return Step(_somebody(state, environment).screen, tested, (ReturnNote(event.escrow_id),)).with_sound("button")


def coin_accepted(state: State, environment: Environment, event: CoinAccepted) -> Step:
    """A coin that the coin test has let in is counted and is nobody's credit; any other one is the player's."""
    menu = state.screen.menu
    key = f"coin:{event.key}"
    is_test = menu is not None and menu.test == COINS_LET_IN and environment.menu_page(state, environment).takes_coins
    if not is_test or environment.is_recorded(key) or state.recorded.credit_minor:
        return decide_money.coin_accepted(state, environment, event)
    tested = service.CoinTested(event.key, event.value_minor, event.to)
    return Step(_somebody(state, environment).screen, (tested,), (ConfirmCoin(event.key),)).with_sound("coin")


def coin_rejected(state: State, environment: Environment, event: CoinRejected) -> Step:
    """A coin that fell through is counted on the page of the coin test."""
    step = decide_money.coin_rejected(state, environment, event)
    menu = state.screen.menu
    if menu is None:
        return step
    name = f"coin:{event.reason}"
    presses = {**menu.presses, name: menu.presses.get(name, 0) + 1}
    return replace(step, screen=replace(step.screen, menu=replace(menu, presses=presses)))


def device_ready(state: State, environment: Environment, event: DeviceReady) -> Step:
    """A device that came back may repeat a player's coin: the coin test ends first."""
    menu = state.screen.menu
    if menu is not None and menu.test == COINS_LET_IN and event.device == "coins":
        state = replace(state, screen=replace(state.screen, menu=replace(menu, test="")))
    return decide_devices.device_ready(state, environment, event)


def report_done(state: State, environment: Environment, event: ReportDone) -> Step:
    """Record what became of a report, and say it to whoever waits for it."""
    saved = menu_entry.ReportSaved(event.name, event.digest, event.error)
    text, tone = Text("menu", "Saved as {name}", (("name", event.name),)), "info"
    if event.error:
        text, tone = TROUBLES.get(event.cause, TROUBLES["other"]), "error"
    screen = noticed(state.screen, environment, text, tone) if state.screen.menu is not None else state.screen
    return Step(screen, (saved,))


def when_idle(state: State, environment: Environment) -> Step:
    """Close a menu in which nobody has done anything for a while."""
    menu = state.screen.menu
    if menu is None:
        return Step(state.screen)
    kind = menu.test.partition(":")[0]
    if kind in _OUTPUTS and environment.now_ms - menu.tested_at_ms >= AUTO_OFF_MS:
        menu = replace(menu, test="")
        state = replace(state, screen=replace(state.screen, menu=menu))
    is_endless = menu.key == SET_UP or menu.page in ENDLESS_PAGES
    if is_endless or environment.now_ms - menu.active_at_ms < IDLE_MS:
        return Step(state.screen)
    return _closed(Step(state.screen), menu, "idle", environment)


def button(state: State, environment: Environment, event: ButtonPressed | ButtonReleased) -> Step:
    """A physical button: counted for the test of the inputs, and one of the four that move about."""
    menu = state.screen.menu
    if menu is None:
        return Step(state.screen)
    if isinstance(event, ButtonReleased):
        return Step(replace(state.screen, menu=replace(menu, held=menu.held - {event.button})))
    presses = {**menu.presses, event.button: menu.presses.get(event.button, 0) + 1}
    menu = replace(menu, held=menu.held | {event.button}, presses=presses)
    slot = event.button.removeprefix("b")
    return gesture(replace(state, screen=replace(state.screen, menu=menu)), environment, Gesture(f"slot:{slot}"))


def gesture(state: State, environment: Environment, meant: Gesture) -> Step:
    """A touch, a button or a key of the keyboard while the menu is open."""
    state = _somebody(state, environment)
    menu = state.screen.menu
    if menu is None:
        return Step(state.screen)
    kind, _, rest = meant.target.partition(":")
    page = environment.menu_page(state, environment)
    if kind == "page" and rest.startswith("row:"):
        return _row(state, environment, menu, page, rest.removeprefix("row:"))
    if kind == "touch" and rest.startswith("cross:"):
        menu = cross_touched(menu, rest.removeprefix("cross:"))
        return Step(replace(state.screen, menu=menu)).with_sound("button")
    if kind == "touch":
        touched = (*menu.touched, rest)[-TOUCHES_KEPT:]
        return Step(replace(state.screen, menu=replace(menu, touched=touched))).with_sound("button")
    match _direction(kind, rest):
        case "up":
            return _moved(state, menu, page, -1)
        case "down":
            return _moved(state, menu, page, 1)
        case "select":
            return _row(state, environment, menu, page, str(_cursor(menu, page)))
        case "back":
            return _back(state, environment, menu, page)
        case "language":
            language = wishes.next_language(replace(state.screen, language=menu.language), environment.options).language
            return Step(replace(state.screen, menu=replace(menu, language=language))).with_sound("button")
        case _:
            return Step(state.screen)


def _direction(kind: str, rest: str) -> str:
    match kind:
        case "slot":
            return _SLOTS.get(rest, "")
        case "button":
            return _BUTTONS.get(rest, rest)
        case "key":
            return _KEYBOARD.get(rest, rest)
        case "page":
            return rest
        case "lang":
            return "language"
        case _:
            return ""


def _somebody(state: State, environment: Environment) -> State:
    menu = state.screen.menu
    if menu is None:
        return state
    menu = replace(menu, active_at_ms=environment.now_ms)
    return replace(state, screen=replace(state.screen, menu=menu, notice=None))


def _cursor(menu: Menu, page: MenuPage) -> int:
    return menu.cursor if menu.cursor in page.acts else next(iter(page.choices), 0)


def _moved(state: State, menu: Menu, page: MenuPage, step: int) -> Step:
    """Move the cursor where rows can be chosen, else turn the sheet, else step through a recalled round."""
    if page.step_count:
        steps = min(max(menu.steps_back - step, 0), page.step_count)
        menu = replace(menu, steps_back=steps)
    elif page.choices:
        place = page.choices.index(_cursor(menu, page))
        menu = replace(menu, cursor=page.choices[(place + step) % len(page.choices)])
    elif page.sheet_count > 1:
        menu = replace(menu, turn=(menu.turn + step) % page.sheet_count)
    else:
        return Step(state.screen)
    return Step(replace(state.screen, menu=menu)).with_sound("button")


def _row(state: State, environment: Environment, menu: Menu, page: MenuPage, row: str) -> Step:
    if not row.isdigit() or int(row) not in page.acts:
        return Step(state.screen)
    chosen = page.acts[int(row)]
    menu = replace(menu, cursor=int(row))
    if isinstance(chosen, Ask):
        menu = replace(menu, asked=chosen, cursor=0)
        return Step(replace(state.screen, menu=menu)).with_sound("button")
    return act(replace(state, screen=replace(state.screen, menu=menu)), environment, chosen)


def _back(state: State, environment: Environment, menu: Menu, page: MenuPage) -> Step:
    if menu.asked is not None:
        return Step(replace(state.screen, menu=replace(menu, asked=None, cursor=0))).with_sound("button")
    if menu.key == SET_UP and menu.page == SET_UP:
        return Step(state.screen)  # the set-up is left by finishing it
    if menu.page == ROOT and not menu.trail:
        return _closed(Step(state.screen).with_sound("button"), menu, "back", environment)
    above, item, cursor, trail = page.above, "", 0, menu.trail
    if trail:
        (above, item, cursor), trail = trail[-1], trail[:-1]
    menu = replace(menu, page=above, item=item, cursor=cursor, trail=trail, turn=0, steps_back=0, typed="", test="")
    menu = replace(menu, first_typed="", points=())
    return Step(replace(state.screen, menu=menu)).with_sound("button")


def _opened(state: State, step: Step, environment: Environment, key: str) -> Step:
    doors = state.recorded.doors_open
    level = granted(key, (), doors, environment)
    menu = Menu(key, level, state.screen.language, environment.now_ms)
    screen = replace(step.screen, menu=menu)
    entries = (*step.entries, menu_entry.MenuOpened(key, level))
    first = PIN_PAGE if level_to_prove(menu, doors, environment) else LOCK_UP if faults_up(state) else ROOT
    inside = go(replace(state, screen=screen), environment, first) if first != ROOT else Step(screen)
    return replace(inside.with_sound("button"), entries=(*entries, *inside.entries))


def _closed(step: Step, menu: Menu, reason: str, environment: Environment) -> Step:
    """Return what was there before; somebody was there just now, so idle time begins anew."""
    closed = menu_entry.MenuClosed(menu.level, reason)
    screen: Screen = replace(step.screen, menu=None, notice=None, active_at_ms=environment.now_ms)
    return replace(step, screen=screen, entries=(*step.entries, closed))


def where_allowed(state: State, environment: Environment, menu: Menu) -> Menu:
    """Go up to the nearest page that may still be seen."""
    while menu.page not in (ROOT, SET_UP):
        page = environment.menu_page(replace(state, screen=replace(state.screen, menu=menu)), environment)
        if may_see(page, menu.level, state.recorded.doors_open):
            break
        menu = replace(menu, page=page.above, item="", cursor=0, turn=0, trail=(), asked=None, typed="", test="")
    return menu
