"""The CCNET host, told exact bytes: promises, power-up with a bill inside, clones, and what is never sent twice."""

import pytest

from hal.emulators.base import Emulator
from hal.emulators.ccnet import CcnetValidator
from hal.events import DeviceFault, DeviceReady, NoteEscrowed, NoteRejected, NoteReport, NoteReturned, NoteStacked
from hal.wire import ccnet
from hal.wire.ccnet_host import CcnetHost
from hal.wire.session import Confirm, Enable, ReturnNote, StackNote, Start
from tests.hal.contract.loop_rigs import LoopNoteRig
from tests.hal.contract.rig import heard, run_until
from tests.hal.wire.wire_script import WireScript

ACK, NAK, POLL, STACK, RETURN, RESET = b"\x00", b"\xff", b"\x33", b"\x35", b"\x36", b"\x30"
TABLE = b"".join(bytes((value, *b"EUR", exponent)) for value, exponent in ((5, 0), (1, 1), (2, 1))).ljust(120, b"\0")
IDENT = b"SM-RU1353".ljust(15) + b"41K70700PN88" + bytes(7)
IDLE = b"\x14"


class Wire(WireScript):
    """``answer`` waits for the next question that is no ACK and answers it."""

    def __init__(self, last_event: int = 7) -> None:
        super().__init__(CcnetHost("notes", "EUR"))
        self.order(Start("notes", last_event))
        self.open()
        self.frames = 0

    def data(self) -> list[bytes]:
        """The data of all frames that the host has sent."""
        return [sent[3:-2] for sent in self.sent]

    def answer(self, data: bytes) -> bytes:
        """Answer the next question; returns it."""
        for _ in range(100):
            while self.frames < len(self.sent):
                asked = self.data()[self.frames]
                self.frames += 1
                if asked not in (ACK, NAK):
                    self.say(ccnet.encode(data))
                    return asked
            self.wait()
        raise AssertionError("it never asks")

    def state(self, data: bytes) -> list[bytes]:
        """Answer questions as a validator does until POLL is answered with this state; returns what else was asked."""
        others: list[bytes] = []
        for _ in range(20):
            asked = self._peek()
            if asked == POLL:
                self.answer(data)
                return others
            others.append(asked)
            self.answer({b"\x37": IDENT, b"\x41": TABLE}.get(asked, ACK))
        raise AssertionError("it never polls")

    def _peek(self) -> bytes:
        for _ in range(100):
            for asked in self.data()[self.frames :]:
                if asked not in (ACK, NAK):
                    return asked
            self.wait()
        raise AssertionError("it never asks")

    def ready(self) -> None:
        self.state(b"\x19")
        self.state(b"\x19")
        self.order(Enable("notes", (1_000, 2_000)))

    def in_escrow(self) -> str:
        self.state(IDLE)
        self.state(b"\x15")
        self.state(b"\x80\x02")
        event = self.events[-1]
        assert isinstance(event, NoteEscrowed)
        return event.escrow_id

    def stacked(self) -> list[NoteStacked]:
        return [event for event in self.events if isinstance(event, NoteStacked)]


def test_it_polls_identifies_reads_the_table_and_disables_before_it_is_ready() -> None:
    wire = Wire()
    wire.state(b"\x19")
    assert wire.state(b"\x19") == [b"\x37", b"\x41", b"\x32\0\0\0", b"\x34" + bytes(6)]
    (ready,) = wire.events
    assert isinstance(ready, DeviceReady)
    assert (ready.info.serial, ready.info.denominations_minor) == ("41K70700PN88", (500, 1_000, 2_000))


def test_every_state_is_acknowledged_after_a_pause_but_stacked_only_after_the_confirmation() -> None:
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.order(StackNote("notes", escrow_id))
    assert wire.state(b"\x17") == [STACK]
    wire.state(b"\x81\x02")
    (stacked,) = wire.stacked()
    assert (stacked.key, stacked.denomination_minor, stacked.escrow_id) == ("41K70700PN88:0:8", 2_000, escrow_id)
    count = len(wire.sent)
    for _ in range(5):
        wire.state(b"\x81\x02")
    assert set(wire.data()[count:]) == {POLL}, "an ACK is the promise that the credit is committed"
    assert len(wire.stacked()) == 1
    wire.order(Confirm("notes", stacked.key))
    assert wire.wait_for_sending()[3:-2] == ACK
    wire.state(b"\x81\x02")
    wire.state(b"\x81\x02")
    wire.state(IDLE)
    assert len(wire.stacked()) == 1, "shown again because our ACK was lost"
    assert not wire.codes()


