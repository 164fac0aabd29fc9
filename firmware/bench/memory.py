"""What a terminal keeps in memory over many hands: it really plays them, all games in turn, on its own screen.

The parts of a cabinet's process in one thread on a clock of its own: terminal, journal on disk, simulated devices, window,
sounds. Every hand is played and recorded; of every tenth the deal, the last decision and the result are painted, in motion
and at rest, for painting takes most of the time. Not responsible for what the journal takes on disk (``journal``).
"""

import gc
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from display.bench import resident_bytes, slope_bytes
from display.canvas import Shelves
from display.cues import Ear, listen
from display.motion import MotionState, advance
from display.scenes import compose
from display.sound import SoundPlayer
from display.view_model import View
from display.window import Window
from firmware.bench.terminal import bench_settings
from firmware.simulator.tour import hands

HANDS_PER_SITTING: Final = 50
"""So many hands of a game before the table is changed, and with it the language."""
PAINTED_EVERY: Final = 10
_SIZE: Final = (1920, 1080)
_MOMENTS_MS: Final = (300.0, 5_000.0)
"""When a painted view is looked at: in motion, and when all lies still."""
_HAND_MS: Final = 12_000.0
_LOOKS: Final = 100
_MIB: Final = 2**20


class _Screen:
    """A window and loudspeakers in which views are shown at times of our own."""

    def __init__(self, cache_dir: Path) -> None:
        self._window = Window(size=_SIZE, pointer_visible=False, shelves=Shelves(cache_dir))
        self._sound = SoundPlayer(cache_dir)
        self._motion: MotionState | None = None
        self._ear = Ear()

    def show(self, view: View, now_ms: float) -> None:
        """Show a view from now on, and look at it at some moments."""
        self._motion = advance(self._motion, view, now_ms)
        for later_ms in _MOMENTS_MS:
            self._ear, due = listen(self._ear, view, self._motion, now_ms + later_ms)
            self._sound.play_all(due)
            self._window.poll()
            self._window.show(compose(view, self._motion, now_ms + later_ms))
            self._window.tick(animating=False, wake_ms=1)

    def close(self) -> None:
        """Close both."""
        self._sound.close()
        self._window.close()


def bench_hands(hand_count: int, on_progress: Callable[[int], None]) -> dict[str, Any]:
    """Return resident memory over so many hands at 1920 x 1080: early, at the end, at most, and its growth in a thousand hands."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as scratch:
        series = list(_looks(Path(scratch), hand_count, on_progress))
    return {
        f"{hand_count} hands": {
            "resident_mib_early": round(series[min(len(series) // 10, len(series) - 1)][1] / _MIB, 1),
            "resident_mib_end": round(series[-1][1] / _MIB, 1),
            "resident_mib_most": round(max(size for _, size in series) / _MIB, 1),
            "kib_per_1000_hands": round(slope_bytes(series) * 1000 / 1024, 1),
            "painted_hands": -(-hand_count // PAINTED_EVERY),
        }
    }


def _looks(folder: Path, hand_count: int, on_progress: Callable[[int], None]) -> Iterator[tuple[int, int]]:
    """Play, and yield (hands played, resident bytes) at about a hundred moments."""
    every = max(hand_count // _LOOKS, 1)
    data_dir = folder / "data"
    with closing(_Screen(folder / "pictures")) as screen:
        for number, views in enumerate(hands(bench_settings(data_dir), data_dir, HANDS_PER_SITTING)):
            if number % PAINTED_EVERY == 0:
                for step, view in enumerate((views[0], views[-2], views[-1])):
                    screen.show(view, number * _HAND_MS + step * _HAND_MS / 3)
            if number % every == 0 or number + 1 == hand_count:
                gc.collect()
                yield number + 1, resident_bytes() or 0
                on_progress(number + 1)
            if number + 1 == hand_count:
                return
