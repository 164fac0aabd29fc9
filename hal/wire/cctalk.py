"""Frames of ccTalk, the one-wire bus of coin acceptors, hoppers and some bill validators.

Two forms exist. 8-bit: ``dest len src header data sum``, all bytes add up to 0 modulo 256. CRC-16: ``dest len crcLSB
header data crcMSB``; the sender's address is not in it, so an answer belongs to the device that was asked last. A frame
has no start mark: the only safe place to begin to read is after our own request, so a reader lives for one exchange and
gives up at the first byte that does not fit. Bytes in, frames out; no clock, no port. Not responsible for the silence
that ends a broken frame, for repeats (``hal.wire.cctalk_bus``) or for what a frame says (``hal.wire.cctalk_messages``).
"""

from dataclasses import dataclass
from enum import Enum

from hal.errors import LocalProtocolError, RemoteProtocolError

HOST_ADDRESS = 1
LONGEST_DATA = 252
ACK, NAK, BUSY = 0, 5, 6
REPLY_HEADERS = (ACK, NAK, BUSY)


class Checksum(Enum):
    """Which of the two forms a device speaks; fixed per device."""

    SUM8 = "sum8"
    CRC16 = "crc16"


class Echo(Enum):
    """Whether the adapter hands the host its own bytes back."""

    UNKNOWN = "unknown"
    PRESENT = "present"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Request:
    """What the host sends to one device."""

    address: int
    header: int
    data: bytes = b""
    checksum: Checksum = Checksum.SUM8


@dataclass(frozen=True, slots=True)
class Reply:
    """What the device answers: ``ACK`` with or without data, ``NAK`` or ``BUSY``."""

    header: int
    data: bytes = b""


def sum8(body: bytes) -> int:
    """Return the byte that makes ``body`` add up to 0 modulo 256."""
    return -sum(body) & 0xFF


def crc16(body: bytes) -> int:
    """Return the CRC-16 of ``body``: polynomial 1021, start value 0, most significant bit first."""
    crc = 0
    for byte in body:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def encode(request: Request) -> bytes:
    """Return the request as it goes over the wire. Raises LocalProtocolError for one that can't exist."""
    length = len(request.data)
    if length > LONGEST_DATA or not 2 <= request.address <= 255 or not 0 <= request.header <= 255:
        raise LocalProtocolError(f"no such ccTalk request: {request}")
    if request.checksum is Checksum.SUM8:
        body = bytes((request.address, length, HOST_ADDRESS, request.header)) + request.data
        return body + bytes((sum8(body),))
    crc = crc16(bytes((request.address, length, request.header)) + request.data)
    return bytes((request.address, length, crc & 0xFF, request.header)) + request.data + bytes((crc >> 8,))


class ReplyReader:
    """Reads the echo of one request and the reply to it, however the bytes are cut. Made anew for every exchange."""

    def __init__(self, request: Request, echo: Echo) -> None:
        self._request = request
        self._sent = encode(request)
        self._echo = echo
        self._input = bytearray()
        self._reply: Reply | None = None

    @property
    def echo(self) -> Echo:
        """What is known of the echo so far. The first byte tells: a request never goes to the host's own address."""
        return self._echo

    @property
    def has_begun(self) -> bool:
        """Whether a reply, complete or not, has begun to arrive."""
        echo_length = len(self._sent) if self._echo is Echo.PRESENT else 0
        return len(self._input) > echo_length

    def receive(self, data: bytes) -> Reply | None:
        """Take bytes as they came; return the reply once it is complete, else None.

        Raises RemoteProtocolError at the first byte that can't belong to the echo or the reply; the reader must not be
        fed after that. Bytes after a complete reply are noise and are ignored.
        """
        if self._reply is not None:
            return self._reply
        self._input += data
        if not self._input:
            return None
        if self._echo is Echo.UNKNOWN:
            self._echo = Echo.PRESENT if self._input[0] == self._sent[0] else Echo.ABSENT
        received = bytes(self._input)
        if self._echo is Echo.PRESENT:
            echoed, received = received[: len(self._sent)], received[len(self._sent) :]
            if not self._sent.startswith(echoed):
                raise RemoteProtocolError(f"ccTalk echo differs: sent {self._sent.hex(' ')}, came {echoed.hex(' ')}")
        self._reply = self._parse(received)
        return self._reply

    def _parse(self, received: bytes) -> Reply | None:
        crc_form = self._request.checksum is Checksum.CRC16
        if received and received[0] != HOST_ADDRESS:
            raise RemoteProtocolError(f"ccTalk reply to address {received[0]} instead of the host")
        if len(received) >= 2 and received[1] > LONGEST_DATA:
            raise RemoteProtocolError(f"ccTalk reply with the impossible length {received[1]}")
        if len(received) >= 3 and not crc_form and received[2] != self._request.address:
            raise RemoteProtocolError(f"ccTalk reply of device {received[2]} instead of {self._request.address}")
        if len(received) < 5 or len(received) < received[1] + 5:
            return None
        frame = received[: received[1] + 5]
        if crc_form:
            crc = crc16(frame[:2] + frame[3:-1])
            intact = frame[2] == crc & 0xFF and frame[-1] == crc >> 8
        else:
            intact = sum8(frame) == 0
        if not intact:
            raise RemoteProtocolError(f"ccTalk reply with a wrong checksum: {frame.hex(' ')}")
        if frame[3] not in REPLY_HEADERS:
            raise RemoteProtocolError(f"ccTalk reply with the header {frame[3]}, which no reply has")
        return Reply(frame[3], frame[4:-1])
