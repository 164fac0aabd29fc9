"""A ccTalk coin hopper at byte level: pays a coin each 100 ms and remembers its last pay-out. Written from the fact sheet.

``form`` says what a dispense command must carry: ``serial`` (the serial number), or ``free_bytes`` (eight bytes, after
the cipher key was asked for).
"""

from typing import ClassVar, Literal

from hal.emulators.base import Faults, ScriptError, verb
from hal.emulators.cctalk_line import CctalkDevice

COIN_MS = 100
GIVE_UP_MS = 2_000


class CctalkHopper(CctalkDevice):
    """A hopper of one-euro coins. ``counts_refused`` is a maker's habit; not all have the lifetime counter."""

    protocol: ClassVar[str] = "cctalk-hopper"
    CATEGORY = b"Payout"

    def __init__(
        self,
        faults: Faults | None = None,
        address: int = 3,
        echo: bool = True,
        coin_count: int = 50,
        form: Literal["serial", "free_bytes"] = "serial",
        coin_id: bytes = b"EU100A",
        has_lifetime_counter: bool = True,
        counts_refused: bool = False,
        register_count: int = 3,
    ) -> None:
        super().__init__(faults, address, echo=echo, serial=b"\xdf\xd7\x0a")
        self.coin_count = coin_count
        self.fallen_count = 0
        """Coins that ever left."""
        self._form = form
        self._counts_refused = counts_refused
        self._register_count = register_count
        # kept over a power cut
        self._lifetime = 0
        self._remaining = self._paid = self._unpaid = 0
        self._lost_power_while_paying = False
        # not kept
        self._counter = 0
        self._enabled = False
        self._powered_up = True
        self._flags = 0
        self._asked_key = False
        self._is_jammed = False
        self._answers |= {
            163: lambda _: self._registers(),
            164: self._on_enable,
            166: lambda _: bytes([self._counter, self._remaining, self._paid, self._unpaid]),
            167: self._on_dispense,
            160: self._on_cipher_key,
            171: lambda _: coin_id,
            172: self._on_stop,
        }
        if form == "free_bytes":
            self._answers[244] = lambda _: b"SCH2-NOENCRYPT"
        if has_lifetime_counter:
            self._answers[168] = lambda _: self._lifetime.to_bytes(3, "little")

    # --- the hand of the world --------------------------------------------------------------------------------------

    @verb
    def refill_hopper(self, count: int) -> None:
        """Put coins in."""
        if count < 0:
            raise ScriptError("refill_hopper takes a number of coins")
        self.coin_count += count

    @verb
    def set_coins(self, count: int) -> None:
        """Make this many coins be in it."""
        self.coin_count = count

    @verb
    def jam(self) -> None:
        """Block the wheel."""
        self._is_jammed = True

    @verb
    def clear_jam(self) -> None:
        """Free the wheel."""
        self._is_jammed = False

    @verb
    def shine(self) -> None:
        """Shine a lamp into the exit sensor."""
        self._flags |= 1 << 4

    @verb
    def run_away(self, count: int) -> None:
        """Let coins fall without an order, as a broken motor driver does."""
        for _ in range(min(count, self.coin_count)):
            self._drop()

    # --- mechanics --------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Counter 0, disabled; the last pay-out is remembered."""
        self._counter = 0
        self._enabled = False
        self._asked_key = False
        self._flags = 0
        self._end()

    def _on_reset(self, data: bytes) -> bytes:
        answer = super()._on_reset(data)
        self._powered_up = self._lost_power_while_paying = False
        return answer

    def on_power(self, is_on: bool) -> None:
        if not is_on:
            self._lost_power_while_paying |= self._remaining > 0
            self._end()
        else:
            self._powered_up = True
        super().on_power(is_on)

    @verb
    def reset(self) -> None:
        """Let the hopper restart by itself, as after a dip in its supply."""
        self.power_cut()
        self.power_on()

    def on_due(self) -> None:
        if self._is_jammed or not self.coin_count:
            self._flags |= 1 << 0 if self._is_jammed else 1 << 1
            self._end()
            return
        self._drop()
        self._paid += 1
        self._remaining -= 1
        self._plan()

    def _drop(self) -> None:
        self.coin_count -= 1
        self.fallen_count += 1
        self._lifetime += 1

    def _end(self) -> None:
        self._unpaid += self._remaining
        self._remaining = 0
        self.due_ms = None

    def _plan(self) -> None:
        moves = self.coin_count and not self._is_jammed
        self.due_ms = self.now_ms + (COIN_MS if moves else GIVE_UP_MS) if self._remaining else None

    # --- commands ---------------------------------------------------------------------------------------------------

    def _registers(self) -> bytes:
        first = self._flags | (0x40 if self._powered_up else 0) | (0 if self._enabled else 0x80)
        registers = [first, 1 if self._unpaid else 0, 1 if self._lost_power_while_paying else 0]
        return bytes(registers[: self._register_count])

    def _on_enable(self, data: bytes) -> bytes | None:
        if len(data) != 1:
            return None
        self._enabled = data == b"\xa5"
        if not self._enabled:
            self._end()
        return b""

    def _on_cipher_key(self, _: bytes) -> bytes:
        self._asked_key = True
        return bytes(range(1, 9))

    def _on_dispense(self, data: bytes) -> bytes | None:
        wanted = len(data) == 4 and data[:3] == self._serial
        if self._form == "free_bytes":
            wanted = len(data) == 9 and self._asked_key
        self._asked_key = False
        ready = self._enabled and not self._powered_up and not self._flags and not self._remaining
        accepted = bool(wanted and ready and data[-1])
        if accepted or self._counts_refused:
            self._counter = 1 if self._counter == 255 else self._counter + 1
        if not accepted:
            return None
        self._remaining, self._paid, self._unpaid = data[-1], 0, 0
        self._plan()
        return bytes([self._counter])

    def _on_stop(self, _: bytes) -> bytes:
        remaining = self._remaining
        self._end()
        return bytes([remaining])
