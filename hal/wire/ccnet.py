"""Frames of CCNET, the serial protocol of CashCode bill validators.

``02 ADR LEN DATA… CRClo CRChi``, LEN counts the whole frame. Bytes in, frames out; no clock, no port. Not responsible
for what the data say (``hal.wire.ccnet_messages``) or for the dialogue (``hal.wire.ccnet_host``).
"""

from hal.errors import LocalProtocolError, RemoteProtocolError

_START = 0x02
BILL_VALIDATOR = 0x03
"""The bus address of a bill validator."""
_SHORTEST = 6
_LONGEST = 250


def checksum(data: bytes) -> int:
    """Return the CRC-16 of ``data``: CCITT reflected (8408), start value 0 (proof: the well-known POLL ends in DA 81)."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0x8408 if crc & 1 else crc >> 1
    return crc


def encode(data: bytes, address: int = BILL_VALIDATOR) -> bytes:
    """Return the frame that carries ``data`` (1–244 bytes: command or answer). Raises LocalProtocolError for others.

    Longer frames exist in the protocol (length byte 0, length in the data) but no bill validator needs them.
    """
    length = len(data) + 5
    if not _SHORTEST <= length <= _LONGEST:
        raise LocalProtocolError(f"{len(data)} bytes don't fit a CCNET frame")
    frame = bytes((_START, address, length)) + data
    return frame + checksum(frame).to_bytes(2, "little")


class Decoder:
    """Finds the frames of one address in a stream."""

    def __init__(self, address: int = BILL_VALIDATOR) -> None:
        self._address = address
        self._input = bytearray()

    def feed(self, data: bytes) -> None:
        """Take bytes as they came."""
        self._input += data

    def reset(self) -> None:
        """Forget all bytes; call before a request is sent, because a damaged length byte may swallow what follows."""
        self._input.clear()

    def next_frame(self) -> bytes | None:
        """Return the data of the next whole frame, or None if more bytes are needed.

        Bytes that can't begin a frame are skipped. Raises RemoteProtocolError for a wrong checksum; everything that had
        come is then dropped, because where the next frame begins is not known.
        """
        while True:
            start = self._input.find(_START)
            del self._input[: start if start >= 0 else len(self._input)]
            if len(self._input) < 3:
                # A header of which a part is here already may be known to be none.
                if len(self._input) == 2 and self._input[1] != self._address:
                    del self._input[0]
                    continue
                return None
            length = self._input[2]
            if self._input[1] != self._address or not _SHORTEST <= length <= _LONGEST:
                del self._input[0]
                continue
            if len(self._input) < length:
                return None
            frame = bytes(self._input[:length])
            if checksum(frame[:-2]) != int.from_bytes(frame[-2:], "little"):
                self._input.clear()
                raise RemoteProtocolError(f"CCNET frame with a wrong checksum: {frame.hex(' ')}")
            del self._input[:length]
            return frame[3:-2]
