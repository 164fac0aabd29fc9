"""From random bytes to an unbiased shuffle: rejection sampling and Fisher-Yates over any byte source.

Not responsible for where the bytes come from (``os_entropy``, ``seeded``) nor for what is shuffled.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class RandomnessError(RuntimeError):
    """A source of randomness failed a health test: nothing may be dealt from it. The text says which and how."""


class ByteSource(Protocol):
    """Gives random bytes; the only randomness that the program knows."""

    def take(self, count: int) -> bytes:
        """Return ``count`` fresh bytes; for 0 a source with a start-up test runs it. Raises RandomnessError."""


def unbiased_index(source: ByteSource, count: int) -> int:
    """Return an index in ``range(count)``, each exactly as likely, by rejecting what would favour some.

    Raises:
        ValueError: ``count`` is not between 1 and 2**32.
    """
    if not 1 <= count <= 1 << 32:
        raise ValueError(f"count {count} is not between 1 and 2**32")
    width = max(1, ((count - 1).bit_length() + 7) // 8)
    limit = (1 << 8 * width) // count * count
    while True:
        value = int.from_bytes(source.take(width), "big")
        if value < limit:
            return value % count


def shuffled(source: ByteSource, items: Sequence[T]) -> tuple[T, ...]:
    """Return the items in a uniformly random order (Fisher-Yates, from the top down)."""
    order = list(items)
    for top in range(len(order) - 1, 0, -1):
        index = unbiased_index(source, top + 1)
        order[top], order[index] = order[index], order[top]
    return tuple(order)
