"""An SSP note validator (of the NV9 family) at byte level. Written from the published frames (tests/vectors), not from the host.

It keeps a note in escrow only while the host sends HOLD, accepts it on the next poll, and reports a credit as its host
asked: once with POLL, until acknowledged with POLL WITH ACK. A power cut turns what was in its path into E1 or E2.
"""

from typing import TYPE_CHECKING, ClassVar

from hal.emulators.base import Emulator, Faults, verb
from hal.emulators.note_path import NotePath
from hal.emulators.ssp_crc import crc_8005

if TYPE_CHECKING:  # encryption needs an extra package
    from hal.emulators.ssp_encryption import SlaveKey

ESCROW_MS = 5_000
HOST_SILENT_MS = 10_000
REPLY_AFTER_MS = 10
EUROS: tuple[tuple[str, int], ...] = (("EUR", 5), ("EUR", 10), ("EUR", 20), ("EUR", 50), ("EUR", 100))


class SspValidator(Emulator):
    """``notes`` are currency and value in whole units per channel; without ``poll_with_ack`` it is an old firmware.

    With ``key`` it can speak encrypted, with ``insists_on_key`` it executes nothing else.
    """

    protocol: ClassVar[str] = "ssp"

    def __init__(
        self,
        faults: Faults | None = None,
        notes: tuple[tuple[str, int], ...] = EUROS,
        serial: int = 1873452,
        poll_with_ack: bool = True,
        highest_protocol: int = 7,
        key: "SlaveKey | None" = None,
        insists_on_key: bool = False,
    ) -> None:
        super().__init__(faults)
        self.path = NotePath()
        self._notes = notes
        self._serial = serial
        self._has_poll_with_ack = poll_with_ack
        self._highest_protocol = highest_protocol
        self._key = key
        self._insists_on_key = insists_on_key
        self._after_power_up: list[bytes] = []  # lasting memory: what became of a note in the path
        self._credit_minor_unsettled = 0
        self._begin()
        self._once.append(b"\xf1")

    def _begin(self) -> None:
        self._line = bytearray()
        self._in_frame = False
        self._escaped = False
        self._last_sequence: int | None = None
        self._last_reply = b""
        self._inhibits = 0
        self._is_enabled = False
        self._protocol = 4
        self._once: list[bytes] = []  # events that one poll takes
        self._until_ack: list[bytes] = []  # events that POLL WITH ACK repeats
        self._last_reject = 0
        self._escrow_until_ms = 0
        self._heard_ms = self.now_ms
        if self._key is not None:
            self._key.forget()

    # --- the hand of the world --------------------------------------------------------------------------------------

    @verb
    def insert_note(self, minor: int) -> None:
        """Push a genuine note in."""
        self._insert(minor, False)

    @verb
    def insert_damaged_note(self, minor: int) -> None:
        """Push in a note that no channel recognises."""
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
        """Take the cash box out with what is in it."""
        self.path.box_fitted = False
        self.path.box_full = False

    @verb
    def insert_cash_box(self) -> None:
        """Put the cash box back."""
        if not self.path.box_fitted:
            self.path.box_fitted = True
            self._once.append(b"\xe4")

    @verb
    def fill_stacker(self) -> None:
        """Make the cash box full."""
        self.path.box_full = True

    @verb
    def fraud(self, minor: int = 0) -> None:
        """Somebody pulls at a note of this value (0: not known)."""
        self._until_ack.append(bytes((0xE6, self._channel(minor))))

    @verb
    def string(self) -> None:
        """A note on a string: the validator sees it move back and rejects it."""
        self._last_reject = 0x0E
        self._once += [b"\xed", b"\xec"]

    @verb
    def restart(self) -> None:
        """Short loss of power that the line does not notice."""
        self.power_cut()
        self.power_on()

    # --- power and time ---------------------------------------------------------------------------------------------

    def on_power(self, is_on: bool) -> None:
        """At loss the note in the path falls to one side; at return the validator tells which."""
        if not is_on:
            channel = self._channel(self.path.note_minor)
            place = self.path.place
            ended = self.path.recover(self.now_ms)
            if ended == "stacked" or self._credit_minor_unsettled:
                minor = self._credit_minor_unsettled or self.path.note_minor
                self._after_power_up = [bytes((0xE2, self._channel(minor)))]
            elif ended == "returned":
                self._after_power_up = [bytes((0xE1, channel if place in ("escrow", "stacking") else 0))]
            self._begin()
            self.due_ms = None
            return
        self._begin()
        self._once = [b"\xf1"]
        for event in self._after_power_up:
            (self._until_ack if event[0] == 0xE2 else self._once).append(event)
        self._plan()

    def on_due(self) -> None:
        """A movement ends or a patience is over."""
        now_ms = self.now_ms
        if self.path.place == "escrow" and now_ms >= self._escrow_until_ms:
            self._reject(0x14)
        if self._is_enabled and now_ms >= self._heard_ms + HOST_SILENT_MS:
            self._is_enabled = False
        channel = self._channel(self.path.note_minor)
        match self.path.step(now_ms):
            case "read":
                self._on_read(channel)
            case "lever":
                self._credit_minor_unsettled = self.path.note_minor
                self._until_ack.append(bytes((0xEE, channel)))
            case "stacked":
                self._once.append(b"\xeb")
                if not any(event[0] == 0xEE for event in self._until_ack):
                    self._credit_minor_unsettled = 0
            case "returned":
                self._once.append(b"\xec")
        self._plan()

    def _plan(self) -> None:
        due = [due_ms] if (due_ms := self.path.due_ms()) is not None else []
        if self.path.place == "escrow" and not self.path.is_jammed:
            due.append(self._escrow_until_ms)
        if self._is_enabled:
            due.append(self._heard_ms + HOST_SILENT_MS)
        self.due_ms = min(due, default=None)

    def _insert(self, minor: int, is_damaged: bool) -> None:
        path = self.path
        if not self.powered or not self._is_enabled or path.place != "none" or path.is_jammed or not path.box_takes:
            path.mouth.append(minor)
            self.log(f"the note of {minor} is not taken")
            return
        path.insert(minor, is_damaged, self.now_ms)
        self._plan()

    def _on_read(self, channel: int) -> None:
        if self.path.is_damaged or channel == 0:
            self._reject(0x02)
        elif not self._inhibits >> (channel - 1) & 1:
            self._reject(0x06)
        else:
            self.path.hold(self.now_ms)
            self._escrow_until_ms = self.now_ms + ESCROW_MS

    def _reject(self, reason: int) -> None:
        self._last_reject = reason
        self.path.give_back(self.now_ms)

    def _channel(self, minor: int) -> int:
        values = [value * 100 for _, value in self._notes]
        return values.index(minor) + 1 if minor in values else 0

    # --- frames -----------------------------------------------------------------------------------------------------

    def on_bytes(self, data: bytes) -> None:
        """Un-stuff and collect; a single 7F begins anew."""
        for byte in data:
            if self._escaped:
                self._escaped = False
                if byte != 0x7F:
                    self._line = bytearray([byte])
                    self._in_frame = True
                    continue
                if not self._in_frame:
                    self._escaped = True
                    continue
            elif byte == 0x7F:
                self._escaped = True
                continue
            if not self._in_frame:
                continue
            self._line.append(byte)
            if len(self._line) > 3 and len(self._line) == 4 + self._line[1]:
                self._in_frame = False
                self._on_frame(bytes(self._line))

    def _on_frame(self, frame: bytes) -> None:
        if crc_8005(frame[:-2]) != frame[-2] | frame[-1] << 8 or frame[0] & 0x7F != 0 or frame[1] == 0:
            return  # a validator says nothing to a frame it can't read
        self._heard_ms = self.now_ms
        sequence, command = frame[0] >> 7, frame[2:-2]
        if command == b"\x11":
            self._answer(sequence, b"\xf0")
            self._last_sequence = None  # the next command may carry either bit
            self._last_reply = b""
        elif sequence == self._last_sequence and self._last_reply:
            self.reply(self._last_reply, REPLY_AFTER_MS)
        else:
            answer = self._execute_sealed(command)
            if answer:
                self._answer(sequence, answer)
                self._last_sequence = sequence
        self._plan()

    def _execute_sealed(self, command: bytes) -> bytes:
        """Carry out a command that may be encrypted; returns nothing for a packet that is to be ignored."""
        key = self._key
        if key is not None and command[0] in (0x4A, 0x4B, 0x4C) and len(command) == 9:
            return key.command(command[0], int.from_bytes(command[1:], "little"))
        if command[0] == 0x7E and key is not None and key.is_agreed:
            plain = key.unpack(command[1:])
            return key.pack(self._execute(plain)) if plain else b""
        if command[0] == 0x7E or self._insists_on_key:
            return b"\xfa"
        return self._execute(command)

    def _answer(self, sequence: int, data: bytes) -> None:
        body = bytes([sequence << 7, len(data)]) + data
        crc = crc_8005(body)
        stuffed = (body + bytes([crc & 0xFF, crc >> 8])).replace(b"\x7f", b"\x7f\x7f")
        self._last_reply = b"\x7f" + stuffed
        self.reply(self._last_reply, REPLY_AFTER_MS)

    # --- commands ---------------------------------------------------------------------------------------------------

    def _execute(self, command: bytes) -> bytes:
        code, rest = command[0], command[1:]
        if code == 0x07:
            return self._poll(b"")
        if code == 0x56 and self._has_poll_with_ack:
            return self._poll(b"repeat")
        if code == 0x57 and self._has_poll_with_ack:
            self._forget_acknowledged()
            return b"\xf0"
        if code == 0x02:
            if len(rest) not in (1, 2):
                return b"\xf3"
            self._inhibits = int.from_bytes(rest, "little")
            return b"\xf0"
        if code == 0x06:
            if len(rest) != 1:
                return b"\xf3"
            if rest[0] > self._highest_protocol:
                return b"\xf8"
            self._protocol = rest[0]
            return b"\xf0"
        if rest:
            return b"\xf3"
        return self._execute_simple(code)

    def _execute_simple(self, code: int) -> bytes:
        holds = self.path.place == "escrow"
        match code:
            case 0x01:
                self._begin()
                self._once = [b"\xf1"]
                return b"\xf0"
            case 0x05:
                return b"\xf0" + self._setup()
            case 0x08 | 0x18 if not holds:
                return b"\xf5"
            case 0x08:
                self._reject(0x08)
                return b"\xf0"
            case 0x18:
                self._escrow_until_ms = self.now_ms + ESCROW_MS
                return b"\xf0"
            case 0x09 | 0x0A:
                self._is_enabled = code == 0x0A
                return b"\xf0"
            case 0x0C:
                return b"\xf0" + self._serial.to_bytes(4, "big")
            case 0x0E:
                return b"\xf0" + bytes([len(self._notes)]) + bytes(value for _, value in self._notes)
            case 0x17:
                return b"\xf0" + bytes([self._last_reject])
            case 0x20:
                return b"\xf0NV02004141498000"
        return b"\xf2"

    def _setup(self) -> bytes:
        count = len(self._notes)
        one_byte = bytes(value if value < 256 else 0 for _, value in self._notes)
        reply = b"\x00" + b"0420" + self._notes[0][0].encode() + b"\x00\x00\x01" + bytes([count]) + one_byte
        reply += b"\x02" * count + b"\x00\x00\x64" + bytes([self._protocol])
        if self._protocol >= 6:
            reply += b"".join(name.encode() for name, _ in self._notes)
            reply += b"".join(value.to_bytes(4, "little") for _, value in self._notes)
        return reply

    # --- polls ------------------------------------------------------------------------------------------------------

    def _poll(self, mode: bytes) -> bytes:
        if self.path.place == "escrow" and self._was_shown_in_escrow and not self.path.is_jammed:
            # A poll after the note was shown is the host's acceptance.
            self.path.stack(self.now_ms)
        events = [*self._once, *self._until_ack]
        self._once = []
        if not mode:
            self._forget_acknowledged()
        if any(event[0] in (0xE1, 0xE2) for event in events):
            self._after_power_up = []
        return b"\xf0" + b"".join(events) + self._levels()

    def _forget_acknowledged(self) -> None:
        self._until_ack = []
        if self.path.place != "stacking":
            self._credit_minor_unsettled = 0

    _was_shown_in_escrow = False

    def _levels(self) -> bytes:
        path = self.path
        shown = b""
        self._was_shown_in_escrow = path.place == "escrow"
        if path.is_jammed:
            shown += b"\xea" if path.place != "stacking" else b"\xe9"
        elif path.place == "reading":
            shown += b"\xef\x00"
        elif path.place == "escrow":
            shown += bytes((0xEF, self._channel(path.note_minor)))
        elif path.place == "stacking":
            shown += b"\xcc"
        elif path.place == "returning":
            shown += b"\xed"
        if not path.box_fitted:
            shown += b"\xe3"
        if path.box_full:
            shown += b"\xe7"
        if not self._is_enabled or not path.box_takes:
            shown += b"\xe8"
        return shown
