"""The subcommand ``bench``: runs the sections and prints their numbers, as a table or as one JSON object."""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from tqdm import tqdm

from firmware.ending import end_in_order_on_sigterm
from firmware.errors import CheckFailed, UserError
from hal.errors import HalError


def _stimulus() -> dict[str, Any]:
    from firmware.bench.terminal import bench_stimulus

    return bench_stimulus()


def _start() -> dict[str, Any]:
    from firmware.bench.terminal import bench_start

    return bench_start()


def _journal(arguments: argparse.Namespace) -> dict[str, Any]:
    from firmware.bench.journal import ROUNDS, bench_journal

    with tqdm(total=1, leave=False, delay=1, disable=arguments.json or None) as bar:
        shown = ""

        def tell(what: str, done: int, total: int) -> None:
            nonlocal shown
            if what != shown:
                shown = what
                bar.reset(total)
                bar.set_description(what)
            bar.update(done - bar.n)

        return bench_journal(arguments.rounds or ROUNDS, arguments.keep, tell)


def _commits() -> dict[str, Any]:
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    from firmware.bench.commits import bench_pictures_during_commits

    return bench_pictures_during_commits()


def _frames() -> dict[str, Any]:
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    from display.bench import bench_frames, bench_input, bench_language_ms
    from display.canvas import Shelves

    figures: dict[str, Any] = {}
    for size in ((1920, 1080), (1280, 720)):
        shelves = Shelves(None)
        for frame in bench_frames(size, shelves):
            name = f"{frame.scene} {size[0]}x{size[1]}"
            figures[name] = {
                "cpu_ms_median": round(frame.cpu.median_ms, 2),
                "cpu_ms_p99": round(frame.cpu.p99_ms, 2),
                "cpu_ms_p999": round(frame.cpu.p999_ms, 2),
                "pi4_predicted_ms_p99": round(frame.pi4_predicted.p99_ms, 2),
                "pi4_predicted_ms_worst": round(frame.pi4_predicted.worst_ms, 2),
                "pi4_rectangles_ms_p99": round(frame.pi4_rectangles.p99_ms, 2),
                "pi4_rectangles_ms_worst": round(frame.pi4_rectangles.worst_ms, 2),
                "frames": frame.frame_count,
                "changed": frame.changed_count,
            }
        figures[f"language switch {size[0]}x{size[1]}"] = {"cpu_ms": round(bench_language_ms(size, shelves), 1)}
        answer = bench_input(size, shelves)
        figures[f"event to flip {size[0]}x{size[1]}"] = {
            "ms_median": round(answer.median_ms, 1),
            "ms_p99": round(answer.p99_ms, 1),
        }
    return figures


MEMORY_HANDS: Final = 2_000


def _memory(arguments: argparse.Namespace) -> dict[str, Any]:
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    from firmware.bench.memory import bench_hands

    count = arguments.rounds or MEMORY_HANDS
    with tqdm(total=count, unit="hand", leave=False, delay=1, disable=arguments.json or None) as bar:

        def tell(done: int) -> None:
            bar.update(done - bar.n)

        return bench_hands(count, tell)


def _games() -> dict[str, Any]:
    from firmware.games.bench import bench_rounds

    return dict(bench_rounds(time.monotonic_ns))


def _ranking() -> dict[str, Any]:
    from firmware.games.bench import bench_ranking

    return {f"{name}_hands_per_second": rate for name, rate in bench_ranking(time.monotonic_ns).items()}


def _maths() -> dict[str, Any]:
    from firmware.maths.bench import bench_maths

    return bench_maths()


def _devices(arguments: argparse.Namespace) -> dict[str, Any]:
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    try:
        if arguments.minutes is None:
            from firmware.bench.devices import bench_devices

            return bench_devices()
        return _polls(arguments)
    except (HalError, OSError) as error:
        raise CheckFailed(f"bench: devices: {error}") from error


def _polls(arguments: argparse.Namespace) -> dict[str, Any]:
    from firmware.bench.polls import bench_polls

    total_s = round(arguments.minutes * 60)
    with tqdm(total=total_s, unit="s", desc="polls", leave=False, disable=arguments.json or None) as bar:

        def tell(seconds: float) -> None:
            if int(seconds) > bar.n:
                bar.update(min(int(seconds), total_s) - bar.n)

        return bench_polls(arguments.minutes, tell)


MOST_MINUTES: Final = 7 * 24 * 60

SECTIONS: Final[dict[str, Callable[[argparse.Namespace], dict[str, Any]]]] = {
    "start": lambda _: _start(),
    "stimulus": lambda _: _stimulus(),
    "journal": _journal,
    "commits": lambda _: _commits(),
    "frames": lambda _: _frames(),
    "memory": _memory,
    "games": lambda _: _games(),
    "ranking": lambda _: _ranking(),
    "devices": _devices,
    "maths": lambda _: _maths(),
}


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``bench``. Returns 0.

    Raises UserError for an unknown section or a duration that can't be, CheckFailed where an emulated device fails.
    """
    unknown = [name for name in arguments.sections if name not in SECTIONS]
    if unknown:
        raise UserError(f"bench: there is no section {unknown[0]!r}; there are {', '.join(SECTIONS)}")
    if arguments.minutes is not None and not 0 < arguments.minutes <= MOST_MINUTES:
        raise UserError(f"bench: --minutes must be more than 0 and at most {MOST_MINUTES}")
    end_in_order_on_sigterm()
    wanted = arguments.sections or list(SECTIONS)
    results: dict[str, Any] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    }
    for name in tqdm(wanted, unit="section", leave=False, disable=None if not arguments.json else True):
        results[name] = SECTIONS[name](arguments)
    if arguments.json:
        print(json.dumps(results))
    else:
        _print(results)
    return 0


def _print(results: dict[str, Any]) -> None:
    print(results.pop("machine"))
    for section, figures in results.items():
        print(f"\n{section}")
        for name, value in figures.items():
            shown = "  ".join(f"{key} {number}" for key, number in value.items()) if isinstance(value, dict) else value
            print(f"  {name:<32} {shown}")
    sys.stdout.flush()
