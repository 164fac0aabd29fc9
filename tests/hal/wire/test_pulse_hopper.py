import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.debounce import PulseWindow
from hal.errors import LocalProtocolError
from hal.events import DeviceFault, DeviceReady, HopperDone, HopperPaid, HopperReport
from hal.wire.pulse_hopper import PulseHopperSpec, PulseHopperUnit
from hal.wire.session import Enable, Halt, Pay, Stop
from tests.hal.wire.pin_bench import PinBench

SPEC = PulseHopperSpec("motor", "sensor", 100, PulseWindow.around(40, 110))


def bench() -> PinBench:
    return PinBench(PulseHopperUnit(SPEC))


def pay(count: int) -> PinBench:
    hopper = bench()
    hopper.command(Pay("hopper", "p1-1", count))
    assert is_on(hopper, "motor")
    return hopper


def coin(hopper: PinBench, width_ms: int = 40) -> None:
    hopper.run(110)
    hopper.pulse("sensor", width_ms)


def done(hopper: PinBench) -> list[tuple[str, int, str]]:
    return [(event.payout_id, event.paid_count, event.reason) for event in hopper.heard(HopperDone)]


def is_on(bench: PinBench, line: str) -> bool:
    return bench.outputs[line]


def faults(hopper: PinBench) -> list[tuple[str, bool]]:
    return [(fault.code, fault.is_up) for fault in hopper.heard(DeviceFault)]


def test_the_motor_is_off_when_the_last_coin_appears_not_when_it_has_passed() -> None:
    hopper = pay(2)
    coin(hopper)
    assert is_on(hopper, "motor")
    hopper.run(110)
    hopper.level("sensor", True)
    assert not is_on(hopper, "motor")
    hopper.run(40)
    hopper.level("sensor", False)
    assert not done(hopper)
    hopper.run(1_000)
    assert done(hopper) == [("p1-1", 2, "complete")]
    assert [paid.paid_count for paid in hopper.heard(HopperPaid)] == [1, 2]
    assert not faults(hopper)


def test_a_spike_that_looked_like_the_last_coin_lets_the_motor_go_on() -> None:
    hopper = pay(1)
    hopper.run(100)
    hopper.pulse("sensor", 8, 50)
    assert is_on(hopper, "motor")
    assert not done(hopper)
    coin(hopper)
    hopper.run(1_000)
    assert done(hopper) == [("p1-1", 1, "complete")]


def test_a_coin_that_falls_while_the_motor_brakes_is_told() -> None:
    hopper = pay(1)
    coin(hopper)
    coin(hopper)
    hopper.run(1_000)
    assert done(hopper) == [("p1-1", 2, "complete")]
    assert faults(hopper)[0] == ("runaway", True)


def test_slow_coins_and_coins_close_together_are_coins() -> None:
    hopper = pay(3)
    coin(hopper, width_ms=200)
    hopper.run(10)
    hopper.pulse("sensor", 40)
    coin(hopper)
    hopper.run(1_000)
    assert done(hopper) == [("p1-1", 3, "complete")]


def test_a_motor_that_runs_in_vain_stops_and_the_hopper_is_empty_until_a_coin_comes() -> None:
    hopper = pay(3)
    coin(hopper)
    hopper.run(7_900)
    assert is_on(hopper, "motor")
    hopper.run(1_000)
    assert not is_on(hopper, "motor")
    assert done(hopper) == [("p1-1", 1, "empty")]
    hopper.command(Pay("hopper", "p1-2", 1))
    coin(hopper)
    hopper.run(1_000)
    assert done(hopper)[1] == ("p1-2", 1, "complete")
    assert faults(hopper) == [("empty", True), ("empty", False)]


def test_a_coin_stuck_in_the_exit_stops_the_motor() -> None:
    hopper = pay(5)
    coin(hopper)
    hopper.run(110)
    hopper.level("sensor", True)
    hopper.run(2_000)
    assert not is_on(hopper, "motor")
    assert done(hopper) == [("p1-1", 1, "jam")]
    hopper.command(Pay("hopper", "p1-2", 1))
    assert not is_on(hopper, "motor")
    assert done(hopper)[1] == ("p1-2", 0, "fault")
    hopper.level("sensor", False)
    hopper.run(10_000)
    assert faults(hopper) == [("sensor", True), ("sensor", False)]


def test_a_coin_that_passes_while_the_motor_is_off_is_a_runaway() -> None:
    hopper = bench()
    coin(hopper)
    hopper.run(10_000)
    assert faults(hopper) == [("runaway", True), ("runaway", False)]
    assert not hopper.heard(HopperPaid)


def test_a_sensor_that_flickers_ends_the_payout_as_unknown() -> None:
    hopper = pay(5)
    for _ in range(3):
        hopper.pulse("sensor", 10, 50)
    hopper.run(2_000)
    assert not is_on(hopper, "motor")
    assert done(hopper) == [("p1-1", 0, "unknown")]


def test_lost_edges_end_the_payout_as_unknown() -> None:
    hopper = pay(5)
    coin(hopper)
    hopper.run(10)
    hopper.lose_edges()
    assert not is_on(hopper, "motor")
    hopper.run(2_000)
    assert done(hopper) == [("p1-1", 1, "unknown")]


def test_halt_brakes_and_counts_what_still_falls() -> None:
    hopper = pay(5)
    coin(hopper)
    hopper.command(Halt("hopper"))
    assert not is_on(hopper, "motor")
    coin(hopper)
    hopper.run(1_000)
    assert done(hopper) == [("p1-1", 2, "stopped")]


def test_stop_switches_the_motor_off() -> None:
    hopper = pay(5)
    hopper.command(Stop("hopper"))
    assert not is_on(hopper, "motor")


def test_a_second_payout_meanwhile_is_refused_and_the_first_goes_on() -> None:
    hopper = pay(2)
    hopper.command(Pay("hopper", "p1-2", 2))
    assert done(hopper) == [("p1-2", 0, "fault")]
    coin(hopper)
    coin(hopper)
    hopper.run(1_000)
    assert done(hopper)[1] == ("p1-1", 2, "complete")


def test_it_says_that_it_has_no_memory() -> None:
    assert bench().heard(DeviceReady)[0].report == HopperReport()


def test_what_a_hopper_cannot_do_is_our_own_mistake() -> None:
    with pytest.raises(LocalProtocolError, match="Enable"):
        bench().command(Enable("hopper", (1,)))


@given(
    st.integers(1, 8),
    st.lists(st.tuples(st.sampled_from(["coin", "spike", "slow", "wait", "halt", "again"]), st.integers(0, 200))),
)
def test_whatever_happens_the_motor_ends_off_and_every_real_coin_is_told(
    count: int, story: list[tuple[str, int]]
) -> None:
    hopper = pay(count)
    fallen = 0
    for what, pause_ms in story:
        braking_or_paying = not done(hopper)
        match what:
            case "coin" | "slow" if braking_or_paying:
                coin(hopper, 40 if what == "coin" else 150)
                hopper.run(3)
                fallen += not done(hopper)
            case "spike":
                hopper.run(20)
                hopper.pulse("sensor", 5, 20)
            case "halt":
                hopper.command(Halt("hopper"))
            case "again":
                hopper.command(Pay("hopper", "p1-1", count))
        hopper.run(pause_ms)
    hopper.run(20_000)
    assert not is_on(hopper, "motor")
    assert {event.payout_id for event in hopper.heard(HopperDone)} == {"p1-1"}
    paid = hopper.heard(HopperDone)[-1].paid_count
    assert fallen <= paid <= fallen + 1  # one may have passed in the last moment of braking
