"""Decisions about what an operator orders: closing a period, refilling the hopper, emptying the cash box, clearing
faults. Pure.

Whoever shows the menu has checked key, PIN and door; what the money and the table demand is checked here.
"""

from display.view_model import Text
from firmware.entries import types as entry
from firmware.entries.keeping import PeriodClosed
from firmware.ledger import accounts
from firmware.terminal.faults import FAULTS, code_for, may_clear
from firmware.terminal.notices import refused
from firmware.terminal.state import Fault, State
from firmware.terminal.step import ClearFaults, ClosePeriod, CollectCashBox, Environment, Order, RefillHopper, Step


def order(state: State, environment: Environment, given: Order) -> Step:
    """Return what follows from an order; one that is not possible now says why and changes nothing."""
    match given:
        case ClearFaults(level):
            return Step(state.screen, clearing_entries(state, level)).with_sound("button")
        case _ if not may_keep_books(state):
            return refused(state, environment, Text("notice", "Finish the hand or the pay-out first"))
        case ClosePeriod(by):
            state.recorded.books.check()
            return Step(state.screen, (PeriodClosed(state.recorded.periods.number, by),))
        case RefillHopper(coin_count):
            return _refilled(state, environment, coin_count)
        case CollectCashBox():
            number = state.recorded.count("collections") + 1
            held_minor = state.recorded.books.balance(accounts.CASH_BOX)
            return Step(state.screen, (entry.CashBoxCollected(number, held_minor),))


def may_keep_books(state: State) -> bool:
    """Tell whether periods, refills and collections may be recorded: nothing is under way that still moves money."""
    recorded = state.recorded
    is_paying = recorded.payout is not None or recorded.hopper_test is not None
    return state.live is None and recorded.round is None and recorded.note is None and not is_paying


def clearing_entries(state: State, level: str) -> tuple[entry.Entry, ...]:
    """Return what clears the faults that a level may clear and whose condition has ended."""
    return tuple(
        entry.FaultCleared(fault.code, fault.device, level)
        for fault in state.recorded.faults
        if may_clear(level, FAULTS[fault.code]) and not is_present(state, fault)
    )


def is_present(state: State, fault: Fault) -> bool:
    """Tell whether a device still reports the condition of a fault."""
    return any(
        code_for(*condition) == fault.code for condition in state.screen.conditions if condition[0] == fault.device
    )


def _refilled(state: State, environment: Environment, coin_count: int) -> Step:
    coin_minor = environment.options.hopper_coin_minor
    if coin_count <= 0:
        return refused(state, environment, Text("notice", "Not possible now"))
    number = state.recorded.count("refills") + 1
    return Step(state.screen, (entry.HopperRefilled(number, coin_count, coin_count * coin_minor),))
