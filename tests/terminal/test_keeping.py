"""The keeping of the terminal: periods, refills and collections, settings and profiles in the journal, cash-out rules."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.entries.keeping import ConfigurationRecorded, PeriodClosed, ProfileUsed, SettingChanged
from firmware.entries.types import Entry
from firmware.games.registry import game_ids, register
from firmware.journal.critical import Places
from firmware.journal.errors import CommitUnknownError
from firmware.journal.record import Record, Tally
from firmware.journal.recovery import open_memory
from firmware.ledger import accounts
from firmware.memory import Journal
from firmware.terminal.step import ClearFaults, ClosePeriod, CollectCashBox, RefillHopper, Stimulus
from tests.support.cabinet import CabinetUnderTest, settings_for
from tests.support.journal import JournalProxy
from tests.terminal.test_fault_rows import turn


def give(cabinet: CabinetUnderTest, order: Stimulus) -> None:
    cabinet.terminal.handle(order)


def entries(cabinet: CabinetUnderTest, kind: type[Entry]) -> list[Entry]:
    return [record.entry for record in cabinet.records() if isinstance(record.entry, kind)]


# --- periods ------------------------------------------------------------------------------------------------------


def test_closed_period_begins_anew_beside_untouched_master_meters(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    give(cabinet, ClosePeriod("Ann"))
    cabinet.insert_note(500)
    recorded = cabinet.terminal.state.recorded
    assert recorded.books.meter("notes_in_minor") == 2_500
    assert recorded.periods.meters(recorded.books.meters)["notes_in_minor"] == 500
    (closed,) = recorded.periods.history
    assert (closed.number, closed.by, closed.meters["notes_in_minor"]) == (1, "Ann", 2_000)
    cabinet.cut_power()
    cabinet.boot()
    again = cabinet.terminal.state.recorded
    assert again.periods == recorded.periods


def test_period_can_not_be_closed_while_money_moves(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    give(cabinet, ClosePeriod("Ann"))
    give(cabinet, CollectCashBox())
    give(cabinet, RefillHopper(100))
    assert cabinet.view.notice is not None
    assert cabinet.terminal.state.recorded.periods.number == 1
    assert cabinet.books.meter("collections") == 0
    cabinet.press("fold")
    give(cabinet, ClosePeriod("Ann"))
    assert cabinet.terminal.state.recorded.periods.number == 2


class FailingOnce(JournalProxy):
    """A journal that dies in the commit of a period, before or after it is durable."""

    def __init__(self, real: Journal, *, is_durable: bool) -> None:
        super().__init__(real)
        self._is_durable = is_durable

    def append(self, entries: Sequence[Entry], at_ms: int, tally: Tally | None = None) -> tuple[Record, ...]:
        if any(isinstance(entry, PeriodClosed) for entry in entries):
            if self._is_durable:
                self.real.append(entries, at_ms, tally)
            raise CommitUnknownError("the plug was pulled in the commit")
        return self.real.append(entries, at_ms, tally)


@pytest.mark.parametrize("is_durable", [False, True])
def test_period_close_that_is_interrupted_is_done_or_not_done_never_half(tmp_path: Path, is_durable: bool) -> None:
    opened: list[int] = []

    def open_journal(places: Places, at_ms: int) -> Journal:
        opened.append(at_ms)
        real = open_memory(places, at_ms)
        return FailingOnce(real, is_durable=is_durable) if len(opened) == 1 else real

    cabinet = CabinetUnderTest(settings_for(tmp_path), seed=1, open_journal=open_journal)
    cabinet.boot()
    cabinet.insert_note(2_000)
    cabinet._inbox.append(ClosePeriod("Ann"))
    cabinet.wait(3_000)
    assert len(opened) == 2  # the terminal started again from the journal
    recorded = cabinet.terminal.state.recorded
    assert recorded.periods.number == (2 if is_durable else 1)
    expected = {} if is_durable else {"notes_in_minor": 2_000}
    now = recorded.periods.meters(recorded.books.meters)
    assert {name: value for name, value in now.items() if name == "notes_in_minor"} == expected
    cabinet.expect_credit(2_000)
    cabinet.close()


def test_refill_and_collection_move_cash_and_are_numbered(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    give(cabinet, RefillHopper(150))
    give(cabinet, CollectCashBox())
    books = cabinet.books
    assert books.balance(accounts.HOPPER) == 15_000
    assert books.balance(accounts.CASH_BOX) == 0
    assert (books.meter("hopper_refilled_coins"), books.meter("collected_minor")) == (150, 2_000)
    give(cabinet, RefillHopper(0))
    give(cabinet, CollectCashBox())
    assert cabinet.books.meter("hopper_refills") == 1
    assert cabinet.terminal.state.recorded.count("collections") == 2


def test_level_clears_its_faults_from_the_menu(cabinet: CabinetUnderTest) -> None:
    cabinet.act(lambda world: world.jam("coins"))
    give(cabinet, ClearFaults("operator"))
    cabinet.expect_faults("C1")  # the jam is still there
    cabinet.act(lambda world: world.clear_jam("coins"))
    give(cabinet, ClearFaults("attendant"))
    cabinet.expect_faults()


# --- settings and profiles ----------------------------------------------------------------------------------------


def test_settings_are_recorded_once_and_then_only_what_changed(tmp_path: Path) -> None:
    cabinet = CabinetUnderTest(settings_for(tmp_path), seed=1)
    cabinet.boot()
    (first,) = entries(cabinet, ConfigurationRecorded)
    assert isinstance(first, ConfigurationRecorded)
    values = {value.key: value.value for value in first.values}
    assert values["limits.credit_limit_minor"] == "1000000"
    assert values["terminal.languages"] == '["en","ru"]'
    assert len(values["games.oasis.profile"]) == 66
    cabinet.shut_down()
    cabinet.boot()
    assert len(entries(cabinet, ConfigurationRecorded)) == 1
    assert entries(cabinet, SettingChanged) == []
    cabinet.shut_down()
    cabinet = CabinetUnderTest(settings_for(tmp_path, credit_limit_minor=500_000, large_win_minor=7), seed=1)
    cabinet.boot()
    assert entries(cabinet, SettingChanged) == [
        SettingChanged("limits.credit_limit_minor", "1000000", "500000", "file"),
        SettingChanged("limits.large_win_minor", "500000", "7", "file"),
    ]
    assert cabinet.terminal.state.recorded.settings["limits.large_win_minor"] == "7"
    cabinet.close()


def test_many_changes_are_all_recorded_though_not_at_once(cabinet: CabinetUnderTest) -> None:
    parts = cabinet.terminal._parts
    more = {f"extra.{number:03d}": "1" for number in range(100)}
    cabinet.terminal._parts = replace(parts, settings={**parts.settings, **more})
    cabinet.wait(1_000)
    assert len(entries(cabinet, SettingChanged)) == 100
    cabinet.terminal._parts = parts
    cabinet.wait(1_000)
    changes = entries(cabinet, SettingChanged)
    assert len(changes) == 200
    assert changes[-1] == SettingChanged("extra.099", "1", "", "file")


@pytest.mark.parametrize("game", game_ids())
def test_recorded_profile_makes_the_very_same_game(cabinet: CabinetUnderTest, game: str) -> None:
    cabinet.insert_note(10_000)
    cabinet.sit_down(game)
    cabinet.press("bet")
    cabinet.press("deal")
    (used,) = entries(cabinet, ProfileUsed)
    assert isinstance(used, ProfileUsed)
    assert register(game, json.loads(used.options)).digest == used.digest == register(game).digest


def test_profile_is_recorded_with_its_first_round_only(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(10_000)
    cabinet.sit_down()
    for _ in range(3):
        cabinet.bet(1, "ante", 500)
        cabinet.press("deal")
        cabinet.press("fold")
    cabinet.cut_power()
    cabinet.boot()
    cabinet.press("deal")
    assert len(entries(cabinet, ProfileUsed)) == 1


# --- cash-out -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["attendant", "operator"])
def test_nothing_is_cashed_out_and_no_money_taken_while_a_key_is_turned(cabinet: CabinetUnderTest, key: str) -> None:
    cabinet.insert_note(2_000)
    cabinet.act(lambda world: world.turn_key(key))
    cabinet.touch("button:cash_out")
    cabinet.insert_note(1_000)
    cabinet.expect_credit(2_000)
    cabinet.act(lambda world: world.turn_back_key(key))
    cabinet.touch("button:cash_out")
    cabinet.wait(8_000)
    assert cabinet.world.readings.tray_minor == 2_000


def test_key_that_was_turned_while_the_power_was_off_stops_money_too(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.cut_power()
    cabinet.act(lambda world: world.turn_key("operator"))
    cabinet.boot()
    cabinet.touch("button:cash_out")
    cabinet.insert_note(1_000)
    cabinet.expect_credit(2_000)
    cabinet.act(lambda world: world.turn_back_key("operator"))
    cabinet.touch("button:cash_out")
    cabinet.wait(8_000)
    assert cabinet.world.readings.tray_minor == 2_000


def test_no_new_round_while_the_operator_key_is_turned_but_an_open_one_is_finished(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(5_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.act(lambda world: world.turn_key("operator"))
    cabinet.press("raise")
    assert cabinet.terminal.state.live is None
    credit = cabinet.view.credit_minor
    cabinet.touch("button:deal")
    cabinet.expect_credit(credit)


def test_win_of_a_round_is_summed_over_all_its_boxes(new_cabinet: Callable[..., CabinetUnderTest]) -> None:
    cabinet = new_cabinet(large_win_minor=2_000)
    cabinet.insert_note(5_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.bet(2, "ante", 500)
    cabinet.lay("As Ks 9c Ah Kh 9d 4h 5d 2s 8h 6d Jc Tc 2c Qd")
    cabinet.press("deal")
    cabinet.press("raise")
    cabinet.press("raise")
    cabinet.expect_credit(8_000)  # each box alone has won 1500
    cabinet.expect_faults("W1")
    turn(cabinet, "attendant")
    cabinet.expect_faults()


def test_credit_that_no_coin_can_pay_leaves_by_hand(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_coin(50)
    cabinet.insert_coin(200)
    cabinet.press("cash_out")
    cabinet.wait(4_000)
    assert cabinet.world.readings.tray_minor == 200
    cabinet.expect_mode("handpay")
    assert cabinet.books.handpay_minor == 50
    for _ in range(3):
        cabinet.cut_power()
        cabinet.boot()
        cabinet.expect_mode("handpay")
        cabinet.insert_note(1_000)
        cabinet.touch("button:deal")
    turn(cabinet, "attendant")
    assert cabinet.books.meter("handpaid_minor") == 50
    cabinet.conserve()
