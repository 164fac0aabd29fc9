"""Decisions about slips: one for each amount that an attendant has to pay, and for what is done with the cash, if there
is a printer; where there is none, or it fails, what is done with the cash is saved as a file. Pure.

A slip is paper, not money: the attendant's key ends a handpay with it or without it. It is ordered once and never
printed again by itself, because a first copy may be there that nobody has seen.
"""

from dataclasses import replace
from typing import Final

from display.view_model import Text
from firmware.entries import slips
from firmware.entries import types as entry
from firmware.entries.menu import ReportOrdered
from firmware.terminal.decide_play import epoch_of
from firmware.terminal.notices import noticed
from firmware.terminal.state import State
from firmware.terminal.step import Environment, PrintReport, PrintSlip, SaveReport, Step
from hal.events import SlipFailed, SlipPrinted

REPORT_SLIPS: Final = ("collection", "refill", "last_period")
"""Reports of what was done with the cash, which must not be lost with a slip."""


def with_slip(state: State, step: Step, started: entry.CashOutStarted, rest_minor: int) -> Step:
    """Return the step of a pay-out that leaves a rest to the attendant, with a slip about it."""
    if rest_minor <= 0 or "printer" not in state.screen.ready:
        return step
    ordered = slips.SlipOrdered(started.payout_id, rest_minor)
    effect = PrintSlip(ordered.slip_id, rest_minor)
    return replace(step, entries=(*step.entries, ordered), effects=(*step.effects, effect))


def with_report_slip(
    state: State, step: Step, environment: Environment, report: str, level: str, language: str
) -> Step:
    """Return the step with a report of it on paper, or as a file where there is no printer but a folder."""
    if "printer" in state.screen.ready:
        slip_id = f"{report}{epoch_of(state)}-{environment.machine().head_seq + 1}"
        ordered = slips.ReportSlipOrdered(slip_id, report, level)
        effects = (*step.effects, PrintReport(slip_id, report, language))
        return replace(step, entries=(*step.entries, ordered), effects=effects)
    return _as_file(step, environment, report, level, language)


def _as_file(step: Step, environment: Environment, report: str, level: str, language: str) -> Step:
    if not environment.machine().report_folder:
        return step
    entries = (*step.entries, ReportOrdered(report, level))
    return replace(step, entries=entries, effects=(*step.effects, SaveReport(report, language)))


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
    step = Step(screen, (slips.SlipUnproved(event.slip_id, event.reason, event.may_exist),))
    report = event.slip_id.rstrip("0123456789-")
    if report not in REPORT_SLIPS:
        return step
    menu = state.screen.menu
    level, language = (menu.level, menu.language) if menu is not None else ("attendant", state.screen.language)
    return _as_file(step, environment, report, level, language)


def _is_open(environment: Environment, slip_id: str) -> bool:
    return environment.is_recorded(f"slip:{slip_id}") and not environment.is_recorded(f"slip:{slip_id}:end")
