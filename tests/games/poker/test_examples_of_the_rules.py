"""Every example sentence of the house's three rule pages, played. Hands that only need ranking are in tests/cards.

Sentences with a slip are played as they must be meant, and the test says so.
"""

import pytest

from firmware.cards.card import DECK, cards_text, parse_cards
from firmware.cards.poker_rank import class_of, rank_five
from firmware.games.contract import ActionRefusedError, StakeRefusedError
from firmware.games.registry import load_game
from tests.games.poker.table import ANTE, Table, visible_cards

QUALIFIED = "Ad Kd 4h 3c 2d"
NOT_QUALIFIED = "Qd Th 4h 3c 2d"
NOTHING = "Js 9h 7d 6c 5s"


# --- Oasis Poker ---------------------------------------------------------------------------------------------------


def test_full_house_with_an_ante_of_ten_wins_150() -> None:
    assert Table("oasis", ["6s 6h 6d Ks Kc"], QUALIFIED, antes=[1_000]).act("raise").net() == 15_000


def test_royal_flush_with_an_ante_of_ten_wins_2010() -> None:
    assert Table("oasis", ["As Ks Qs Js Ts"], QUALIFIED, antes=[1_000]).act("raise").net() == 201_000


@pytest.mark.parametrize("drawn", ["Td", "5d"])
def test_queen_nine_eight_seven_six_without_the_queen_can_become_a_straight(drawn: str) -> None:
    table = Table("oasis", ["Qs 9h 8d 7c 6s"], QUALIFIED, drawn).act("exchange", "Qs").act("raise")
    assert table.box().hands[0].name == "straight"
    assert table.net() == ANTE + 8 * ANTE - ANTE


def test_queen_nine_eight_seven_six_has_eight_outs_of_forty_six() -> None:
    kept, upcard = parse_cards("9h 8d 7c 6s".split()), parse_cards(["2h"])
    unseen = [card for card in DECK if card not in (*kept, *upcard, *parse_cards(["Qs"]))]
    straights = [card for card in unseen if class_of(rank_five((*kept, card))).label == "straight"]
    assert (len(straights), len(unseen)) == (8, 46)


def test_ante_below_one_credit_and_above_a_hundred_is_refused() -> None:
    for ante, word in ((98, "minimum"), (10_002, "maximum")):
        with pytest.raises(StakeRefusedError, match=word):
            Table("oasis", [NOTHING], QUALIFIED, antes=[ante])
    Table("oasis", [NOTHING], QUALIFIED, antes=[100])
    Table("oasis", [NOTHING], QUALIFIED, antes=[10_000])


def test_dealers_last_card_lies_open_and_all_others_face_down() -> None:
    table = Table("oasis", [NOTHING], "Ad Kd 4h 3c 2d")
    assert [slot.card is not None for slot in table.layout.dealer.slots] == [False, False, False, False, True]
    assert visible_cards(table.layout) == {*NOTHING.split(), "2d"}


def test_deal_makes_the_bet_twice_the_ante() -> None:
    table = Table("oasis", [NOTHING], QUALIFIED)
    assert next(choice.cost_minor for choice in table.choices if choice.name == "raise") == 2 * ANTE
    assert table.act("raise").staked() == {"ante": ANTE, "bet": 2 * ANTE}


def test_one_card_costs_an_ante_and_two_cards_one_and_a_half() -> None:
    table = Table("oasis", [NOTHING], QUALIFIED)
    prices = {choice.card_count: choice.cost_minor for choice in table.choices if choice.name == "exchange"}
    assert prices == {1: 1_000, 2: 1_500}


@pytest.mark.parametrize("count", [3, 4, 5])
def test_more_than_two_cards_cannot_be_changed(count: int) -> None:
    table = Table("oasis", [NOTHING], QUALIFIED, "8s 8h 8d 8c 2s")
    with pytest.raises(ActionRefusedError, match=f"{count} cards can't be exchanged here, but 1 or 2"):
        table.act("exchange", " ".join(NOTHING.split()[:count]))


def test_after_a_change_only_bet_and_fold_are_left() -> None:
    table = Table("oasis", [NOTHING], QUALIFIED, "8s 8h").act("exchange", "Js")
    assert table.legal == {"raise", "fold"}
    with pytest.raises(ActionRefusedError, match="drawn cards already"):
        table.act("exchange", "9h")


def test_unsuccessful_change_may_still_be_played_as_the_player_judges() -> None:
    """The page says he "can only fold" after it; it is the player who judges whether it was successful."""
    table = Table("oasis", [NOTHING], NOT_QUALIFIED, "8s").act("exchange", "Js")
    assert "raise" in table.legal
    assert table.act("raise").net() == 0  # the ante's win pays the change


