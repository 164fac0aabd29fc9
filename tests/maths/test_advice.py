"""Advice for live decisions: it names every legal button, knows only what the player knows, and has the known values."""

from itertools import combinations

import pytest

from firmware.cards.card import DECK, cards_text, parse_card, parse_cards
from firmware.cards.poker_rank import LOWEST_ACE_KING_KEY, rank_five
from firmware.games.coaching import Advice
from firmware.games.contract import Action, Decision
from firmware.games.registry import load_game
from firmware.maths.advice import advise
from tests.games.blackjack.table import Table as BlackjackTable
from tests.games.poker.table import Table as PokerTable


def poker_advice(table: PokerTable) -> Advice:
    advice = advise(table.game, table.decision, table.balance)
    assert advice is not None
    names = sorted((choice.name, choice.card_count) for choice in table.choices)
    assert sorted((value.action.name, len(value.action.cards)) for value in advice.values) == names
    return advice


def blackjack_advice(table: BlackjackTable) -> dict[str, float]:
    advice = advise(table.game, table.decision, table.credit)
    assert advice is not None
    assert {value.action.name for value in advice.values} == {choice.name for choice in table.choices}
    return {value.action.name: value.value_millionths / 1e6 for value in advice.values}


def test_oasis_shows_the_value_of_each_button_and_the_cost_of_a_mistake() -> None:
    advice = poker_advice(PokerTable("oasis", ["Qs 9h 8d 7c 6s"], "Ad 5d 9c Jh 2h"))
    assert advice.exact
    assert (advice.best.action.name, cards_text(advice.best.action.cards)) == ("exchange", ["Qs"])
    assert [value.value_millionths for value in advice.values] == [-406_467, -1_000_000, -1_254_129, -1_421_632]
    assert advice.cost_millionths(Action(1, "fold")) == 593_533
    assert advice.cost_millionths(Action(1, "buy_card")) is None


def test_after_a_draw_the_fee_is_spent_and_discards_are_dead() -> None:
    table = PokerTable("oasis", ["Qs 9h 8d 7c 6s"], "Ad 5d 9c Jh 2h", "Tc").act("exchange", "Qs")
    advice = poker_advice(table)
    assert advice.best.action.name == "raise"
    assert advice.best.value_millionths > 1_000_000  # a straight, less the fee
    assert advice.values[1].value_millionths == -2_000_000


def test_the_second_box_knows_the_first_ones_cards() -> None:
    alone = poker_advice(PokerTable("caribbean", ["As Kh Jd 8c 3s"], "2h 5d 9c Jh 3h"))
    table = PokerTable("caribbean", ["Ad Kd Ac Kc 9s", "As Kh Jd 8c 3s"], "2h 5d 9c Jh 3h").act("raise")
    after = poker_advice(table)
    value = next(value.value_millionths for value in after.values if value.action.name == "raise")
    assert alone.best.value_millionths == -834_954
    own, other = parse_cards("As Kh Jd 8c 3s".split()), parse_cards("Ad Kd Ac Kc 9s".split())
    upcard, key = parse_card("3h"), rank_five(own)
    left = [card for card in DECK if card not in (*own, *other, upcard)]
    dealers = [rank_five((*four, upcard)) for four in combinations(left, 4)]
    results = [1 if one < LOWEST_ACE_KING_KEY else 3 if one < key else 0 if one == key else -3 for one in dealers]
    assert value == round(1_000_000 * sum(results) / len(results)) != -834_954


def test_russian_values_every_kind_of_draw_and_the_bought_game() -> None:
    table = PokerTable("russian", ["2h 9s 8s 7s 6s"], "3d 5d Tc Jh Kh", "5s 4c")
    advice = poker_advice(table)
    assert advice.best.action.name == "buy_card"
    assert advice.exact
    table.act("buy_card").act("raise")
    offer = poker_advice(table)
    assert offer.best.action.name == "buy_dealer_card"  # a straight flush: 50 and more to one
    assert offer.exact
    assert offer.values[1].value_millionths == 0  # the ante's win pays the sixth card


def test_blackjack_knows_chart_plays_and_the_other_boxes() -> None:
    aces = blackjack_advice(BlackjackTable("six_decks_blackjack", ["As Ah"], "6c Td"))
    assert max(aces, key=aces.__getitem__) == "split"
    insured = blackjack_advice(BlackjackTable("six_decks_blackjack", ["Ts 6h"], "Ac 5d"))
    assert insured["no_insurance"] == 0.0
    assert insured["insurance"] == pytest.approx(0.5 * (3 * 95 / 309 - 1), abs=1e-6)
    poor = BlackjackTable("one_deck_blackjack", ["Ts Th", "Tc 5h"], "6c 2d").act("stand")
    alone = BlackjackTable("one_deck_blackjack", ["Tc 5h"], "6c 2d")
    assert blackjack_advice(poor)["hit"] > blackjack_advice(alone)["hit"]


def test_a_hand_after_a_split_is_advised_too() -> None:
    table = BlackjackTable("six_decks_blackjack", ["8s 8h"], "6c Td", "3c 2d").act("split")
    values = blackjack_advice(table)
    assert max(values, key=values.__getitem__) == "double"


def test_early_surrender_is_weighed_against_playing_on() -> None:
    table = BlackjackTable(
        "six_decks_blackjack",
        ["Ts 6h"],
        "Tc 5d",
        surrender="early",
        acknowledge_player_edge=["early_surrender", "double_any_two", "double_after_split"],
    )
    values = blackjack_advice(table)
    assert values["surrender"] == -0.5
    assert values["no_surrender"] < -0.5


def test_baccarat_has_nothing_to_advise() -> None:
    game = load_game("baccarat")
    assert game.choices(Decision(_NoState(), 1), 0) == ()
    assert advise(game, Decision(_NoState(), 1), 0) is None


class _NoState:
    @property
    def staked_minor(self) -> int:
        return 0
