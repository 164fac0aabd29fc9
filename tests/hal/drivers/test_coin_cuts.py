"""ccTalk coins, cut at every step: every coin that went in is credited once, or somebody is told."""

import pytest

from hal.emulators.cctalk_coin import CctalkCoinAcceptor
from hal.wire.cctalk_bus import CctalkBus
from hal.wire.cctalk_coin import CoinStation
from tests.hal.contract.loop_rigs import LoopCoinRig
from tests.hal.drivers.cuts import CUTS, MESSAGES, cut, moments
from tests.hal.drivers.teller import CoinTeller, Journal

VALUES = (100, 200, 50)
DIALOGUE_MS = 900
SETTLE_MS = 6_000
VARIANTS = {"with a lifetime counter": True, "without one": False}


class Bench:
    """A device, its program and the program's journal."""

    def __init__(self, variant: str) -> None:
        device = CctalkCoinAcceptor(has_accept_counter=VARIANTS[variant])
        self.rig = LoopCoinRig(device, lambda: CctalkBus([CoinStation("coins", "EU")]))
        self.journal = Journal()
        self.rig.boot()
        self.rig.hear = CoinTeller(self.journal, lambda: self.rig.subject, VALUES).hear
        self.rig.run(4_000)
        self.rig.insert(200)  # so that there is a journal to go on from
        self.rig.run(500)
        for value in VALUES:
            self.rig.insert(value)
            self.rig.run(30)


@pytest.mark.parametrize("kind", CUTS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_cut_anywhere_every_coin_is_credited_once_or_a_fault(variant: str, kind: str) -> None:
    credited_all = cases = 0
    for moment_ms in [0, 30, *moments(Bench(variant).rig, DIALOGUE_MS)]:
        for message in MESSAGES:
            bench = Bench(variant)
            bench.rig.run(moment_ms)
            if message != "whole":
                bench.rig.do(message)
            bench.rig.run(12)
            cut(bench.rig, kind, bench.journal.last_event)
            bench.rig.run(SETTLE_MS)
            credited, taken = sorted(bench.journal.credits.values()), bench.rig.accepted_minor
            where = f"cut after {moment_ms} ms, last message {message}: in {taken}, credited {credited}"
            assert all(credited.count(value) <= taken.count(value) for value in VALUES), where
            cases += 1
            credited_all += credited == taken
            if credited == taken or bench.journal.faults:
                continue
            # The acceptor forgot its event together with all that the program knew: its lifetime counter alone tells.
            assert kind == "power" or (kind == "device" and not VARIANTS[variant]), where
            if VARIANTS[variant]:
                assert bench.journal.accepted_count == len(taken), where
    assert credited_all >= cases * (0.8 if kind in ("program", "line") else 0.5)
    if kind in ("program", "line"):
        assert credited_all == cases, "the device was on all the time: every coin must be credited"
