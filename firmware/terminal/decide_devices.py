"""Decisions about doors, keys, and what devices say of themselves: conditions become faults of the table. Pure.

Not responsible for what nobody reports (``decide_watch``).
"""

from dataclasses import replace

from display.view_model import Text
from firmware.entries import types as entry
from firmware.entries.service import HopperTestFinished
from firmware.terminal import decide_counters
from firmware.terminal.availability import is_stopped
from firmware.terminal.decide_cash_out import clear_handpay, resolve_hopper
from firmware.terminal.decide_money import cut_off, former_note, resolve_note
from firmware.terminal.decide_orders import clearing_entries
from firmware.terminal.faults import (
    DOOR_CODES,
    EVERYTHING,
    FAULTS,
    HOPPER_UNCERTAIN,
    NOTE_UNCERTAIN,
    OPENED_UNSEEN,
    PLAY,
    code_for,
    is_up,
)
from firmware.terminal.notices import noticed
from firmware.terminal.state import State
from firmware.terminal.step import Effect, Environment, HaltHopper, Step
from hal.events import DeviceFault, DeviceLost, DeviceReady, DoorChanged, HopperReport, KeyChanged, NoteReport

LOST = "lost"
AT_READY_MS = 50
"""What the panel reports so soon after its start was so before: nobody was watching when it became so."""


def door_changed(state: State, _: Environment, event: DoorChanged) -> Step:
    """Record a door that moved; an open door stops everything, the hopper at once."""
    if event.is_open == (event.door in state.recorded.doors_open):
        return Step(state.screen)
    code = DOOR_CODES.get(event.door)
    entries: list[entry.Entry] = [entry.DoorMoved(event.door, event.is_open)]
    if event.is_open:
        if code is not None:
            entries.append(entry.FaultRaised(code, event.device, ""))
        if was_so_before(state, event.at_ms) and not is_up(state, OPENED_UNSEEN, event.device):
            entries.append(entry.FaultRaised(OPENED_UNSEEN, event.device, event.door))
        return Step(state.screen, tuple(entries), _halt(state)).with_sound("alarm")
    if code is not None and is_up(state, code, event.device):
        entries.append(entry.FaultCleared(code, event.device, "self"))
    return Step(state.screen, tuple(entries))


def key_changed(state: State, environment: Environment, event: KeyChanged) -> Step:
    """Record a key. A turn clears what its level may clear; the attendant's, where nothing is left, a handpay."""
    if event.is_on == (event.key in state.recorded.keys_on):
        return Step(state.screen)  # a key that was left turned does not turn again at a restart
    turned = entry.KeyTurned(event.key, event.is_on)
    if not event.is_on or was_so_before(state, event.at_ms):
        return Step(state.screen, (turned,))
    cleared = clearing_entries(state, event.key)
    if cleared:
        return Step(state.screen, (turned, *cleared)).with_sound("button")
    if event.key != "attendant":
        return Step(state.screen, (turned,))
    if is_stopped(state, PLAY):
        screen = noticed(state.screen, environment, Text("notice", "The fault is still there"), "warning")
        return Step(screen, (turned,))
    step = clear_handpay(state, environment)
    return replace(step, entries=(turned, *step.entries))


def device_fault(state: State, environment: Environment, event: DeviceFault) -> Step:
    """Raise or clear the fault that belongs to a device's condition."""
    return _condition(state, environment, event.device, event.code, event.detail, is_up_now=event.is_up)


def device_lost(state: State, environment: Environment, event: DeviceLost) -> Step:
    """A device no longer answers."""
    screen = replace(state.screen, ready=state.screen.ready - {event.device})
    if event.device == "hopper" and "hopper" in state.screen.ready:
        screen = replace(screen, hopper_lost_at_ms=environment.now_ms)
    state = replace(state, screen=screen)
    return _condition(state, environment, event.device, LOST, event.reason, is_up_now=True)


def device_ready(state: State, environment: Environment, event: DeviceReady) -> Step:
    """A device answers: settle with it what was in flight when we last heard of each other."""
    screen = replace(state.screen, ready=state.screen.ready | {event.device})
    if event.device == "panel":
        screen = replace(screen, panel_ready_ms=event.at_ms)
    state = replace(state, screen=screen)
    step = _condition(state, environment, event.device, LOST, "", is_up_now=False)
    step = replace(step, entries=(*step.entries, *cut_off(state, (event.device,))))
    state = replace(state, screen=step.screen)
    more = decide_counters.more_than_recorded(state, environment, event)
    if isinstance(event.report, NoteReport):
        entries, effects = resolve_note(state, event.report, more)
        step = replace(step, entries=(*step.entries, *entries), effects=(*step.effects, *effects))
        if event.report.former is not None:
            credited = former_note(state, environment, event.device, event.report.former)
            step = replace(
                credited, entries=(*step.entries, *credited.entries), effects=(*step.effects, *credited.effects)
            )
    elif isinstance(event.report, HopperReport):
        resolved = resolve_hopper(state, environment, event.report, more)
        step = replace(resolved, entries=(*step.entries, *resolved.entries))
    settled = _settled_count(state, step.entries)
    return replace(step, entries=(*step.entries, *decide_counters.entries_of(state, environment, event, more, settled)))


def _settled_count(state: State, entries: tuple[entry.Entry, ...]) -> int | None:
    """Return how many notes or coins these entries count; None when one of them is a fault that says it can't be known."""
    payout, test = state.recorded.payout, state.recorded.hopper_test
    count = 0
    for each in entries:
        match each:
            case entry.FaultRaised(code) if code in (NOTE_UNCERTAIN, HOPPER_UNCERTAIN):
                return None
            case entry.NoteCredited():
                count += 1
            case entry.HopperFinished(_, paid_count) if payout is not None:
                count += paid_count - payout.paid_count
            case HopperTestFinished(new_count=new_count) if test is not None:
                count += new_count
    return count


def was_so_before(state: State, at_ms: int) -> bool:
    """Tell whether the panel reports something that was so before it started: nobody was watching when it happened."""
    return at_ms - state.screen.panel_ready_ms <= AT_READY_MS


def _halt(state: State) -> tuple[Effect, ...]:
    payout = state.recorded.payout
    return (HaltHopper(),) if payout is not None and not payout.hopper_done else ()


def _condition(
    state: State, environment: Environment, device: str, condition: str, detail: str, *, is_up_now: bool
) -> Step:
    present = state.screen.conditions
    conditions = present | {(device, condition)} if is_up_now else present - {(device, condition)}
    screen = replace(state.screen, conditions=conditions)
    code = code_for(device, condition)
    if code is None:
        return Step(screen)
    row = FAULTS[code]
    still = any(code_for(*other) == code for other in conditions if other[0] == device)
    if is_up_now and not is_up(state, code, device):
        if PLAY not in row.stops and not is_stopped(state, PLAY):  # else the whole screen says it
            screen = noticed(screen, environment, row.player, "warning")
        effects = _halt(state) if row.stops == EVERYTHING else ()
        return Step(screen, (entry.FaultRaised(code, device, detail or condition),), effects).with_sound("alarm")
    if not still and row.clears == "self" and is_up(state, code, device):
        return Step(screen, (entry.FaultCleared(code, device, "self"),))
    return Step(screen)
