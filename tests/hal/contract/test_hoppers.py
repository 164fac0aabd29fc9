"""Every hopper, whatever is behind it, keeps this contract."""

import sys
from collections.abc import Callable

import pytest
from pytest_mock import MockerFixture

from hal.events import DeviceReady, HopperDone, HopperPaid, HopperReport
from tests.hal.contract.rig import HopperRig, heard, run_until
from tests.hal.contract.rigs import HOPPER_RIGS


@pytest.fixture(params=HOPPER_RIGS)
def make(request: pytest.FixtureRequest, mocker: MockerFixture) -> Callable[[], HopperRig]:
    """Makes a booted hopper whose ``DeviceReady`` was heard."""
    mocker.patch.dict(sys.modules)  # a rig may put a stand-in for a GPIO library there
    return lambda: booted(HOPPER_RIGS[request.param]())


@pytest.fixture
def rig(make: Callable[[], HopperRig]) -> HopperRig:
    return make()


def booted(rig: HopperRig) -> HopperRig:
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    return rig


def test_ready_is_the_first_event(rig: HopperRig) -> None:
    first = rig.events[0]
    assert isinstance(first, DeviceReady)
    assert isinstance(first.report, HopperReport)


def test_it_pays_exactly_what_was_asked(rig: HopperRig) -> None:
    rig.subject.pay("p1-1", 7)
    run_until(rig, lambda: heard(rig, HopperDone))
    done = heard(rig, HopperDone)[0]
    assert (done.payout_id, done.requested_count, done.paid_count, done.reason) == ("p1-1", 7, 7, "complete")
    totals = [paid.paid_count for paid in heard(rig, HopperPaid)]
    assert totals == sorted(totals)
    rig.run(3_000)
    assert rig.paid_count == 7


def test_a_payout_id_never_pays_twice(rig: HopperRig) -> None:
    for _ in range(3):
        rig.subject.pay("p1-1", 3)
        rig.run(6_000)
    assert rig.paid_count == 3
    assert {done.paid_count for done in heard(rig, HopperDone)} == {3}


def test_repeating_the_command_while_it_pays_changes_nothing(rig: HopperRig) -> None:
    rig.subject.pay("p1-1", 5)
    rig.run(300)
    rig.subject.pay("p1-1", 5)
    rig.run(10_000)
    assert rig.paid_count == 5


def test_an_empty_hopper_says_so_and_tells_what_it_paid(rig: HopperRig) -> None:
    rig.set_coins(2)
    rig.subject.pay("p1-1", 5)
    run_until(rig, lambda: heard(rig, HopperDone))
    done = heard(rig, HopperDone)[0]
    assert (done.paid_count, done.reason) == (2, "empty")
    assert rig.paid_count == 2


def test_halt_stops_and_tells_how_many_left(rig: HopperRig) -> None:
    rig.subject.pay("p1-1", 20)
    run_until(rig, lambda: heard(rig, HopperPaid))
    rig.subject.halt()
    run_until(rig, lambda: heard(rig, HopperDone))
    rig.run(3_000)
    done = heard(rig, HopperDone)[-1]
    assert done.reason == "stopped"
    assert done.paid_count == rig.paid_count < 20


def test_no_coins_at_all_is_our_own_mistake(rig: HopperRig) -> None:
    with pytest.raises(ValueError, match="p1-1"):
        rig.subject.pay("p1-1", 0)


def test_two_payouts_follow_each_other(rig: HopperRig) -> None:
    for number, count in enumerate((2, 3), start=1):
        rig.subject.pay(f"p1-{number}", count)
        run_until(rig, lambda number=number: len(heard(rig, HopperDone)) >= number)  # type: ignore[misc]
    assert [done.paid_count for done in heard(rig, HopperDone)] == [2, 3]
    assert rig.paid_count == 5


def test_a_power_cut_while_paying_never_pays_too_much(make: Callable[[], HopperRig]) -> None:
    """Cut at many moments; afterwards the same order may not bring the sum over what was asked."""
    for moment_ms in range(0, 1_200, 100):
        rig = make()
        rig.subject.pay("p1-1", 5)
        rig.run(moment_ms)
        told = max((paid.paid_count for paid in heard(rig, HopperPaid)), default=0)
        rig.cut_power()
        rig.run(100)
        booted(rig)
        rig.run(5_000)
        report = heard(rig, DeviceReady)[0].report
        assert isinstance(report, HopperReport)
        assert told <= rig.paid_count <= 5
        if report.last_payout_id == "p1-1":
            assert report.last_paid_count == rig.paid_count
