"""The decision: one pure function from state and stimulus to a step. What is handled where stands in two tables.

Not responsible for anything that happens: the loop records, folds and performs.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from display.view_model import Gesture, Text
from firmware.terminal import (
    decide_boot,
    decide_cash_out,
    decide_checks,
    decide_devices,
    decide_menu,
    decide_money,
    decide_orders,
    decide_pages,
    decide_play,
    decide_program,
    decide_scene,
    decide_slips,
    decide_watch,
)
from firmware.terminal.availability import may_play, mode
from firmware.terminal.betting import Spot, spots_of, take_back, with_bets
from firmware.terminal.coach import advice_given
from firmware.terminal.controls import DEAL_SLOT, Control, control, control_of_slot, controls
from firmware.terminal.decide_hopper_test import with_halt
from firmware.terminal.decide_shoe import with_shoe_ready
from firmware.terminal.notices import refused, without_old_notice
from firmware.terminal.sessions import with_session
from firmware.terminal.set_up import with_set_up
from firmware.terminal.state import State
from firmware.terminal.step import (
    AdviceGiven,
    Boot,
    ClearFaults,
    ClockDone,
    ClosePeriod,
    CollectCashBox,
    Environment,
    MemoryCheckDone,
    ProgramChecked,
    RandomCheckDone,
    RefillHopper,
    ReportDone,
    Shutdown,
    Step,
    Stimulus,
    Tick,
)
from firmware.terminal.wishes import wishes
from hal import events

_EVENTS: dict[type, Callable[[State, Environment, Any], Step]] = {
    events.NoteEscrowed: decide_menu.note_escrowed,
    events.NoteStacked: decide_money.note_stacked,
    events.NoteReturned: decide_money.note_returned,
    events.NoteRejected: decide_money.note_rejected,
    events.MoneyBegan: decide_money.money_began,
    events.CoinAccepted: decide_menu.coin_accepted,
    events.CoinRejected: decide_menu.coin_rejected,
    events.HopperPaid: decide_cash_out.hopper_paid,
    events.HopperDone: decide_cash_out.hopper_done,
    events.SlipPrinted: decide_slips.slip_printed,
    events.SlipFailed: decide_slips.slip_failed,
    events.DoorChanged: decide_menu.door_changed,
    events.KeyChanged: decide_menu.key_changed,
    events.DeviceFault: decide_devices.device_fault,
    events.DeviceLost: decide_devices.device_lost,
    events.DeviceReady: decide_menu.device_ready,
    ReportDone: decide_menu.report_done,
    MemoryCheckDone: decide_checks.memory_checked,
    RandomCheckDone: decide_checks.random_checked,
    ClockDone: decide_checks.clock_done,
    AdviceGiven: advice_given,
    ProgramChecked: decide_program.checked,
    **dict.fromkeys((ClosePeriod, RefillHopper, CollectCashBox, ClearFaults), decide_orders.order),
}


HELD_MS = 50
"""A press that the panel reports so soon after its start was one before."""


def decide(state: State, stimulus: Stimulus, environment: Environment) -> Step:
    """Return what follows from a stimulus. Pure: equal arguments (and shuffles) give equal steps."""
    step = with_halt(state, with_set_up(state, _decided(state, stimulus, environment), environment))
    return with_shoe_ready(state, step, environment)


def _decided(state: State, stimulus: Stimulus, environment: Environment) -> Step:
    state = replace(state, screen=without_old_notice(state.screen, environment))
    state = replace(state, screen=with_session(state, environment))
    if isinstance(stimulus, Tick) and state.screen.menu is not None:  # what lies beneath the menu stands still
        idle = decide_menu.when_idle(state, environment)
        step = decide_watch.watch(replace(state, screen=idle.screen), environment)
        return replace(step, entries=(*idle.entries, *step.entries))
    if isinstance(stimulus, Tick):
        state = replace(state, screen=decide_pages.with_check(state, environment))
        screen = decide_scene.when_idle(state, environment)
        return decide_watch.watch(replace(state, screen=screen), environment)
    if isinstance(stimulus, Boot):
        return decide_boot.boot(state, environment)
    if isinstance(stimulus, Shutdown):
        return decide_boot.shutdown(state, environment)
    if isinstance(stimulus, Gesture) and state.screen.menu is not None:
        return decide_menu.gesture(state, environment, stimulus)
    if isinstance(stimulus, Gesture):
        return _gesture(_active(state, environment), stimulus, environment)
    if isinstance(stimulus, events.ButtonPressed):
        if stimulus.at_ms - state.screen.panel_ready_ms <= HELD_MS:
            return Step(state.screen)  # a button that was held down over a restart is not pressed again
        if state.screen.menu is not None:
            return decide_menu.button(state, environment, stimulus)
        slot = stimulus.button.removeprefix("b")
        return _gesture(_active(state, environment), Gesture(f"slot:{slot}"), environment)
    if isinstance(stimulus, events.ButtonReleased):
        return decide_menu.button(state, environment, stimulus)
    return _EVENTS[type(stimulus)](state, environment, stimulus)


def _active(state: State, environment: Environment) -> State:
    """Somebody is there: the idle time begins anew, and what was said before is out of the way."""
    return replace(state, screen=replace(state.screen, active_at_ms=environment.now_ms, notice=None))


def _gesture(state: State, gesture: Gesture, environment: Environment) -> Step:
    kind, _, rest = gesture.target.partition(":")
    if mode(state) == "attract" and kind not in ("lang", "sound", "help"):
        found = _control_meant(state, environment, gesture.target)
        if found is not None and found.id in ("language", "help"):
            return _press(state, found.id, environment)
        return decide_scene.to_lobby(state, environment)
    match kind:
        case "button":
            return _press(state, rest, environment)
        case "slot":
            found = control_of_slot(state, environment, int(rest) if rest.isdigit() else 0)
            return _press(state, found.id, environment) if found else Step(state.screen)
        case "chip" | "box" | "fairness":
            return _at_table(state, gesture, environment)
        case "card":
            return _card(state, rest)
        case "lobby" if mode(state) == "lobby":
            return decide_scene.open_table(state, environment, rest)
        case "lang" | "sound" | "meter":
            return _wish(state, kind, environment)
        case "help" if mode(state) == "help":
            return _page(state, "back", environment)
        case "help" if mode(state) in ("attract", "lobby", "table"):
            return decide_pages.open_pages(state, environment)
        case "key":
            return _key(state, rest, environment)
        case "page" if mode(state) == "help":
            return _page(state, rest, environment)
        case _:
            return Step(state.screen)


def _wish(state: State, kind: str, environment: Environment) -> Step:
    """Change at a touch what else a page of settings changes: the language, the volume, what the meters count in."""
    if kind == "lang":
        return decide_scene.next_language(state, environment)
    if kind == "sound":
        return decide_scene.next_volume(state, environment)
    change = wishes(environment.options).get("in_credits")
    return Step(state.screen if change is None else change(state.screen, environment.options))


def _control_meant(state: State, environment: Environment, target: str) -> Control | None:
    kind, _, rest = target.partition(":")
    if kind == "slot":
        return control_of_slot(state, environment, int(rest) if rest.isdigit() else 0)
    return control(state, environment, rest) if kind == "button" else None


def _page(state: State, rest: str, environment: Environment) -> Step:
    if rest.startswith("row:"):
        return decide_pages.touch_row(state, environment, rest.removeprefix("row:"))
    meant = {"up": "page_up", "down": "page_down", "select": "select"}.get(rest, "back")
    if meant == "back" and state.screen.pages.topic == "check":
        meant = "proceed"
    return _press(state, meant, environment)


def _press(state: State, control_id: str, environment: Environment) -> Step:
    found = control(state, environment, control_id)
    if found is None:
        return Step(state.screen)
    if not found.enabled:
        return refused(state, environment, found.reason or Text("notice", "Not possible now"))
    if control_id.startswith("mark:"):
        return decide_play.mark(state, int(control_id.removeprefix("mark:")))
    if control_id.startswith("topic:"):
        return decide_pages.open_topic(state, environment, control_id.removeprefix("topic:"))
    if control_id.startswith("digit:"):
        return decide_pages.type_digit(state, environment, control_id.removeprefix("digit:"))
    handler = _CONTROLS.get(control_id)
    if handler is not None:
        return handler(state, environment)
    return decide_play.choose(state, environment, control_id)


def _key(state: State, key: str, environment: Environment) -> Step:
    """A key of a PC's keyboard: the primary action, the way back, and short cuts to what buttons do anyway."""
    if key == "primary":
        found = control_of_slot(state, environment, DEAL_SLOT)
        return _press(state, found.id, environment) if found else Step(state.screen)
    names = _KEYS.get(key, ())
    here = {found.id for found in controls(state, environment)}
    name = next((name for name in names if name in here), None)
    if name is not None:
        return _press(state, name, environment)
    return decide_scene.next_volume(state, environment) if key == "sound" else Step(state.screen)


