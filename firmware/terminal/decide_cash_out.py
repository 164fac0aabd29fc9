"""Decisions about money going out: cash-out, the hopper's counts, the attendant's handpay. Pure.

The hopper pays up to its limit; the rest, and whatever it could not pay, is owed by hand until an attendant's key.
"""

from dataclasses import replace

from display.view_model import Text
from firmware.entries import types as entry
from firmware.ids import payout_id
from firmware.terminal import decide_hopper_test
from firmware.terminal.availability import may_cash_out
from firmware.terminal.decide_play import epoch_of
from firmware.terminal.decide_slips import with_slip
from firmware.terminal.faults import HOPPER_UNCERTAIN, RUNAWAY
from firmware.terminal.notices import noticed, refused
from firmware.terminal.state import Payout, State
from firmware.terminal.step import Environment, PayHopper, Step
from hal.events import HopperDone, HopperPaid, HopperReport

HOPPER_STOPPERS = ("H1", "H2", RUNAWAY, HOPPER_UNCERTAIN, "H5", "H6", "H8")
"""Faults with which the hopper is not asked to pay; everything is then paid by hand."""


def cash_out(state: State, environment: Environment) -> Step:
    """Start paying the whole credit. Raises SelfAuditError when the books and the meters disagree."""
    if not may_cash_out(state) or _hopper_may_come(state, environment):
        return refused(state, environment, Text("notice", "Cash-out is not possible now"))
    options, recorded = environment.options, state.recorded
    recorded.books.check()
    amount_minor, coin_minor = recorded.credit_minor, options.hopper_coin_minor
    coins = min(amount_minor, options.hopper_limit_minor) // coin_minor if _hopper_can_pay(state) else 0
    started = entry.CashOutStarted(
        payout_id(epoch_of(state), recorded.count("payouts") + 1), amount_minor, coins, coin_minor if coins else 0
    )
    effects = (PayHopper(started.payout_id, coins),) if coins else ()
    screen = replace(state.screen, bets=(), undo=(), marked=(), shows_result=False, scene="lobby", notice=None)
    step = Step(screen, (started,), effects).with_sound("button")
    return step if coins else with_slip(state, step, started, amount_minor)


def rest_minor(payout: Payout) -> int:
    """Return what of a pay-out is not paid yet."""
    return payout.started.amount_minor - payout.paid_count * payout.started.coin_value_minor


def hopper_paid(state: State, _: Environment, event: HopperPaid) -> Step:
    """Record the coins that have left; a running total, so a lost or repeated event does no harm."""
    if decide_hopper_test.is_ours(state, event):
        return decide_hopper_test.paid(state, event)
    payout = state.recorded.payout
    if payout is None or payout.hopper_done or payout.started.payout_id != event.payout_id:
        return Step(state.screen)
    if event.paid_count <= payout.paid_count:
        return Step(state.screen)
    return Step(state.screen, (entry.HopperCounted(event.payout_id, event.paid_count),)).with_sound("coin")


def hopper_done(state: State, environment: Environment, event: HopperDone) -> Step:
    """Record the end of the hopper's run."""
    if decide_hopper_test.is_ours(state, event):
        return decide_hopper_test.done(state, environment, event)
    payout = state.recorded.payout
    if payout is None or payout.hopper_done or payout.started.payout_id != event.payout_id:
        return Step(state.screen)
    return _finished(state, environment, payout, max(event.paid_count, payout.paid_count), event.reason)


def resolve_hopper(state: State, environment: Environment, report: HopperReport, more: int | None) -> Step:
    """Say how far an unfinished pay-out got, from the hopper's own memory, after it was (re)connected; its counter has
    ``more`` coins than the journal (None: nothing to compare)."""
    if state.recorded.hopper_test is not None:
        return decide_hopper_test.resolve(state, environment, report, more)
    payout = state.recorded.payout
    if payout is None or payout.hopper_done:
        return Step(state.screen)
    if report.last_payout_id == payout.started.payout_id and report.last_paid_count is not None:
        return _finished(state, environment, payout, max(report.last_paid_count, payout.paid_count), "interrupted")
    if report.last_payout_id is not None or (more is None and report.dispensed_count == 0):
        return _finished(state, environment, payout, payout.paid_count, "not_started")
    if more is not None and 0 <= more <= payout.started.hopper_coin_count - payout.paid_count:
        return _finished(state, environment, payout, payout.paid_count + more, "counted")
    note = decide_hopper_test.both_counts(report, more)
    return _finished(state, environment, payout, payout.paid_count, "unknown", note)


def give_up_on_hopper(state: State, environment: Environment) -> Step:
    """Close an unfinished pay-out when the hopper stays silent, after the start or after it was lost: its own memory would
    have told how many coins left."""
    if state.recorded.hopper_test is not None:
        return decide_hopper_test.give_up(state, environment)
    payout = state.recorded.payout
    if payout is None or payout.hopper_done or not decide_hopper_test.is_hopper_silent(state, environment):
        return Step(state.screen)
    return _finished(state, environment, payout, payout.paid_count, "unknown")


def clear_handpay(state: State, environment: Environment) -> Step:
    """The attendant has paid the rest by hand and turned the key."""
    payout = state.recorded.payout
    if payout is None or not payout.hopper_done:
        return Step(state.screen)
    state.recorded.books.check()
    cleared = entry.HandpayCleared(payout.started.payout_id, rest_minor(payout), "attendant_key")
    screen = noticed(state.screen, environment, Text("notice", "Paid by the attendant. Thank you for playing"))
    return Step(replace(screen, scene="attract"), (cleared,))


def _hopper_can_pay(state: State) -> bool:
    stopped = any(fault.code in HOPPER_STOPPERS for fault in state.recorded.faults)
    return "hopper" in state.screen.ready and not stopped


def _hopper_may_come(state: State, environment: Environment) -> bool:
    """Tell whether it is too soon after the start to say that there is no hopper, which would leave all to a hand."""
    if "hopper" in state.screen.ready or any(fault.device == "hopper" for fault in state.recorded.faults):
        return False
    return environment.now_ms - state.screen.booted_at_ms < environment.options.device_patience_ms


def _finished(
    state: State, environment: Environment, payout: Payout, paid_count: int, reason: str, note: str = ""
) -> Step:
    started = payout.started
    entries: list[entry.Entry] = [entry.HopperFinished(started.payout_id, paid_count, reason)]
    if reason == "unknown":
        detail = f"{started.payout_id}: asked {started.hopper_coin_count}, at least {paid_count} coins left{note}"
        entries.append(entry.FaultRaised(HOPPER_UNCERTAIN, "hopper", detail))
    if paid_count > started.hopper_coin_count:
        detail = f"{started.payout_id}: asked {started.hopper_coin_count}, paid {paid_count} coins"
        entries.append(entry.FaultRaised(RUNAWAY, "hopper", detail))
    screen, left_minor = state.screen, started.amount_minor - paid_count * started.coin_value_minor
    if left_minor <= 0:
        text = Text("notice", "Please take your coins. Thank you for playing")
        screen = replace(noticed(screen, environment, text), scene="attract")
    return with_slip(state, Step(screen, tuple(entries)), started, left_minor)
