"""What ID-003 frames say: commands of the host, states of the unit, reasons, failures, the currency assignment.

The codes 40–45 are commands in one direction and states in the other, so the two directions have types of their own.
Pure functions over frames and tables. Source: public ID-003 programs; JCM's own specification is not public. Not
responsible for framing (``hal.wire.id003``) or for the dialogue (``hal.wire.id003_host``).
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from hal.errors import RemoteProtocolError
from hal.wire.id003 import Frame


class Command(IntEnum):
    """What the host says."""

    STATUS = 0x11
    RESET = 0x40
    STACK_1 = 0x41
    STACK_2 = 0x42
    RETURN = 0x43
    HOLD = 0x44
    ACK = 0x50
    VERSION = 0x88
    CURRENCY = 0x8A
    SET_DENOMINATIONS = 0xC0
    SET_SECURITY = 0xC1
    SET_COMMUNICATION = 0xC2
    SET_INHIBIT = 0xC3
    SET_DIRECTION = 0xC4
    SET_OPTIONS = 0xC5


class State(IntEnum):
    """What the unit says of itself."""

    IDLE = 0x11
    ACCEPTING = 0x12
    ESCROW = 0x13
    STACKING = 0x14
    VEND_VALID = 0x15
    STACKED = 0x16
    REJECTING = 0x17
    RETURNING = 0x18
    HOLDING = 0x19
    INHIBITED = 0x1A
    INITIALIZE = 0x1B
    POWER_UP = 0x40
    POWER_UP_IN_ACCEPTOR = 0x41
    POWER_UP_IN_STACKER = 0x42
    STACKER_FULL = 0x43
    STACKER_OPEN = 0x44
    JAM_IN_ACCEPTOR = 0x45
    JAM_IN_STACKER = 0x46
    PAUSE = 0x47
    CHEATED = 0x48
    FAILURE = 0x49
    COMMUNICATION_ERROR = 0x4A


TAKEN: Final = 0x50
"""The unit's answer to an operation that it will do."""
INVALID_COMMAND: Final = 0x4B
ENQUIRY: Final = Frame(0x05)
"""What a unit in interrupt mode sends unasked."""

POWER_UPS: Final = frozenset((State.POWER_UP, State.POWER_UP_IN_ACCEPTOR, State.POWER_UP_IN_STACKER))
AT_REST: Final = frozenset((State.IDLE, State.INHIBITED))
_WITH_DATA: Final = frozenset((State.ESCROW, State.REJECTING, State.FAILURE))

FAULTS: Final = {
    State.STACKER_FULL: ("stacker_full", "the stacker is full"),
    State.STACKER_OPEN: ("cash_box_removed", "the cash box is open or removed"),
    State.JAM_IN_ACCEPTOR: ("jam", "a note is stuck in the acceptor"),
    State.JAM_IN_STACKER: ("jam", "a note is stuck in the stacker"),
    State.PAUSE: ("jam", "another note was pushed in behind the first"),
    State.CHEATED: ("fraud", "the acceptor was cheated"),
    State.COMMUNICATION_ERROR: ("internal", "the parts of the acceptor don't hear each other"),
}
"""States that a person must look at: fault code and text."""

FAILURES: Final = {
    0xA2: ("motor", "stacker motor"),
    0xA5: ("motor", "transport speed"),
    0xA6: ("motor", "transport motor"),
    0xA7: ("motor", "aligning"),
    0xAB: ("cash_box_removed", "the cash box is not ready"),
    0xAF: ("sensor", "the head is removed"),
    0xB0: ("internal", "memory"),
    0xB1: ("internal", "memory"),
    0xB2: ("internal", "memory"),
    0xB3: ("internal", "memory"),
}
"""Failure codes: fault code and text."""

REJECTIONS: Final = {
    0x71: "insertion",
    0x72: "unknown",
    0x73: "remains",
    0x74: "unknown",
    0x75: "conveying",
    0x76: "unknown",
    0x77: "damaged",
    0x78: "damaged",
    0x79: "inhibited",
    0x7B: "operation",
    0x7C: "remains",
    0x7D: "damaged",
    0x7E: "unknown",
    0x98: "double",
    0x9B: "ticket",
}
"""Why the unit rejects, in short words."""


@dataclass(frozen=True, slots=True)
class Status:
    """One answer to STATUS; ``detail`` is an escrow code, a reason or a failure code (0 where there is none)."""

    state: State
    detail: int = 0


