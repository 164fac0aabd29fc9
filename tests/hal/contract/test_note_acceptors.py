"""Every note acceptor, whatever is behind it, keeps this contract."""

from collections.abc import Callable

import pytest

from hal.events import DeviceFault, DeviceReady, NoteEscrowed, NoteReport, NoteReturned, NoteStacked
from tests.hal.contract.rig import NoteRig, heard, run_until
from tests.hal.contract.rigs import NOTE_RIGS


@pytest.fixture(params=NOTE_RIGS)
def make(request: pytest.FixtureRequest) -> Callable[[], NoteRig]:
    """Makes a booted acceptor whose ``DeviceReady`` was heard."""
    return lambda: booted(NOTE_RIGS[request.param]())


@pytest.fixture
def rig(make: Callable[[], NoteRig]) -> NoteRig:
    return make()


def booted(rig: NoteRig, last_event: int = 0) -> NoteRig:
    rig.boot(last_event)
    run_until(rig, lambda: heard(rig, DeviceReady))
    return rig


def escrow(rig: NoteRig, minor: int = 2_000) -> str:
    """Put a note in escrow; returns its id."""
    rig.subject.enable([1_000, 2_000])
    rig.run(500)
    rig.insert(minor)
    run_until(rig, lambda: heard(rig, NoteEscrowed))
    return heard(rig, NoteEscrowed)[-1].escrow_id


def test_ready_is_the_first_event_and_says_who_it_is(rig: NoteRig) -> None:
    first = rig.events[0]
    assert isinstance(first, DeviceReady)
    assert first.info.serial
    assert {1_000, 2_000} <= set(first.info.denominations_minor)
    assert isinstance(first.report, NoteReport)


def test_a_note_is_refused_before_enable(rig: NoteRig) -> None:
    rig.insert(2_000)
    rig.run(5_000)
    assert not heard(rig, NoteEscrowed)
    assert not rig.stacked_minor


def test_an_enabled_note_waits_in_escrow_and_is_stacked_on_command(rig: NoteRig) -> None:
    escrow_id = escrow(rig)
    assert heard(rig, NoteEscrowed)[-1].denomination_minor == 2_000
    assert not rig.stacked_minor
    rig.subject.stack(escrow_id)
    run_until(rig, lambda: heard(rig, NoteStacked))
    stacked = heard(rig, NoteStacked)[0]
    assert (stacked.denomination_minor, stacked.escrow_id) == (2_000, escrow_id)
    rig.subject.confirm(stacked.key)
    rig.run(2_000)
    assert rig.stacked_minor == [2_000]


def test_a_note_is_given_back_on_command(rig: NoteRig) -> None:
    escrow_id = escrow(rig)
    rig.subject.return_note(escrow_id)
    run_until(rig, lambda: heard(rig, NoteReturned))
    assert heard(rig, NoteReturned)[-1].escrow_id == escrow_id
    assert (rig.stacked_minor, rig.returned_minor) == ([], [2_000])


def test_a_denomination_that_is_not_enabled_comes_back(rig: NoteRig) -> None:
    rig.subject.enable([1_000])
    rig.run(500)
    rig.insert(2_000)
    run_until(rig, lambda: rig.returned_minor)
    assert not heard(rig, NoteEscrowed)
    assert not rig.stacked_minor


def test_a_wrong_escrow_id_moves_nothing(rig: NoteRig) -> None:
    escrow(rig)
    rig.subject.stack("another note")
    rig.subject.return_note("another note")
    rig.run(2_000)
    assert (rig.stacked_minor, rig.returned_minor) == ([], [])


def test_an_undecided_note_is_never_stacked(rig: NoteRig) -> None:
    escrow(rig)
    rig.run(120_000)
    assert not rig.stacked_minor
    assert not heard(rig, NoteStacked)


def test_disable_leaves_a_note_in_escrow_to_be_decided(rig: NoteRig) -> None:
    escrow_id = escrow(rig)
    rig.subject.disable()
    rig.run(500)
    rig.subject.stack(escrow_id)
    run_until(rig, lambda: heard(rig, NoteStacked))
    assert rig.stacked_minor == [2_000]


