"""A JCM bill acceptor with ID-003 at byte level. Written from the fact sheet's frames, not from the host.

It shows its state when asked, holds VEND VALID until it is acknowledged, and after a power cut waits for RESET with a bill
where it stopped. ``recovers_credit`` units say VEND VALID again for a bill that RESET finds in the stacker; others don't.
"""

from typing import ClassVar

from hal.emulators.base import Emulator, Faults, verb
from hal.emulators.note_path import NotePath

ANSWER_MS = 10
ESCROW_MS = 8_000
INITIALIZE_MS = 400
SHOW_MS = 300
"""How long STACKED is shown."""
EUROS = bytes.fromhex("61E00500 62E00101 63E00201 64E00501 65E00102")
"""The currency assignment of 5, 10, 20, 50 and 100 euros, as the sheet has it."""
VERSION = b"i(EUR5)100-SS ID003-05V300-45 28JUN23 7F23"

_NIBBLES = [0x1081 * nibble for nibble in range(16)]


def kermit(data: bytes) -> int:
    """Return the CRC of ``data``, four bits at a time."""
    crc = 0
    for byte in data:
        crc = crc >> 4 ^ _NIBBLES[(crc ^ byte) & 15]
        crc = crc >> 4 ^ _NIBBLES[(crc ^ byte >> 4) & 15]
    return crc


