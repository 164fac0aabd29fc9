"""The dialogue with a ccTalk hopper: it pays once, whatever is lost on the way, and tells what really left."""

from typing import Literal

import pytest

from hal.emulators.base import Faults
from hal.emulators.cctalk_hopper import CctalkHopper
from hal.errors import LocalProtocolError
from hal.events import DeviceFault, DeviceLost, DeviceReady, HopperDone, HopperPaid, HopperReport
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_hopper import HopperStation
from hal.wire.session import Enable
from tests.hal.contract.loop_rigs import LoopHopperRig
from tests.hal.contract.rig import heard, run_until

DISPENSE, RESET, STOP, ENABLE = 167, 1, 172, 164
Rig = LoopHopperRig[CctalkHopper]


def rig_of(device: CctalkHopper) -> Rig:
    rig = LoopHopperRig(device, lambda: CctalkBus([HopperStation("hopper", "EU", 100)]))
    rig.boot()
    return rig


def ready(device: CctalkHopper | None = None) -> Rig:
    rig = rig_of(device or CctalkHopper())
    run_until(rig, lambda: heard(rig, DeviceReady))
    rig.run(500)
    return rig


def pay(rig: Rig, count: int, name: str = "p1-1") -> HopperDone:
    rig.subject.pay(name, count)
    run_until(rig, lambda: [done for done in heard(rig, HopperDone) if done.payout_id == name], limit_ms=120_000)
    return heard(rig, HopperDone)[-1]


def outcome(done: HopperDone) -> tuple[int, str]:
    return done.paid_count, done.reason


def up(rig: Rig) -> list[str]:
    return [fault.code for fault in heard(rig, DeviceFault) if fault.is_up]


def orders(rig: Rig) -> list[bytes]:
    return [data for header, data in rig.device.heard if header == DISPENSE]


def report(rig: Rig) -> HopperReport:
    found = heard(rig, DeviceReady)[-1].report
    assert isinstance(found, HopperReport)
    return found


# --- paying -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["serial", "free_bytes"])
def test_both_forms_of_the_order_pay(form: Literal["serial", "free_bytes"]) -> None:
    rig = ready(CctalkHopper(form=form))
    assert outcome(pay(rig, 5)) == (5, "complete")
    assert orders(rig) == [b"\xdf\xd7\x0a\x05" if form == "serial" else bytes(8) + b"\x05"]
    rig.run(1_000)
    assert rig.device.heard[-1][0] != ENABLE
    assert [data for header, data in rig.device.heard if header == ENABLE][-1] == b"\0", "afterwards it is disabled"


def test_a_large_pay_out_is_made_of_small_orders() -> None:
    rig = ready(CctalkHopper(coin_count=100))
    assert outcome(pay(rig, 47)) == (47, "complete")
    assert [data[-1] for data in orders(rig)] == [20, 20, 7]
    totals = [paid.paid_count for paid in heard(rig, HopperPaid)]
    assert totals == sorted(totals)
    assert totals[-1] == 47


def test_the_order_counter_wraps() -> None:
    rig = ready(CctalkHopper(coin_count=1_000))
    for number in range(258):
        assert outcome(pay(rig, 1, f"p1-{number}")) == (1, "complete")
    assert rig.paid_count == 258


@pytest.mark.parametrize("mishap", ["drop_next", "corrupt_next"])
def test_an_order_whose_answer_is_lost_is_never_sent_again(mishap: str) -> None:
    rig = ready()
    rig.subject.pay("p1-1", 4)
    run_until(rig, lambda: rig.device.heard[-1][0] == ENABLE)
    rig.run(6)
    rig.do(mishap)  # the next answer is the one to the order
    run_until(rig, lambda: heard(rig, HopperDone))
    assert outcome(heard(rig, HopperDone)[0]) == (4, "complete")
    assert len(orders(rig)) == 1
    assert rig.paid_count == 4


