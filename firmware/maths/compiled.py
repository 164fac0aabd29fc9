"""Compiles the loops that count deals.

The functions stay plain Python for the type checker and for a reader. Compiled code is kept beside the source and made anew when
its file changes; after a change to a function that another file's compiled code calls, remove ``__pycache__``.
Not responsible for what is counted.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

Function = TypeVar("Function", bound=Callable[..., Any])

Ints = npt.NDArray[np.int64]
SmallInts = npt.NDArray[np.int8]
Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


def compiled(function: Function) -> Function:
    """Return the function compiled by numba; the result is kept on disk for the next start."""
    try:
        return cast(Function, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # nowhere to keep it: neither beside the source nor in the user's cache folder
        return cast(Function, numba.njit(nogil=True)(function))
