"""The decision at the start, and at the end: what the journal says is taken up exactly where it was. Pure.

What devices have to say about money in flight comes with their ``DeviceReady`` (``decide_devices``).
"""

from dataclasses import replace

from display.view_model import Text
from firmware.entries import types as entry
from firmware.entries.menu import REPORT_CUT_OFF, ReportSaved
from firmware.terminal.decide_money import CUT_OFF, cut_off
from firmware.terminal.decide_program import unchecked
from firmware.terminal.decide_watch import at_start
from firmware.terminal.notices import noticed
from firmware.terminal.state import State
from firmware.terminal.step import Environment, HaltHopper, Step


def boot(state: State, environment: Environment) -> Step:
    """Record the start and show the player where he was: the open hand, the table, or the lobby."""
    recorded = state.recorded
    booted = entry.Booted(recorded.count("boots") + 1, environment.program_version, recorded.clean_stop)
    last = state.live or state.last
    screen = replace(
        state.screen,
        scene="lobby" if recorded.credit_minor or recorded.payout else "attract",
        game=last.opened.game if last else next(iter(environment.games), ""),
        language=environment.options.languages[0],
        comfort=environment.options.comfort,
        chip_minor=environment.options.chips_minor[0],
        booted_at_ms=environment.now_ms,
        active_at_ms=environment.now_ms,
        sound_count=environment.now_ms,  # numbers rise over a restart too, so that a window plays new sounds only
    )
    screen = unchecked(screen, environment)
    if state.live is not None:
        screen = replace(screen, scene="table")
        text = Text("notice", "Power was lost. The hand goes on with the same cards")
        screen = noticed(screen, environment, text)
    elif state.last is not None and recorded.credit_minor:
        screen = replace(screen, scene="table", shows_result=True)
    return Step(screen, (booted, *_cut_off(state), *cut_off(state, CUT_OFF), *at_start(state, environment)))


def _cut_off(state: State) -> tuple[ReportSaved, ...]:
    """The end of reports that were being saved when the program went: what was not done by then is not done any more."""
    return tuple(ReportSaved(report, "", REPORT_CUT_OFF) for report in state.recorded.reports_ordered)


def shutdown(state: State, _: Environment) -> Step:
    """Record an orderly end. An open hand stays open; a running hopper is stopped."""
    payout = state.recorded.payout
    effects = (HaltHopper(),) if payout is not None and not payout.hopper_done else ()
    return Step(state.screen, (entry.Stopped(),), effects)
