"""The dialogue with an ID-003 bill acceptor: power-up with a bill inside, silence, and trouble."""

import pytest

from hal.emulators.id003 import Id003Acceptor
from hal.errors import LocalProtocolError
from hal.events import (
    DeviceFault,
    DeviceLost,
    DeviceReady,
    FormerNote,
    NoteReport,
    NoteReturned,
    NoteStacked,
)
from hal.wire.id003 import Frame, encode
from hal.wire.id003_host import Id003Host
from hal.wire.session import Halt, Send, Start
from tests.hal.contract.rig import heard, run_until
from tests.hal.drivers.id003_bench import (
    ACK,
    RESET,
    STATUS,
    escrow,
    ready,
    report,
    rig_of,
    stacked,
    up,
)

# --- power ----------------------------------------------------------------------------------------------------------------


def test_reset_is_sent_at_power_up_and_never_to_recover() -> None:
    rig = ready()
    assert rig.device.heard.count(RESET) == 1
    for _ in range(3):
        rig.do("silence 4000")
        rig.run(8_000)
    assert rig.device.heard.count(RESET) == 1
    assert len(heard(rig, DeviceLost)) == 3


@pytest.mark.parametrize("recovers", [True, False])
def test_a_bill_of_our_order_in_the_stacker_at_power_up_is_credited_once(recovers: bool) -> None:
    rig = ready(Id003Acceptor(recovers_credit=recovers))
    escrow_id = escrow(rig)
    rig.subject.stack(escrow_id)
    run_until(rig, lambda: rig.device.path.past_lever)
    rig.do("power_cut")
    rig.run(3_000)
    rig.do("power_on")
    rig.run(6_000)
    assert {note.escrow_id for note in heard(rig, NoteStacked)} == {escrow_id}
    assert {note.key for note in heard(rig, NoteStacked)} == {"notes:0:1"}
    assert report(rig).unconfirmed == ("notes:0:1",)
    rig.subject.confirm("notes:0:1")
    rig.run(2_000)
    assert (ACK in rig.device.heard) == recovers
    rig.subject.enable([1_000])
    rig.run(500)
    assert escrow(rig, 1_000) == "notes:0:escrow:2"


def test_a_bill_in_the_acceptor_at_power_up_comes_back() -> None:
    rig = ready()
    escrow_id = escrow(rig)
    rig.subject.stack(escrow_id)
    run_until(rig, lambda: rig.device.path.place == "stacking")
    rig.do("power_cut")
    rig.run(3_000)
    rig.do("power_on")
    rig.run(6_000)
    assert rig.returned_minor == [2_000]
    assert [note.escrow_id for note in heard(rig, NoteReturned)] == [escrow_id]
    assert not report(rig).uncertain
    assert not up(rig)


def test_a_bill_gone_at_power_up_is_uncertain() -> None:
    rig = ready()
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: rig.device.path.place == "stacking")
    rig.do("power_cut")
    rig.run(3_000)
    rig.device.path.place = "none"  # somebody took it out, or it fell into the box
    rig.do("power_on")
    rig.run(6_000)
    assert report(rig).uncertain
    assert not heard(rig, NoteStacked)


@pytest.mark.parametrize(
    ("place", "past_lever", "uncertain"), [("none", False, True), ("stacking", False, False), ("stacking", True, True)]
)
def test_what_a_new_program_may_say_of_a_bill_inside_at_power_up(place: str, past_lever: bool, uncertain: bool) -> None:
    device = Id003Acceptor(recovers_credit=False)
    device.path.note_minor, device.path.place, device.path.past_lever = 2_000, place, past_lever  # type: ignore[assignment]
    device.path.cash_box += [2_000] * past_lever
    rig = rig_of(device)
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert report(rig) == NoteReport(uncertain=uncertain)
    assert not heard(rig, NoteStacked)
    assert rig.stacked_minor == ([2_000] if past_lever else [])
    rig.subject.enable([1_000])
    rig.run(500)
    assert escrow(rig, 1_000)


def test_vend_valid_of_a_former_program_names_its_order_and_is_acknowledged_only_when_confirmed() -> None:
    rig = ready()
    stacked(rig)
    rig.host_dies()
    rig.run(500)
    for _ in range(2):  # a program that ends before it confirms changes nothing
        rig.boot(last_event=1)
        rig.run(20_000)
        assert report(rig) == NoteReport(former=FormerNote("notes:0:1", "notes:0:escrow:1"))
        assert not heard(rig, NoteStacked)
        assert ACK not in rig.device.heard
        rig.host_dies()
    rig.boot(last_event=1)
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.confirm("notes:0:1")
    rig.run(2_000)
    assert rig.device.heard.count(ACK) == 1
    assert not up(rig)
    rig.subject.enable([1_000])
    rig.run(500)
    assert escrow(rig, 1_000) == "notes:0:escrow:2"


