"""What a page of the menu consists of, and small words that many pages share. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from display.view_model import GraphView, Money, Text
from firmware.terminal.menu import Act, Ask, Menu
from firmware.terminal.state import State
from firmware.terminal.step import Environment

Words = Text | Money | str
NONE: Final = "–"
"""Stands for a figure that is not known."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row: label, one or two values, and what choosing it does."""

    label: Text
    value: Words = ""
    second: Words = ""
    act: Act | Ask | None = None
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """What stands on a page. ``enter`` is what the last key of the pad of digits does, None for no pad."""

    lines: tuple[Line, ...] = ()
    columns: tuple[Text, ...] = ()
    footer: Text | None = None
    title: Text | None = None
    enter: Act | Ask | None = None
    graph: GraphView | None = None
    qr_text: str = ""
    qr_caption: Text | None = None
    patterns: tuple[str, ...] = ()
    """Pictures for testing the screen, one a sheet."""
    step_count: int = 0
    recalls: str = ""
    above: str | None = None
    """Where the way back leads, where it is not the page above in the tree."""
    least: str = ""
    """A level beyond that of the page in the tree, empty for none."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a page is made from."""

    state: State
    environment: Environment
    menu: Menu

    def when(self, wall_ms: int) -> str:
        """Return a wall time on the clock of the house."""
        return moment(self.environment.local_ms(wall_ms))

    def day(self, wall_ms: int) -> str:
        """Return the day of a wall time on the calendar of the house."""
        return self.when(wall_ms)[:10]

    def amount(self, minor: int) -> str:
        """Return an amount without its symbol, where several stand in one row."""
        commissioned = self.state.recorded.commissioned
        digits = commissioned.minor_digits if commissioned is not None else 2
        whole, part = divmod(abs(minor), 10**digits)
        sign = "-" if minor < 0 else ""
        return f"{sign}{whole}.{part:0{digits}d}" if digits else f"{sign}{whole}"


Read = Callable[[Reading], Body]


@lru_cache(maxsize=8_192)
def moment(local_ms: int) -> str:
    """Return a local time as ``2026-01-31 23:59:59``, as logs and reports write it in every language."""
    return f"{datetime.fromtimestamp(local_ms // 1_000, tz=UTC):%Y-%m-%d %H:%M:%S}"


def to(page: str, item: str = "") -> Act:
    """Return the act that opens a page."""
    return Act("go", f"{page}|{item}" if item else page)


def heading(label: Text) -> Line:
    """Return a line that heads others."""
    return Line(label, tone="heading")


CHOSEN: Final = Text("menu", "chosen")
COMPUTED: Final = Text("menu", "being computed")
YES: Final = Text("menu", "yes")
NO: Final = Text("menu", "no")
