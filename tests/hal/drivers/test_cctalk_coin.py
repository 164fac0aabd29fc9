"""The dialogue with a ccTalk coin acceptor: faults that public implementations have, each as a test, and the rest."""

from dataclasses import replace

import pytest

from hal.emulators.base import Faults
from hal.emulators.cctalk_coin import EURO_COINS, CctalkCoinAcceptor
from hal.errors import LocalProtocolError
from hal.events import CoinAccepted, CoinRejected, CoinReport, DeviceFault, DeviceLost, DeviceReady
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_coin import CoinStation, Sorter
from hal.wire.session import Confirm, Halt
from tests.hal.contract.loop_rigs import LoopCoinRig
from tests.hal.contract.rig import heard, run_until

RESET = 1
SORTER = Sorter(hopper_path=1, cash_box_path=2, hopper_values_minor=frozenset((100,)))


def rig_of(
    device: CctalkCoinAcceptor, sorter: Sorter | None = None, last_event: int = 0
) -> LoopCoinRig[CctalkCoinAcceptor]:
    rig = LoopCoinRig(device, lambda: CctalkBus([CoinStation("coins", "EU", sorter=sorter)]))
    rig.boot(last_event)
    return rig


def ready(device: CctalkCoinAcceptor | None = None, sorter: Sorter | None = None) -> LoopCoinRig[CctalkCoinAcceptor]:
    """A program that takes 50, 100 and 200, and has been confirmed a coin."""
    rig = rig_of(device or CctalkCoinAcceptor(), sorter)
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.hear = lambda event: rig.subject.confirm(event.key) if isinstance(event, CoinAccepted) else None
    rig.subject.enable([50, 100, 200])
    rig.run(500)
    rig.insert(200)
    rig.run(500)
    return rig


def values(rig: LoopCoinRig[CctalkCoinAcceptor]) -> list[int]:
    """What was credited, in order; a key counts once."""
    return [coin.value_minor for coin in {coin.key: coin for coin in heard(rig, CoinAccepted)}.values()]


def faults(rig: LoopCoinRig[CctalkCoinAcceptor]) -> list[str]:
    return [fault.code for fault in heard(rig, DeviceFault) if fault.is_up]


# --- what public implementations get wrong ----------------------------------------------------------------------------


def test_the_counter_wraps_and_no_coin_is_lost() -> None:
    rig = ready()
    for _ in range(260):
        rig.insert(100)
        rig.run(120)
    rig.run(500)
    assert values(rig) == [200] + [100] * 260
    assert not faults(rig)


def test_more_coins_than_the_buffer_holds_are_five_and_a_named_loss() -> None:
    rig = ready()
    rig.do("silence 700")
    for value in (50, 50, 100, 200, 100, 50, 200):
        rig.insert(value)
        rig.run(30)
    rig.run(2_000)
    assert values(rig) == [200, 100, 200, 100, 50, 200]
    lost = [fault for fault in heard(rig, DeviceFault) if fault.code == "lost_events"]
    assert [fault.is_up for fault in lost] == [True]
    assert "2 events" in lost[0].detail
    rig.run(6_000)
    assert not [fault for fault in heard(rig, DeviceFault) if fault.code == "lost_events"][-1].is_up


def test_coins_of_one_poll_are_told_in_the_order_in_which_they_fell() -> None:
    rig = ready()
    rig.do("silence 300")
    for value in (50, 200, 100):
        rig.insert(value)
        rig.run(20)
    rig.run(2_000)
    assert values(rig) == [200, 50, 200, 100]
    assert not faults(rig)


@pytest.mark.parametrize("coin_count", [1, 4, 5, 7])
def test_a_reset_and_coins_before_the_next_poll_are_both_seen(coin_count: int) -> None:
    rig = ready(CctalkCoinAcceptor(starts_open=True))
    for _ in range(6):
        rig.insert(50)
        rig.run(300)
    rig.do("silence 400")
    rig.do("reset")
    for _ in range(coin_count):
        rig.insert(100)
        rig.run(10)
    rig.run(5_000)
    assert len(heard(rig, DeviceReady)) == 2
    assert values(rig)[7:] == [100] * min(coin_count, 5)
    assert ("lost_events" in faults(rig)) == (coin_count > 5)