def test_vend_valid_of_a_former_program_is_named_again_after_a_silence_until_it_is_confirmed() -> None:
    rig = ready()
    stacked(rig)
    rig.host_dies()
    rig.boot(last_event=1)
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.do("silence 4000")
    rig.run(8_000)
    assert [event.report for event in heard(rig, DeviceReady)] == [
        NoteReport(former=FormerNote("notes:0:1", "notes:0:escrow:1"))
    ] * 2
    rig.subject.confirm("notes:0:1")
    rig.run(2_000)
    assert rig.device.heard.count(ACK) == 1


def test_vend_valid_of_a_former_program_is_uncertain_when_the_unit_lost_power_too() -> None:
    rig = ready()
    stacked(rig)
    rig.host_dies()
    rig.do("power_cut")
    rig.run(500)
    rig.boot(last_event=1)
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert report(rig) == NoteReport(uncertain=True)
    assert ACK not in rig.device.heard
    rig.run(8_000)
    assert rig.device.heard.count(ACK) == 1
    assert not heard(rig, NoteStacked)


def test_power_lost_before_the_former_note_is_reported_leaves_it_uncertain() -> None:
    rig = ready()
    stacked(rig)
    rig.host_dies()
    polls = rig.device.heard.count(STATUS)
    rig.boot(last_event=1)
    run_until(rig, lambda: rig.device.heard.count(STATUS) > polls)
    rig.run(15)  # its answer has been heard, who it is has not
    assert not heard(rig, DeviceReady)
    rig.do("power_cut")
    rig.run(500)
    rig.do("power_on")
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert report(rig) == NoteReport(uncertain=True)


def test_vend_valid_that_no_order_explains_is_unknown_money() -> None:
    rig = ready()
    rig.device._vend_shown = rig.device._credit_open = True
    rig.run(1_000)
    assert up(rig) == ["unknown_money"]
    assert ACK not in rig.device.heard
    rig.run(8_000)
    assert rig.device.heard.count(ACK) == 1
    assert up(rig) == ["unknown_money"]


def test_an_acknowledgement_owed_at_power_up_is_given_after_it() -> None:
    rig = ready()
    note = stacked(rig)
    rig.do("power_cut")
    rig.subject.confirm(note.key)
    rig.run(2_000)
    rig.do("power_on")
    rig.run(6_000)
    assert rig.device.heard.count(ACK) >= 1
    assert {event.key for event in heard(rig, NoteStacked)} == {note.key}


def test_a_dip_of_the_power_is_noticed_without_a_silence() -> None:
    rig = ready()
    escrow_id = escrow(rig)
    rig.do("power_cut")
    rig.run(20)
    rig.do("power_on")
    rig.device._phase = "power up"
    rig.run(100)
    rig.do("silence 400")  # the answer to RESET is lost, so the state is shown once more
    rig.run(6_000)
    assert [lost.reason for lost in heard(rig, DeviceLost)] == ["the unit was without power"]
    assert len(heard(rig, DeviceReady)) == 2
    assert [note.escrow_id for note in heard(rig, NoteReturned)] == [escrow_id]


def test_a_power_up_that_lasts_is_reset_again() -> None:
    class Deaf(Id003Acceptor):
        """Does not do its first RESET."""

        deaf = True

        def _operate(self, code: int) -> bool:
            if code == 0x40 and self.deaf:
                self.deaf = False
                return True
            return super()._operate(code)

    rig = ready(Deaf())
    assert rig.device.heard.count(RESET) == 2


def test_a_unit_that_resets_itself_is_set_up_again() -> None:
    rig = ready()
    rig.device._reset()
    rig.run(4_000)
    assert [lost.reason for lost in heard(rig, DeviceLost)] == ["the unit was reset"]
    assert len(heard(rig, DeviceReady)) == 2


def test_a_unit_in_trouble_from_the_start_is_ready_and_says_so() -> None:
    device = Id003Acceptor()
    device.path.box_fitted = False
    rig = rig_of(device)
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.run(500)
    assert up(rig) == ["cash_box_removed"]
    rig.do("insert_cash_box")
    rig.run(1_000)
    assert not heard(rig, DeviceFault)[-1].is_up


def test_a_jam_with_an_ordered_note_inside_is_not_called_ready() -> None:
    rig = ready()
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: rig.device.path.place == "stacking")
    rig.do("jam")
    rig.unplug()
    rig.run(500)
    rig.plug()
    rig.run(5_000)
    assert len(heard(rig, DeviceReady)) == 1
    rig.do("clear_jam")
    rig.run(3_000)
    assert len(heard(rig, DeviceReady)) == 2
    assert len({note.key for note in heard(rig, NoteStacked)}) == 1


