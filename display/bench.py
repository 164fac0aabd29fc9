"""Measures the screen: CPU time per frame, predicted time on a Raspberry Pi 4, input to flip, memory.

Figures, not tests: they depend on the machine. The prediction does not: it counts the pixels that a frame touches and multiplies them
by measured costs. Not responsible for printing (the command line does) or for what is animated (the sample views).
"""

import gc
import random
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pygame

from display import motion
from display.canvas import Canvas, PixelCount, Shelves, blank
from display.scenes import compose
from display.view_model import View
from display.window import Window

FRAME_MS = 1000 / 60
_WARM_UP_COUNT = 80
# Nanoseconds per pixel of a Raspberry Pi 4 (1.8 GHz), upper ends of what was measured on such boards.
PI4_COPY_NS = 2.5
PI4_BLEND_NS = 3.6
PI4_UPLOAD_NS = 3.5


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and tail of a series of milliseconds."""

    median_ms: float
    p99_ms: float
    p999_ms: float
    worst_ms: float


@dataclass(frozen=True, slots=True)
class FrameFigures:
    """One animation at one size: CPU time here (composing and painting), predicted paint time on a Pi 4, frames that changed."""

    scene: str
    width: int
    height: int
    cpu: Spread
    pi4_predicted: Spread
    """Where whole rows are uploaded."""
    pi4_rectangles: Spread
    """Where changed rectangles alone are moved."""
    frame_count: int
    changed_count: int


def spread(series: Sequence[float]) -> Spread:
    """Return median and tail of a series. Raises ValueError if it is empty."""
    if not series:
        raise ValueError("nothing was measured")
    ordered = sorted(series)

    def at(share: float) -> float:
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]

    return Spread(at(0.5), at(0.99), at(0.999), ordered[-1])


def predicted_pi4_ms(pixels: PixelCount) -> float:
    """Return how long a Raspberry Pi 4 would take to paint and upload a frame."""
    return (pixels.copied * PI4_COPY_NS + pixels.blended * PI4_BLEND_NS + pixels.band * PI4_UPLOAD_NS) / 1e6


def predicted_pi4_rectangles_ms(pixels: PixelCount) -> float:
    """Return the same where changed rectangles alone are moved."""
    return (pixels.copied * PI4_COPY_NS + pixels.blended * PI4_BLEND_NS + pixels.changed * PI4_UPLOAD_NS) / 1e6


_ANIMATIONS: dict[str, tuple[str, str, float]] = {
    "idle": ("poker_deciding_three", "poker_deciding_three", 2_000),
    "dealing three boxes": ("poker_betting", "poker_deciding_three", 5_000),
    "large win": ("poker_deciding_one", "poker_big_win", 6_000),
}


def paint_animation(name: str, size: tuple[int, int], shelves: Shelves) -> FrameFigures:
    """Paint one animation from beginning to end, as fast as it goes. Raises KeyError for an unknown name."""
    return _animation(name, size, shelves, *_ANIMATIONS[name])


def bench_frames(size: tuple[int, int], shelves: Shelves) -> list[FrameFigures]:
    """Return figures for the idle screen and the busiest animations at one size."""
    return [_animation(name, size, shelves, *parts) for name, parts in _ANIMATIONS.items()]


def animate(window: Window, seconds: float, on_progress: Callable[[float], None]) -> int:
    """Let the busiest animations run in an open window, one after the other, paced as in play; return how many pictures
    there were."""
    from display.samples import SAMPLES

    views = [(SAMPLES[name](), duration_ms) for *names, duration_ms in _ANIMATIONS.values() for name in names]
    begin = time.monotonic()
    number, count, next_ms, now_ms = 0, 0, 0.0, 0.0
    view = views[0][0]
    state = motion.still(view, 0)
    while now_ms < seconds * 1000:
        if now_ms >= next_ms:
            view, duration_ms = views[number % len(views)]
            state = motion.advance(state, view, now_ms)
            number, next_ms = number + 1, now_ms + duration_ms
        window.poll()
        window.show(compose(view, state, now_ms))
        window.tick(animating=True)
        count += 1
        now_ms = (time.monotonic() - begin) * 1000
        on_progress(now_ms / 1000)
    return count


def _animation(
    name: str, size: tuple[int, int], shelves: Shelves, before: str, after: str, duration_ms: float
) -> FrameFigures:
    cpu: list[float] = []
    predicted: list[float] = []
    rectangles: list[float] = []
    changed_count = 0
    from display.samples import SAMPLES

    first, last = SAMPLES[before](), SAMPLES[after]()
    if first.table is not None and last.table is not None:
        # One game throughout: another felt would be a change of scene.
        first = replace(first, table=replace(first.table, game=last.table.game))
    # The first round makes what the caches then hold.
    for _ in range(2):
        cpu.clear()
        predicted.clear()
        rectangles.clear()
        changed_count = 0
        for milliseconds, pixels in _frames(size, shelves, first, last, duration_ms):
            cpu.append(milliseconds)
            predicted.append(predicted_pi4_ms(pixels))
            rectangles.append(predicted_pi4_rectangles_ms(pixels))
            changed_count += pixels.band > 0
    return FrameFigures(name, *size, spread(cpu), spread(predicted), spread(rectangles), len(cpu), changed_count)


def _frames(
    size: tuple[int, int], shelves: Shelves, before: View, after: View, duration_ms: float
) -> list[tuple[float, PixelCount]]:
    surface = blank(size)
    canvas = Canvas(size, shelves)
    state = motion.still(before, 0)
    canvas.paint(compose(before, state, 0), surface)
    state = motion.advance(state, after, 0)
    series = []
    gc.collect()
    gc.disable()
    try:
        now_ms = FRAME_MS
        while now_ms < duration_ms:
            start = time.thread_time()
            canvas.paint(compose(after, state, now_ms), surface, patient=True)
            series.append(((time.thread_time() - start) * 1000, canvas.pixels))
            now_ms += FRAME_MS
    finally:
        gc.enable()
    return series


def slope_bytes(series: Sequence[tuple[int, int]]) -> float:
    """Return by how many bytes a hand memory grows (least squares) over the second half of a series."""
    half = series[len(series) // 2 :]
    mean_x = sum(x for x, _ in half) / len(half)
    mean_y = sum(y for _, y in half) / len(half)
    spread_x = sum((x - mean_x) ** 2 for x, _ in half)
    return sum((x - mean_x) * (y - mean_y) for x, y in half) / spread_x if spread_x else 0.0


def bench_language_ms(size: tuple[int, int], shelves: Shelves) -> float:
    """Return the CPU time of the first frame after the language was switched."""
    from display.samples import SAMPLES

    surface = blank(size)
    canvas = Canvas(size, shelves)
    view = SAMPLES["poker_deciding_three"]()
    canvas.paint(compose(view, motion.still(view, 0), 0), surface)
    other = replace(view, language="ru" if view.language == "en" else "en")
    start = time.thread_time()
    canvas.paint(compose(other, motion.still(other, 0), 0), surface)
    return (time.thread_time() - start) * 1000


def bench_input(size: tuple[int, int], shelves: Shelves, count: int = 200) -> Spread:
    """Return the time from an event that is posted while an idle window waits to the flip of the frame that answers it.

    Each answer moves play to another box: cards, frame and buttons change. The first ones, in which an idle window prepares what it will need, are not counted.
    """
    from display.samples import SAMPLES

    views = (SAMPLES["poker_deciding_one"](), SAMPLES["poker_deciding_two"]())
    window = Window(size=size, pointer_visible=False, shelves=shelves)
    chance, posted_s = random.Random(1), 0.0
    series = []

    def press(*_: object) -> None:
        nonlocal posted_s
        posted_s = time.perf_counter()
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE))

    # By a signal: the key is pressed in the middle of the wait.
    before = signal.signal(signal.SIGALRM, press)
    try:
        for number in range(count + _WARM_UP_COUNT):
            signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.005, 0.025))
            while not window.poll():
                window.tick(animating=False)
            view = views[number % 2]
            window.show(compose(view, motion.still(view, 0), 0))
            series.append((time.perf_counter() - posted_s) * 1000)
    finally:
        signal.signal(signal.SIGALRM, before)
        window.close()
    return spread(series[_WARM_UP_COUNT:])


def resident_bytes() -> int | None:
    """Return the memory this process holds, or None where the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS")), None)
