"""Benchmarks of the terminal: stimulus to committed view, what a round costs in storage, start and recovery."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from display.bench import spread
from display.view_model import Gesture
from firmware.games.profile_files import bundled_directory
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.simulator.cabinet import SimulatedCabinet
from firmware.simulator.command import with_data_dir

ROUNDS = 150
STARTS = 5
SIZE = "1920x1080"


def bench_stimulus() -> dict[str, Any]:
    """Return milliseconds from a touch that commits to its published view, and the storage that a round takes.

    A round is an Oasis hand: stakes, one exchange, the bet and the settlement. Bytes are those of the process's writes
    as the kernel accounts them (``/proc/self/io``), which a file system's own journal comes on top of.
    """
    with TemporaryDirectory() as folder:
        cabinet = SimulatedCabinet(bench_settings(Path(folder)), seed=1)
        cabinet.boot()
        for _ in range(50):
            cabinet.insert_note(10_000)
        cabinet.press("open")
        cabinet.touch("chip:100")
        cabinet.touch("box:1:ante")
        series: list[float] = []
        commits = _count_commits(cabinet)
        written_before = _written_bytes()
        for _ in range(ROUNDS):
            _hand(cabinet, series)
        written = None if written_before is None else ((_written_bytes() or 0) - written_before)
        result = spread(series)
        cabinet.close()
    return {
        "stimulus_to_view_ms_median": round(result.median_ms, 2),
        "stimulus_to_view_ms_p99": round(result.p99_ms, 2),
        "commits_per_round": round(len(commits) / ROUNDS, 2),
        "written_kib_per_round": None if written is None else round(written / ROUNDS / 1024, 1),
        "rounds": ROUNDS,
    }


def bench_start() -> dict[str, Any]:
    """Return the milliseconds from starting the program to its first frame, and from SIGKILL to the restored hand.

    On the screen that there is, else on SDL's dummy driver; at 1920 x 1080 with the panel beside it, caches filled.
    """
    environment = dict(os.environ)
    if not environment.get("DISPLAY") and not environment.get("WAYLAND_DISPLAY"):
        environment["SDL_VIDEODRIVER"] = "dummy"
    environment.setdefault("SDL_AUDIODRIVER", "dummy")
    with TemporaryDirectory() as folder:
        data_dir, cache_dir = Path(folder) / "data", Path(folder) / "cache"
        _first_frame(data_dir, cache_dir, environment)  # fills the cache
        starts = [_first_frame(data_dir, cache_dir, environment) for _ in range(STARTS)]
        _leave_a_hand(data_dir)
        recoveries = [_recovery(data_dir, cache_dir, environment) for _ in range(STARTS)]
    start_ms = sorted(milliseconds for milliseconds, _ in starts)
    recovery_ms = sorted(milliseconds for milliseconds, _ in recoveries)
    return {
        "start_to_first_frame_ms": round(start_ms[STARTS // 2]),
        "sigkill_to_restored_hand_ms": round(recovery_ms[STARTS // 2]),
        "restored": all(line["mode"] == "table" and line["phase"] == "deciding" for _, line in recoveries),
        "resident_mib": max((line["rss_bytes"] or 0) for _, line in starts) >> 20,
        "video_driver": environment.get("SDL_VIDEODRIVER", "the desktop's"),
    }


def _hand(cabinet: SimulatedCabinet, series: list[float]) -> None:
    _timed(cabinet, "deal", series)
    if any(button.id == "button:exchange" for button in cabinet.view.buttons):
        cabinet.press("mark:0")
        _timed(cabinet, "exchange", series)
    table = cabinet.view.table
    if table is not None and table.phase == "deciding":
        _timed(cabinet, "raise", series)


def _timed(cabinet: SimulatedCabinet, action: str, series: list[float]) -> None:
    start = time.perf_counter()
    cabinet.terminal.handle(Gesture(f"button:{action}"))
    series.append((time.perf_counter() - start) * 1000)
    cabinet.wait(20)


def _count_commits(cabinet: SimulatedCabinet) -> list[int]:
    """Count the appends of a running terminal from here on."""
    commits: list[int] = []
    cabinet.terminal.on_commit = commits.append
    return commits


def _written_bytes() -> int | None:
    try:
        lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) for line in lines if line.startswith("write_bytes")), None)


def bench_settings(data_dir: Path) -> Settings:
    """Return the simulator's settings on another folder."""
    return with_data_dir(load_settings(bundled_directory().parent / "simulator.toml"), data_dir)


def _leave_a_hand(data_dir: Path) -> None:
    cabinet = SimulatedCabinet(bench_settings(data_dir), seed=1)
    cabinet.boot()
    cabinet.insert_note(2_000)
    cabinet.touch("lobby:oasis")
    cabinet.touch("chip:100")
    cabinet.touch("box:1:ante")
    cabinet.press("deal")
    cabinet.close()


@contextmanager
def _spawn(
    data_dir: Path, cache_dir: Path, environment: dict[str, str], *more: str
) -> "Iterator[subprocess.Popen[str]]":
    """Give a program that opens the window; it ends with the block."""
    command = [sys.executable, "-m", "firmware.bench.window_child", str(data_dir), SIZE, str(cache_dir), *more]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as child:
        try:
            yield child
        finally:
            child.kill()


def _first_frame(data_dir: Path, cache_dir: Path, environment: dict[str, str]) -> tuple[float, dict[str, Any]]:
    start = time.monotonic_ns()
    with _spawn(data_dir, cache_dir, environment) as child:
        line: dict[str, Any] = json.loads(child.stdout.readline() if child.stdout else "{}")
        child.wait()
    return (line["monotonic_ns"] - start) / 1e6, line


def _recovery(data_dir: Path, cache_dir: Path, environment: dict[str, str]) -> tuple[float, dict[str, Any]]:
    with _spawn(data_dir, cache_dir, environment, "stay") as victim:
        if victim.stdout is not None:
            victim.stdout.readline()
        start = time.monotonic_ns()
        victim.kill()
        victim.wait()
    _, line = _first_frame(data_dir, cache_dir, environment)
    return (line["monotonic_ns"] - start) / 1e6, line
