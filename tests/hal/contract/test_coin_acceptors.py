"""Every coin acceptor, whatever is behind it, keeps this contract."""

import sys

import pytest
from pytest_mock import MockerFixture

from hal.events import CoinAccepted, CoinReport, DeviceReady
from tests.hal.contract.rig import CoinRig, heard, run_until
from tests.hal.contract.rigs import COIN_RIGS


@pytest.fixture(params=COIN_RIGS)
def rig(request: pytest.FixtureRequest, mocker: MockerFixture) -> CoinRig:
    mocker.patch.dict(sys.modules)  # a rig may put a stand-in for a GPIO library there
    rig = COIN_RIGS[request.param]()
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    return rig


def test_ready_is_the_first_event_and_says_who_it_is(rig: CoinRig) -> None:
    first = rig.events[0]
    assert isinstance(first, DeviceReady)
    assert {100, 200} <= set(first.info.denominations_minor)
    assert isinstance(first.report, CoinReport)


def test_a_coin_falls_through_before_enable(rig: CoinRig) -> None:
    rig.insert(100)
    rig.run(3_000)
    assert not heard(rig, CoinAccepted)
    assert not rig.accepted_minor


def test_an_enabled_coin_is_accepted_once(rig: CoinRig) -> None:
    rig.subject.enable([100, 200])
    rig.run(500)
    rig.insert(200)
    run_until(rig, lambda: heard(rig, CoinAccepted))
    coin = heard(rig, CoinAccepted)[0]
    assert (coin.value_minor, coin.to) == (200, "cash_box")
    rig.subject.confirm(coin.key)
    rig.run(3_000)
    assert {heard_coin.key for heard_coin in heard(rig, CoinAccepted)} == {coin.key}
    assert rig.accepted_minor == [200]


def test_coins_keep_their_order_and_have_different_keys(rig: CoinRig) -> None:
    rig.subject.enable([100, 200])
    rig.run(500)
    values = [100, 200, 200, 100, 200, 100, 100]
    for value in values:
        rig.insert(value)
        rig.run(1_000)
        for coin in heard(rig, CoinAccepted):
            rig.subject.confirm(coin.key)
    rig.run(2_000)
    by_key = {coin.key: coin.value_minor for coin in heard(rig, CoinAccepted)}
    assert list(by_key.values()) == values
    assert rig.accepted_minor == sorted(values)


def test_disable_lets_coins_fall_through(rig: CoinRig) -> None:
    rig.subject.enable([100])
    rig.run(500)
    rig.subject.disable()
    rig.run(500)
    rig.insert(100)
    rig.run(3_000)
    assert not heard(rig, CoinAccepted)
    assert not rig.accepted_minor


def test_a_route_that_does_not_exist_is_our_own_mistake(rig: CoinRig) -> None:
    with pytest.raises(ValueError, match="tray"):
        rig.subject.route("tray")


def test_stop_may_come_twice_and_refuses_coins(rig: CoinRig) -> None:
    rig.subject.enable([100])
    rig.run(500)
    rig.subject.stop()
    rig.subject.stop()
    rig.run(500)
    rig.insert(100)
    rig.run(3_000)
    assert not rig.accepted_minor


def test_the_program_starts_again_and_no_coin_counts_twice(rig: CoinRig) -> None:
    rig.subject.enable([100])
    rig.run(500)
    rig.insert(100)
    run_until(rig, lambda: heard(rig, CoinAccepted))
    keys = {coin.key for coin in heard(rig, CoinAccepted)}
    rig.host_dies()
    rig.boot(last_event=1)
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([100])
    rig.run(1_000)
    rig.insert(100)
    rig.run(3_000)
    keys |= {coin.key for coin in heard(rig, CoinAccepted)}
    assert len(keys) == 2
    assert rig.accepted_minor == [100, 100]
