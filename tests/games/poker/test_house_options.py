"""Every option of the poker tables in which houses differ, played both ways."""

import pytest

from firmware.games.contract import ActionRefusedError, Stake, StakeRefusedError
from firmware.games.registry import load_game
from tests.games.poker.table import ANTE, Table, visible_cards

QUALIFIED = "Ad Kd 4h 3c 2d"
NOTHING = "Js 9h 7d 6c 5s"
THREE = ["9s 9h Kd 4c 2s", "8s 8h Kc 4s 2h", "7s 7h Kh 4d 2c"]
ACE_KING_DEALER = "As Ks Qd Jc 9d"


def test_dealer_may_get_the_first_card_of_every_round() -> None:
    table = Table("oasis", THREE[:2], ACE_KING_DEALER, first_card="dealer")
    assert visible_cards(table.layout) == {*THREE[0].split(), "9d"}
    assert table.act("raise").act("raise").outcome.dealer_name == "ace_king"


@pytest.mark.parametrize(("upcard", "card"), [("first", "As"), ("last", "9d")])
def test_dealer_may_show_his_first_or_his_last_card(upcard: str, card: str) -> None:
    table = Table("caribbean", THREE[:1], ACE_KING_DEALER, upcard=upcard)
    assert visible_cards(table.layout) == {*THREE[0].split(), card}


def test_dealer_reveals_to_nobody_by_default() -> None:
    table = Table("oasis", [NOTHING], QUALIFIED).act("fold")
    assert visible_cards(table.layout) == {*NOTHING.split(), *QUALIFIED.split()}
    assert table.outcome.dealer_name == "ace_king"


def test_dealer_may_keep_his_cards_when_all_boxes_have_folded() -> None:
    table = Table("oasis", [NOTHING], QUALIFIED, reveal_when_all_folded=False).act("fold")
    assert visible_cards(table.layout) == {*NOTHING.split(), "2d"}
    assert (table.outcome.dealer_name, table.outcome.dealer_qualifies) == ("", None)
    played = Table("oasis", [NOTHING], QUALIFIED, reveal_when_all_folded=False).act("raise")
    assert visible_cards(played.layout) >= set(QUALIFIED.split())


@pytest.mark.parametrize(
    ("order", "hand"),
    [("card_position", "8s 8h 7d 6c 5s"), ("named", "8h 8s 7d 6c 5s")],
)
def test_discards_are_replaced_by_place_or_as_named(order: str, hand: str) -> None:
    table = Table("oasis", [NOTHING], QUALIFIED, "8s 8h", replacement_order=order)
    table.act("exchange", "9h Js").act("raise")
    assert table.box().hands[0].cards == Table("oasis", [hand], QUALIFIED).act("raise").box().hands[0].cards


def test_discards_are_dead() -> None:
    table = Table("oasis", [NOTHING], QUALIFIED, "8s 8h").act("exchange", "9h Js")
    assert visible_cards(table.layout).isdisjoint({"9h", "Js"})


def test_hand_that_a_draw_did_not_improve_may_have_to_fold() -> None:
    worse = Table("oasis", [NOTHING], QUALIFIED, "2s", after_draw="must_improve").act("exchange", "Js")
    assert worse.legal == {"fold"}
    with pytest.raises(ActionRefusedError, match="did not improve the hand"):
        worse.act("raise")
    better = Table("oasis", [NOTHING], QUALIFIED, "9s", after_draw="must_improve").act("exchange", "Js")
    assert better.legal == {"raise", "fold"}
    assert "raise" in Table("oasis", [NOTHING], QUALIFIED, after_draw="must_improve").legal


def test_tariff_is_a_table_of_counts_and_prices() -> None:
    names = ["four_card_exchange_at_2_antes", "five_card_exchange_at_1_ante"]
    tariff = {"1": 1, "2": 2, "3": 3, "4": 2, "5": 1}
    table = Table("oasis", [NOTHING], QUALIFIED, exchange_tariff=tariff, acknowledge_player_edge=names)
    prices = {choice.card_count: choice.cost_minor for choice in table.choices if choice.name == "exchange"}
    assert prices == {1: 1_000, 2: 2_000, 3: 3_000, 4: 2_000, 5: 1_000}


def test_sixth_card_is_guarded_like_a_change_unless_the_house_says_otherwise() -> None:
    poor = ANTE + 2_999
    assert "buy_card" not in Table("russian", [NOTHING], QUALIFIED, balance=poor).legal
    free = Table("russian", [NOTHING], QUALIFIED, "8s", balance=poor, sixth_card_guard=False)
    assert "buy_card" in free.legal
    assert free.act("buy_card").legal == {"fold"}


def test_equal_hands_may_lose() -> None:
    table = Table("oasis", ["8s 8h Kd 4c 2s"], "8d 8c Kh 4s 2h", equal_hands="lose").act("raise")
    assert table.net() == -3 * ANTE


def test_winnings_of_a_box_may_be_capped() -> None:
    cap = 100_000
    table = Table("oasis", ["As Ks Qs Js Ts"], QUALIFIED, max_win_minor=cap).act("raise")
    assert table.net() == cap
    assert table.paid()["ante"] == 2 * ANTE
    assert load_game("oasis", {"max_win_minor": cap}).spec.max_win_minor == cap
    small = Table("oasis", ["9s 9h 9d 6c 5s"], QUALIFIED, max_win_minor=cap).act("raise")
    assert small.net() == 7 * ANTE


# --- The blind box -------------------------------------------------------------------------------------------------


