"""The dialogue with an ID-003 bill acceptor: escrow, VEND VALID, settings, a bad line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.emulators.base import Faults
from hal.emulators.id003 import EUROS, Id003Acceptor
from hal.events import (
    DeviceLost,
    DeviceReady,
    NoteEscrowed,
    NoteRejected,
    NoteReturned,
    NoteStacked,
)
from hal.wire.id003 import Frame, encode
from hal.wire.id003_host import Id003Host
from hal.wire.id003_messages import Command
from hal.wire.session import Enable, Output, Send, Start
from tests.hal.contract.rig import heard, run_until
from tests.hal.drivers.id003_bench import (
    ACK,
    RESET,
    RETURN,
    STACK_1,
    STACK_2,
    escrow,
    ready,
    rig_of,
    stacked,
    up,
)
from tests.hal.drivers.teller import Journal, NoteTeller

# --- a note's passage ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stack", [Command.STACK_1, Command.STACK_2])
def test_vend_valid_is_acknowledged_after_the_confirmation_and_not_before(stack: Command) -> None:
    rig = ready(stack=stack)
    note = stacked(rig)
    assert (note.key, note.escrow_id) == ("notes:0:1", "notes:0:escrow:1")
    rig.run(10_000)
    assert ACK not in rig.device.heard
    assert len(heard(rig, NoteStacked)) == 1, "VEND VALID is shown again and again, and counts once"
    rig.subject.confirm(note.key)
    rig.run(2_000)
    assert rig.device.heard.count(ACK) == 1
    assert rig.stacked_minor == [2_000]
    assert (STACK_1 if stack is Command.STACK_1 else STACK_2) in rig.device.heard


def test_a_lost_acknowledgement_is_given_again() -> None:
    class HardOfHearing(Id003Acceptor):
        """Misses the first acknowledgement."""

        missed = 0

        def _acknowledged(self) -> None:
            self.missed += 1
            if self.missed > 1:
                super()._acknowledged()

    rig = ready(HardOfHearing())
    note = stacked(rig)
    rig.subject.confirm(note.key)
    rig.run(2_000)
    assert rig.device.heard.count(ACK) == 2
    assert len(heard(rig, NoteStacked)) == 1
    escrow_id = escrow(rig, 1_000)
    assert escrow_id == "notes:0:escrow:2"


def test_a_lost_answer_to_stack_is_not_answered_by_another_stack() -> None:
    rig = ready()
    escrow_id = escrow(rig)
    rig.subject.stack(escrow_id)
    run_until(rig, lambda: STACK_2 in rig.device.heard)
    rig.do("drop_next")
    rig.run(3_000)
    assert rig.device.heard.count(STACK_2) == 1
    assert len(heard(rig, NoteStacked)) == 1


def test_vend_valid_missed_and_stacked_seen_is_a_credit() -> None:
    class Impatient(Id003Acceptor):
        """Shows STACKED without having waited for the acknowledgement."""

        def _state(self) -> bytes:
            state = super()._state()
            return b"\x16" if state == b"\x15" else state

    rig = ready(Impatient())
    assert stacked(rig).denomination_minor == 2_000


def test_a_note_ordered_into_the_box_and_gone_without_a_word_is_unknown_money() -> None:
    class Mute(Id003Acceptor):
        """Shows neither VEND VALID nor STACKED."""

        def _state(self) -> bytes:
            state = super()._state()
            return b"\x11" if state in (b"\x15", b"\x16") else state

    rig = ready(Mute())
    rig.subject.stack(escrow(rig))
    rig.run(3_000)
    assert not heard(rig, NoteStacked)
    assert up(rig) == ["unknown_money"]


def test_a_note_that_went_back_before_the_order_left_is_returned() -> None:
    rig = ready()
    escrow_id = escrow(rig)
    rig.run(300)
    rig.device.path.place = "none"
    rig.device.path.mouth.append(2_000)
    asked = len(rig.port.sent)
    while len(rig.port.sent) == asked:
        rig.run(1)
    rig.subject.stack(escrow_id)  # while the answer that the note has gone is on its way
    rig.run(3_000)
    assert [note.escrow_id for note in heard(rig, NoteReturned)] == [escrow_id]
    assert not up(rig)


def test_an_order_that_the_unit_refuses_was_not_taken() -> None:
    rig = ready()
    escrow_id = escrow(rig)
    rig.run(300)
    rig.device.path.place = "none"
    rig.device.path.mouth.append(2_000)
    rig.subject.stack(escrow_id)  # the line is free: the order leaves before the news that the note has gone
    rig.run(3_000)
    assert rig.device.heard.count(STACK_2) == 1
    assert [note.escrow_id for note in heard(rig, NoteReturned)] == [escrow_id]
    assert not up(rig)


def test_a_note_rejected_on_its_way_to_the_box_is_returned() -> None:
    rig = ready()
    escrow_id = escrow(rig)
    rig.subject.stack(escrow_id)
    run_until(rig, lambda: rig.device.path.place == "stacking")
    rig.device._reject = 0x7C
    rig.do("remove_cash_box")
    rig.run(3_000)
    assert [note.escrow_id for note in heard(rig, NoteReturned)] == [escrow_id]
    assert rig.returned_minor == [2_000]
    assert up(rig) == ["cash_box_removed"]


def test_another_note_in_escrow_means_that_the_first_went_back() -> None:
    rig = ready()
    first = escrow(rig)
    rig.run(300)
    rig.device.path.note_minor = 1_000
    rig.device._is_held = False
    rig.run(1_000)
    assert [note.escrow_id for note in heard(rig, NoteReturned)] == [first]
    assert [note.denomination_minor for note in heard(rig, NoteEscrowed)] == [2_000, 1_000]


def test_a_note_is_held_until_it_is_decided_and_not_for_ever() -> None:
    rig = ready()
    escrow(rig)
    rig.run(55_000)
    assert rig.device.path.place == "escrow"
    rig.run(10_000)
    assert rig.returned_minor == [2_000]
    assert len(heard(rig, NoteReturned)) == 1


def test_a_disabled_note_is_refused_by_the_unit_itself() -> None:
    rig = ready()
    rig.insert(5_000)
    rig.run(3_000)
    assert [event.reason for event in heard(rig, NoteRejected)] == ["inhibited"]
    rig.do("insert_damaged_note 2000")
    rig.run(3_000)
    assert [event.reason for event in heard(rig, NoteRejected)] == ["inhibited", "unknown"]


def test_a_unit_that_does_not_hold_is_asked_for_its_note_all_the_same() -> None:
    class Impatient(Id003Acceptor):
        """Knows no HOLD."""

        def _operate(self, code: int) -> bool:
            return code != 0x44 and super()._operate(code)

    rig = ready(Impatient())
    escrow_id = escrow(rig)
    rig.run(3_000)
    rig.subject.stack(escrow_id)
    rig.run(2_000)
    assert rig.stacked_minor == [2_000]


def test_a_state_that_comes_instead_of_the_answer_to_an_order_is_not_taken_for_it() -> None:
    class Chatty(Id003Acceptor):
        """Tells its state before it answers an order."""

        def _operate(self, code: int) -> bool:
            self._say(self._state())
            return super()._operate(code)

    rig = ready(Chatty())
    assert stacked(rig).denomination_minor == 2_000
    assert rig.device.heard.count(STACK_2) == 1


def test_a_new_note_waits_until_the_last_credit_is_confirmed() -> None:
    rig = ready()
    note = stacked(rig)
    rig.device._vend_shown = False  # a unit that does not wait for the acknowledgement
    rig.run(500)
    rig.insert(1_000)
    rig.run(1_500)
    assert len(heard(rig, NoteEscrowed)) == 1
    rig.subject.confirm(note.key)
    run_until(rig, lambda: len(heard(rig, NoteEscrowed)) == 2)
    rig.subject.stack(heard(rig, NoteEscrowed)[1].escrow_id)
    rig.run(2_000)
    assert rig.stacked_minor == [1_000, 2_000]


def test_a_note_without_a_value_goes_back_without_a_question() -> None:
    class Foreign(Id003Acceptor):
        """Lets everything in."""

        def _is_disabled(self, code: int) -> bool:
            return False

    rig = ready(Foreign(assignment=EUROS + bytes.fromhex("66 01 05 01")))
    rig.do("insert_note 5000")  # code 64; as 50 dollars it would be code 66
    rig.run(3_000)
    assert not heard(rig, NoteEscrowed)
    assert [event.reason for event in heard(rig, NoteRejected)] == ["inhibited"]
    assert RETURN in rig.device.heard


def test_only_the_configured_currency_has_values() -> None:
    rig = rig_of(Id003Acceptor(), currency="USD")
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert heard(rig, DeviceReady)[0].info.denominations_minor == ()


# --- settings -------------------------------------------------------------------------------------------------------------


def test_enable_sets_the_mask_before_it_lets_in_and_disable_inhibits() -> None:
    rig = ready()
    assert rig.device.heard.index(b"\xc0\xf9\xff") < rig.device.heard.index(b"\xc3\x00")
    rig.subject.enable([2_000])
    rig.run(500)
    assert rig.device._settings[0xC0] == b"\xfb\xff"
    rig.subject.disable()
    rig.run(500)
    assert rig.device._settings[0xC3] == b"\x01"
    rig.subject.enable([2_000])
    rig.run(500)
    assert rig.device._settings[0xC3] == b"\x00"


def test_it_is_ready_only_when_it_is_set_up_and_inhibited() -> None:
    rig = rig_of(Id003Acceptor())
    run_until(rig, lambda: heard(rig, DeviceReady))
    set_up = [b"\xc3\x01", b"\xc1\x00\x00", b"\xc2\x00", b"\xc4\x00", b"\xc5\x02\x00"]
    assert [content for content in rig.device.heard if content[0] >= 0xC0][:5] == set_up
    assert rig.device._settings[0xC5] == b"\x02\x00"


def test_a_setting_whose_answer_is_lost_is_not_taken_for_undone() -> None:
    class Lossy(Id003Acceptor):
        """Loses the answer to "let notes in"."""

        def _command(self, content: bytes) -> None:
            if content == b"\xc3\x00":
                self.drop_next()
            super()._command(content)

    rig = rig_of(Lossy())
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([2_000])
    run_until(rig, lambda: rig.device.heard[-1] == b"\xc3\x00")
    rig.subject.disable()
    rig.run(1_000)
    assert rig.device._settings[0xC3] == b"\x01"


def test_a_setting_that_is_not_taken_is_tried_again() -> None:
    class Stubborn(Id003Acceptor):
        refusals = 3

        def _command(self, content: bytes) -> None:
            if content[:1] == b"\xc0" and self.refusals:
                self.refusals -= 1
                self._say(b"\xc0\xff\xff")
            else:
                super()._command(content)

    rig = ready(Stubborn())
    rig.run(2_000)
    assert rig.device._settings[0xC0] == b"\xf9\xff"
    assert stacked(rig).denomination_minor == 2_000


def test_a_unit_may_refuse_settings_that_do_not_matter() -> None:
    class Old(Id003Acceptor):
        def _command(self, content: bytes) -> None:
            if content[0] in (0xC1, 0xC2, 0xC4, 0xC5, 0x88):
                self._say(b"\x4b")
            else:
                super()._command(content)

    rig = ready(Old())
    assert heard(rig, DeviceReady)[0].info.firmware == ""
    assert stacked(rig).denomination_minor == 2_000


def test_a_unit_that_can_t_be_inhibited_is_not_used() -> None:
    class Open(Id003Acceptor):
        def _command(self, content: bytes) -> None:
            if content[0] == 0xC3:
                self._say(b"\x4b")
            else:
                super()._command(content)

    rig = rig_of(Open())
    rig.run(15_000)
    assert not heard(rig, DeviceReady)
    assert [lost.reason for lost in heard(rig, DeviceLost)] == ["the unit does not take command C3"]


def test_a_unit_that_does_not_tell_its_denominations_is_not_used() -> None:
    rig = rig_of(Id003Acceptor(assignment=b""))
    rig.run(10_000)
    assert ["denominations" in lost.reason for lost in heard(rig, DeviceLost)] == [True]


def test_a_line_that_echoes_is_named() -> None:
    rig = rig_of(Id003Acceptor(echo=True))
    rig.run(10_000)
    assert ["echoes" in lost.reason for lost in heard(rig, DeviceLost)] == [True]
    assert not heard(rig, DeviceReady)


def test_a_denomination_table_of_nonsense_is_not_used() -> None:
    rig = rig_of(Id003Acceptor(assignment=b"\x01\x02\x03\x04"))
    rig.run(10_000)
    assert heard(rig, DeviceLost)
    assert not heard(rig, DeviceReady)


# --- the whole ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_on_a_bad_line_books_and_box_agree(seed: int) -> None:
    device = Id003Acceptor(Faults(corrupt=0.08, drop=0.05, repeat=0.1, noise=0.05, seed=seed))
    rig = rig_of(device)
    journal = Journal()
    rig.hear = NoteTeller(journal, lambda: rig.subject, (1_000, 2_000)).hear
    run_until(rig, lambda: heard(rig, DeviceReady), limit_ms=120_000)
    for index in range(20):
        rig.run(1_500)
        rig.insert((1_000, 2_000)[index % 2])
        rig.run(4_000)
    rig.run(10_000)
    assert sorted(journal.credits.values()) == rig.stacked_minor
    assert len(rig.stacked_minor) >= 10
    assert rig.device.heard.count(RESET) == 1


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.binary(max_size=30)
            | st.builds(lambda code, data: encode(Frame(code, data)), st.integers(0, 255), st.binary(max_size=3)),
            st.integers(0, 500),
        ),
        max_size=40,
    )
)
def test_whatever_comes_nothing_escapes_and_no_money_is_made(stream: list[tuple[bytes, int]]) -> None:
    host, now_ms = Id003Host("notes", "EUR"), 0
    outputs: list[Output] = []
    host.command(Start("notes", 0), now_ms)
    host.opened(now_ms)
    for data, pause_ms in stream:
        outputs += host.receive(data, now_ms)
        now_ms += pause_ms
        outputs += host.command(Enable("notes", (1_000,)), now_ms)
        if host.deadline_ms is not None and now_ms >= host.deadline_ms:
            outputs += host.timeout(now_ms)
    outputs += host.closed(now_ms)
    events = [output.event for output in outputs if not isinstance(output, Send)]
    assert not [event for event in events if isinstance(event, NoteStacked)]