def test_change_is_limited_to_one_card_when_the_bet_would_not_be_covered_after_two() -> None:
    assert Table("oasis", [NOTHING], QUALIFIED, balance=ANTE + 3_499).legal == {"raise", "exchange1", "fold"}
    assert Table("oasis", [NOTHING], QUALIFIED, balance=ANTE + 3_500).legal == {
        "raise",
        "exchange1",
        "exchange2",
        "fold",
    }


def test_change_is_impossible_when_the_bet_would_not_be_covered_after_it() -> None:
    table = Table("oasis", [NOTHING], QUALIFIED, "8s", balance=ANTE + 2_999)
    assert table.legal == {"raise", "fold"}
    with pytest.raises(ActionRefusedError, match="balance 2999 does not cover the fee 1000 and then the bet 2000"):
        table.act("exchange", "Js")


def test_lower_hand_loses_its_wager() -> None:
    assert Table("oasis", ["8s 8h Kd 4c 2s"], "9s 9h Kh 4s 2h").act("raise").net() == -3 * ANTE


def test_equal_hands_keep_their_bets() -> None:
    assert Table("oasis", ["8s 8h Kd 4c 2s"], "8d 8c Kh 4s 2h").act("raise").net() == 0


def test_player_without_a_hand_wins_the_ante_when_the_dealer_does_not_qualify() -> None:
    """One sentence has the player qualify; the rest of the page makes it the dealer."""
    assert Table("oasis", ["Js Ts 7d 5c 2s"], NOT_QUALIFIED.replace("Th", "9c")).act("raise").net() == ANTE


def test_any_of_six_boxes_can_be_bought_up_to_three() -> None:
    hands = [NOTHING, "Jd 9d 7h 6d 5d", "Jh 9c 7c 6h 5h"]
    table = Table("oasis", hands, "Ad Kd 4h 3c 2d", seats=[2, 4, 6])
    assert [box.box for box in table.layout.boxes] == [2, 4, 6]
    with pytest.raises(StakeRefusedError, match="at most 3"):
        Table("oasis", [*hands, "Ks Qs Ts 8s 2s"], "Ad Kd 4h 3c 2d")
    with pytest.raises(StakeRefusedError, match="box 7: the table has boxes 1 to 6"):
        Table("oasis", [NOTHING], QUALIFIED, seats=[7])


def test_bets_in_boxes_do_not_correlate() -> None:
    table = Table("oasis", [NOTHING, "8s 8h Td 8d 9s"], QUALIFIED, antes=[100, 10_000]).act("fold").act("raise")
    assert table.net(1) == -100
    assert table.net(2) == 10_000 + 3 * 20_000


THREE = ["9s 9h Kd 4c 2s", "8s 8h Kc 4s 2h", "7s 7h Kh 4d 2c"]


def test_third_box_puts_up_ante_and_bet_and_plays_with_cards_face_down() -> None:
    table = Table("oasis", THREE, "As Ks Qd Jc 9d")
    blind = table.layout.boxes[2]
    assert blind.state == "blind"
    assert {line.line: line.staked_minor for line in blind.lines} == {"ante": ANTE, "bet": 2 * ANTE}
    assert [slot.card for slot in blind.hands[0].slots] == [None] * 5
    table.act("raise").act("raise")
    assert table.box(3).result == "win"
    assert table.staked(3) == {"ante": ANTE, "bet": 2 * ANTE}


def test_second_box_is_seen_only_after_the_first_is_decided() -> None:
    table = Table("oasis", THREE, "As Ks Qd Jc 9d")
    assert visible_cards(table.layout) == {*THREE[0].split(), "9d"}
    table.act("raise")
    assert visible_cards(table.layout) == {*THREE[0].split(), *THREE[1].split(), "9d"}


def test_first_and_second_box_may_each_change_once_and_the_third_neither_changes_nor_folds() -> None:
    table = Table("oasis", THREE, "As Ks Qd Jc 9d", "3s 3h 3d")
    table.act("exchange", "4c").act("raise").act("exchange", "4s 2h")
    for action in ("fold", "exchange", "raise"):
        with pytest.raises(ActionRefusedError, match="it is box 2's turn"):
            table.act(action, "4d" if action == "exchange" else "", box=3)
    table.act("raise")
    assert table.outcome.dealer_qualifies
    assert "exchange" not in table.staked(3)


