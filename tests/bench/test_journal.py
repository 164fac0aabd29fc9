"""The benchmark's store is a real one, and what is measured on it is what it says."""

from pathlib import Path

import pytest

from firmware.app import games_on_offer
from firmware.bench.journal import bench_journal
from firmware.bench.made_history import MadeHistory
from firmware.bench.store import fill, places_in
from firmware.errors import UserError
from firmware.games.profile_files import bundled_directory
from firmware.journal.search import Search
from firmware.journal.store import open_store
from firmware.journal.verify import verify_memory
from firmware.memory import load_recorded
from firmware.operator_menu.tree import TREE
from firmware.past_rounds import PastRounds
from firmware.rounds.live import resume
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings

ROUNDS = 3_000


def _settings() -> Settings:
    return load_settings(bundled_directory().parent / "simulator.toml")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of some rounds in all three copies, partly sealed."""
    made = tmp_path_factory.mktemp("made")
    fill(places_in(made), _settings(), ROUNDS)
    return made


def test_made_store_is_whole_in_all_copies_and_its_books_balance(folder: Path) -> None:
    found = verify_memory(places_in(folder))
    assert found.problems == ()
    assert found.segment_count >= 1
    store = open_store(places_in(folder).data_dir, read_only=True)
    recorded = load_recorded(store)
    store.close()
    assert recorded.count("rounds") == ROUNDS
    assert recorded.round is None
    recorded.books.check()


def test_every_made_round_is_found_by_its_number_and_replays_as_it_was_settled(folder: Path) -> None:
    games = games_on_offer(_settings())
    store = open_store(places_in(folder).data_dir, read_only=True)
    past = PastRounds(Search(store), load_recorded(store).commissioned)
    seen = []
    for last in range(50, ROUNDS + 1, 50):
        for entries in past.up_to(last, 50):
            assert resume(games[entries.opened.game].game, entries).outcome is not None
            seen.append(entries.opened.number)
    store.close()
    assert seen == list(range(1, ROUNDS + 1))


def test_equal_seeds_make_equal_lives() -> None:
    games = games_on_offer(_settings())
    one, other, third = (MadeHistory(_settings(), games, seed).commits() for seed in (1, 1, 2))
    first = [next(one) for _ in range(500)]
    assert first == [next(other) for _ in range(500)]
    assert first != [next(third) for _ in range(500)]


def test_bench_measures_every_page_and_leaves_a_kept_store_as_it_is(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    told: list[tuple[str, int, int]] = []
    figures = bench_journal(ROUNDS, folder, lambda *what: told.append(what))
    assert set(figures["pages, ms"]) == {node.id for node in TREE}
    assert figures["play"]["rounds"] == ROUNDS + 300
    assert figures[f"store of {ROUNDS} rounds"]["data_bytes_per_round"] > 100
    assert told[-1][1] == told[-1][2] == figures[f"store of {ROUNDS} rounds"]["entries"]
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path in before}
    assert after == before


def test_store_of_another_size_is_not_measured_for_it(folder: Path) -> None:
    with pytest.raises(UserError, match="holds 3000 rounds"):
        bench_journal(2_000, folder)
    with pytest.raises(UserError, match="from 1000"):
        bench_journal(10)
