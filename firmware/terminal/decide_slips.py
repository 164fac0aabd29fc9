"""Decisions about slips: one for each amount that an attendant has to pay, if there is a printer. Pure.

A slip is paper, not money: the attendant's key ends a handpay with it or without it. It is ordered once and never
printed again by itself, because a first copy may be there that nobody has seen.
"""

from dataclasses import replace

from display.view_model import Text
from firmware.entries import slips
from firmware.entries import types as entry
from firmware.terminal.notices import noticed
from firmware.terminal.state import State
from firmware.terminal.step import Environment, PrintSlip, Step
from hal.events import SlipFailed, SlipPrinted


def with_slip(state: State, step: Step, started: entry.CashOutStarted, rest_minor: int) -> Step:
    """Return the step of a pay-out that leaves a rest to the attendant, with a slip about it."""
    if rest_minor <= 0 or "printer" not in state.screen.ready:
        return step
    ordered = slips.SlipOrdered(started.payout_id, rest_minor)
    effect = PrintSlip(ordered.slip_id, rest_minor)
    return replace(step, entries=(*step.entries, ordered), effects=(*step.effects, effect))


def slip_printed(state: State, environment: Environment, event: SlipPrinted) -> Step:
    """Record the proof, once."""
    if not _is_open(environment, event.slip_id):
        return Step(state.screen)
    return Step(state.screen, (slips.SlipProved(event.slip_id),))


def slip_failed(state: State, environment: Environment, event: SlipFailed) -> Step:
    """Record that there is no proof, once, and say it to whoever comes."""
    if not _is_open(environment, event.slip_id):
        return Step(state.screen)
    text = Text("notice", "The slip was not printed")
    if event.may_exist:
        text = Text("notice", "It is not certain that the slip was printed")
    screen = noticed(state.screen, environment, text, "warning")
    return Step(screen, (slips.SlipUnproved(event.slip_id, event.reason, event.may_exist),))


def _is_open(environment: Environment, slip_id: str) -> bool:
    return environment.is_recorded(f"slip:{slip_id}") and not environment.is_recorded(f"slip:{slip_id}:end")
