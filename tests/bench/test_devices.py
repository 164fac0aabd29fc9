"""The benchmark of the devices measures what it says it does. Figures themselves are for people."""

import pytest

from firmware.bench import devices


def test_drivers_and_note_are_measured_on_emulated_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "SECONDS", 0.3)
    monkeypatch.setattr(devices, "NOTES", 2)
    painted: list[bool] = []
    drivers = devices.measure_drivers(lambda: painted.append(True))
    assert drivers["devices"] == 4
    assert drivers["idle_cpu_percent_of_a_core"] >= 0
    assert painted
    note = devices.measure_note()
    assert note["mouth_to_view_ms_median"] > note["no_return_to_view_ms_median"] >= 0
