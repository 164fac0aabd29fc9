"""Every kind of journal entry. An entry says what happened; all books, meters and screens follow from them.

An entry's fields never change their meaning: a changed entry is a new class with the next ``VERSION``, and the old one
stays decodable for ever (``codec``). Amounts are integer minor units, cards two-character texts. Not responsible for
what follows from an entry (``ledger``, ``rounds``, ``terminal``).
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Entry:
    """Base of all entries: ``KIND`` and ``VERSION`` name the class in the journal.

    ``KEEPS_KEYS``: its unique keys are kept when old entries leave the database for a sealed file, because the outer
    world may report the same thing again. Other keys are numbered by the journal itself and can't come back.
    """

    KIND: ClassVar[str] = ""
    VERSION: ClassVar[int] = 1
    KEEPS_KEYS: ClassVar[bool] = False

    def unique_keys(self) -> tuple[str, ...]:
        """Return names that may occur only once in a journal: a repeat is refused by the store itself."""
        return ()


# --- the terminal's life ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Commissioned(Entry):
    """The first entry of every epoch: who the terminal is and what its amounts mean.

    ``store`` is ``cabinet``, ``demo`` or ``simulator``; money of one kind never mixes with another.
    """

    KIND: ClassVar[str] = "commissioned"
    KEEPS_KEYS: ClassVar[bool] = True
    terminal: str
    epoch: int
    store: str
    currency: str
    minor_digits: int
    program_version: str

    def unique_keys(self) -> tuple[str, ...]:
        """Once in a journal."""
        return ("commissioned",)


@dataclass(frozen=True, slots=True)
class Booted(Entry):
    """The program started on this journal; ``after_clean_stop`` is False when power was lost or it was killed."""

    KIND: ClassVar[str] = "booted"
    number: int
    program_version: str
    after_clean_stop: bool


@dataclass(frozen=True, slots=True)
class Stopped(Entry):
    """The program ended on request."""

    KIND: ClassVar[str] = "stopped"


# --- money in -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NoteIntended(Entry):
    """A note is in escrow and is about to be stacked."""

    KIND: ClassVar[str] = "note_intended"
    escrow_id: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class NoteCredited(Entry):
    """A note is in the cash box and on the credit meter. ``key`` is the device's name of the event."""

    KIND: ClassVar[str] = "note_credited"
    KEEPS_KEYS: ClassVar[bool] = True
    key: str
    amount_minor: int
    escrow_id: str | None = None

    def unique_keys(self) -> tuple[str, ...]:
        """A device's event counts once."""
        return (f"note:{self.key}",)


@dataclass(frozen=True, slots=True)
class MoneyBegan(Entry):
    """A device has begun to tell money by pulses: its credit or a fault follows, or the program ended in between."""

    KIND: ClassVar[str] = "money_began"
    device: str


@dataclass(frozen=True, slots=True)
class NoteReturned(Entry):
    """A note that was intended to be stacked went back to the player."""

    KIND: ClassVar[str] = "note_returned"
    escrow_id: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class NoteUnresolved(Entry):
    """A note that was intended to be stacked can't be found by the acceptor: neither credited nor returned.

    A fault goes with it; an attendant compares acceptor and journal.
    """

    KIND: ClassVar[str] = "note_unresolved"
    escrow_id: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class CoinCredited(Entry):
    """A coin is in (``to`` is ``hopper`` or ``cash_box``) and on the credit meter."""

    KIND: ClassVar[str] = "coin_credited"
    KEEPS_KEYS: ClassVar[bool] = True
    key: str
    amount_minor: int
    to: str

    def unique_keys(self) -> tuple[str, ...]:
        """A device's event counts once."""
        return (f"coin:{self.key}",)


# --- play ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StakeLine:
    """One betting line's stake on a box."""

    box: int
    line: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class RoundOpened(Entry):
    """Stakes are taken and the order of the cards is fixed.

    ``shoe`` is the whole order of a freshly shuffled shoe (two characters a card), empty when a carried shoe goes on;
    ``shoe_id`` names the shoe and ``first_card`` is the round's first position in it. ``stakes`` keep the order of
    purchase. ``cost_minor`` is what opening takes from the credit (a blind box pays its bet too).
    """

    KIND: ClassVar[str] = "round_opened"
    round_id: str
    number: int
    game: str
    profile: str
    stakes: tuple[StakeLine, ...]
    cost_minor: int
    credit_before_minor: int
    shoe_id: str
    shoe: str
    first_card: int
    jackpot_meter_minor: int | None = None

    def unique_keys(self) -> tuple[str, ...]:
        """A round opens once."""
        return (f"round:{self.round_id}:open",)


@dataclass(frozen=True, slots=True)
class RoundActed(Entry):
    """The player chose; ``cost_minor`` is what the choice takes from the credit at once."""

    KIND: ClassVar[str] = "round_acted"
    round_id: str
    step: int
    box: int
    hand: int
    action: str
    cards: tuple[str, ...]
    cost_minor: int

    def unique_keys(self) -> tuple[str, ...]:
        """Each step of a round happens once."""
        return (f"round:{self.round_id}:{self.step}",)


