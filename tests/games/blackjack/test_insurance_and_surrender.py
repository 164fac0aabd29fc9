"""Insurance, box by box before play, and surrender early and late."""

import pytest

from firmware.games.contract import ActionRefusedError, StakeRefusedError
from tests.games.blackjack.table import BET, Table, blackjack

ONE, SIX, EURO, OPEN = "one_deck_blackjack", "six_decks_blackjack", "european_blackjack", "open_blackjack"


def test_insurance_is_offered_on_an_ace_only() -> None:
    assert Table(ONE, "Ts 6d", "Ah Tc").legal == ["insurance", "no_insurance"]
    for upcard in ("Th", "Kh", "9h", "2h"):
        assert "insurance" not in Table(ONE, "Ts 6d", f"{upcard} 9c").legal


def test_insurance_costs_half_the_bet_and_pays_two_to_one_on_a_natural() -> None:
    table = Table(ONE, "Ts 6d", "Ah Tc")
    assert [(choice.name, choice.cost_minor) for choice in table.choices] == [
        ("insurance", BET // 2),
        ("no_insurance", 0),
    ]
    table.act("insurance")
    assert [(line.line, line.staked_minor, line.paid_minor) for line in table.box.lines] == [
        ("bet", BET, 0),
        ("insurance", BET // 2, 3 * BET // 2),
    ]
    assert (table.net, table.box.result) == (0, "lose")


def test_insurance_is_lost_without_a_natural_and_play_goes_on() -> None:
    table = Table(ONE, "Ts 9d", "Ah 7c").act("insurance")
    assert table.legal == ["hit", "stand"]
    table.act("stand")
    assert (table.line("insurance").paid_minor, table.net) == (0, BET - BET // 2)


def test_an_insured_natural_wins_one_bet_whatever_the_dealer_has() -> None:
    assert Table(ONE, "As Kd", "Ah Tc").act("insurance").net == BET
    assert Table(ONE, "As Kd", "Ah 7c").act("insurance").net == BET


def test_every_box_is_asked_for_insurance_before_any_plays() -> None:
    table = Table(SIX, ["Ts 6d", "9s 9d", "As Kd"], "Ah Tc")
    for box in (1, 2, 3):
        assert table.decision.box == box
        table.act("insurance" if box == 2 else "no_insurance")
    assert [box.result for box in table.outcome.boxes] == ["lose", "lose", "push"]
    assert table.net == -BET + 0 + 0


def test_insurance_needs_its_money() -> None:
    poor = Table(ONE, "Ts 6d", "Ah Tc", balance=BET + BET // 2 - 1)
    assert poor.legal == ["no_insurance"]
    with pytest.raises(ActionRefusedError, match="insurance costs 500, the balance is 499"):
        poor.act("insurance")


def test_the_hole_card_stays_hidden_while_insurance_is_asked() -> None:
    dealer = Table(ONE, "Ts 6d", "Ah Tc").layout.dealer
    assert [slot.card is None for slot in dealer.slots] == [False, True]
    assert dealer.name == "soft_11"


@pytest.mark.parametrize("bet", [101, 999])
def test_a_bet_whose_half_or_natural_would_not_be_whole_is_refused(bet: int) -> None:
    with pytest.raises(StakeRefusedError, match=f"bet {bet} is not a multiple of 2"):
        Table(ONE, "Ts 6d", "Ah Tc", bets=[bet])


def test_the_step_of_bets_follows_from_what_is_paid() -> None:
    def step(**overrides: object) -> int:
        return blackjack(SIX, **overrides).spec.lines[0].step_minor

    assert step() == 2
    assert step(natural_pays="6/5") == 10
    assert step(natural_pays="6/5", insurance=False) == 5
    assert step(natural_pays="1/1", insurance=False) == 1
    assert step(natural_pays="1/1", insurance=False, surrender="late") == 2


def test_surrender_returns_half_the_bet() -> None:
    table = Table(SIX, "Ts 6d", "Th 9c", surrender="late", double="hard_11")
    assert table.legal == ["hit", "stand", "surrender"]
    table.act("surrender")
    assert (table.box.result, table.net) == ("surrender", -BET // 2)
    assert len(table.outcome.dealer_cards) == 2


def test_surrender_is_only_the_first_decision_and_never_on_a_split_hand() -> None:
    table = Table(SIX, "2s 3d", "Th 9c", "4c", surrender="late").act("hit")
    assert "surrender" not in table.legal
    assert "surrender" not in Table(SIX, "8s 8d", "Th 9c", "4c", surrender="late").act("split").legal
    assert "surrender" not in Table(SIX, "Ts 6d", "Th 9c").legal


def test_late_surrender_comes_after_the_peek() -> None:
    table = Table(SIX, "Ts 6d", "Th Ac", surrender="late")
    assert (table.box.result, table.net) == ("lose", -BET)


def test_late_surrender_loses_all_to_a_natural_found_after_play() -> None:
    assert Table(OPEN, "Ts 6d", "Th Ac", surrender="late").act("surrender").net == -BET
    assert Table(EURO, "Ts 6d", "Th", "Ac", surrender="late").act("surrender").net == -BET
    assert Table(EURO, "Ts 6d", "Th", "9c", surrender="late").act("surrender").net == -BET // 2


def early(game: str, boxes: list[str], dealer: str, draws: str = "") -> Table:
    edges = ["early_surrender"]
    if game == SIX:
        edges += ["double_any_two", "double_after_split"]
    return Table(game, boxes, dealer, draws, surrender="early", acknowledge_player_edge=edges)


def test_early_surrender_is_asked_before_the_peek_and_saves_half_from_a_natural() -> None:
    table = early(SIX, ["Ts 6d", "As Kd", "9s 9d"], "Th Ac")
    assert (table.decision.box, table.legal) == (1, ["surrender", "no_surrender"])
    table.act("surrender")
    assert table.decision.box == 3  # nobody is asked about a natural
    table.act("no_surrender")
    assert [box.result for box in table.outcome.boxes] == ["surrender", "push", "lose"]
    assert table.net == -BET // 2 - BET


def test_insurance_is_asked_before_early_surrender() -> None:
    table = early(SIX, ["Ts 6d"], "Ah 9c")
    assert table.legal == ["insurance", "no_insurance"]
    table.act("insurance")
    assert table.legal == ["surrender", "no_surrender"]
    table.act("no_surrender")
    assert "surrender" not in table.legal


def test_early_surrender_is_an_ordinary_choice_where_nothing_is_peeked_at() -> None:
    assert "surrender" in early(SIX, ["Ts 6d"], "7h 9c").legal
    table = early(EURO, ["Ts 6d"], "Th")
    assert table.legal == ["hit", "stand", "surrender"]
    table.act("surrender")
    assert (table.net, len(table.outcome.dealer_cards)) == (-BET // 2, 1)
