"""A CCNET bill validator (of CashCode's SM family) at byte level. Written from the published frames (tests/vectors), not from the host.

It shows 81 and 82 until they are acknowledged; as a ``one_shot`` clone it shows them once. A bill inside at power-up
stays there until RESET, which ends what was begun.
"""

from typing import ClassVar

from hal.emulators.base import Emulator, Faults, verb
from hal.emulators.note_path import NotePath

ESCROW_MS = 10_000
INITIALIZE_MS = 600
CHEATED_MS = 2_000
REPLY_AFTER_MS = 5
BYTE_GAP_MS = 100
EUROS: tuple[tuple[str, int, int], ...] = (("EUR", 5, 0), ("EUR", 1, 1), ("EUR", 2, 1), ("EUR", 5, 1), ("EUR", 1, 2))
"""Country letters, value and decimal exponent of each bill type."""


class CcnetValidator(Emulator):
    """``bills`` are the rows of its bill table; ``word_after_power_up`` makes it show 81 for a bill stacked by RESET."""

    protocol: ClassVar[str] = "ccnet"

    def __init__(
        self,
        faults: Faults | None = None,
        bills: tuple[tuple[str, int, int], ...] = EUROS,
        serial: str = "41K70700PN88",
        one_shot: bool = False,
        word_after_power_up: bool = False,
    ) -> None:
        super().__init__(faults)
        self.path = NotePath()
        self._bills = bills
        self._serial = serial
        self._is_one_shot = one_shot
        self._speaks_after_power_up = word_after_power_up
        self._line = bytearray()
        self._line_ms = 0
        self._last_reply = b""
        self._replied_ms = 0
        self._begin(b"\x10")

    def _begin(self, power_up: bytes) -> None:
        self._power_up = power_up  # shown until RESET; empty in normal work
        self._busy_until_ms = 0
        self._accepts = 0
        self._escrows = 0
        self._show = b""  # 81 or 82 that waits for ACK
        self._reject_reason = 0
        self._escrow_until_ms = 0
        self._cheated_until_ms = 0
        self._line.clear()
        self._last_reply = b""

    # --- the hand of the world --------------------------------------------------------------------------------------

    @verb
    def insert_note(self, minor: int) -> None:
        """Push a genuine bill in."""
        self._insert(minor, False)

    @verb
    def insert_damaged_note(self, minor: int) -> None:
        """Push in a bill that is not recognised."""
        self._insert(minor, True)

    @verb
    def jam(self) -> None:
        """Block the path."""
        self.path.is_jammed = True
        self._plan()

    @verb
    def clear_jam(self) -> None:
        """Free the path."""
        self.path.is_jammed = False
        self._plan()

    @verb
    def remove_cash_box(self) -> None:
        """Take the cassette out; a bill on its way comes back."""
        self.path.box_fitted = False
        self.path.box_full = False
        if self.path.place == "stacking" and not self.path.past_lever:
            self.path.give_back(self.now_ms)
            self._plan()

    @verb
    def insert_cash_box(self) -> None:
        """Put the cassette back."""
        self.path.box_fitted = True

    @verb
    def fill_stacker(self) -> None:
        """Make the cassette full."""
        self.path.box_full = True

    @verb
    def fraud(self) -> None:
        """Somebody tries to cheat."""
        self._cheated_until_ms = self.now_ms + CHEATED_MS

    @verb
    def restart(self) -> None:
        """Short loss of power that the line does not notice."""
        self.power_cut()
        self.power_on()

    # --- power and time ---------------------------------------------------------------------------------------------

    def on_power(self, is_on: bool) -> None:
        """What was shown is forgotten; the sensors find a bill that is still inside."""
        path = self.path
        if is_on:
            self._plan()
            return
        in_stacker = (path.place == "stacking" and path.past_lever) or self._show[:1] == b"\x81"
        in_validator = path.place != "none"
        self._begin(b"\x12" if in_stacker else b"\x11" if in_validator else b"\x10")
        self.due_ms = None

    def on_due(self) -> None:
        """A movement ends or a patience is over."""
        if self._power_up:
            return
        bill_type = self._type(self.path.note_minor)
        if self.path.place == "escrow" and self.now_ms >= self._escrow_until_ms:
            self.path.give_back(self.now_ms)
            self._reject_reason = 0
        match self.path.step(self.now_ms):
            case "read":
                self._on_read(bill_type)
            case "stacked":
                self._show = bytes([0x81, bill_type])
            case "returned" if not self._reject_reason:
                self._show = bytes([0x82, bill_type])
        self._plan()

    def _plan(self) -> None:
        due = [due_ms] if (due_ms := self.path.due_ms()) is not None and not self._power_up else []
        if self.path.place == "escrow" and not self._power_up and not self.path.is_jammed:
            due.append(self._escrow_until_ms)
        self.due_ms = min(due, default=None)

    def _insert(self, minor: int, is_damaged: bool) -> None:
        if self._state()[0] != 0x14 or not self.powered:
            self.path.mouth.append(minor)
            self.log(f"the bill of {minor} is not taken")
            return
        self.path.insert(minor, is_damaged, self.now_ms)
        self._plan()

    def _on_read(self, bill_type: int) -> None:
        if self.path.is_damaged or bill_type < 0:
            self._reject_reason = 0x65
        elif not self._accepts >> bill_type & 1:
            self._reject_reason = 0x68
        else:
            self._reject_reason = 0
        if self._reject_reason:
            self.path.give_back(self.now_ms)
        elif self._escrows >> bill_type & 1:
            self.path.hold(self.now_ms)
            self._escrow_until_ms = self.now_ms + ESCROW_MS
        else:
            self.path.stack(self.now_ms)

    def _type(self, minor: int) -> int:
        values = [value * 10**exponent * 100 for _, value, exponent in self._bills]
        return values.index(minor) if minor in values else -1

    # --- frames -----------------------------------------------------------------------------------------------------

    def on_bytes(self, data: bytes) -> None:
        """Collect; a pause between bytes begins anew."""
        if self.now_ms - self._line_ms > BYTE_GAP_MS:
            self._line.clear()
        self._line_ms = self.now_ms
        for byte in data:
            self._line.append(byte)
            if self._line[0] != 0x02 or (len(self._line) == 2 and self._line[1] != 0x03):
                self._line.clear()
            elif len(self._line) >= 6 and len(self._line) == self._line[2]:
                frame = bytes(self._line)
                self._line.clear()
                self._on_frame(frame)

    def _on_frame(self, frame: bytes) -> None:
        if _crc(frame) != 0:
            self._answer(b"\xff", is_kept=False)
            return
        command, rest = frame[3], frame[4:-2]
        if command == 0x00 and not rest:
            self._on_ack()
        elif command == 0xFF and not rest:
            if self._last_reply:
                self._replied_ms = self.now_ms + REPLY_AFTER_MS
                self.reply(self._last_reply, REPLY_AFTER_MS)
        elif command == 0x33:
            state = self._state()
            self._answer(state)
            if self._is_one_shot and state == self._show:
                self._show = b""
        elif command == 0x37:
            self._answer(b"SM-RU1353".ljust(15) + self._serial.encode().ljust(12)[:12] + bytes(7))
        elif command == 0x41:
            self._answer(self._table())
        elif command == 0x31:
            self._answer(self._accepts.to_bytes(3, "big") + bytes(3))
        else:
            self._answer(self._verdict(command, rest), is_kept=False)
        self._plan()

    def _on_ack(self) -> None:
        if self.now_ms < self._replied_ms:
            return  # it came before our answer had left: it means something else
        if self._show and self._last_reply[3:-2] == self._show:
            self._show = b""
        self._last_reply = b""

    def _answer(self, data: bytes, is_kept: bool = True) -> None:
        body = bytes([0x02, 0x03, len(data) + 5]) + data
        crc = _crc(body)
        frame = body + bytes([crc & 0xFF, crc >> 8])
        if is_kept:
            self._last_reply = frame
        self._replied_ms = self.now_ms + REPLY_AFTER_MS
        self.reply(frame, REPLY_AFTER_MS)

    def _table(self) -> bytes:
        rows = b"".join(bytes([value]) + name.encode() + bytes([exponent]) for name, value, exponent in self._bills)
        return rows.ljust(120, b"\0")

    def _verdict(self, command: int, rest: bytes) -> bytes:
        """Carry a command out; returns ACK 00 or ILLEGAL 30."""
        path = self.path
        if command == 0x30 and not rest:
            self._reset()
        elif command == 0x32 and len(rest) == 3:
            pass
        elif self._power_up:
            return b"\x30"
        elif command == 0x34 and len(rest) == 6:  # also while it initialises
            self._accepts = int.from_bytes(rest[:3], "big")
            self._escrows = int.from_bytes(rest[3:], "big")
        elif command == 0x35 and path.place == "escrow" and path.box_takes and not path.is_jammed:
            path.stack(self.now_ms)
        elif command == 0x36 and path.place == "escrow" and not path.is_jammed:
            self._reject_reason = 0
            path.give_back(self.now_ms)
        elif command == 0x38 and path.place == "escrow":
            self._escrow_until_ms = self.now_ms + ESCROW_MS
        else:
            return b"\x30"
        return b"\x00"

    def _reset(self) -> None:
        note = self.path.note_minor
        self._begin(b"")
        ended = self.path.recover(self.now_ms)
        self._busy_until_ms = self.now_ms + INITIALIZE_MS
        if ended == "stacked" and self._speaks_after_power_up:
            self._show = bytes([0x81, self._type(note)])

    def _state(self) -> bytes:
        path = self.path
        if self._power_up:
            return self._power_up
        if self.now_ms < self._busy_until_ms:
            return b"\x13"
        if not path.box_fitted:
            return b"\x42"
        if path.is_jammed:
            return b"\x43"
        if self.now_ms < self._cheated_until_ms:
            return b"\x45"
        if self._show:
            return self._show
        if path.place == "escrow":
            return bytes([0x80, self._type(path.note_minor)])
        if path.place == "returning" and self._reject_reason:
            return bytes([0x1C, self._reject_reason])
        moving = {"reading": b"\x15", "stacking": b"\x17", "returning": b"\x18"}
        if path.place in moving:
            return moving[path.place]
        if path.box_full:
            return b"\x41"
        return b"\x14" if self._accepts else b"\x19"


def _crc(data: bytes) -> int:
    """Return the checksum; over a whole good frame it is 0."""
    register = 0
    for byte in data:
        for bit in range(8):
            low = (register ^ byte >> bit) & 1
            register >>= 1
            if low:
                register ^= 0x8408
    return register
