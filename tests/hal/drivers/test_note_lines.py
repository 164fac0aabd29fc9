"""What every note acceptor behind SSP, CCNET and EBDS keeps beyond the contract: noise, silence, faults, confirmations."""

import pytest

from hal.emulators.base import Emulator, Faults
from hal.events import DeviceFault, DeviceLost, DeviceReady, NoteEscrowed, NoteRejected, NoteReport, NoteStacked
from tests.hal.contract.loop_rigs import LoopNoteRig
from tests.hal.contract.note_line_rigs import NOTE_LINES, note_line_rig
from tests.hal.contract.rig import heard, run_until
from tests.hal.drivers.teller import Journal, NoteTeller

RESETS = {"ssp": b"\x01\x01", "ccnet": bytes.fromhex("02 03 06 30"), "ebds": bytes.fromhex("02 08 60 7F 7F 7F")}


@pytest.fixture(params=NOTE_LINES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def rig(name: str) -> LoopNoteRig[Emulator]:
    rig = note_line_rig(name)()
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([1_000, 2_000])
    rig.run(1_000)
    return rig


def fault_codes(rig: LoopNoteRig[Emulator], is_up: bool = True) -> list[str]:
    return [fault.code for fault in heard(rig, DeviceFault) if fault.is_up is is_up]


def escrow(rig: LoopNoteRig[Emulator], minor: int = 2_000) -> str:
    rig.insert(minor)
    before = len(heard(rig, NoteEscrowed))
    run_until(rig, lambda: len(heard(rig, NoteEscrowed)) > before)
    return heard(rig, NoteEscrowed)[-1].escrow_id


@pytest.mark.parametrize("seed", range(6))
def test_on_a_bad_line_books_and_cash_box_agree_or_a_fault_says_otherwise(name: str, seed: int) -> None:
    """Fault 5 of public hosts: damaged frames that are credited. Here one frame in five is damaged, lost or repeated."""
    device, session = NOTE_LINES[name]
    rig = LoopNoteRig(device(), session)
    rig.device._faults = Faults(corrupt=0.08, drop=0.06, repeat=0.06, noise=0.05, seed=seed)
    rig.device._random.seed(seed)
    journal = Journal()
    rig.boot()
    rig.hear = NoteTeller(journal, lambda: rig.subject, (1_000, 2_000)).hear
    rig.run(10_000)
    for number in range(12):
        rig.insert(1_000 if number % 3 else 2_000)
        rig.run(12_000)
    rig.device._faults = Faults()
    rig.run(30_000)
    credited, in_box = sum(journal.credits.values()), sum(rig.stacked_minor)
    assert credited <= in_box, "credited what is not there"
    if credited != in_box:
        assert {"unknown_money", "lost_events", "uncertain"} & set(journal.faults), "lost without a word"
    assert len(journal.credits) >= 4
    assert len(rig.stacked_minor) + len(rig.returned_minor) == 12


def test_what_the_host_hears_may_come_byte_by_byte(name: str) -> None:
    rig = note_line_rig(name)()
    rig.boot()
    rig.port._chunk_size = 1
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([2_000])
    rig.run(1_000)
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: heard(rig, NoteStacked))


def test_a_device_that_never_answers_delays_nothing_and_is_told_once(name: str) -> None:
    rig = note_line_rig(name)()
    rig.do("silence 100000")
    rig.boot()
    rig.run(60_000)
    assert [type(event) for event in rig.events] == [DeviceLost]
    assert heard(rig, DeviceLost)[0].reason == "no answer"
    rig.run(60_000)
    run_until(rig, lambda: heard(rig, DeviceReady))


def test_bytes_of_another_device_are_never_believed(name: str) -> None:
    rig = note_line_rig(name)()
    rig.do("silence 1000000")
    rig.boot()
    for _ in range(200):
        rig.do("noise 40")
        rig.run(100)
    assert ["makes no sense" in lost.reason for lost in heard(rig, DeviceLost)] == [True]
    assert not heard(rig, DeviceReady)
    assert not heard(rig, NoteStacked)


def test_a_line_of_another_speed_is_named_and_a_good_one_is_found_when_it_is_right(name: str) -> None:
    """At another speed every byte breaks a rule of the line: wrong parity, or no end where there should be one."""
    rig = note_line_rig(name)()
    rig.do("silence 30000")
    rig.boot()
    for _ in range(250):
        rig.port._perform(rig.port.session.line_error(rig.port.now_ms))
        rig.run(100)
    assert ["another speed" in lost.reason for lost in heard(rig, DeviceLost)] == [True]
    rig.run(60_000)
    assert heard(rig, DeviceReady)


def test_silence_is_never_answered_with_a_reset(rig: LoopNoteRig[Emulator], name: str) -> None:
    """Fault 7: a reset loses what the device still has to tell."""
    rig.subject.stack(escrow(rig))
    rig.run(200)
    before = len(rig.port.sent)
    rig.do("silence 40000")
    rig.run(60_000)
    assert heard(rig, DeviceLost)
    assert not any(RESETS[name.partition("-")[0]] in sent for sent in rig.port.sent[before:])


def test_after_a_long_silence_the_note_is_credited_or_doubted(rig: LoopNoteRig[Emulator]) -> None:
    escrow_id = escrow(rig)
    rig.subject.stack(escrow_id)
    rig.run(50)
    rig.do("silence 30000")
    rig.run(60_000)
    stacked = heard(rig, NoteStacked)
    report = heard(rig, DeviceReady)[-1].report
    assert isinstance(report, NoteReport)
    if rig.stacked_minor:
        assert len({note.key for note in stacked}) == 1 or report.uncertain or "unknown_money" in fault_codes(rig)
    else:
        assert not stacked


