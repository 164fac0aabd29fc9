"""The dialogue with a ccTalk bill validator: escrow, orders, and what a reset leaves undecided."""

from collections.abc import Callable

import pytest

from hal.emulators.base import Faults
from hal.emulators.cctalk_note import CctalkBillValidator
from hal.errors import LocalProtocolError
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
from hal.wire.cctalk import Checksum
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_note import NoteStation
from hal.wire.session import Halt
from tests.hal.contract.loop_rigs import LoopNoteRig
from tests.hal.contract.rig import heard, run_until
from tests.hal.drivers.teller import Journal, NoteTeller

RESET, ROUTE, EVENTS = 1, 154, 159
Rig = LoopNoteRig[CctalkBillValidator]


def rig_of(device: CctalkBillValidator, station: Callable[[], NoteStation] | None = None) -> Rig:
    rig = LoopNoteRig(device, lambda: CctalkBus([station() if station else NoteStation("notes", "EU")]))
    rig.boot()
    return rig


def ready(device: CctalkBillValidator | None = None) -> Rig:
    """A program that takes 10 and 20."""
    rig = rig_of(device or CctalkBillValidator())
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([1_000, 2_000])
    rig.run(500)
    return rig


def escrow(rig: Rig, minor: int = 2_000) -> str:
    rig.insert(minor)
    run_until(rig, lambda: heard(rig, NoteEscrowed))
    return heard(rig, NoteEscrowed)[-1].escrow_id


def up(rig: Rig) -> list[str]:
    return [fault.code for fault in heard(rig, DeviceFault) if fault.is_up]


def report(rig: Rig) -> NoteReport:
    found = heard(rig, DeviceReady)[-1].report
    assert isinstance(found, NoteReport)
    return found


def headers(rig: Rig) -> list[int]:
    return [header for header, _ in rig.device.heard]


@pytest.mark.parametrize("crc", [True, False])
@pytest.mark.parametrize("echo", [True, False])
def test_either_checksum_and_either_adapter_is_found_out(crc: bool, echo: bool) -> None:
    rig = ready(CctalkBillValidator(crc=crc, echo=echo))
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: heard(rig, NoteStacked))
    assert heard(rig, NoteStacked)[0].key == "5326681:0:2"
    assert rig.stacked_minor == [2_000]


def test_unknown_and_unwanted_notes_go_back_without_a_question() -> None:
    class Sloppy(CctalkBillValidator):
        """Lets in what nobody asked for."""

        def lets_in(self, position: int) -> bool:
            return True

    rig = ready(Sloppy(bills=(b"EU0010A", b"EU0050A", b"GB0020A")))
    rig.insert(5_000)
    rig.run(3_000)
    rig.device.happen(3, 1)
    rig.run(15_000)
    assert [event.reason for event in heard(rig, NoteRejected)] == ["inhibited", "unknown"]
    assert not heard(rig, NoteEscrowed)
    assert rig.returned_minor == [5_000]


@pytest.mark.parametrize(
    ("code", "reason"), [(0, "inhibited"), (2, "unknown"), (3, "damaged"), (4, "inhibited"), (99, "unknown")]
)
def test_a_refused_note_is_told_with_its_reason(code: int, reason: str) -> None:
    rig = ready()
    rig.do(f"report_code {code}")
    rig.run(500)
    assert [event.reason for event in heard(rig, NoteRejected)] == [reason]


@pytest.mark.parametrize(
    ("code", "fault"),
    [(6, "jam"), (8, "string"), (9, "fraud"), (13, "motor"), (17, "fraud"), (18, "string"), (19, "sensor")],
)
def test_each_trouble_has_its_own_fault(code: int, fault: str) -> None:
    rig = ready()
    rig.do(f"report_code {code}")
    rig.run(500)
    assert up(rig) == [fault]
    rig.run(8_000)
    assert [event.is_up for event in heard(rig, DeviceFault)] == [True, False]


def test_a_full_stacker_is_told_until_an_empty_box_is_in() -> None:
    rig = ready()
    rig.do("fill_stacker")
    rig.run(3_000)
    assert up(rig) == ["stacker_full"]
    rig.do("remove_cash_box")
    rig.run(3_000)
    rig.do("insert_cash_box")
    rig.run(3_000)
    down = [fault.code for fault in heard(rig, DeviceFault) if not fault.is_up]
    assert sorted(down) == ["cash_box_removed", "stacker_full"]


