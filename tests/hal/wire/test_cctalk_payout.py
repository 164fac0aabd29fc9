"""What a hopper's memory proves about an order to pay: the money rule, case by case."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.wire.cctalk_messages import DISABLED_BIT, POWER_LOST_WHILE_PAYING_BIT, POWER_UP_BIT, HopperStatus
from hal.wire.cctalk_payout import Order, Result, Stage, faults_of, result_of, stage_of, why_short

BEFORE = HopperStatus(7, 0, 4, 0)
ORDER = Order(5, BEFORE, lifetime_before=1_000)
BLIND = Order(5, BEFORE, lifetime_before=None)


@pytest.mark.parametrize(
    ("status", "registers", "stage"),
    [
        (BEFORE, 0, Stage.NOT_TAKEN),
        (HopperStatus(7, 0, 0, 4), 0, Stage.ABSURD),
        (HopperStatus(7, 1, 4, 0), 0, Stage.ABSURD),
        (HopperStatus(8, 5, 0, 0), 0, Stage.RUNNING),
        (HopperStatus(8, 3, 2, 0), 0, Stage.RUNNING),
        (HopperStatus(8, 0, 5, 0), 0, Stage.ENDED),
        (HopperStatus(8, 0, 3, 2), 0, Stage.ENDED),
        (HopperStatus(8, 0, 4, 0), 0, Stage.ABSURD),
        (HopperStatus(8, 3, 3, 0), 0, Stage.ABSURD),
        (HopperStatus(9, 0, 5, 0), 0, Stage.ABSURD),
        (HopperStatus(0, 0, 3, 2), 0, Stage.POWER_LOST),
        (BEFORE, DISABLED_BIT, Stage.POWER_LOST),
        (HopperStatus(0, 0, 3, 2), POWER_UP_BIT | DISABLED_BIT, Stage.POWER_LOST),
        (HopperStatus(8, 0, 3, 2), POWER_LOST_WHILE_PAYING_BIT, Stage.POWER_LOST),
    ],
)
def test_how_far_an_order_is(status: HopperStatus, registers: int, stage: Stage) -> None:
    assert stage_of(ORDER, status, registers) is stage


def test_the_hopper_s_counter_goes_from_255_to_1() -> None:
    order = Order(2, HopperStatus(255, 0, 4, 0), None)
    assert stage_of(order, HopperStatus(1, 0, 2, 0), 0) is Stage.ENDED
    assert stage_of(order, HopperStatus(0, 0, 2, 0), 0) is Stage.POWER_LOST


def test_a_refused_order_that_was_counted_is_over() -> None:
    refused = Order(4, BEFORE, 1_000, refused=True)
    # Its fields are those of the order before: believed, they would be four coins that never fell.
    counted = HopperStatus(8, 0, 4, 0)
    assert stage_of(refused, counted, 0) is Stage.ENDED
    assert result_of(refused, Stage.ENDED, counted, 1_000, 0) == Result(0)
    assert result_of(Order(4, BEFORE, None, refused=True), Stage.ENDED, counted, None, 0) == Result(0)
    assert stage_of(Order(9, BEFORE, 1_000, refused=True), counted, 0) is Stage.ENDED
    moving = HopperStatus(8, 1, 3, 0)
    assert not result_of(Order(4, BEFORE, None, refused=True), Stage.ENDED, moving, None, 0).certain


@pytest.mark.parametrize(
    ("order", "stage", "status", "lifetime", "least", "result"),
    [
        (ORDER, Stage.ENDED, HopperStatus(8, 0, 5, 0), 1_005, 0, Result(5)),
        (ORDER, Stage.ENDED, HopperStatus(8, 0, 3, 2), 1_003, 2, Result(3)),
        (ORDER, Stage.NOT_TAKEN, BEFORE, 1_000, 0, Result(0)),
        (ORDER, Stage.POWER_LOST, HopperStatus(0, 0, 3, 2), 1_003, 0, Result(3)),
        # power was lost before the order came: the fields are the old ones, the lifetime counter tells
        (ORDER, Stage.POWER_LOST, HopperStatus(0, 0, 4, 0), 1_000, 0, Result(0)),
        # the two memories contradict each other
        (ORDER, Stage.ENDED, HopperStatus(8, 0, 5, 0), 1_003, 0, Result(3, certain=False)),
        (ORDER, Stage.ENDED, HopperStatus(8, 0, 3, 2), 1_009, 0, Result(3, certain=False)),
        (ORDER, Stage.ENDED, HopperStatus(8, 0, 1, 4), 1_001, 2, Result(2, certain=False)),
        # no lifetime counter
        (BLIND, Stage.ENDED, HopperStatus(8, 0, 5, 0), None, 3, Result(5)),
        (BLIND, Stage.POWER_LOST, HopperStatus(0, 0, 3, 2), None, 0, Result(3)),
        (BLIND, Stage.POWER_LOST, HopperStatus(0, 0, 4, 0), None, 2, Result(2, certain=False)),
        (BLIND, Stage.ABSURD, HopperStatus(9, 9, 9, 9), None, 1, Result(1, certain=False)),
        (BLIND, Stage.ENDED, HopperStatus(8, 0, 1, 4), None, 2, Result(2, certain=False)),
        # the lifetime counter alone is enough where the rest makes no sense
        (ORDER, Stage.ABSURD, HopperStatus(9, 9, 9, 9), 1_002, 1, Result(2)),
    ],
)
def test_what_an_order_has_paid(
    order: Order, stage: Stage, status: HopperStatus, lifetime: int | None, least: int, result: Result
) -> None:
    assert result_of(order, stage, status, lifetime, least) == result


def test_the_lifetime_counter_may_wrap() -> None:
    order = Order(5, BEFORE, (1 << 24) - 2)
    assert result_of(order, Stage.ENDED, HopperStatus(8, 0, 5, 0), 3, 0) == Result(5)


def test_an_old_pay_out_of_the_same_size_is_not_taken_for_this_one() -> None:
    order = Order(5, HopperStatus(7, 0, 5, 0), None)
    assert not result_of(order, Stage.POWER_LOST, HopperStatus(0, 0, 5, 0), None, 0).certain


@given(
    st.integers(1, 20),
    st.sampled_from(list(Stage)),
    st.builds(HopperStatus, *[st.integers(0, 255)] * 4),
    st.none() | st.integers(0, (1 << 24) - 1),
    st.integers(0, 20),
)
def test_never_less_than_was_seen_and_never_more_than_asked(
    asked: int, stage: Stage, status: HopperStatus, lifetime: int | None, least: int
) -> None:
    order = Order(asked, BEFORE, 1_000)
    least = min(least, asked)
    stage = stage_of(order, status, 0) if stage is Stage.ENDED else stage
    result = result_of(order, stage, status, lifetime, least)
    assert result.paid_count >= least
    assert result.paid_count <= asked or not result.certain


@pytest.mark.parametrize(
    ("registers", "reason"),
    [(1 << 0, "jam"), (1 << 5, "jam"), (1 << 1, "empty"), (1 << 0 | 1 << 1, "jam"), (0, "fault")],
)
def test_why_a_pay_out_ended_early(registers: int, reason: str) -> None:
    assert why_short(registers) == reason


def test_faults_are_named() -> None:
    assert [code for code, _ in faults_of(1 << 4 | 1 << 13 | POWER_UP_BIT | DISABLED_BIT)] == ["fraud", "motor"]
