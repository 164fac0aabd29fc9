"""Whether money is taken while a hand is open is the operator's choice; by default it is."""

from collections.abc import Callable

import pytest

from tests.support.cabinet import CabinetUnderTest
from tests.terminal.test_play_end_to_end import deal

New = Callable[..., CabinetUnderTest]


def test_money_is_taken_while_a_hand_is_open_unless_the_operator_says_no(cabinet: CabinetUnderTest) -> None:
    deal(cabinet)
    cabinet.insert_note(2_000)
    cabinet.insert_coin(100)
    cabinet.expect_credit(3_600)


def test_acceptors_are_inhibited_from_the_deal_to_the_settlement_where_the_operator_says_no(new_cabinet: New) -> None:
    cabinet = new_cabinet(money_during_play=False)
    deal(cabinet)
    cabinet.wait(300)
    assert cabinet.world.readings.note_state == "disabled"
    assert not cabinet.view.accepts_money
    cabinet.insert_note(2_000)
    cabinet.insert_coin(100)
    cabinet.expect_credit(1_500)
    readings = cabinet.world.readings
    assert (readings.cash_box_minor, readings.mouth_minor, readings.cup_minor) == (2_000, (2_000,), (100,))
    cabinet.act(lambda world: world.take_returned())
    cabinet.press("raise")
    cabinet.wait(300)
    credit = cabinet.books.credit_minor
    cabinet.insert_note(2_000)
    cabinet.insert_coin(100)
    cabinet.expect_credit(credit + 2_100)
    cabinet.conserve()


def test_hand_that_goes_on_after_a_power_cut_still_takes_no_money(new_cabinet: New) -> None:
    cabinet = new_cabinet(money_during_play=False)
    deal(cabinet)
    cabinet.cut_power()
    cabinet.boot()
    cabinet.wait(3_000)
    cabinet.expect_mode("table")
    cabinet.insert_note(2_000)
    cabinet.expect_credit(1_500)
    assert cabinet.world.readings.note_state == "disabled"


@pytest.mark.parametrize("before_ms", [0, 100, 250, 320, 400, 600, 720, 900])
def test_note_that_is_on_its_way_when_the_cards_are_dealt_is_credited_or_given_back(
    new_cabinet: New, before_ms: int
) -> None:
    cabinet = new_cabinet(money_during_play=False)
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(3, "ante", 500)
    cabinet.act(lambda world: world.insert_note(2_000), wait_ms=before_ms)
    cabinet.press("deal")
    cabinet.wait(3_000)
    cabinet.expect_faults()
    readings = cabinet.world.readings
    assert (cabinet.books.credit_minor, readings.cash_box_notes_minor, readings.mouth_minor) in (
        (3_500, 4_000, ()),
        (1_500, 2_000, (2_000,)),
    )
    cabinet.conserve()


def test_coin_that_has_passed_when_the_cards_are_dealt_is_credited(new_cabinet: New) -> None:
    cabinet = new_cabinet(money_during_play=False)
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(3, "ante", 500)
    cabinet.act(lambda world: world.insert_coin(100), wait_ms=0)
    cabinet.press("deal")
    cabinet.wait(3_000)
    cabinet.expect_credit(1_500 + cabinet.books.meter("coins_in_minor"))
    cabinet.conserve()
