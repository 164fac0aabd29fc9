"""The EBDS host, told exact bytes: everything about the acknowledgement bit, and what power-up with a bill means."""

import pytest

from hal.emulators.base import Emulator
from hal.emulators.ebds import EbdsAcceptor
from hal.events import DeviceFault, DeviceLost, DeviceReady, NoteEscrowed, NoteReport, NoteReturned, NoteStacked
from hal.wire import ebds
from hal.wire.ebds_host import EbdsHost
from hal.wire.session import Confirm, Enable, ReturnNote, StackNote, Start
from tests.hal.contract.loop_rigs import LoopNoteRig
from tests.hal.contract.rig import heard, run_until
from tests.hal.wire.wire_script import WireScript

IDLE, ACCEPTING, ESCROWED, STACKING, STACKED, RETURNED = 0x01, 0x02, 0x04, 0x08, 0x11, 0x41


def status(ack: int, first: int, second: int = 0x10, third: int = 0x00) -> bytes:
    return ebds.encode(ebds.Frame(ebds.ACCEPTOR, ack, bytes((first, second, third, 0, 1, 2))))


class Wire(WireScript):
    """``answer`` answers the message in flight with its own acknowledgement bit."""

    def __init__(self) -> None:
        super().__init__(EbdsHost("notes"))
        self.order(Start("notes", 7))
        self.open()

    @property
    def ack(self) -> int:
        return self.sent[-1][2] & 1

    def answer(self, first: int, second: int = 0x10, third: int = 0x00) -> None:
        self.say(status(self.ack, first, second, third))

    def turn(self, first: int, second: int = 0x10, third: int = 0x00) -> bytes:
        """Answer, and wait for the next message."""
        self.answer(first, second, third)
        return self.wait_for_sending()

    def ready(self) -> None:
        self.turn(IDLE)
        self.say(ebds.encode(ebds.Frame(ebds.AUXILIARY, self.ack, b"CFMC2 USD".ljust(20, b"\0"))))
        self.wait_for_sending()
        self.say(ebds.encode(ebds.Frame(ebds.AUXILIARY, self.ack, b"20261130000117".ljust(20, b"\0"))))
        self.wait_for_sending()
        self.turn(IDLE)
        self.order(Enable("notes", (500, 1_000)))
        self.turn(IDLE)

    def in_escrow(self) -> str:
        self.turn(ACCEPTING)
        self.turn(ESCROWED, third=3 << 3)
        event = self.events[-1]
        assert isinstance(event, NoteEscrowed)
        return event.escrow_id

    def stacked(self) -> list[NoteStacked]:
        return [event for event in self.events if isinstance(event, NoteStacked)]


def test_it_asks_who_is_there_and_is_ready_at_rest() -> None:
    wire = Wire()
    assert wire.sent[0].hex(" ") == "02 08 10 00 10 04 03 0c"
    wire.ready()
    (ready,) = wire.events
    assert isinstance(ready, DeviceReady)
    assert (ready.info.serial, ready.info.product, ready.info.firmware) == ("20261130000117", "CFMC2 USD", "1.2")
    assert ready.info.denominations_minor == (100, 200, 500, 1_000, 2_000, 5_000, 10_000)


def test_an_acceptor_that_knows_no_questions_is_ready_all_the_same() -> None:
    wire = Wire()
    wire.turn(IDLE)
    for _ in range(3):
        wire.turn(IDLE, third=0x02)
    wire.turn(IDLE)
    assert isinstance(wire.events[0], DeviceReady)


def test_only_enabled_bills_are_enabled() -> None:
    wire = Wire()
    wire.ready()
    assert wire.turn(IDLE)[3] == 0b0001100


def test_stack_is_said_until_the_note_leaves_escrow_and_stacked_is_kept_until_the_credit_is_confirmed() -> None:
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.order(StackNote("notes", escrow_id))
    for _ in range(3):
        assert wire.turn(ESCROWED, third=3 << 3)[4] == 0x30
    wire.turn(STACKING)
    frame = wire.turn(STACKED, third=3 << 3)
    (stacked,) = wire.stacked()
    assert (stacked.key, stacked.denomination_minor, stacked.escrow_id) == ("notes:0:8", 500, escrow_id)
    for _ in range(5):
        assert wire.turn(STACKED, third=3 << 3) == frame, "the same bit while the credit is not confirmed"
    assert len(wire.stacked()) == 1
    wire.answer(STACKED, third=3 << 3)
    wire.order(Confirm("notes", stacked.key))
    assert wire.wait_for_sending()[2] & 1 != frame[2] & 1
    wire.turn(IDLE)
    assert not wire.codes()