def test_second_box_can_only_fold_when_its_bet_is_not_covered() -> None:
    table = Table("oasis", THREE[:2], "As Ks Qd Jc 9d", balance=2 * ANTE + 2 * ANTE + 1_999).act("raise")
    assert table.legal == {"fold"}
    with pytest.raises(ActionRefusedError, match="balance 1999 does not cover the bet 2000"):
        table.act("raise")
    assert table.act("fold").net(2) == -ANTE


def test_dealer_plays_after_the_last_box_bought() -> None:
    table = Table("oasis", THREE[:2], "As Ks Qd Jc 9d").act("fold")
    assert table.decision.box == 2
    assert table.act("fold").outcome.dealer_name == "ace_king"


def test_each_box_pays_independently_of_the_rest() -> None:
    hands = ["9s 9h Kd 4c 2s", "3s 3h Kc 4s 2h", "Js Ts 6d 5c 4d"]
    table = Table("oasis", hands, "8s 8h Qd Jc 9d").act("raise").act("fold")
    assert [table.net(box) for box in (1, 2, 3)] == [3 * ANTE, -ANTE, -3 * ANTE]


# --- Oasis with the jackpot ----------------------------------------------------------------------------------------


def test_jackpot_table_takes_neighbouring_boxes_only() -> None:
    for seats in ([1, 3], [1, 2, 4], [6, 1]):
        with pytest.raises(StakeRefusedError, match="do not lie side by side"):
            Table("oasis_jackpot", THREE[: len(seats)], "As Ks Qd Jc 9d", seats=seats)
    for seats in ([2], [2, 3], [4, 3], [5, 4, 6]):
        Table("oasis_jackpot", THREE[: len(seats)], "As Ks Qd Jc 9d", seats=seats)


def test_jackpot_table_calls_the_bet_call() -> None:
    assert load_game("oasis_jackpot").spec.button_names["raise"] == "call"