class Id003Acceptor(Emulator):
    """``assignment`` is the answer to the currency request."""

    protocol: ClassVar[str] = "id003"

    def __init__(
        self,
        faults: Faults | None = None,
        assignment: bytes = EUROS,
        recovers_credit: bool = True,
        echo: bool = False,
    ) -> None:
        super().__init__(faults)
        self.path = NotePath()
        self.heard: list[bytes] = []
        """Command codes with their data, as they came."""
        self._assignment = assignment
        self._recovers_credit = recovers_credit
        self._echo = echo
        self._credit_open = False  # lasting memory: a stacked bill that the host has not acknowledged
        self._forget()

    def _forget(self) -> None:
        self._line = b""
        self._settings = {0xC0: b"\xff\xff", 0xC1: b"\0\0", 0xC2: b"\0", 0xC3: b"\1", 0xC4: b"\0", 0xC5: b"\0\0"}
        self._phase = "power up"
        self._initialize_until_ms = 0
        self._escrow_until_ms = 0
        self._is_held = False
        self._credits_at_lever = False
        self._vend_shown = False
        self._stacked_until_ms = 0
        self._reject = 0
        self._trouble = b""

    # --- the hand of the world --------------------------------------------------------------------------------------

    @verb
    def insert_note(self, minor: int) -> None:
        """Push a genuine note in."""
        self._insert(minor, False)

    @verb
    def insert_damaged_note(self, minor: int) -> None:
        """Push in a note that can't be recognised."""
        self._insert(minor, True)

    @verb
    def jam(self) -> None:
        """Block the path."""
        self.path.is_jammed = True
        self._plan()

    @verb
    def clear_jam(self) -> None:
        """Free the path; what was in it goes on."""
        self.path.is_jammed = False
        self._plan()

    @verb
    def remove_cash_box(self) -> None:
        """Take the cash box out; a bill that was on its way into it stops and goes back."""
        self.path.box_fitted = False
        if self.path.place == "stacking" and not self.path.past_lever:
            self.path.give_back(self.now_ms)
            self._plan()

    @verb
    def insert_cash_box(self) -> None:
        """Put an empty cash box in."""
        self.path.box_fitted, self.path.box_full = True, False

    @verb
    def fill_stacker(self) -> None:
        """Make the cash box full."""
        self.path.box_full = True

    @verb
    def trouble(self, code: int, detail: int = -1) -> None:
        """Show a trouble state (71 pause, 72 cheated, 73 failure with its code, 74 communication); 0 ends it."""
        self._trouble = bytes([code]) + (bytes([detail]) if detail >= 0 else b"") if code else b""

    # --- mechanics --------------------------------------------------------------------------------------------------

    def _insert(self, minor: int, is_damaged: bool) -> None:
        path = self.path
        is_idle = self.powered and self._phase == "normal" and self._state()[0] == 0x11
        if not is_idle:
            path.mouth.append(minor)
            return
        path.insert(minor, is_damaged, self.now_ms)
        self._plan()

    def on_due(self) -> None:
        path = self.path
        if self._phase == "initialize" and self.now_ms >= self._initialize_until_ms:
            self._phase = "normal"
        if path.place == "escrow" and self.now_ms >= self._escrow_until_ms:
            path.give_back(self.now_ms)
        match path.step(self.now_ms):
            case "read":
                self._validated()
            case "lever" if self._credits_at_lever:
                self._credit_open = self._vend_shown = True
            case "stacked":
                if not self._credits_at_lever:
                    self._credit_open = self._vend_shown = True
                elif not self._credit_open:
                    self._stacked_until_ms = self.now_ms + SHOW_MS
            case "returned":
                self._reject = 0
        self._plan()

    def _validated(self) -> None:
        code = self._escrow_code()
        if code and not self.path.is_damaged and not self._is_disabled(code):
            self.path.hold(self.now_ms)
            self._escrow_until_ms = self.now_ms + ESCROW_MS
            self._is_held = False
        else:
            self._reject = 0x79 if code and not self.path.is_damaged else 0x76
            self.path.give_back(self.now_ms)

    def _escrow_code(self) -> int:
        for at in range(0, len(self._assignment), 4):
            code, _, value, exponent = self._assignment[at : at + 4]
            if value * 10**exponent * 100 == self.path.note_minor:
                return code
        return 0

    def _is_disabled(self, code: int) -> bool:
        return self._settings[0xC3] != b"\0" or bool(
            int.from_bytes(self._settings[0xC0], "little") >> (code - 0x61) & 1
        )

    def on_power(self, is_on: bool) -> None:
        self._forget()
        self.due_ms = None

    def _plan(self) -> None:
        due: list[int] = []
        if self._phase == "initialize":
            due.append(self._initialize_until_ms)
        if self._phase != "power up":
            if self.path.place == "escrow" and not self.path.is_jammed:
                due.append(self._escrow_until_ms)
            moves_ms = self.path.due_ms()
            if moves_ms is not None:
                due.append(moves_ms)
        self.due_ms = min(due, default=None)

    # --- line -------------------------------------------------------------------------------------------------------

    def on_bytes(self, data: bytes) -> None:
        if self._echo:
            self.raw(data)
        self._line += data
        while self._line:
            if self._line[0] != 0xFC:
                self._line = self._line[1:]
                continue
            if len(self._line) < 2 or len(self._line) < self._line[1]:
                return
            size = max(self._line[1], 1)
            frame, self._line = self._line[:size], self._line[size:]
            if size >= 5 and kermit(frame[:-2]) == frame[-2] + 256 * frame[-1]:
                self._command(frame[2:-2])

    def _say(self, content: bytes) -> None:
        frame = bytes([0xFC, len(content) + 4]) + content
        crc = kermit(frame)
        self.reply(frame + bytes([crc % 256, crc // 256]), ANSWER_MS)

    def _command(self, content: bytes) -> None:
        self.heard.append(content)
        code, data = content[0], content[1:]
        if code == 0x11:
            self._say(self._state())
        elif code == 0x50:
            self._acknowledged()
        elif code == 0x88:
            self._say(b"\x88" + VERSION)
        elif code == 0x8A:
            self._say(b"\x8a" + self._assignment if self._assignment else b"\x4b")
        elif 0x80 <= code <= 0x85:
            self._say(bytes([code]) + self._settings[code + 0x40])
        elif code in self._settings and len(data) == len(self._settings[code]):
            self._settings[code] = data
            self._say(content)
        elif 0x40 <= code <= 0x45 and not data:
            self._say(b"\x50" if self._operate(code) else b"\x4b")
        else:
            self._say(b"\x4b")

    def _acknowledged(self) -> None:
        if self._vend_shown:
            self._vend_shown = self._credit_open = False
            if self.path.place == "none":
                self._stacked_until_ms = self.now_ms + SHOW_MS

    def _operate(self, code: int) -> bool:
        path = self.path
        if code == 0x40:
            self._reset()
            return True
        if path.place != "escrow" or path.is_jammed or self._phase != "normal":
            return False
        if code in (0x41, 0x42):
            if not path.box_takes:
                return False
            self._credits_at_lever = code == 0x41
            path.stack(self.now_ms)
        elif code == 0x43:
            path.give_back(self.now_ms)
        else:
            self._is_held = True
            self._escrow_until_ms = self.now_ms + ESCROW_MS
        self._plan()
        return True

    def _reset(self) -> None:
        path = self.path
        self._phase = "initialize"
        self._initialize_until_ms = self.now_ms + INITIALIZE_MS
        if path.place == "stacking" and path.past_lever:
            path.recover(self.now_ms)
            self._credit_open = True
        elif path.place != "none":
            path.give_back(self.now_ms)
        self._vend_shown = self._credit_open = self._credit_open and self._recovers_credit
        self._plan()

    def _state(self) -> bytes:
        path = self.path
        if self._phase == "power up":
            if self._credit_open or (path.place == "stacking" and path.past_lever):
                return b"\x42"
            return b"\x40" if path.place == "none" else b"\x41"
        if self._phase == "initialize":
            return b"\x1b"
        if path.is_jammed:
            return b"\x46" if path.past_lever else b"\x45"
        if self._trouble:
            return self._trouble
        if self._vend_shown:
            return b"\x15"
        if path.place == "none" and self.now_ms < self._stacked_until_ms:
            return b"\x16"
        match path.place:
            case "reading":
                return b"\x12"
            case "escrow":
                return b"\x19" if self._is_held else bytes([0x13, self._escrow_code()])
            case "stacking":
                return b"\x14"
            case "returning":
                return bytes([0x17, self._reject]) if self._reject else b"\x18"
        if not path.box_fitted:
            return b"\x44"
        if path.box_full:
            return b"\x43"
        inhibited = self._settings[0xC3] != b"\0" or self._settings[0xC0] == b"\xff\xff"
        return b"\x1a" if inhibited else b"\x11"
