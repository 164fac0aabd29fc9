"""The benchmark of pictures during commits really plays, really slows commits down, and says so when it can't play."""

import time
from types import SimpleNamespace

import pytest

from firmware.bench import commits
from firmware.errors import CheckFailed


@pytest.fixture(autouse=True)
def no_screen_and_no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(commits, "SIZE", (640, 360))


def test_hands_are_played_while_pictures_are_measured_on_each_storage(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    clocks = {name: getattr(time, name) for name in ("monotonic", "perf_counter", "thread_time")}
    monkeypatch.setattr(commits, "time", SimpleNamespace(**clocks, sleep=slept.append))
    figures = commits.bench_pictures_during_commits(2.0)
    assert list(figures) == ["commits as they are", "each commit 50 ms slower", "each commit 500 ms slower"]
    for name, figure in figures.items():
        assert figure["commits"] > 0, name
        assert 0 < figure["cpu_ms_median"] <= figure["cpu_ms_p99"] <= figure["wall_ms_worst"] + 1, name
    assert {0.0, 0.05, 0.5} <= set(slept)


def test_terminal_that_plays_nothing_is_a_failure_not_a_good_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits, "_PLAY", ())
    with pytest.raises(CheckFailed, match="no hand was played"):
        commits.bench_pictures_during_commits(0.2)
