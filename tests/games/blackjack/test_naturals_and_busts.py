"""Naturals, busts and ties: who is paid what, and when the dealer need not draw."""

import pytest

from firmware.cards.card import cards_text
from tests.games.blackjack.table import Table

ONE, SIX, EURO, OPEN = "one_deck_blackjack", "six_decks_blackjack", "european_blackjack", "open_blackjack"


@pytest.mark.parametrize("hand", ["As Kd", "Td Ah", "Jc Ad", "Ac Qh"])
def test_a_natural_is_paid_three_to_two(hand: str) -> None:
    table = Table(ONE, hand, "7h 9c")
    assert (table.box.result, table.box.hands[0].name, table.net) == ("blackjack", "blackjack", 1500)


@pytest.mark.parametrize("bet", [102, 150, 250, 998])
def test_three_to_two_is_exact_at_bets_of_odd_units(bet: int) -> None:
    """2.50 wins 3.75: nothing is rounded."""
    assert Table(ONE, "As Kd", "7h 9c", bets=[bet]).net * 2 == bet * 3


@pytest.mark.parametrize(("pays", "net"), [("6/5", 1200), ("1/1", 1000), ("3/2", 1500)])
def test_a_natural_is_paid_as_the_table_says(pays: str, net: int) -> None:
    assert Table(ONE, "As Kd", "7h 9c", natural_pays=pays).net == net


def test_the_dealer_does_not_draw_against_naturals_alone() -> None:
    table = Table(ONE, ["As Kd", "Ac Qd"], "7h 5c")
    assert cards_text(table.outcome.dealer_cards) == ["7h", "5c"]
    assert table.net == 3000


def test_natural_against_natural_is_a_push() -> None:
    table = Table(ONE, "As Kd", "Th Ac")
    assert (table.results, table.net, table.outcome.dealer_name) == (["push"], 0, "blackjack")


@pytest.mark.parametrize(("rule", "net"), [("win", 1500), ("lose", -1000), ("push", 0)])
def test_tied_naturals_follow_the_table(rule: str, net: int) -> None:
    assert Table(SIX, "As Kd", "Th Ac", tied_naturals=rule, double="hard_11", double_after_split=False).net == net


def test_twenty_one_in_three_cards_loses_to_a_dealers_natural() -> None:
    """The dealer does not look at his hole card here, so the hand is played out first."""
    table = Table(OPEN, "7s 7d", "Th Ac", "7c").act("hit")
    assert (table.box.hands[0].name, table.results, table.net) == ("21", ["lose"], -1000)


def test_twenty_one_in_three_cards_is_paid_even_money_only() -> None:
    table = Table(ONE, "7s 7d", "Th 9c", "7c").act("hit")
    assert (table.results, table.net) == (["win"], 1000)


def test_a_natural_beats_a_dealers_twenty_one_in_three_cards() -> None:
    table = Table(ONE, ["As Kd", "Ts 9d"], "7h 5c", "9h").act("stand")
    assert [box.result for box in table.outcome.boxes] == ["blackjack", "lose"]
    assert table.outcome.dealer_name == "21"


def test_a_bust_loses_at_once_and_the_dealer_does_not_draw() -> None:
    table = Table(ONE, "Ts 6d", "6h Tc", "Kc").act("hit")
    assert (table.results, table.net, table.box.hands[0].name) == (["bust"], -1000, "26")
    assert len(table.outcome.dealer_cards) == 2


def test_a_bust_loses_even_if_the_dealer_busts_for_another_box() -> None:
    table = Table(ONE, ["Ts 6d", "9s 9d"], "6h Tc", "Kc Qc").act("hit", "stand")
    assert [box.result for box in table.outcome.boxes] == ["bust", "win"]
    assert table.outcome.dealer_name == "26"


def test_equal_totals_push() -> None:
    table = Table(ONE, "Ts 9d", "Th 9c").act("stand")
    assert (table.results, table.net) == (["push"], 0)


@pytest.mark.parametrize(("hand", "result"), [("Ts 9d", "win"), ("Ts 7d", "lose"), ("Ts 8d", "push")])
def test_the_higher_total_wins(hand: str, result: str) -> None:
    assert Table(ONE, hand, "Th 8c").act("stand").results == [result]


def test_the_dealer_stands_on_soft_seventeen_or_hits_it_as_the_table_says() -> None:
    assert Table(ONE, "Ts 8d", "6h Ac").act("stand").outcome.dealer_name == "soft_17"
    hitting = Table(ONE, "Ts 8d", "6h Ac", "4c", soft_17="hit").act("stand")
    assert (hitting.outcome.dealer_name, hitting.net) == ("21", -1000)


def test_the_dealer_stands_on_seventeen_and_more_and_draws_to_sixteen() -> None:
    table = Table(ONE, "Ts 8d", "2h 3c", "4c 5c 2d Kd").act("stand")
    assert cards_text(table.outcome.dealer_cards) == ["2h", "3c", "4c", "5c", "2d", "Kd"]
    assert (table.outcome.dealer_name, table.net) == ("26", 1000)


def test_a_peeking_dealers_natural_ends_the_round_before_play() -> None:
    for upcard, hole in (("Ah", "Tc"), ("Th", "Ac")):
        table = Table(SIX, ["Ts 6d", "9s 9d"], f"{upcard} {hole}")
        if upcard == "Ah":
            table.act("no_insurance", "no_insurance")
        assert [box.result for box in table.outcome.boxes] == ["lose", "lose"]


def test_twenty_one_needs_no_decision() -> None:
    table = Table(ONE, "Ts 6d", "7h Tc", "5c").act("hit")
    assert (table.results, table.net) == (["win"], 1000)
