"""Lock-ups of memory, books and program: what no power cycle ends, and what one does."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from firmware.errors import InvariantError
from firmware.ledger.books import Books
from firmware.ledger.self_audit import SelfAuditError
from firmware.terminal import decide_cash_out, decide_play, faults
from firmware.terminal.state import State
from firmware.terminal.step import Environment, Step
from hal.events import HopperPaid, NoteRejected
from tests.support.cabinet import CabinetUnderTest
from tests.terminal.test_fault_rows import post, turn


def with_books(cabinet: CabinetUnderTest, change: Callable[[Books], Books]) -> None:
    state: State = cabinet.terminal._state
    cabinet.terminal._state = replace(state, recorded=replace(state.recorded, books=change(state.recorded.books)))


def one_cent_more(books: Books) -> Books:
    return replace(books, meters={**books.meters, "coin_in_minor": books.meter("coin_in_minor") + 1})


@pytest.mark.parametrize("leaves", ["deal", "cash_out"])
def test_identity_is_checked_before_each_play_and_each_pay_out(cabinet: CabinetUnderTest, leaves: str) -> None:
    cabinet.insert_note(2_000)
    if leaves == "deal":
        cabinet.sit_down()
        cabinet.bet(1, "ante", 500)
    before = len(cabinet.records())
    with_books(cabinet, one_cent_more)
    cabinet.touch(f"button:{leaves}")
    cabinet.expect_faults(faults.BOOKS)
    assert "self-audit" in cabinet.terminal.state.screen.lock_up.detail  # type: ignore[union-attr]
    assert [record.entry.KIND for record in cabinet.records()[before:]] == ["fault_raised"]
    assert cabinet.world.readings.tray_minor == 0
    assert cabinet.world.readings.note_state == "disabled"


def test_identity_is_checked_before_an_attendant_pays(cabinet: CabinetUnderTest) -> None:
    cabinet.act(lambda world: world.unplug("hopper"), wait_ms=3_000)
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.expect_mode("handpay")
    with_books(cabinet, one_cent_more)
    turn(cabinet, "attendant")
    assert faults.BOOKS in cabinet.fault_codes
    cabinet.cut_power()
    cabinet.boot()
    assert cabinet.books.handpay_minor == 2_000  # still owed, and said so


@pytest.mark.parametrize("leaves", [decide_play.deal, decide_cash_out.cash_out, decide_cash_out.clear_handpay])
def test_decision_itself_refuses_to_move_money_on_wrong_meters(
    cabinet: CabinetUnderTest, leaves: Callable[[State, Environment], Step]
) -> None:
    cabinet.act(lambda world: world.unplug("hopper"), wait_ms=3_000)
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    if leaves is not decide_play.deal:
        cabinet.press("lobby")
    if leaves is decide_cash_out.clear_handpay:
        cabinet.press("cash_out")
    assert leaves(cabinet.terminal.state, cabinet.terminal.environment()).entries
    with_books(cabinet, one_cent_more)
    with pytest.raises(SelfAuditError, match="the meters say"):
        leaves(cabinet.terminal.state, cabinet.terminal.environment())


def test_contradiction_of_the_program_ends_with_a_restart(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)

    def refuse(_: Books) -> None:
        raise InvariantError("a test of the program's own contradiction")

    books = cabinet.terminal.state.recorded.books

    class Contradicting(Books):
        check = refuse

    with_books(cabinet, lambda _: Contradicting(books.balances, books.meters))
    cabinet.press("cash_out")
    cabinet.expect_faults(faults.CONTRADICTION)
    cabinet.expect_mode("tilt")
    turn(cabinet, "attendant")
    turn(cabinet, "operator")
    cabinet.expect_faults(faults.CONTRADICTION)
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_faults()
    cabinet.expect_credit(2_000)


def test_event_for_a_pay_out_that_is_not_there_changes_nothing(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.terminal.handle(HopperPaid("hopper", cabinet.clock.monotonic_ms(), "p1-77", 5))
    cabinet.expect_faults()
    cabinet.expect_credit(2_000)


def test_damaged_journal_locks_up_and_no_power_cycle_or_key_ends_it(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.shut_down()
    path = cabinet.settings.storage.data_dir / "journal.sqlite"
    data = bytearray(path.read_bytes())
    place = data.rindex(b"note_credited")
    data[place + 40] ^= 1
    path.write_bytes(data)
    for _ in range(3):
        cabinet.boot()
        cabinet.expect_faults(faults.MEMORY)
        cabinet.expect_mode("tilt")
        turn(cabinet, "attendant")
        turn(cabinet, "operator")
        cabinet.insert_note(1_000)
        cabinet.expect_faults(faults.MEMORY)
        assert cabinet.world.readings.cash_box_minor == 2_000
        cabinet.cut_power()


def test_changed_profile_under_an_open_round_locks_up_until_it_is_restored(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.cut_power()
    offered = cabinet._games
    cabinet._games = {**offered, "oasis": replace(offered["oasis"], digest="0" * 64)}
    cabinet.boot()
    cabinet.expect_faults(faults.GAME_CHANGED)
    cabinet.cut_power()
    cabinet._games = offered
    cabinet.boot()
    assert faults.GAME_CHANGED not in cabinet.fault_codes
    cabinet.expect_mode("table")


def test_changed_profile_between_rounds_keeps_the_credit_and_play_goes_on(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(5_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.press("fold")
    cabinet.cut_power()
    offered = cabinet._games
    cabinet._games = {**offered, "oasis": replace(offered["oasis"], digest="0" * 64)}
    cabinet.boot()
    cabinet.expect_faults()
    cabinet.expect_credit(4_500)
    cabinet.touch("lobby:oasis")
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.expect_credit(4_000)
    changed = [record.entry for record in cabinet.records() if record.entry.KIND == "setting_changed"]
    assert len(changed) == 1
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_faults()


def test_money_that_is_more_than_plausible_counts_from_round_to_round(
    new_cabinet: Callable[..., CabinetUnderTest],
) -> None:
    cabinet = new_cabinet(credit_limit_minor=5_000_000, excessive_notes_minor=30_000)
    cabinet.insert_note(10_000)
    cabinet.insert_note(10_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.press("fold")
    cabinet.insert_note(10_000)
    cabinet.expect_faults()
    cabinet.insert_note(10_000)
    cabinet.expect_faults()
    cabinet.insert_note(10_000)
    cabinet.expect_faults(faults.EXCESSIVE)
    turn(cabinet, "attendant")
    cabinet.expect_faults(faults.EXCESSIVE)
    turn(cabinet, "operator")
    cabinet.expect_faults()
    cabinet.insert_note(10_000)
    cabinet.expect_faults()  # it was looked at; the next round begins anew
    cabinet.expect_credit(59_500)


def test_low_storage_stops_everything_and_ends_by_itself(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    parts = cabinet.terminal._parts
    cabinet.terminal._parts = replace(parts, is_storage_low=lambda: True)
    cabinet.wait(200)
    cabinet.expect_faults(faults.STORAGE)
    cabinet.expect_mode("tilt")
    turn(cabinet, "attendant")
    cabinet.expect_faults(faults.STORAGE)
    cabinet.terminal._parts = parts
    cabinet.wait(200)
    cabinet.expect_faults()


def test_clock_set_back_a_year_while_the_power_was_off_is_noticed(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.cut_power()
    cabinet.clock.set_wall(cabinet.clock.wall_ms() - 365 * 86_400_000)
    cabinet.boot()
    cabinet.expect_faults(faults.CLOCK_BACK)
    cabinet.insert_note(1_000)
    cabinet.expect_credit(3_000)
    turn(cabinet, "attendant")
    cabinet.expect_faults()
    numbers = [record.seq for record in cabinet.records()]
    assert numbers == list(range(1, len(numbers) + 1))


def test_long_time_without_power_is_no_jump_of_the_clock(cabinet: CabinetUnderTest) -> None:
    cabinet.cut_power()
    cabinet.clock.set_wall(cabinet.clock.wall_ms() + 365 * 86_400_000)
    cabinet.boot()
    cabinet.expect_faults()


def test_as_many_refused_notes_in_a_row_as_the_operator_says_stop_the_acceptor(
    new_cabinet: Callable[..., CabinetUnderTest],
) -> None:
    cabinet = new_cabinet(refused_notes_in_a_row=3)
    post(cabinet, *[NoteRejected("notes", cabinet.clock.monotonic_ms(), "unknown")] * 2)
    cabinet.insert_note(2_000)  # one taken in between begins the count anew
    post(cabinet, *[NoteRejected("notes", cabinet.clock.monotonic_ms(), "unknown")] * 2)
    cabinet.expect_faults()
    post(cabinet, NoteRejected("notes", cabinet.clock.monotonic_ms(), "unknown"))
    cabinet.expect_faults(faults.EXCESS_REJECTS)
    cabinet.insert_note(2_000)
    cabinet.expect_credit(2_000)
