"""Real ccTalk drivers and byte-level devices: their counters agree with the journal over a power cut, or it is said."""

from pathlib import Path

from firmware.simulator.emulated import EmulatedCabinet
from tests.support.cabinet import settings_for

MONEY_MS = 6_000


def test_counters_of_emulated_devices_agree_over_a_power_cut_and_a_planted_one_is_named(tmp_path: Path) -> None:
    cabinet = EmulatedCabinet(settings_for(tmp_path), "cctalk")
    try:
        cabinet.boot()
        cabinet.wait(MONEY_MS)
        cabinet.act(lambda world: world.insert_note(2_000), wait_ms=MONEY_MS)
        cabinet.act(lambda world: world.insert_coin(100), wait_ms=MONEY_MS)
        known = {device: counter.count for device, counter in cabinet.terminal.state.recorded.counters.items()}
        assert known == {"notes": 1, "coins": 1, "hopper": 0}
        cabinet.cut_power()
        cabinet.boot()
        cabinet.wait(MONEY_MS)
        assert not list(cabinet.terminal.state.recorded.faults)
        cabinet.cut_power()
        cabinet.world._wire.coins.accepted_count += 3  # type: ignore[attr-defined]
        cabinet.world._wire.hopper._lifetime += 5  # type: ignore[attr-defined]
        cabinet.boot()
        cabinet.wait(MONEY_MS)
        found = {fault.code: fault.detail for fault in cabinet.terminal.state.recorded.faults}
        assert set(found) == {"C6", "H7"}
        assert "counted 4, the journal 1" in found["C6"]
        assert "counted 5, the journal 0" in found["H7"]
    finally:
        cabinet.world.close()
