"""Decisions about doors, keys, and what devices say of themselves: conditions become faults of the table. Pure."""

from dataclasses import replace

from display.view_model import Text
from firmware.entries import types as entry
from firmware.terminal.availability import is_stopped
from firmware.terminal.decide_cash_out import clear_handpay, give_up_on_hopper, resolve_hopper
from firmware.terminal.decide_money import resolve_note
from firmware.terminal.faults import CLOCK, DOOR_CODES, FAULTS, PLAY, STORAGE, code_for
from firmware.terminal.notices import noticed
from firmware.terminal.state import Fault, State
from firmware.terminal.step import Effect, Environment, HaltHopper, Step
from hal.events import DeviceFault, DeviceLost, DeviceReady, DoorChanged, HopperReport, KeyChanged, NoteReport

CLOCK_TOLERANCE_MS = 60_000
LOST = "lost"


def door_changed(state: State, _: Environment, event: DoorChanged) -> Step:
    """Record a door that moved; an open door stops everything, the hopper at once."""
    if event.is_open == (event.door in state.recorded.doors_open):
        return Step(state.screen)
    code = DOOR_CODES.get(event.door)
    entries: list[entry.Entry] = [entry.DoorMoved(event.door, event.is_open)]
    effects: tuple[Effect, ...] = ()
    if event.is_open:
        if code is not None:
            entries.append(entry.FaultRaised(code, event.device, ""))
        payout = state.recorded.payout
        if payout is not None and not payout.hopper_done:
            effects = (HaltHopper(),)
        return Step(state.screen, tuple(entries), effects).with_sound("alarm")
    if code is not None and _is_up(state, code, event.device):
        entries.append(entry.FaultCleared(code, event.device, "self"))
    return Step(state.screen, tuple(entries), effects)


def key_changed(state: State, environment: Environment, event: KeyChanged) -> Step:
    """Record a key; the attendant's clears what an attendant may clear: first faults, then a handpay."""
    if event.is_on == (event.key in state.recorded.keys_on):
        return Step(state.screen)  # a key that was left turned does not turn again at a restart
    turned = entry.KeyTurned(event.key, event.is_on)
    if not event.is_on or event.key != "attendant":
        return Step(state.screen, (turned,))
    cleared = tuple(
        entry.FaultCleared(fault.code, fault.device, "attendant")
        for fault in state.recorded.faults
        if FAULTS[fault.code].clears == "attendant" and not _is_present(state, fault)
    )
    if cleared:
        return Step(state.screen, (turned, *cleared)).with_sound("button")
    if is_stopped(state, PLAY):
        screen = noticed(state.screen, environment, Text("notice", "The fault is still there"), "warning")
        return Step(screen, (turned,))
    step = clear_handpay(state, environment)
    return replace(step, entries=(turned, *step.entries))


def device_fault(state: State, _: Environment, event: DeviceFault) -> Step:
    """Raise or clear the fault that belongs to a device's condition."""
    return _condition(state, event.device, event.code, event.detail, is_up=event.is_up)


def device_lost(state: State, _: Environment, event: DeviceLost) -> Step:
    """A device no longer answers."""
    screen = replace(state.screen, ready=state.screen.ready - {event.device})
    state = replace(state, screen=screen)
    return _condition(state, event.device, LOST, event.reason, is_up=True)


def device_ready(state: State, environment: Environment, event: DeviceReady) -> Step:
    """A device answers: settle with it what was in flight when we last heard of each other."""
    screen = replace(state.screen, ready=state.screen.ready | {event.device})
    if event.device == "panel":
        screen = replace(screen, panel_ready_ms=event.at_ms)
    state = replace(state, screen=screen)
    step = _condition(state, event.device, LOST, "", is_up=False)
    state = replace(state, screen=step.screen)
    if isinstance(event.report, NoteReport):
        entries, effects = resolve_note(state, event.report)
        return replace(step, entries=(*step.entries, *entries), effects=(*step.effects, *effects))
    if isinstance(event.report, HopperReport):
        resolved = resolve_hopper(state, environment, event.report)
        return replace(resolved, entries=(*step.entries, *resolved.entries))
    return step


def watch(state: State, environment: Environment) -> Step:
    """Look at what nobody reports: silence after the start, storage, the clock, conditions that ended unnoticed."""
    step = give_up_on_hopper(state, environment)
    entries: list[entry.Entry] = list(step.entries)
    entries += _storage(state, environment)
    if environment.wall_ms + CLOCK_TOLERANCE_MS < state.recorded.last_at_ms and not _is_up(state, CLOCK, "terminal"):
        back_ms = state.recorded.last_at_ms - environment.wall_ms
        entries.append(entry.FaultRaised(CLOCK, "terminal", f"back by {back_ms} ms"))
    for fault in state.recorded.faults:
        reports = fault.device in state.screen.ready and fault.code not in DOOR_CODES.values()
        if FAULTS[fault.code].clears == "self" and reports and not _is_present(state, fault):
            entries.append(entry.FaultCleared(fault.code, fault.device, "self"))
    return replace(step, entries=tuple(entries))


def _storage(state: State, environment: Environment) -> list[entry.Entry]:
    is_up = _is_up(state, STORAGE, "terminal")
    if environment.storage_low and not is_up:
        return [entry.FaultRaised(STORAGE, "terminal", "less free space than the floor")]
    if is_up and not environment.storage_low:
        return [entry.FaultCleared(STORAGE, "terminal", "self")]
    return []


def _condition(state: State, device: str, condition: str, detail: str, *, is_up: bool) -> Step:
    present = state.screen.conditions
    conditions = present | {(device, condition)} if is_up else present - {(device, condition)}
    screen = replace(state.screen, conditions=conditions)
    code = code_for(device, condition)
    if code is None:
        return Step(screen)
    still = any(code_for(*other) == code for other in conditions if other[0] == device)
    if is_up and not _is_up(state, code, device):
        return Step(screen, (entry.FaultRaised(code, device, detail or condition),)).with_sound("alarm")
    if not still and FAULTS[code].clears == "self" and _is_up(state, code, device):
        return Step(screen, (entry.FaultCleared(code, device, "self"),))
    return Step(screen)


def _is_up(state: State, code: str, device: str) -> bool:
    return any((fault.code, fault.device) == (code, device) for fault in state.recorded.faults)


def _is_present(state: State, fault: Fault) -> bool:
    return any(
        code_for(*condition) == fault.code for condition in state.screen.conditions if condition[0] == fault.device
    )
