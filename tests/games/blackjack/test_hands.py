"""Totals, soft and hard, and the dealer's rule."""

import pytest

from firmware.cards.card import parse_cards
from firmware.games.families.blackjack_hand import can_make_natural, dealer_draws, hand_value, is_natural, value_name


@pytest.mark.parametrize(
    ("cards", "total", "soft", "name"),
    [
        ("As 6d", 17, True, "soft_17"),
        ("As 6d Tc", 17, False, "17"),
        ("As Ad", 12, True, "soft_12"),
        ("As Ad Ac Ah", 14, True, "soft_14"),
        ("As Ad 9c", 21, True, "21"),
        ("As Kd", 21, True, "21"),
        ("7s 7d 7c", 21, False, "21"),
        ("Ks Qd 2c", 22, False, "22"),
        ("As 5d 5c Kh", 21, False, "21"),
        ("9s", 9, False, "9"),
        ("As", 11, True, "soft_11"),
    ],
)
def test_best_total_and_softness(cards: str, total: int, soft: bool, name: str) -> None:
    hand = parse_cards(cards.split())
    assert hand_value(hand) == (total, soft)
    assert value_name(hand) == name


@pytest.mark.parametrize("ten", ["Ts", "Js", "Qs", "Ks"])
def test_an_ace_with_any_ten_valued_card_is_a_natural(ten: str) -> None:
    assert is_natural(parse_cards([ten, "Ah"]))
    assert is_natural(parse_cards(["Ah", ten]))


def test_twenty_one_in_three_cards_is_no_natural() -> None:
    assert not is_natural(parse_cards(["7s", "7d", "7c"]))
    assert not is_natural(parse_cards(["As", "9d", "Ac"]))


def test_only_an_ace_or_a_ten_can_hide_a_natural() -> None:
    able = {rank for rank in "23456789TJQKA" if can_make_natural(parse_cards([rank + "s"])[0])}
    assert able == set("TJQKA")


@pytest.mark.parametrize("total", range(4, 27))
def test_the_dealer_draws_to_sixteen_and_stands_on_hard_seventeen(total: int) -> None:
    for hits in (False, True):
        assert dealer_draws(total, False, hits) == (total <= 16)


def test_the_dealer_hits_soft_seventeen_only_where_the_table_says_so() -> None:
    assert not dealer_draws(17, True, False)
    assert dealer_draws(17, True, True)
    assert not dealer_draws(18, True, True)
    assert dealer_draws(16, True, False)
