"""What Linux tells of the machine, on made-up files; what is missing is not known, and never an error."""

from pathlib import Path

import pytest

from firmware import machine_facts


@pytest.mark.parametrize(("alarm", "expected"), [("0\n", False), ("1\n", True)])
def test_too_low_a_voltage_is_told_by_the_boards_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alarm: str, expected: bool
) -> None:
    for number, name in enumerate(("cpu_thermal", "rpi_volt")):
        folder = tmp_path / f"hwmon{number}"
        folder.mkdir()
        (folder / "name").write_text(f"{name}\n")
    (tmp_path / "hwmon1" / "in0_lcrit_alarm").write_text(alarm)
    monkeypatch.setattr(machine_facts, "HWMON", tmp_path)
    assert machine_facts.under_voltage() is expected


def test_a_board_without_the_driver_can_not_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        monkeypatch.setattr(machine_facts, "HWMON", place)
        assert machine_facts.under_voltage() is None
    monkeypatch.setattr(machine_facts, "THERMAL", tmp_path / "nowhere")
    assert machine_facts.temperature_millidegrees() is None
    assert machine_facts.free_mib(tmp_path / "nowhere") is None


def test_who_keeps_the_clock_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SYNCHRONISED", "RTC"):
        monkeypatch.setattr(machine_facts, name, tmp_path / name)
    assert machine_facts.clock_source() == ""
    (tmp_path / "RTC").touch()
    assert machine_facts.clock_source() == "rtc"
    (tmp_path / "SYNCHRONISED").touch()
    assert machine_facts.clock_source() == "ntp"
