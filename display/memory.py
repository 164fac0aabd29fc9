"""Keeps the process small: memory of large surfaces goes back to the system as soon as they are dropped.

glibc raises the size from which it asks the system for a block of its own whenever such a block is freed; after the first screens all
surfaces would share one heap, full of holes. Elsewhere than on glibc nothing is done. Not responsible for how much is kept
(`display.canvas_cache`).
"""

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from typing import Final

_M_MMAP_THRESHOLD: Final = -3
_M_TRIM_THRESHOLD: Final = -1
_M_ARENA_MAX: Final = -8
LARGE_BYTES: Final = 64 * 1024


@cache
def give_large_blocks_back() -> bool:
    """Fix the size from which a block is the system's own, and give no thread a heap of its own; tell whether that was possible."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    wanted = ((_M_MMAP_THRESHOLD, LARGE_BYTES), (_M_TRIM_THRESHOLD, 2 * LARGE_BYTES), (_M_ARENA_MAX, 1))
    return all(mallopt(name, value) for name, value in wanted)


def give_holes_back() -> None:
    """Give the system back what is free between the small blocks that are in use; takes a millisecond or two."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return None
    return found
