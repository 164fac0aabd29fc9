"""Entries about setting up, testing and clearing the terminal, from its own menu.

Only a test of hopper or coin acceptor moves cash, never a player's money. Levels are ``attendant``, ``operator`` and
``technician``. Rules as in ``types``: an entry's fields never change their meaning.
"""

from dataclasses import dataclass
from typing import ClassVar

from firmware.entries.types import Entry


@dataclass(frozen=True, slots=True)
class SetUpBegun(Entry):
    """This journal is new: before anybody plays, the terminal is to be set up on its screen."""

    KIND: ClassVar[str] = "set_up_begun"


@dataclass(frozen=True, slots=True)
class SetUpConfirmed(Entry):
    """A step of the set-up was looked through and confirmed."""

    KIND: ClassVar[str] = "set_up_confirmed"
    step: str
    level: str


@dataclass(frozen=True, slots=True)
class SetUpDone(Entry):
    """The set-up ended: its options are frozen until the next RAM clear. ``digest`` (SHA-256, hex) is of all settings as
    canonical JSON, in the order of their keys; empty with ``level`` ``file``, where the file alone is the set-up."""

    KIND: ClassVar[str] = "set_up_done"
    level: str
    digest: str

    def unique_keys(self) -> tuple[str, ...]:
        """Once in a journal."""
        return ("set_up_done",)


@dataclass(frozen=True, slots=True)
class PinChosen(Entry):
    """The PIN of a level was chosen on the screen; it stands before the file's. ``stored`` is a scrypt hash."""

    KIND: ClassVar[str] = "pin_chosen"
    level: str
    stored: str
    by: str


@dataclass(frozen=True, slots=True)
class RamClearArmed(Entry):
    """The first step of a RAM clear: ``code`` is shown and has to be typed."""

    KIND: ClassVar[str] = "ram_clear_armed"
    code: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class RamClearConfirmed(Entry):
    """The second step: the memory is to be cleared before anything else happens, also over a power cut."""

    KIND: ClassVar[str] = "ram_clear_confirmed"
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class HopperTestStarted(Entry):
    """The hopper is asked for ``coin_count`` coins of ``coin_value_minor`` in a test; nobody's credit pays for them."""

    KIND: ClassVar[str] = "hopper_test_started"
    test_id: str
    coin_count: int
    coin_value_minor: int
    level: str

    def unique_keys(self) -> tuple[str, ...]:
        """A test starts once."""
        return (f"hopper_test:{self.test_id}:start",)


@dataclass(frozen=True, slots=True)
class HopperTestCounted(Entry):
    """``paid_count`` coins of the test have left so far; ``amount_minor`` is what left since the last count."""

    KIND: ClassVar[str] = "hopper_test_counted"
    test_id: str
    paid_count: int
    new_count: int
    amount_minor: int


@dataclass(frozen=True, slots=True)
class HopperTestFinished(Entry):
    """The test has ended; fields as in ``HopperTestCounted``, ``reason`` as in ``HopperFinished``."""

    KIND: ClassVar[str] = "hopper_test_finished"
    test_id: str
    paid_count: int
    new_count: int
    amount_minor: int
    reason: str

    def unique_keys(self) -> tuple[str, ...]:
        """A test ends once."""
        return (f"hopper_test:{self.test_id}:end",)


@dataclass(frozen=True, slots=True)
class CoinTested(Entry):
    """A coin that was let in by the coin test: it lies in ``to`` (``hopper`` or ``cash_box``) and is nobody's credit."""

    KIND: ClassVar[str] = "coin_tested"
    KEEPS_KEYS: ClassVar[bool] = True
    key: str
    amount_minor: int
    to: str

    def unique_keys(self) -> tuple[str, ...]:
        """A device's event counts once, as a test or as credit."""
        return (f"coin:{self.key}",)


@dataclass(frozen=True, slots=True)
class HardMeterTested(Entry):
    """An electromechanical meter was advanced by a test; it is ahead of the journal by that."""

    KIND: ClassVar[str] = "hard_meter_tested"
    meter: str
    step_count: int
    level: str


@dataclass(frozen=True, slots=True)
class PrinterTested(Entry):
    """A test slip marked as void is to be printed; ``SlipProved`` or ``SlipUnproved`` tells what became of it."""

    KIND: ClassVar[str] = "printer_tested"
    slip_id: str
    level: str

    def unique_keys(self) -> tuple[str, ...]:
        """A slip is ordered once."""
        return (f"slip:{self.slip_id}",)


@dataclass(frozen=True, slots=True)
class MemoryChecked(Entry):
    """All copies of the memory were read and compared as far as entry ``seq``; ``problems`` is empty when all is well."""

    KIND: ClassVar[str] = "memory_checked"
    seq: int
    copies: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RandomTested(Entry):
    """The source of randomness was tested on demand over ``byte_count`` bytes; ``failure`` is empty when all is well."""

    KIND: ClassVar[str] = "random_tested"
    byte_count: int
    failure: str


@dataclass(frozen=True, slots=True)
class ClockSet(Entry):
    """The clock was set from ``before_ms`` to ``after_ms`` (wall time, UTC); with an ``error`` it was not."""

    KIND: ClassVar[str] = "clock_set"
    before_ms: int
    after_ms: int
    level: str
    error: str


SERVICE_TYPES: tuple[type[Entry], ...] = (
    SetUpBegun,
    SetUpConfirmed,
    SetUpDone,
    PinChosen,
    RamClearArmed,
    RamClearConfirmed,
    HopperTestStarted,
    HopperTestCounted,
    HopperTestFinished,
    CoinTested,
    HardMeterTested,
    PrinterTested,
    MemoryChecked,
    RandomTested,
    ClockSet,
)
