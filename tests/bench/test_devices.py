"""The benchmark of the devices measures what it says it does. Figures themselves are for people."""

import pytest

from firmware import cli
from firmware.bench import devices, polls
from firmware.errors import CheckFailed


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


def test_an_emulated_device_that_does_not_start_is_one_line_and_a_failed_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(polls, "_PROTOCOLS", {"notes, SSP": "ssp", "notes, smoke signals": "smoke"})
    assert cli.run(["bench", "devices", "--minutes", "1", "--json"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("bench: the emulated device smoke does not start: there is no emulated device smoke")


def test_an_emulated_device_that_does_not_answer_is_a_failed_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polls, "PATIENCE_S", 0.01)
    with pytest.raises(CheckFailed, match="did not answer"):
        polls.wait_until(lambda: False)
