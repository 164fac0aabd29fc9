"""What the service manager is told: READY, STATUS, WATCHDOG, STOPPING, by the protocol of ``sd_notify(3)``.

The socket never blocks: a manager that does not read must not stop the game. READY and STOPPING are sent again until they
got through; a lost WATCHDOG is followed by the next one. Without a service manager nothing happens.
Not responsible for the judgement who lives (``liveness``).
"""

import os
import socket
from collections.abc import Iterable, MutableMapping
from typing import Final

from firmware.liveness import Part, stuck

FEED_EVERY_MS: Final = 1_000
STEP_US: Final = 60_000_000
"""Each step before READY that is told may be followed by the next one so much later, however long the start has taken."""


class ServiceManager:
    """The line to systemd, or to nobody."""

    def __init__(self, address: str = "") -> None:
        """``address`` as in ``$NOTIFY_SOCKET``: a path, or a name in the abstract name space that begins with @."""
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._socket: socket.socket | None = None
        if address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
        self._due: list[str] = []
        self._status = ""
        self._is_ready = False
        self._fed_ms: int | None = None

    @classmethod
    def from_environment(cls, environment: MutableMapping[str, str] = os.environ) -> "ServiceManager":
        """Return the line that the environment names, and take it out of there: it is not for our own processes."""
        return cls(environment.pop("NOTIFY_SOCKET", ""))

    @property
    def is_there(self) -> bool:
        """Whether there is a service manager, which starts the program again when it ends."""
        return self._socket is not None

    def starting(self, status: str) -> None:
        """Say what is done before the first picture of the terminal; what is said anew gives the start more time."""
        before = self._status
        self._tell_status(status)
        if self._status != before:
            self._send(f"EXTEND_TIMEOUT_USEC={STEP_US}")
        self._send_due()

    def shown(self, parts: Iterable[Part], status: str, now_ms: int) -> None:
        """Call after each frame that shows the terminal. The first one is READY; from then on the watchdog is fed once a
        second, as long as all parts move."""
        if not self._is_ready:
            self._is_ready = True
            self._due.append("READY=1")
            self._send_due()
        if self._fed_ms is None or now_ms - self._fed_ms >= FEED_EVERY_MS:
            hanging = stuck(parts, now_ms)
            if hanging:
                status = f"hangs: {', '.join(hanging)}"
            else:
                self._send("WATCHDOG=1")
            self._fed_ms = now_ms
            self._tell_status(status)
        self._send_due()

    def stopping(self, status: str) -> None:
        """The program begins to end in an orderly way."""
        self._due.append("STOPPING=1")
        self._tell_status(status)
        self._send_due()

    def close(self) -> None:
        """Let go of the line."""
        if self._socket is not None:
            self._socket.close()

    def _tell_status(self, status: str) -> None:
        line = " ".join(status.split())
        if line != self._status:
            self._status = line
            self._due = [each for each in self._due if not each.startswith("STATUS=")]
            self._due.append(f"STATUS={line}")

    def _send_due(self) -> None:
        while self._due and self._send(self._due[0]):
            self._due.pop(0)

    def _send(self, message: str) -> bool:
        """Send one message; tell whether it got through. A full or vanished socket is no reason to stop a game."""
        if self._socket is None:
            return True
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError:
            return False
        return True
