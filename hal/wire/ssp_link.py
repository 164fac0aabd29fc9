"""One SSP command in flight: sequence bit, repetition and, with a cipher, encryption. Sans-I/O, without timers.

Not responsible for which command comes next or when one is repeated (``hal.wire.ssp_host``).
"""

from dataclasses import dataclass
from typing import Protocol

from hal.errors import RemoteProtocolError
from hal.wire import ssp
from hal.wire.ssp_messages import KEY_NOT_SET, SYNC

_ENCRYPTED = 0x7E


class Cipher(Protocol):
    """eSSP: keys are agreed after SYNC, then every command travels in an encrypted packet."""

    def key_commands(self) -> tuple[bytes, ...]:
        """Begin a new key exchange; return its commands in order."""

    def key_answer(self, command: bytes, data: bytes) -> None:
        """Take the answer (without OK) to one of them. Raises RemoteProtocolError."""

    @property
    def has_key(self) -> bool:
        """Whether ``seal`` can be used."""

    def seal(self, data: bytes) -> bytes:
        """Return the packet of a command."""

    def open(self, packet: bytes) -> bytes:
        """Return the data of a packet. Raises RemoteProtocolError for one that does not belong to the last command."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A command and the data of the validator's answer to it."""

    asked: bytes
    data: bytes


class SspLink:
    """The line to one validator."""

    def __init__(self, address: int = 0, cipher: Cipher | None = None) -> None:
        self._address = address
        self._cipher = cipher
        self._decoder = ssp.Decoder()
        self._sequence = 1
        self._frame = b""
        self.asked: bytes | None = None
        """The command in flight, or None."""
        self.tries = 0
        """How often it has been sent."""

    def restart(self) -> None:
        """Give up the command in flight and all that is agreed; the next command must be SYNC."""
        self.asked = None
        self._sequence = 1
        self._decoder.reset()

    def ask(self, data: bytes) -> bytes:
        """Return the bytes of a new command."""
        payload = data
        if self._cipher is not None and self._cipher.has_key and data != SYNC:
            payload = self._cipher.seal(data)
        self.asked = data
        self.tries = 0
        self._frame = ssp.encode(ssp.Frame(self._sequence, self._address, payload))
        return self.again()

    def again(self) -> bytes:
        """Return the bytes of the last command once more: the validator gives its last answer and executes nothing."""
        self.tries += 1
        self._decoder.reset()
        return self._frame

    def drop_partial(self) -> None:
        """Forget a frame that has begun."""
        self._decoder.reset()

    def feed(self, data: bytes) -> None:
        """Take bytes as they came."""
        self._decoder.feed(data)

    def next_answer(self) -> Answer | None:
        """Return the answer to the command in flight, or None. Raises RemoteProtocolError for a frame to be ignored.

        Answers that come late or twice carry the other sequence bit, or find no command in flight.
        """
        while (frame := self._decoder.next_frame()) is not None:
            if self.asked is None or frame.address != self._address or frame.sequence != self._sequence:
                continue
            data = self._opened(self.asked, frame.data)
            answer = Answer(self.asked, data)
            # The maker's own host sends SYNC with sequence 1 and goes on with 0.
            self._sequence = 0 if self.asked == SYNC else self._sequence ^ 1
            self.asked = None
            return answer
        return None

    def _opened(self, asked: bytes, data: bytes) -> bytes:
        """Return an answer's plain data; with a key agreed, nothing in the clear is believed but that the key is gone."""
        if self._cipher is None or not self._cipher.has_key or asked == SYNC:
            return data
        if data[0] == _ENCRYPTED:
            return self._cipher.open(data)
        if data[0] != KEY_NOT_SET:
            raise RemoteProtocolError(f"SSP answer is not encrypted: {data.hex(' ')}")
        return data