# --- trouble ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verb", "fault"),
    [
        ("jam", "jam"),
        ("remove_cash_box", "cash_box_removed"),
        ("fill_stacker", "stacker_full"),
        ("trouble 71", "jam"),
        ("trouble 72", "fraud"),
        ("trouble 73 166", "motor"),
        ("trouble 73 1", "internal"),
        ("trouble 74", "internal"),
    ],
)
def test_each_trouble_has_its_own_fault_told_once(verb: str, fault: str) -> None:
    rig = ready()
    rig.do(verb)
    rig.run(2_000)
    assert up(rig) == [fault]


def test_trouble_ends_with_the_state() -> None:
    rig = ready()
    rig.do("trouble 73 162")
    rig.run(1_000)
    rig.do("trouble 72")
    rig.run(1_000)
    rig.do("trouble 0")
    rig.run(8_000)
    assert [(fault.code, fault.is_up) for fault in heard(rig, DeviceFault)] == [
        ("motor", True),
        ("fraud", True),
        ("motor", False),
        ("fraud", False),
    ]


def test_silence_is_told_once_and_forgiven() -> None:
    rig = ready()
    rig.do("silence 5000")
    rig.run(9_000)
    assert [lost.reason for lost in heard(rig, DeviceLost)] == ["no answer"]
    assert len(heard(rig, DeviceReady)) == 2


def test_a_unit_that_never_answers_is_lost_once() -> None:
    rig = rig_of(Id003Acceptor())
    rig.do("power_cut")
    rig.run(20_000)
    assert [type(event) for event in rig.events] == [DeviceLost]
    assert rig.events[0].at_ms < 4_000


def test_something_else_on_the_port_is_named() -> None:
    class Stranger(Id003Acceptor):
        def _say(self, content: bytes) -> None:
            super()._say(b"\x99" + content)

    rig = rig_of(Stranger())
    rig.run(10_000)
    assert ["state not known: 99" in lost.reason for lost in heard(rig, DeviceLost)] == [True]


def test_enquiries_and_late_answers_are_not_taken_for_answers() -> None:
    rig = ready()
    for _ in range(20):
        rig.device.raw(encode(Frame(0x05)) + encode(Frame(0x15)))
        rig.run(73)
    rig.run(1_000)
    assert not heard(rig, NoteStacked)
    assert not heard(rig, DeviceLost)


def test_a_unit_that_enquires_before_it_answers_is_understood() -> None:
    class Enquiring(Id003Acceptor):
        def _say(self, content: bytes) -> None:
            self.raw(encode(Frame(0x05)), 5)
            super()._say(content)

    rig = ready(Enquiring())
    assert stacked(rig).denomination_minor == 2_000
    assert not heard(rig, DeviceLost)


def test_noise_while_nothing_was_asked_is_no_answer() -> None:
    rig = ready()
    for _ in range(20):
        rig.device.raw(b"\xfc\x05\x15\x03\x11")
        rig.run(61)
    rig.run(1_000)
    assert not heard(rig, DeviceLost)
    assert not heard(rig, NoteStacked)


def test_a_damaged_byte_voids_the_frame() -> None:
    host = Id003Host("notes", "EUR")
    host.command(Start("notes", 0), 0)
    assert host.opened(0) == [Send(encode(Frame(0x11)))]
    host.receive(encode(Frame(0x11))[:3], 10)
    host.line_error(11)
    assert host.receive(encode(Frame(0x11))[3:], 12) == []
    assert host.timeout(300) == []


@pytest.mark.parametrize("moment", ["finding", "identifying", "working", "acknowledged", "silent"])
def test_stop_leaves_the_unit_inhibited_and_ends(moment: str) -> None:
    rig = ready() if moment in ("working", "acknowledged", "silent") else rig_of(Id003Acceptor())
    if moment == "identifying":
        rig.run(450)
    if moment == "acknowledged":
        rig.subject.confirm(stacked(rig).key)
        run_until(rig, lambda: ACK in rig.device.heard)
    if moment == "silent":
        rig.do("silence 3000")
    rig.subject.stop()
    rig.run(2_500)
    assert rig.port.session.deadline_ms is None
    if moment != "silent":
        assert rig.device._settings[0xC3] == b"\x01"


def test_stop_gives_a_waiting_note_back() -> None:
    rig = ready()
    escrow(rig)
    rig.subject.stop()
    rig.run(3_000)
    assert rig.returned_minor == [2_000]


def test_a_command_for_another_kind_of_device_is_our_own_mistake() -> None:
    rig = ready()
    with pytest.raises(LocalProtocolError, match="note acceptor"):
        rig.port.command(Halt("notes"))
