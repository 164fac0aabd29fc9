"""Buying the dealer's game in Russian Poker, with every house option."""

from typing import Any

import pytest

from firmware.cards.card import cards_text
from firmware.games.contract import ActionRefusedError
from tests.games.poker.table import ANTE, Table, visible_cards

NOT_QUALIFIED = "Ad Qd Th 7c 3d"
TRIPS = ["9s 9h 9d 6c 5s"]
TWO = ["9s 9h 9d 6c 5s", "8s 8h 8d 6h 5h"]


def test_offer_comes_only_when_the_dealer_does_not_qualify() -> None:
    assert Table("russian", TRIPS, "Ad Kd Th 7c 3d").act("raise").outcome.dealer_qualifies
    assert Table("russian", TRIPS, NOT_QUALIFIED).act("raise").legal == {"take_ante", "buy_dealer_card"}


@pytest.mark.parametrize("game", ["oasis", "oasis_jackpot", "caribbean"])
def test_other_tables_sell_no_dealer_game(game: str) -> None:
    assert Table(game, TRIPS, NOT_QUALIFIED).act("raise").net() == ANTE


def test_folded_box_gets_no_offer() -> None:
    table = Table("russian", TWO, NOT_QUALIFIED, "Qs").act("fold").act("raise")
    assert table.decision.box == 2
    table.act("buy_dealer_card")
    assert (table.net(1), table.net(2)) == (-ANTE, 2 * ANTE * 3 - ANTE)


def test_blind_box_gets_no_offer_and_wins_its_ante() -> None:
    table = Table("russian", [*TWO, "Js Jh 4d 4c 2s"], NOT_QUALIFIED, "Qs").act("raise").act("raise")
    assert [box.state for box in table.layout.boxes] == ["active", "waiting", "blind"]
    table.act("take_ante").act("buy_dealer_card")
    assert [table.net(box) for box in (1, 2, 3)] == [ANTE, 5 * ANTE, ANTE]
    assert [table.box(box).result for box in (1, 2, 3)] == ["no_qualify", "win", "no_qualify"]


def test_dealer_shows_all_cards_with_the_offer() -> None:
    table = Table("russian", TRIPS, NOT_QUALIFIED).act("raise")
    assert visible_cards(table.layout) == {*TRIPS[0].split(), *NOT_QUALIFIED.split()}
    assert table.layout.dealer_qualifies is False


def test_one_draw_serves_all_boxes_that_buy() -> None:
    table = Table("russian", TWO, NOT_QUALIFIED, "Qs 2c").act("raise").act("raise")
    table.act("buy_dealer_card").act("buy_dealer_card")
    assert table.used == 16
    assert [table.net(box) for box in (1, 2)] == [5 * ANTE, 5 * ANTE]
    assert table.outcome.dealer_name == "pair"


def test_dropped_card_lies_dead_beside_the_new_hand() -> None:
    table = Table("russian", TRIPS, NOT_QUALIFIED, "Qs").act("raise").act("buy_dealer_card")
    slots = [(slot.card, slot.mark) for slot in table.layout.dealer.slots]
    assert len(slots) == 6
    assert [mark for _, mark in slots] == ["", "", "", "", "", "dead"]
    assert len(table.outcome.dealer_cards) == 5


def test_house_may_draw_a_card_for_every_box() -> None:
    table = Table("russian", TWO, NOT_QUALIFIED, "Qs 2c", dealer_game_draw="per_box").act("raise").act("raise")
    table.act("buy_dealer_card").act("buy_dealer_card")
    assert table.used == 17
    assert [table.net(box) for box in (1, 2)] == [5 * ANTE, -ANTE]
    assert [table.box(box).result for box in (1, 2)] == ["win", "no_qualify"]
    assert table.outcome.dealer_qualifies is False  # his own hand; the bought ones differ
    assert {"Qs", "2c", "Ad"} <= visible_cards(table.layout)


@pytest.mark.parametrize(
    ("option", "net"),
    [({}, -1), ({"dealer_game_failed": "ante_lost"}, -2)],
)
def test_bought_game_that_fails_costs_what_the_house_says(option: dict[str, Any], net: int) -> None:
    table = Table("russian", TRIPS, NOT_QUALIFIED, "2c", **option).act("raise").act("buy_dealer_card")
    assert table.box().result == "no_qualify"
    assert table.net() == net * ANTE


