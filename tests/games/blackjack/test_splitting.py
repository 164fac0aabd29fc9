"""Splits: which pairs, how often, aces, doubling afterwards, and the order of the hands."""

import pytest

from firmware.cards.card import cards_text
from firmware.games.contract import ActionRefusedError
from tests.games.blackjack.table import BET, Table

ONE, SIX = "one_deck_blackjack", "six_decks_blackjack"


def four_hands(box: str, dealer: str, draws: str, *, one_card: bool = True, again: bool = False) -> Table:
    """A table of one box that may be split into four hands."""
    return Table(SIX, box, dealer, draws, max_boxes=1, max_hands=4, split_aces_one_card=one_card, resplit_aces=again)


def test_a_pair_may_be_split_for_one_more_bet() -> None:
    table = Table(ONE, "8s 8d", "6h Tc", "Tc 9c Kc").act("split", "stand", "stand")
    assert [cards_text(hand.cards) for hand in table.box.hands] == [["8s", "Tc"], ["8d", "9c"]]
    assert table.outcome.dealer_name == "26"
    assert (table.results, table.net) == (["win", "win"], 2 * BET)
    assert [(line.line, line.staked_minor, line.paid_minor) for line in table.box.lines] == [
        ("bet", BET, 2 * BET),
        ("split", BET, 2 * BET),
    ]


def test_any_two_ten_valued_cards_are_a_pair_and_others_are_not() -> None:
    assert "split" in Table(ONE, "Ks Td", "6h Tc").legal
    assert "split" not in Table(ONE, "9s Td", "6h Tc").legal


def test_the_first_hand_is_finished_before_the_second_gets_its_card() -> None:
    table = Table(ONE, "8s 8d", "6h Tc", "2c 3c 4c 9c Kc").act("split")
    assert [len(hand.slots) for hand in table.layout.boxes[0].hands] == [2, 1]
    table.act("hit", "hit", "stand")
    assert table.decision.hand == 1
    assert [len(hand.slots) for hand in table.layout.boxes[0].hands] == [4, 2]
    table.act("stand")
    assert [hand.name for hand in table.box.hands] == ["17", "17"]


def test_split_aces_get_one_card_each_and_nothing_to_decide() -> None:
    table = Table(ONE, "As Ad", "6h Tc", "5c 9c Kc").act("split")
    assert [hand.name for hand in table.box.hands] == ["soft_16", "soft_20"]
    assert (table.results, table.net) == (["win", "win"], 2 * BET)


def test_an_ace_and_a_ten_after_a_split_are_twenty_one_but_no_natural() -> None:
    aces = Table(ONE, "As Ad", "6h Tc", "Kc Kh 2c").act("split")
    assert [hand.name for hand in aces.box.hands] == ["21", "21"]
    assert aces.net == 2 * BET  # not 3:2
    tens = Table(ONE, "Ts Td", "6h Tc", "Ac 9c 5c").act("split", "stand")
    assert ([hand.name for hand in tens.box.hands], tens.results) == (["21", "19"], ["push", "lose"])


def test_a_split_twenty_one_loses_to_a_dealers_natural() -> None:
    table = Table("open_blackjack", "Ts Td", "Ah Kc", "Ac 9c", dealer_natural_takes="all_bets")
    table.act("no_insurance", "split", "stand")
    assert (table.results, table.net) == (["lose", "lose"], -2 * BET)


def test_one_split_is_all_where_two_hands_are_allowed() -> None:
    table = Table(ONE, "8s 8d", "6h Tc", "8c").act("split")
    assert "split" not in table.legal


def test_pairs_may_be_split_again_up_to_four_hands() -> None:
    table = four_hands("8s 8d", "6h Tc", "8c 8h 8s Ts Th Td Kc").act("split", "split")
    assert [len(hand.slots) for hand in table.layout.boxes[0].hands] == [2, 1, 1]
    table.act("split")
    assert "split" not in table.legal  # a pair again, but there are four hands already
    table.act("stand", "stand", "stand", "stand")
    assert [cards_text(hand.cards) for hand in table.box.hands] == [
        ["8s", "8s"],
        ["8h", "Ts"],
        ["8c", "Th"],
        ["8d", "Td"],
    ]
    assert table.net == 4 * BET


@pytest.mark.parametrize("again", [False, True])
def test_aces_are_split_again_only_where_the_table_says_so(again: bool) -> None:
    table = four_hands("As Ad", "6h Tc", "Ac 5c 6c 7c Kc" if again else "Ac 5c Kc", again=again).act("split")
    if not again:
        assert [hand.name for hand in table.box.hands] == ["soft_12", "soft_16"]
        return
    assert table.legal == ["stand", "split"]
    table.act("split")
    assert [hand.name for hand in table.box.hands] == ["soft_16", "soft_17", "soft_18"]
    assert table.net == 3 * BET


def test_split_aces_are_played_on_where_the_table_says_so() -> None:
    table = four_hands("As Ad", "6h Tc", "5c 4c 9c Kc", one_card=False).act("split")
    assert table.legal == ["hit", "stand", "double"]
    table.act("hit", "stand", "stand")
    assert [hand.name for hand in table.box.hands] == ["soft_20", "soft_20"]


def test_doubling_after_a_split_follows_the_table() -> None:
    assert "double" not in Table(ONE, "5s 5d", "6h Tc", "6c").act("split").legal
    table = Table(SIX, "5s 5d", "6h Tc", "6c Kc 9c Kc").act("split", "double", "stand")
    assert [line.staked_minor for line in table.box.lines] == [BET, BET, BET]
    assert [line.line for line in table.box.lines] == ["bet", "split", "double"]
    assert table.net == 3 * BET


def test_splitting_needs_the_money_for_another_bet() -> None:
    poor = Table(ONE, "8s 8d", "6h Tc", balance=2 * BET - 2)
    assert poor.legal == ["hit", "stand"]
    with pytest.raises(ActionRefusedError, match="split costs 1000, the balance is 998"):
        poor.act("split")


def test_a_split_leaves_less_for_the_next_double() -> None:
    table = Table(SIX, "5s 5d", "6h Tc", "6c", balance=2 * BET).act("split")
    assert "double" not in table.legal


def test_one_split_hand_may_bust_while_the_other_wins() -> None:
    table = Table(ONE, "8s 8d", "6h Tc", "6c Tc Td Kc").act("split", "hit", "stand")
    assert (table.results, table.net, table.box.result) == (["bust", "win"], 0, "push")


def test_a_box_whose_hands_are_all_bust_is_bust_and_the_dealer_does_not_draw() -> None:
    table = Table(ONE, "8s 8d", "6h Tc", "6c Tc 6d Td").act("split", "hit", "hit")
    assert (table.results, table.net, table.box.result) == (["bust", "bust"], -2 * BET, "bust")
    assert len(table.outcome.dealer_cards) == 2


def test_three_cards_of_a_kind_are_no_pair() -> None:
    assert Table(ONE, "2s 3d", "6h Tc", "2c").act("hit").legal == ["hit", "stand"]