def test_a_damaged_answer_is_refused_and_comes_again() -> None:
    """Fault 5."""
    wire = Wire()
    wire.ready()
    wire.order(StackNote("notes", wire.in_escrow()))
    wire.state(b"\x17")
    wire._peek()
    wire.frames = len(wire.sent)
    raw = bytearray(ccnet.encode(b"\x81\x02"))
    raw[4] ^= 0x04
    wire.say(bytes(raw))
    assert wire.data()[-1] == NAK
    assert not wire.stacked()
    wire.say(ccnet.encode(b"\x81\x02"))
    assert len(wire.stacked()) == 1


def test_stack_without_an_answer_is_not_sent_again_before_a_poll_shows_the_bill_still_in_escrow() -> None:
    wire = Wire()
    wire.ready()
    wire.order(StackNote("notes", wire.in_escrow()))
    assert wire.wait_for_sending()[3:-2] in (ACK, STACK)
    while wire.data()[-1] != STACK:
        wire.wait()
    wire.frames = len(wire.sent)
    assert wire.state(b"\x17") == [], "the poll decides"
    assert wire.state(b"\x17") == []
    assert wire.data().count(STACK) == 1


def test_stack_is_sent_again_when_the_bill_is_still_in_escrow() -> None:
    wire = Wire()
    wire.ready()
    wire.order(StackNote("notes", wire.in_escrow()))
    assert wire.state(b"\x80\x02") == [STACK]
    assert wire.state(b"\x17") == [STACK]


def test_a_bill_that_was_seen_stacking_and_is_gone_is_credited_with_a_fault() -> None:
    """Fault 9: clones show STACKED once; if just that answer is lost, the next poll says idle."""
    wire = Wire()
    wire.ready()
    wire.order(StackNote("notes", wire.in_escrow()))
    wire.state(b"\x17")
    wire.state(IDLE)
    (stacked,) = wire.stacked()
    assert stacked.key == "41K70700PN88:0:8"
    assert wire.codes() == ["lost_events"]
    wire.state(IDLE)
    assert len(wire.stacked()) == 1


def test_a_bill_that_was_never_seen_moving_and_is_gone_is_a_fault_and_no_credit() -> None:
    wire = Wire()
    wire.ready()
    wire.order(StackNote("notes", wire.in_escrow()))
    for _ in range(6):
        wire.state(IDLE)
    assert not wire.stacked()
    assert wire.codes() == ["unknown_money"]


@pytest.mark.parametrize(
    ("code", "credit_count", "faults"), [(b"\x10", 0, []), (b"\x11", 0, []), (b"\x12", 1, ["lost_events"])]
)
def test_power_up_tells_where_an_ordered_bill_was(code: bytes, credit_count: int, faults: list[str]) -> None:
    """Fault 10."""
    wire = Wire()
    wire.ready()
    wire.order(StackNote("notes", wire.in_escrow()))
    wire.state(b"\x17")
    wire.state(code)
    for state in (b"\x13", b"\x13", b"\x19", b"\x19", b"\x19", b"\x19", b"\x19"):
        wire.state(state)
    assert RESET in wire.data()
    assert len(wire.stacked()) == credit_count
    assert wire.codes() == faults
    report = [event for event in wire.events if isinstance(event, DeviceReady)][-1].report
    assert isinstance(report, NoteReport)
    assert report.uncertain is (code == b"\x10")
    returned = [event for event in wire.events if isinstance(event, NoteReturned)]
    assert len(returned) == (code == b"\x11")


@pytest.mark.parametrize(("code", "uncertain"), [(b"\x10", True), (b"\x11", False), (b"\x12", True)])
def test_power_up_at_the_start_of_the_program_is_reported_not_guessed(code: bytes, uncertain: bool) -> None:
    wire = Wire()
    wire.state(code)
    for state in (b"\x13", b"\x19", b"\x19"):
        wire.state(state)
    (ready, *rest) = wire.events
    assert isinstance(ready, DeviceReady)
    assert ready.report == NoteReport(uncertain=uncertain)
    assert not rest


def test_a_bill_shown_as_stacked_at_the_start_waits_until_the_table_is_read() -> None:
    wire = Wire()
    wire.state(b"\x81\x01")
    assert ACK not in wire.data()
    wire.state(b"\x81\x01")
    assert isinstance(wire.events[0], DeviceReady)
    (stacked,) = wire.stacked()
    assert (stacked.key, stacked.denomination_minor, stacked.escrow_id) == ("41K70700PN88:0:7", 1_000, None)


def test_a_bill_in_escrow_at_the_start_is_given_back() -> None:
    wire = Wire()
    wire.state(b"\x80\x01")
    wire.state(b"\x80\x01")
    assert RETURN in wire.state(b"\x18")
    assert not wire.stacked()


