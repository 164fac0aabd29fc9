"""Acts of the menu that try printer, hard meters, memory, randomness and clock, and what came of them. Pure.

Slow work is an effect; its result is recorded when it comes. Not responsible for doing any of it (``menu_service``).
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from display.view_model import Text
from firmware.entries import service
from firmware.entries.types import Entry, FaultRaised
from firmware.ids import void_slip_id
from firmware.terminal.decide_play import epoch_of
from firmware.terminal.faults import RANDOMNESS, is_up
from firmware.terminal.menu import LEVELS
from firmware.terminal.menu_rights import may_change_money_settings
from firmware.terminal.menu_steps import ActRow, menu_of, with_menu
from firmware.terminal.notices import noticed, refused
from firmware.terminal.state import State
from firmware.terminal.step import (
    CheckMemory,
    CheckRandom,
    ClockDone,
    Environment,
    MemoryCheckDone,
    PrintTest,
    PulseMeter,
    RandomCheckDone,
    SetClock,
    Step,
)

CLOCK_DIGITS: Final = 12
"""A time is typed as year, month, day, hour and minute: 202612312359."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_HOUR_MS: Final = 3_600_000


def _print(state: State, environment: Environment, _: str) -> Step:
    if "printer" not in state.screen.ready:
        return refused(state, environment, Text("menu", "The printer does not answer"))
    number = state.recorded.count("printer_tests") + 1
    slip_id = void_slip_id(epoch_of(state), number)
    screen = noticed(state.screen, environment, Text("menu", "The test slip is being printed"))
    tested = service.PrinterTested(slip_id, menu_of(state).level)
    return Step(screen, (tested,), (PrintTest(slip_id),)).with_sound("button")


def _pulse(state: State, _: Environment, meter: str) -> Step:
    tested = service.HardMeterTested(meter, 1, menu_of(state).level)
    return Step(state.screen, (tested,), (PulseMeter(meter, 1),)).with_sound("button")


def _memory(state: State, environment: Environment, _: str) -> Step:
    screen = noticed(state.screen, environment, Text("menu", "The copies are being compared"))
    return Step(screen, effects=(CheckMemory(),)).with_sound("button")


def _random(state: State, environment: Environment, _: str) -> Step:
    screen = noticed(state.screen, environment, Text("menu", "The source is being tested"))
    return Step(screen, effects=(CheckRandom(),)).with_sound("button")


def memory_checked(state: State, environment: Environment, found: MemoryCheckDone) -> Step:
    """Record what the comparison of the copies found; it repairs nothing, a start does."""
    checked = service.MemoryChecked(found.seq, found.copies, found.problems)
    text, tone = Text("menu", "All copies are equal and whole"), "info"
    if found.problems:
        text, tone = Text("menu", "Something is wrong with the memory: switch off and on"), "error"
    return Step(noticed(state.screen, environment, text, tone), (checked,))


def random_checked(state: State, environment: Environment, found: RandomCheckDone) -> Step:
    """Record the test; a failure stops everything as it would at the start."""
    entries: list[Entry] = [service.RandomTested(found.byte_count, found.failure)]
    text, tone = Text("menu", "The source passed its test"), "info"
    if found.failure:
        text, tone = Text("menu", "The source failed its test"), "error"
        if not is_up(state, RANDOMNESS, "terminal"):
            entries.append(FaultRaised(RANDOMNESS, "terminal", found.failure))
    return Step(noticed(state.screen, environment, text, tone), tuple(entries))


def _set_clock(state: State, environment: Environment, _: str) -> Step:
    """Set the clock to the typed local time."""
    menu = menu_of(state)
    wall_ms = typed_wall_ms(menu.typed, environment)
    if wall_ms is None:
        return refused(state, environment, Text("menu", "Type year, month, day, hour and minute: 12 digits"))
    return _clock_to(state, environment, wall_ms)


def _shift_clock(state: State, environment: Environment, seconds: str) -> Step:
    return _clock_to(state, environment, environment.wall_ms + int(seconds) * 1_000)


def _clock_to(state: State, environment: Environment, wall_ms: int) -> Step:
    if not may_change_money_settings(state):
        return refused(state, environment, Text("menu", "Only without credit, an open hand or a pay-out"))
    menu = menu_of(state)
    state = with_menu(state, replace(menu, typed=""))
    screen = noticed(replace(state.screen, sets_clock=True), environment, Text("menu", "The clock is being set"))
    return Step(screen, effects=(SetClock(wall_ms, menu.level),)).with_sound("button")


def clock_done(state: State, environment: Environment, done: ClockDone) -> Step:
    """Record what became of it. The order of entries is that of their numbers, whatever the clock says."""
    offset_ms = environment.wall_ms - environment.now_ms
    text, tone = Text("menu", "The clock is set"), "info"
    if done.error:
        text, tone = Text("menu", "The clock was not set: {why}", (("why", done.error),)), "error"
    screen = replace(state.screen, sets_clock=False, clock_offset_ms=offset_ms)
    entered = service.ClockSet(done.before_ms, done.after_ms, done.level, done.error)
    return Step(noticed(screen, environment, text, tone), (entered,))


def typed_wall_ms(typed: str, environment: Environment) -> int | None:
    """Return the wall time (UTC) of typed digits in the house's local time, None for what is no time.

    In the hour that comes twice in autumn it is the first of the two.
    """
    if len(typed) != CLOCK_DIGITS:
        return None
    try:
        meant = datetime.strptime(typed, "%Y%m%d%H%M").replace(tzinfo=UTC)
    except ValueError:
        return None
    local_ms = (meant - _EPOCH) // timedelta(milliseconds=1)
    guess = local_ms - (environment.local_ms(local_ms) - local_ms)
    wall_ms = local_ms - (environment.local_ms(guess) - guess)
    earlier = wall_ms - _HOUR_MS
    return earlier if environment.local_ms(earlier) == local_ms else wall_ms


CHECK_ACTS: Final = {
    "test_printer": ActRow(LEVELS[1], _print),
    "pulse_meter": ActRow(LEVELS[2], _pulse),
    "check_memory": ActRow(LEVELS[1], _memory),
    "check_random": ActRow(LEVELS[1], _random),
    "set_clock": ActRow(LEVELS[1], _set_clock),
    "shift_clock": ActRow(LEVELS[1], _shift_clock),
}