@pytest.mark.parametrize("bit", range(11 * 8))
def test_the_bit_never_flips_on_a_bad_frame(bit: int) -> None:
    """Fault 8: a flip after a bad frame makes the acceptor forget STACKED."""
    wire = Wire()
    wire.ready()
    wire.order(StackNote("notes", wire.in_escrow()))
    wire.turn(STACKING)
    before = wire.sent[-1]
    raw = bytearray(status(wire.ack, STACKED, third=3 << 3))
    raw[bit // 8] ^= 1 << bit % 8
    wire.say(bytes(raw))
    assert wire.wait_for_sending() == before
    assert not wire.stacked()
    wire.answer(STACKED, third=3 << 3)
    assert [note.denomination_minor for note in wire.stacked()] == [500]


def test_an_answer_with_the_other_bit_is_none() -> None:
    wire = Wire()
    wire.ready()
    before = wire.sent[-1]
    wire.say(status(before[2] & 1 ^ 1, IDLE))
    assert wire.wait_for_sending() == before


def test_two_equal_bills_are_two_credits_though_their_bytes_are_equal() -> None:
    wire = Wire()
    wire.ready()
    for _ in range(2):
        wire.order(StackNote("notes", wire.in_escrow()))
        wire.turn(STACKING)
        wire.answer(STACKED, third=3 << 3)
        wire.order(Confirm("notes", wire.stacked()[-1].key))
        wire.wait_for_sending()
        wire.turn(IDLE)
    assert [note.key for note in wire.stacked()] == ["notes:0:8", "notes:0:9"]


def test_a_device_that_says_stacked_again_after_the_new_bit_is_not_credited_again() -> None:
    wire = Wire()
    wire.ready()
    wire.order(StackNote("notes", wire.in_escrow()))
    wire.turn(STACKING)
    wire.answer(STACKED, third=3 << 3)
    wire.order(Confirm("notes", wire.stacked()[0].key))
    wire.wait_for_sending()
    wire.turn(STACKED, third=3 << 3)
    wire.turn(IDLE)
    assert len(wire.stacked()) == 1


def test_a_note_that_vanishes_without_a_word_is_a_fault() -> None:
    """Fault 9: a device that shows STACKED once, in an answer that was lost."""
    wire = Wire()
    wire.ready()
    wire.order(StackNote("notes", wire.in_escrow()))
    wire.turn(STACKING)
    for _ in range(8):
        wire.turn(IDLE)
    assert not wire.stacked()
    assert wire.codes() == ["unknown_money"]


def test_a_port_that_was_away_does_not_change_the_bit_of_an_unconfirmed_note() -> None:
    wire = Wire()
    wire.ready()
    wire.order(StackNote("notes", wire.in_escrow()))
    wire.turn(STACKING)
    wire.answer(STACKED, third=3 << 3)
    frame = wire.sent[-1]
    wire.close()
    wire.open()
    assert wire.sent[-1] == frame
    wire.answer(STACKED, third=3 << 3)
    assert len({note.key for note in wire.stacked()}) == 1


def test_power_up_and_stacked_in_one_message() -> None:
    """Faults 4 and 10: policy B tells a bill that was past escrow."""
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.order(StackNote("notes", escrow_id))
    wire.turn(STACKING)
    wire.answer(STACKED, third=3 << 3 | 1)
    lost, ready, stacked = wire.events[-3:]
    assert isinstance(lost, DeviceLost)
    assert isinstance(ready, DeviceReady)
    assert isinstance(stacked, NoteStacked)
    assert ready.report == NoteReport(unconfirmed=(stacked.key,))
    assert stacked.escrow_id == escrow_id


def test_return_until_returned() -> None:
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.order(ReturnNote("notes", escrow_id))
    assert wire.turn(ESCROWED, third=3 << 3)[4] == 0x50
    wire.turn(0x20)
    wire.turn(RETURNED)
    assert [event.escrow_id for event in wire.events if isinstance(event, NoteReturned)] == [escrow_id]


def test_a_bill_that_is_not_enabled_goes_back() -> None:
    wire = Wire()
    wire.ready()
    wire.turn(ACCEPTING)
    assert wire.turn(ESCROWED, third=7 << 3)[4] == 0x50
    assert not [event for event in wire.events if isinstance(event, NoteEscrowed)]


def test_missed_polls_are_no_loss_but_five_seconds_are() -> None:
    wire = Wire()
    wire.ready()
    begin_ms = wire.now_ms
    while wire.now_ms < begin_ms + 4_800:
        wire.wait()
    assert not [event for event in wire.events if isinstance(event, DeviceLost)]
    while wire.now_ms < begin_ms + 5_500:
        wire.wait()
    assert [type(event) for event in wire.events if isinstance(event, DeviceLost)] == [DeviceLost]


def test_cheating_is_a_fault_but_not_together_with_stacked() -> None:
    wire = Wire()
    wire.ready()
    wire.turn(IDLE, second=0x11)
    assert wire.codes() == ["fraud"]
    wire.turn(IDLE)
    wire.order(StackNote("notes", wire.in_escrow()))
    wire.turn(STACKING)
    wire.answer(STACKED, second=0x11, third=3 << 3)
    assert wire.codes() == ["fraud"]


def test_a_damaged_byte_on_the_line_voids_its_frame() -> None:
    wire = Wire()
    wire.ready()
    raw = status(wire.ack, IDLE)
    wire.subject.receive(raw[:5], wire.now_ms)
    wire.subject.line_error(wire.now_ms)
    assert not wire.subject.receive(raw[6:], wire.now_ms)


def test_extended_notes_name_their_value() -> None:
    device = EbdsAcceptor(bills=(5, 10, 20, 50, 100, 200, 500), currency="EUR")
    rig: LoopNoteRig[Emulator] = LoopNoteRig(device, lambda: EbdsHost("notes", "EUR", extended=True))
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert heard(rig, DeviceReady)[0].info.denominations_minor == (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
    rig.subject.enable([50_000])
    rig.run(1_000)
    rig.insert(50_000)
    run_until(rig, lambda: heard(rig, NoteEscrowed))
    rig.subject.stack(heard(rig, NoteEscrowed)[0].escrow_id)
    run_until(rig, lambda: heard(rig, NoteStacked))
    assert heard(rig, NoteStacked)[0].denomination_minor == 50_000


def test_extended_notes_of_another_currency_go_back() -> None:
    rig: LoopNoteRig[Emulator] = LoopNoteRig(EbdsAcceptor(), lambda: EbdsHost("notes", "EUR", extended=True))
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert heard(rig, DeviceReady)[0].info.denominations_minor == ()
    rig.subject.enable([2_000])
    rig.run(1_000)
    rig.insert(2_000)
    run_until(rig, lambda: rig.returned_minor)
    assert not heard(rig, NoteEscrowed)
    assert not heard(rig, DeviceFault)
