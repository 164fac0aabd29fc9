"""A cache of surfaces that is bounded by bytes: what was not used for longest goes first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class ByteLru(Generic[Value]):
    """Keeps values whose sizes sum to at most ``limit_bytes`` (the newest one is kept even if it alone is larger)."""

    def __init__(self, limit_bytes: int, size_of: Callable[[Value], int]) -> None:
        """Bound the cache; ``size_of`` tells a value's size in bytes."""
        self._limit_bytes = limit_bytes
        self._size_of = size_of
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self.used_bytes = 0

    def __len__(self) -> int:
        """Return how many values are kept."""
        return len(self._values)

    def get(self, key: Hashable) -> Value | None:
        """Return a kept value and mark it as used now, or None."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: Hashable, value: Value) -> Value:
        """Keep a value, dropping the longest unused ones until it fits; returns the value."""
        old = self._values.pop(key, None)
        if old is not None:
            self.used_bytes -= self._size_of(old)
        self._values[key] = value
        self.used_bytes += self._size_of(value)
        while self.used_bytes > self._limit_bytes and len(self._values) > 1:
            _, dropped = self._values.popitem(last=False)
            self.used_bytes -= self._size_of(dropped)
        return value

    def made(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the kept value, or make and keep it."""
        value = self.get(key)
        return self.put(key, make()) if value is None else value
