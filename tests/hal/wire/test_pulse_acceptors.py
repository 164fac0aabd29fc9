import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.debounce import PulseWindow
from hal.errors import LocalProtocolError
from hal.events import CoinAccepted, DeviceFault, DeviceReady, NoteReport, NoteStacked
from hal.wire.pulse import PulseCoinSpec, PulseCoinUnit, PulseNoteSpec, PulseNoteUnit
from hal.wire.session import Confirm, Disable, Enable, Pay, Route, StackNote, Start, Stop
from tests.hal.wire.pin_bench import PinBench

WINDOW = PulseWindow.around(50, 100, max_pulse_count=20)
COUNTED = PulseCoinSpec(
    WINDOW, "inhibit", pulse_line="pulses", values_by_count={1: 50, 3: 100, 9: 200}, divert="divert"
)
BY_LINE = PulseCoinSpec(WINDOW, "inhibit", values_by_line={"line1": 50, "line2": 100})
NOTES = PulseNoteSpec(WINDOW, "pulses", "inhibit", 500, (500, 1_000, 2_000, 5_000))


def coins(spec: PulseCoinSpec = COUNTED, last_event: int = 0, active: Sequence[str] = ()) -> PinBench:
    bench = PinBench(PulseCoinUnit(spec), active, last_event)
    bench.command(Enable("coins", (50, 100, 200)))
    return bench


def notes() -> PinBench:
    bench = PinBench(PulseNoteUnit(NOTES))
    bench.command(Enable("notes", (500, 1_000)))
    return bench


def train(bench: PinBench, count: int, line: str = "pulses") -> None:
    for _ in range(count):
        bench.pulse(line, 50, 100)
    bench.run(500)


def is_on(bench: PinBench, line: str) -> bool:
    return bench.outputs[line]


def faults(bench: PinBench) -> list[tuple[str, bool]]:
    return [(fault.code, fault.is_up) for fault in bench.heard(DeviceFault)]


# --- coins by their number of pulses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "value"), [(1, 50), (3, 100), (9, 200)])
def test_a_number_of_pulses_is_a_coin(count: int, value: int) -> None:
    bench = coins()
    train(bench, count)
    assert [(coin.value_minor, coin.key) for coin in bench.heard(CoinAccepted)] == [(value, "coins-pulse:1:1")]
    assert not faults(bench)


def test_keys_go_on_from_the_journals_last() -> None:
    bench = coins(last_event=41)
    train(bench, 1)
    train(bench, 3)
    assert [coin.key for coin in bench.heard(CoinAccepted)] == ["coins-pulse:1:42", "coins-pulse:1:43"]


@pytest.mark.parametrize("count", [2, 4, 10])
def test_a_number_that_no_coin_has_is_no_money_but_a_fault_and_holds_the_next(count: int) -> None:
    bench = coins()
    train(bench, count)
    assert not bench.heard(CoinAccepted)
    assert faults(bench) == [("unknown_money", True)]
    assert not is_on(bench, "inhibit")
    bench.run(1_000)
    assert is_on(bench, "inhibit")
    bench.run(5_000)
    assert faults(bench) == [("unknown_money", True), ("unknown_money", False)]


def test_a_long_pulse_makes_the_coin_unknown() -> None:
    bench = coins()
    bench.pulse("pulses", 150, 600)
    assert not bench.heard(CoinAccepted)
    assert faults(bench) == [("unknown_money", True)]


def test_more_pulses_than_any_coin_has_are_no_money() -> None:
    bench = coins()
    train(bench, 25)
    assert not bench.heard(CoinAccepted)
    assert ("unknown_money", True) in faults(bench)


def test_pulses_while_inhibited_are_fraud_but_not_in_the_grace() -> None:
    bench = coins()
    bench.command(Disable("coins"))
    assert not is_on(bench, "inhibit")
    train(bench, 1)
    assert [coin.value_minor for coin in bench.heard(CoinAccepted)] == [50]
    bench.run(2_000)
    train(bench, 1)
    assert len(bench.heard(CoinAccepted)) == 1
    assert faults(bench) == [("fraud", True)]


def test_before_enable_nothing_is_taken() -> None:
    bench = PinBench(PulseCoinUnit(COUNTED))
    assert not is_on(bench, "inhibit")
    train(bench, 1)
    assert not bench.heard(CoinAccepted)


def test_a_spike_is_nothing_and_five_spikes_are_a_fault_of_the_line() -> None:
    bench = coins()
    for _ in range(4):
        bench.pulse("pulses", 10, 300)
    assert not faults(bench)
    bench.pulse("pulses", 10, 300)
    assert faults(bench) == [("checksum", True)]
    assert not bench.heard(CoinAccepted)
    bench.run(1_000)
    train(bench, 1)
    assert len(bench.heard(CoinAccepted)) == 1


def test_spikes_far_apart_are_no_fault() -> None:
    bench = coins()
    for _ in range(20):
        bench.pulse("pulses", 10, 3_000)
    assert not faults(bench)


def test_a_line_held_active_is_a_sensor_fault_and_refuses_until_it_is_free() -> None:
    bench = coins()
    bench.level("pulses", True)
    bench.run(600)
    assert faults(bench) == [("sensor", True)]
    assert not is_on(bench, "inhibit")
    bench.run(60_000)
    assert not is_on(bench, "inhibit")
    bench.level("pulses", False)
    bench.run(6_000)
    assert faults(bench) == [("sensor", True), ("sensor", False)]
    assert is_on(bench, "inhibit")
    assert not bench.heard(CoinAccepted)


