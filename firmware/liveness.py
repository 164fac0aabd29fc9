"""Who has stopped moving? The judgement by which a terminal is fed to, or kept from, a watchdog. Pure.

Not responsible for telling anybody (``service_notify``), nor for what moves.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

TERMINAL_PATIENCE_MS: Final = 5_000
"""The terminal's thread goes round twenty times a second; a slow commit on a dying card takes a second or two."""
BUILDING_PATIENCE_MS: Final = 120_000
"""Opening a journal verifies it, however long it is."""
DEVICE_PATIENCE_MS: Final = 8_000
"""A device's thread goes round once a second at least; longer than the five seconds after which it replaces a hung process."""


@dataclass(frozen=True, slots=True)
class Part:
    """Something that must move: its name, when it last did (None: it rests and need not), how long it may take."""

    name: str
    moved_ms: int | None
    patience_ms: int


def stuck(parts: Iterable[Part], now_ms: int) -> tuple[str, ...]:
    """Return those that have not moved for longer than they may, each with its seconds; all times are of one clock."""
    return tuple(
        f"{part.name} has not moved for {(now_ms - part.moved_ms) // 1000} s"
        for part in parts
        if part.moved_ms is not None and now_ms - part.moved_ms > part.patience_ms
    )
