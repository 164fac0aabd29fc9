"""The rules pages say what the rules do: prices, paytables, chances and examples come from the game that is played."""

from fractions import Fraction
from pathlib import Path

import pytest

from display.view_model import Money, PageRow, Text
from firmware.app import games_on_offer
from firmware.cards.poker_rank import HandClass
from firmware.games.contract import PaytableRow
from firmware.games.par_files import read_sheet
from firmware.presenter.examples import examples
from firmware.presenter.help import help_page, help_page_count
from firmware.presenter.odds import FIVE_CARD_HANDS, HAND_COUNTS, coup_edge, one_in
from firmware.terminal.state import GameOnOffer, Pages
from tests.support.cabinet import settings_for

OFFERS = games_on_offer(settings_for(Path("unused")))


def rows(offer: GameOnOffer) -> list[PageRow]:
    """All rows of all pages of a game's rules."""
    return [row for page in range(help_page_count(offer)) for row in help_page(Pages(page=page), offer).rows]


@pytest.mark.parametrize("game", OFFERS)
def test_every_price_and_every_payment_of_the_rules_is_on_the_pages(game: str) -> None:
    offer = OFFERS[game]
    shown = rows(offer)
    for pay in offer.game.paytable:
        if pay.pays is not None:
            assert any(row.value == f"{pay.pays[0]} : {pay.pays[1]}" for row in shown), pay
    ante_minor = offer.game.spec.lines[0].minimum_minor * 10
    for fee in offer.game.spec.fees:
        price = Money(ante_minor * fee.antes[0] // fee.antes[1])
        assert any(isinstance(row.second, Text) and ("price", price) in row.second.args for row in shown), fee


@pytest.mark.parametrize("game", OFFERS)
def test_examples_are_played_to_the_end_and_end_as_they_are_called(game: str) -> None:
    offer = OFFERS[game]
    for example in examples(offer.game, offer.facts):
        staked = sum(line.staked_minor for line in example.lines)
        paid = sum(line.paid_minor for line in example.lines)
        assert staked > 0
        assert paid > staked, example.title.message


def test_the_example_of_an_exchange_costs_what_the_profile_says() -> None:
    offer = OFFERS["oasis"]
    (example,) = [each for each in examples(offer.game, offer.facts) if "exchange" in each.title.message]
    (fee,) = [line for line in example.lines if line.line == "exchange"]
    assert (fee.staked_minor, fee.paid_minor) == (1_000, 0)


def test_the_counts_of_hands_are_all_hands() -> None:
    assert sum(HAND_COUNTS.values()) == FIVE_CARD_HANDS
    assert set(HAND_COUNTS) == {hand_class.label for hand_class in HandClass}
    assert one_in("royal_flush") == 649_740
    assert one_in("player") is None


@pytest.mark.parametrize("line", ["player", "banker", "tie"])
def test_baccarat_edges_are_the_published_ones(line: str) -> None:
    edge = coup_edge(line, OFFERS["baccarat"].game.paytable)
    assert edge is not None
    published = {"player": "1.235", "banker": "1.058", "tie": "14.360"}
    assert abs(edge * 100 - Fraction(published[line])) < Fraction(1, 500)


def test_a_banker_without_commission_pays_half_on_six() -> None:
    rules = (PaytableRow("banker", "banker", (1, 1)), PaytableRow("banker", "banker_6", (1, 2)))
    edge = coup_edge("banker", rules)
    assert edge is not None
    assert abs(edge * 100 - Fraction("1.458")) < Fraction(1, 500)


@pytest.mark.parametrize("game", [name for name in OFFERS if name != "baccarat"])
def test_the_house_edge_is_that_of_the_par_sheet(game: str) -> None:
    offer = OFFERS[game]
    sheet = read_sheet(game, offer.digest)
    assert sheet is not None
    assert offer.house_edge == Fraction(sheet["house_edge"])
    assert any(row.label.message == "House edge with best play" for row in rows(offer))