def blind_boxes(table: Table) -> list[int]:
    return [box.box for box in table.layout.boxes if box.state == "blind"]


@pytest.mark.parametrize("game", ["oasis", "caribbean", "russian", "oasis_jackpot"])
def test_third_box_bought_is_blind_wherever_it_lies(game: str) -> None:
    table = Table(game, THREE, ACE_KING_DEALER, seats=[3, 2, 1], antes=[300, 200, 100])
    assert blind_boxes(table) == [1]
    assert table.decision.box == 2
    assert table.balance_before - table.balance == 300 + 200 + 3 * 100


def test_third_seat_may_be_the_blind_one() -> None:
    assert blind_boxes(Table("oasis", THREE, ACE_KING_DEALER, seats=[5, 2, 1], blind_box="third_seated")) == [5]


def test_house_may_have_no_blind_box() -> None:
    table = Table("oasis", THREE, ACE_KING_DEALER, blind_box="none")
    assert blind_boxes(table) == []
    assert table.act("raise").act("raise").act("fold").net(3) == -ANTE


def test_blind_box_is_paid_for_before_the_deal() -> None:
    game = load_game("oasis")
    stakes = [Stake(box, {"ante": ANTE}) for box in (1, 2, 3)]
    assert game.cost_minor(stakes) == 5 * ANTE
    with pytest.raises(StakeRefusedError, match="balance: 4999 does not cover the stakes 5000"):
        game.open(stakes, 4_999)
    game.open(stakes, 5_000)


def test_blind_box_in_the_first_seat_stays_face_down_while_others_play() -> None:
    table = Table("oasis", THREE, ACE_KING_DEALER, seats=[3, 2, 1])
    assert visible_cards(table.layout) == {*THREE[1].split(), "9d"}
    table.act("raise")
    assert visible_cards(table.layout) == {*THREE[1].split(), *THREE[2].split(), "9d"}


def test_bet_may_take_the_last_cent_of_credit() -> None:
    table = Table("oasis", [NOTHING], QUALIFIED, balance=3 * ANTE)
    assert table.legal == {"raise", "fold"}
    assert table.act("raise").balance == 0


# --- Stakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stakes", "message"),
    [
        ([], "stakes: none"),
        ([(0, {"ante": 1000})], "box 0: the table has boxes 1 to 6"),
        ([(1, {"ante": 1000}), (1, {"ante": 1000})], "box 1: bought twice"),
        ([(1, {})], "box 1 ante: none"),
        ([(1, {"ante": -1000})], "box 1 ante: -1000 is negative"),
        ([(1, {"ante": 1000, "bet": 2000})], "box 1: there is no line 'bet'"),
        ([(1, {"ante": 1001})], "box 1 ante: 1001 is not a multiple of 2"),
    ],
)
def test_impossible_stakes_are_refused_by_name(stakes: list[tuple[int, dict[str, int]]], message: str) -> None:
    with pytest.raises(StakeRefusedError, match=message):
        load_game("oasis").open([Stake(box, lines) for box, lines in stakes], 100_000)


def test_ante_that_would_split_a_cent_is_refused_when_it_is_bet() -> None:
    with pytest.raises(StakeRefusedError, match="not a multiple of 2"):
        Table("oasis", [NOTHING], QUALIFIED, antes=[1_001])
    assert Table("oasis", [NOTHING], QUALIFIED, antes=[1_002]).choices[2].cost_minor == 1_503
    Table("caribbean", [NOTHING], QUALIFIED, antes=[1_001])
    Table("russian", [NOTHING], QUALIFIED, antes=[1_001])


def test_house_may_take_such_an_ante_and_refuse_only_the_change_of_two() -> None:
    table = Table("oasis", [NOTHING], QUALIFIED, "8s 8h", antes=[1_001], half_minor_units="refuse_action")
    assert table.legal == {"raise", "exchange1", "fold"}
    with pytest.raises(ActionRefusedError, match="a fee of 3/2 antes of 1001 is not a whole amount"):
        table.act("exchange", "Js 9h")


def test_house_may_take_even_credits_only() -> None:
    with pytest.raises(StakeRefusedError, match="not a multiple of 200"):
        Table("oasis", [NOTHING], QUALIFIED, antes=[300], ante_step_minor=200)
    assert load_game("oasis", {"ante_step_minor": 200}).spec.lines[0].step_minor == 200


# --- Illegal actions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "cards", "message"),
    [
        ("exchange", "Qh", "does not hold all of these cards"),
        ("exchange", "Js Js", "a card is named twice"),
        ("exchange", "", "0 cards can't be exchanged here, but 1 or 2"),
        ("raise", "Js", "it takes no cards"),
        ("hit", "", "there is no 'hit' at this table"),
        ("buy_card", "", "there is no 'buy_card' at this table"),
    ],
)
def test_illegal_action_is_refused_with_its_reason(name: str, cards: str, message: str) -> None:
    table = Table("oasis", [NOTHING], QUALIFIED)
    before = table.node
    with pytest.raises(ActionRefusedError, match=message):
        table.act(name, cards)
    assert table.node == before


def test_caribbean_has_no_change_at_all() -> None:
    table = Table("caribbean", [NOTHING], QUALIFIED)
    assert table.legal == {"raise", "fold"}
    with pytest.raises(ActionRefusedError, match="there is no 'exchange' at this table"):
        table.act("exchange", "Js")


def test_there_is_only_one_hand_in_a_box() -> None:
    with pytest.raises(ActionRefusedError, match="there is no hand 1"):
        Table("oasis", [NOTHING], QUALIFIED).act("raise", hand=1)
