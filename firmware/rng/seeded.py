"""Repeatable randomness for the simulator and tests: never for a cabinet (``app`` refuses the combination)."""

import hashlib


class SeededSource:
    """A stream of SHA-256 blocks over seed and counter: the same seed gives the same shoes on any machine."""

    def __init__(self, seed: int) -> None:
        """Start the stream that belongs to ``seed``."""
        self._seed = seed
        self._counter = 0
        self._buffer = b""

    def take(self, count: int) -> bytes:
        """Return the next ``count`` bytes of the stream."""
        if len(self._buffer) < count:
            blocks = -(-(count - len(self._buffer)) // hashlib.sha256().digest_size)
            numbers = range(self._counter, self._counter + blocks)
            fresh = (hashlib.sha256(f"{self._seed}:{number}".encode()).digest() for number in numbers)
            self._buffer += b"".join(fresh)
            self._counter += blocks
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken
