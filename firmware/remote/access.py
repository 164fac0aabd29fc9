"""Who may look at the read-only page: one token, a session for each browser that showed it, and a wait after wrong ones.

Wrong tokens are counted for each client by itself, and who has a session is let in whatever others do: nobody can lock
the right people out. Not responsible for HTTP (``server``).
"""

import hmac
import ipaddress
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final

TOKEN_BYTES: Final = 24
TRIES: Final = 10
WAIT_MS: Final = 60_000
SESSION_MS: Final = 12 * 3_600_000
MOST_SESSIONS: Final = 64
MOST_CLIENTS: Final = 4_096
"""So many are remembered; beyond that the one that came first is forgotten."""


def new_token() -> str:
    """Return a fresh token that fits into an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


@dataclass
class _Client:
    wrong_count: int = 0
    closed_until_ms: int = 0


class Gate:
    """Compares tokens. After ``TRIES`` wrong ones in a row no token of that client opens it for ``WAIT_MS``.

    May be used from several threads.
    """

    def __init__(self, token: str, monotonic_ms: Callable[[], int]) -> None:
        """Open to ``token`` alone."""
        self._token = token.encode()
        self._monotonic_ms = monotonic_ms
        self._clients: OrderedDict[str, _Client] = OrderedDict()
        self._sessions: OrderedDict[str, int] = OrderedDict()
        self._lock = Lock()

    def is_closed(self, client: str) -> bool:
        """Tell whether even the right token of a client (its address) has to wait."""
        with self._lock:
            known = self._clients.get(_group(client))
            return known is not None and self._monotonic_ms() < known.closed_until_ms

    def opens(self, token: str, client: str) -> bool:
        """Tell whether a token opens the gate for a client; a wrong one is counted."""
        if self.is_closed(client):
            return False
        is_right = hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self._token)
        with self._lock:
            if is_right:
                self._clients.pop(_group(client), None)
                return True
            known = self._clients.setdefault(_group(client), _Client())
            self._clients.move_to_end(_group(client))
            while len(self._clients) > MOST_CLIENTS:
                self._clients.popitem(last=False)
            known.wrong_count += 1
            if known.wrong_count >= TRIES:
                known.wrong_count = 0
                known.closed_until_ms = self._monotonic_ms() + WAIT_MS
            return False

    def new_session(self) -> str:
        """Return the secret of a new session; only for somebody whose token has just opened the gate."""
        session = new_token()
        with self._lock:
            self._sessions[session] = self._monotonic_ms() + SESSION_MS
            while len(self._sessions) > MOST_SESSIONS:
                self._sessions.popitem(last=False)
        return session

    def admits(self, session: str) -> bool:
        """Tell whether this is the secret of a session that has not ended."""
        given, now_ms, found = session.encode("utf-8", "surrogateescape"), self._monotonic_ms(), False
        with self._lock:
            for known, end_ms in self._sessions.items():
                found |= hmac.compare_digest(given, known.encode()) and now_ms < end_ms
        return found


def _group(client: str) -> str:
    """Who has one address of IPv6 has a whole network of them."""
    try:
        address = ipaddress.ip_address(client.partition("%")[0])
    except ValueError:
        return client
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