@dataclass(frozen=True, slots=True)
class PaidLine:
    """One betting line's end: stake and what came back, stake included."""

    box: int
    line: str
    staked_minor: int
    paid_minor: int


@dataclass(frozen=True, slots=True)
class RoundSettled(Entry):
    """The round is over: what it cost, what it paid back (stakes included), line by line.

    ``jackpot_meter_minor`` is the game's meter afterwards; ``jackpot_won_minor`` the part of ``paid_minor`` that came
    from it.
    """

    KIND: ClassVar[str] = "round_settled"
    round_id: str
    game: str
    staked_minor: int
    paid_minor: int
    card_count: int
    lines: tuple[PaidLine, ...]
    jackpot_meter_minor: int | None = None
    jackpot_won_minor: int = 0

    def unique_keys(self) -> tuple[str, ...]:
        """A round settles once."""
        return (f"round:{self.round_id}:end",)


@dataclass(frozen=True, slots=True)
class RoundVoided(Entry):
    """The round could not be finished; everything staked went back to the credit."""

    KIND: ClassVar[str] = "round_voided"
    round_id: str
    refunded_minor: int
    reason: str

    def unique_keys(self) -> tuple[str, ...]:
        """A round ends once, settled or voided."""
        return (f"round:{self.round_id}:end",)


# --- money out ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CashOutStarted(Entry):
    """The whole credit leaves: ``hopper_coin_count`` coins of ``coin_value_minor`` are asked from the hopper; the rest
    becomes a handpay when the hopper has finished."""

    KIND: ClassVar[str] = "cash_out_started"
    payout_id: str
    amount_minor: int
    hopper_coin_count: int
    coin_value_minor: int

    def unique_keys(self) -> tuple[str, ...]:
        """A pay-out starts once."""
        return (f"payout:{self.payout_id}:start",)


@dataclass(frozen=True, slots=True)
class HopperCounted(Entry):
    """So many coins of the pay-out have left so far (a running total)."""

    KIND: ClassVar[str] = "hopper_counted"
    payout_id: str
    paid_count: int


@dataclass(frozen=True, slots=True)
class HopperFinished(Entry):
    """The hopper has ended; what it could not pay is now owed by hand."""

    KIND: ClassVar[str] = "hopper_finished"
    payout_id: str
    paid_count: int
    reason: str

    def unique_keys(self) -> tuple[str, ...]:
        """A hopper run ends once."""
        return (f"payout:{self.payout_id}:hopper",)


@dataclass(frozen=True, slots=True)
class HandpayCleared(Entry):
    """An attendant paid the rest by hand and turned the key. ``by`` says how (``attendant_key``)."""

    KIND: ClassVar[str] = "handpay_cleared"
    payout_id: str
    amount_minor: int
    by: str

    def unique_keys(self) -> tuple[str, ...]:
        """A handpay is cleared once."""
        return (f"payout:{self.payout_id}:hand",)


# --- faults, doors, the cash side ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FaultRaised(Entry):
    """A fault came up; ``code`` is a row of the fault table."""

    KIND: ClassVar[str] = "fault_raised"
    code: str
    device: str
    detail: str


@dataclass(frozen=True, slots=True)
class FaultCleared(Entry):
    """A fault went away; ``by`` is ``self``, ``attendant``, ``operator``, ``technician`` or ``ram_clear``."""

    KIND: ClassVar[str] = "fault_cleared"
    code: str
    device: str
    by: str


@dataclass(frozen=True, slots=True)
class DoorMoved(Entry):
    """A door opened or closed."""

    KIND: ClassVar[str] = "door_moved"
    door: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class KeyTurned(Entry):
    """A key switch was turned on or back."""

    KIND: ClassVar[str] = "key_turned"
    key: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class HopperRefilled(Entry):
    """Coins were put into the hopper by hand; refills are numbered from 1."""

    KIND: ClassVar[str] = "hopper_refilled"
    number: int
    coin_count: int
    amount_minor: int


@dataclass(frozen=True, slots=True)
class CashBoxCollected(Entry):
    """The cash box was emptied; ``amount_minor`` is what the books say was in it. Collections are numbered from 1."""

    KIND: ClassVar[str] = "cash_box_collected"
    number: int
    amount_minor: int


# --- the journal's own copies --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MemoryRebuilt(Entry):
    """A copy of the journal (``journal``, ``mirror``, ``anchor``) was lost or damaged and was made anew from a good one.

    It had ended at ``from_seq`` (0: nothing of it could be used) and was brought to ``to_seq``; ``detail`` says what was
    wrong.
    """

    KIND: ClassVar[str] = "memory_rebuilt"
    copy: str
    from_seq: int
    to_seq: int
    detail: str


ENTRY_TYPES: tuple[type[Entry], ...] = (
    Commissioned,
    Booted,
    Stopped,
    NoteIntended,
    NoteCredited,
    NoteReturned,
    NoteUnresolved,
    MoneyBegan,
    CoinCredited,
    RoundOpened,
    RoundActed,
    RoundSettled,
    RoundVoided,
    CashOutStarted,
    HopperCounted,
    HopperFinished,
    HandpayCleared,
    FaultRaised,
    FaultCleared,
    DoorMoved,
    KeyTurned,
    HopperRefilled,
    CashBoxCollected,
    MemoryRebuilt,
)
