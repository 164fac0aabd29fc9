"""Python's garbage collector works between frames and never inside one, whatever a frame leaves behind."""

import gc
from collections.abc import Iterator

import pytest

from display import motion
from display.canvas import Shelves
from display.samples import SAMPLES
from display.scenes import compose
from display.window import Window

FRAME_COUNT = 90
FRAME_MS = 1000 / 60


class Watch:
    """Notes each collection, and whether a frame was being made then."""

    def __init__(self) -> None:
        self.in_frame = False
        self.within: list[int] = []
        self.between = 0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start" and self.in_frame:
            self.within.append(info["generation"])
        elif phase == "start":
            self.between += 1


@pytest.fixture
def watch() -> Iterator[Watch]:
    watch = Watch()
    thresholds = gc.get_threshold()
    gc.set_threshold(50, 2, 2)  # a frame alone makes many times as many objects
    gc.callbacks.append(watch)
    yield watch
    gc.callbacks.remove(watch)
    gc.set_threshold(*thresholds)
    gc.unfreeze()
    gc.enable()


def test_no_frame_of_a_movement_is_interrupted_by_the_collector(watch: Watch) -> None:
    before, after = SAMPLES["poker_deciding_one"](), SAMPLES["poker_settled_win"]()
    window = Window(size=(640, 360), shelves=Shelves())
    state = motion.still(before, 0)
    window.show(compose(before, state, 0))
    window.tick(animating=True)
    state = motion.advance(state, after, 0)
    kept: list[list[object]] = []
    for number in range(FRAME_COUNT):
        watch.in_frame = True
        window.poll()
        frame = compose(after, state, number * FRAME_MS)
        window.show(frame)
        ring: list[object] = [number]
        ring.append(ring)
        kept = [*kept[-3:], ring]
        watch.in_frame = False
        window.tick(animating=True)
    window.close()
    assert watch.between >= FRAME_COUNT
    assert watch.within == []
