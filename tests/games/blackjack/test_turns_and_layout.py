"""Who plays when, and what the screen may show meanwhile."""

import pytest

from firmware.cards.card import parse_cards
from firmware.games.contract import Action, ActionRefusedError, Chance, Stake, StakeRefusedError
from tests.games.blackjack.table import BET, Table, blackjack

ONE, SIX = "one_deck_blackjack", "six_decks_blackjack"


def test_cards_go_to_the_boxes_in_seat_order_then_to_the_dealer_twice() -> None:
    game = blackjack(SIX)
    stakes = [Stake(4, {"bet": BET}), Stake(2, {"bet": BET})]
    opened = game.open(stakes, 10_000)
    node = game.deal(opened, parse_cards("2s 3s 4s 5s 6s 7s".split()))
    seen = game.layout(node)
    assert [(box.box, [slot.card for slot in box.hands[0].slots]) for box in seen.boxes] == [
        (2, list(parse_cards(["2s", "5s"]))),
        (4, list(parse_cards(["3s", "6s"]))),
    ]
    assert [slot.card for slot in seen.dealer.slots] == [parse_cards(["4s"])[0], None]


def test_boxes_play_in_seat_order_and_naturals_are_passed_over() -> None:
    table = Table(SIX, ["Ts 6d", "As Kd", "9s 9d"], "7h Tc")
    assert [box.state for box in table.layout.boxes] == ["active", "done", "waiting"]
    table.act("stand")
    assert table.decision.box == 3
    assert [box.state for box in table.layout.boxes] == ["done", "done", "active"]
    table.act("stand")
    assert [box.state for box in table.layout.boxes] == ["settled"] * 3


def test_another_box_cannot_act_out_of_turn() -> None:
    table = Table(SIX, ["Ts 6d", "9s 9d"], "7h Tc")
    with pytest.raises(ActionRefusedError, match="box 2, hand 0: it is the turn of box 1, hand 0"):
        table.game.act(table.decision, Action(2, "stand"), table.credit)
    with pytest.raises(ActionRefusedError, match="'raise' is not legal now, only hit, stand"):
        table.act("raise")


def test_totals_are_shown_soft_and_hard_and_change_with_every_card() -> None:
    table = Table(ONE, "As 6d", "7h Tc", "Kc 5c")
    assert table.layout.boxes[0].hands[0].name == "soft_17"
    assert table.act("hit").layout.boxes[0].hands[0].name == "17"
    assert (table.layout.dealer.name, table.act("stand").layout.dealer.name) == ("7", "17")


def test_the_hole_card_is_not_in_the_layout_before_the_players_have_finished() -> None:
    table = Table(ONE, ["Ts 6d", "9s 9d"], "7h Tc")
    hole = parse_cards(["Tc"])[0]
    while True:
        assert all(slot.card != hole for slot in table.layout.dealer.slots)
        assert table.layout.dealer.slots[0].mark == "up"
        if table.decision.box == 2:
            break
        table.act("stand")
    table.act("stand")
    assert [slot.card for slot in table.layout.dealer.slots][1] == hole


def test_the_dealers_draws_are_laid_out_one_by_one() -> None:
    game = blackjack(ONE)
    node = game.deal(game.open([Stake(1, {"bet": BET})], 10_000), parse_cards("Ts 2h 9d 3c".split()))
    node = game.act(node, Action(1, "stand"), 9_000)  # type: ignore[arg-type]
    assert isinstance(node, Chance)
    seen = game.layout(node)
    assert [seen.dealer.name, seen.boxes[0].state, seen.boxes[0].result] == ["5", "done", None]


def test_money_is_shown_by_line_and_by_hand() -> None:
    table = Table(SIX, "5s 5d", "6h Tc", "6c Kc 9c Kc").act("split", "double")
    box = table.layout.boxes[0]
    assert [(line.line, line.staked_minor, line.paid_minor) for line in box.lines] == [
        ("bet", BET, None),
        ("split", BET, None),
        ("double", BET, None),
    ]
    assert [(hand.staked_minor, hand.active) for hand in box.hands] == [(2 * BET, False), (BET, True)]
    settled = table.act("stand").layout.boxes[0]
    assert [line.paid_minor for line in settled.lines] == [2 * BET, 2 * BET, 2 * BET]
    assert [hand.result for hand in settled.hands] == ["win", "win"]


def test_a_bust_is_shown_at_once() -> None:
    table = Table(SIX, ["Ts 6d", "9s 9d"], "7h Tc", "Kc").act("hit")
    assert (table.layout.boxes[0].hands[0].result, table.layout.boxes[0].state) == ("bust", "done")


def test_nothing_is_on_the_table_before_the_deal() -> None:
    game = blackjack(SIX)
    seen = game.layout(game.open([Stake(2, {"bet": BET})], 10_000))
    assert (seen.dealer.slots, seen.boxes[0].hands, seen.boxes[0].state) == ((), (), "waiting")
    assert [(line.line, line.staked_minor) for line in seen.boxes[0].lines] == [("bet", BET)]


@pytest.mark.parametrize(
    ("stakes", "reason"),
    [
        ([], "stakes: 0 boxes, this table takes 1 to 3"),
        ([Stake(4, {"bet": BET})], "box 4: this table has boxes 1 to 3"),
        ([Stake(1, {"bet": BET}), Stake(1, {"bet": BET})], "box 1: named twice"),
        ([Stake(box, {"bet": BET}) for box in (1, 2, 3, 1)], "stakes: 4 boxes"),
        ([Stake(1, {"bet": 98})], "bet 98 is outside 100 to 10000"),
        ([Stake(1, {"bet": 10_002})], "bet 10002 is outside"),
        ([Stake(1, {})], "nothing on bet"),
        ([Stake(1, {"ante": BET})], "no line 'ante' here, only bet"),
        ([Stake(1, {"bet": 60_00}), Stake(2, {"bet": 60_00})], "balance: 10000 is not enough for stakes of 12000"),
    ],
)
def test_impossible_stakes_are_refused(stakes: list[Stake], reason: str) -> None:
    with pytest.raises(StakeRefusedError, match=reason):
        blackjack(ONE).open(stakes, 10_000)


def test_a_jackpot_meter_and_a_wrong_number_of_cards_are_refused() -> None:
    game = blackjack(ONE)
    with pytest.raises(StakeRefusedError, match="no jackpot"):
        game.open([Stake(1, {"bet": BET})], 10_000, 5_000)
    with pytest.raises(ValueError, match="3 cards given, 4 asked for"):
        game.deal(game.open([Stake(1, {"bet": BET})], 10_000), parse_cards(["2s", "3s", "4s"]))