@pytest.mark.parametrize("silence_ms", [400, 5_000])
def test_silence_is_answered_by_patience_and_never_by_a_reset(silence_ms: int) -> None:
    """A reset would wipe what tells how many coins of the order have left."""
    rig = ready()
    rig.subject.pay("p1-1", 4)
    run_until(rig, lambda: orders(rig))
    before = [header for header, _ in rig.device.heard].count(RESET)  # the flag of power-up is cleared by one
    rig.do(f"silence {silence_ms}")
    run_until(rig, lambda: heard(rig, HopperDone))
    assert outcome(heard(rig, HopperDone)[0]) == (4, "complete")
    assert [header for header, _ in rig.device.heard].count(RESET) == before


def test_an_order_that_never_arrived_is_sent_again() -> None:
    class Deaf(CctalkHopper):
        """Does not hear the first orders."""

        deaf_count = 2

        def _on_dispense(self, data: bytes) -> bytes | None:
            if self.deaf_count:
                self.deaf_count -= 1
                self._drop_next = True
                return None
            return super()._on_dispense(data)

    rig = ready(Deaf())
    assert outcome(pay(rig, 4)) == (4, "complete")
    assert len(orders(rig)) == 3
    assert rig.paid_count == 4


def test_an_order_that_never_arrives_is_given_up() -> None:
    class Deaf(CctalkHopper):
        def _on_dispense(self, data: bytes) -> bytes | None:
            self._drop_next = True
            return None

    rig = ready(Deaf())
    assert outcome(pay(rig, 4)) == (0, "fault")
    assert len(orders(rig)) == 3


@pytest.mark.parametrize("counts_refused", [True, False])
@pytest.mark.parametrize("has_lifetime_counter", [True, False])
def test_a_refused_order_has_paid_nothing(counts_refused: bool, has_lifetime_counter: bool) -> None:
    device = CctalkHopper(counts_refused=counts_refused, has_lifetime_counter=has_lifetime_counter)
    rig = ready(device)
    assert outcome(pay(rig, 4)) == (4, "complete")
    device._serial = b"\1\2\3"  # it no longer takes the serial number that it told
    assert outcome(pay(rig, 4, "p1-2")) == (0, "fault")
    assert rig.paid_count == 4
    assert len(orders(rig)) == 2


@pytest.mark.parametrize("seed", range(5))
def test_on_a_bad_line_no_coin_is_paid_that_is_not_told(seed: int) -> None:
    rig = rig_of(CctalkHopper(Faults(corrupt=0.08, drop=0.08, repeat=0.1, noise=0.05, seed=seed), coin_count=200))
    run_until(rig, lambda: heard(rig, DeviceReady), limit_ms=120_000)
    for number in range(8):
        rig.run(2_000)
        rig.subject.pay(f"p1-{number}", 7)
        rig.run(12_000)
    done = {event.payout_id: event for event in heard(rig, HopperDone)}
    assert len(done) == 8
    assert all(event.paid_count <= 7 for event in done.values())
    certain = [event for event in done.values() if event.reason != "unknown"]
    assert len(certain) == 8
    assert sum(event.paid_count for event in done.values()) == rig.paid_count
    assert rig.paid_count >= 28


def test_a_second_pay_out_while_one_runs_is_refused_at_once() -> None:
    rig = ready()
    rig.subject.pay("p1-1", 5)
    rig.run(300)
    rig.subject.pay("p1-2", 5)
    rig.run(8_000)
    assert {done.payout_id: outcome(done) for done in heard(rig, HopperDone)} == {
        "p1-1": (5, "complete"),
        "p1-2": (0, "fault"),
    }
    assert rig.paid_count == 5


def test_a_pay_out_is_not_kept_for_later_while_the_hopper_is_away() -> None:
    rig = ready()
    rig.unplug()
    rig.run(500)
    rig.subject.pay("p1-1", 5)
    rig.plug()
    rig.run(8_000)
    assert [outcome(done) for done in heard(rig, HopperDone)] == [(0, "fault")]
    assert rig.paid_count == 0


