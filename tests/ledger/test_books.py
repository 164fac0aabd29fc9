"""The books: transfers, meters, and the identities that hold them together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.entries.types import (
    CashOutStarted,
    CoinCredited,
    Entry,
    HandpayCleared,
    HopperCounted,
    HopperFinished,
    NoteCredited,
    RoundActed,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    StakeLine,
)
from firmware.errors import InvariantError
from firmware.ledger import accounts
from firmware.ledger.books import Books
from firmware.ledger.meters import ROLL_OVER
from firmware.ledger.transfers import PayoutInFlight, transfers_of

NOTE = NoteCredited("N:1:1", 5_000)


def opened(cost: int, number: int = 1) -> RoundOpened:
    stakes = (StakeLine(1, "ante", cost),)
    return RoundOpened(f"r1-{number}", number, "oasis", "d", stakes, cost, 0, f"s1-{number}", "As", 0)


def settled(staked: int, paid: int, number: int = 1) -> RoundSettled:
    return RoundSettled(f"r1-{number}", "oasis", staked, paid, 10, ())


def test_stakes_are_reserved_then_posted_and_the_win_is_paid() -> None:
    books = Books().post([NOTE, opened(500)])
    assert (books.credit_minor, books.staked_minor) == (4_500, 500)
    books = books.post([RoundActed("r1-1", 1, 1, 0, "raise", (), 1_000), settled(1_500, 4_000)])
    assert (books.credit_minor, books.staked_minor) == (7_500, 0)
    assert books.meter("coin_in_minor") == 1_500
    assert books.meter("game.oasis.coin_out_minor") == 4_000
    assert books.meter("games_won") == 1


def test_voided_round_gives_the_stakes_back_and_counts_no_game() -> None:
    books = Books().post([NOTE, opened(500), RoundVoided("r1-1", 500, "test")])
    assert books.credit_minor == 5_000
    assert books.meter("games_played") == 0
    assert books.meter("voided_minor") == 500


def test_credit_can_not_be_overdrawn() -> None:
    with pytest.raises(InvariantError, match=r"overdraws claim\.credit"):
        Books().post([NOTE, opened(5_001)])


def test_settling_more_than_is_staked_is_a_contradiction() -> None:
    with pytest.raises(InvariantError, match=r"overdraws claim\.stakes"):
        Books().post([NOTE, opened(500), settled(600, 0)])


def test_coins_go_to_the_hopper_or_the_drop() -> None:
    books = Books().post([CoinCredited("C:1:1", 100, "hopper"), CoinCredited("C:1:2", 200, "cash_box")])
    assert books.balance(accounts.HOPPER) == 100
    assert books.balance(accounts.CASH_BOX) == 200
    assert books.meter("drop_minor") == 200


def test_pay_out_is_counted_as_a_running_total() -> None:
    start = CashOutStarted("p1-1", 5_000, 40, 100)
    books = Books().post([NOTE, start])
    assert (books.credit_minor, books.balance(accounts.PAYOUT), books.handpay_minor) == (0, 4_000, 1_000)
    books = books.post([HopperCounted("p1-1", 10)]).post([HopperCounted("p1-1", 25)])
    books = books.post([HopperFinished("p1-1", 30, "empty")])
    assert books.meter("hopper_paid_minor") == 3_000
    assert books.handpay_minor == 2_000
    books = books.post([HandpayCleared("p1-1", 2_000, "attendant_key")])
    assert books.handpay_minor == 0
    assert books.meter("cancelled_credit_minor") == 2_000


def test_hopper_that_ran_on_is_the_houses_loss_and_metered() -> None:
    books = Books().post([NOTE, CashOutStarted("p1-1", 5_000, 50, 100), HopperFinished("p1-1", 53, "runaway")])
    assert books.meter("hopper_extra_minor") == 300
    assert books.meter("hopper_paid_minor") == 5_000
    assert books.balance(accounts.PAYOUT) == 0


def test_meters_roll_over_at_the_declared_value_and_the_identity_holds() -> None:
    books = Books(
        balances={accounts.CREDIT: 0}, meters={"notes_in_minor": ROLL_OVER - 1, "coin_in_minor": ROLL_OVER - 1}
    )
    books = books.post([NoteCredited("N:1:9", 500), opened(200), settled(200, 0)])
    assert books.meter("notes_in_minor") == 499
    assert books.meter("coin_in_minor") == 199


def test_meter_that_was_changed_breaks_the_identity() -> None:
    good = Books().post([NOTE])
    bad = Books(good.balances, {**good.meters, "notes_in_minor": 5_001})
    with pytest.raises(InvariantError, match="self-audit"):
        bad.check()


def test_balance_that_was_changed_breaks_the_books() -> None:
    good = Books().post([NOTE])
    bad = Books({**good.balances, accounts.CREDIT: 6_000}, good.meters)
    with pytest.raises(InvariantError, match="does not balance"):
        bad.check()


def test_transfer_ids_derive_from_the_cause_and_never_repeat_within_a_run() -> None:
    run: list[Entry] = [NOTE, opened(500), RoundActed("r1-1", 1, 1, 0, "raise", (), 1_000), settled(1_500, 2_000)]
    ids = [transfer.id for entry in run for transfer in transfers_of(entry, PayoutInFlight())]
    assert len(ids) == len(set(ids))
    assert ids == [transfer.id for entry in run for transfer in transfers_of(entry, PayoutInFlight())]


@given(
    st.lists(st.integers(1, 10_000), max_size=30),
    st.lists(st.tuples(st.integers(1, 400), st.integers(0, 900)), max_size=30),
)
def test_credit_is_in_less_wagered_plus_paid(notes: list[int], rounds: list[tuple[int, int]]) -> None:
    books = Books().post([NoteCredited(f"N:1:{n}", amount) for n, amount in enumerate(notes)])
    expected = sum(notes)
    for number, (stake, paid) in enumerate(rounds, 1):
        if stake > expected:
            continue
        books = books.post([opened(stake, number)]).post([settled(stake, paid, number)])
        expected += paid - stake
    assert books.credit_minor == expected