@pytest.mark.parametrize(
    ("hand", "percent", "amount"),
    [
        ("As Ks Qs Js Ts", 100, None),
        ("9s 8s 7s 6s 5s", 10, None),
        ("9s 9h 9d 9c 5s", None, 50_000),
        ("9s 9h 9d 5c 5s", None, 10_000),
        ("Js 9s 7s 5s 3s", None, 5_000),
        ("9s 8h 7d 6c 5s", None, None),
        ("9s 9h 9d 6c 5s", None, None),
        ("As Kh 9d 6c 5s", None, None),
    ],
)
def test_jackpot_pays_its_table(hand: str, percent: int | None, amount: int | None) -> None:
    meter = 1_234_500
    table = Table("oasis_jackpot", [hand], QUALIFIED, jackpots=[100], meter=meter).act("raise")
    expected = amount or (meter * percent // 100 if percent else 0)
    assert table.paid()["jackpot"] == expected
    assert table.outcome.jackpot_won_minor == expected


@pytest.mark.parametrize(
    ("hand", "dealer", "net"),
    [
        ("Ah 9c 7s 5d 3s", "Ac 9h 7d 5s 3d", None),  # nobody qualifies
        ("9h 8h 7d 6c 5s", "9c 8d 7h 6s 5d", 9),  # hearts before clubs
        ("9c 8h 7d 6c 5s", "9d 8d 7h 6s 5d", 9),  # clubs before diamonds
        ("9d 8h 7d 6c 5s", "9s 8d 7h 6s 5d", 9),  # diamonds before spades
        ("9s 8h 7d 6c 5s", "9d 8d 7h 6s 5d", -3),
        ("Qc Qs Ah 4d 2s", "Qh Qd Ac 4s 2h", 3),  # the ace is the highest card, not the queens
        ("Ah As Kd 4d 2s", "Ac Ad Kh 4s 2h", 3),  # one of two aces is the heart
        ("5h 4d 3c 2s As", "5c 4s 3h 2d Ah", 9),  # in 5-4-3-2-A the five is the highest
    ],
)
def test_suits_decide_between_equal_hands_hearts_clubs_diamonds_spades(hand: str, dealer: str, net: int | None) -> None:
    table = Table("oasis_jackpot", [hand], dealer).act("raise")
    assert table.net() == (ANTE if net is None else net * ANTE)


# --- Russian Poker -------------------------------------------------------------------------------------------------


def test_russian_dealers_first_card_lies_open() -> None:
    table = Table("russian", [NOTHING], "Ad Kd 4h 3c 2d")
    assert visible_cards(table.layout) == {*NOTHING.split(), "Ad"}


def test_surrender_loses_the_ante() -> None:
    assert Table("russian", [NOTHING], QUALIFIED).act("fold").net() == -ANTE
    assert load_game("russian").spec.button_names["fold"] == "surrender"


def test_sixth_card_costs_an_ante_and_only_the_best_five_are_compared() -> None:
    table = Table("russian", ["Qs Qh Qd Qc 8s"], "Kd Kh 4h 3c 2d", "8h").act("buy_card").act("raise")
    assert table.staked()["buy_card"] == ANTE
    assert table.box().hands[0].name == "four_of_a_kind"
    assert len(table.box().hands[0].cards) == 6


def test_four_queens_and_two_eights_pay_quads_and_full_house() -> None:
    """The page says the last eight does not count: true for the comparison only, by its own example of aces and sevens."""
    table = Table("russian", ["Qs Qh Qd Qc 8s"], "Kd Kh 4h 3c 2d", "8h").act("buy_card").act("raise")
    assert table.net() == 27 * 2 * ANTE - ANTE


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_change_of_any_number_of_cards_costs_one_ante(count: int) -> None:
    discards = " ".join(NOTHING.split()[:count])
    table = Table("russian", [NOTHING], QUALIFIED, "8s 8h 8d 8c 2s").act("exchange", discards)
    assert table.balance_before - table.balance == 2 * ANTE
    assert table.legal == {"raise", "fold"}


def test_sixth_card_and_change_exclude_each_other() -> None:
    bought = Table("russian", [NOTHING], QUALIFIED, "8s 8h").act("buy_card")
    assert bought.legal == {"raise", "fold"}
    with pytest.raises(ActionRefusedError, match="drawn cards already"):
        bought.act("exchange", "Js")


def test_russian_change_is_impossible_without_money_for_the_bet() -> None:
    assert Table("russian", [NOTHING], QUALIFIED, balance=ANTE + 2_999).legal == {"raise", "fold"}


def test_ante_is_not_paid_when_the_russian_dealer_qualifies_but_the_bet_pays() -> None:
    table = Table("russian", ["6s 6h 6d Ks Kc"], QUALIFIED, antes=[1_000]).act("raise")
    assert table.net() == 14_000
    assert table.paid() == {"ante": 1_000, "bet": 16_000}


@pytest.mark.parametrize(
    ("hand", "sixth", "pays", "second"),
    [
        ("As Ah Kd 8c 9s", "", 2, "ace_king"),  # printed as A-A-A-8-9, which has no king
        ("2s 2h Ad Kc 9s", "", 2, "ace_king"),
        ("As Ah Ad Ac 7s", "7h", 27, "full_house"),
        ("As Kh Qd Jc Ts", "9h", 8, "straight"),
        ("As Ks Qs Js Ts", "9s", 150, "straight_flush"),
        ("As Ah Ad Ac 9s", "", 20, None),
        ("As Ah Ad Ac Ks", "", 21, "ace_king"),
    ],
)
def test_second_combinations_of_the_page_pay(hand: str, sixth: str, pays: int, second: str | None) -> None:
    dealer = "Ac Ks 5d 4h 3d" if pays == 2 else "5s 5h 5d 4c 2d"
    table = Table("russian", [hand], dealer, sixth)
    if sixth:
        table.act("buy_card")
    table.act("raise")
    assert table.box().result == "win"
    assert table.net() == 2 * ANTE * pays - (ANTE if sixth else 0)
    assert table.box().hands[0].second_name == second


def test_dealer_drops_the_highest_card_and_takes_one_from_the_deck() -> None:
    table = Table("russian", ["9s 9h 9d 6c 5s"], "Ad Qs Jh 8c 3d", "Qd").act("raise").act("buy_dealer_card")
    assert cards_text(table.outcome.dealer_cards) == ["Qd", "Qs", "Jh", "8c", "3d"]
    assert table.outcome.dealer_name == "pair"
    assert table.outcome.dealer_qualifies
    assert table.net() == 2 * ANTE * 3 - ANTE


def test_bought_game_that_fails_returns_the_bet_and_pays_no_ante() -> None:
    table = Table("russian", ["9s 9h 9d 6c 5s"], "Ad Qs Jh 8c 3d", "2d").act("raise").act("buy_dealer_card")
    assert table.paid() == {"ante": ANTE, "bet": 2 * ANTE, "buy_dealer_card": 0}
    assert table.net() == -ANTE


def test_bought_game_can_be_lost() -> None:
    table = Table("russian", ["9s 9h 7d 6c 5s"], "Ad Qs Jh 8c 3d", "Qd").act("raise").act("buy_dealer_card")
    assert table.box().result == "lose"
    assert table.net() == -4 * ANTE
