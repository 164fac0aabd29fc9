"""Whether what computes odds is installed: numpy and numba, the extra ``maths``. Imports neither."""

from importlib.util import find_spec

from firmware.errors import UserError


def is_installed() -> bool:
    """Tell whether numpy and numba are there."""
    return find_spec("numpy") is not None and find_spec("numba") is not None


def require_maths(command: str) -> None:
    """Raise UserError where they are not."""
    if not is_installed():
        raise UserError(
            f"{command}: numpy and numba are not installed here; run `.venv/bin/pip install numpy numba` once "
            "(without them `croupier par GAME` shows the committed sheet of a game's own profile)"
        )