def test_a_reset_is_noticed_by_its_inhibits_where_the_counter_hides_it() -> None:
    rig = ready(CctalkCoinAcceptor(starts_open=True))
    assert rig.device.counter == 1
    rig.do("silence 300")
    rig.do("reset")
    rig.insert(100)
    rig.run(90)
    rig.insert(50)
    rig.run(5_000)
    assert len(heard(rig, DeviceReady)) == 2
    assert values(rig) == [200, 100, 50]


@pytest.mark.parametrize("is_unplugged", [False, True])
def test_inhibits_whose_acknowledgement_was_lost_are_not_taken_for_a_reset(is_unplugged: bool) -> None:
    rig = ready()
    rig.insert(100)
    rig.run(500)
    rig.do("silence 2000")
    rig.subject.enable([50])
    rig.run(150)
    assert rig.device.heard[-1][0] == 231, "the acceptor has taken the new inhibits"
    if is_unplugged:
        rig.unplug()
        rig.run(2_000)
        rig.plug()
    rig.run(6_000)
    assert len(heard(rig, DeviceReady)) == 2
    assert values(rig) == [200, 100], "its coins are not new ones"
    assert not faults(rig)


def test_inhibits_that_a_second_look_does_not_confirm_are_no_reset() -> None:
    rig = ready()
    lies = iter([b"\xff\x01"])  # two flipped bits that the checksum does not see

    def told(_: bytes) -> bytes:
        return next(lies, rig.device._mask)

    rig.device._answers[230] = told
    rig.run(6_000)
    assert next(lies, None) is None, "the inhibits were read back"
    assert len(heard(rig, DeviceReady)) == 1
    assert values(rig) == [200]


def test_a_reset_without_events_is_noticed_and_the_acceptor_set_up_again() -> None:
    rig = ready()
    rig.do("reset")
    rig.run(4_000)
    assert [lost.reason for lost in heard(rig, DeviceLost)] == ["the device was reset"]
    assert len(heard(rig, DeviceReady)) == 2
    rig.insert(100)
    rig.run(1_000)
    assert values(rig) == [200], "after every greeting the acceptor is disabled"
    rig.subject.enable([100])
    rig.run(500)
    rig.insert(100)
    rig.run(1_000)
    assert values(rig) == [200, 100]


@pytest.mark.parametrize("seed", range(4))
def test_on_a_bad_line_every_coin_is_credited_once(seed: int) -> None:
    device = CctalkCoinAcceptor(Faults(corrupt=0.1, drop=0.05, repeat=0.1, noise=0.05, seed=seed))
    rig = rig_of(device)
    rig.hear = lambda event: (
        rig.subject.enable([50, 100, 200])
        if isinstance(event, DeviceReady)
        else rig.subject.confirm(event.key)
        if isinstance(event, CoinAccepted)
        else None
    )
    run_until(rig, lambda: heard(rig, DeviceReady), limit_ms=120_000)
    rig.run(3_000)
    for index in range(30):
        rig.insert((50, 100, 200)[index % 3])
        rig.run(700)
    rig.run(5_000)
    assert values(rig) == [minor for minor, _ in device.accepted]
    assert len(device.accepted) >= 20
    assert "checksum" in faults(rig)
    assert not [header for header, _ in device.heard if header == RESET]


def test_the_line_s_fault_goes_when_the_line_has_been_good_for_a_while() -> None:
    rig = ready()
    for _ in range(5):
        rig.do("corrupt_next")
        rig.run(600)
    assert faults(rig) == ["checksum"]
    rig.run(31_000)
    assert [fault.is_up for fault in heard(rig, DeviceFault)] == [True, False]


