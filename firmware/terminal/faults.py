"""The fault table: every condition that stops something, what it tells people, what it stops, and what clears it.

Faults are entries, so they survive a power cycle; several may be up at once. Doors are rows here as well, raised and
cleared by the doors themselves. Not responsible for noticing conditions (``decide_devices``).
"""

from dataclasses import dataclass
from typing import Final

from display.view_model import Text

PLAY: Final = "play"
MONEY_IN: Final = "money_in"
CASH_OUT: Final = "cash_out"
EVERYTHING: Final = frozenset({PLAY, MONEY_IN, CASH_OUT})


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A row of the table.

    ``clears``: ``self`` (the condition's end), ``attendant`` (key, once the condition has ended), ``ram_clear``.
    ``rank`` orders several faults, lowest first.
    """

    code: str
    title: Text
    remedy: Text
    stops: frozenset[str]
    clears: str
    rank: int


def _row(code: str, title: str, remedy: str, stops: frozenset[str], clears: str, rank: int) -> FaultRow:
    return FaultRow(code, Text("fault", title), Text("fault remedy", remedy), stops, clears, rank)


MEMORY: Final = "M1"
BOOKS: Final = "M2"
STORAGE: Final = "S1"
CLOCK: Final = "S2"
GAME_CHANGED: Final = "G1"
LARGE_WIN: Final = "W1"
NOTE_UNCERTAIN: Final = "B4"
HOPPER_UNCERTAIN: Final = "H4"

FAULTS: Final[dict[str, FaultRow]] = {
    row.code: row
    for row in (
        _row(MEMORY, "Memory error", "Technician: RAM clear after reading the meters", EVERYTHING, "ram_clear", 1),
        _row(BOOKS, "The books do not balance", "Technician: RAM clear after an audit", EVERYTHING, "ram_clear", 2),
        _row(STORAGE, "Storage is full or read-only", "Free space or replace the medium", EVERYTHING, "self", 3),
        _row(GAME_CHANGED, "The open round's rules have changed", "Restore the game profile", EVERYTHING, "self", 4),
        _row("D1", "Main door open", "Close the main door", EVERYTHING, "self", 10),
        _row("D2", "Cash box door open", "Close the cash box door", EVERYTHING, "self", 11),
        _row("D3", "Logic door open", "Close the logic door", EVERYTHING, "self", 12),
        _row(LARGE_WIN, "Large win", "Check the win, then turn the attendant key", EVERYTHING, "attendant", 15),
        _row(NOTE_UNCERTAIN, "A note is unaccounted for", "Compare the note acceptor with the journal, then turn the key", EVERYTHING, "attendant", 20),
        _row(HOPPER_UNCERTAIN, "A pay-out is unaccounted for", "Compare the tray with the journal, then turn the key", EVERYTHING, "attendant", 21),
        _row("B1", "Note acceptor jammed", "Open the acceptor and clear the note path", frozenset({MONEY_IN}), "attendant", 30),
        _row("B2", "Cash box full", "Empty the cash box", frozenset({MONEY_IN}), "self", 31),
        _row("B3", "Cash box removed", "Insert the cash box", EVERYTHING, "self", 32),
        _row("B5", "Note fraud attempt", "Check the note path, then turn the key", frozenset({MONEY_IN}), "attendant", 33),
        _row("B6", "Note acceptor does not answer", "Check its cable and power", frozenset(), "self", 34),
        _row("B7", "Note acceptor failed", "Switch it off and on; replace it if this comes again", frozenset({MONEY_IN}), "attendant", 35),
        _row("C1", "Coin acceptor jammed", "Clear the coin path", frozenset({MONEY_IN}), "attendant", 40),
        _row("C2", "Coin on a string", "Check the coin path, then turn the key", frozenset({MONEY_IN}), "attendant", 41),
        _row("C3", "Coin events were lost", "Compare the coin counter with the journal, then turn the key", frozenset({MONEY_IN}), "attendant", 42),
        _row("C4", "Coin acceptor does not answer", "Check its cable and power", frozenset(), "self", 43),
        _row("C5", "Coin acceptor failed", "Switch it off and on; replace it if this comes again", frozenset({MONEY_IN}), "attendant", 44),
        _row("H1", "Hopper empty", "Refill the hopper", frozenset(), "self", 50),
        _row("H2", "Hopper jammed", "Clear the hopper, then turn the key", frozenset(), "attendant", 51),
        _row("H3", "Hopper ran on by itself", "Switch the hopper off, count its coins, then turn the key", EVERYTHING, "attendant", 52),
        _row("H5", "Hopper does not answer", "Check its cable and power", frozenset(), "self", 53),
        _row("H6", "Hopper failed", "Check sensor and motor, then turn the key", frozenset(), "attendant", 54),
        _row(CLOCK, "The clock was set back", "Check date and time", frozenset(), "attendant", 60),
    )
}  # fmt: skip

DOOR_CODES: Final = {"main": "D1", "cash_box": "D2", "logic": "D3"}

DEVICE_CODES: Final[dict[tuple[str, str], str]] = {
    ("notes", "jam"): "B1",
    ("notes", "stacker_full"): "B2",
    ("notes", "cash_box_removed"): "B3",
    ("notes", "fraud"): "B5",
    ("notes", "string"): "B5",
    ("notes", "unknown_money"): NOTE_UNCERTAIN,
    ("notes", "lost_events"): NOTE_UNCERTAIN,
    ("notes", "lost"): "B6",
    ("coins", "jam"): "C1",
    ("coins", "string"): "C2",
    ("coins", "fraud"): "C2",
    ("coins", "lost_events"): "C3",
    ("coins", "unknown_money"): "C3",
    ("coins", "lost"): "C4",
    ("hopper", "empty"): "H1",
    ("hopper", "jam"): "H2",
    ("hopper", "runaway"): "H3",
    ("hopper", "unknown_money"): HOPPER_UNCERTAIN,
    ("hopper", "lost"): "H5",
}
_OTHER_DEVICE_FAULT: Final = {"notes": "B7", "coins": "C5", "hopper": "H6"}


def code_for(device: str, condition: str) -> str | None:
    """Return the table's code for a device's condition; None for a device that has no rows."""
    return DEVICE_CODES.get((device, condition), _OTHER_DEVICE_FAULT.get(device))
