"""The coach: what each button is worth at this decision, and what the last mistake cost. Pure.

Values come from outside, later than the question (``AdviceGiven``): an answer to an older question is dropped, so that
nothing ever waits for it. Only in play for fun, or where the operator allows it. Not responsible for the values
(``firmware.maths``) or for who works them out (``firmware.coach``).
"""

from dataclasses import dataclass, replace

from firmware.games.coaching import Advice
from firmware.games.contract import Action, Decision
from firmware.terminal.state import Counsel, Mistake, Question, State
from firmware.terminal.step import AdviceGiven, Environment, Options, Step


@dataclass(frozen=True, slots=True)
class Coaching:
    """What the coach says now: ``advice`` is None while it is being worked out."""

    advice: Advice | None


def question(state: State, options: Options) -> Question | None:
    """Return what the coach is to be asked now; None where he is not there, not wanted, or nothing is to be decided."""
    live = state.live
    if options.coach != "there" or not state.screen.coached or live is None or not isinstance(live.node, Decision):
        return None
    return Question(live.opened.round_id, len(live.acts), state.recorded.credit_minor)


def coaching(state: State, options: Options) -> Coaching | None:
    """Return what the coach says at this decision; None when he says nothing."""
    asked = question(state, options)
    if asked is None:
        return None
    counsel = state.screen.counsel
    if counsel is None or counsel.question != asked:
        return Coaching(None)
    return Coaching(counsel.advice) if counsel.advice is not None else None


def mistake_shown(state: State, options: Options) -> Mistake | None:
    """Return the last mistake while its round is on the table."""
    mistake, shown = state.screen.mistake, state.live or state.last
    if mistake is None or shown is None or options.coach != "there" or not state.screen.coached:
        return None
    return mistake if mistake.round_id == shown.opened.round_id else None


def advice_given(state: State, environment: Environment, given: AdviceGiven) -> Step:
    """Keep an answer to the question of this moment; drop any other."""
    if given.question != question(state, environment.options):
        return Step(state.screen)
    return Step(replace(state.screen, counsel=Counsel(given.question, given.advice)))


def judged(state: State, options: Options, action: Action) -> Mistake | None:
    """Return what an action about to be taken gives away; None for the best one, or where the coach doesn't know."""
    now = coaching(state, options)
    if now is None or now.advice is None or state.live is None:
        return None
    cost = now.advice.cost_millionths(action)
    if not cost:
        return None
    return Mistake(state.live.opened.round_id, cost, now.advice.best.action)
