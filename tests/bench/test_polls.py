"""The benchmark of polls counts what was late, on real drivers and emulated devices. Figures themselves are for people."""

import argparse
import json
import time
from collections import Counter
from pathlib import Path

import pytest

from display.bench import animate
from display.canvas import Shelves
from display.window import Window
from firmware.bench import polls
from firmware.bench.command import command
from firmware.errors import UserError
from hal.bench import RecordingReader


def test_every_driver_polls_while_the_table_animates_and_is_measured() -> None:
    told: list[float] = []

    def run(seconds: float, tell: polls.Tell) -> int:
        time.sleep(seconds)
        tell(seconds)
        return 60

    figures = polls.measure(2.5, run, told.append, warm_up_s=0.1)
    assert told == [2.5]
    for name, late_ms in polls.LATE_MS.items():
        assert figures[name]["polls"] > 0, name
        assert figures[name]["late_from_ms"] == late_ms
        assert 0 <= figures[name]["p50_ms"] <= figures[name]["p99_ms"] <= figures[name]["max_ms"]
    assert figures["pictures a second"] > 0


def test_the_table_is_animated_in_a_window_until_the_time_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = Window(size=(640, 360), shelves=Shelves(tmp_path))
    told: list[float] = []
    try:
        shown = animate(window, 0.5, told.append)
    finally:
        window.close()
    assert shown == len(told) > 0
    assert told[-1] >= 0.5
    assert told == sorted(told)


def test_a_poll_that_is_later_than_the_protocol_bears_is_counted() -> None:
    lateness = Counter({0.0: 990, 7.0: 8, 100.0: 1, 101.0: 1})
    assert polls.figures_of(lateness, 100) == {
        "polls": 1_000,
        "p50_ms": 0.0,
        "p99_ms": 0.0,
        "p999_ms": 100.0,
        "max_ms": 101.0,
        "late": 1,
        "late_from_ms": 100,
    }


def test_without_a_poll_there_are_no_figures_and_no_failure() -> None:
    assert polls.figures_of(Counter(), 10)["p99_ms"] is None
    assert polls.figures_of(Counter(), 10)["max_ms"] is None


def test_samples_of_the_pins_are_written_down_by_how_late_they_were(tmp_path: Path) -> None:
    now_ns = 0
    reader = RecordingReader(tmp_path / "pins.json", lambda: now_ns)
    for step_ms in (400, 601, 5, 5, 17, 5):  # the first second is not counted
        now_ns += step_ms * 1_000_000
        reader.read(0)
    reader.close()
    assert json.loads((tmp_path / "pins.json").read_text()) == {"596.0": 1, "0.0": 3, "12.0": 1}


@pytest.mark.parametrize("minutes", [0.0, -1.0, float("nan"), 1e9])
def test_a_time_that_cannot_be_is_refused_in_a_line(minutes: float) -> None:
    arguments = argparse.Namespace(sections=["devices"], minutes=minutes, json=True)
    with pytest.raises(UserError, match="--minutes"):
        command(arguments)
