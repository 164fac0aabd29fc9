"""Repeatable randomness for the simulator and tests: never for a cabinet (``app`` refuses the combination)."""

import hashlib
from collections.abc import Sequence

from firmware.rng.source import ByteSource


class SeededSource:
    """A stream of SHA-256 blocks over seed and counter: the same seed gives the same shoes on any machine."""

    def __init__(self, seed: int) -> None:
        """Start the stream that belongs to ``seed``."""
        self._seed = seed
        self._counter = 0
        self._buffer = b""

    def take(self, count: int) -> bytes:
        """Return the next ``count`` bytes of the stream."""
        while len(self._buffer) < count:
            self._buffer += hashlib.sha256(f"{self._seed}:{self._counter}".encode()).digest()
            self._counter += 1
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken


class ScriptedOrders:
    """Shuffles whose first cards are laid down by a script; the rest follows from the source below.

    Each ``stack`` is used for one shuffle, in order; when none is left the shuffle is the source's alone.
    """

    def __init__(self, source: ByteSource) -> None:
        """Wrap a source."""
        self.source = source
        self._stacks: list[tuple[int, ...]] = []

    def stack(self, cards: Sequence[int]) -> None:
        """Lay down the first cards of the next shuffle that has no cards laid down yet."""
        self._stacks.append(tuple(cards))

    def next_stack(self) -> tuple[int, ...]:
        """Take the cards laid down for this shuffle; empty when there are none."""
        return self._stacks.pop(0) if self._stacks else ()
