"""What the screen keeps in memory over many hands: real hands of every game, shown again and again with other numbers.

Not responsible for what the journal keeps (``journal``).
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from display.bench import bench_memory, slope_bytes
from display.canvas import Shelves
from firmware.bench.terminal import bench_settings
from firmware.simulator.tour import hands

_ROUNDS_PER_GAME: Final = 16
_SIZE: Final = (1920, 1080)
_MIB: Final = 2**20


def bench_hands(hand_count: int, on_progress: Callable[[int], None]) -> dict[str, Any]:
    """Return resident memory after so many hands at 1920 x 1080, its peak, and by how much it grows in a thousand hands."""
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as scratch:
        folder = Path(scratch)
        played = tuple(hands(bench_settings(folder / "data"), folder / "data", _ROUNDS_PER_GAME))
        series = bench_memory(played, hand_count, _SIZE, Shelves(folder / "pictures"), on_progress)
    return {
        f"{hand_count} hands": {
            "resident_mib_early": round(series[min(len(series) // 10, len(series) - 1)][1] / _MIB, 1),
            "resident_mib_end": round(series[-1][1] / _MIB, 1),
            "resident_mib_most": round(max(size for _, size in series) / _MIB, 1),
            "kib_per_1000_hands": round(slope_bytes(series) * 1000 / 1024, 1),
        }
    }
