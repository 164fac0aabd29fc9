"""Which tables of blackjack are allowed: contradictions, and rules that favour the player."""

import pytest

from firmware.errors import ConfigError
from firmware.games import profile_files
from firmware.games.families.blackjack import FAMILY
from firmware.games.registry import game_ids, register
from tests.games.blackjack.table import Table, blackjack

ONE, SIX, EURO, OPEN = "one_deck_blackjack", "six_decks_blackjack", "european_blackjack", "open_blackjack"


def test_the_house_tables_are_what_the_rules_say() -> None:
    one, six, euro, opened = (blackjack(name) for name in (ONE, SIX, EURO, OPEN))
    assert [game.spec.deck_count for game in (one, six, euro, opened)] == [1, 6, 1, 6]
    assert [game.spec.max_boxes for game in (one, six, euro, opened)] == [3, 5, 3, 5]
    assert [game.spec.shoe_carried for game in (one, six, euro, opened)] == [False, True, False, False]
    assert [game.rules.hole_card for game in (one, six, euro, opened)] == ["peek", "peek", "none", "no_peek"]
    assert [game.rules.double for game in (one, six, euro, opened)] == [
        "hard_9_11",
        "any_two",
        "hard_9_11",
        "hard_9_11",
    ]
    assert [game.rules.double_after_split for game in (one, six, euro, opened)] == [False, True, False, False]
    assert euro.rules.dealer_natural_takes == "all_bets"
    for game in (one, six, euro, opened):
        assert (game.rules.soft_17, game.rules.max_hands, game.rules.surrender) == ("stand", 2, "off")
        assert (game.rules.natural_pays, game.rules.exposed, game.rules.insurance) == ((3, 2), False, True)


def test_no_house_table_needs_an_acknowledgement() -> None:
    for name in game_ids():
        if name.endswith("blackjack"):
            assert register(name).profile.player_edges() == {}


def test_the_exposed_example_is_the_open_table_with_one_option() -> None:
    path = profile_files.bundled_directory().parent / "examples" / "games" / "open_blackjack_exposed.toml"
    profile = FAMILY.profile.parse(profile_files.read_table(path), str(path))
    assert FAMILY.build(OPEN, profile).rules == blackjack(OPEN, exposed=True, hole_card="peek").rules  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "options", "edges"),
    [
        (ONE, {"double": "any_two", "double_after_split": True}, {"double_any_two", "double_after_split"}),
        (ONE, {"surrender": "early"}, {"early_surrender"}),
        (EURO, {"surrender": "early"}, {"early_surrender"}),
        (SIX, {"surrender": "early"}, {"early_surrender", "double_any_two", "double_after_split"}),
        (ONE, {"tied_naturals": "win"}, {"tied_naturals_win"}),
        (ONE, {"split_aces_one_card": False}, {"split_aces_played_on"}),
    ],
)
def test_rules_that_favour_the_player_are_refused_until_acknowledged_by_name(
    name: str, options: dict[str, object], edges: set[str]
) -> None:
    with pytest.raises(ConfigError) as refused:
        blackjack(name, **options)
    lines = refused.value.problems
    assert len(lines) == len(edges)
    assert all("acknowledge_player_edge" in line and "these rules together come to" in line for line in lines)
    assert blackjack(name, **options, acknowledge_player_edge=sorted(edges)).id == name
    with pytest.raises(ConfigError):
        blackjack(name, **options, acknowledge_player_edge=[*sorted(edges)[1:], "something_else"])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        (SIX, {"surrender": "late"}),
        (SIX, {"soft_17": "hit"}),
        (ONE, {"soft_17": "hit"}),
        (SIX, {"split_aces_one_card": False}),
        (ONE, {"double": "any_two", "double_after_split": True, "natural_pays": "6/5"}),
        (OPEN, {"exposed": True, "double_after_split": True}),
        (OPEN, {"exposed": True, "tied_naturals": "win"}),
    ],
)
def test_rules_that_stay_the_houses_need_no_acknowledgement(name: str, options: dict[str, object]) -> None:
    assert blackjack(name, **options).id == name


def test_an_acknowledgement_without_an_edge_is_refused() -> None:
    with pytest.raises(ConfigError, match="found 'early_surrender', expected no such name here"):
        blackjack(SIX, acknowledge_player_edge=["early_surrender"])


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"deck_count": 3}, "deck_count: found 3"),
        ({"max_hands": 5}, "max_hands: found 5, expected at most 4"),
        ({"max_boxes": 7}, "max_boxes: found 7, expected at most 6"),
        ({"natural_pays": "2/1"}, "natural_pays: found '2/1'"),
        ({"soft_17": "both"}, "soft_17: found 'both'"),
        ({"double": True}, "double: found True"),
        ({"resplit_aces": True}, "max_hands: found 2, expected 3 or 4 with resplit_aces"),
        ({"max_hands": 1}, "max_hands: found 1, expected 2 or more with double_after_split"),
        ({"minimum_minor": 101, "maximum_minor": 101}, "maximum_minor: found 101, expected a multiple of 2"),
        ({"minimum_minor": 500, "maximum_minor": 200}, "maximum_minor: found 200, expected a multiple of 2"),
        ({"spanish": True}, "no such option"),
    ],
)
def test_impossible_options_are_refused_by_name(options: dict[str, object], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        blackjack(SIX, **options)


def test_no_split_at_all_is_an_option() -> None:
    assert "split" not in Table(ONE, "8s 8d", "6h Tc", max_hands=1).legal
