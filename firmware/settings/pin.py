"""PINs of the operator's menu as they stand in the configuration: a scrypt hash, never the digits. Pure.

A PIN has few digits, so the hash is no secret to publish; the configuration must be readable by the terminal alone. How
often one may be tried is decided elsewhere (``terminal.menu_rights``).
"""

import hashlib
import hmac
from typing import Final

COST_LOG2: Final = 14
BLOCK_SIZE: Final = 8
_MEMORY_BYTES: Final = 64 << 20
SALT_BYTES: Final = 16
PATTERN: Final = r"^scrypt:[0-9a-f]{32}:[0-9a-f]{64}$"
LEAST_DIGITS: Final = 4
MOST_DIGITS: Final = 12


def hashed(digits: str, salt: bytes) -> str:
    """Return the text for the configuration. Raises ValueError for anything but 4 to 12 digits."""
    if not (digits.isascii() and digits.isdigit() and LEAST_DIGITS <= len(digits) <= MOST_DIGITS):
        raise ValueError(f"a PIN has {LEAST_DIGITS} to {MOST_DIGITS} digits")
    return f"scrypt:{salt.hex()}:{_hash(digits, salt).hex()}"


def is_pin(digits: str, stored: str) -> bool:
    """Tell whether digits are the PIN of a stored hash."""
    _, salt, expected = stored.split(":")
    return hmac.compare_digest(_hash(digits, bytes.fromhex(salt)), bytes.fromhex(expected))


def _hash(digits: str, salt: bytes) -> bytes:
    return hashlib.scrypt(
        digits.encode(), salt=salt, n=1 << COST_LOG2, r=BLOCK_SIZE, p=1, maxmem=_MEMORY_BYTES, dklen=32
    )
