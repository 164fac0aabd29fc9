"""Whose hands are whose: a guest turns back to his own rounds, however his money came in, and to nobody else's."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.journal.record import Record
from firmware.ledger.books import Books
from firmware.terminal.guests import Guest
from hal.events import NoteReturned
from tests.support.cabinet import CabinetUnderTest, settings_for
from tests.terminal.test_player_pages import LOST_HAND, hands_shown, running

NOTE = 500


@pytest.fixture
def cabinet(tmp_path: Path) -> Iterator[CabinetUnderTest]:
    """A running cabinet without credit, whose books and guest are compared at the end."""
    cabinet = running(settings_for(tmp_path))
    yield cabinet
    compare(cabinet.records())
    cabinet.close()


def compare(records: list[Record]) -> None:
    """After every single entry the guest has what the books say, and folding them one by one or all at once is the same."""
    guest, books = Guest(), Books()
    for record in records:
        guest, books = guest.post([record]), books.post([record.entry])
        assert guest.money_minor == books.credit_minor + books.staked_minor, record
        owed_minor = books.balance("claim.payout") + books.handpay_minor
        assert owed_minor <= guest.unpaid_minor, record
        assert (guest.unpaid_minor > 0) >= (owed_minor > 0), record
    assert Guest().post(records) == guest
    assert guest.unpaid_minor == 0


def stake_everything(cabinet: CabinetUnderTest) -> None:
    """Deal a hand that will be lost, with all the credit at stake."""
    cabinet.insert_note(NOTE)
    cabinet.lay(LOST_HAND)
    cabinet.sit_down()
    cabinet.bet(1, "ante", NOTE)
    cabinet.press("deal")
    cabinet.expect_credit(0)


def send_note(cabinet: CabinetUnderTest) -> None:
    """Push a note in and wait until the acceptor has the order to keep it, but not until it is credited."""
    cabinet.act(lambda world: world.insert_note(NOTE), wait_ms=0)
    while cabinet.terminal.state.recorded.note is None:
        cabinet.wait(10)


def note(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(NOTE)


def coin(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_coin(100)


@pytest.mark.parametrize(
    ("pay_in", "cuts_power"), [(note, False), (coin, False), (send_note, False), (note, True), (coin, True)]
)
def test_money_put_in_during_a_hand_that_loses_all_the_rest_is_the_same_guests(
    cabinet: CabinetUnderTest, pay_in: Callable[[CabinetUnderTest], None], *, cuts_power: bool
) -> None:
    stake_everything(cabinet)
    pay_in(cabinet)
    if cuts_power:
        cabinet.cut_power()
        cabinet.boot()
    cabinet.press("fold")
    cabinet.wait(3_000)
    assert cabinet.books.credit_minor > 0
    assert hands_shown(cabinet) == 1
    cabinet.insert_note(NOTE)
    assert hands_shown(cabinet) == 1


def test_hands_of_a_guest_who_lost_money_put_in_during_a_hand_too_are_hidden_from_the_next(
    cabinet: CabinetUnderTest,
) -> None:
    stake_everything(cabinet)
    cabinet.insert_note(NOTE)
    cabinet.press("fold")
    cabinet.lay(LOST_HAND)
    cabinet.bet(1, "ante", NOTE)
    cabinet.press("deal")
    cabinet.press("fold")
    cabinet.expect_credit(0)
    assert hands_shown(cabinet) == 2
    cabinet.insert_note(NOTE)
    assert hands_shown(cabinet) == 0


def test_coin_that_falls_while_the_hopper_pays_is_the_same_guests(cabinet: CabinetUnderTest) -> None:
    stake_everything(cabinet)
    cabinet.insert_note(NOTE)
    cabinet.press("fold")
    cabinet.act(lambda world: world.insert_coin(100), wait_ms=0)
    cabinet.press("cash_out")
    cabinet.wait(60_000)
    cabinet.expect_credit(100)
    assert hands_shown(cabinet) == 1
    cabinet.insert_note(NOTE)
    assert hands_shown(cabinet) == 1
    cabinet.press("cash_out")
    cabinet.wait(60_000)
    cabinet.insert_note(NOTE)
    assert hands_shown(cabinet) == 0


def test_note_that_comes_back_hides_nothing_and_the_next_one_that_stays_does(cabinet: CabinetUnderTest) -> None:
    stake_everything(cabinet)
    cabinet.press("fold")
    cabinet.expect_credit(0)
    send_note(cabinet)
    intended = cabinet.terminal.state.recorded.note
    assert intended is not None
    cabinet.terminal.handle(NoteReturned("notes", cabinet.clock.monotonic_ms(), intended.escrow_id, NOTE))
    assert len(cabinet.terminal.state.recorded.own_history) == 1
    cabinet.wait(3_000)
    cabinet.expect_credit(NOTE)
    assert hands_shown(cabinet) == 0
