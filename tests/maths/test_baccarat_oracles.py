"""Baccarat: published counts and edges, the mid-game check, other decks, and the sheet against coups played by the rules."""

from fractions import Fraction

import pytest

from firmware.games.families.baccarat_options import BaccaratProfile
from firmware.games.registry import register
from firmware.maths.baccarat_sheet import bet_sheets, coups, endings, shoe_points
from firmware.maths.checks import BACCARAT, BACCARAT_EDGES, check_published
from firmware.maths.game_sheet import game_sheet


def profile(**options: object) -> BaccaratProfile:
    found = register("baccarat", options).profile
    assert isinstance(found, BaccaratProfile)
    return found


def test_eight_decks_give_the_published_integers_and_edges() -> None:
    counts: dict[str, int] = {}
    for (winner, _), count in endings(8).items():
        counts[winner] = counts.get(winner, 0) + count
    assert counts == BACCARAT
    assert sum(counts.values()) == 4_998_398_275_503_360
    sheets = bet_sheets(profile())
    assert {name: round(float(100 * sheet.house_edge), 4) for name, sheet in sheets.items()} == BACCARAT_EDGES
    assert check_published(register("baccarat"), game_sheet(register("baccarat"), lambda _what, _share: None)) == []


@pytest.mark.parametrize(("total", "published"), [(0, 0.278792), (5, 0.358488), (7, 0.572657), (9, 0.905475)])
def test_players_chances_by_his_first_two_cards_are_the_published_ones(total: int, published: float) -> None:
    """Wizard of Odds, Baccarat Appendix 3: eight decks, the player's two-card total known, not its cards."""
    counts = shoe_points(8)
    won = all_ways = 0
    size = 416
    from math import perm

    for first in range(10):
        for second in range(10):
            if (first + second) % 10 != total:
                continue
            for ending, ways, used in _coups_with(counts, first, second):
                orders = ways * perm(size - used, 6 - used)
                all_ways += orders
                won += orders * (ending[0] == "player")
    assert round(won / all_ways, 6) == published


def _coups_with(counts: list[int], first: int, second: int) -> list[tuple[tuple[str, int], int, int]]:
    from firmware.maths.baccarat_sheet import _taken, _with_player

    return list(_with_player(counts, first, second, _taken(counts, (first, second), 1)))


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_every_number_of_decks_adds_up(decks: int) -> None:
    sheets = bet_sheets(profile(deck_count=decks, pair_bets=True))
    assert set(sheets) == {"player", "banker", "tie", "player_pair", "banker_pair"}
    for sheet in sheets.values():
        assert sum(line.probability for line in sheet.lines) == 1
        assert 0 < sheet.house_edge < Fraction(1, 3)
    assert sum(ways for _, ways, used in coups(shoe_points(decks)) if used == 4) > 0


def test_no_commission_pays_half_on_a_banker_six() -> None:
    sheet = bet_sheets(profile(commission="none"))["banker"]
    nets = {line.name: line.net for line in sheet.lines}
    assert nets["banker_6"] == Fraction(1, 2)
    assert round(float(100 * sheet.house_edge), 2) == 1.46  # published for "EZ" tables with half pay on six: 1.4580


def test_a_bet_on_the_tie_loses_when_there_is_none() -> None:
    nets = {line.name: line.net for line in bet_sheets(profile(tie_pays=9))["tie"].lines}
    assert nets == {"tie": 9, "player": -1, "banker": -1}