def test_a_note_of_unknown_value_in_the_box_is_unknown_money() -> None:
    rig = ready()
    escrow(rig)
    rig.do("report_code 21")
    rig.run(500)
    assert up(rig) == ["unknown_money"]


def test_a_stacked_position_without_a_value_is_unknown_money() -> None:
    rig = ready()
    rig.device.happen(12, 0)
    rig.run(500)
    assert up(rig) == ["unknown_money"]
    assert not heard(rig, NoteStacked)


def test_another_note_stacked_than_was_in_escrow_is_credited_as_it_is_and_told() -> None:
    rig = ready()
    rig.subject.stack(escrow(rig))
    rig.device.happen(2, 0)
    rig.run(400)
    assert heard(rig, NoteStacked)[0].denomination_minor == 1_000
    assert up(rig) == ["unknown_money"]


def test_a_note_stacked_without_escrow_is_money_all_the_same() -> None:
    rig = ready()
    rig.device.happen(2, 0)
    rig.run(500)
    assert [(note.denomination_minor, note.escrow_id) for note in heard(rig, NoteStacked)] == [(1_000, None)]


def test_a_note_back_that_was_never_in_escrow_is_told() -> None:
    rig = ready()
    rig.do("report_code 1")
    rig.run(500)
    assert [note.escrow_id for note in heard(rig, NoteReturned)] == [None]


def test_a_barcode_ticket_goes_back() -> None:
    rig = ready()
    rig.do("report_code 20")
    rig.run(500)
    assert (ROUTE, b"\0") in rig.device.heard
    rig.run(15_000)
    assert [event.reason for event in heard(rig, NoteRejected)] == ["unknown"]


def test_a_note_nobody_decides_about_is_held_and_then_given_back() -> None:
    rig = ready()
    escrow(rig)
    rig.run(55_000)
    assert rig.device.path.place == "escrow"
    rig.run(10_000)
    assert rig.returned_minor == [2_000]
    assert len(heard(rig, NoteReturned)) == 1


def test_only_the_first_order_counts() -> None:
    rig = ready()
    escrow_id = escrow(rig)
    rig.subject.return_note(escrow_id)
    rig.subject.stack(escrow_id)
    rig.run(3_000)
    assert (rig.stacked_minor, rig.returned_minor) == ([], [2_000])


@pytest.mark.parametrize("mishap", ["drop_next", "corrupt_next", "repeat_last"])
def test_a_lost_answer_to_the_order_is_not_answered_by_another_order(mishap: str) -> None:
    class Lossy(CctalkBillValidator):
        """Its answer to the order suffers a mishap."""

        def _on_route(self, data: bytes) -> bytes | None:
            getattr(self, mishap)()
            return super()._on_route(data)

    rig = ready(Lossy())
    rig.subject.stack(escrow(rig))
    rig.run(5_000)
    assert len({note.key for note in heard(rig, NoteStacked)}) == 1
    assert rig.stacked_minor == [2_000]
    assert headers(rig).count(ROUTE) == 1
    assert not up(rig)


def test_an_order_without_an_effect_is_given_again() -> None:
    rig = ready()
    escrow_id = escrow(rig)
    rig.do("jam")
    rig.run(300)
    rig.subject.stack(escrow_id)
    rig.run(2_000)
    assert "jam" in up(rig)
    rig.do("clear_jam")
    rig.run(5_000)
    assert rig.stacked_minor == [2_000]
    assert headers(rig).count(ROUTE) >= 2


@pytest.mark.parametrize("order", ["stack", "return_note"])
def test_a_note_that_is_not_where_it_should_be_is_given_up_with_a_name(order: str) -> None:
    rig = ready()
    rig.device.happen(3, 1)  # says that a note is in escrow, but none is
    run_until(rig, lambda: heard(rig, NoteEscrowed))
    getattr(rig.subject, order)(heard(rig, NoteEscrowed)[0].escrow_id)
    rig.run(15_000)
    assert up(rig) == (["unknown_money"] if order == "stack" else [])
    assert len(heard(rig, NoteReturned)) == (0 if order == "stack" else 1)


