"""The SSP host, told exact bytes: what it sends, when it believes, and the faults that public hosts have."""

import pytest

from hal.emulators.base import Emulator
from hal.emulators.ssp import SspValidator
from hal.events import (
    DeviceFault,
    DeviceLost,
    DeviceReady,
    NoteEscrowed,
    NoteRejected,
    NoteReport,
    NoteReturned,
    NoteStacked,
)
from hal.wire import ssp
from hal.wire.session import Confirm, Enable, Outputs, Report, Send, StackNote, Start
from hal.wire.ssp_host import LOST_AFTER_TRIES, REPLY_MS, SspHost
from tests.hal.contract.loop_rigs import LoopNoteRig
from tests.hal.contract.rig import heard, run_until

SETUP = bytes.fromhex("F0 00 30 34 32 30 45 55 52 00 00 01 02 05 0A 02 02 00 00 64 04")


class Wire:
    """A validator whose answers are written down in the test: ``say`` answers the command in flight."""

    def __init__(self) -> None:
        self.subject = SspHost("notes", "EUR")
        self.now_ms = 1_000
        self.sent: list[bytes] = []
        self.events: list[object] = []
        self.take(self.subject.command(Start("notes", 7), self.now_ms))
        self.take(self.subject.opened(self.now_ms))

    def take(self, outputs: Outputs) -> None:
        for output in outputs:
            match output:
                case Send(data):
                    self.sent.append(data)
                case Report(event):
                    self.events.append(event)

    @property
    def asked(self) -> bytes:
        """The data of the last command."""
        decoder = ssp.Decoder()
        decoder.feed(self.sent[-1])
        frame = decoder.next_frame()
        assert frame is not None
        return frame.data

    @property
    def is_asked(self) -> bool:
        """Whether a command is in flight."""
        return self.subject._link.asked is not None

    @property
    def sequence(self) -> int:
        return self.sent[-1][1] >> 7

    def say(self, data: str, sequence: int | None = None) -> None:
        bit = self.sequence if sequence is None else sequence
        self.say_raw(ssp.encode(ssp.Frame(bit, 0, bytes.fromhex(data))))

    def say_raw(self, raw: bytes) -> None:
        self.now_ms += 10
        self.take(self.subject.receive(raw, self.now_ms))

    def wait(self) -> None:
        """Until the next deadline."""
        assert self.subject.deadline_ms is not None
        self.now_ms = max(self.now_ms, self.subject.deadline_ms)
        self.take(self.subject.timeout(self.now_ms))

    def ready(self, first_poll: str = "F0 E8") -> None:
        """Answer everything until the first poll, and that."""
        answers = {b"\x11": "F0", b"\x06\x07": "F8", b"\x06\x06": "F8", b"\x06\x05": "F8", b"\x06\x04": "F0"}
        answers |= {
            b"\x05": SETUP.hex(),
            b"\x0c": "F0 00 1C 96 2C",
            b"\x08": "F5",
            b"\x02\x00\x00": "F0",
            b"\x09": "F0",
        }
        while self.is_asked and self.asked in answers:
            self.say(answers[self.asked])
        if self.is_asked:
            assert self.asked == b"\x56"
            self.say(first_poll)

    def poll(self, answer: str) -> None:
        for _ in range(100):
            if not self.is_asked:
                self.wait()
            elif self.asked in (b"\x56", b"\x07"):
                self.say(answer)
                return
            else:
                self.say("F0")
        raise AssertionError("it never polls")

    def in_escrow(self) -> str:
        """A note of channel 2 comes to escrow; returns its id."""
        self.take(self.subject.command(Enable("notes", (1_000,)), self.now_ms))
        self.poll("F0 EF 00")
        self.poll("F0 EF 02")
        event = self.events[-1]
        assert isinstance(event, NoteEscrowed)
        return event.escrow_id


def test_it_begins_with_the_frames_of_the_manual() -> None:
    wire = Wire()
    assert wire.sent[0].hex(" ") == "7f 80 01 11 65 82"
    wire.say("F0")
    assert wire.asked == b"\x06\x07"
    assert wire.sequence == 0


def test_versions_are_tried_downwards_and_never_above_what_is_understood() -> None:
    wire = Wire()
    wire.ready()
    tried = [sent[4] for sent in wire.sent if sent[3] == 0x06]
    assert tried == [7, 6, 5, 4]


def test_a_note_that_waits_at_the_start_is_given_back_before_the_first_poll_could_accept_it() -> None:
    wire = Wire()
    wire.ready()
    commands = [sent[3] for sent in wire.sent]
    assert commands.index(0x08) < commands.index(0x56)


def test_no_poll_is_sent_while_nobody_has_decided() -> None:
    """A poll accepts the note in escrow."""
    wire = Wire()
    wire.ready()
    wire.in_escrow()
    count = len(wire.sent)
    for _ in range(30):
        if wire.is_asked:
            wire.say("F0")
        else:
            wire.wait()
    assert {sent[3] for sent in wire.sent[count:]} == {0x18}