def test_a_credit_waits_for_its_confirmation_however_long(rig: LoopNoteRig[Emulator]) -> None:
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: heard(rig, NoteStacked))
    rig.run(30_000)
    (stacked,) = heard(rig, NoteStacked)
    rig.insert(1_000)
    rig.run(3_000)
    assert len(heard(rig, NoteEscrowed)) == 1, "no other note before this one is settled"
    rig.subject.confirm("another key")
    rig.run(1_000)
    rig.subject.confirm(stacked.key)
    rig.run(2_000)
    if len(heard(rig, NoteEscrowed)) == 1:  # else it waited inside, which a clone lets happen
        escrow(rig, 1_000)
    assert heard(rig, NoteEscrowed)[-1].denomination_minor == 1_000


def test_an_unconfirmed_credit_comes_again_with_its_key_after_the_program_starts_anew(
    rig: LoopNoteRig[Emulator], name: str
) -> None:
    """The crash between commit and acknowledgement: the journal holds the key, the device reports it again."""
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: heard(rig, NoteStacked))
    key = heard(rig, NoteStacked)[0].key
    rig.host_dies()
    rig.run(500)
    rig.boot(last_event=int(key.rpartition(":")[2]))
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.run(3_000)
    again = heard(rig, NoteStacked)
    assert {note.key for note in again} <= {key}
    if name in ("ssp", "ccnet"):  # the others may forget what they have told once; then the journal alone knows
        assert [note.key for note in again] == [key]
        assert heard(rig, DeviceReady)[0].report == NoteReport(unconfirmed=(key,))


def test_after_a_restart_an_old_journal_s_numbers_are_not_used_again(name: str) -> None:
    rig = note_line_rig(name)()
    rig.boot(last_event=41)
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([2_000])
    rig.run(1_000)
    escrow_id = escrow(rig)
    assert escrow_id.endswith(":escrow:42")
    rig.subject.stack(escrow_id)
    run_until(rig, lambda: heard(rig, NoteStacked))
    assert heard(rig, NoteStacked)[0].key.endswith(":42")


def test_a_note_given_back_by_the_device_itself_is_reported(rig: LoopNoteRig[Emulator]) -> None:
    rig.do("insert_damaged_note 2000")
    run_until(rig, lambda: heard(rig, NoteRejected))
    assert heard(rig, NoteRejected)[0].reason
    assert not heard(rig, NoteEscrowed)


@pytest.mark.parametrize(
    ("begin", "end", "code"),
    [("jam", "clear_jam", "jam"), ("remove_cash_box", "insert_cash_box", "cash_box_removed")],
)
def test_conditions_are_faults_that_come_and_go(rig: LoopNoteRig[Emulator], begin: str, end: str, code: str) -> None:
    rig.do(begin)
    rig.run(3_000)
    assert fault_codes(rig) == [code]
    rig.do(end)
    rig.run(8_000)
    assert fault_codes(rig, is_up=False) == [code]


def test_a_full_cash_box_is_a_fault_and_takes_nothing(rig: LoopNoteRig[Emulator]) -> None:
    rig.do("fill_stacker")
    rig.run(3_000)
    assert fault_codes(rig) == ["stacker_full"]
    rig.insert(2_000)
    rig.run(5_000)
    assert rig.returned_minor == [2_000]
    rig.do("remove_cash_box")
    rig.run(2_000)
    rig.do("insert_cash_box")
    rig.run(8_000)
    assert set(fault_codes(rig, is_up=False)) == {"stacker_full", "cash_box_removed"}


def test_fraud_is_an_incident_of_its_own(rig: LoopNoteRig[Emulator]) -> None:
    rig.do("fraud 2000" if rig.device.protocol == "ssp" else "fraud")
    rig.run(3_000)
    assert fault_codes(rig) == ["fraud"]
    assert not heard(rig, NoteStacked)


def test_a_device_that_restarts_alone_is_lost_and_ready_again_and_disabled(rig: LoopNoteRig[Emulator]) -> None:
    rig.do("restart")
    run_until(rig, lambda: len(heard(rig, DeviceReady)) == 2)
    assert len(heard(rig, DeviceLost)) == 1
    rig.insert(2_000)
    rig.run(5_000)
    assert not heard(rig, NoteEscrowed)


def test_stop_gives_an_undecided_note_back(rig: LoopNoteRig[Emulator]) -> None:
    escrow(rig)
    rig.subject.stop()
    rig.run(15_000)
    assert (rig.stacked_minor, rig.returned_minor) == ([], [2_000])
    assert rig.port.session.deadline_ms is None


@pytest.mark.parametrize("moment", ["unconfirmed", "stacking", "silent"])
def test_stop_ends_at_any_moment(rig: LoopNoteRig[Emulator], moment: str) -> None:
    if moment == "silent":
        rig.do("silence 100000")
        rig.run(2_000)
    else:
        rig.subject.stack(escrow(rig))
        rig.run(100)
        if moment == "unconfirmed":
            run_until(rig, lambda: heard(rig, NoteStacked))
    rig.subject.stop()
    rig.run(20_000)
    assert rig.port.session.deadline_ms is None
