"""A whole ccTalk wire at byte level: coin acceptor, hopper and bill validator on one port, as cabinets have them.

All hear everything; the adapter echoes the host once. Coins that the sorter sends down ``HOPPER_PATH`` land in the
hopper. Not responsible for the devices themselves.
"""

from typing import ClassVar

from hal.emulators.base import Emulator, Faults, ScriptError, verb
from hal.emulators.cctalk_coin import CctalkCoinAcceptor
from hal.emulators.cctalk_hopper import CctalkHopper
from hal.emulators.cctalk_line import CctalkDevice
from hal.emulators.cctalk_note import CctalkBillValidator

HOPPER_PATH = 1
HOPPER_COIN_MINOR = 100


class CctalkWire(Emulator):
    """Three devices that share a wire."""

    protocol: ClassVar[str] = "cctalk"

    def __init__(self, faults: Faults | None = None, echo: bool = True, notes_crc: bool = True) -> None:
        super().__init__(faults)
        self.coins = CctalkCoinAcceptor(faults, echo=False)
        self.hopper = CctalkHopper(faults, echo=False)
        self.notes = CctalkBillValidator(faults, crc=notes_crc, echo=False)
        self._devices: dict[str, CctalkDevice] = {"coins": self.coins, "hopper": self.hopper, "notes": self.notes}
        self._echo = echo
        self._sorted_count = 0

    # --- the hand of the world --------------------------------------------------------------------------------------

    @verb
    def insert_coin(self, minor: int) -> None:
        """Drop a coin in."""
        self.coins.insert_coin(minor)

    @verb
    def insert_note(self, minor: int) -> None:
        """Push a genuine note in."""
        self.notes.insert_note(minor)

    @verb
    def refill_hopper(self, count: int) -> None:
        """Put coins into the hopper."""
        self.hopper.refill_hopper(count)

    @verb
    def remove_cash_box(self) -> None:
        """Take the bill validator's cash box out."""
        self.notes.remove_cash_box()

    @verb
    def insert_cash_box(self) -> None:
        """Put an empty one in."""
        self.notes.insert_cash_box()

    @verb
    def fill_stacker(self) -> None:
        """Make the bill validator's cash box full."""
        self.notes.fill_stacker()

    @verb
    def jam(self, device: str) -> None:
        """Jam ``coins``, ``hopper`` or ``notes``."""
        self._named(device).do(["jam"], self.now_ms)

    @verb
    def clear_jam(self, device: str) -> None:
        """Free it."""
        self._named(device).do(["clear_jam"], self.now_ms)

    @verb
    def power_cut(self) -> None:
        """Take the power of all devices away."""
        for device in self._devices.values():
            device.power_cut()
        super().power_cut()

    @verb
    def power_on(self) -> None:
        """Give the power back."""
        super().power_on()
        for device in self._devices.values():
            device.power_on()

    @verb
    def silence(self, duration_ms: int) -> None:
        """Let no device answer for a while."""
        for device in self._devices.values():
            device.silence(duration_ms)

    @verb
    def corrupt_next(self) -> None:
        """Flip one bit of the next answer of each device."""
        for device in self._devices.values():
            device.corrupt_next()

    @verb
    def drop_next(self) -> None:
        """Lose the next answer of each device."""
        for device in self._devices.values():
            device.drop_next()

    def _named(self, name: str) -> CctalkDevice:
        if name not in self._devices:
            raise ScriptError(f"there is no {name} on this wire; there are {', '.join(self._devices)}")
        return self._devices[name]

    # --- the wire ---------------------------------------------------------------------------------------------------

    def on_bytes(self, data: bytes) -> None:
        """Everybody hears everything."""
        if self._echo:
            self.raw(data)
        for device in self._devices.values():
            device.receive(data, self.now_ms)

    def advance(self, now_ms: int) -> None:
        """Let everything happen that is due until ``now_ms``."""
        super().advance(now_ms)
        for device in self._devices.values():
            device.advance(now_ms)
        for minor, path in self.coins.accepted[self._sorted_count :]:
            self._sorted_count += 1
            if path == HOPPER_PATH and minor == HOPPER_COIN_MINOR:
                self.hopper.coin_count += 1

    def output(self, now_ms: int) -> bytes:
        """Return the bytes that have left until now, once."""
        echoed = super().output(now_ms)
        return echoed + b"".join(device.output(now_ms) for device in self._devices.values())

    def next_due_ms(self) -> int | None:
        """Return when there is something to do next, or None."""
        due = [super().next_due_ms(), *(device.next_due_ms() for device in self._devices.values())]
        return min((at_ms for at_ms in due if at_ms is not None), default=None)
