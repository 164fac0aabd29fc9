"""ccTalk and ID-003 notes, cut at every step of the dialogue: one credit, or the note back, or a fault with a name."""

from collections import Counter
from collections.abc import Callable

import pytest

from hal.emulators.base import Emulator
from hal.emulators.cctalk_note import CctalkBillValidator
from hal.emulators.id003 import Id003Acceptor
from hal.events import DeviceEvent, NoteEscrowed, NoteStacked
from hal.wire.cctalk import Checksum
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_note import NoteStation
from hal.wire.id003_host import Id003Host
from hal.wire.id003_messages import Command
from hal.wire.session import Session
from tests.hal.contract.loop_rigs import LoopNoteRig
from tests.hal.drivers.cuts import CUTS, MESSAGES, cut, moments
from tests.hal.drivers.teller import Journal, NoteTeller

NOTE_MINOR = 2_000
DIALOGUE_MS = 1_800
SETTLE_MS = 8_000


def cctalk() -> Session:
    return CctalkBus([NoteStation("notes", "EU")])


VARIANTS: dict[str, tuple[Callable[[], Emulator], Callable[[], Session]]] = {
    "cctalk, credit event after power-up": (lambda: CctalkBillValidator(after_power_up="event"), cctalk),
    "cctalk, counter after power-up": (lambda: CctalkBillValidator(after_power_up="counter"), cctalk),
    "cctalk, no word after power-up": (lambda: CctalkBillValidator(after_power_up="nothing"), cctalk),
    "cctalk, no counter, 8-bit checksum, no echo": (
        lambda: CctalkBillValidator(crc=False, echo=False, has_accept_counter=False),
        lambda: CctalkBus([NoteStation("notes", "EU", checksums=(Checksum.SUM8,))]),
    ),
    "id003, recovers the credit": (lambda: Id003Acceptor(), lambda: Id003Host("notes", "EUR")),
    "id003, forgets the credit": (lambda: Id003Acceptor(recovers_credit=False), lambda: Id003Host("notes", "EUR")),
    "id003, credit at the lever": (
        lambda: Id003Acceptor(),
        lambda: Id003Host("notes", "EUR", stack=Command.STACK_1),
    ),
}


LEAST_CREDITED = {"power": 0.3, "device": 0.3, "program": 0.3, "line": 0.6}
"""Part of the cuts after which the note is credited; a host that only ever raises faults would be safe and useless."""


class Bench:
    """A device, its program and the program's journal."""

    def __init__(self, variant: str) -> None:
        device, session = VARIANTS[variant]
        self.rig = LoopNoteRig(device(), session)
        self.journal = Journal()
        self.start(0)
        self.rig.run(2_500)

    def start(self, last_event: int) -> None:
        """A program starts."""
        self.rig.boot(last_event)
        teller = NoteTeller(self.journal, lambda: self.rig.subject, (NOTE_MINOR,))
        self.rig.hear = teller.hear

    def cut_and_settle(self, kind: str) -> None:
        cut(self.rig, kind, self.journal.last_event)
        self.rig.run(SETTLE_MS)

    def verdict(self) -> str:
        """What became of the note; raises AssertionError if the books don't say the truth."""
        journal, rig = self.journal, self.rig
        credited, in_box = len(journal.credits), rig.stacked_minor == [NOTE_MINOR]
        assert all(minor == NOTE_MINOR for minor in journal.credits.values())
        assert in_box or rig.returned_minor == [NOTE_MINOR], f"the note is stuck in {rig.device.path.place}"  # type: ignore[attr-defined]
        assert credited <= 1, "credited twice"
        assert in_box or not credited, "credited and given back"
        assert not (credited and journal.returned), "credited, and recorded as returned before"
        if credited:
            return "credited"
        if not in_box:
            return "returned"
        assert journal.faults, "in the cash box, not credited, and nobody is told"
        return "fault"


@pytest.mark.parametrize("variant", VARIANTS)
def test_undisturbed_a_note_is_credited(variant: str) -> None:
    bench = Bench(variant)
    bench.rig.insert(NOTE_MINOR)
    bench.rig.run(DIALOGUE_MS)
    assert bench.verdict() == "credited"
    assert not bench.journal.faults


@pytest.mark.parametrize("kind", CUTS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_cut_anywhere_a_note_is_credited_once_or_returned_or_a_fault(variant: str, kind: str) -> None:
    dry = Bench(variant)
    dry.rig.insert(NOTE_MINOR)
    verdicts: Counter[str] = Counter()
    for moment_ms in moments(dry.rig, DIALOGUE_MS):
        for message in MESSAGES:
            bench = Bench(variant)
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
    assert verdicts["credited"] >= verdicts.total() * LEAST_CREDITED[kind], verdicts
    if kind == "line":
        assert not verdicts["fault"], "both sides were on all the time: nothing may be in doubt"
    if kind == "program" and variant.startswith("id003"):
        assert not verdicts["fault"], "the unit was on all the time: its VEND VALID is of the order in the journal"


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant.startswith("id003")])
def test_a_program_that_dies_before_it_commits_the_credit_leaves_it_to_the_next(variant: str) -> None:
    bench = Bench(variant)

    def dies_before_commit(event: DeviceEvent) -> None:
        if not isinstance(event, NoteStacked):
            teller(event)

    teller, bench.rig.hear = bench.rig.hear, dies_before_commit
    bench.rig.insert(NOTE_MINOR)
    bench.rig.run(DIALOGUE_MS + 3_000)
    assert bench.rig.stacked_minor == [NOTE_MINOR]
    assert not bench.journal.credits
    bench.rig.hear = teller
    for _ in range(3):  # the first credits it, the others find all done
        bench.cut_and_settle("program")
        assert bench.verdict() == "credited"
    assert not bench.journal.faults


def test_a_former_note_without_an_order_in_the_journal_is_a_fault() -> None:
    bench = Bench("id003, recovers the credit")
    teller = bench.rig.hear
    bench.rig.hear = lambda event: bench.rig.subject.stack(event.escrow_id) if isinstance(event, NoteEscrowed) else None
    bench.rig.insert(NOTE_MINOR)
    bench.rig.run(DIALOGUE_MS + 3_000)
    bench.rig.hear = teller
    bench.cut_and_settle("program")
    assert bench.verdict() == "fault"