@pytest.mark.parametrize("order", ["stack", ""])
def test_a_note_overtaken_by_another_is_not_forgotten(order: str) -> None:
    rig = ready()
    rig.device.happen(3, 1)
    run_until(rig, lambda: heard(rig, NoteEscrowed))
    if order:
        rig.subject.stack(heard(rig, NoteEscrowed)[0].escrow_id)
        rig.run(300)
    rig.device.happen(2, 1)
    rig.run(500)
    assert len(heard(rig, NoteEscrowed)) == 2
    assert up(rig) == (["unknown_money"] if order else [])
    assert len(heard(rig, NoteReturned)) == (0 if order else 1)


def test_an_order_refused_with_nak_leaves_the_decision_to_the_events() -> None:
    rig = ready()
    rig.device._answers[ROUTE] = lambda _: None
    escrow_id = escrow(rig)
    rig.subject.stack(escrow_id)
    rig.run(2_000)
    assert not heard(rig, DeviceLost)
    assert not heard(rig, NoteStacked)


# --- restarts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after_power_up", "has_counter", "outcome"),
    [
        ("event", True, "credited"),
        ("counter", True, "credited"),
        ("nothing", True, "unknown_money"),
        ("nothing", False, "unknown_money"),
    ],
)
def test_power_lost_while_stacking_is_decided_by_the_validator_or_not_at_all(
    after_power_up: str, has_counter: bool, outcome: str
) -> None:
    rig = ready(CctalkBillValidator(after_power_up=after_power_up, has_accept_counter=has_counter))  # type: ignore[arg-type]
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: rig.device.path.past_lever)
    rig.do("power_cut")
    rig.run(3_000)
    rig.do("power_on")
    rig.run(15_000)
    assert rig.stacked_minor == [2_000]
    assert ("credited" if heard(rig, NoteStacked) else up(rig)[0]) == outcome
    keys = {note.key for note in heard(rig, NoteStacked)}
    assert len(keys) <= 1
    assert set(report(rig).unconfirmed) == keys, "the counter has this note already, and its event is still to come"
    assert report(rig).uncertain == (outcome != "credited")


def test_power_lost_in_escrow_gives_the_note_back() -> None:
    rig = ready()
    escrow_id = escrow(rig)
    rig.do("power_cut")
    rig.run(3_000)
    rig.do("power_on")
    rig.run(5_000)
    assert [note.escrow_id for note in heard(rig, NoteReturned)] == [escrow_id]
    assert not up(rig)
    assert not report(rig).uncertain


def test_a_line_lost_in_escrow_asks_again_about_the_same_note() -> None:
    rig = ready()
    escrow_id = escrow(rig)
    rig.unplug()
    rig.run(1_000)
    rig.plug()
    rig.run(3_000)
    assert report(rig).in_escrow_minor == 2_000
    assert [note.escrow_id for note in heard(rig, NoteEscrowed)] == [escrow_id, escrow_id]
    rig.subject.stack(escrow_id)
    rig.run(2_000)
    assert rig.stacked_minor == [2_000]


def test_a_line_lost_after_the_order_asks_nothing_and_hears_the_end() -> None:
    rig = ready()
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: rig.device.path.place == "stacking")
    rig.unplug()
    rig.run(50)
    rig.device.path._since_ms += 3_000  # a slow one: it is still at it when the line is back
    rig.plug()
    rig.run(1_500)
    assert len(heard(rig, DeviceReady)) == 2
    assert not heard(rig, NoteStacked)
    rig.run(5_000)
    assert len({note.key for note in heard(rig, NoteStacked)}) == 1
    assert len(heard(rig, NoteEscrowed)) == 1


def test_a_note_that_came_to_escrow_while_nobody_listened_is_the_terminal_s_to_decide() -> None:
    rig = ready()
    rig.insert(2_000)
    rig.run(100)
    rig.unplug()
    rig.run(1_000)
    rig.plug()
    rig.run(3_000)
    assert [note.denomination_minor for note in heard(rig, NoteEscrowed)] == [2_000]