def test_old_pay_outs_are_forgotten_in_the_end() -> None:
    rig = ready(CctalkHopper(coin_count=200))
    for number in range(70):
        pay(rig, 1, f"p1-{number}")
    rig.subject.pay("p1-69", 1)
    rig.run(3_000)
    assert rig.paid_count == 70


# --- stopping -----------------------------------------------------------------------------------------------------------


def test_halt_before_the_order_pays_nothing() -> None:
    rig = ready()
    rig.subject.halt()
    rig.subject.pay("p1-1", 5)
    rig.subject.halt()
    rig.run(3_000)
    assert [outcome(done) for done in heard(rig, HopperDone)] == [(0, "stopped")]
    assert not orders(rig)


def test_halt_between_orders_ends_the_pay_out() -> None:
    rig = ready(CctalkHopper(coin_count=100))
    rig.subject.pay("p1-1", 60)
    run_until(rig, lambda: heard(rig, HopperPaid) and heard(rig, HopperPaid)[-1].paid_count >= 19)
    rig.subject.halt()
    rig.run(3_000)
    done = heard(rig, HopperDone)[0]
    assert done.reason == "stopped"
    assert done.paid_count == rig.paid_count < 60


@pytest.mark.parametrize(("trouble", "reason"), [("jam", "jam"), ("set_coins 0", "empty"), ("shine", "fault")])
def test_a_pay_out_that_ends_early_says_why(trouble: str, reason: str) -> None:
    rig = ready()
    rig.subject.pay("p1-1", 10)
    run_until(rig, lambda: heard(rig, HopperPaid))
    rig.do(trouble)
    if trouble == "shine":
        rig.device._end()  # the light stops this one
    run_until(rig, lambda: heard(rig, HopperDone))
    done = heard(rig, HopperDone)[0]
    assert done.reason == reason
    assert done.paid_count == rig.paid_count < 10
    assert up(rig)[0] == {"jam": "jam", "empty": "empty", "fault": "fraud"}[reason]


def test_a_cleared_jam_lets_it_pay_again() -> None:
    rig = ready()
    rig.do("jam")
    assert outcome(pay(rig, 5)) == (0, "jam")
    rig.do("clear_jam")
    assert outcome(pay(rig, 5, "p1-2")) == (5, "complete")
    assert [(fault.code, fault.is_up) for fault in heard(rig, DeviceFault)] == [("jam", True), ("jam", False)]


def test_an_empty_hopper_may_be_tried_again_after_a_while() -> None:
    rig = ready(CctalkHopper(coin_count=2))
    assert outcome(pay(rig, 5)) == (2, "empty")
    rig.do("refill_hopper 20")
    rig.run(65_000)
    assert [(fault.code, fault.is_up) for fault in heard(rig, DeviceFault)] == [("empty", True), ("empty", False)]
    assert outcome(pay(rig, 5, "p1-2")) == (5, "complete")


def test_a_motor_that_turns_without_coins_is_stopped() -> None:
    class Endless(CctalkHopper):
        """Never gives up by itself."""

        def on_due(self) -> None:
            if self.coin_count:
                super().on_due()

    rig = ready(Endless(coin_count=3))
    rig.subject.pay("p1-1", 5)
    rig.run(30_000)
    assert [outcome(done) for done in heard(rig, HopperDone)] == [(3, "fault")]
    assert STOP in [header for header, _ in rig.device.heard]


def test_coins_without_an_order_are_a_runaway() -> None:
    rig = ready()
    rig.do("run_away 3")
    rig.run(2_000)
    faults = [fault for fault in heard(rig, DeviceFault) if fault.is_up]
    assert [(fault.code, fault.detail) for fault in faults] == [("runaway", "3 coins left without an order")]
    rig.run(8_000)
    assert not heard(rig, DeviceFault)[-1].is_up


def test_a_motor_that_runs_without_an_order_is_stopped() -> None:
    rig = ready()
    rig.device._remaining = 9
    rig.device._plan()
    rig.run(3_000)
    assert "runaway" in up(rig)
    assert rig.paid_count <= 5


