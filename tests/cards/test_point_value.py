import pytest

from firmware.cards.card import parse_card
from firmware.cards.point_value import baccarat_points, blackjack_points


@pytest.mark.parametrize(
    ("rank", "baccarat", "blackjack"),
    [("A", 1, 1), ("2", 2, 2), ("9", 9, 9), ("T", 0, 10), ("J", 0, 10), ("Q", 0, 10), ("K", 0, 10)],
)
def test_points_do_not_depend_on_the_suit(rank: str, baccarat: int, blackjack: int) -> None:
    cards = [parse_card(rank + suit) for suit in "shdc"]
    assert {baccarat_points(card) for card in cards} == {baccarat}
    assert {blackjack_points(card) for card in cards} == {blackjack}
