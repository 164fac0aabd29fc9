"""What ccTalk frames say: headers, money identifiers, the event buffer and fault codes.

Pure functions over bytes and tables. Source of codes: ccTalk Generic Specification, part 2 (headers) and part 3 (tables).
Not responsible for framing (``hal.wire.cctalk``) or for dialogues (``cctalk_coin``, ``cctalk_hopper``, ``cctalk_note``).
"""

from dataclasses import dataclass
from typing import Final

from hal.errors import RemoteProtocolError

SIMPLE_POLL: Final = 254
POLL_PRIORITY: Final = 249
MANUFACTURER: Final = 246
CATEGORY: Final = 245
PRODUCT_CODE: Final = 244
SERIAL_NUMBER: Final = 242
SOFTWARE_REVISION: Final = 241
SELF_CHECK: Final = 232
MODIFY_INHIBIT: Final = 231
REQUEST_INHIBIT: Final = 230
READ_COIN_EVENTS: Final = 229
MODIFY_MASTER_INHIBIT: Final = 228
ACCEPT_COUNTER: Final = 225
MODIFY_SORTER_PATH: Final = 210
MODIFY_DEFAULT_PATH: Final = 189
COIN_ID: Final = 184
EMERGENCY_STOP: Final = 172
HOPPER_COIN: Final = 171
DISPENSE_COUNT: Final = 168
DISPENSE: Final = 167
HOPPER_STATUS: Final = 166
ENABLE_HOPPER: Final = 164
TEST_HOPPER: Final = 163
CIPHER_KEY: Final = 160
READ_BILL_EVENTS: Final = 159
BILL_ID: Final = 157
SCALING_FACTOR: Final = 156
ROUTE_BILL: Final = 154
BILL_MODE: Final = 153
RESET: Final = 1

POSITION_COUNT: Final = 16
"""Coins or bills a device can know; inhibit masks have this many bits."""
BUFFER_COUNT: Final = 5
"""Events a device remembers."""

COUNTER_SIZE: Final = 1 << 24
"""Lifetime counters have three bytes."""

_MULTIPLIERS: Final = {"K": 1_000, "M": 1_000_000, "G": 1_000_000_000}


def text(data: bytes) -> str:
    """Return a device's text without padding; bytes that are no ASCII show as question marks."""
    return data.decode("ascii", "replace").replace("\ufffd", "?").strip("\0 ")


def is_category(said: str, wanted: str) -> bool:
    """Whether a device's category text means ``wanted``; makers differ in case, blanks and underscores."""
    return said.replace("_", " ").casefold().startswith(wanted.casefold())


def serial_number(data: bytes) -> str:
    """Return a serial number (3 or 4 bytes, least significant first) in decimal."""
    return str(int.from_bytes(data, "little"))


def _parse_value(digits: str) -> int:
    """Return what ``010``, ``1K0`` or ``10K`` means; 0 for anything that is no whole number."""
    letter = next((char for char in digits if char in _MULTIPLIERS), "")
    before, _, after = digits.partition(letter) if letter else (digits, "", "")
    number = before + after
    if not (number.isascii() and number.isdigit()):
        return 0
    value, rest = divmod(int(number) * _MULTIPLIERS.get(letter, 1), 10 ** len(after))
    return 0 if rest else value


def coin_value_minor(coin_id: bytes, country: str) -> int:
    """Return what a coin identifier such as ``EU200A`` is worth in minor units (hundredths).

    0 for a position that is not programmed, a token, another country's coin or a value that makes no sense. Raises
    RemoteProtocolError if it hasn't six characters.
    """
    if len(coin_id) != 6:
        raise RemoteProtocolError(f"ccTalk coin identifier of {len(coin_id)} characters instead of 6")
    said = coin_id.decode("ascii", "replace")
    return _parse_value(said[2:5]) if said[:2] == country else 0


@dataclass(frozen=True, slots=True)
class Scaling:
    """How a country's bill values are to be read: value × ``factor`` in units of 10 to the power of −``decimals``."""

    factor: int
    decimals: int


