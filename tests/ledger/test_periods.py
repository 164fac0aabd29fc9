"""Periods and the self-audit: master and period side by side, roll-over, and the identity's terms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.entries.keeping import PeriodClosed
from firmware.entries.types import Booted, CashOutStarted, CoinCredited, DoorMoved, HandpayCleared, NoteCredited
from firmware.errors import InvariantError
from firmware.ledger.books import Books
from firmware.ledger.meters import ROLL_OVER
from firmware.ledger.periods import HISTORY_LENGTH, Periods
from firmware.ledger.self_audit import SelfAuditError
from tests.ledger.test_books import opened, settled


def closed(periods: Periods, master: dict[str, int], at_ms: int = 0) -> Periods:
    return periods.closed(PeriodClosed(periods.number, "Ann"), at_ms, master)


def test_period_is_master_less_what_it_was_when_the_period_began() -> None:
    periods = closed(Periods(), {"coin_in_minor": 700, "games_played": 2}, 1_000)
    assert periods.meters({"coin_in_minor": 1_000, "games_played": 2, "drop_minor": 50}) == {
        "coin_in_minor": 300,
        "drop_minor": 50,
    }
    (before,) = periods.history
    assert (before.number, before.ended_ms, before.by) == (1, 1_000, "Ann")
    assert before.meters == {"coin_in_minor": 700, "games_played": 2}


def test_closing_never_touches_the_master_meters() -> None:
    master = {"coin_in_minor": 700}
    closed(Periods(), master)
    assert master == {"coin_in_minor": 700}


def test_period_over_the_roll_over_counts_on() -> None:
    periods = closed(Periods(), {"coin_in_minor": ROLL_OVER - 100})
    assert periods.meters({"coin_in_minor": 200}) == {"coin_in_minor": 300}


def test_last_24_periods_are_kept() -> None:
    periods = Periods()
    for number in range(1, 31):
        periods = closed(periods, {"games_played": number})
    assert [period.number for period in periods.history] == list(range(31 - HISTORY_LENGTH, 31))
    assert all(period.meters == {"games_played": 1} for period in periods.history)


def test_another_period_than_the_running_one_can_not_be_closed() -> None:
    with pytest.raises(InvariantError, match="period 2 is closed while period 1 runs"):
        Periods().closed(PeriodClosed(2, "Ann"), 0, {})


def test_meters_that_begin_anew_by_themselves_are_in_no_period() -> None:
    assert Periods().meters({"games_since_door": 5, "notes_since_play_minor": 500}) == {}


@given(st.lists(st.integers(0, ROLL_OVER - 1), min_size=1, max_size=30), st.sets(st.integers(0, 29)))
def test_periods_always_sum_up_to_the_master(steps: list[int], ends: set[int]) -> None:
    master, periods, total = 0, Periods(), 0
    for number, step in enumerate(steps):
        master = (master + step) % ROLL_OVER
        if number in ends:
            total += periods.meters({"coin_in_minor": master}).get("coin_in_minor", 0)
            periods = closed(periods, {"coin_in_minor": master})
    total += periods.meters({"coin_in_minor": master}).get("coin_in_minor", 0)
    assert total % ROLL_OVER == master


def test_identity_has_its_terms_and_holds_over_the_roll_over_of_each_meter() -> None:
    books = Books().post([NoteCredited("N:1:1", 5_000), opened(500), settled(500, 900)])
    identity = books.identity()
    assert {term.meter: term.sign * term.amount_minor for term in identity.terms if term.amount_minor} == {
        "notes_in_minor": 5_000,
        "coin_out_minor": 900,
        "coin_in_minor": -500,
    }
    assert identity.holds
    for term in identity.terms:
        near = {**books.meters, term.meter: (books.meter(term.meter) - term.sign * 300) % ROLL_OVER}
        assert not Books(books.balances, near).identity().holds


def test_negative_balance_and_broken_identity_are_errors_of_the_memory() -> None:
    good = Books().post([NoteCredited("N:1:1", 5_000)])
    with pytest.raises(SelfAuditError, match="self-audit"):
        Books(good.balances, {**good.meters, "hopper_paid_minor": 1}).check()
    with pytest.raises(SelfAuditError, match="negative"):
        Books({**good.balances, "claim.credit": -1, "claim.player": 1}, good.meters).check()


def test_meters_since_begin_anew_at_their_own_moment() -> None:
    books = Books().post([NoteCredited("N:1:1", 5_000), CoinCredited("C:1:1", 100, "hopper")])
    assert (books.meter("notes_since_play_minor"), books.meter("coins_since_play_minor")) == (5_000, 100)
    books = books.post([opened(500), settled(500, 0), DoorMoved("cash_box", True), DoorMoved("cash_box", False)])
    assert (books.meter("notes_since_play_minor"), books.meter("coins_since_play_minor")) == (0, 0)
    assert books.meter("games_since_door") == 1
    books = books.post([DoorMoved("main", True), DoorMoved("main", False), Booted(2, "1", False)])
    assert (books.meter("games_since_door"), books.meter("games_since_power_up")) == (0, 0)
    assert (books.meter("power_losses"), books.meter("door.main.opened")) == (1, 1)


def test_cancelled_credit_and_handpay_are_metered_apart() -> None:
    books = Books().post([NoteCredited("N:1:1", 5_000), CashOutStarted("p1-1", 5_000, 0, 0)])
    assert (books.meter("cancelled_credit_minor"), books.meter("handpaid_minor")) == (5_000, 0)
    books = books.post([HandpayCleared("p1-1", 5_000, "attendant_key")])
    assert (books.meter("handpays"), books.meter("handpaid_minor"), books.handpay_minor) == (1, 5_000, 0)
