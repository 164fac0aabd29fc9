"""What a GPIO chip can do, however it is reached. Each backend is one file with one class of this shape.

Lines have names; which pin and which voltage belong to a name is told once, at opening. Not responsible for what a line
means.
"""

import select
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

WaitReadable = Callable[[Sequence[int], int | None], bool]
"""Waits until one of the descriptors is readable (True) or the milliseconds have passed (None: without end)."""


def wait_readable(descriptors: Sequence[int], duration_ms: int | None) -> bool:
    """The real ``WaitReadable``."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(duration_ms))


def monotonic_ns() -> int:
    """The clock that the kernel stamps edges with."""
    return time.monotonic_ns()


Pull = Literal["up", "down", "none"]


@dataclass(frozen=True, slots=True)
class InputPin:
    """An input: its name, its BCM number, the voltage at which it is active, the built-in resistor."""

    line: str
    pin: int
    active_high: bool = False
    pull: Pull = "up"


@dataclass(frozen=True, slots=True)
class OutputPin:
    """An output; inactive is the safe state and the one it has at opening and after closing."""

    line: str
    pin: int
    active_high: bool = True


@dataclass(frozen=True, slots=True)
class Edge:
    """An input became active or inactive at that time of the monotonic clock."""

    line: str
    active: bool
    at_ms: int


@dataclass(frozen=True, slots=True)
class Edges:
    """What one wait brought, oldest first. Until ``until_ms`` there were no others. ``lost`` names lines of which some are missing."""

    edges: tuple[Edge, ...]
    until_ms: int
    lost: frozenset[str] = frozenset()


class GpioChip(Protocol):
    """A GPIO chip, owned by one loop."""

    def open(self, inputs: Sequence[InputPin], outputs: Sequence[OutputPin]) -> None:
        """Take these lines for us alone, outputs inactive. Raises ``PortError`` with the remedy."""

    def levels(self) -> dict[str, bool]:
        """Return which inputs are active now."""

    def wait(self, duration_ms: int | None, wake_fd: int) -> Edges:
        """Wait for an edge, for the time to pass (None: without end) or for ``wake_fd`` to become readable.

        Raises ``PortError`` when the chip has gone.
        """

    def set(self, line: str, active: bool) -> None:
        """Make an output active or inactive."""

    def close(self) -> None:
        """Make every output inactive and give the lines back; may be called twice."""

    @property
    def worst_gap_ms(self) -> int:
        """The longest time between two readings of the inputs; 0 where the kernel keeps edges until they are read."""
