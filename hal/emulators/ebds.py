"""An EBDS bill acceptor (of the MEI/CPI and Pyramid families) at byte level. Written from the published frames (tests/vectors).

It repeats its last answer to a message with the same acknowledgement bit and forgets STACKED, RETURNED and power-up only
at a message with a new bit. After a power cut it behaves as the power-up policy says that the host has set last.
"""

from typing import ClassVar

from hal.emulators.base import Emulator, Faults, verb
from hal.emulators.note_path import NotePath

HOST_SILENT_MS = 5_000
REPLY_AFTER_MS = 15
BYTE_GAP_MS = 50
DEAF_MS = 250
"""So long its head is too busy with a bill to answer."""
EVENT_MS = 1_000
DOLLARS: tuple[int, ...] = (1, 2, 5, 10, 20, 50, 100)

STACKED, RETURNED = 0x10, 0x40


class EbdsAcceptor(Emulator):
    """``bills`` are the values of bills 1 to 7 in whole units of ``currency``."""

    protocol: ClassVar[str] = "ebds"

    def __init__(
        self,
        faults: Faults | None = None,
        bills: tuple[int, ...] = DOLLARS,
        currency: str = "USD",
        serial: str = "20261130000117",
    ) -> None:
        super().__init__(faults)
        self.path = NotePath()
        self._bills = bills
        self._currency = currency
        self._serial = serial
        self._policy = 0  # lasting memory
        self._latched = 0
        self._latched_bill = 0
        self._begin()

    def _begin(self) -> None:
        self._line = bytearray()
        self._line_ms = 0
        self._last_ack: int | None = None
        self._last_answer = b""
        self._is_power_up = True
        self._enabled = 0
        self._is_extended = False
        self._heard_ms = self.now_ms
        self._deaf_until_ms = 0
        self._cheated = False
        self._rejected = False
        self._bad_command = False

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
        """Take the cassette out."""
        self.path.box_fitted = False
        self.path.box_full = False

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
        """Somebody tries to cheat; told once."""
        self._cheated = True

    @verb
    def restart(self) -> None:
        """Short loss of power that the line does not notice."""
        self.power_cut()
        self.power_on()

    # --- power and time ---------------------------------------------------------------------------------------------

    def on_power(self, is_on: bool) -> None:
        """With policy B a bill past the lever is told when power is back, and one in escrow stays for the host's word."""
        path = self.path
        if is_on:
            self._begin()
            self._plan()
            return
        is_policy_b = self._policy == 1
        bill = self._bill(path.note_minor)
        if path.place == "stacking" and path.past_lever:
            self._latched, self._latched_bill = (STACKED, bill) if is_policy_b else (0, 0)
            path.recover(self.now_ms)
        elif path.place == "escrow" and is_policy_b:
            pass
        elif path.place != "none":
            path.recover(self.now_ms)
            self._latched = 0
        elif not is_policy_b:
            self._latched = 0
        self.due_ms = None

    def on_due(self) -> None:
        """A movement ends or a patience is over."""
        path = self.path
        if self.now_ms >= self._heard_ms + HOST_SILENT_MS:
            self._enabled = 0
            if path.place == "escrow" and not path.is_jammed:
                path.give_back(self.now_ms)
        was = path.place
        bill = self._bill(path.note_minor)
        match path.step(self.now_ms):
            case "read" if path.is_damaged or not bill or not self._enabled >> (bill - 1) & 1:
                self._rejected = True
                path.give_back(self.now_ms)
            case "read":
                path.hold(self.now_ms)
            case "stacked":
                self._latched, self._latched_bill = STACKED, bill
            case "returned" if was == "returning" and not self._rejected:
                self._latched, self._latched_bill = RETURNED, bill
        self._plan()

    def _plan(self) -> None:
        due = [due_ms] if (due_ms := self.path.due_ms()) is not None else []
        if self._enabled or self.path.place == "escrow":
            due.append(max(self.now_ms + 1, self._heard_ms + HOST_SILENT_MS))
        self.due_ms = min(due, default=None)

    def _insert(self, minor: int, is_damaged: bool) -> None:
        path = self.path
        is_busy = path.place != "none" or path.is_jammed or not path.box_takes or self._latched == STACKED
        if not self.powered or not self._enabled or is_busy:
            path.mouth.append(minor)
            self.log(f"the bill of {minor} is not taken")
            return
        self._rejected = False
        path.insert(minor, is_damaged, self.now_ms)
        self._deaf_until_ms = self.now_ms + DEAF_MS
        self._plan()

    def _bill(self, minor: int) -> int:
        values = [value * 100 for value in self._bills]
        return values.index(minor) + 1 if minor in values else 0

    # --- frames -----------------------------------------------------------------------------------------------------

    def on_bytes(self, data: bytes) -> None:
        """Collect; a pause between bytes begins anew."""
        if self.now_ms - self._line_ms > BYTE_GAP_MS:
            self._line.clear()
        self._line_ms = self.now_ms
        for byte in data:
            self._line.append(byte)
            if self._line[0] != 0x02:
                self._line.clear()
            elif len(self._line) > 1 and len(self._line) == max(5, self._line[1]):
                frame = bytes(self._line)
                self._line.clear()
                self._on_frame(frame)

    def _on_frame(self, frame: bytes) -> None:
        check = 0
        for byte in frame[1:-2]:
            check ^= byte
        if frame[-2] != 0x03 or frame[-1] != check or self.now_ms < self._deaf_until_ms:
            return
        self._heard_ms = self.now_ms
        ack = frame[2] & 1
        if ack == self._last_ack and self._last_answer:
            self.reply(self._last_answer, REPLY_AFTER_MS)
            return
        if self._last_answer:
            self._forget_what_was_told()
        self._last_ack = ack
        answer = self._execute(frame[2] >> 4, frame[3:-2])
        body = bytes([len(answer) + 4, answer[0] << 4 | ack]) + answer[1:] + b"\x03"
        check = 0
        for byte in body[:-1]:
            check ^= byte
        self._last_answer = b"\x02" + body + bytes([check])
        self.reply(self._last_answer, REPLY_AFTER_MS)
        self._plan()

    def _forget_what_was_told(self) -> None:
        """The host has a new bit: it has heard the last answer."""
        told = self._last_answer
        status = told[3:9] if told[2] >> 4 == 2 else told[4:10] if told[2] >> 4 == 7 else b""
        if status and status[0] & (STACKED | RETURNED):
            self._latched = 0
        if status and status[2] & 1:
            self._is_power_up = False
        if status and status[1] & 2 and self.path.place == "none":
            self._rejected = False
        if status and status[1] & 1:
            self._cheated = False
        self._bad_command = False

    def _execute(self, kind: int, data: bytes) -> bytes:
        """Return message type and data of the answer."""
        if kind == 1 and len(data) == 3:
            self._obey(data)
        elif kind == 6 and data == b"\x7f\x7f\x7f":
            self.restart()
        elif kind == 6 and data == b"\x00\x00\x04":
            return b"\x06" + b"CFMC2 USD".ljust(20, b"\0")
        elif kind == 6 and data == b"\x00\x00\x05":
            return b"\x06" + self._serial.encode().ljust(20, b"\0")
        elif kind == 7 and len(data) == 5 and data[0] == 2:
            return b"\x07" + self._note_message(data[4])
        else:
            self._bad_command = True
        place = self.path.place
        tells_note = place == "escrow" or self._latched == STACKED
        if self._is_extended and tells_note:
            bill = self._latched_bill if self._latched == STACKED else self._bill(self.path.note_minor)
            return b"\x07" + self._note_message(bill)
        return b"\x02" + self._status()

    def _obey(self, data: bytes) -> None:
        path = self.path
        self._enabled = data[0]
        self._policy = data[2] >> 2 & 3
        self._is_extended = bool(data[2] & 0x10)
        if path.place == "escrow" and not path.is_jammed:
            if data[1] & 0x20 and path.box_takes:
                path.stack(self.now_ms)
            elif data[1] & 0x40:
                self._rejected = False
                path.give_back(self.now_ms)

    def _status(self) -> bytes:
        path = self.path
        states = {"none": 0x01, "reading": 0x02, "escrow": 0x04, "stacking": 0x08, "returning": 0x20}
        first = (0 if path.is_jammed or path.box_full else states[path.place]) | self._latched
        second = self._cheated | self._rejected << 1 | path.is_jammed << 2 | path.box_full << 3 | path.box_fitted << 4
        bill = 0
        if self._latched == STACKED:
            bill = self._latched_bill
        elif path.place in ("escrow", "stacking"):
            bill = self._bill(path.note_minor)
        third = self._is_power_up | self._bad_command << 1 | (0 if self._is_extended else bill << 3)
        return bytes([first, second, third, 0, 1, 2])

    def _note_message(self, index: int) -> bytes:
        row = b"\x00" * 18
        if 0 < index <= len(self._bills):
            base, exponent = self._bills[index - 1], 0
            while base > 999:
                base, exponent = base // 10, exponent + 1
            row = bytes([index]) + f"{self._currency}{base:03d}+{exponent:02d}".encode() + b"\0AAAA\0\0\0"
        return b"\x02" + self._status() + row
