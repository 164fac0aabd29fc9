"""A player's session: when it began, what it cost so far, and the limits that the house sets for it. Pure.

It lives on the screen alone: after a power cut a new one begins. Not responsible for the credit.
"""

from dataclasses import replace

from display.view_model import Text
from firmware.terminal.state import Screen, Session, State
from firmware.terminal.step import Environment


def with_session(state: State, environment: Environment) -> Screen:
    """Return the screen with a session that begins with the first credit."""
    screen = state.screen
    if screen.session is not None or not state.recorded.credit_minor:
        return screen
    books = state.recorded.books
    session = Session(
        since_ms=environment.now_ms,
        checked_ms=environment.now_ms,
        wagered_minor=books.meter("coin_in_minor"),
        returned_minor=books.meter("coin_out_minor"),
        round_count=state.recorded.count("rounds"),
    )
    return replace(screen, session=session)


def wagered_minor(state: State) -> int:
    """Return what was staked in this session."""
    session = state.screen.session
    return state.recorded.books.meter("coin_in_minor") - session.wagered_minor if session is not None else 0


def returned_minor(state: State) -> int:
    """Return what play paid in this session, stakes that came back included."""
    session = state.screen.session
    return state.recorded.books.meter("coin_out_minor") - session.returned_minor if session is not None else 0


def round_count(state: State) -> int:
    """Return how many rounds this session has seen."""
    session = state.screen.session
    return state.recorded.count("rounds") - session.round_count if session is not None else 0


def minutes_played(state: State, environment: Environment) -> int:
    """Return how many whole minutes this session lasts."""
    session = state.screen.session
    return (environment.now_ms - session.since_ms) // 60_000 if session is not None else 0


def check_is_due(state: State, environment: Environment) -> bool:
    """Tell whether the player is to be told time and result before he plays on."""
    interval_ms, session = environment.options.reality_check_ms, state.screen.session
    return bool(interval_ms) and session is not None and environment.now_ms - session.checked_ms >= interval_ms


def checked(screen: Screen, environment: Environment) -> Screen:
    """Return the screen with the reality check done."""
    if screen.session is None:
        return screen
    return replace(screen, session=replace(screen.session, checked_ms=environment.now_ms))


def why_no_more_stakes(state: State, environment: Environment) -> Text | None:
    """Return why no stakes are taken now: a limit of the session, or the last deal was only a moment ago."""
    options, screen = environment.options, state.screen
    session = screen.session
    if session is not None and options.session_limit_ms:
        if environment.now_ms - session.since_ms >= options.session_limit_ms:
            return Text("notice", "The time of this session is over. Please cash out")
    if options.loss_limit_minor and wagered_minor(state) - returned_minor(state) >= options.loss_limit_minor:
        return Text("notice", "The loss limit of this session is reached. Please cash out")
    if screen.dealt_at_ms is not None and environment.now_ms - screen.dealt_at_ms < options.minimum_round_ms:
        return Text("notice", "One moment before the next deal")
    return None