def test_a_bill_type_outside_the_table_is_given_back() -> None:
    wire = Wire()
    wire.ready()
    wire.state(IDLE)
    wire.state(b"\x80\x17")
    assert RETURN in wire.state(b"\x18")
    wire.state(b"\x82\x17")
    wire.state(IDLE)
    assert [event.reason for event in wire.events if isinstance(event, NoteRejected)] == ["unknown"]


def test_return_and_its_word() -> None:
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.order(ReturnNote("notes", escrow_id))
    assert RETURN in wire.state(b"\x18")
    wire.state(b"\x82\x02")
    (returned,) = [event for event in wire.events if isinstance(event, NoteReturned)]
    assert (returned.escrow_id, returned.denomination_minor) == (escrow_id, 2_000)


def test_a_slow_decision_is_covered_by_hold() -> None:
    wire = Wire()
    wire.ready()
    wire.in_escrow()
    for _ in range(100):
        wire.state(b"\x80\x02")
    holds = wire.data().count(b"\x38")
    assert holds >= wire.now_ms // 10_000 >= 1


@pytest.mark.parametrize(
    ("argument", "code"), [(0x50, "motor"), (0x51, "motor"), (0x55, "sensor"), (0x56, "sensor"), (0x99, "internal")]
)
def test_failures_have_names(argument: int, code: str) -> None:
    wire = Wire()
    wire.ready()
    wire.state(bytes((0x47, argument)))
    assert wire.codes() == [code]
    wire.state(IDLE)
    assert [event.code for event in wire.events if isinstance(event, DeviceFault) and not event.is_up] == [code]


def test_rejections_are_told_once_each_with_their_reason() -> None:
    wire = Wire()
    wire.ready()
    for state in (IDLE, b"\x15", b"\x1c\x65", b"\x1c\x65", IDLE, b"\x1c\x6c", IDLE):
        wire.state(state)
    assert [event.reason for event in wire.events if isinstance(event, NoteRejected)] == ["unknown", "length"]


def test_a_state_that_no_validator_has_is_not_believed() -> None:
    wire = Wire()
    wire.ready()
    wire.state(IDLE)
    wire._peek()
    wire.frames = len(wire.sent)
    wire.say(ccnet.encode(b"\x99"))
    assert wire.data()[-1] == NAK


def test_a_unit_that_speaks_after_power_up_is_credited_once() -> None:
    device = CcnetValidator(word_after_power_up=True)
    rig: LoopNoteRig[Emulator] = LoopNoteRig(device, lambda: CcnetHost("notes", "EUR"))
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([2_000])
    rig.run(1_000)
    rig.insert(2_000)
    run_until(rig, lambda: heard(rig, NoteEscrowed))
    rig.subject.stack(heard(rig, NoteEscrowed)[0].escrow_id)
    run_until(rig, lambda: device.path.past_lever)
    rig.do("restart")
    run_until(rig, lambda: heard(rig, NoteStacked))
    rig.run(200)
    rig.subject.confirm(heard(rig, NoteStacked)[0].key)
    rig.run(20_000)
    assert len({note.key for note in heard(rig, NoteStacked)}) == 1
    assert rig.stacked_minor == [2_000]


def test_a_mask_that_can_t_be_set_now_is_set_later() -> None:
    wire = Wire()
    wire.ready()
    wire.state(IDLE)
    wire.order(Enable("notes", (500,)))
    enable = wire.answer(b"\x30")
    assert enable[0] == 0x34
    refused_ms = wire.now_ms
    for _ in range(20):
        if enable in wire.state(IDLE):
            break
    assert wire.data().count(enable) == 2
    assert wire.now_ms >= refused_ms + 1_000


def test_busy_is_waited_out() -> None:
    wire = Wire()
    wire.ready()
    wire.state(IDLE)
    wire.state(b"\x1b\x0a")
    begin_ms = wire.now_ms
    assert wire._peek() == POLL
    assert wire.now_ms >= begin_ms + 900


def test_another_bill_in_escrow_settles_the_one_before_it() -> None:
    wire = Wire()
    wire.ready()
    wire.order(StackNote("notes", wire.in_escrow()))
    wire.state(b"\x17")
    wire.state(b"\x80\x01")
    (stacked,) = wire.stacked()
    assert wire.codes() == ["lost_events"]
    wire.order(Confirm("notes", stacked.key))
    wire.state(b"\x80\x01")
    assert [event.denomination_minor for event in wire.events if isinstance(event, NoteEscrowed)] == [2_000, 1_000]


def test_the_validator_is_reset_when_its_cassette_is_back() -> None:
    wire = Wire()
    wire.ready()
    wire.state(IDLE)
    wire.state(b"\x42")
    assert RESET not in wire.data()
    wire.state(IDLE)
    assert RESET in wire.state(b"\x13")
