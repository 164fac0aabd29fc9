"""Frames of SSP, the serial protocol of Innovative Technology's note validators.

``7F SEQ|ADDR LEN DATA… CRClo CRChi`` with every 7F past the first doubled. Bytes in, frames out; no clock, no port.
Not responsible for what a frame says (``hal.wire.ssp_messages``) or for the dialogue (``hal.wire.ssp_host``).
"""

from dataclasses import dataclass

from hal.errors import LocalProtocolError, RemoteProtocolError

_START = 0x7F
_POLYNOMIAL = 0x8005


def checksum(data: bytes) -> int:
    """Return the CRC-16 of ``data``: polynomial 8005, start value FFFF, most significant bit first (source: GA138)."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ _POLYNOMIAL if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: ``sequence`` 0 or 1, the slave's ``address`` 0–127, ``data`` of 1–255 bytes."""

    sequence: int
    address: int
    data: bytes


def encode(frame: Frame) -> bytes:
    """Return the frame as it goes over the wire. Raises LocalProtocolError for a frame that can't exist."""
    # Address 7F would make the first byte after the start look like a doubled 7F.
    if not 1 <= len(frame.data) <= 255 or not 0 <= frame.address < 0x7F or frame.sequence not in (0, 1):
        raise LocalProtocolError(f"no such SSP frame: {frame}")
    body = bytes((frame.sequence << 7 | frame.address, len(frame.data))) + frame.data
    body += checksum(body).to_bytes(2, "little")
    return bytes((_START,)) + body.replace(b"\x7f", b"\x7f\x7f")


class Decoder:
    """Finds frames in a stream. Un-stuffs once, byte by byte, so that it does not matter how the stream is cut."""

    def __init__(self) -> None:
        self._input = bytearray()
        self._body: bytearray | None = None  # None: between frames
        self._after_7f = False

    def feed(self, data: bytes) -> None:
        """Take bytes as they came."""
        self._input += data

    def reset(self) -> None:
        """Forget a frame that has begun; call before a request is sent."""
        self._input.clear()
        self._body = None
        self._after_7f = False

    def next_frame(self) -> Frame | None:
        """Return the next whole frame, or None if more bytes are needed.

        Raises RemoteProtocolError for a frame with a wrong checksum or no data; the bytes after it are kept.
        """
        while self._input:
            self._take(self._input.pop(0))
            body = self._body
            if body is not None and len(body) >= 2 and len(body) == body[1] + 4:
                self._body = None
                return _checked(bytes(body))
        return None

    def _take(self, byte: int) -> None:
        if byte == _START and not (self._after_7f and self._body is not None):
            self._after_7f = True  # a frame begins here, or this is the first half of a doubled 7F
        elif self._after_7f and byte != _START:
            # A lone 7F followed by anything else always begins a frame, also in the middle of another one.
            self._after_7f = False
            self._body = bytearray((byte,))
        elif self._body is not None:
            self._after_7f = False
            self._body.append(byte)


def _checked(body: bytes) -> Frame:
    if body[1] == 0:
        raise RemoteProtocolError("SSP frame without data")
    if checksum(body[:-2]) != int.from_bytes(body[-2:], "little"):
        raise RemoteProtocolError(f"SSP frame with a wrong checksum: {body.hex(' ')}")
    return Frame(body[0] >> 7, body[0] & 0x7F, body[2:-2])