def test_a_validator_that_does_not_hold_is_refused_before_it_is_polled() -> None:
    wire = Wire()
    wire.ready()
    wire.in_escrow()
    while wire.asked != b"\x18":
        wire.wait()
    wire.say("F5")
    assert wire.asked == b"\x08"


def test_read_and_stacked_are_no_money_only_credit_is() -> None:
    """Fault 12."""
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.take(wire.subject.command(StackNote("notes", escrow_id), wire.now_ms))
    wire.poll("F0 EF 02")
    wire.poll("F0 CC")
    assert not [event for event in wire.events if isinstance(event, NoteStacked)]
    wire.poll("F0 EE 02 CC")
    (stacked,) = [event for event in wire.events if isinstance(event, NoteStacked)]
    assert (stacked.key, stacked.denomination_minor) == ("1873452:0:8", 1_000)


def test_stacked_without_credit_is_a_fault_and_no_credit() -> None:
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.take(wire.subject.command(StackNote("notes", escrow_id), wire.now_ms))
    wire.poll("F0 CC")
    wire.poll("F0 EB")
    assert not [event for event in wire.events if isinstance(event, NoteStacked)]
    assert [event.code for event in wire.events if isinstance(event, DeviceFault)] == ["unknown_money"]


def test_the_event_is_acknowledged_only_after_the_confirmation() -> None:
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.take(wire.subject.command(StackNote("notes", escrow_id), wire.now_ms))
    wire.poll("F0 EE 02")
    frame = wire.sent[-1]
    for _ in range(5):
        wire.wait()
        assert wire.sent[-1] == frame, "only the same words again while the credit is not confirmed"
    wire.take(wire.subject.command(Confirm("notes", "1873452:0:8"), wire.now_ms))
    assert wire.asked == b"\x57"


def test_a_repeated_answer_counts_once_and_a_late_one_not_at_all() -> None:
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.take(wire.subject.command(StackNote("notes", escrow_id), wire.now_ms))
    wire.poll("F0 EE 02")
    bit = wire.sequence
    for _ in range(3):
        wire.say("F0 EE 02", sequence=bit)
    assert len([event for event in wire.events if isinstance(event, NoteStacked)]) == 1


def test_a_damaged_answer_is_asked_for_again_with_the_same_sequence_bit() -> None:
    """Fault 5: a bad checksum is never believed."""
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.take(wire.subject.command(StackNote("notes", escrow_id), wire.now_ms))
    wire.poll("F0")
    wire.wait()
    assert wire.asked == b"\x56"
    raw = bytearray(ssp.encode(ssp.Frame(wire.sequence, 0, b"\xf0\xee\x02")))
    raw[5] ^= 0x01
    frame = wire.sent[-1]
    wire.say_raw(bytes(raw))
    wire.wait()
    assert wire.sent[-1] == frame
    assert not [event for event in wire.events if isinstance(event, NoteStacked)]
    wire.say("F0 EE 02")
    assert [event.denomination_minor for event in wire.events if isinstance(event, NoteStacked)] == [1_000]


def test_restart_and_credit_in_one_answer() -> None:
    """Fault 4: the validator restarts with a note in its path; the same poll tells both."""
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.take(wire.subject.command(StackNote("notes", escrow_id), wire.now_ms))
    wire.poll("F0 F1 E2 02")
    assert isinstance(wire.events[-1], DeviceLost)
    wire.ready("F0")
    ready, stacked = wire.events[-2:]
    assert isinstance(ready, DeviceReady)
    assert isinstance(stacked, NoteStacked)
    assert ready.report == NoteReport(unconfirmed=(stacked.key,))
    assert stacked.escrow_id == escrow_id


def test_a_credit_at_the_start_has_the_key_of_the_last_note_that_was_ordered_in() -> None:
    wire = Wire()
    wire.ready("F0 EE 02 EB E8")
    assert isinstance(wire.events[0], DeviceReady)
    (stacked,) = [event for event in wire.events if isinstance(event, NoteStacked)]
    assert (stacked.key, stacked.escrow_id) == ("1873452:0:7", None)


def test_events_of_one_answer_are_taken_in_their_order() -> None:
    """Fault 3."""
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.take(wire.subject.command(StackNote("notes", escrow_id), wire.now_ms))
    count = len(wire.events)
    wire.poll("F0 EE 02 EB E7")
    stacked, full = wire.events[count:]
    assert isinstance(stacked, NoteStacked)
    assert isinstance(full, DeviceFault)
    assert (stacked.escrow_id, full.code) == (escrow_id, "stacker_full")


