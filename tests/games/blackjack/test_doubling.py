"""When doubling is allowed, what it costs and what it wins."""

import pytest

from firmware.cards.card import DECK
from firmware.games.contract import Action, ActionRefusedError
from tests.games.blackjack.table import BET, Table

ONE, SIX = "one_deck_blackjack", "six_decks_blackjack"
BY_TOTAL = {
    4: "2s 2d", 5: "2s 3d", 6: "2s 4d", 7: "3s 4d", 8: "3s 5d", 9: "4s 5d", 10: "4s 6d", 11: "5s 6d",
    12: "Ts 2d", 13: "Ts 3d", 19: "Ts 9d", 20: "Ts Kd",
}  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "totals"),
    [
        ("any_two", set(BY_TOTAL)),
        ("hard_9_11", {9, 10, 11}),
        ("hard_10_11", {10, 11}),
        ("hard_11", {11}),
    ],
)
def test_doubling_is_limited_to_hard_totals(rule: str, totals: set[int]) -> None:
    able = {total for total, hand in BY_TOTAL.items() if "double" in Table(SIX, hand, "7h 9c", double=rule).legal}
    assert able == totals


def test_a_soft_nine_ten_or_eleven_is_not_a_hard_one() -> None:
    """Ace and eight are 19, or a hard 9 that nobody would call so."""
    for hand in ("As 8d", "As 9d"):
        assert "double" not in Table(ONE, hand, "7h 9c").legal
        assert "double" in Table(SIX, hand, "7h 9c").legal


def test_a_double_takes_one_card_and_one_more_bet() -> None:
    table = Table(ONE, "5s 6d", "7h Tc", "2c").act("double")
    assert (table.box.hands[0].name, table.net) == ("13", -2 * BET)
    assert [(line.line, line.staked_minor, line.paid_minor) for line in table.box.lines] == [
        ("bet", BET, 0),
        ("double", BET, 0),
    ]


def test_a_won_double_wins_twice_and_a_tied_one_is_returned() -> None:
    assert Table(ONE, "5s 6d", "7h Tc", "Kc").act("double").net == 2 * BET
    assert Table(ONE, "5s 6d", "7h Tc", "6c").act("double").net == 0


def test_a_doubled_hand_can_bust() -> None:
    table = Table(SIX, "Ts 6d", "7h 9c", "Kc").act("double")
    assert (table.results, table.net) == (["bust"], -2 * BET)


def test_three_cards_cannot_be_doubled() -> None:
    table = Table(ONE, "2s 3d", "7h Tc", "5c").act("hit")
    assert table.legal == ["hit", "stand"]
    with pytest.raises(ActionRefusedError, match="'double' is not legal now, only hit, stand"):
        table.act("double")


def test_doubling_needs_the_money_for_a_whole_bet() -> None:
    poor = Table(ONE, "5s 6d", "7h Tc", balance=2 * BET - 2)
    assert poor.legal == ["hit", "stand"]
    with pytest.raises(ActionRefusedError, match="double costs 1000, the balance is 998"):
        poor.act("double")
    assert "double" in Table(ONE, "5s 6d", "7h Tc", balance=2 * BET).legal


def test_the_cost_of_a_double_is_told() -> None:
    table = Table(ONE, "5s 6d", "7h Tc")
    assert [(choice.name, choice.cost_minor) for choice in table.choices] == [("hit", 0), ("stand", 0), ("double", BET)]
    with pytest.raises(ActionRefusedError, match="box 1, hand 1: it is the turn of box 1, hand 0"):
        table.game.act(table.decision, Action(1, "hit", hand=1), table.credit)
    with pytest.raises(ActionRefusedError, match="names no cards"):
        table.game.act(table.decision, Action(1, "hit", DECK[:1]), table.credit)
