"""Readings and events: what happened, in order, for people who check it."""

import json
import re
from functools import partial
from pathlib import Path

import pytest

from firmware.audit.events import CLASSES, event_of, events_of
from firmware.audit.meter_list import GROUPS, METERS, meter_lines
from firmware.audit.readings import doors_of, handpays_of, money_of, power_of, settings_of
from firmware.audit.wording import Wording, iso
from firmware.entries.codec import decode
from firmware.entries.types import FaultRaised, RoundOpened
from firmware.journal.record import Record
from firmware.ledger.meters import SINCE_METERS
from hal.simulated.world import World
from tests.audit.play import play_rounds
from tests.support.cabinet import CabinetUnderTest
from tests.terminal.test_fault_rows import turn

SAMPLES = json.loads((Path(__file__).parents[1] / "entries" / "samples.json").read_text(encoding="utf-8"))
WORDING = Wording("EUR", 2)


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample["kind"] for sample in SAMPLES])
def test_every_kind_of_entry_is_an_event_in_words(sample: dict[str, str]) -> None:
    event = event_of(Record(7, 1_000, decode(sample["kind"], sample["body"]), b""))
    assert event.group in CLASSES
    words = WORDING.plain(event.text)
    assert words
    assert "{" not in words


def test_events_of_a_class_are_all_of_that_class_and_nothing_is_left_out(cabinet: CabinetUnderTest) -> None:
    play_rounds(cabinet, "oasis", 2)
    cabinet.act(lambda world: world.open_door("main"))
    cabinet.act(lambda world: world.close_door("main"))
    records = cabinet.records()
    by_class = {group: list(events_of(records, frozenset({group}))) for group in CLASSES}
    assert sum(map(len, by_class.values())) == len(records) == len(list(events_of(records)))
    assert [WORDING.plain(event.text) for event in by_class["door"]] == ["Opened: main door", "Closed: main door"]


def test_no_event_tells_a_card_of_a_shoe() -> None:
    opened = next(sample for sample in SAMPLES if sample["kind"] == "round_opened/1")
    entry = decode(opened["kind"], opened["body"])
    assert isinstance(entry, RoundOpened)
    assert "As" not in WORDING.plain(event_of(Record(1, 0, entry, b"")).text)


def test_fault_that_is_no_longer_in_the_table_is_still_readable() -> None:
    words = WORDING.plain(event_of(Record(1, 0, FaultRaised("X9", "notes", "old"), b"")).text)
    assert words == "X9 Unknown fault (Note acceptor): old"


@pytest.mark.parametrize(
    ("minor", "digits", "words"), [(1_250, 2, "12.50 EUR"), (-5, 2, "-0.05 EUR"), (7, 0, "7 EUR"), (1, 3, "0.001 EUR")]
)
def test_amounts_are_written_with_their_digits(minor: int, digits: int, words: str) -> None:
    assert Wording("EUR", digits).money(minor) == words


def test_times_are_iso_in_utc() -> None:
    assert iso(1_767_225_600_250) == "2026-01-01T00:00:00.250Z"


# --- readings -----------------------------------------------------------------------------------------------------


def test_handpays_tell_both_parts_and_who_cleared_them(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(10_000)
    cabinet.insert_note(10_000)
    cabinet.insert_note(5_000)
    cabinet.press("cash_out")
    cabinet.wait(60_000)
    ((waiting),) = list(handpays_of(cabinet.records()))
    assert (waiting.total_minor, waiting.hopper_minor, waiting.handpay_minor) == (25_000, 20_000, 5_000)
    assert waiting.cleared_ms is None
    turn(cabinet, "attendant")
    cabinet.act(lambda world: world.set_hopper(50))
    cabinet.insert_note(500)
    cabinet.press("cash_out")
    cabinet.wait(6_000)
    (cleared,) = handpays_of(cabinet.records())  # what the hopper paid alone is no handpay
    assert (cleared.handpay_minor, cleared.by) == (5_000, "attendant_key")
    assert cleared.cleared_ms is not None
    assert cleared.cleared_ms > cleared.started_ms


def test_notes_and_coins_with_what_became_of_them(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.insert_coin(100)
    cabinet.act(lambda world: world.insert_note(7_777), wait_ms=2_000)
    readings = [(reading.kind, reading.amount_minor, reading.outcome) for reading in money_of(cabinet.records())]
    assert readings == [("note", 2_000, "credited"), ("coin", 100, "credited"), ("note", 0, "refused")]


def test_starts_tell_what_the_power_cut_left_under_way(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(5_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.cut_power()
    cabinet.boot()
    cabinet.press("fold")
    cabinet.press("cash_out")
    cabinet.wait(300)
    cabinet.cut_power()
    cabinet.boot()
    cabinet.wait(15_000)
    cabinet.shut_down()
    cabinet.boot()
    first, in_round, in_payout, clean = power_of(cabinet.records())
    assert (first.number, first.was_clean, first.open_round) == (1, True, "")
    assert (in_round.was_clean, in_round.open_round, in_round.open_payout) == (False, "r1-1", "")
    assert (in_payout.was_clean, in_payout.open_round, in_payout.open_payout) == (False, "", "p1-1")
    assert clean.was_clean
    assert in_round.last_before_ms <= in_round.at_ms <= in_payout.last_before_ms


def test_doors_and_settings(cabinet: CabinetUnderTest) -> None:
    cabinet.act(lambda world: world.open_door("logic"))
    cabinet.act(lambda world: world.close_door("logic"))
    assert [(reading.door, reading.is_open) for reading in doors_of(cabinet.records())] == [
        ("logic", True),
        ("logic", False),
    ]
    assert list(settings_of(cabinet.records())) == []


# --- the list of meters -------------------------------------------------------------------------------------------


def test_every_meter_that_is_counted_is_in_the_list_and_once(cabinet: CabinetUnderTest) -> None:
    for game in ("oasis", "oasis_jackpot", "baccarat"):
        play_rounds(cabinet, game, 3)
    cabinet.insert_coin(100)
    cabinet.act(lambda world: world.insert_note(7_777), wait_ms=2_000)
    for door in ("main", "cash_box", "logic"):
        cabinet.act(partial(World.open_door, door=door))
        cabinet.act(partial(World.close_door, door=door))
    recorded = cabinet.terminal.state.recorded
    lines = meter_lines(recorded)
    names = [line.name for line in lines]
    assert len(set(names)) == len(names)
    assert set(recorded.books.meters) <= set(names)
    for line in lines:
        assert line.group in GROUPS
        assert line.master == recorded.books.meter(line.name)
        assert (line.period is None) == (line.name in SINCE_METERS)
        assert "{" not in WORDING.plain(line.label)


def test_codes_of_meters_are_two_hexadecimal_digits_and_unique() -> None:
    codes = [spec.sas for spec in METERS if spec.sas]
    assert len(set(codes)) == len(codes)
    assert all(re.fullmatch("[0-9A-F]{2}", code) for code in codes)
