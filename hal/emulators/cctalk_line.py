"""What all emulated ccTalk devices have in common: framing from the device's side, echo, identity.

Written from the fact sheet's frames. The device hears every frame on the wire, answers those to its own address and
checksum, and throws a partial frame away after 50 ms of silence. Not responsible for what a kind of device does.
"""

from collections.abc import Callable
from typing import ClassVar

from hal.emulators.base import Emulator, Faults, ScriptError, verb

BYTE_GAP_MS = 50
ANSWER_MS = 5


def crc_ccitt(data: bytes) -> int:
    """Return the CRC-16/XMODEM of ``data``, by long division of the message polynomial."""
    remainder = int.from_bytes(data, "big") << 16
    for bit in range(len(data) * 8 - 1, -1, -1):
        if remainder >> (bit + 16) & 1:
            remainder ^= 0x11021 << bit
    return remainder


class CctalkDevice(Emulator):
    """A device at ``address``. With ``crc`` it speaks the CRC-16 form; with ``echo`` the adapter echoes the host."""

    CATEGORY: ClassVar[bytes] = b""

    def __init__(
        self,
        faults: Faults | None = None,
        address: int = 2,
        crc: bool = False,
        echo: bool = True,
        serial: bytes = b"\x59\x47\x51",
    ) -> None:
        super().__init__(faults)
        self.address = address
        self.heard: list[tuple[int, bytes]] = []
        """Commands to this device as they came: header and data."""
        self._crc = crc
        self._echo = echo
        self._serial = serial
        self._line = bytearray()
        self._byte_ms = 0
        self._busy_count = 0
        self._answers: dict[int, Callable[[bytes], bytes | None]] = {
            254: lambda _: b"",
            246: lambda _: b"CRP",
            245: lambda _: self.CATEGORY,
            244: lambda _: b"EMU",
            242: lambda _: self._serial,
            241: lambda _: b"1.00",
            4: lambda _: b"\x01\x04\x06",
            1: self._on_reset,
        }

    # --- the hand of the world --------------------------------------------------------------------------------------

    @verb
    def busy(self, count: int) -> None:
        """Answer the next commands with BUSY."""
        self._busy_count = count

    @verb
    def reset(self) -> None:
        """Let the device restart by itself, as after a dip in its supply."""
        self.restart()

    @verb
    def set_echo(self, on: int) -> None:
        """Let the adapter echo (1) or not (0)."""
        self._echo = bool(on)

    @verb
    def change_serial(self, number: int) -> None:
        """Put another device of the same kind in its place."""
        if not 0 <= number < 1 << 24:
            raise ScriptError(f"change_serial: {number} does not fit three bytes")
        self._serial = number.to_bytes(3, "little")

    # --- for the kinds of device ------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Forget what is not kept over a power cut."""

    def on_power(self, is_on: bool) -> None:
        """The power went or came back."""
        self._line.clear()
        if is_on:
            self.restart()

    # --- line -------------------------------------------------------------------------------------------------------

    def on_bytes(self, data: bytes) -> None:
        """Hear bytes of the host."""
        if self._echo:
            self.raw(data)
        if self.now_ms - self._byte_ms > BYTE_GAP_MS:
            self._line.clear()
        self._byte_ms = self.now_ms
        self._line += data
        while len(self._line) >= 5 and len(self._line) >= self._line[1] + 5:
            frame = bytes(self._line[: self._line[1] + 5])
            del self._line[: len(frame)]
            self._hear(frame)

    def _hear(self, frame: bytes) -> None:
        if frame[0] != self.address or not self._is_intact(frame):
            return
        header, data = frame[3], frame[4:-1]
        self.heard.append((header, data))
        if self._busy_count:
            self._busy_count -= 1
            self._answer(6, b"")
            return
        answer = self._answers.get(header)
        if answer is None:
            return  # a command that the device does not know is not answered
        result = answer(data)
        self._answer(5 if result is None else 0, result or b"")

    def _is_intact(self, frame: bytes) -> bool:
        if self._crc:
            crc = crc_ccitt(frame[:2] + frame[3:-1])
            return frame[2] + 256 * frame[-1] == crc
        return frame[2] == 1 and sum(frame) % 256 == 0

    def _answer(self, header: int, data: bytes) -> None:
        if self._crc:
            crc = crc_ccitt(bytes([1, len(data), header]) + data)
            frame = bytes([1, len(data), crc % 256, header]) + data + bytes([crc // 256])
        else:
            frame = bytes([1, len(data), self.address, header]) + data
            frame += bytes([(256 - sum(frame) % 256) % 256])
        self.reply(frame, ANSWER_MS)

    def _on_reset(self, _: bytes) -> bytes:
        self.restart()
        return b""


class CctalkAcceptor(CctalkDevice):
    """What coin acceptors and bill validators share: inhibits, the buffer of five events, counters."""

    EVENTS_HEADER: ClassVar[int] = 0
    POLL_PRIORITY: ClassVar[bytes] = b"\x02\x14"

    def __init__(
        self,
        faults: Faults | None = None,
        address: int = 2,
        crc: bool = False,
        echo: bool = True,
        has_accept_counter: bool = True,
    ) -> None:
        super().__init__(faults, address, crc, echo)
        self.accepted_count = 0  # kept over a power cut
        self._clear_volatile()
        self._answers |= {
            249: lambda _: self.POLL_PRIORITY,
            232: lambda _: self.self_check(),
            231: self._on_inhibit,
            230: lambda _: self._mask,
            228: self._on_master,
            self.EVENTS_HEADER: lambda _: bytes([self.counter]) + b"".join(self._pairs),
        }
        if has_accept_counter:
            self._answers[225] = lambda _: self.accepted_count.to_bytes(3, "little")

    def restart(self) -> None:
        """Counter 0, buffer empty, all inhibited."""
        self._clear_volatile()

    def _clear_volatile(self) -> None:
        self.counter = 0
        self._pairs = [b"\0\0"] * 5
        self._mask = b"\0\0"
        self._master_on = True

    def self_check(self) -> bytes:
        """Return fault code and, where there is one, more about it."""
        return b"\0"

    def happen(self, first: int, second: int) -> None:
        """Put an event into the buffer."""
        if self.powered:
            self.counter = 1 if self.counter == 255 else self.counter + 1
            self._pairs = [bytes([first, second]), *self._pairs[:4]]

    def lets_in(self, position: int) -> bool:
        """Whether the host wants what is at this position (1–16)."""
        return self._master_on and bool(int.from_bytes(self._mask, "little") >> (position - 1) & 1)

    @verb
    def report_code(self, code: int) -> None:
        """Report an error or status code."""
        self.happen(0, code)

    def _on_inhibit(self, data: bytes) -> bytes | None:
        if len(data) != 2:
            return None
        self._mask = data
        return b""

    def _on_master(self, data: bytes) -> bytes | None:
        if len(data) != 1:
            return None
        self._master_on = bool(data[0] & 1)
        return b""