def test_silence_is_answered_by_patience_and_never_by_a_reset() -> None:
    rig = ready()
    for _ in range(3):
        rig.do("silence 4000")
        rig.insert(100)
        rig.run(8_000)
        rig.subject.enable([100])
        rig.run(500)
    assert values(rig) == [200, 100, 100, 100]
    assert not [header for header, _ in rig.device.heard if header == RESET]


# --- finding it -------------------------------------------------------------------------------------------------------


def test_a_device_that_never_answers_is_reported_lost_once() -> None:
    rig = rig_of(CctalkCoinAcceptor())
    rig.do("power_cut")
    rig.run(20_000)
    assert [(type(event), event.at_ms) for event in rig.events if event.at_ms < 5_000] == [
        (DeviceLost, heard(rig, DeviceLost)[0].at_ms)
    ]
    assert len(rig.events) == 1
    rig.do("power_on")
    rig.run(3_000)
    assert isinstance(rig.events[-1], DeviceReady)


def test_another_kind_of_device_at_the_address_is_named() -> None:
    class Stranger(CctalkCoinAcceptor):
        CATEGORY = b"Payout"

    rig = rig_of(Stranger())
    rig.run(12_000)
    assert [lost.reason for lost in heard(rig, DeviceLost)] == [
        "a 'Payout' answers at address 2 instead of a 'Coin Acceptor'"
    ]


def test_coins_of_another_country_and_tokens_have_no_value() -> None:
    device = CctalkCoinAcceptor(coins=(b"GB100A", b"EU200A", b"TK001A", b"......"))
    rig = rig_of(device)
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert heard(rig, DeviceReady)[0].info.denominations_minor == (200,)


def test_a_coin_that_has_no_value_is_unknown_money() -> None:
    rig = ready()
    rig.device.happen(9, 1)
    rig.run(500)
    assert faults(rig) == ["unknown_money"]
    assert values(rig) == [200]


def test_an_acceptor_with_few_commands_works_too() -> None:
    class Simple(CctalkCoinAcceptor):
        def __init__(self) -> None:
            super().__init__(has_accept_counter=False)
            for header in (230, 232, 241, 242, 244, 246, 249):
                del self._answers[header]
            self._answers[184] = lambda data: EURO_COINS[data[0] - 1] if data[0] <= len(EURO_COINS) else None

    rig = ready(Simple())
    assert values(rig) == [200]
    info = heard(rig, DeviceReady)[0].info
    assert (info.manufacturer, info.serial) == ("", "coins")
    assert heard(rig, DeviceReady)[0].report == CoinReport(None, 0)


def test_a_device_that_asks_for_a_shorter_interval_gets_it() -> None:
    class Hasty(CctalkCoinAcceptor):
        POLL_PRIORITY = b"\x01\x32"

    rig = ready(Hasty())
    polls = len([header for header, _ in rig.device.heard if header == 229])
    rig.run(1_000)
    assert len([header for header, _ in rig.device.heard if header == 229]) - polls >= 14


def test_another_acceptor_in_its_place_begins_anew() -> None:
    rig = ready()
    rig.do("power_cut")
    rig.run(3_000)
    rig.do("change_serial 77")
    rig.do("power_on")
    rig.device.counter = 3
    rig.device._pairs = [b"\4\1"] * 3 + [b"\0\0"] * 2
    rig.run(4_000)
    assert values(rig) == [200], "what it took elsewhere is not ours"
    assert heard(rig, DeviceReady)[-1].report == CoinReport(1, 3)
    rig.subject.enable([100])
    rig.run(500)
    rig.insert(100)
    rig.run(500)
    assert heard(rig, CoinAccepted)[-1].key.startswith("77:")


# --- money ------------------------------------------------------------------------------------------------------------


def test_without_a_journal_coins_in_the_buffer_are_a_named_loss() -> None:
    device = CctalkCoinAcceptor()
    rig = ready(device)
    rig.host_dies()
    rig.boot(0)
    rig.run(4_000)
    assert heard(rig, DeviceReady)[0].report == CoinReport(1, 1)
    assert faults(rig) == ["lost_events"]
    assert values(rig) == []


