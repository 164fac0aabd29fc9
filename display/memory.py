"""Keeps the process small: memory of large surfaces goes back to the system as soon as they are dropped.

glibc raises the size from which it asks the system for a block of its own whenever such a block is freed; after the first screens all
surfaces would share one heap, full of holes. Elsewhere than on glibc nothing is done. Not responsible for how much is kept
(`display.canvas_cache`).
"""

import ctypes
import sys
from functools import cache
from typing import Final

_M_MMAP_THRESHOLD: Final = -3
_M_TRIM_THRESHOLD: Final = -1
LARGE_BYTES: Final = 64 * 1024


@cache
def give_large_blocks_back() -> bool:
    """Fix the size from which a block is the system's own; tell whether that was possible."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES)) and bool(mallopt(_M_TRIM_THRESHOLD, 2 * LARGE_BYTES))
