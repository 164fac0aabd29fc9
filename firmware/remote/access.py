"""Who may look at the read-only page: one token, and a wait for everybody after wrong ones.

Not responsible for HTTP (``server``).
"""

import hmac
import secrets
from collections.abc import Callable
from typing import Final

TOKEN_BYTES: Final = 24
TRIES: Final = 10
WAIT_MS: Final = 60_000


def new_token() -> str:
    """Return a fresh token that fits into an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Gate:
    """Compares tokens. After ``TRIES`` wrong ones in a row no token opens it for ``WAIT_MS``."""

    def __init__(self, token: str, monotonic_ms: Callable[[], int]) -> None:
        """Open to ``token`` alone."""
        self._token = token.encode()
        self._monotonic_ms = monotonic_ms
        self._wrong_count = 0
        self._closed_until_ms = 0

    @property
    def is_closed(self) -> bool:
        """Tell whether even the right token has to wait."""
        return self._monotonic_ms() < self._closed_until_ms

    def opens(self, token: str) -> bool:
        """Tell whether a token opens the gate; a wrong one is counted."""
        if self.is_closed:
            return False
        if hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self._token):
            self._wrong_count = 0
            return True
        self._wrong_count += 1
        if self._wrong_count >= TRIES:
            self._wrong_count = 0
            self._closed_until_ms = self._monotonic_ms() + WAIT_MS
        return False
