"""Both dealer cards up: ties lose, naturals pay even money, tied naturals push."""

import pytest

from firmware.cards.card import cards_text
from firmware.errors import ConfigError
from firmware.games.contract import BoxLayout
from tests.games.blackjack.table import BET, Table, blackjack

OPEN = "open_blackjack"


def exposed(boxes: list[str] | str, dealer: str, draws: str = "") -> Table:
    return Table(OPEN, boxes, dealer, draws, exposed=True)


def test_one_option_turns_the_whole_game_round() -> None:
    rules = blackjack(OPEN, exposed=True).rules
    assert (rules.ties, rules.tied_naturals, rules.natural_pays, rules.insurance) == ("lose", "push", (1, 1), False)
    assert (rules.double, rules.double_after_split) == ("hard_9_11", False)


def test_both_dealer_cards_are_seen_before_play() -> None:
    dealer = exposed("Ts 6d", "Th 9c").layout.dealer
    assert cards_text(slot.card for slot in dealer.slots if slot.card is not None) == ["Th", "9c"]
    assert dealer.name == "19"


def test_ties_lose() -> None:
    table = exposed("Ts 9d", "Th 9c").act("stand")
    assert (table.results, table.net) == (["lose"], -BET)


def test_naturals_pay_even_money_and_tied_naturals_push() -> None:
    assert exposed("As Kd", "Th 9c").net == BET
    assert exposed("As Kd", "Th Ac").net == 0


def test_a_dealers_natural_ends_the_round_at_once_and_nothing_is_insured() -> None:
    for dealer in ("Ah Tc", "Th Ac"):
        table = exposed("Ts 6d", dealer)
        assert (table.results, table.net) == (["lose"], -BET)
    assert "insurance" not in exposed("Ts 6d", "Ah 5c").legal


def test_a_natural_beats_a_dealers_twenty_one_in_three_cards() -> None:
    table = exposed(["As Kd", "Ts 9d"], "7h 5c", "9h").act("stand")
    assert [box.result for box in table.outcome.boxes] == ["blackjack", "lose"]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"double": "any_two", "double_after_split": True}, {"double_any_two", "double_after_split"}),
        ({"natural_pays": "3/2"}, {"naturals_3_to_2"}),
        ({"ties": "push"}, {"ties_push"}),
        ({"surrender": "late"}, {"late_surrender"}),
    ],
)
def test_exposed_rules_that_favour_the_player_are_refused_until_acknowledged(
    options: dict[str, object], names: set[str]
) -> None:
    with pytest.raises(ConfigError) as refused:
        blackjack(OPEN, exposed=True, **options)
    assert len(refused.value.problems) == len(names)
    for name in names:
        assert any(f"expected '{name}'" in problem for problem in refused.value.problems)
    assert blackjack(OPEN, exposed=True, acknowledge_player_edge=sorted(names), **options).rules.exposed


def test_an_exposed_table_has_a_hole_card_and_no_insurance() -> None:
    with pytest.raises(ConfigError, match="hole_card: found 'none'"):
        blackjack(OPEN, exposed=True, hole_card="none")
    with pytest.raises(ConfigError, match="insurance: found True"):
        blackjack(OPEN, exposed=True, insurance=True)


def test_boxes_are_laid_out_as_in_the_other_games() -> None:
    box: BoxLayout = exposed("Ts 6d", "Th 9c").layout.boxes[0]
    assert (box.state, box.hands[0].name, box.hands[0].active) == ("active", "16", True)
