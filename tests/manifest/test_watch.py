"""The watch beside a terminal: no money before the first verdict, an alteration locks up and stays, every hour anew."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from firmware.manifest.check import Verdict, check
from firmware.manifest.watch import ProgramWatch, told
from firmware.terminal.faults import PROGRAM_ALTERED
from firmware.terminal.menu import SoftwareState
from firmware.terminal.step import ClearFaults, ProgramChecked
from hal.simulated.world import World
from tests.manifest.programs import program, sign, trust
from tests.support.cabinet import CabinetUnderTest, settings_for


class Hand:
    """A watch whose verdicts the test gives."""

    def __init__(self) -> None:
        self._sink: Callable[[ProgramChecked], object] | None = None
        self.cabinet: CabinetUnderTest | None = None

    def start(self, sink: Callable[[ProgramChecked], object]) -> None:
        self._sink = sink

    def says(self, state: Literal["signed", "unsigned", "altered"], detail: str = "") -> None:
        assert self._sink is not None
        assert self.cabinet is not None
        self._sink(ProgramChecked(state, detail))
        self.cabinet.wait(200)


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def cabinet(tmp_path: Path, hand: Hand) -> CabinetUnderTest:
    cabinet = CabinetUnderTest(settings_for(tmp_path / "data"), seed=1, program=hand)
    hand.cabinet = cabinet
    cabinet.boot()
    return cabinet


def takes_money(cabinet: CabinetUnderTest) -> bool:
    return cabinet.view.accepts_money


def takes_money_soon(cabinet: CabinetUnderTest) -> bool:
    return cabinet.view.takes_money_soon


def turn_operator_key(cabinet: CabinetUnderTest) -> None:
    def turn(world: World) -> None:
        world.turn_key("operator")

    def back(world: World) -> None:
        world.turn_back_key("operator")

    cabinet.act(turn)
    cabinet.act(back)


def test_no_money_is_taken_before_the_program_was_checked(cabinet: CabinetUnderTest, hand: Hand) -> None:
    assert not takes_money(cabinet)
    assert takes_money_soon(cabinet)
    cabinet.insert_note(2_000)
    cabinet.expect_credit(0)
    hand.says("signed")
    assert takes_money(cabinet)
    assert not takes_money_soon(cabinet)
    cabinet.insert_note(2_000)
    cabinet.expect_credit(2_000)


def test_an_unsigned_program_plays(cabinet: CabinetUnderTest, hand: Hand) -> None:
    hand.says("unsigned")
    cabinet.insert_note(2_000)
    cabinet.expect_credit(2_000)
    cabinet.expect_faults()


def test_an_altered_program_locks_up_until_it_is_good_again_and_an_operator_has_looked(
    cabinet: CabinetUnderTest, hand: Hand
) -> None:
    hand.says("signed")
    cabinet.insert_note(2_000)
    hand.says("altered", "changed firmware/money.py")
    cabinet.expect_faults(PROGRAM_ALTERED)
    assert not takes_money(cabinet)
    assert not takes_money_soon(cabinet)
    cabinet.expect_mode("tilt")
    hand.says("altered", "changed firmware/money.py")
    cabinet.expect_faults(PROGRAM_ALTERED)
    turn_operator_key(cabinet)
    cabinet.expect_faults(PROGRAM_ALTERED)
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_faults(PROGRAM_ALTERED)
    turn_operator_key(cabinet)
    cabinet.expect_faults(PROGRAM_ALTERED)  # nobody has checked it yet
    hand.says("signed")
    cabinet.terminal.handle(ClearFaults("attendant"))
    cabinet.expect_faults(PROGRAM_ALTERED)
    turn_operator_key(cabinet)
    cabinet.expect_faults()
    cabinet.expect_credit(2_000)


def test_the_fault_says_which_file_it_is(cabinet: CabinetUnderTest, hand: Hand) -> None:
    verdict = told(Verdict("altered", problems=("changed firmware/money.py", "extra random.py")))
    hand.says(verdict.state, verdict.detail)
    (fault,) = cabinet.terminal.state.recorded.faults
    assert fault.detail == "changed firmware/money.py (+1)"


def test_the_first_check_gives_way_a_little_and_later_ones_as_far_as_they_can(tmp_path: Path) -> None:
    """Before the first verdict nobody can play: at the lowest priority a busy screen would keep it from ever coming."""
    seen: list[int] = []
    twice = threading.Semaphore(0)

    def examine() -> Verdict:
        seen.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        twice.release()
        return Verdict("signed")

    before = os.getpriority(os.PRIO_PROCESS, 0)
    watch = ProgramWatch(examine, first_delay_s=0, period_s=0.01)
    watch.start(lambda _: None)
    assert twice.acquire(timeout=20)
    assert twice.acquire(timeout=20)
    watch.stop()
    assert max(before, 5) == seen[0] <= seen[1] == 19
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_the_thread_checks_soon_and_then_again_and_finds_what_was_changed_meanwhile(tmp_path: Path) -> None:
    root, keys = sign(program(tmp_path / "program")), trust(tmp_path / "keys")
    came = threading.Semaphore(0)
    verdicts: list[ProgramChecked] = []

    def sink(verdict: ProgramChecked) -> None:
        verdicts.append(verdict)
        came.release()

    watch = ProgramWatch(lambda: check(root, keys), first_delay_s=0, period_s=0.01)
    watch.start(sink)
    assert came.acquire(timeout=20)
    assert verdicts[0].state == "signed"
    (root / "firmware/money.py").write_bytes(b"CENT = 2\n")
    while verdicts[-1].state == "signed":
        assert came.acquire(timeout=20)
    watch.stop()
    assert verdicts[-1] == ProgramChecked("altered", "changed firmware/money.py")
    assert watch.verdict is not None
    assert watch.verdict.state == "altered"


def test_a_terminal_that_is_built_anew_hears_the_newest_verdict_at_once() -> None:
    watch = ProgramWatch(lambda: Verdict("signed"), first_delay_s=3_600)
    watch.verdict = Verdict("unsigned")
    heard: list[ProgramChecked] = []
    watch.start(heard.append)
    watch.stop()
    assert heard == [ProgramChecked("unsigned")]


def test_the_operators_menu_is_told_what_the_check_found() -> None:
    watch = ProgramWatch(lambda: Verdict("unsigned"))
    assert watch.software() == SoftwareState("unknown")
    watch.verdict = Verdict("unsigned")
    assert watch.software() == SoftwareState("unsigned")
    watch.verdict = Verdict("signed", version="1.2.0", counter=7, fingerprint="21fe 31df", file_count=610)
    assert watch.software() == SoftwareState("good", "1.2.0-7, 21fe 31df, 610")
    watch.verdict = Verdict("altered", version="1.2.0", problems=("changed firmware/money.py",))
    assert watch.software() == SoftwareState("bad", "changed firmware/money.py")
