"""A progress bar for long computations. Shown after two seconds, on a terminal only."""

from collections.abc import Callable
from types import TracebackType
from typing import Any

from tqdm import tqdm

Progress = Callable[[str, float], None]
"""Takes what is being done and how much of the whole it is (0 to 1)."""


class Bar:
    """A progress bar that takes what is being done and how much of it is done."""

    def __init__(self) -> None:
        """Make a bar that shows itself after two seconds, on a terminal only."""
        self._bar: tqdm[Any] = tqdm(
            total=100, unit="%", delay=2, disable=None, leave=False, bar_format="{l_bar}{bar}{r_bar}"
        )

    def __enter__(self) -> "Bar":
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the bar."""
        self._bar.close()

    def __call__(self, what: str, share: float) -> None:
        """Show how far it is."""
        self._bar.set_description(what, refresh=False)
        self._bar.n = round(100 * share, 1)
        self._bar.update(0)
