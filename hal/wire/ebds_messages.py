"""What EBDS frames say: the host's message, the acceptor's status, extended notes and the queries.

Pure functions over bytes. Not responsible for framing (``hal.wire.ebds``) or for the dialogue (``hal.wire.ebds_host``).
"""

from dataclasses import dataclass
from typing import Final

from hal.errors import RemoteProtocolError

STATES: Final = ("idle", "accepting", "escrowed", "stacking", "returning", "jammed", "full", "failed")

# Host message, second and third byte.
_ESCROW_ON: Final = 0x10
_STACK: Final = 0x20
_RETURN: Final = 0x40
_POWER_UP_POLICY_B: Final = 0x04  # report a bill that was past escrow when power was lost, with its value
_EXTENDED_NOTES: Final = 0x10

EXTENDED_NOTE: Final = 0x02
_EXTENDED_NOTE_BYTES: Final = 25
QUERY_TYPE: Final = b"\x00\x00\x04"
QUERY_SERIAL: Final = b"\x00\x00\x05"
QUERY_VARIANT: Final = b"\x00\x00\x08"


def host_message(enabled: frozenset[int], *, stack: bool, return_note: bool, extended: bool) -> bytes:
    """Return the data of the host's message: bills 1–7 to take, and what to do with the note in escrow."""
    mask = sum(1 << (bill - 1) for bill in enabled)
    orders = _ESCROW_ON | (_STACK if stack else 0) | (_RETURN if return_note else 0)
    return bytes((mask, orders, _POWER_UP_POLICY_B | (_EXTENDED_NOTES if extended else 0)))


def query_note(index: int, extended: bytes) -> bytes:
    """Return the data of a query for one row (from 1) of the extended note table; ``extended`` is the host's message."""
    return bytes((EXTENDED_NOTE,)) + extended + bytes((index,))


@dataclass(frozen=True, slots=True)
class Note:
    """An extended note: ``value`` in whole currency units (0: a row not used)."""

    index: int
    currency: str
    value: int


@dataclass(frozen=True, slots=True)
class Status:
    """The acceptor's status. ``state`` is one of STATES or "" (initialising, out of service)."""

    state: str
    stacked: bool
    returned: bool
    cheated: bool
    rejected: bool
    jammed: bool
    full: bool
    cash_box_present: bool
    paused: bool
    power_up: bool
    invalid_command: bool
    failed: bool
    bill: int
    """1–7, or 0 if the message names none."""
    model: int
    revision: int


def parse_status(data: bytes) -> Status:
    """Read the six status bytes.

    Raises RemoteProtocolError if they contradict themselves: the checksum does not notice swapped fields, so a message
    with two states at a time must not be believed.
    """
    if len(data) != 6:
        raise RemoteProtocolError(f"EBDS status of {len(data)} bytes instead of 6")
    states = [
        name
        for bit, name in ((1, "idle"), (2, "accepting"), (4, "escrowed"), (8, "stacking"), (32, "returning"))
        if data[0] & bit
    ]
    stacked, returned = bool(data[0] & 0x10), bool(data[0] & 0x40)
    if len(states) > 1 or (stacked and returned):
        raise RemoteProtocolError(f"EBDS status contradicts itself: {data.hex(' ')}")
    return Status(
        state=states[0] if states else "",
        stacked=stacked,
        returned=returned,
        cheated=bool(data[1] & 0x01),
        rejected=bool(data[1] & 0x02),
        jammed=bool(data[1] & 0x04),
        full=bool(data[1] & 0x08),
        cash_box_present=bool(data[1] & 0x10),
        paused=bool(data[1] & 0x20),
        power_up=bool(data[2] & 0x01),
        invalid_command=bool(data[2] & 0x02),
        failed=bool(data[2] & 0x04),
        bill=data[2] >> 3 & 0x07,
        model=data[4],
        revision=data[5],
    )


def parse_extended_note(data: bytes) -> tuple[Status, Note]:
    """Read an extended note message (subtype 02): status and note. Raises RemoteProtocolError for anything else."""
    if len(data) != _EXTENDED_NOTE_BYTES or data[0] != EXTENDED_NOTE:
        raise RemoteProtocolError(f"no EBDS extended note: {data.hex(' ')}")
    return parse_status(data[1:7]), _note(data[7:])


def _note(data: bytes) -> Note:
    index = data[0]
    if index == 0 or data[1] == 0:
        return Note(index, "", 0)
    currency, base, sign, exponent = data[1:4], data[4:7], data[7:8], data[8:10]
    if not (currency.isalpha() and base.isdigit() and exponent.isdigit() and sign in (b"+", b"-")):
        raise RemoteProtocolError(f"EBDS extended note can't be read: {data.hex(' ')}")
    scale = 10 ** int(exponent)
    value = int(base) * scale if sign == b"+" else int(base) // scale if int(base) % scale == 0 else 0
    return Note(index, currency.decode("ascii"), value)


def parse_text(data: bytes) -> str:
    """Read the answer to a query for type, serial number or variant: text that ends at the first unprintable byte."""
    length = next((i for i, byte in enumerate(data) if not 0x20 <= byte < 0x7F), len(data))
    return data[:length].decode("ascii").strip()
