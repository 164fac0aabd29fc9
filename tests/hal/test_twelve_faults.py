"""The twelve faults of public hosts, and which test stands against each of them in every protocol to which it applies.

A test that is renamed or taken away, or a protocol without one, makes this fail.
"""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hal.events import DeviceReady, NoteEscrowed, NoteStacked
from tests.hal.contract.loop_rigs import LoopNoteRig
from tests.hal.contract.rig import heard, run_until
from tests.hal.contract.rigs import NOTE_RIGS

HERE = Path(__file__).parent

FAULTS = {
    1: "the event counter goes from 255 to 1",
    2: "six or more events between two polls",
    3: "events of one poll are told newest first",
    4: "the device restarts and has an event in the same poll",
    5: "a frame with a bad checksum is credited",
    6: "a checksum whose sum is zero already",
    7: "a reset is used to recover",
    8: "the acknowledgement goes on after a bad frame",
    9: "STACKED is shown once, in an answer that was lost",
    10: "a bill that is inside at power-up",
    11: "bytes are unstuffed twice",
    12: "credit before the device says that it is money",
}

BEFORE_MONEY = "test_twelve_faults.py::test_no_note_is_money_before_it_can_not_come_back"
BUS_DAMAGE = "drivers/test_cctalk_bus.py::test_a_damaged_byte_voids_the_exchange"
LINE_DAMAGE = "drivers/test_note_lines.py::test_on_a_bad_line_books_and_cash_box_agree_or_a_fault_says_otherwise"
LINE_SILENCE = "drivers/test_note_lines.py::test_silence_is_never_answered_with_a_reset"

TESTS: dict[str, dict[int, str]] = {
    "cctalk-coin": {
        1: "drivers/test_cctalk_coin.py::test_the_counter_wraps_and_no_coin_is_lost",
        2: "drivers/test_cctalk_coin.py::test_more_coins_than_the_buffer_holds_are_five_and_a_named_loss",
        3: "drivers/test_cctalk_coin.py::test_coins_of_one_poll_are_told_in_the_order_in_which_they_fell",
        4: "drivers/test_cctalk_coin.py::test_a_reset_and_coins_before_the_next_poll_are_both_seen",
        5: "drivers/test_cctalk_coin.py::test_on_a_bad_line_every_coin_is_credited_once",
        6: "wire/test_cctalk_frames.py::test_a_sum_that_is_zero_already_needs_a_zero",
        7: "drivers/test_cctalk_coin.py::test_silence_is_answered_by_patience_and_never_by_a_reset",
    },
    "cctalk-note": {
        1: "drivers/test_cctalk_note.py::test_the_counter_wraps_and_no_note_is_lost",
        2: "drivers/test_cctalk_note.py::test_more_events_than_the_buffer_holds_are_a_named_loss_and_what_it_still_shows_is_credited",
        3: "drivers/test_cctalk_note.py::test_a_note_s_events_in_one_reading_are_taken_in_the_order_in_which_they_happened",
        4: "drivers/test_cctalk_note.py::test_a_reset_hidden_by_the_same_counter_is_betrayed_by_the_inhibits",
        5: "drivers/test_cctalk_note.py::test_on_a_bad_line_books_and_box_agree",
        6: "wire/test_cctalk_frames.py::test_a_sum_that_is_zero_already_needs_a_zero",
        7: "drivers/test_cctalk_note.py::test_silence_is_answered_by_patience_and_never_by_a_reset",
        10: "drivers/test_cctalk_note.py::test_power_lost_while_stacking_is_decided_by_the_validator_or_not_at_all",
        12: BEFORE_MONEY,
    },
    "cctalk-hopper": {
        1: "drivers/test_cctalk_hopper.py::test_the_order_counter_wraps",
        4: "drivers/test_cctalk_hopper.py::test_a_reset_just_before_a_pay_out_is_noticed",
        5: BUS_DAMAGE,
        6: "wire/test_cctalk_frames.py::test_a_sum_that_is_zero_already_needs_a_zero",
        7: "drivers/test_cctalk_hopper.py::test_silence_is_answered_by_patience_and_never_by_a_reset",
    },
    "ssp": {
        3: "wire/test_ssp_host.py::test_events_of_one_answer_are_taken_in_their_order",
        4: "wire/test_ssp_host.py::test_restart_and_credit_in_one_answer",
        5: "wire/test_ssp_host.py::test_a_damaged_answer_is_asked_for_again_with_the_same_sequence_bit",
        7: LINE_SILENCE,
        8: "wire/test_ssp_host.py::test_a_damaged_answer_is_asked_for_again_with_the_same_sequence_bit",
        9: "wire/test_ssp_host.py::test_stacked_without_credit_is_a_fault_and_no_credit",
        10: "wire/test_ssp_host.py::test_a_note_that_was_inside_at_power_up_is_credited_only_if_the_validator_says_that_it_is_in_the_box",
        11: "wire/test_ssp_frames.py::test_a_stream_is_unstuffed_once_however_it_is_cut",
        12: "wire/test_ssp_host.py::test_read_and_stacked_are_no_money_only_credit_is",
    },
    "id003": {
        4: "drivers/test_id003_power.py::test_a_dip_of_the_power_is_noticed_without_a_silence",
        5: "drivers/test_id003_power.py::test_a_damaged_byte_voids_the_frame",
        7: "drivers/test_id003_power.py::test_reset_is_sent_at_power_up_and_never_to_recover",
        9: "drivers/test_id003.py::test_vend_valid_missed_and_stacked_seen_is_a_credit",
        10: "drivers/test_id003_power.py::test_a_bill_of_our_order_in_the_stacker_at_power_up_is_credited_once",
        12: BEFORE_MONEY,
    },
    "ccnet": {
        4: "wire/test_ccnet_host.py::test_a_unit_that_speaks_after_power_up_is_credited_once",
        5: "wire/test_ccnet_host.py::test_a_damaged_answer_is_refused_and_comes_again",
        7: LINE_SILENCE,
        8: "wire/test_ccnet_host.py::test_a_damaged_answer_is_refused_and_comes_again",
        9: "wire/test_ccnet_host.py::test_a_bill_that_was_seen_stacking_and_is_gone_is_credited_with_a_fault",
        10: "wire/test_ccnet_host.py::test_power_up_tells_where_an_ordered_bill_was",
        12: BEFORE_MONEY,
    },
    "ebds": {
        4: "wire/test_ebds_host.py::test_power_up_and_stacked_in_one_message",
        5: LINE_DAMAGE,
        7: LINE_SILENCE,
        8: "wire/test_ebds_host.py::test_the_bit_never_flips_on_a_bad_frame",
        9: "wire/test_ebds_host.py::test_a_note_that_vanishes_without_a_word_is_a_fault",
        10: "wire/test_ebds_host.py::test_power_up_and_stacked_in_one_message",
        12: BEFORE_MONEY,
    },
    "escpos": {
        7: "wire/test_escpos_host.py::test_silence_is_never_answered_with_what_clears_the_printer",
    },
    "pulse": {
        10: "wire/test_pulse_acceptors.py::test_a_train_that_was_under_way_at_the_start_is_no_money",
        12: "wire/test_pulse_acceptors.py::test_a_note_is_reported_when_it_is_stacked",
    },
}