def _at_table(state: State, gesture: Gesture, environment: Environment) -> Step:
    """Chips by touch: tap a chip to select it, tap or drag to a spot to bet, long press or drag away to take back."""
    if gesture.target == "fairness" and mode(state) == "table":
        return decide_pages.open_topic(state, environment, "fairness")
    if mode(state) != "table" or state.live is not None or not may_play(state):
        return Step(state.screen)
    if gesture.target.startswith("chip:"):
        value = gesture.target.removeprefix("chip:")
        step = decide_scene.select_chip(state, environment, int(value) if value.isdigit() else 0)
        onto = _spot(gesture.onto)
        if gesture.kind != "drag" or onto is None:
            return step
        return decide_play.bet_on(replace(state, screen=step.screen), environment, onto)
    spot = _spot(gesture.target)
    if spot is None:
        return Step(state.screen)
    if gesture.kind == "long_press":
        return decide_play.unbet(state, environment, spot)
    if gesture.kind == "drag":
        return _moved(state, environment, spot, _spot(gesture.onto))
    return decide_play.bet_on(state, environment, spot)


def _moved(state: State, environment: Environment, spot: Spot, onto: Spot | None) -> Step:
    """Chips dragged from a spot: to another spot, or off the table; a refused move leaves them where they were."""
    moving = next((bet for bet in state.screen.bets if (bet.position, bet.line) == (spot.position, spot.line)), None)
    if moving is None or onto == spot:
        return Step(state.screen)
    if onto is None:
        return decide_play.unbet(state, environment, spot)
    without = with_bets(state.screen, take_back(environment.games[state.screen.game].game, state.screen.bets, spot))
    chip_minor = state.screen.chip_minor
    lifted = replace(state, screen=replace(without, chip_minor=moving.amount_minor))
    step = decide_play.bet_on(lifted, environment, onto)
    if step.screen.bets == without.bets:  # refused: the chips stay, the reason is shown
        kept = replace(state.screen, notice=step.screen.notice)
        return Step(kept).with_sound("error")
    return replace(step, screen=replace(step.screen, chip_minor=chip_minor, undo=without.undo))


