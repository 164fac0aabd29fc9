"""What CCNET frames say: commands, the validator's states, the bill table and the identification.

Pure functions over bytes. Not responsible for framing (``hal.wire.ccnet``) or for the dialogue (``hal.wire.ccnet_host``).
"""

from dataclasses import dataclass
from typing import Final

from hal.errors import RemoteProtocolError

ACK: Final = b"\x00"
NAK: Final = b"\xff"
ILLEGAL: Final = b"\x30"
RESET: Final = b"\x30"
SET_SECURITY: Final = b"\x32\x00\x00\x00"
POLL: Final = b"\x33"
ENABLE: Final = 0x34
STACK: Final = b"\x35"
RETURN: Final = b"\x36"
IDENTIFICATION: Final = b"\x37"
HOLD: Final = b"\x38"
BILL_TABLE: Final = b"\x41"

POWER_UP: Final = 0x10
POWER_UP_IN_VALIDATOR: Final = 0x11
POWER_UP_IN_STACKER: Final = 0x12
INITIALIZE: Final = 0x13
IDLING: Final = 0x14
ACCEPTING: Final = 0x15
STACKING: Final = 0x17
RETURNING: Final = 0x18
DISABLED: Final = 0x19
HOLDING: Final = 0x1A
BUSY: Final = 0x1B
REJECTING: Final = 0x1C
CASSETTE_FULL: Final = 0x41
CASSETTE_OUT: Final = 0x42
JAM: Final = 0x43
CASSETTE_JAM: Final = 0x44
CHEATED: Final = 0x45
PAUSE: Final = 0x46
FAILURE: Final = 0x47
ESCROW: Final = 0x80
STACKED: Final = 0x81
RETURNED: Final = 0x82

_WITH_ARGUMENT: Final = frozenset((BUSY, REJECTING, FAILURE, ESCROW, STACKED, RETURNED))
_PLAIN: Final = frozenset(
    (POWER_UP, POWER_UP_IN_VALIDATOR, POWER_UP_IN_STACKER, INITIALIZE, IDLING, ACCEPTING, STACKING, RETURNING)
    + (DISABLED, HOLDING, CASSETTE_FULL, CASSETTE_OUT, JAM, CASSETTE_JAM, CHEATED, PAUSE)
)
POWER_UPS: Final = frozenset((POWER_UP, POWER_UP_IN_VALIDATOR, POWER_UP_IN_STACKER))

REJECT_REASONS: Final = {
    0x60: "insertion",
    0x61: "magnetic",
    0x62: "remains_in_head",
    0x63: "multiplying",
    0x64: "conveying",
    0x65: "unknown",
    0x66: "verification",
    0x67: "optic",
    0x68: "inhibited",
    0x69: "capacitance",
    0x6A: "operation",
    0x6C: "length",
}
"""Why the validator rejects, in short words."""

FAILURES: Final = {
    0x50: ("motor", "stack motor"),
    0x51: ("motor", "transport motor speed"),
    0x52: ("motor", "transport motor"),
    0x53: ("motor", "aligning motor"),
    0x54: ("sensor", "initial cassette status"),
    0x55: ("sensor", "optics"),
    0x56: ("sensor", "magnetic"),
    0x5F: ("sensor", "capacitance"),
}
"""Failure codes: fault code and text."""


@dataclass(frozen=True, slots=True)
class State:
    """One answer to POLL; ``argument`` is a bill type, a reason, or a time in units of 100 ms (0 where there is none)."""

    code: int
    argument: int = 0


def parse_state(data: bytes) -> State:
    """Read an answer to POLL. Raises RemoteProtocolError for one that no bill validator gives."""
    if len(data) == 1 and data[0] in _PLAIN:
        return State(data[0])
    if len(data) == 2 and data[0] in _WITH_ARGUMENT:
        return State(data[0], data[1])
    raise RemoteProtocolError(f"CCNET state not known: {data.hex(' ')}")


@dataclass(frozen=True, slots=True)
class BillType:
    """One row of the bill table; its place in the table is the bill type of ESCROW, STACKED and RETURNED."""

    country: str
    value: int
    """In whole currency units; 0 for a row not used or for a value that is no whole number."""


def parse_bill_table(data: bytes) -> tuple[BillType, ...]:
    """Read the answer to GET BILL TABLE: 24 rows of value, three letters and exponent (bit 7: divide)."""
    if len(data) != 120:
        raise RemoteProtocolError(f"CCNET bill table of {len(data)} bytes instead of 120")
    return tuple(_bill(data[at : at + 5]) for at in range(0, 120, 5))


def _bill(row: bytes) -> BillType:
    exponent = row[4] & 0x7F
    if exponent > 9:
        raise RemoteProtocolError(f"CCNET bill table row {row.hex(' ')} has an absurd exponent")
    scale = 10**exponent
    value = row[0] * scale
    if row[4] & 0x80:
        value = row[0] // scale if row[0] % scale == 0 else 0
    return BillType(row[1:4].decode("ascii", "replace").strip("\0 "), value)


@dataclass(frozen=True, slots=True)
class Identification:
    """Answer to IDENTIFICATION."""

    part_number: str
    serial: str


def parse_identification(data: bytes) -> Identification:
    """Read the answer to IDENTIFICATION: 15 characters part number, 12 serial number, 7 bytes asset number."""
    if len(data) != 34:
        raise RemoteProtocolError(f"CCNET identification of {len(data)} bytes instead of 34")
    return Identification(
        data[:15].decode("ascii", "replace").strip("\0 "), data[15:27].decode("ascii", "replace").strip("\0 ")
    )


def enable_command(bill_types: frozenset[int]) -> bytes:
    """Return the command that enables these bill types (0–23), each with escrow, and disables all others."""
    mask = sum(1 << bill_type for bill_type in bill_types).to_bytes(3, "big")
    return bytes((ENABLE,)) + mask + mask