@pytest.mark.parametrize(
    ("first_poll", "keys", "uncertain"),
    [
        ("F0 F1 E1 02 E8", [], False),
        ("F0 F1 E1 00 E8", [], False),
        ("F0 F1 E2 02 E8", ["1873452:0:7"], False),
        ("F0 F1 E8", [], True),
    ],
)
def test_a_note_that_was_inside_at_power_up_is_credited_only_if_the_validator_says_that_it_is_in_the_box(
    first_poll: str, keys: list[str], uncertain: bool
) -> None:
    """Fault 10."""
    wire = Wire()
    wire.ready(first_poll)
    wire.ready()
    if not keys:
        wire.poll("F0 E8")
    (ready,) = [event for event in wire.events if isinstance(event, DeviceReady)]
    assert ready.report == NoteReport(unconfirmed=tuple(keys), uncertain=uncertain)
    assert [event.key for event in wire.events if isinstance(event, NoteStacked)] == keys


def test_a_credit_that_nothing_explains_is_a_fault() -> None:
    wire = Wire()
    wire.ready()
    wire.poll("F0 EE 01")
    assert not [event for event in wire.events if isinstance(event, NoteStacked)]
    assert [event.code for event in wire.events if isinstance(event, DeviceFault)] == ["unknown_money"]


def test_another_value_than_in_escrow_is_credited_as_the_device_says_and_shown() -> None:
    wire = Wire()
    wire.ready()
    escrow_id = wire.in_escrow()
    wire.take(wire.subject.command(StackNote("notes", escrow_id), wire.now_ms))
    wire.poll("F0 EE 01")
    (stacked,) = [event for event in wire.events if isinstance(event, NoteStacked)]
    assert stacked.denomination_minor == 500
    (fault,) = [event for event in wire.events if isinstance(event, DeviceFault)]
    assert (fault.code, fault.detail) == ("unknown_money", "1873452:0:8: 1000 minor units in escrow, 500 stacked")


def test_an_unknown_event_ends_the_answer_and_is_told() -> None:
    wire = Wire()
    wire.ready()
    wire.poll("F0 99 EE 01")
    assert not [event for event in wire.events if isinstance(event, NoteStacked)]
    (fault,) = [event for event in wire.events if isinstance(event, DeviceFault)]
    assert fault.code == "lost_events"
    assert "99" in fault.detail


def test_sync_comes_only_after_many_repetitions_because_it_destroys_the_answer() -> None:
    wire = Wire()
    wire.ready()
    wire.poll("F0 E8")
    wire.wait()
    frame, count = wire.sent[-1], len(wire.sent)
    for _ in range(19):
        wire.wait()
    assert wire.sent[count:] == [frame] * 19
    assert isinstance(wire.events[-1], DeviceLost)
    wire.wait()
    assert wire.asked == b"\x11"


def test_loss_is_told_after_three_seconds() -> None:
    wire = Wire()
    for _ in range(LOST_AFTER_TRIES):
        wire.wait()
    assert wire.now_ms == 1_000 + LOST_AFTER_TRIES * REPLY_MS
    assert [type(event) for event in wire.events] == [DeviceLost]


def test_a_validator_that_wants_encryption_says_so() -> None:
    wire = Wire()
    wire.say("F0")
    wire.say("FA")
    (lost,) = wire.events
    assert isinstance(lost, DeviceLost)
    assert "encryption" in lost.reason


def test_a_hopper_on_the_port_is_named() -> None:
    wire = Wire()
    wire.say("F0")
    wire.say("F0")
    wire.say("F0 03" + SETUP[2:].hex())
    (lost,) = wire.events
    assert isinstance(lost, DeviceLost)
    assert "not a note validator" in lost.reason
    wire.wait()
    assert wire.asked == b"\x11", "looked for again"


def line() -> LoopNoteRig[Emulator]:
    rig: LoopNoteRig[Emulator] = LoopNoteRig(SspValidator(), lambda: SspHost("notes", "EUR"))
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([1_000, 2_000])
    rig.run(1_000)
    return rig


def test_a_string_is_a_fault_of_its_own() -> None:
    rig = line()
    rig.do("string")
    rig.run(2_000)
    assert [fault.code for fault in heard(rig, DeviceFault)] == ["string"]
    assert [event.reason for event in heard(rig, NoteRejected)] == ["string"]


def test_other_currencies_are_unknown() -> None:
    device = SspValidator(notes=(("EUR", 10), ("GBP", 20)))
    rig: LoopNoteRig[Emulator] = LoopNoteRig(device, lambda: SspHost("notes", "EUR"))
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert heard(rig, DeviceReady)[0].info.denominations_minor == (1_000,)
    rig.subject.enable([1_000, 2_000])
    rig.run(1_000)
    rig.insert(2_000)
    rig.run(4_000)
    assert rig.returned_minor == [2_000]


def test_a_validator_that_fell_asleep_is_woken() -> None:
    rig = line()
    rig.do("silence 12000")
    rig.run(40_000)
    rig.subject.enable([2_000])
    rig.run(2_000)
    rig.insert(2_000)
    run_until(rig, lambda: heard(rig, NoteEscrowed))
    rig.subject.return_note(heard(rig, NoteEscrowed)[0].escrow_id)
    run_until(rig, lambda: heard(rig, NoteReturned))
