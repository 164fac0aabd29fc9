"""Recall of any round of a long journal: out of sealed segments too, drawn as it was, by the rules of then."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from display.view_model import TableView
from firmware.entries.menu import RecallShown
from firmware.entries.types import RoundSettled
from firmware.journal.critical import Places
from firmware.journal.recovery import open_memory
from firmware.journal.segments import FOLDER
from firmware.journal.sizes import Sizes
from firmware.memory import Journal
from tests.audit.play import play_rounds
from tests.operator_menu.operator import Operator
from tests.support.cabinet import CabinetUnderTest, settings_for

SMALL = Sizes(live_rows=40, segment_rows=25, snapshot_rows=20)
ROUNDS = 70
GAMES = ("oasis", "baccarat", "six_decks_blackjack", "oasis_jackpot", "russian")


def _small(places: Places, at_ms: int) -> Journal:
    return open_memory(places, at_ms, sizes=SMALL)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Operator, dict[int, TableView]]]:
    """A terminal with more rounds than it holds in memory, nearly all of them sealed, and each result as it was shown."""
    settings = settings_for(tmp_path_factory.mktemp("old"), large_win_minor=10**9, credit_limit_minor=10**9)
    cabinet = CabinetUnderTest(settings, seed=4, open_journal=_small)
    shown: dict[int, TableView] = {}
    cabinet.boot()
    for number in range(ROUNDS):
        play_rounds(cabinet, GAMES[number // 3 % len(GAMES)], 1, seed=number)
        table = cabinet.view.table
        assert table is not None
        shown[table.round_number] = table
        cabinet.wait(300)
    yield Operator(cabinet), shown
    cabinet.close()


def _sealed_count(cabinet: CabinetUnderTest) -> int:
    return len(list((cabinet.settings.storage.data_dir / FOLDER).iterdir()))


def _recalled(operator: Operator, number: int) -> TableView:
    operator.go("recall.number")
    operator.type(str(number))
    view = operator.view
    assert view.mode == "table"
    assert view.table is not None
    return view.table


def test_every_round_is_drawn_again_as_it_was_shown_whatever_is_sealed(
    old: tuple[Operator, dict[int, TableView]],
) -> None:
    operator, shown = old
    assert _sealed_count(operator.cabinet) > 8
    assert sorted(shown) == list(range(1, ROUNDS + 1))
    operator.open("attendant")
    for number, then in shown.items():
        now = _recalled(operator, number)
        assert now.recall
        assert now.round_number == number
        assert (now.game, now.boxes, now.dealer, now.player, now.banner) == (
            then.game,
            then.boxes,
            then.dealer,
            then.player,
            then.banner,
        ), number
        assert operator.entries("recall_shown")[-1] == RecallShown(f"r1-{number}", "attendant")
    operator.close()


def test_choices_of_a_sealed_round_are_taken_back_one_by_one(old: tuple[Operator, dict[int, TableView]]) -> None:
    operator, _ = old
    operator.open("attendant")
    phases = []
    table = _recalled(operator, 1)
    for _ in range(operator.page.step_count):
        operator.step("up", "buttons")
        assert operator.view.table is not None
        phases.append(operator.view.table.phase)
    assert table.phase == "settled"
    assert phases
    assert phases[-1] == "deciding"
    operator.close()


def test_lists_lead_from_the_newest_round_to_the_first_and_back(old: tuple[Operator, dict[int, TableView]]) -> None:
    operator, _ = old
    settled = [e for e in operator.entries("round_settled") if isinstance(e, RoundSettled)]
    operator.open("attendant")
    operator.go("recall.rounds", "buttons")
    seen: list[tuple[object, object]] = []
    while True:
        page = operator.view.page
        assert page is not None
        seen += [(row.value, row.second) for row in page.rows if row.value != ""]
        if not any(row.label.message == "Older rounds" for row in page.rows):
            break
        operator.choose(max(operator.page.acts), "buttons")
    assert [(value.minor, second.minor) for value, second in seen] == [  # type: ignore[attr-defined]
        (each.staked_minor, each.paid_minor) for each in reversed(settled)
    ]
    operator.step("back", "buttons")
    assert operator.menu.page == "recall", "a long way through a list is one step back"
    operator.close()


def test_a_number_that_no_round_has_is_refused_and_shows_nothing(old: tuple[Operator, dict[int, TableView]]) -> None:
    operator, _ = old
    operator.open("attendant")
    before = len(operator.entries("recall_shown"))
    for number in ("0", "71", "999999999999"):
        operator.go("recall.number")
        operator.type(number)
        assert operator.menu.page == "recall.number"
        assert operator.view.notice is not None
    assert len(operator.entries("recall_shown")) == before
    operator.close()


def test_round_by_a_profile_that_is_no_longer_on_offer_is_drawn_by_the_rules_of_then(tmp_path: Path) -> None:
    settings = settings_for(tmp_path / "data")
    cabinet = CabinetUnderTest(settings, seed=2)
    cabinet.boot()
    play_rounds(cabinet, "oasis", 1)
    then = cabinet.view.table
    assert then is not None
    cabinet.press("cash_out")
    cabinet.wait(30_000)
    offered = cabinet.terminal.environment().games["oasis"]
    others = {**cabinet._games, "oasis": replace(offered, digest="f" * 64)}
    cabinet.shut_down()
    cabinet._games = others
    cabinet.boot()
    operator = Operator(cabinet)
    operator.open("attendant")
    assert _recalled(operator, 1).boxes == then.boxes
    cabinet.close()


def test_damaged_segment_without_a_copy_is_said_and_nothing_else_happens(tmp_path: Path) -> None:
    cabinet = CabinetUnderTest(settings_for(tmp_path / "data"), seed=2, open_journal=_small)
    cabinet.boot()
    play_rounds(cabinet, "baccarat", 25)
    operator = Operator(cabinet)
    operator.open("attendant")
    segments = sorted((cabinet.settings.storage.data_dir / FOLDER).iterdir())
    for path in segments:
        path.write_bytes(path.read_bytes()[:-9] + b"x" * 9)
    operator.go("recall.number")
    operator.type("2")
    assert operator.view.notice is not None
    assert "no such round" in operator.view.notice.text.message
    assert operator.is_open
    cabinet.close()