def parse_status(frame: Frame) -> Status:
    """Read an answer to STATUS. Raises RemoteProtocolError for one that no unit gives."""
    try:
        state = State(frame.code)
    except ValueError:
        raise RemoteProtocolError(f"ID-003 state not known: {frame.code:02X}") from None
    if state in _WITH_DATA and frame.data:
        return Status(state, frame.data[0])  # a ticket's barcode follows its escrow code
    if frame.data or state in _WITH_DATA:
        raise RemoteProtocolError(f"ID-003 state {state.name} with the data {frame.data.hex(' ') or 'missing'}")
    return Status(state)


def failure(code: int) -> tuple[str, str]:
    """Return fault code and text of a FAILURE."""
    fault, text = FAILURES.get(code, ("internal", "failure"))
    return fault, f"{text} (failure code {code:02X})"


@dataclass(frozen=True, slots=True)
class Denomination:
    """One row of the currency assignment: ``code`` is the escrow code, ``value`` whole currency units."""

    code: int
    currency: str
    value: int


FIRST_ESCROW_CODE: Final = 0x61
DENOMINATION_COUNT: Final = 16

_CURRENCIES: Final = {
    0x01: "USD",
    0x02: "AUD",
    0x08: "CAD",
    0x16: "CHF",
    0x17: "GBP",
    0x1A: "PLN",
    0x27: "RUB",
    0x2C: "CZK",
    0x2D: "CNY",
    0x30: "HUF",
    0x4C: "RON",
    0x51: "KZT",
    0x5C: "UAH",
    0x63: "INR",
    0x7E: "MDL",
    0x86: "UZS",
    0xE0: "EUR",
}


def parse_currency(data: bytes) -> tuple[Denomination, ...]:
    """Read the currency assignment: groups of escrow code, country, value and exponent; unused rows are left out.

    Raises RemoteProtocolError for nonsense. A country that is not known gives the currency ``?``, which matches none.
    """
    if not data or len(data) % 4:
        raise RemoteProtocolError(f"ID-003 currency assignment of {len(data)} bytes")
    rows = []
    for at in range(0, len(data), 4):
        code, country, value, exponent = data[at : at + 4]
        if not FIRST_ESCROW_CODE <= code < FIRST_ESCROW_CODE + DENOMINATION_COUNT or exponent > 9:
            raise RemoteProtocolError(f"ID-003 currency assignment not understood: {data[at : at + 4].hex(' ')}")
        if value:
            rows.append(Denomination(code, _CURRENCIES.get(country, "?"), value * 10**exponent))
    return tuple(rows)


def denominations(taken: frozenset[int]) -> Frame:
    """Return the command that disables all denominations but those with these escrow codes."""
    mask = sum(1 << bit for bit in range(DENOMINATION_COUNT) if FIRST_ESCROW_CODE + bit not in taken)
    return Frame(Command.SET_DENOMINATIONS, mask.to_bytes(2, "little"))


def taken_by(command: Frame) -> frozenset[int]:
    """Return the escrow codes that a denominations command lets in."""
    mask = int.from_bytes(command.data, "little")
    return frozenset(FIRST_ESCROW_CODE + bit for bit in range(DENOMINATION_COUNT) if not mask >> bit & 1)


STATUS: Final = Frame(Command.STATUS)
RESET: Final = Frame(Command.RESET)
RETURN: Final = Frame(Command.RETURN)
HOLD: Final = Frame(Command.HOLD)
ACK: Final = Frame(Command.ACK)
VERSION: Final = Frame(Command.VERSION)
CURRENCY: Final = Frame(Command.CURRENCY)
INHIBIT: Final = Frame(Command.SET_INHIBIT, b"\1")
ACCEPT: Final = Frame(Command.SET_INHIBIT, b"\0")
POLLED: Final = Frame(Command.SET_COMMUNICATION, b"\0")
NORMAL_SECURITY: Final = Frame(Command.SET_SECURITY, b"\0\0")
ANY_DIRECTION: Final = Frame(Command.SET_DIRECTION, b"\0")
POWER_RECOVERY: Final = Frame(Command.SET_OPTIONS, b"\2\0")
"""After a power cut the unit finishes stacking and says VEND VALID, so that the note is not lost from the books."""