def test_a_wrong_polarity_at_the_start_is_found_and_nothing_is_ever_taken() -> None:
    bench = coins(active=["pulses"])
    assert faults(bench) == [("sensor", True)]
    assert not is_on(bench, "inhibit")


def test_a_train_that_was_under_way_at_the_start_is_no_money() -> None:
    bench = PinBench(PulseCoinUnit(COUNTED), settle_ms=0)
    bench.command(Enable("coins", (50,)))
    bench.run(40)
    train(bench, 3)
    assert not bench.heard(CoinAccepted)
    assert faults(bench) == [("unknown_money", True)]


def test_lost_edges_are_a_fault_and_the_train_around_them_is_no_money() -> None:
    bench = coins()
    bench.pulse("pulses", 50, 100)
    bench.lose_edges()
    bench.pulse("pulses", 50, 600)
    assert not bench.heard(CoinAccepted)
    assert faults(bench) == [("lost_events", True), ("unknown_money", True)]


def test_the_route_switches_the_diverter_and_is_told() -> None:
    bench = coins()
    bench.command(Route("coins", "hopper"))
    assert is_on(bench, "divert")
    train(bench, 1)
    bench.command(Route("coins", "cash_box"))
    train(bench, 1)
    assert not is_on(bench, "divert")
    assert [coin.to for coin in bench.heard(CoinAccepted)] == ["hopper", "cash_box"]


def test_without_a_diverter_coins_go_where_they_always_go() -> None:
    bench = coins(BY_LINE)
    bench.command(Route("coins", "hopper"))
    train(bench, 1, "line1")
    assert [coin.to for coin in bench.heard(CoinAccepted)] == ["cash_box"]


def test_stop_makes_every_output_inactive() -> None:
    bench = coins()
    bench.command(Route("coins", "hopper"))
    bench.command(Stop("coins"))
    assert bench.outputs == {"inhibit": False, "divert": False}


def test_a_new_start_leaves_the_acceptor_disabled_and_tells_what_is_wrong() -> None:
    bench = coins()
    bench.level("pulses", True)
    bench.run(600)
    bench.events.clear()
    bench.command(Start("coins", 7))
    assert isinstance(bench.events[0], DeviceReady)
    assert faults(bench) == [("sensor", True)]
    assert not is_on(bench, "inhibit")


def test_what_an_acceptor_cannot_do_is_our_own_mistake() -> None:
    with pytest.raises(LocalProtocolError, match="Pay"):
        coins().command(Pay("coins", "p1-1", 1))
    with pytest.raises(LocalProtocolError, match="Route"):
        notes().command(Route("notes", "hopper"))


# --- coins by their line ------------------------------------------------------------------------------------------------


def test_each_pulse_on_a_line_is_a_coin_even_in_quick_succession() -> None:
    bench = coins(BY_LINE)
    train(bench, 3, "line2")
    train(bench, 1, "line1")
    assert [coin.value_minor for coin in bench.heard(CoinAccepted)] == [100, 100, 100, 50]
    assert len({coin.key for coin in bench.heard(CoinAccepted)}) == 4


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from([1, 3, 9]), st.integers(0, 4)), min_size=1, max_size=8), st.randoms())
def test_whatever_noise_lies_between_coins_every_coin_is_counted_once(
    coins_in: list[tuple[int, int]], rng: random.Random
) -> None:
    """Spikes up to half the shortest pulse come at any quiet time; less than five in ten seconds are no fault."""
    bench = coins()
    for count, spike_count in coins_in:
        for _ in range(spike_count):
            bench.pulse("pulses", rng.randint(1, 25), rng.randint(40, 400))
        bench.run(600)
        train(bench, count)
        bench.run(11_000)
    values = {1: 50, 3: 100, 9: 200}
    assert [coin.value_minor for coin in bench.heard(CoinAccepted)] == [values[count] for count, _ in coins_in]


# --- notes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "value"), [(1, 500), (2, 1_000), (4, 2_000), (10, 5_000)])
def test_a_note_is_reported_when_it_is_stacked(count: int, value: int) -> None:
    """Also one that the terminal did not ask for: it is in the cash box, so it is the player's money."""
    bench = notes()
    train(bench, count)
    assert bench.heard(NoteStacked) == [NoteStacked("notes", bench.now_ms - 350, "notes-pulse:1:1", value, None)]


@pytest.mark.parametrize("count", [3, 5, 11])
def test_a_note_of_a_value_that_there_is_not_is_a_fault(count: int) -> None:
    bench = notes()
    train(bench, count)
    assert not bench.heard(NoteStacked)
    assert faults(bench) == [("unknown_money", True)]


def test_a_note_acceptor_opens_and_closes_and_has_nothing_to_decide() -> None:
    bench = notes()
    assert is_on(bench, "inhibit")
    bench.command(StackNote("notes", "x"))
    bench.command(Confirm("notes", "x"))
    bench.command(Enable("notes", ()))
    assert not is_on(bench, "inhibit")
    ready = bench.heard(DeviceReady)[0]
    assert ready.report == NoteReport()
    assert ready.info.denominations_minor == (500, 1_000, 2_000, 5_000)