def test_a_confirmed_note_is_not_reported_by_another_key(rig: NoteRig) -> None:
    rig.subject.stack(escrow(rig))
    run_until(rig, lambda: heard(rig, NoteStacked))
    for _ in range(2):  # twice: a second confirmation is harmless
        rig.subject.confirm(heard(rig, NoteStacked)[0].key)
        rig.run(3_000)
    assert len({note.key for note in heard(rig, NoteStacked)}) == 1


def test_two_notes_have_two_keys(rig: NoteRig) -> None:
    for minor in (1_000, 2_000):
        rig.events.clear()
        rig.subject.stack(escrow(rig, minor))
        run_until(rig, lambda: heard(rig, NoteStacked))
        rig.subject.confirm(heard(rig, NoteStacked)[0].key)
        rig.run(2_000)
        if minor == 1_000:
            first_key = heard(rig, NoteStacked)[0].key
    assert heard(rig, NoteStacked)[0].key != first_key
    assert rig.stacked_minor == [1_000, 2_000]


def test_a_jam_is_a_fault_that_goes_away(rig: NoteRig) -> None:
    rig.subject.enable([2_000])
    rig.run(500)
    rig.jam()
    run_until(rig, lambda: any(fault.code == "jam" and fault.is_up for fault in heard(rig, DeviceFault)))
    rig.clear_jam()
    run_until(rig, lambda: any(fault.code == "jam" and not fault.is_up for fault in heard(rig, DeviceFault)))


def test_a_missing_cash_box_is_a_fault_and_no_note_is_taken(rig: NoteRig) -> None:
    rig.subject.enable([2_000])
    rig.run(500)
    rig.remove_box()
    run_until(rig, lambda: any(fault.code == "cash_box_removed" and fault.is_up for fault in heard(rig, DeviceFault)))
    rig.insert(2_000)
    rig.run(5_000)
    assert not heard(rig, NoteStacked)
    rig.insert_box()
    run_until(
        rig, lambda: any(fault.code == "cash_box_removed" and not fault.is_up for fault in heard(rig, DeviceFault))
    )


def test_stop_may_come_twice_and_refuses_notes(rig: NoteRig) -> None:
    rig.subject.enable([2_000])
    rig.run(500)
    rig.subject.stop()
    rig.subject.stop()
    rig.run(500)
    rig.insert(2_000)
    rig.run(5_000)
    assert not rig.stacked_minor


@pytest.mark.parametrize("cut", ["power", "program"])
def test_wherever_a_note_is_cut_off_it_is_credited_once_or_not_stacked(make: Callable[[], NoteRig], cut: str) -> None:
    """Cut at many moments from the mouth to the cash box; afterwards keys and notes in the box must match, or the
    device must say that it doesn't know."""
    for moment_ms in range(0, 1_600, 80):
        rig = make()
        rig.subject.enable([2_000])
        rig.run(500)
        rig.insert(2_000)
        keys: set[str] = set()
        for _ in range(0, moment_ms, 20):
            rig.run(20)
            for note in heard(rig, NoteEscrowed):
                rig.subject.stack(note.escrow_id)
        keys |= {note.key for note in heard(rig, NoteStacked)}
        if cut == "power":
            rig.cut_power()
        else:
            rig.host_dies()
        rig.run(40)
        booted(rig, last_event=len(keys))
        for _ in range(0, 20_000, 500):
            rig.run(500)
            for again in heard(rig, NoteEscrowed):
                rig.subject.return_note(again.escrow_id)
            for note_again in heard(rig, NoteStacked):
                keys.add(note_again.key)
                rig.subject.confirm(note_again.key)
        report = heard(rig, DeviceReady)[0].report
        assert isinstance(report, NoteReport)
        keys |= {report.former.key} if report.former else set()
        unsure = report.uncertain or any(fault.code == "unknown_money" for fault in heard(rig, DeviceFault))
        assert len(keys) == len(rig.stacked_minor) or unsure, f"cut after {moment_ms} ms: {rig.events}"
        assert len(rig.stacked_minor) + len(rig.returned_minor) == 1, f"cut after {moment_ms} ms: {rig.events}"
