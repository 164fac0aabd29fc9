"""Frames of EBDS (MEI, CPI) and of Pyramid's RS-232 protocol, which is the same on the wire.

``02 LEN CTL DATA… 03 CHK`` at 7 data bits with even parity; LEN counts the whole frame, CHK is the exclusive or from LEN
to the last data byte. Bytes in, frames out; no clock, no port. Not responsible for what a frame says
(``hal.wire.ebds_messages``) or for the dialogue (``hal.wire.ebds_host``).
"""

from dataclasses import dataclass
from functools import reduce
from operator import xor

from hal.errors import LocalProtocolError, RemoteProtocolError

_START = 0x02
_END = 0x03
HOST, ACCEPTOR, AUXILIARY, EXTENDED = 1, 2, 6, 7
"""Message types that a bill acceptor needs."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: ``kind`` is the message type, ``ack`` the acknowledgement bit 0 or 1, ``data`` at least one byte."""

    kind: int
    ack: int
    data: bytes


def checksum(data: bytes) -> int:
    """Return the exclusive or of ``data``."""
    return reduce(xor, data, 0)


def encode(frame: Frame) -> bytes:
    """Return the frame as it goes over the wire. Raises LocalProtocolError for a frame that can't exist."""
    length = len(frame.data) + 5
    if not frame.data or length > 0x7F or frame.ack not in (0, 1) or any(byte > 0x7F for byte in frame.data):
        raise LocalProtocolError(f"no such EBDS frame: {frame}")
    body = bytes((length, frame.kind << 4 | frame.ack)) + frame.data
    return bytes((_START,)) + body + bytes((_END, checksum(body)))


class Decoder:
    """Finds frames of the given message types in a stream."""

    def __init__(self, kinds: frozenset[int]) -> None:
        self._kinds = kinds
        self._input = bytearray()

    def feed(self, data: bytes) -> None:
        """Take bytes as they came."""
        self._input += data

    def reset(self) -> None:
        """Forget all bytes; call before a request is sent, because a damaged length byte may swallow what follows."""
        self._input.clear()

    def next_frame(self) -> Frame | None:
        """Return the next whole frame, or None if more bytes are needed.

        Bytes that can't begin a frame are skipped. Raises RemoteProtocolError for a frame with a wrong end or checksum
        or with an eighth bit; everything that had come is then dropped.
        """
        while True:
            start = self._input.find(_START)
            del self._input[: start if start >= 0 else len(self._input)]
            if len(self._input) >= 2 and not 6 <= self._input[1] <= 0x7F:
                del self._input[0]
                continue
            if len(self._input) >= 3 and not self._possible(self._input[2]):
                del self._input[0]
                continue
            if len(self._input) < 3 or len(self._input) < self._input[1]:
                return None
            length = self._input[1]
            raw = bytes(self._input[:length])
            if raw[-2] != _END or raw[-1] != checksum(raw[1:-2]) or max(raw) > 0x7F:
                self._input.clear()
                raise RemoteProtocolError(f"EBDS frame with a wrong end or checksum: {raw.hex(' ')}")
            del self._input[:length]
            return Frame(raw[2] >> 4, raw[2] & 1, raw[3:-2])

    def _possible(self, control: int) -> bool:
        return control >> 4 in self._kinds and control & 0x0E == 0