COUNTED = {"cctalk-coin", "cctalk-note", "cctalk-hopper"}
ACCEPTORS_OF_EVENTS = {"cctalk-coin", "cctalk-note"}
NOTES = {"cctalk-note", "ssp", "id003", "ccnet", "ebds"}
CHECKED = NOTES | COUNTED
"""Lines with a checksum; the printer's and the pulses' have none."""
APPLIES_TO: dict[int, set[str]] = {
    1: COUNTED,
    2: ACCEPTORS_OF_EVENTS,  # the others tell one state or keep an event until it is acknowledged
    3: ACCEPTORS_OF_EVENTS | {"ssp"},
    4: CHECKED,
    5: CHECKED,
    6: COUNTED,
    7: CHECKED | {"escpos"},
    8: {"ssp", "ccnet", "ebds"},  # ID-003 acknowledges a state, ccTalk nothing
    9: {"ssp", "id003", "ccnet", "ebds"},
    10: NOTES | {"pulse"},
    11: {"ssp"},
    12: NOTES | {"pulse"},
}


def written(path: str) -> set[str]:
    """The names of a file's tests."""
    tree = ast.parse((HERE / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def named() -> Iterator[tuple[str, int, str]]:
    for protocol, tests in TESTS.items():
        for fault, test in tests.items():
            yield protocol, fault, test


def test_each_fault_has_a_test_in_every_protocol_to_which_it_applies() -> None:
    assert set(APPLIES_TO) == set(FAULTS) == set(range(1, 13))
    covered = {fault: {protocol for protocol, at, _ in named() if at == fault} for fault in FAULTS}
    assert covered == APPLIES_TO


@pytest.mark.parametrize(("protocol", "fault", "test"), list(named()))
def test_that_test_is_there(protocol: str, fault: int, test: str) -> None:
    path, _, name = test.partition("::")
    assert name in written(path), f"{protocol}: {FAULTS[fault]}"


@pytest.mark.parametrize("make", [pytest.param(rig, id=name) for name, rig in NOTE_RIGS.items() if name != "simulated"])
def test_no_note_is_money_before_it_can_not_come_back(make: Callable[[], LoopNoteRig]) -> None:  # type: ignore[type-arg]
    """Fault 12: neither escrow, nor our order, nor the way to the cash box is a credit."""
    rig = make()
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([2_000])
    rig.run(1_000)
    rig.insert(2_000)
    run_until(rig, lambda: heard(rig, NoteEscrowed))
    rig.run(2_000)
    assert not heard(rig, NoteStacked)
    rig.subject.stack(heard(rig, NoteEscrowed)[0].escrow_id)
    while not rig.stacked_minor:
        assert not heard(rig, NoteStacked), "the note can still come back"
        rig.run(1)
    run_until(rig, lambda: heard(rig, NoteStacked))
