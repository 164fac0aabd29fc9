"""Benchmark of the screen while the journal is written: pictures of a table at play, on this storage and on slower ones.

The terminal runs in its own thread, as on a cabinet; if a picture waited for a commit, the slow storage would show in it.
Not responsible for how long a commit takes (``journal``) or a picture alone (``display.bench``).
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from display.bench import spread
from display.canvas import Shelves
from display.view_model import Gesture, View
from display.window import Window
from firmware.app import Seams, build_terminal, byte_source, games_on_offer
from firmware.bench.terminal import bench_settings
from firmware.clock import SystemClock
from firmware.errors import CheckFailed
from firmware.loop import Terminal
from firmware.screen import TerminalScreen
from firmware.simulator.cabinet import world_config
from firmware.terminal_thread import TerminalThread
from hal.simulated.world import World

SIZE: Final = (1920, 1080)
SECONDS: Final = 15.0
SLOWER_MS: Final = (0, 50, 500)
"""So much longer each commit takes than it does here: 50 ms is a tired SD card, 500 ms a dying one."""
_NOTES: Final = 5
_NOTE_MINOR: Final = 10_000
_READY_S: Final = 3.0
"""After so long the acceptor takes notes."""
_PATIENCE_S: Final = 30.0
_PATH: Final = ("lobby:oasis", "chip:100", "box:1:ante")
_PATH_ENDS: Final = "button:deal"
_Holds = Callable[[View], bool]
_PLAY: Final = ("button:deal", "button:raise", "button:rebet")


@dataclass
class _Recording:
    """What was measured: milliseconds of each picture's making, by the wall and by the processor; commits; pressed buttons."""

    wall_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    commits: int = 0
    presses: int = 0


def bench_pictures_during_commits(seconds: float = SECONDS) -> dict[str, Any]:
    """Return how long pictures took while hands were played, by how much slower each commit was made.

    Raises:
        CheckFailed: no hand could be played.
    """
    figures: dict[str, Any] = {}
    with TemporaryDirectory(prefix="croupier-bench-") as scratch:
        for slower_ms in SLOWER_MS:
            folder = Path(scratch)
            recording = _recorded(folder / str(slower_ms), folder / "pictures", slower_ms / 1000, seconds)
            wall, cpu = spread(recording.wall_ms), spread(recording.cpu_ms)
            name = f"each commit {slower_ms} ms slower" if slower_ms else "commits as they are"
            figures[name] = {
                "commits": recording.commits,
                "pictures": len(recording.wall_ms),
                "cpu_ms_median": round(cpu.median_ms, 1),
                "cpu_ms_p99": round(cpu.p99_ms, 1),
                "wall_ms_p99": round(wall.p99_ms, 1),
                "wall_ms_worst": round(wall.worst_ms, 1),
            }
    return figures


def _recorded(data_dir: Path, pictures: Path, slower_s: float, seconds: float) -> _Recording:
    settings = bench_settings(data_dir)
    clock = SystemClock()
    world = World(world_config(settings), clock.monotonic_ms())
    seams = Seams(clock, byte_source(settings, 1), world.devices)
    games = games_on_offer(settings)
    recording = _Recording()

    def committed(_: int) -> None:
        recording.commits += 1
        time.sleep(slower_s)

    def build() -> Terminal:
        terminal = build_terminal(settings, seams, games)
        terminal.on_commit = committed
        return terminal

    window = Window(size=SIZE, shelves=Shelves(pictures))
    screen = TerminalScreen(window, language="en", venue="", cache_dir=None, beside=lambda *_: ())
    try:
        thread = TerminalThread(build, before_tick=lambda: world.advance(clock.monotonic_ms()))
        screen.attach(thread)
        _give_credit(world, thread, screen)
        player = _play(thread, recording)
        recording.commits = 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            next(player)
            begin, begin_cpu = time.perf_counter(), time.thread_time()
            screen.frame(lambda _: False)
            recording.cpu_ms.append(1000 * (time.thread_time() - begin_cpu))
            recording.wall_ms.append(1000 * (time.perf_counter() - begin))
            screen.wait()
    finally:
        screen.close()
        world.close()
    if not recording.commits or not recording.presses:
        raise CheckFailed("bench: commits: no hand was played")
    return recording


def _give_credit(world: World, thread: TerminalThread, screen: TerminalScreen) -> None:
    _show_for(screen, _READY_S)
    for number in range(1, _NOTES + 1):
        world.insert_note(_NOTE_MINOR)
        _show_until(screen, partial(_has, number * _NOTE_MINOR))
    for target in _PATH:
        thread.post(Gesture(target))
    _show_until(screen, lambda view: _PATH_ENDS in _offered(view))


def _has(credit_minor: int, view: View) -> bool:
    return view.credit_minor == credit_minor


def _show_for(screen: TerminalScreen, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        screen.frame(lambda _: False)
        screen.wait()


def _show_until(screen: TerminalScreen, holds: _Holds) -> None:
    end = time.monotonic() + _PATIENCE_S
    while (view := screen.view) is None or not holds(view):
        if time.monotonic() > end:
            raise CheckFailed("bench: commits: the terminal does not take money")
        screen.frame(lambda _: False)
        screen.wait()


def _offered(view: View) -> set[str]:
    return {button.id for button in view.buttons if button.enabled}


def _play(thread: TerminalThread, recording: _Recording) -> Iterator[None]:
    """Press what plays on, each button once for each view that offers it."""
    answered: View | None = None
    while True:
        view = thread.latest_view
        if view is not None and view is not answered:
            offered = _offered(view)
            wanted = next((name for name in _PLAY if name in offered), None)
            if wanted is not None:
                answered = view
                recording.presses += 1
                thread.post(Gesture(wanted))
        yield
