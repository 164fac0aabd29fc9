"""The pay test of the hopper: coins leave it in a test, counted like a pay-out, but nobody's credit pays for them. Pure.

Each coin is recorded as it leaves, and what can't be told after a power cut is a named fault, as with a pay-out. Whoever
throws the coins back records a refill. Not responsible for pay-outs (``decide_cash_out``).
"""

from dataclasses import replace
from typing import Final

from display.view_model import Text
from firmware.entries import service
from firmware.entries import types as entry
from firmware.ids import hopper_test_id
from firmware.terminal.decide_orders import may_keep_books
from firmware.terminal.decide_play import epoch_of
from firmware.terminal.faults import HOPPER_UNCERTAIN, RUNAWAY
from firmware.terminal.menu import LEVELS
from firmware.terminal.menu_steps import ActRow, menu_of
from firmware.terminal.notices import noticed, refused
from firmware.terminal.state import HopperTest, State
from firmware.terminal.step import Environment, HaltHopper, PayHopper, Step
from hal.events import HopperDone, HopperPaid, HopperReport

PAGE: Final = "diagnostics.hopper"
MOST_COINS: Final = 20
"""A test needs a handful; a hopper is emptied by its key, not by tests."""


def _start(state: State, environment: Environment, count: str) -> Step:
    if not may_keep_books(state) or state.recorded.credit_minor:
        return refused(state, environment, Text("menu", "Only without credit, an open hand or a pay-out"))
    if "hopper" not in state.screen.ready or "main" not in state.recorded.doors_open:
        return refused(state, environment, Text("menu", "The hopper does not answer, or the main door is closed"))
    coins = min(int(count), MOST_COINS)
    test_id = hopper_test_id(epoch_of(state), state.recorded.count("hopper_tests") + 1)
    started = service.HopperTestStarted(test_id, coins, environment.options.hopper_coin_minor, menu_of(state).level)
    return Step(state.screen, (started,), (PayHopper(test_id, coins),)).with_sound("button")


def _stop(state: State, _: Environment, __: str) -> Step:
    effects = (HaltHopper(),) if state.recorded.hopper_test is not None else ()
    return Step(state.screen, effects=effects).with_sound("button")


def is_ours(state: State, event: HopperPaid | HopperDone) -> bool:
    """Tell whether the hopper speaks of the test that runs."""
    test = state.recorded.hopper_test
    return test is not None and test.started.test_id == event.payout_id


def paid(state: State, event: HopperPaid) -> Step:
    """Record the coins that have left."""
    test = state.recorded.hopper_test
    if test is None or event.paid_count <= test.paid_count:
        return Step(state.screen)
    new = event.paid_count - test.paid_count
    amount = new * test.started.coin_value_minor
    counted = service.HopperTestCounted(test.started.test_id, event.paid_count, new, amount)
    return Step(state.screen, (counted,)).with_sound("coin")


def done(state: State, environment: Environment, event: HopperDone) -> Step:
    """Record the end of the test."""
    test = state.recorded.hopper_test
    if test is None:
        return Step(state.screen)
    return _finished(state, environment, test, max(event.paid_count, test.paid_count), event.reason)


def resolve(state: State, environment: Environment, report: HopperReport, more: int | None) -> Step:
    """Say how far a test got, from the hopper's own memory, after it was (re)connected; its counter has ``more`` coins
    than the journal (None: nothing to compare)."""
    test = state.recorded.hopper_test
    if test is None:
        return Step(state.screen)
    if report.last_payout_id == test.started.test_id and report.last_paid_count is not None:
        return _finished(state, environment, test, max(report.last_paid_count, test.paid_count), "interrupted")
    if report.last_payout_id is not None or (more is None and report.dispensed_count == 0):
        return _finished(state, environment, test, test.paid_count, "not_started")
    if more is not None and 0 <= more <= test.started.coin_count - test.paid_count:
        return _finished(state, environment, test, test.paid_count + more, "counted")
    return _finished(state, environment, test, test.paid_count, "unknown", both_counts(report, more))


def both_counts(report: HopperReport, more: int | None) -> str:
    """Say what the hopper and the journal have counted, when both have."""
    if more is None or report.dispensed_count is None:
        return ""
    return f"; the hopper counted {report.dispensed_count}, the journal {report.dispensed_count - more}"


def give_up(state: State, environment: Environment) -> Step:
    """Close a test when the hopper stays silent after the start or after it was lost."""
    test = state.recorded.hopper_test
    if test is None or not is_hopper_silent(state, environment):
        return Step(state.screen)
    return _finished(state, environment, test, test.paid_count, "unknown")


def is_hopper_silent(state: State, environment: Environment) -> bool:
    """Tell whether nothing was heard of the hopper for longer than devices are waited for."""
    screen, patience_ms = state.screen, environment.options.device_patience_ms
    since_ms = max(screen.booted_at_ms, screen.hopper_lost_at_ms)
    return "hopper" not in screen.ready and environment.now_ms - since_ms >= patience_ms


def with_halt(state: State, step: Step) -> Step:
    """Return the step that also stops the hopper when the page of its test is left."""
    was, now = state.screen.menu, step.screen.menu
    is_left = was is not None and was.page == PAGE and (now is None or now.page != PAGE)
    if state.recorded.hopper_test is None or not is_left:
        return step
    return replace(step, effects=(*step.effects, HaltHopper()))


def _finished(
    state: State, environment: Environment, test: HopperTest, paid_count: int, reason: str, note: str = ""
) -> Step:
    started = test.started
    new = paid_count - test.paid_count
    amount = new * started.coin_value_minor
    entries: list[entry.Entry] = [service.HopperTestFinished(started.test_id, paid_count, new, amount, reason)]
    detail = f"{started.test_id}: asked {started.coin_count}, paid {paid_count} coins in a test{note}"
    if reason == "unknown":
        entries.append(entry.FaultRaised(HOPPER_UNCERTAIN, "hopper", detail))
    if paid_count > started.coin_count:
        entries.append(entry.FaultRaised(RUNAWAY, "hopper", detail))
    args = (("count", paid_count), ("asked", started.coin_count))
    text = Text("menu", "The hopper paid {count} of {asked} coins", args)
    return Step(noticed(state.screen, environment, text), tuple(entries))


HOPPER_ACTS: Final = {
    "test_hopper": ActRow(LEVELS[2], _start),
    "stop_hopper": ActRow(LEVELS[0], _stop),
}
