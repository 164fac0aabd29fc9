"""Test games: the whole play on a table of its own, with money that is not there. Pure.

It has its own state, made from nothing, and decides and folds as the terminal does; but nothing of it is recorded, no
meter moves, and no device is told anything. Leaving it forgets it. Not responsible for when there is one (``loop``).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from display.view_model import Gesture
from firmware.entries.types import CashOutStarted, Commissioned, Entry, NoteCredited
from firmware.errors import InvariantError
from firmware.journal.record import Record
from firmware.terminal.controls import control
from firmware.terminal.decide import decide
from firmware.terminal.evolve import evolve
from firmware.terminal.menu import no_page
from firmware.terminal.state import Recorded, Screen, State
from firmware.terminal.step import Boot, Environment, Step, Stimulus, Tick
from hal.events import ButtonPressed

PAGE: Final = "diagnostics.games"
"""The page of the menu over which test games are played."""
CREDIT_MINOR: Final = 100_000
"""What is on the meter of a test; more is added when half of it is gone."""
_NO_LIMIT: Final = 10**12


class TrialTable:
    """One test, from its beginning until it is left."""

    def __init__(self, around: Callable[[], Environment], language: str) -> None:
        """Begin in the lobby. ``around`` gives what the terminal's own decisions may know, for shuffles and games."""
        self._around = around
        self._seq = 0
        self.state = State(Recorded(), Screen(language=language))
        self._take((Commissioned("TEST", 1, "demo", "CRD", 2, ""), self._note()))
        step = decide(self.state, Boot(), self.environment())
        self._take_step(step)
        self.state = replace(self.state, screen=replace(self.state.screen, language=language, scene="lobby"))

    def environment(self) -> Environment:
        """Return what the test's decisions may know: the same games, no limits, nothing recorded before."""
        around = self._around()
        options = replace(
            around.options,
            credit_limit_minor=_NO_LIMIT,
            large_win_minor=_NO_LIMIT,
            excessive_notes_minor=_NO_LIMIT,
            excessive_coins_minor=_NO_LIMIT,
            reality_check_ms=0,
            minimum_round_ms=0,
            session_limit_ms=0,
            loss_limit_minor=0,
            coach="off",
        )
        return replace(
            around,
            options=options,
            is_recorded=lambda _: False,
            storage_low=False,
            settings={},
            menu_page=no_page,
            past_rounds=lambda *_: (),
        )

    def handle(self, stimulus: Gesture | ButtonPressed | Tick) -> bool:
        """Let somebody play; tell whether the test goes on. Its end is the button that would pay out.

        Raises:
            InvariantError: the rules contradict themselves; the test is over and the terminal is not touched by it.
        """
        if self._ends(stimulus):
            return False
        self._take_step(decide(self.state, stimulus, self.environment()))
        recorded = self.state.recorded
        if recorded.round is None and recorded.credit_minor < CREDIT_MINOR // 2:
            self._take((self._note(),))
        return True

    def _ends(self, stimulus: Stimulus) -> bool:
        if isinstance(stimulus, Gesture) and stimulus.target == "page:back":
            return True
        found = control(self.state, self.environment(), "cash_out")
        if found is None:
            return False
        if isinstance(stimulus, ButtonPressed):
            return stimulus.button == f"b{found.slot}"
        return isinstance(stimulus, Gesture) and stimulus.target in ("button:cash_out", f"slot:{found.slot}")

    def _take_step(self, step: Step) -> None:
        if any(isinstance(entry, CashOutStarted) for entry in step.entries):
            raise InvariantError("a test game wants to pay out")
        self.state = replace(self.state, screen=step.screen)
        self._take(step.entries)

    def _take(self, entries: tuple[Entry, ...]) -> None:
        environment = self._around()
        records = tuple(
            Record(self._seq + number, environment.wall_ms, entry, b"") for number, entry in enumerate(entries, 1)
        )
        self._seq += len(records)
        self.state = evolve(self.state, records, environment.games)

    def _note(self) -> NoteCredited:
        return NoteCredited(f"test:{self._seq}", CREDIT_MINOR)
