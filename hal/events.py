"""What devices report. Each event carries the device's name and the monotonic time at which it happened.

Amounts are integer minor units. ``key`` names a money event for ever: device serial, the device's own reset count
(epoch) and its event number, so that a repeat is recognised however often it comes. Not responsible for what the
terminal makes of an event.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A physical button went down."""

    device: str
    at_ms: int
    button: str


@dataclass(frozen=True, slots=True)
class ButtonReleased:
    """A physical button came up."""

    device: str
    at_ms: int
    button: str


@dataclass(frozen=True, slots=True)
class DoorChanged:
    """A door opened or closed: ``main``, ``cash_box``, ``logic``, ``stacker``."""

    device: str
    at_ms: int
    door: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class KeyChanged:
    """A key switch was turned on or back: ``attendant``, ``operator``."""

    device: str
    at_ms: int
    key: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class NoteEscrowed:
    """A genuine note waits for our decision: ``stack(escrow_id)`` or ``return_note(escrow_id)``."""

    device: str
    at_ms: int
    escrow_id: str
    denomination_minor: int


@dataclass(frozen=True, slots=True)
class NoteStacked:
    """A note is irrevocably in the cash box. The device wants ``confirm(key)``, which may only follow the commit.

    ``escrow_id`` is None when the device reports a note whose escrow we never saw (power lost in between).
    """

    device: str
    at_ms: int
    key: str
    denomination_minor: int
    escrow_id: str | None


@dataclass(frozen=True, slots=True)
class NoteReturned:
    """A note left by the mouth after escrow."""

    device: str
    at_ms: int
    escrow_id: str | None
    denomination_minor: int


@dataclass(frozen=True, slots=True)
class NoteRejected:
    """The acceptor refused something by itself; ``reason`` is a short word (``unknown``, ``damaged``, ``inhibited``)."""

    device: str
    at_ms: int
    reason: str


@dataclass(frozen=True, slots=True)
class CoinAccepted:
    """A coin went in for good. ``to`` is ``hopper`` or ``cash_box``. ``confirm(key)`` follows the commit."""

    device: str
    at_ms: int
    key: str
    value_minor: int
    to: str


@dataclass(frozen=True, slots=True)
class CoinRejected:
    """A coin was refused and fell through."""

    device: str
    at_ms: int
    reason: str


@dataclass(frozen=True, slots=True)
class MoneyBegan:
    """The pulses of a coin or a note have begun, which tell its worth only by their end: ``CoinAccepted``, ``NoteStacked`` or
    a ``DeviceFault`` follows. The device has no memory, so whoever dies in between must find this in the journal."""

    device: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class HopperPaid:
    """``paid_count`` coins of this pay-out have left so far (a running total, so that a lost event costs nothing)."""

    device: str
    at_ms: int
    payout_id: str
    paid_count: int


@dataclass(frozen=True, slots=True)
class HopperDone:
    """The pay-out has ended: ``reason`` is ``complete``, ``empty``, ``jam``, ``stopped``, ``fault`` or ``unknown``.

    ``unknown`` means that the device can't say how many coins left; ``paid_count`` is then the least it can be.
    """

    device: str
    at_ms: int
    payout_id: str
    requested_count: int
    paid_count: int
    reason: str


@dataclass(frozen=True, slots=True)
class SlipPrinted:
    """The printer has said after its last byte that all is well: the slip is there."""

    device: str
    at_ms: int
    slip_id: str


@dataclass(frozen=True, slots=True)
class SlipFailed:
    """There is no proof of the slip. ``reason`` is a fault code or ``busy``, ``no_answer``, ``no_proof``, ``lost``,
    ``not_ready``, ``stopped``. ``may_exist`` is False only if not one byte of it was sent; else a person must look.
    """

    device: str
    at_ms: int
    slip_id: str
    reason: str
    may_exist: bool


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """Who the device says it is."""

    manufacturer: str = ""
    product: str = ""
    serial: str = ""
    firmware: str = ""
    denominations_minor: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FormerNote:
    """A note in the cash box since before this program's start, whose confirmation the device awaits without naming it.

    It is the one that was last ordered there: ``escrow_id`` was its name in escrow, if the journal's order is its.
    ``key`` is what its credit has or gets, and what is to be confirmed.
    """

    key: str
    escrow_id: str


@dataclass(frozen=True, slots=True)
class NoteReport:
    """An acceptor's own memory at (re)connection, for reconciliation with the journal.

    ``stacked_count`` is its lifetime counter or None if it has none; ``unconfirmed`` are stacked notes whose
    confirmation it never got (they come again as ``NoteStacked``); ``in_escrow_minor`` a note that waits now.
    ``uncertain`` tells that a note moved while nobody listened and that the device can't say what became of it.
    ``former`` is not in ``unconfirmed``: no ``NoteStacked`` follows, because its value stands only in the journal.
    """

    stacked_count: int | None = None
    unconfirmed: tuple[str, ...] = ()
    in_escrow_minor: int | None = None
    uncertain: bool = False
    former: FormerNote | None = None


@dataclass(frozen=True, slots=True)
class CoinReport:
    """A coin acceptor's own memory: lifetime counter or None; ``lost_count`` events that overran its buffer;
    ``unconfirmed`` are counted coins that come as ``CoinAccepted`` after this."""

    accepted_count: int | None = None
    lost_count: int = 0
    unconfirmed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HopperReport:
    """A hopper's own memory: lifetime counter or None; the last pay-out it knows, and coins paid in it."""

    dispensed_count: int | None = None
    last_payout_id: str | None = None
    last_paid_count: int | None = None
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class DeviceReady:
    """A device answered, was identified and can work; sent at every (re)connection before any other of its events.

    It comes when the device is at rest (no note moving, no pay-out running), so that ``report`` is the whole truth.
    """

    device: str
    at_ms: int
    info: DeviceInfo
    report: NoteReport | CoinReport | HopperReport | None = None


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A device no longer answers; it may come back with ``DeviceReady``."""

    device: str
    at_ms: int
    reason: str


@dataclass(frozen=True, slots=True)
class DeviceFault:
    """A fault appeared or went away. Codes: ``jam``, ``stacker_full``, ``cash_box_removed``, ``fraud``, ``string``,
    ``motor``, ``sensor``, ``empty``, ``runaway``, ``checksum``, ``internal``, ``lost_events``, ``unknown_money``; of a printer
    ``paper_low``, ``paper_out``, ``cover_open``, ``cutter``, ``overheated``, ``offline``."""

    device: str
    at_ms: int
    code: str
    detail: str = ""
    is_up: bool = True


PanelEvent = ButtonPressed | ButtonReleased | DoorChanged | KeyChanged
NoteEvent = NoteEscrowed | NoteStacked | NoteReturned | NoteRejected | MoneyBegan
CoinEvent = CoinAccepted | CoinRejected | MoneyBegan
HopperEvent = HopperPaid | HopperDone
PrinterEvent = SlipPrinted | SlipFailed
StateEvent = DeviceReady | DeviceLost | DeviceFault
DeviceEvent = PanelEvent | NoteEvent | CoinEvent | HopperEvent | PrinterEvent | StateEvent
