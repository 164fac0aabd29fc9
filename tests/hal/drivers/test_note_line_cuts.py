"""SSP, CCNET and EBDS notes, cut at every step of the dialogue: one credit, or the note back, or a fault with a name."""

from collections import Counter

import pytest

from tests.hal.contract.loop_rigs import LoopNoteRig
from tests.hal.contract.note_line_rigs import NOTE_LINES
from tests.hal.drivers.cuts import CUTS, MESSAGES, moments
from tests.hal.drivers.teller import Journal
from tests.hal.drivers.test_note_cuts import NOTE_MINOR, Bench

DIALOGUE_MS = 2_500


class LineBench(Bench):
    """A device of ``NOTE_LINES``, its program and the program's journal."""

    def __init__(self, name: str) -> None:
        device, session = NOTE_LINES[name]
        self.rig = LoopNoteRig(device(), session)
        self.journal = Journal()
        self.start(0)
        self.rig.run(4_000)


@pytest.mark.parametrize("name", NOTE_LINES)
def test_undisturbed_a_note_is_credited(name: str) -> None:
    bench = LineBench(name)
    bench.rig.insert(NOTE_MINOR)
    bench.rig.run(DIALOGUE_MS)
    assert bench.verdict() == "credited"
    assert not bench.journal.faults


@pytest.mark.parametrize("kind", CUTS)
@pytest.mark.parametrize("name", NOTE_LINES)
def test_cut_anywhere_a_note_is_credited_once_or_returned_or_a_fault(name: str, kind: str) -> None:
    dry = LineBench(name)
    dry.rig.insert(NOTE_MINOR)
    verdicts: Counter[str] = Counter()
    for moment_ms in moments(dry.rig, DIALOGUE_MS):
        for message in MESSAGES:
            bench = LineBench(name)
            bench.rig.insert(NOTE_MINOR)
            bench.rig.run(moment_ms)
            if message != "whole":
                bench.rig.do(message)
            bench.rig.run(12)
            bench.cut_and_settle(kind)
            try:
                verdicts[bench.verdict()] += 1
            except AssertionError as error:
                raise AssertionError(f"cut after {moment_ms} ms, last message {message}: {error}") from error
    assert verdicts["credited"] > verdicts["fault"]
    print(name, kind, dict(verdicts))