def test_a_new_program_names_the_note_in_escrow_as_the_old_one_did() -> None:
    rig = ready()
    escrow_id = escrow(rig)
    for last_event in (0, 1):
        rig.host_dies()
        rig.run(100)
        rig.boot(last_event)
        run_until(rig, lambda: heard(rig, NoteEscrowed))
        assert heard(rig, NoteEscrowed)[0].escrow_id == escrow_id
        assert report(rig).in_escrow_minor == 2_000


@pytest.mark.parametrize(("last_event", "order"), [(0, "stack"), (1, "stack"), (1, "return_note")])
def test_a_new_program_hears_how_the_old_one_s_order_ended(last_event: int, order: str) -> None:
    rig = ready()
    escrow_id = escrow(rig)
    getattr(rig.subject, order)(escrow_id)
    run_until(rig, lambda: rig.device.path.place in ("stacking", "returning"))
    rig.host_dies()
    rig.run(2_000)
    rig.boot(last_event)
    rig.run(4_000)
    if order == "return_note":
        assert [note.escrow_id for note in heard(rig, NoteReturned)] == [escrow_id]
    elif last_event:
        assert [note.escrow_id for note in heard(rig, NoteStacked)][:1] == [escrow_id]
        assert report(rig).unconfirmed == ("5326681:0:2",)
    else:
        assert report(rig).uncertain, "without a journal what is in the buffer can't be judged"
        assert up(rig) == ["lost_events"]


def test_a_new_program_is_sure_of_nothing_over_a_reset_of_the_validator() -> None:
    rig = ready()
    rig.host_dies()
    rig.do("reset")
    rig.run(100)
    rig.boot(3)
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert report(rig).uncertain


def test_a_reset_hidden_by_the_same_counter_is_betrayed_by_the_inhibits() -> None:
    rig = ready(CctalkBillValidator(after_power_up="event"))
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: rig.device.path.past_lever)
    rig.cut_power()
    rig.run(300)
    rig.boot(last_event=1)  # the order was committed; the counter stands at 1 again, for the note that was stacked
    assert rig.device.counter == 1
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert report(rig).uncertain


@pytest.mark.parametrize("is_unplugged", [False, True])
def test_inhibits_whose_acknowledgement_was_lost_are_not_taken_for_a_reset(is_unplugged: bool) -> None:
    rig = ready()
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: heard(rig, NoteStacked))
    rig.do("silence 2500")
    rig.subject.enable([1_000])
    rig.run(200)
    assert rig.device.heard[-1][0] == 231, "the validator has taken the new inhibits"
    if is_unplugged:
        rig.unplug()
        rig.run(2_000)
        rig.plug()
    rig.run(8_000)
    assert len(heard(rig, DeviceReady)) == 2
    assert len({note.key for note in heard(rig, NoteStacked)}) == 1, "its note is not a new one"


def test_the_counter_wraps_and_no_note_is_lost() -> None:
    """Fault 1."""
    rig = ready()
    for number in range(1, 130):  # two events each
        rig.insert(1_000)
        run_until(rig, lambda number=number: len(heard(rig, NoteEscrowed)) == number)  # type: ignore[misc]
        rig.subject.stack(heard(rig, NoteEscrowed)[-1].escrow_id)
        run_until(rig, lambda number=number: len(heard(rig, NoteStacked)) == number)  # type: ignore[misc]
        rig.subject.confirm(heard(rig, NoteStacked)[-1].key)
    assert rig.device.counter == 3
    assert [note.key for note in heard(rig, NoteStacked)][-3:] == [f"5326681:{n}" for n in ("0:254", "1:256", "1:258")]
    assert rig.stacked_minor == [1_000] * 129
    assert not up(rig)


def test_more_events_than_the_buffer_holds_are_a_named_loss_and_what_it_still_shows_is_credited() -> None:
    """Fault 2."""
    rig = ready()
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: ROUTE in headers(rig))
    rig.do("silence 2500")
    for _ in range(6):  # six refused notes push the stacked one's escrow, but not its own event, out of the buffer
        rig.device.happen(0, 2)
    run_until(rig, lambda: heard(rig, NoteStacked))
    assert up(rig) == ["lost_events"]
    assert len({note.key for note in heard(rig, NoteStacked)}) == 1