def parse_scaling(data: bytes) -> Scaling:
    """Read the answer to SCALING FACTOR. Raises RemoteProtocolError for nonsense."""
    if len(data) != 3 or data[2] > 6:
        raise RemoteProtocolError(f"ccTalk scaling factor not understood: {data.hex(' ')}")
    return Scaling(int.from_bytes(data[:2], "little"), data[2])


def bill_value_minor(bill_id: bytes, country: str, scaling: Scaling) -> int:
    """Return what a bill identifier such as ``EU0005A`` is worth in minor units (hundredths); 0 as for coins."""
    if len(bill_id) != 7:
        raise RemoteProtocolError(f"ccTalk bill identifier of {len(bill_id)} characters instead of 7")
    said = bill_id.decode("ascii", "replace")
    if said[:2] != country:
        return 0
    value, rest = divmod(_parse_value(said[2:6]) * scaling.factor * 100, 10**scaling.decimals)
    return 0 if rest else value


def inhibit_mask(positions: frozenset[int]) -> bytes:
    """Return the two mask bytes that let these positions (1–16) in and no other."""
    return sum(1 << (position - 1) for position in positions).to_bytes(2, "little")


def poll_interval_ms(data: bytes) -> int | None:
    """Return the longest safe time between event polls that a device asks for, or None if it leaves that open."""
    units = {1: 1, 2: 10, 3: 1_000, 4: 60_000, 5: 3_600_000}
    if len(data) != 2:
        raise RemoteProtocolError(f"ccTalk poll priority of {len(data)} bytes instead of 2")
    return units[data[0]] * data[1] if data[0] in units and data[1] else None


@dataclass(frozen=True, slots=True)
class Buffer:
    """A device's event buffer: its counter (0 only after its reset, then 1…255, 1…) and five pairs, newest first."""

    counter: int
    pairs: tuple[tuple[int, int], ...]


def parse_buffer(data: bytes) -> Buffer:
    """Read the answer to READ EVENTS. Raises RemoteProtocolError for a wrong length."""
    if len(data) != 1 + 2 * BUFFER_COUNT:
        raise RemoteProtocolError(f"ccTalk event buffer of {len(data)} bytes instead of 11")
    return Buffer(data[0], tuple((data[at], data[at + 1]) for at in range(1, len(data), 2)))


COIN_REJECTIONS: Final = {
    1: "unknown",
    2: "inhibited",
    3: "unknown",
    5: "unknown",
    8: "too_close",
    9: "too_close",
    10: "too_close",
    11: "too_close",
    12: "too_close",
    13: "too_close",
    18: "unknown",
    19: "unknown",
    24: "unknown",
    25: "unknown",
    254: "returned",
}
"""Error codes of a coin acceptor that tell of a coin that fell through."""

COIN_FAULTS: Final = {
    4: ("sensor", "wake-up sensor timed out"),
    6: ("sensor", "credit sensor timed out"),
    7: ("sensor", "sorter sensor timed out"),
    14: ("jam", "a coin blocks the credit sensor"),
    15: ("jam", "a coin blocks the sorter"),
    16: ("fraud", "coin passed the credit sensors in the wrong order"),
    17: ("fraud", "coin went backwards"),
    20: ("string", "coin on a string"),
    21: ("sensor", "coin entry sensor timed out"),
    22: ("fraud", "coin did not come through the entry"),
    23: ("fraud", "credit sensor reached too early"),
    26: ("jam", "a coin blocks the reject exit"),
    27: ("internal", "coins come faster than they can be reported"),
    255: ("internal", "alarm that the acceptor does not explain"),
}
"""Error codes of a coin acceptor that a person must look at: fault code and text."""

FIRST_INHIBITED, LAST_INHIBITED = 128, 159
"""Error codes that mean: the coin at position code − 127 is inhibited."""

NOTE_REJECTIONS: Final = {0: "inhibited", 2: "unknown", 3: "damaged", 4: "inhibited", 5: "inhibited"}
"""Event codes of a bill validator that tell of a note that it gave back by itself."""
NOTE_RETURNED: Final = 1
UNKNOWN_NOTE_STACKED: Final = 21
BARCODE: Final = 20