def _card(state: State, key: str) -> Step:
    """A card touched by its key ``b<box>.<hand>.<slot>``: marks it when it belongs to the hand that decides."""
    live = state.live
    parts = key.removeprefix("b").split(".")
    if live is None or mode(state) != "table" or len(parts) != 3 or not all(part.isdigit() for part in parts):
        return Step(state.screen)
    box, hand, slot = map(int, parts)
    decision = live.decision
    if (box, hand) != (decision.box, decision.hand):
        return Step(state.screen)
    return decide_play.mark(state, slot)


def _spot(target: str) -> Spot | None:
    kind, _, rest = target.partition(":")
    position, _, line = rest.partition(":")
    return Spot(int(position), line) if kind == "box" and position.isdigit() and line else None


def _next_spot(state: State, environment: Environment) -> Step:
    count = len(spots_of(environment.games[state.screen.game].game))
    spot = (state.screen.spot + 1) % count
    return Step(replace(state.screen, spot=spot, shows_result=False)).with_sound("button")


def _bet_on_selected(state: State, environment: Environment) -> Step:
    spots = spots_of(environment.games[state.screen.game].game)
    return decide_play.bet_on(state, environment, spots[state.screen.spot % len(spots)])


_CONTROLS: dict[str, Callable[[State, Environment], Step]] = {
    "start": decide_scene.to_lobby,
    "previous": lambda state, environment: decide_scene.select_tile(state, environment, -1),
    "next": lambda state, environment: decide_scene.select_tile(state, environment, 1),
    "open": lambda state, environment: decide_scene.open_table(state, environment, state.screen.game),
    "lobby": decide_scene.to_lobby,
    "language": decide_scene.next_language,
    "help": decide_pages.open_pages,
    "back": decide_pages.close_pages,
    "proceed": decide_pages.close_pages,
    "page_up": lambda state, environment: decide_pages.move(state, environment, -1),
    "page_down": lambda state, environment: decide_pages.move(state, environment, 1),
    "select": decide_pages.change_setting,
    "other_rules": lambda state, environment: decide_pages.other_rules(state, environment, 1),
    "older": lambda state, environment: decide_pages.other_hand(state, environment, 1),
    "newer": lambda state, environment: decide_pages.other_hand(state, environment, -1),
    "step_back": lambda state, environment: decide_pages.other_moment(state, environment, 1),
    "step_on": lambda state, environment: decide_pages.other_moment(state, environment, -1),
    "cut_less": lambda state, environment: decide_pages.move_cut(state, environment, -1),
    "cut_more": lambda state, environment: decide_pages.move_cut(state, environment, 1),
    "cut_deep": lambda state, environment: decide_pages.move_cut(state, environment, 10),
    "no_cut": lambda state, environment: decide_pages.move_cut(state, environment, -state.screen.cut),
    "type_number": decide_pages.type_number,
    "chip": decide_scene.next_chip,
    "new_bets": decide_scene.new_bets,
    "spot": _next_spot,
    "bet": _bet_on_selected,
    "undo": decide_play.undo,
    "clear": decide_play.clear,
    "rebet": decide_play.rebet,
    "double_bets": decide_play.double_bets,
    "deal": decide_play.deal,
    "cash_out": decide_cash_out.cash_out,
}

_KEYS: dict[str, tuple[str, ...]] = {
    "escape": ("back", "proceed", "lobby"),
    "help": ("help", "back"),
    "language": ("language",),
    "up": ("page_up", "older", "bet"),
    "down": ("page_down", "newer", "undo"),
    "left": ("previous", "step_back", "chip"),
    "right": ("next", "step_on", "select", "spot"),
}
"""Which control a key of the keyboard stands for: the first of these that is there now."""