def test_a_note_s_events_in_one_reading_are_taken_in_the_order_in_which_they_happened() -> None:
    """Fault 3: newest first, its end would come before its beginning."""
    rig = ready()
    rig.do("silence 250")
    device = rig.device
    device.happen(0, 2)
    device.happen(3, 1)
    device.accepted_count += 1
    device.path.cash_box.append(2_000)
    device.happen(3, 0)
    device.happen(0, 14)
    run_until(rig, lambda: "stacker_full" in up(rig))
    rejected, escrowed, stacked, full = [
        event for event in rig.events if isinstance(event, NoteRejected | NoteEscrowed | NoteStacked | DeviceFault)
    ][:4]
    assert isinstance(rejected, NoteRejected)
    assert isinstance(escrowed, NoteEscrowed)
    assert isinstance(stacked, NoteStacked)
    assert isinstance(full, DeviceFault)
    assert stacked.escrow_id == escrowed.escrow_id


def test_silence_is_answered_by_patience_and_never_by_a_reset() -> None:
    """Fault 7: a reset wipes the events that nobody has seen."""
    rig = ready()
    rig.subject.stack(escrow(rig))
    rig.run(150)
    rig.do("silence 10000")
    rig.run(20_000)
    assert RESET not in headers(rig)
    assert [note.denomination_minor for note in {n.key: n for n in heard(rig, NoteStacked)}.values()] == [2_000]


def test_a_long_history_without_a_journal_is_uncertain() -> None:
    rig = ready()
    for _ in range(7):
        rig.do("report_code 2")
    rig.host_dies()
    rig.boot(0)
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert report(rig).uncertain


@pytest.mark.parametrize("last_event", [0, 1])
def test_a_note_of_unknown_value_in_the_buffer_makes_the_report_uncertain(last_event: int) -> None:
    rig = ready()
    rig.do("report_code 2")
    rig.run(500)
    rig.host_dies()
    rig.do("report_code 21")
    rig.boot(last_event)
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert report(rig).uncertain


# --- the whole ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_on_a_bad_line_books_and_box_agree(seed: int) -> None:
    device = CctalkBillValidator(Faults(corrupt=0.08, drop=0.05, repeat=0.1, noise=0.05, seed=seed))
    rig = rig_of(device)
    journal = Journal()
    rig.hear = NoteTeller(journal, lambda: rig.subject, (1_000, 2_000)).hear
    run_until(rig, lambda: heard(rig, DeviceReady), limit_ms=120_000)
    for index in range(15):
        rig.run(2_000)
        rig.insert((1_000, 2_000)[index % 2])
        rig.run(4_000)
    rig.run(10_000)
    assert sorted(journal.credits.values()) == rig.stacked_minor
    assert len(rig.stacked_minor) >= 8
    assert RESET not in headers(rig)


def test_a_validator_that_can_t_hold_a_note_is_not_used() -> None:
    device = CctalkBillValidator()
    device._answers[153] = lambda _: None
    rig = rig_of(device)
    rig.run(10_000)
    assert [lost.reason for lost in heard(rig, DeviceLost)] == ["refuses command 153"]
    assert not heard(rig, DeviceReady)


def test_nonsense_about_values_is_not_used() -> None:
    device = CctalkBillValidator()
    device._answers[156] = lambda _: b"\1\0\x09"
    rig = rig_of(device)
    rig.run(10_000)
    assert ["scaling factor" in lost.reason for lost in heard(rig, DeviceLost)] == [True]


def test_a_command_for_another_kind_of_device_is_our_own_mistake() -> None:
    rig = ready()
    with pytest.raises(LocalProtocolError, match="bill validator"):
        rig.port.command(Halt("notes"))


def test_a_validator_with_one_checksum_is_asked_in_that_one_only() -> None:
    device = CctalkBillValidator()
    rig = rig_of(device, lambda: NoteStation("notes", "EU", checksums=(Checksum.SUM8,)))
    rig.run(8_000)
    assert [lost.reason for lost in heard(rig, DeviceLost)] == ["no answer"]
    assert EVENTS not in headers(rig)
