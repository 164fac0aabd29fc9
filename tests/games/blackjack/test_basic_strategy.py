"""Basic strategy: the computed chart against the published one, and that it always finds a legal action."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cards.card import DECK, Card
from firmware.games.contract import Chance, Decision, Settled
from firmware.games.families.blackjack import Blackjack
from firmware.games.registry import load_game
from firmware.games.strategies import strategies_for
from firmware.games.strategies.blackjack_chart import Chart, chart_for
from tests.games.blackjack.table import Table, blackjack

SIX, ONE, OPEN = "six_decks_blackjack", "one_deck_blackjack", "open_blackjack"
LETTERS = {"hit": "H", "stand": "S", "double": "D", "split": "P", "surrender": "R"}

# Four to eight decks, stand on soft 17, double any two and after a split; upcards 2 to 10, then the ace.
PUBLISHED = """
hard  8 HHHHHHHHHH
hard  9 HDDDDHHHHH
hard 10 DDDDDDDDHH
hard 11 DDDDDDDDDH
hard 12 HHSSSHHHHH
hard 13 SSSSSHHHHH
hard 14 SSSSSHHHHH
hard 15 SSSSSHHHHH
hard 16 SSSSSHHHHH
hard 17 SSSSSSSSSS
hard 18 SSSSSSSSSS
soft 13 HHHDDHHHHH
soft 14 HHHDDHHHHH
soft 15 HHDDDHHHHH
soft 16 HHDDDHHHHH
soft 17 HDDDDHHHHH
soft 18 SDDDDSSHHH
soft 19 SSSSSSSSSS
soft 20 SSSSSSSSSS
pair  1 PPPPPPPPPP
pair  2 PPPPPPHHHH
pair  3 PPPPPPHHHH
pair  4 HHHPPHHHHH
pair  5 DDDDDDDDHH
pair  6 PPPPPHHHHH
pair  7 PPPPPPHHHH
pair  8 PPPPPPPPPP
pair  9 PPPPPSPPSS
pair 10 SSSSSSSSSS
"""


def row(chart: Chart, kind: str, number: int, more: frozenset[str] = frozenset()) -> str:
    """One row of a chart as letters."""
    legal = chart.allowed((kind, number)) | more
    return "".join(LETTERS[chart.best((upcard,), (kind, number), legal)] for upcard in (*range(2, 11), 1))


@pytest.mark.parametrize("line", PUBLISHED.strip().splitlines())
def test_six_decks_give_the_published_chart(line: str) -> None:
    kind, number, letters = line.split()
    assert row(chart_for(blackjack(SIX).rules), kind, int(number)) == letters


def test_late_surrender_is_the_published_one() -> None:
    """Hard 16 against 9, 10 and ace, hard 15 against 10, nothing else from 14 to 17; eights are split."""
    chart = chart_for(blackjack(SIX, surrender="late").rules)
    more = frozenset({"surrender"})
    assert [row(chart, "hard", total, more) for total in (14, 15, 16, 17)] == [
        "SSSSSHHHHH",
        "SSSSSHHHRH",
        "SSSSSHHRRR",
        "SSSSSSSSSS",
    ]
    assert row(chart, "pair", 8, more) == "PPPPPPPPPP"


def test_hitting_soft_17_changes_the_published_cells() -> None:
    """Eleven is doubled against an ace, soft 18 against a deuce, soft 19 against a six."""
    chart = chart_for(blackjack(SIX, soft_17="hit").rules)
    assert [row(chart, *cell) for cell in (("hard", 11), ("soft", 18), ("soft", 19))] == [
        "DDDDDDDDDD",
        "DDDDDSSHHH",
        "SSSSDSSSSS",
    ]


def test_no_hole_card_makes_doubles_and_splits_against_tens_and_aces_rare() -> None:
    chart = chart_for(blackjack(SIX, hole_card="none", dealer_natural_takes="all_bets").rules)
    assert row(chart, "hard", 11) == "DDDDDDDDHH"
    assert row(chart, "pair", 8) == "PPPPPPPPHH"
    assert row(chart, "pair", 1) == "PPPPPPPPPH"


def test_with_both_dealer_cards_up_a_stiff_dealer_is_stood_against_and_a_made_hand_beaten() -> None:
    chart = chart_for(blackjack(OPEN, exposed=True).rules)
    legal = frozenset({"hit", "stand"})
    assert chart.best((10, 6), ("hard", 12), legal) == "stand"
    assert chart.best((10, 10), ("hard", 19), legal) == "hit"
    assert chart.best((10, 7), ("hard", 17), legal) == "hit"
    assert chart.best((10, 7), ("hard", 18), legal) == "stand"


def test_insurance_is_never_bought_and_early_surrender_taken_where_it_helps() -> None:
    game = blackjack(
        SIX, surrender="early", acknowledge_player_edge=["double_any_two", "double_after_split", "early_surrender"]
    )
    table = Table(game, ["Ts 6d", "Ts 9d"], "Ah 9c")
    chosen = []
    while isinstance(table.node, Decision) and table.legal[0] in ("insurance", "surrender"):
        action = strategies_for(game)["basic"].choose(game, table.decision, table.choices, table.layout)
        chosen.append((action.box, action.name))
        table.act(action.name)
    assert chosen == [(1, "no_insurance"), (2, "no_insurance"), (1, "surrender"), (2, "no_surrender")]


def test_another_familys_game_is_refused() -> None:
    table = Table(SIX, "Ts 6d", "7h 9c")
    with pytest.raises(TypeError, match="baccarat is not blackjack"):
        strategies_for(table.game)["basic"].choose(load_game("baccarat"), table.decision, table.choices, table.layout)


TABLES = [
    blackjack(ONE),
    blackjack(SIX, surrender="late"),
    blackjack("european_blackjack"),
    blackjack(OPEN, exposed=True),
    blackjack(SIX, max_boxes=1, max_hands=4, resplit_aces=True, soft_17="hit"),
]


@given(game=st.sampled_from(TABLES), shoe=st.lists(st.sampled_from(DECK), min_size=60, max_size=60))
def test_the_chart_always_finds_a_legal_action(game: Blackjack, shoe: list[Card]) -> None:
    strategy = strategies_for(game)["basic"]
    balance = 250
    node = game.deal(opened := game.open(strategy.stakes(game), balance), shoe[: opened.card_count])
    used = opened.card_count
    while not isinstance(node, Settled):
        if isinstance(node, Chance):
            node, used = game.deal(node, shoe[used : used + 1]), used + 1
            continue
        credit = balance - node.state.staked_minor
        choices = game.choices(node, credit)
        action = strategy.choose(game, node, choices, game.layout(node))
        assert action.name in {choice.name for choice in choices}
        node = game.act(node, action, credit)
    assert node.outcome.staked_minor <= balance