def test_game_for_the_waived_ante_costs_no_fresh_money() -> None:
    option: dict[str, Any] = {
        "dealer_game_price": 0,
        "acknowledge_player_edge": ["dealer_game_at_0_antes"],
    }
    failed = Table("russian", TRIPS, NOT_QUALIFIED, "2c", **option).act("raise").act("buy_dealer_card")
    assert (failed.net(), failed.paid()["buy_dealer_card"]) == (0, 0)
    won = Table("russian", TRIPS, NOT_QUALIFIED, "Qs", **option).act("raise").act("buy_dealer_card")
    assert won.net() == 6 * ANTE


def test_game_is_not_sold_without_an_ante_of_credit() -> None:
    table = Table("russian", TRIPS, NOT_QUALIFIED, balance=3 * ANTE + 999).act("raise")
    assert table.legal == {"take_ante"}
    with pytest.raises(ActionRefusedError, match="balance 999 does not cover the fee 1000"):
        table.act("buy_dealer_card")
    assert table.act("take_ante").net() == ANTE
    assert "buy_dealer_card" in Table("russian", TRIPS, NOT_QUALIFIED, balance=4 * ANTE).act("raise").legal


def test_house_may_offer_the_game_to_paying_hands_only() -> None:
    hands = ["9s 8h 7d 6c 2s", "8s 8c 8d 6h 5h"]
    table = Table("russian", hands, NOT_QUALIFIED, "Qs", dealer_game_offer="paying_hand").act("raise").act("raise")
    assert table.decision.box == 2
    table.act("buy_dealer_card")
    assert [table.net(box) for box in (1, 2)] == [ANTE, 5 * ANTE]


def test_card_of_the_dropped_rank_stays_by_default() -> None:
    table = Table("russian", TRIPS, NOT_QUALIFIED, "As Qs").act("raise").act("buy_dealer_card")
    assert table.used == 11
    assert table.box().result == "no_qualify"


def test_house_may_replace_a_card_of_the_dropped_rank() -> None:
    table = Table("russian", TRIPS, NOT_QUALIFIED, "As Ah Ac Qs", dealer_redraws_same_rank=True)
    table.act("raise").act("buy_dealer_card")
    assert table.used == 14
    assert table.net() == 5 * ANTE
    assert {"Ad", "As", "Ah", "Ac"} <= visible_cards(table.layout)


def test_redraw_for_single_boxes_leaves_the_others_cards_alone() -> None:
    table = Table(
        "russian", TWO, NOT_QUALIFIED, "As Qs Ah 2c", dealer_redraws_same_rank=True, dealer_game_draw="per_box"
    )
    table.act("raise").act("raise").act("buy_dealer_card").act("buy_dealer_card")
    assert table.used == 19  # As and Qs; Ah for box 1 again, then 2c
    assert [table.box(box).result for box in (1, 2)] == ["no_qualify", "win"]


@pytest.mark.parametrize("action", ["raise", "fold", "buy_card"])
def test_offer_takes_no_other_answer(action: str) -> None:
    table = Table("russian", TRIPS, NOT_QUALIFIED).act("raise")
    with pytest.raises(ActionRefusedError, match="only take_ante or buy_dealer_card is possible"):
        table.act(action)


@pytest.mark.parametrize("action", ["take_ante", "buy_dealer_card"])
def test_nothing_is_offered_before_the_dealer_shows(action: str) -> None:
    with pytest.raises(ActionRefusedError, match="not on offer"):
        Table("russian", TRIPS, NOT_QUALIFIED).act(action)


@pytest.mark.parametrize("dealer", ["Ad Qd Jh 8c 3d", "3d Qd Ad 8c Jh", "3d 8c Jh Qd Ad"])
def test_highest_card_is_dropped_wherever_it_lies_and_the_new_one_takes_its_place(dealer: str) -> None:
    table = Table("russian", TRIPS, dealer, "Jd").act("raise").act("buy_dealer_card")
    assert cards_text(table.outcome.dealer_cards) == dealer.replace("Ad", "Jd").split()
    assert table.outcome.dealer_name == "pair"


def test_bought_hand_compares_with_the_best_five_of_six() -> None:
    table = Table("russian", ["9s 9h 7d 6c 5s"], NOT_QUALIFIED, "9c Qs").act("buy_card").act("raise")
    table.act("buy_dealer_card")
    assert table.box().hands[0].name == "three_of_a_kind"
    assert table.net() == 6 * ANTE - 2 * ANTE