def test_coins_that_fell_while_the_program_was_away_are_credited() -> None:
    rig = ready()
    rig.host_dies()
    rig.insert(100)
    rig.insert(50)
    rig.run(1_000)
    rig.boot(last_event=1)
    rig.run(4_000)
    assert values(rig) == [100, 50]
    assert heard(rig, DeviceReady)[0].report == CoinReport(3, 0, ("5326681:0:2", "5326681:0:3"))


def test_a_coin_is_told_again_until_it_is_confirmed() -> None:
    rig = rig_of(CctalkCoinAcceptor())
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([100])
    rig.run(500)
    rig.insert(100)
    rig.run(3_500)
    coins = heard(rig, CoinAccepted)
    assert len(coins) >= 3
    assert len({coin.key for coin in coins}) == 1
    rig.subject.confirm(coins[0].key)
    rig.events.clear()
    rig.run(3_500)
    assert not heard(rig, CoinAccepted)


def test_an_unconfirmed_coin_is_told_again_after_a_loss_of_the_line() -> None:
    rig = rig_of(CctalkCoinAcceptor())
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.subject.enable([100])
    rig.run(500)
    rig.insert(100)
    rig.run(300)
    rig.unplug()
    rig.run(500)
    rig.plug()
    rig.run(3_000)
    ready_at = rig.events.index(heard(rig, DeviceReady)[-1])
    assert isinstance(rig.events[ready_at + 1], CoinAccepted)


def test_a_sorter_sends_hopper_coins_to_the_hopper_and_the_rest_to_the_cash_box() -> None:
    rig = ready(sorter=SORTER)
    rig.subject.route("hopper")
    rig.run(600)
    for value in (100, 200):
        rig.insert(value)
        rig.run(400)
    rig.subject.route("cash_box")
    rig.run(600)
    rig.insert(100)
    rig.run(400)
    by_key = {coin.key: (coin.value_minor, coin.to) for coin in heard(rig, CoinAccepted)}
    assert list(by_key.values()) == [(200, "cash_box"), (100, "hopper"), (200, "cash_box"), (100, "cash_box")]
    assert rig.device.accepted == [(200, 2), (100, 1), (200, 2), (100, 2)]


def test_a_coin_that_fell_just_before_a_reset_is_a_named_loss() -> None:
    rig = ready()
    rig.run(3_000)  # the lifetime counter has been read
    rig.do("silence 200")
    rig.insert(100)
    rig.run(100)
    rig.do("reset")
    rig.run(4_000)
    assert faults(rig) == ["lost_events"]
    assert heard(rig, DeviceReady)[-1].report == CoinReport(2, 1)


# --- faults and refusals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "fault"),
    [(20, "string"), (17, "fraud"), (16, "fraud"), (6, "sensor"), (26, "jam"), (255, "internal")],
)
def test_a_code_that_a_person_must_look_at_is_a_fault_that_ends(code: int, fault: str) -> None:
    rig = ready()
    rig.do(f"report_code {code}")
    rig.run(500)
    assert faults(rig) == [fault]
    rig.run(7_000)
    assert [event.is_up for event in heard(rig, DeviceFault)] == [True, False]


def test_a_jam_lasts_until_the_self_check_is_good_again() -> None:
    rig = ready()
    rig.do("jam")
    rig.run(8_000)
    assert [(fault.code, fault.is_up) for fault in heard(rig, DeviceFault)] == [("jam", True), ("sensor", True)]
    rig.do("clear_jam")
    rig.run(3_000)
    assert {fault.code for fault in heard(rig, DeviceFault) if not fault.is_up} == {"jam", "sensor"}


@pytest.mark.parametrize(
    ("code", "reason"),
    [(1, "unknown"), (2, "inhibited"), (8, "too_close"), (254, "returned"), (131, "inhibited"), (77, "unknown")],
)
def test_a_refused_coin_is_told_with_its_reason(code: int, reason: str) -> None:
    rig = ready()
    rig.do(f"report_code {code}")
    rig.run(500)
    assert [event.reason for event in heard(rig, CoinRejected)] == [reason]
    assert not faults(rig)


