"""A ccTalk bill validator at byte level: euro notes, one in escrow, a cash box. Written from the fact sheet.

A power cut is what the protocol can't tell about. ``after_power_up`` chooses what this one says of a note that it stacked
when the power came back: ``event``, only its lifetime ``counter``, or ``nothing``.
"""

from typing import ClassVar, Literal

from hal.emulators.base import Faults, ScriptError, verb
from hal.emulators.cctalk_line import CctalkAcceptor
from hal.emulators.note_path import NotePath

ESCROW_MS = 30_000
EURO_NOTES: tuple[bytes, ...] = (b"EU0005A", b"EU0010A", b"EU0020A", b"EU0050A", b"EU0100A")
NOT_PROGRAMMED = b"......."
AfterPowerUp = Literal["event", "counter", "nothing"]


class CctalkBillValidator(CctalkAcceptor):
    """``bills`` are identifiers by position, in whole euros."""

    protocol: ClassVar[str] = "cctalk-note"
    CATEGORY = b"Bill Validator"
    EVENTS_HEADER = 159

    def __init__(
        self,
        faults: Faults | None = None,
        address: int = 40,
        crc: bool = True,
        echo: bool = True,
        bills: tuple[bytes, ...] = EURO_NOTES,
        has_accept_counter: bool = True,
        after_power_up: AfterPowerUp = "counter",
    ) -> None:
        super().__init__(faults, address, crc, echo, has_accept_counter)
        self.path = NotePath()
        self._bills = bills
        self._after_power_up = after_power_up
        self._was_in_escrow = False
        self._escrow_until_ms = 0
        self._answers |= {
            157: self._on_bill_id,
            156: lambda data: b"\x64\x00\x02" if data == b"EU" else b"\0\0\0",
            153: self._on_mode,
            154: self._on_route,
        }

    def _clear_volatile(self) -> None:
        super()._clear_volatile()
        self._mode = b"\0"

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
        self.happen(0, 16)
        self._plan()

    @verb
    def clear_jam(self) -> None:
        """Free the path; what was in it goes on."""
        self.path.is_jammed = False
        self._plan()

    @verb
    def remove_cash_box(self) -> None:
        """Take the cash box out."""
        if not self.path.box_fitted:
            raise ScriptError("the cash box is out already")
        self.path.box_fitted = False
        self.happen(0, 11)

    @verb
    def insert_cash_box(self) -> None:
        """Put an empty cash box in."""
        if self.path.box_fitted:
            raise ScriptError("the cash box is in already")
        self.path.box_fitted, self.path.box_full = True, False
        self.happen(0, 12)

    @verb
    def fill_stacker(self) -> None:
        """Make the cash box full."""
        self.path.box_full = True
        self.happen(0, 14)

    # --- mechanics --------------------------------------------------------------------------------------------------

    def _insert(self, minor: int, is_damaged: bool) -> None:
        path = self.path
        if not self.powered or path.place != "none" or path.is_jammed or not path.box_takes:
            path.mouth.append(minor)
        elif not self._master_on or self._mask == b"\0\0":
            path.mouth.append(minor)
            self.happen(0, 0)
        else:
            path.insert(minor, is_damaged, self.now_ms)
            self._plan()

    def on_due(self) -> None:
        path = self.path
        if path.place == "escrow" and self.now_ms >= self._escrow_until_ms:
            path.give_back(self.now_ms)
        match path.step(self.now_ms):
            case "read":
                self._validated()
            case "stacked":
                self.accepted_count += 1
                self.happen(self._position(path.note_minor), 0)
            case "returned" if self._was_in_escrow:
                self.happen(0, 1)
        self._plan()

    def _validated(self) -> None:
        path, position = self.path, self._position(self.path.note_minor)
        self._was_in_escrow = (
            bool(position) and not path.is_damaged and self.lets_in(position) and self._mode[0] & 2 == 2
        )
        if self._was_in_escrow:
            path.hold(self.now_ms)
            self._escrow_until_ms = self.now_ms + ESCROW_MS
            self.happen(position, 1)
        else:
            self.happen(0, 4 if position and not path.is_damaged else 2)
            path.give_back(self.now_ms)

    def restart(self) -> None:
        """Counter 0; what was in the path ends in the mouth or, past the lever, in the cash box."""
        super().restart()
        minor = self.path.note_minor
        if self.path.recover(self.now_ms) == "stacked" and self._after_power_up != "nothing":
            self.accepted_count += 1
            if self._after_power_up == "event":
                self.happen(self._position(minor), 0)
        self._plan()

    def on_power(self, is_on: bool) -> None:
        super().on_power(is_on)
        if not is_on:
            self.due_ms = None  # motors stand

    def self_check(self) -> bytes:
        if self.path.is_jammed:
            return b"\x27"
        if not self.path.box_fitted:
            return b"\x2c"
        return b"\x2d" if self.path.box_full else b"\0"

    def _position(self, minor: int) -> int:
        name = b"EU%04dA" % (minor // 100)
        return self._bills.index(name) + 1 if name in self._bills else 0

    def _plan(self) -> None:
        is_held = self.path.place == "escrow" and not self.path.is_jammed
        self.due_ms = self._escrow_until_ms if is_held else self.path.due_ms()

    # --- commands ---------------------------------------------------------------------------------------------------

    def _on_bill_id(self, data: bytes) -> bytes | None:
        if len(data) != 1 or not 1 <= data[0] <= 16:
            return None
        return self._bills[data[0] - 1] if data[0] <= len(self._bills) else NOT_PROGRAMMED

    def _on_mode(self, data: bytes) -> bytes | None:
        if len(data) != 1:
            return None
        self._mode = data
        return b""

    def _on_route(self, data: bytes) -> bytes | None:
        path = self.path
        if data not in (b"\x00", b"\x01", b"\xff"):
            return None
        if path.place != "escrow":
            return b"\xfe"
        if path.is_jammed or (data == b"\x01" and not path.box_takes):
            return b"\xff"
        if data == b"\x01":
            path.stack(self.now_ms)
        elif data == b"\x00":
            path.give_back(self.now_ms)
        else:
            self._escrow_until_ms = self.now_ms + ESCROW_MS
        self._plan()
        return b""
