"""What is allowed right now, from the state alone: money in, play, cash-out, and the scene that follows.

One place answers "may this happen?", for decisions, for the devices' inhibits and for the screen alike.
"""

from firmware.terminal.faults import CASH_OUT, FAULTS, MONEY_IN, PLAY, TERMINAL_UNCHECKED
from firmware.terminal.state import Fault, Recorded, State
from firmware.terminal.step import Options


def faults_up(state: State) -> tuple[Fault, ...]:
    """Return the faults that are up, the most important first."""
    faults = state.recorded.faults
    if state.screen.lock_up is not None:
        faults = (*faults, state.screen.lock_up)
    return tuple(sorted(faults, key=lambda fault: (FAULTS[fault.code].rank, fault.since_ms)))


def is_stopped(state: State, what: str) -> bool:
    """Tell whether a fault stops ``play``, ``money_in`` or ``cash_out``."""
    return any(what in FAULTS[fault.code].stops for fault in faults_up(state))


def mode(state: State) -> str:
    """Return the terminal's mode; it follows from the state and is never stored.

    ``menu`` while the operator's menu is open, ``tilt`` before everything else, then ``handpay``, ``cash_out``, and the player's own scene.
    """
    payout = state.recorded.payout
    if state.screen.menu is not None:
        return "menu"
    if is_stopped(state, PLAY):
        return "tilt"
    if payout is not None:
        return "handpay" if payout.hopper_done else "cash_out"
    if state.live is not None:
        return "help" if state.screen.scene == "help" else "table"
    return state.screen.scene


def needs_set_up(recorded: Recorded) -> bool:
    """Tell whether the terminal has to be set up on its screen first. A journal in which money moved has been."""
    return (
        recorded.set_up_wanted
        and not recorded.count("rounds")
        and not recorded.books.meter("cash_outs")
        and not (recorded.books.meter("notes_in") or recorded.books.meter("coins_in"))
    )


def may_play(state: State) -> bool:
    """Tell whether stakes and choices are taken: an open hand goes on whatever key is turned, a new one waits."""
    waits = state.live is None and "operator" in state.recorded.keys_on
    is_served = state.screen.menu is not None or state.recorded.payout is not None
    is_ready = not needs_set_up(state.recorded) and state.recorded.ram_clear is None
    return is_ready and not waits and not is_served and not is_stopped(state, PLAY)


def may_cash_out(state: State) -> bool:
    """Tell whether the credit may leave: never during play, a fault, an open door, an audit or another pay-out."""
    recorded = state.recorded
    return (
        recorded.credit_minor > 0
        and recorded.payout is None
        and recorded.hopper_test is None
        and state.live is None
        and recorded.note is None
        and not recorded.keys_on
        and state.screen.menu is None
        and not is_stopped(state, CASH_OUT)
    )


def accepted_notes(state: State, options: Options) -> tuple[int, ...]:
    """Return the notes that may be taken now: none when money is refused, else those that fit under the limit."""
    if state.recorded.note is not None or not _takes_money(state, options):
        return ()
    return _fitting(state, options.notes_minor, options)


def accepted_coins(state: State, options: Options) -> tuple[int, ...]:
    """Return the coins that may be taken now."""
    return _fitting(state, options.coins_minor, options) if _takes_money(state, options) else ()


def takes_money_soon(state: State, options: Options) -> bool:
    """Tell whether nothing is taken only for the moment: a note is on its way, or the program's files are still looked at."""
    for_the_moment = state.recorded.note is not None or TERMINAL_UNCHECKED in state.screen.conditions
    return for_the_moment and _is_open_for_money(state, options)


def _takes_money(state: State, options: Options) -> bool:
    return TERMINAL_UNCHECKED not in state.screen.conditions and _is_open_for_money(state, options)


def _is_open_for_money(state: State, options: Options) -> bool:
    recorded = state.recorded
    is_open = state.screen.menu is None and not recorded.keys_on and recorded.ram_clear is None
    is_open = is_open and not needs_set_up(recorded)
    is_open = is_open and (options.money_during_play or state.live is None)
    return is_open and recorded.payout is None and not is_stopped(state, MONEY_IN)


def _fitting(state: State, values_minor: tuple[int, ...], options: Options) -> tuple[int, ...]:
    pending_minor = state.recorded.note.amount_minor if state.recorded.note is not None else 0
    room_minor = options.credit_limit_minor - state.recorded.credit_minor - pending_minor
    return tuple(value for value in values_minor if value <= room_minor)
