"""Compiles the loops that count deals, and says what to install where that is not possible.

The functions stay plain Python for the type checker and for a reader. Not responsible for what they count.
"""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

Function = TypeVar("Function", bound=Callable[..., Any])

Ints = npt.NDArray[np.int64]
SmallInts = npt.NDArray[np.int8]
Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


def compiled(function: Function) -> Function:
    """Return the function compiled by numba; the result is kept on disk for the next start."""
    import numba

    return cast(Function, numba.njit(cache=True, nogil=True)(function))


def is_installed() -> bool:
    """Tell whether what computes odds is installed (the extra ``maths``)."""
    return find_spec("numba") is not None