def test_more_coins_than_ordered_can_t_be_certain() -> None:
    rig = ready()
    rig.subject.pay("p1-1", 3)
    run_until(rig, lambda: heard(rig, HopperPaid))
    rig.do("run_away 2")
    rig.run(5_000)
    assert [outcome(done) for done in heard(rig, HopperDone)] == [(3, "unknown")]
    assert "unknown_money" in up(rig)


def test_answers_that_do_not_add_up_stop_the_motor() -> None:
    rig = ready(CctalkHopper(has_lifetime_counter=False))
    rig.subject.pay("p1-1", 9)
    run_until(rig, lambda: heard(rig, HopperPaid))
    rig.device._answers[166] = lambda _: bytes((rig.device._counter, 1, 1, 1))
    rig.run(8_000)
    done = heard(rig, HopperDone)[0]
    assert done.reason == "unknown"
    assert done.paid_count <= rig.paid_count < 9
    assert STOP in [header for header, _ in rig.device.heard]


def test_an_end_that_is_told_only_once_is_not_believed() -> None:
    class Slip(CctalkHopper):
        """Moves a value from one field to another once, which the checksum can't see."""

        slips = 1

        def _answer(self, header: int, data: bytes) -> None:
            if self._remaining and len(data) == 4 and self.slips:
                self.slips -= 1
                data = bytes((data[0], 0, data[2] + data[1], data[3]))
            super()._answer(header, data)

    rig = ready(Slip(has_lifetime_counter=False))
    assert outcome(pay(rig, 6)) == (6, "complete")
    assert rig.paid_count == 6
    assert heard(rig, HopperPaid)[0].paid_count < 6


# --- losing and finding it ------------------------------------------------------------------------------------------------


def test_power_lost_while_paying_ends_the_pay_out_with_what_left() -> None:
    rig = ready()
    rig.subject.pay("p1-1", 9)
    run_until(rig, lambda: len(heard(rig, HopperPaid)) >= 3)
    rig.do("power_cut")
    rig.run(5_000)
    rig.do("power_on")
    rig.run(5_000)
    done = heard(rig, HopperDone)[0]
    assert outcome(done) == (rig.paid_count, "fault")
    assert (report(rig).last_payout_id, report(rig).last_paid_count) == ("p1-1", rig.paid_count)
    assert rig.events.index(heard(rig, DeviceReady)[-1]) < rig.events.index(done)
    assert up(rig) == ["internal"]
    assert len(orders(rig)) == 1
    assert outcome(pay(rig, 2, "p1-2")) == (2, "complete")


def test_a_pay_out_that_nobody_can_count_is_not_reported_as_counted() -> None:
    rig = ready(CctalkHopper(has_lifetime_counter=False))
    pay(rig, 3)
    rig.subject.pay("p1-2", 3)
    run_until(rig, lambda: rig.paid_count == 6)
    rig.do("power_cut")  # the hopper's memory now looks as it did after the first one
    rig.run(5_000)
    rig.do("power_on")
    rig.run(8_000)
    assert heard(rig, HopperDone)[-1].reason == "unknown"
    assert (report(rig).last_payout_id, report(rig).last_paid_count) == (None, None)
    assert "unknown_money" in up(rig)
    pay(rig, 2, "p1-3")
    rig.unplug()
    rig.run(300)
    rig.plug()
    rig.run(5_000)
    assert (report(rig).last_payout_id, report(rig).last_paid_count) == ("p1-3", 2)


def test_a_line_lost_while_paying_lets_the_order_end_and_nothing_more() -> None:
    rig = ready(CctalkHopper(coin_count=100))
    rig.subject.pay("p1-1", 30)
    run_until(rig, lambda: heard(rig, HopperPaid))
    rig.unplug()
    rig.run(600)
    rig.plug()
    rig.run(8_000)
    assert [outcome(done) for done in heard(rig, HopperDone)] == [(20, "fault")]
    assert rig.paid_count == 20


