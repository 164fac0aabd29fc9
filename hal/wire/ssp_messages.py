"""What SSP frames say: commands, replies, the events of a poll and the setup reply of a note validator.

Pure functions over bytes. Not responsible for framing (``hal.wire.ssp``) or for the dialogue (``hal.wire.ssp_host``).
Codes from the maker's protocol manual GA138.
"""

from dataclasses import dataclass
from typing import Final

from hal.errors import RemoteProtocolError

SYNC: Final = b"\x11"
SET_INHIBITS: Final = 0x02
SETUP_REQUEST: Final = b"\x05"
HOST_PROTOCOL: Final = 0x06
POLL: Final = b"\x07"
REJECT: Final = b"\x08"
DISABLE: Final = b"\x09"
ENABLE: Final = b"\x0a"
SERIAL_NUMBER: Final = b"\x0c"
LAST_REJECT: Final = b"\x17"
HOLD: Final = b"\x18"
POLL_WITH_ACK: Final = b"\x56"
EVENT_ACK: Final = b"\x57"
SET_GENERATOR: Final = 0x4A
SET_MODULUS: Final = 0x4B
KEY_EXCHANGE: Final = 0x4C

OK: Final = 0xF0
UNKNOWN_COMMAND: Final = 0xF2
KEY_NOT_SET: Final = 0xFA

RESET: Final = 0xF1
READ: Final = 0xEF
CREDIT: Final = 0xEE
REJECTING: Final = 0xED
REJECTED: Final = 0xEC
STACKING: Final = 0xCC
STACKED: Final = 0xEB
SAFE_JAM: Final = 0xEA
UNSAFE_JAM: Final = 0xE9
DISABLED: Final = 0xE8
STACKER_FULL: Final = 0xE7
FRAUD: Final = 0xE6
CASH_BOX_REPLACED: Final = 0xE4
CASH_BOX_REMOVED: Final = 0xE3
CLEARED_INTO_CASH_BOX: Final = 0xE2
CLEARED_OUT_OF_FRONT: Final = 0xE1

HIGHEST_PROTOCOL: Final = 7
"""The highest protocol version whose events this parser knows; never ask a device for more."""
LOWEST_PROTOCOL: Final = 4

# Bytes that follow an event of a note validator up to protocol 8. A code that is not here ends the parsing of its reply:
# guessing its length would turn the bytes after it into false events.
_EXTRA_BYTES: Final = {
    **dict.fromkeys((READ, CREDIT, FRAUD, CLEARED_INTO_CASH_BOX, CLEARED_OUT_OF_FRONT), 1),
    **dict.fromkeys((RESET, REJECTING, REJECTED, STACKING, STACKED, SAFE_JAM, UNSAFE_JAM, DISABLED, STACKER_FULL), 0),
    **dict.fromkeys((CASH_BOX_REPLACED, CASH_BOX_REMOVED), 0),
    **dict.fromkeys((0xE0, 0xB5, 0xB6, 0xD1, 0xE5), 0),  # path open, channels inhibited, initialising, bar-code ticket
}
MUST_BE_ACKNOWLEDGED: Final = frozenset((CREDIT, FRAUD, CLEARED_INTO_CASH_BOX))
"""Events that a device repeats under poll-with-ack until they are acknowledged."""

REJECT_REASONS: Final = {
    0x01: "length",
    0x02: "invalid",
    0x03: "invalid",
    0x04: "invalid",
    0x05: "invalid",
    0x06: "inhibited",
    0x07: "second_note",
    0x08: "returned",
    0x09: "ambiguous",
    0x0A: "invalid",
    0x0B: "length",
    0x0C: "disabled",
    0x0D: "slow",
    0x0E: "string",
    0x0F: "fraud",
    0x10: "none",
    0x11: "damaged",
    0x12: "damaged",
    0x13: "twisted",
    0x14: "escrow_time_out",
    0x15: "barcode",
    0x19: "width",
    0x1A: "length",
}
"""Answers to LAST_REJECT in short words."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a poll reply; ``channel`` is 0 where the event has none."""

    code: int
    channel: int = 0


def parse_events(data: bytes) -> tuple[tuple[Event, ...], bytes]:
    """Return the events of a poll reply's data (without the leading OK) and the rest that could not be understood."""
    events: list[Event] = []
    at = 0
    while at < len(data):
        code = data[at]
        extra = _EXTRA_BYTES.get(code)
        if extra is None or at + extra >= len(data):
            break
        events.append(Event(code, data[at + 1] if extra else 0))
        at += 1 + extra
    return tuple(events), data[at:]


@dataclass(frozen=True, slots=True)
class Setup:
    """Setup reply of a note validator: ``values`` are whole currency units, index 0 belongs to channel 1."""

    firmware: str
    currencies: tuple[str, ...]
    values: tuple[int, ...]
    protocol: int


def parse_setup(data: bytes) -> Setup:
    """Read a setup reply's data (without the leading OK). Raises RemoteProtocolError if it is not of a note validator."""
    if len(data) < 12:
        raise RemoteProtocolError(f"SSP setup reply of {len(data)} bytes is too short")
    if data[0] != 0x00:
        raise RemoteProtocolError(f"SSP unit type {data[0]:02X} is not a note validator")
    count = data[11]
    if len(data) < 12 + 2 * count + 4 or count > 16:
        raise RemoteProtocolError(f"SSP setup reply is too short for {count} channels")
    multiplier = int.from_bytes(data[8:11], "big")
    country = _text(data[5:8])
    values = tuple(value * multiplier for value in data[12 : 12 + count])
    currencies = (country,) * count
    protocol = data[12 + 2 * count + 3]
    rest = data[12 + 2 * count + 4 :]
    if protocol >= 6 and len(rest) >= 7 * count:
        currencies = tuple(_text(rest[3 * i : 3 * i + 3]) for i in range(count))
        values_at = 3 * count
        values = tuple(int.from_bytes(rest[values_at + 4 * i : values_at + 4 * i + 4], "little") for i in range(count))
    return Setup(_text(data[1:5]), currencies, values, protocol)


def parse_serial(data: bytes) -> int:
    """Read the serial number's data (without the leading OK): four bytes, big endian."""
    if len(data) != 4:
        raise RemoteProtocolError(f"SSP serial number of {len(data)} bytes")
    return int.from_bytes(data, "big")


def inhibit_mask(channels: frozenset[int]) -> bytes:
    """Return the command that enables these channels (1–16) and inhibits all others."""
    mask = sum(1 << (channel - 1) for channel in channels)
    return bytes((SET_INHIBITS,)) + mask.to_bytes(2, "little")


def _text(data: bytes) -> str:
    return data.decode("ascii", "replace").strip("\0 ")
