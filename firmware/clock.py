"""The clock seam: monotonic milliseconds for delays, wall-clock milliseconds for the record.

The only module of ``firmware`` that reads the system's time; everybody else is given a ``Clock``.
"""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells time in integer milliseconds."""

    def monotonic_ms(self) -> int:
        """Return milliseconds since an arbitrary start; never goes back."""

    def wall_ms(self) -> int:
        """Return milliseconds since 1970-01-01 UTC; may jump when the clock is set."""


class SystemClock:
    """The operating system's clocks."""

    def monotonic_ms(self) -> int:
        """Return the system's monotonic clock in milliseconds."""
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """Return the system's real-time clock in milliseconds since 1970-01-01 UTC."""
        return time.time_ns() // 1_000_000


class ManualClock:
    """A clock that moves only when told: headless scripts and tests run on it, without waiting."""

    def __init__(self, wall_ms: int = 1_767_225_600_000) -> None:
        """Start at monotonic 0 and the given wall time (default 2026-01-01 00:00 UTC)."""
        self._now_ms = 0
        self._wall_offset_ms = wall_ms

    def monotonic_ms(self) -> int:
        """Return the milliseconds advanced so far."""
        return self._now_ms

    def wall_ms(self) -> int:
        """Return the wall time that belongs to the milliseconds advanced so far."""
        return self._wall_offset_ms + self._now_ms

    def advance(self, milliseconds: int) -> None:
        """Let time pass. Raises ValueError for a negative amount."""
        if milliseconds < 0:
            raise ValueError("time does not run backwards")
        self._now_ms += milliseconds

    def set_wall(self, wall_ms: int) -> None:
        """Set the wall clock, forwards or backwards, as an attendant or a time server would."""
        self._wall_offset_ms = wall_ms - self._now_ms
