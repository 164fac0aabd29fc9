"""Frames of ID-003, the serial protocol of JCM's bill acceptors.

``FC LEN CODE DATA… CRClo CRChi``, LEN counts the whole frame. The codes 40–45 are commands in one direction and states
in the other with the same bytes, so a frame says nothing by itself: ``hal.wire.id003_messages`` gives each direction its
own names. No public host or device of this protocol was found to check ours against; what is known rests on frames that
several public programs print. Bytes in, frames out; no clock, no port. Not responsible for the dialogue (``hal.wire.id003_host``).
"""

from dataclasses import dataclass

from hal.errors import LocalProtocolError, RemoteProtocolError

_START = 0xFC
_SHORTEST = 5
LONGEST_DATA = 250


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: a command's or a state's ``code`` and its ``data``."""

    code: int
    data: bytes = b""


def checksum(data: bytes) -> int:
    """Return the CRC-16 of ``data``: CCITT reflected (8408), start value 0 (proof: the STATUS request ends in 27 56)."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0x8408 if crc & 1 else crc >> 1
    return crc


def encode(frame: Frame) -> bytes:
    """Return the frame as it goes over the wire. Raises LocalProtocolError for a frame that can't exist."""
    if not 0 <= frame.code <= 0xFF or len(frame.data) > LONGEST_DATA:
        raise LocalProtocolError(f"no such ID-003 frame: {frame}")
    body = bytes((_START, len(frame.data) + _SHORTEST, frame.code)) + frame.data
    return body + checksum(body).to_bytes(2, "little")


class Decoder:
    """Finds frames in a stream."""

    def __init__(self) -> None:
        self._input = bytearray()

    def feed(self, data: bytes) -> None:
        """Take bytes as they came."""
        self._input += data

    def reset(self) -> None:
        """Forget all bytes; call before a request is sent, because a damaged length byte may swallow what follows."""
        self._input.clear()

    def next_frame(self) -> Frame | None:
        """Return the next whole frame, or None if more bytes are needed.

        Bytes that can't begin a frame are skipped. Raises RemoteProtocolError for a wrong checksum; everything that had
        come is then dropped, because where the next frame begins is not known.
        """
        while True:
            start = self._input.find(_START)
            del self._input[: start if start >= 0 else len(self._input)]
            if len(self._input) < 2:
                return None
            length = self._input[1]
            if length < _SHORTEST:
                del self._input[0]
                continue
            if len(self._input) < length:
                return None
            raw = bytes(self._input[:length])
            if checksum(raw[:-2]) != int.from_bytes(raw[-2:], "little"):
                self._input.clear()
                raise RemoteProtocolError(f"ID-003 frame with a wrong checksum: {raw.hex(' ')}")
            del self._input[:length]
            return Frame(raw[2], raw[3:-2])
