"""The real terminal pays from byte-level hoppers, and the dialogue is cut at each step: what left, what the journal says
and what is still owed add up, or a named fault says that they may not; and no coin is paid twice."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from display.view_model import Gesture
from hal.emulators.cctalk_hopper import CctalkHopper
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_hopper import HopperStation
from tests.hal.drivers.cuts import MESSAGES
from tests.support.cabinet import settings_for
from tests.support.wired_cabinet import PulseHopperLines, SerialLine, WiredCabinet

COIN_COUNT = 3
AMOUNT_MINOR = 100 * COIN_COUNT
SETTLE_MS = 6_000
CCTALK: dict[str, Callable[[], CctalkHopper]] = {
    "serial form": CctalkHopper,
    "free bytes": lambda: CctalkHopper(form="free_bytes", echo=False),
    "no lifetime counter": lambda: CctalkHopper(has_lifetime_counter=False),
    "counts refused orders": lambda: CctalkHopper(counts_refused=True),
}
UNCERTAIN = "H4"
"""The hopper can't say how many coins left."""


class Bench:
    """A cabinet with a hopper that begins to pay."""

    def __init__(self, folder: Path, hopper: SerialLine | PulseHopperLines) -> None:
        self.hopper = hopper
        self.cabinet = WiredCabinet(settings_for(folder), hopper)
        self.cabinet.boot()
        for _ in range(COIN_COUNT):
            self.cabinet.world.insert_coin(100)
            self.cabinet.wait(600)
        self.cabinet.expect_credit(AMOUNT_MINOR)
        self.cabinet.terminal.handle(Gesture("button:cash_out"))

    @property
    def fallen_count(self) -> int:
        """Coins that ever left the hopper."""
        if isinstance(self.hopper, PulseHopperLines):
            return self.hopper.rig.paid_count
        assert isinstance(self.hopper.device, CctalkHopper)
        return self.hopper.device.fallen_count

    def verdict(self) -> str:
        """What became of the pay-out; raises AssertionError if the sums don't say the truth."""
        cabinet, books, recorded = self.cabinet, self.cabinet.books, self.cabinet.terminal.state.recorded
        books.check()
        fallen, faults = self.fallen_count, cabinet.fault_codes
        told = (books.meter("hopper_paid_minor") + books.meter("hopper_extra_minor")) // 100
        assert fallen <= COIN_COUNT, f"{fallen} coins left"
        assert recorded.credit_minor + books.handpay_minor == AMOUNT_MINOR - 100 * told
        assert recorded.payout is None or recorded.payout.hopper_done, "the pay-out stays open"
        if told == fallen:
            verdict = "paid" if told == COIN_COUNT else "rest by hand"
        else:
            assert told < fallen, f"the journal says {told}, {fallen} left"
            assert UNCERTAIN in faults, f"the journal says {told}, {fallen} left, and nobody is told: {faults}"
            verdict = "fault"
        self.attend()
        assert cabinet.books.handpay_minor == 0, cabinet.fault_codes
        cabinet.expect_credit(0)
        assert self.fallen_count == fallen, "the hopper went on"
        return verdict

    def attend(self) -> None:
        """The attendant sees to the faults, then pays the rest by hand: a turn of the key each."""
        for _ in range(2):
            self.cabinet.act(lambda world: world.turn_key("attendant"))
            self.cabinet.act(lambda world: world.turn_back_key("attendant"))


def cctalk(variant: str) -> SerialLine:
    return SerialLine("hopper", CCTALK[variant](), lambda: CctalkBus([HopperStation("hopper", "EU", 100)]))


def moments(bench: Bench, line: SerialLine) -> list[int]:
    """The times, from the order on, just before and just after each message of the host while it pays."""
    found, begin_ms = set(), bench.cabinet.clock.monotonic_ms()
    while bench.cabinet.terminal.state.recorded.payout is not None:
        assert line.port is not None
        before = len(line.port.sent)
        bench.cabinet.wait(1)
        if len(line.port.sent) != before:
            since_ms = bench.cabinet.clock.monotonic_ms() - begin_ms
            found |= {since_ms - 1, since_ms + 6}
    return sorted(found)


@pytest.mark.parametrize("kind", ["power", "program", "device", "line"])
@pytest.mark.parametrize("variant", CCTALK)
def test_a_cctalk_pay_out_cut_anywhere_adds_up_or_is_a_named_fault(tmp_path: Path, variant: str, kind: str) -> None:
    line = cctalk(variant)
    dry = Bench(tmp_path / "dry", line)
    steps = moments(dry, line)
    assert len(steps) > 20
    assert dry.verdict() == "paid"
    dry.cabinet.close()
    verdicts: Counter[str] = Counter()
    for number, moment_ms in enumerate(steps):
        message = MESSAGES[(number + number // len(MESSAGES)) % len(MESSAGES)]  # each comes before and after messages
        line = cctalk(variant)
        bench = Bench(tmp_path / str(number), line)
        bench.cabinet.wait(moment_ms)
        if message != "whole":
            line.do(message)
        bench.cabinet.wait(12)
        fallen = bench.fallen_count
        bench.cabinet.cut(kind, line)
        bench.cabinet.wait(SETTLE_MS)
        try:
            if kind == "power":
                assert bench.fallen_count == fallen, "coins fell after the power came back"
            verdicts[bench.verdict()] += 1
        except AssertionError as error:
            raise AssertionError(f"cut after {moment_ms} ms, last message {message}: {error}") from error
        bench.cabinet.close()
    if variant != "no lifetime counter":
        assert not verdicts["fault"], "the hopper counts for life: nothing may be in doubt"


@pytest.mark.parametrize("kind", ["power", "program"])
def test_a_pulse_pay_out_cut_anywhere_adds_up_or_is_a_named_fault(tmp_path: Path, kind: str) -> None:
    verdicts: Counter[str] = Counter()
    for moment_ms in range(0, 1_400, 35):
        bench = Bench(tmp_path / str(moment_ms), PulseHopperLines())
        bench.cabinet.wait(moment_ms)
        bench.cabinet.cut(kind)
        bench.cabinet.wait(SETTLE_MS)
        try:
            verdicts[bench.verdict()] += 1
        except AssertionError as error:
            raise AssertionError(f"cut after {moment_ms} ms: {error}") from error
        bench.cabinet.close()
    assert verdicts["paid"]
    assert verdicts["fault"], "it has no memory: cut while a coin falls, it can not be sure"
