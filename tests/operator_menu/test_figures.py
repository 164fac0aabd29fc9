"""Every figure of the pages against the journal, counted anew by other means."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from display.scenes.page_extras import _round_step
from display.text import Writer
from display.view_model import Money, MoneyFormat, PageView
from firmware.audit.meter_list import meter_lines
from firmware.entries.types import CoinCredited, NoteCredited, RoundSettled
from firmware.journal.store import open_store
from firmware.memory import load_recorded
from firmware.operator_menu.body import moment
from firmware.operator_menu.book import qr_rows
from firmware.operator_menu.returns import mixed, percent, return_of
from firmware.terminal.chronicle import HOUR_MS, Chronicle
from firmware.terminal.menu import Theory
from tests.operator_menu.operator import Operator


def _page(operator: Operator, page: str) -> PageView:
    operator.go(page)
    view = operator.view.page
    assert view is not None
    return view


def test_meters_of_every_page_are_those_of_an_independent_fold(busy: Operator) -> None:
    busy.open()
    journal = open_store(busy.cabinet.settings.storage.data_dir, read_only=True)
    try:
        folded = load_recorded(journal)
    finally:
        journal.close()
    expected = {line.label: line for line in meter_lines(folded)}
    seen = set()
    for page in ("play", "notes", "coins", "paid", "by_game", "occurrences"):
        busy.go(f"meters.{page}")
        for sheet in range(busy.page.sheet_count):
            view = busy.view.page
            assert view is not None
            for row in view.rows:
                line = expected[row.label]
                assert row.value == (Money(line.master) if line.unit == "minor" else str(line.master)), row.label
                if line.period is not None:
                    assert row.second == (Money(line.period) if line.unit == "minor" else str(line.period)), row.label
                seen.add(row.label)
            assert sheet >= 0
            busy.step("down", "touch")
    assert seen == set(expected)


def test_takings_graph_is_what_the_entries_say_day_by_day(busy: Operator) -> None:
    cabinet = busy.cabinet
    for quiet_days in (4, 2):
        cabinet.clock.set_wall(cabinet.clock.wall_ms() + quiet_days * 24 * HOUR_MS)
        cabinet.wait(1_000)
        cabinet.act(lambda world: world.turn_key("attendant"))
        cabinet.act(lambda world: world.turn_back_key("attendant"))
        if quiet_days == 4:
            cabinet.insert_note(2_000)
    busy.open()
    graph = _page(busy, "graphs.takings").graph
    assert graph is not None
    days: dict[str, int] = {}
    for record in cabinet.records():
        if isinstance(record.entry, NoteCredited | CoinCredited):
            day = moment(record.at_ms)[5:10]
            days[day] = days.get(day, 0) + record.entry.amount_minor
    came = dict(zip(graph.labels, graph.lines[0].points, strict=True))
    assert {day: minor for day, minor in came.items() if minor} == days
    assert len(days) == 2
    first = cabinet.records()[0].at_ms
    assert list(graph.labels) == [moment(first + day * 24 * HOUR_MS)[5:10] for day in range(7)], "quiet days too"


def test_self_audit_page_shows_terms_that_come_to_the_credit(busy: Operator) -> None:
    busy.cabinet.insert_note(2_000)
    busy.open()
    rows = _page(busy, "meters.audit").rows
    signs = {"plus": 1, "less": -1}
    total = sum(
        signs[row.value.message] * row.second.minor
        for row in rows
        if not isinstance(row.value, str | Money) and row.value.message in signs and isinstance(row.second, Money)
    )
    assert total == 2_000 == busy.view.credit_minor


def test_return_of_each_game_is_paid_over_staked(busy: Operator) -> None:
    settled = [r.entry for r in busy.cabinet.records() if isinstance(r.entry, RoundSettled)]
    staked, paid = sum(e.staked_minor for e in settled), sum(e.paid_minor for e in settled)
    busy.open()
    rows = _page(busy, "meters.games").rows
    assert (rows[2].value, rows[2].second) == (Money(staked), Money(paid))
    assert rows[3].value == percent(10_000 * paid // staked)


def test_chronicle_is_the_same_however_the_records_are_grouped(busy: Operator) -> None:
    records = busy.cabinet.records()
    whole = Chronicle().post(records)
    one_by_one = Chronicle()
    for record in records:
        one_by_one = one_by_one.post((record,))
    assert whole.hours == one_by_one.hours
    assert dict(whole.kept) == dict(one_by_one.kept)
    assert whole.hours == busy.cabinet.terminal.state.recorded.chronicle.hours


def test_state_with_its_chronicle_survives_a_restart(busy: Operator) -> None:
    kept = dict(busy.cabinet.terminal.state.recorded.chronicle.kept)
    busy.cabinet.shut_down()
    busy.cabinet.boot()
    again = busy.cabinet.terminal.state.recorded.chronicle
    assert all(set(kept[name]) <= set(again.kept[name]) for name in kept)


@given(st.integers(1, 10**6), st.integers(0, 2 * 10**6), st.integers(1, 10**7))
def test_band_narrows_with_the_rounds_and_holds_the_theory(staked: int, paid: int, rounds: int) -> None:
    theory = Theory(973_000, 1_200_000)
    few, many = return_of(staked, paid, rounds, theory), return_of(staked, paid, 4 * rounds, theory)
    assert few.low_bp is not None
    assert few.high_bp is not None
    assert many.low_bp is not None
    assert few.low_bp <= many.low_bp <= 9_730 <= few.high_bp
    assert few.actual_bp == int(Fraction(10_000 * paid, staked))


def test_band_is_that_of_the_normal_distribution() -> None:
    found = return_of(100, 97, 10_000, Theory(970_000, 1_000_000))
    assert (found.low_bp, found.theory_bp, found.high_bp) == (9_504, 9_700, 9_896)
    assert not found.is_strange
    assert return_of(100, 90, 10_000, Theory(970_000, 1_000_000)).is_strange


def test_a_game_without_a_sheet_leaves_the_mixed_theory_unknown() -> None:
    theories = {"a": Theory(900_000, 1_000_000), "b": Theory(1_000_000, 1_000_000)}
    assert mixed(theories, {"a": 100, "b": 300}) == Theory(975_000, 1_000_000)
    assert mixed(theories, {"a": 100, "c": 1}) is None
    assert mixed(theories, {}) is None


@pytest.mark.parametrize(("bp", "text"), [(9_705, "97.05 %"), (0, "0.00 %"), (-5, "-0.05 %"), (None, "–")])
def test_percentages_are_written_with_two_digits_and_the_mark_of_the_language(bp: int | None, text: str) -> None:
    for language, mark in (("en", "."), ("ru", ",")):
        assert Writer(language, MoneyFormat(2, "")).say(percent(bp)) == text.replace(".", mark)


@pytest.mark.parametrize("least", [1, 10, 100])
@pytest.mark.parametrize("span", [0, 1, 4, 5, 99, 253, 1_117, 25_300, 999_999])
def test_figures_beside_a_graph_are_round_and_few(span: int, least: int) -> None:
    step = _round_step(span, least)
    assert span <= 4 * step
    assert step % least == 0
    assert step // 10 ** (len(str(step)) - 1) in (1, 2, 5)
    assert step == least or span > 4 * (step // 2 if str(step)[0] != "5" else step * 2 // 5)


def test_status_names_every_open_door(busy: Operator) -> None:
    for door in ("main", "logic"):
        busy.cabinet.act(lambda world, door=door: world.open_door(door))  # type: ignore[misc]
    busy.open("attendant")
    doors = {row.label.message: row.value for row in _page(busy, "status").rows}["Doors"]
    assert Writer("en", MoneyFormat(2, "")).say(doors) == "logic door, main door"


def test_qr_code_is_square_and_has_its_corners() -> None:
    rows = qr_rows("CROUPIER SIM-1 PERIOD 2")
    assert {len(row) for row in rows} == {len(rows)}
    assert rows[0].startswith("1111111")
    assert rows[0].endswith("1111111")
    assert rows[-1].startswith("1111111")
