"""The committed pages of best play are those that the tables give, and say the known things."""

import pytest

from firmware.games.par_files import par_path
from firmware.games.registry import game_ids, register
from firmware.maths.strategy_pages import strategy_page


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_a_page_of_its_exact_rules(game_id: str) -> None:
    text = par_path(game_id).with_suffix(".md").read_text(encoding="utf-8")
    assert f"profile `{register(game_id).digest[:16]}`" in text


@pytest.mark.parametrize(
    "game_id", ["baccarat", "one_deck_blackjack", "six_decks_blackjack", "european_blackjack", "caribbean"]
)
def test_the_page_is_what_the_tables_give(game_id: str) -> None:
    page = strategy_page(register(game_id), lambda _what, _share: None)
    assert page == par_path(game_id).with_suffix(".md").read_text(encoding="utf-8")


def test_six_decks_have_the_known_chart() -> None:
    text = par_path("six_decks_blackjack").with_suffix(".md").read_text(encoding="utf-8")
    for row in (
        "| 11 | D | D | D | D | D | D | D | D | D | H |",
        "| 12 | H | H | S | S | S | H | H | H | H | H |",
        "| 8-8 | P | P | P | P | P | P | P | P | P | P |",
        "| 18 | S | D | D | D | D | S | S | H | H | H |",
    ):
        assert row in text


def test_caribbean_bets_every_pair_and_nothing_below_ace_king() -> None:
    rows = par_path("caribbean").with_suffix(".md").read_text(encoding="utf-8").splitlines()
    for row in rows:
        if row.startswith("| no_hand"):
            assert row.endswith("| 100.00 % | - |")
        if row.startswith("| pair"):
            assert row.endswith("| - | 100.00 % |")