def test_a_null_event_says_nothing() -> None:
    rig = ready()
    before = len(rig.events)
    rig.do("report_code 0")
    rig.run(500)
    assert len(rig.events) == before


def test_a_busy_device_is_asked_again() -> None:
    rig = ready()
    rig.do("busy 3")
    rig.insert(100)
    rig.run(2_000)
    assert values(rig) == [200, 100]
    assert not heard(rig, DeviceLost)


def test_a_device_that_stays_busy_is_lost() -> None:
    rig = ready()
    rig.do("busy 40")
    rig.run(5_000)
    assert [lost.reason for lost in heard(rig, DeviceLost)] == ["stays busy"]


def test_a_command_for_another_kind_of_device_is_our_own_mistake() -> None:
    rig = ready()
    with pytest.raises(LocalProtocolError, match="coin acceptor"):
        rig.port.command(Halt("coins"))
    with pytest.raises(LocalProtocolError, match="no hopper"):
        rig.port.command(Halt("hopper"))
    rig.port.command(Confirm("coins", "never heard of"))


def test_enabling_only_some_coins_changes_the_mask_and_not_more() -> None:
    rig = ready()
    rig.subject.enable([200])
    rig.run(300)
    rig.insert(50)
    rig.insert(200)
    rig.run(500)
    assert values(rig) == [200, 200]
    assert [coin.reason for coin in heard(rig, CoinRejected)] == ["inhibited"]
    assert replace(heard(rig, DeviceReady)[0].info, denominations_minor=()).product == "EMU"


def test_disabling_shuts_the_gate_before_it_changes_the_mask() -> None:
    rig = ready()
    before = len(rig.device.heard)
    rig.subject.disable()
    rig.run(300)
    set_by_us = [(header, data) for header, data in rig.device.heard[before:] if header in (228, 231)]
    assert set_by_us == [(228, b"\0"), (231, b"\0\0")]


def test_a_jump_of_the_counter_that_a_second_look_does_not_confirm_is_not_believed() -> None:
    class Stale(CctalkCoinAcceptor):
        """Answers one poll with what it should have said long ago."""

        is_stale = False

        def _answer(self, header: int, data: bytes) -> None:
            if self.is_stale and len(data) == 11:
                self.is_stale = False
                data = b"\xc8" + b"\x06\x01" * 5
            super()._answer(header, data)

    device = Stale()
    rig = ready(device)
    device.is_stale = True
    rig.run(1_000)
    assert values(rig) == [200]
    assert not faults(rig)


def test_an_answer_of_the_wrong_length_is_asked_for_again() -> None:
    class Short(CctalkCoinAcceptor):
        """Leaves the end of one buffer out."""

        is_short = False

        def _answer(self, header: int, data: bytes) -> None:
            if self.is_short and len(data) == 11:
                self.is_short = False
                data = data[:9]
            super()._answer(header, data)

    device = Short()
    rig = ready(device)
    device.is_short = True
    rig.insert(100)
    rig.run(1_000)
    assert values(rig) == [200, 100]


@pytest.mark.parametrize("moment_ms", [0, 60, 200])
def test_stop_while_it_is_found_or_set_up_refuses_coins(moment_ms: int) -> None:
    rig = rig_of(CctalkCoinAcceptor(starts_open=True))
    rig.run(moment_ms)
    rig.subject.stop()
    rig.run(2_000)
    assert rig.port.session.deadline_ms is None
    rig.insert(100)
    rig.run(500)
    assert not rig.device.accepted


def test_stop_while_it_does_not_answer_ends_too() -> None:
    rig = rig_of(CctalkCoinAcceptor())
    rig.do("power_cut")
    rig.run(1_000)
    rig.subject.stop()
    rig.run(2_000)
    assert rig.port.session.deadline_ms is None
