"""Decisions about what nobody reports: silence, storage, the clock, settings, the program itself. Pure.

``at_start`` looks once, with the state as it was before the start; ``watch`` looks at every tick.
"""

from dataclasses import replace

from firmware.entries import types as entry
from firmware.terminal.decide_cash_out import give_up_on_hopper
from firmware.terminal.decide_orders import is_present
from firmware.terminal.decide_settings import setting_entries
from firmware.terminal.faults import (
    CLOCK_BACK,
    CLOCK_FORWARD,
    DOOR_CODES,
    FAULTS,
    PROGRAM_CHANGED,
    RANDOMNESS,
    STORAGE,
    is_up,
)
from firmware.terminal.state import State
from firmware.terminal.step import Environment, Step

CLOCK_TOLERANCE_MS = 60_000
TERMINAL = "terminal"


def at_start(state: State, environment: Environment) -> tuple[entry.Entry, ...]:
    """Return what is found at the start: another program, other settings, a clock behind the journal's end."""
    found: list[entry.Entry] = []
    before, now = state.recorded.program_version, environment.program_version
    if before and before != now:
        found.append(entry.FaultRaised(PROGRAM_CHANGED, TERMINAL, f"{before} -> {now}"))
    found += [each for each in environment.program_replaced if not environment.is_recorded(each.unique_keys()[0])]
    back_ms = state.recorded.last_at_ms - environment.wall_ms
    if back_ms > CLOCK_TOLERANCE_MS and not is_up(state, CLOCK_BACK, TERMINAL):
        found.append(entry.FaultRaised(CLOCK_BACK, TERMINAL, f"back by {back_ms} ms"))
    if environment.randomness_failure and not is_up(state, RANDOMNESS, TERMINAL):
        found.append(entry.FaultRaised(RANDOMNESS, TERMINAL, environment.randomness_failure))
    return (*found, *setting_entries(state, environment))


def watch(state: State, environment: Environment) -> Step:
    """Look at what may have changed since the last tick."""
    step = give_up_on_hopper(state, environment)
    offset_ms = environment.wall_ms - environment.now_ms
    entries: list[entry.Entry] = list(step.entries)
    entries += _storage(state, environment)
    entries += [] if state.screen.sets_clock else _clock(state, offset_ms)
    entries += setting_entries(state, environment)
    for fault in state.recorded.faults:
        reports = fault.device in state.screen.ready and fault.code not in DOOR_CODES.values()
        if FAULTS[fault.code].clears == "self" and reports and not is_present(state, fault):
            entries.append(entry.FaultCleared(fault.code, fault.device, "self"))
    return replace(step, screen=replace(step.screen, clock_offset_ms=offset_ms), entries=tuple(entries))


def _storage(state: State, environment: Environment) -> list[entry.Entry]:
    was_up = is_up(state, STORAGE, TERMINAL)
    if environment.storage_low and not was_up:
        return [entry.FaultRaised(STORAGE, TERMINAL, "less free space than the floor")]
    if was_up and not environment.storage_low:
        return [entry.FaultCleared(STORAGE, TERMINAL, "self")]
    return []


def _clock(state: State, offset_ms: int) -> list[entry.Entry]:
    """The wall clock moved against the monotonic one: somebody set it, or a time server did."""
    before_ms = state.screen.clock_offset_ms
    if before_ms is None or abs(offset_ms - before_ms) <= CLOCK_TOLERANCE_MS:
        return []
    code, word = (CLOCK_FORWARD, "forward") if offset_ms > before_ms else (CLOCK_BACK, "back")
    if is_up(state, code, TERMINAL):
        return []
    return [entry.FaultRaised(code, TERMINAL, f"{word} by {abs(offset_ms - before_ms)} ms")]
