"""A ccTalk pay-out, cut at every step: never a coin too many, and what is told is true or says that it can't know."""

import pytest

from hal.emulators.cctalk_hopper import CctalkHopper
from hal.events import DeviceReady, HopperDone, HopperReport
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_hopper import HopperStation
from tests.hal.contract.loop_rigs import LoopHopperRig
from tests.hal.contract.rig import heard
from tests.hal.drivers.cuts import CUTS, MESSAGES, cut, moments

COIN_COUNT = 3
DIALOGUE_MS = 1_300
SETTLE_MS = 6_000


def serial() -> CctalkHopper:
    return CctalkHopper()


def free_bytes() -> CctalkHopper:
    return CctalkHopper(form="free_bytes", echo=False)


def without_lifetime() -> CctalkHopper:
    return CctalkHopper(has_lifetime_counter=False)


def counts_refused() -> CctalkHopper:
    return CctalkHopper(counts_refused=True)


VARIANTS = {
    "serial form": serial,
    "free bytes": free_bytes,
    "no lifetime counter": without_lifetime,
    "counts refused orders": counts_refused,
}


def bench(variant: str) -> LoopHopperRig[CctalkHopper]:
    """A hopper that has paid before, and begins to pay again."""
    rig = LoopHopperRig(VARIANTS[variant](), lambda: CctalkBus([HopperStation("hopper", "EU", 100)]))
    rig.boot()
    rig.run(4_000)
    rig.subject.pay("p1-1", COIN_COUNT)
    rig.run(2_500)
    assert [done.reason for done in heard(rig, HopperDone)] == ["complete"]
    rig.subject.pay("p1-2", COIN_COUNT)
    return rig


@pytest.mark.parametrize("kind", CUTS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_cut_anywhere_a_pay_out_never_pays_too_much_and_tells_the_truth(variant: str, kind: str) -> None:
    certain = cases = 0
    for moment_ms in moments(bench(variant), DIALOGUE_MS):
        for message in MESSAGES:
            rig = bench(variant)
            rig.run(moment_ms)
            if message != "whole":
                rig.do(message)
            rig.run(12)
            done_before = heard(rig, HopperDone)
            cut(rig, kind, 0)
            rig.run(SETTLE_MS)
            fallen = rig.paid_count - COIN_COUNT
            where = f"cut after {moment_ms} ms, last message {message}: {fallen} fell; {rig.events}"
            assert fallen <= COIN_COUNT, where
            done = {event for event in done_before + heard(rig, HopperDone) if event.payout_id == "p1-2"}
            cases += 1
            if kind in ("power", "program"):
                report = heard(rig, DeviceReady)[0].report
                assert isinstance(report, HopperReport)
                assert report.last_payout_id is None, "a new program can't know whose coins the hopper paid last"
                if report.dispensed_count is not None:
                    assert report.dispensed_count == rig.paid_count, where
                continue
            results = {(event.paid_count, event.reason) for event in done}
            assert len(results) == 1, where
            paid_count, reason = results.pop()
            assert paid_count == fallen or (reason == "unknown" and paid_count <= fallen), where
            assert (reason == "complete") == (reason != "unknown" and fallen == COIN_COUNT), where
            certain += reason != "unknown"
    if kind in ("device", "line"):
        assert certain >= cases * (0.5 if variant == "no lifetime counter" else 1)
