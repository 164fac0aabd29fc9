"""The operating system's entropy: the only source of randomness for real play."""

import os


class OsEntropy:
    """Bytes of the kernel's cryptographic generator (``getrandom``)."""

    def take(self, count: int) -> bytes:
        """Return ``count`` bytes from the operating system."""
        return os.urandom(count)