NOTE_FAULTS: Final = {
    6: ("jam", "note stuck in the transport where it can be reached"),
    7: ("jam", "note stuck in the stacker"),
    8: ("string", "note was pulled back"),
    9: ("fraud", "note was tampered with"),
    11: ("cash_box_removed", "the stacker was taken out"),
    13: ("motor", "the stacker does not work"),
    14: ("stacker_full", "the stacker is full"),
    15: ("jam", "the stacker is jammed"),
    16: ("jam", "note stuck in the transport"),
    17: ("fraud", "somebody manipulates the sensors"),
    18: ("string", "note on a string"),
    19: ("sensor", "the device against strings does not work"),
}
"""Event codes of a bill validator that a person must look at: fault code and text."""

NOTE_CLEARS: Final = {
    10: ("cash_box_removed", "stacker_full", "motor"),
    12: ("cash_box_removed", "stacker_full"),
}
"""Event codes of a bill validator that end faults."""


def self_check_fault(data: bytes) -> tuple[str, str] | None:
    """Return fault code and text for the answer to SELF CHECK, or None if the device is well."""
    if not data:
        raise RemoteProtocolError("ccTalk self-check without a result")
    code = data[0]
    if code == 0:
        return None
    detail = f"self-check reports fault {code}" + (f" ({data[1]})" if len(data) > 1 else "")
    return _SELF_CHECK.get(code, "internal"), detail


_SELF_CHECK: Final = (
    dict.fromkeys((2, 3, 4, 5, 6, 7, 8, 11, 12, 18, 21, 22, 26, 27, 36, 49), "sensor")
    | dict.fromkeys((19, 25, 39, 42, 43), "jam")
    | dict.fromkeys((20, 41), "string")
    | dict.fromkeys((23, 37, 38), "motor")
    | {24: "empty", 44: "cash_box_removed", 45: "stacker_full"}
)


@dataclass(frozen=True, slots=True)
class HopperStatus:
    """Answer to HOPPER STATUS: event counter, then coins of the last pay-out."""

    counter: int
    remaining: int
    paid: int
    unpaid: int


def parse_hopper_status(data: bytes) -> HopperStatus:
    """Read the answer to HOPPER STATUS. Raises RemoteProtocolError for a wrong length."""
    if len(data) != 4:
        raise RemoteProtocolError(f"ccTalk hopper status of {len(data)} bytes instead of 4")
    return HopperStatus(*data)


POWER_UP_BIT: Final = 1 << 6
DISABLED_BIT: Final = 1 << 7
POWER_LOST_WHILE_PAYING_BIT: Final = 1 << 16
"""Bits of the hopper's registers as ``parse_hopper_test`` joins them."""

TIMED_OUT_BIT: Final = 1 << 1
JAM_BITS: Final = 1 << 0 | 1 << 5 | 1 << 12

HOPPER_FAULTS: Final = {
    0: ("jam", "the motor draws too much current"),
    3: ("fraud", "the exit sensor was blocked while the motor stood"),
    4: ("fraud", "the exit sensor saw foreign light"),
    5: ("jam", "a coin blocks the exit sensor"),
    12: ("jam", "the motor ran backwards as often as it may"),
    13: ("motor", "the coil does not work"),
    14: ("internal", "the hopper's memory is damaged"),
    15: ("internal", "the hopper is locked by a PIN"),
    17: ("internal", "the exit saw an unknown coin"),
    18: ("internal", "the hopper refused a PIN"),
    19: ("internal", "the hopper wants an encrypted command"),
    20: ("internal", "the hopper wants an encrypted command"),
}
"""Bits of the hopper's registers that tell of a fault: fault code and text."""


def parse_hopper_test(data: bytes) -> int:
    """Read the answer to TEST HOPPER: one to three registers, joined with register 1 in the lowest eight bits."""
    if not 1 <= len(data) <= 3:
        raise RemoteProtocolError(f"ccTalk hopper test of {len(data)} registers")
    return int.from_bytes(data, "little")