def test_halt_while_the_line_is_away_stops_it_when_it_is_back() -> None:
    rig = ready()
    rig.subject.pay("p1-1", 20)
    run_until(rig, lambda: heard(rig, HopperPaid))
    rig.unplug()
    rig.subject.halt()
    rig.run(300)
    rig.plug()
    rig.run(6_000)
    done = heard(rig, HopperDone)[0]
    assert outcome(done) == (rig.paid_count, "stopped")
    assert rig.paid_count < 20


def test_a_new_program_stops_what_the_old_one_ordered() -> None:
    rig = ready()
    rig.subject.pay("p1-1", 20)
    run_until(rig, lambda: heard(rig, HopperPaid))
    rig.host_dies()
    rig.boot()
    run_until(rig, lambda: heard(rig, DeviceReady))
    assert report(rig) == HopperReport(dispensed_count=rig.paid_count)
    assert rig.paid_count < 20
    rig.run(3_000)
    assert report(rig).dispensed_count == rig.paid_count


def test_a_reset_while_nothing_is_paid_is_noticed() -> None:
    rig = ready()
    pay(rig, 2)
    rig.do("reset")
    rig.run(4_000)
    assert [lost.reason for lost in heard(rig, DeviceLost)] == ["the hopper was reset"]
    assert outcome(pay(rig, 2, "p1-2")) == (2, "complete")


def test_a_reset_just_before_a_pay_out_is_noticed() -> None:
    rig = ready()
    pay(rig, 2)
    rig.run(600)
    rig.do("reset")
    rig.subject.pay("p1-2", 2)
    rig.run(6_000)
    assert [outcome(done) for done in heard(rig, HopperDone)][-1] == (0, "fault")
    assert rig.paid_count == 2


def test_a_hopper_with_other_coins_is_not_used() -> None:
    rig = rig_of(CctalkHopper(coin_id=b"EU200A"))
    rig.run(10_000)
    assert [lost.reason for lost in heard(rig, DeviceLost)] == [
        "the hopper holds coins of 200 minor units instead of 100"
    ]


def test_a_hopper_that_does_not_tell_its_coin_is_trusted() -> None:
    device = CctalkHopper()
    del device._answers[171]
    rig = ready(device)
    assert outcome(pay(rig, 2)) == (2, "complete")


def test_an_old_fault_is_cleared_before_it_is_ready() -> None:
    device = CctalkHopper()
    device._flags = 1 << 0
    rig = ready(device)
    assert not up(rig)
    assert [header for header, _ in device.heard].count(RESET) == 1
    assert outcome(pay(rig, 2)) == (2, "complete")


def test_a_fault_that_stays_is_shown() -> None:
    class Broken(CctalkHopper):
        def _registers(self) -> bytes:
            registers = super()._registers()
            return bytes((registers[0], registers[1] | 1 << 5, registers[2]))

    rig = ready(Broken())
    assert up(rig) == ["motor"]


def test_stop_while_paying_stops_the_motor() -> None:
    rig = ready()
    rig.subject.pay("p1-1", 20)
    run_until(rig, lambda: heard(rig, HopperPaid))
    rig.subject.stop()
    rig.run(1_000)
    paid_count = rig.paid_count
    rig.run(3_000)
    assert rig.paid_count == paid_count < 20
    assert rig.port.session.deadline_ms is None


def test_a_command_for_another_kind_of_device_is_our_own_mistake() -> None:
    rig = ready()
    with pytest.raises(LocalProtocolError, match="hopper"):
        rig.port.command(Enable("hopper", (100,)))


def test_the_same_order_again_while_it_runs_and_after_it_pays_nothing_more() -> None:
    rig = ready()
    rig.subject.pay("p1-1", 4)
    rig.run(400)
    rig.subject.pay("p1-1", 4)
    run_until(rig, lambda: heard(rig, HopperDone))
    rig.subject.pay("p1-1", 4)
    rig.run(2_000)
    assert [outcome(done) for done in heard(rig, HopperDone)] == [(4, "complete")] * 2
    assert rig.paid_count == 4
