"""Dealers who have no hole card, or do not look at it: what a natural takes, and when the second card is needed."""

import pytest

from firmware.cards.card import cards_text
from firmware.games.contract import Chance, Stake
from tests.games.blackjack.table import BET, Table, blackjack

EURO, OPEN, SIX = "european_blackjack", "open_blackjack", "six_decks_blackjack"


def test_the_dealer_gets_one_card_before_the_players_act() -> None:
    assert blackjack(EURO).open([Stake(1, {"bet": BET}), Stake(3, {"bet": BET})], 10_000).card_count == 5
    assert blackjack(OPEN).open([Stake(1, {"bet": BET}), Stake(3, {"bet": BET})], 10_000).card_count == 6


def test_the_second_card_is_dealt_when_the_players_are_done() -> None:
    table = Table(EURO, ["Ts 9d", "5s 6d"], "Th", "8d Kc")
    table.act("stand", "double")
    assert cards_text(table.outcome.dealer_cards) == ["Th", "Kc"]
    assert [box.result for box in table.outcome.boxes] == ["lose", "lose"]


def test_a_natural_takes_all_bets() -> None:
    assert Table(EURO, "5s 6d", "Th", "Kc Ac").act("double").net == -2 * BET
    split = Table(EURO, "8s 8d", "Th", "3c Kc Ac").act("split", "stand", "stand")
    assert (split.results, split.net) == (["lose", "lose"], -2 * BET)


def test_a_natural_takes_original_bets_only_where_the_table_says_so() -> None:
    double = Table(EURO, "5s 6d", "Th", "Kc Ac", dealer_natural_takes="original_bets").act("double")
    assert double.net == -BET
    assert [(line.line, line.paid_minor) for line in double.box.lines] == [("bet", 0), ("double", BET)]
    split = Table(EURO, "8s 8d", "Th", "3c Kc Ac", dealer_natural_takes="original_bets")
    split.act("split", "stand", "stand")
    assert (split.results, split.net, split.box.result) == (["lose", "push"], -BET, "lose")


@pytest.mark.parametrize(("draws", "actions"), [("6c Tc 5c Kc", "hit hit"), ("6c Tc 5c", "hit stand")])
def test_original_bets_only_is_the_same_as_a_peek_even_after_a_bust(draws: str, actions: str) -> None:
    """Eights split against a ten, one or both bust, then the natural: one bet is lost, as if the dealer had looked."""
    table = Table(EURO, "8s 8d", "Th", f"{draws} Ac", dealer_natural_takes="original_bets")
    table.act("split", *actions.split())
    assert (table.results[0], table.net) == ("bust", -BET)


def test_no_second_card_when_every_hand_is_bust() -> None:
    table = Table(EURO, "Ts 6d", "Th", "Kc").act("hit")
    assert (table.results, cards_text(table.outcome.dealer_cards)) == (["bust"], ["Th"])


def test_the_second_card_is_needed_for_a_natural() -> None:
    tied = Table(EURO, "As Kd", "Th", "Ac")
    assert (tied.results, tied.net) == (["push"], 0)
    won = Table(EURO, "As Kd", "Th", "5c")
    assert (won.results, won.net, len(won.outcome.dealer_cards)) == (["blackjack"], 1500, 2)


def test_the_second_card_is_needed_for_insurance_even_after_a_bust() -> None:
    lost = Table(EURO, "Ts 6d", "Ah", "Kc 6h").act("insurance", "hit")
    assert (lost.net, cards_text(lost.outcome.dealer_cards)) == (-BET - BET // 2, ["Ah", "6h"])
    saved = Table(EURO, "Ts 6d", "Ah", "Kc Kh").act("insurance", "hit")
    assert (saved.results, saved.net) == (["bust"], 0)


def test_insurance_alone_lets_the_dealer_draw_one_card_only() -> None:
    table = Table(EURO, "Ts 6d", "Ah", "Kc 2h").act("insurance", "hit")
    assert table.outcome.dealer_name == "soft_13"


def test_an_unseen_hole_card_is_turned_when_the_players_are_done() -> None:
    table = Table(OPEN, ["Ts 9d", "5s 6d"], "Th Ac", "Kc")
    assert [slot.card is None for slot in table.layout.dealer.slots] == [False, True]
    table.act("stand", "double")
    assert [box.result for box in table.outcome.boxes] == ["lose", "lose"]
    assert table.net == -2 * BET  # the double is returned: original bets only


def test_a_hand_that_stands_is_never_compared_with_one_card() -> None:
    table = Table(EURO, "Ts 9d", "Th", "Tc")
    assert not isinstance(table.node, Chance)
    assert table.act("stand").outcome.dealer_name == "20"
