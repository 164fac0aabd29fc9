"""The fault table: every condition that people must know of, what it tells them, what it stops, and what clears it.

Faults are entries, so they survive a power cycle; several may be up at once. Doors are rows here as well, raised and
cleared by the doors themselves. Not responsible for noticing conditions (``decide_devices``, ``watch``).
"""

from dataclasses import dataclass
from typing import Final

from display.view_model import Text
from firmware.terminal.state import State

PLAY: Final = "play"
MONEY_IN: Final = "money_in"
CASH_OUT: Final = "cash_out"
EVERYTHING: Final = frozenset({PLAY, MONEY_IN, CASH_OUT})
NO_MONEY: Final = frozenset({MONEY_IN})
NOTHING: Final = frozenset[str]()

LEVELS: Final = ("attendant", "operator", "technician")
"""Who may clear a fault; each may clear what the one before may."""


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A row of the table. ``player`` is told to the player, ``title`` and ``remedy`` to the attendant.

    ``clears``: ``self`` (the condition's end), a level of ``LEVELS`` (its key, once the condition has ended), ``restart``
    (a start at which it is not found again) or ``ram_clear`` (nothing else, however often the power is switched).
    ``rank`` orders several faults, lowest first.
    """

    code: str
    title: Text
    player: Text
    remedy: Text
    stops: frozenset[str]
    clears: str
    rank: int

    @property
    def severity(self) -> str:
        """``lock_up`` when it stops everything, ``fault`` when it stops something, else ``warning``."""
        if self.stops == EVERYTHING:
            return "lock_up"
        return "fault" if self.stops else "warning"


def _row(code: str, title: str, player: str, remedy: str, stops: frozenset[str], clears: str, rank: int) -> FaultRow:
    return FaultRow(
        code, Text("fault", title), Text("fault player", player), Text("fault remedy", remedy), stops, clears, rank
    )


MEMORY: Final = "M1"
BOOKS: Final = "M2"
EXCESSIVE: Final = "M3"
CONTRADICTION: Final = "M4"
COPY_REBUILT: Final = "M5"
NEWER_JOURNAL: Final = "M6"
STORAGE: Final = "S1"
RANDOMNESS: Final = "R1"
CLOCK_BACK: Final = "S2"
CLOCK_FORWARD: Final = "S3"
GAME_CHANGED: Final = "G1"
PROGRAM_CHANGED: Final = "A2"
PROGRAM_ALTERED: Final = "A1"
LARGE_WIN: Final = "W1"
NOTE_UNCERTAIN: Final = "B4"
EXCESS_REJECTS: Final = "B8"
HOPPER_UNCERTAIN: Final = "H4"
RUNAWAY: Final = "H3"
COIN_UNCERTAIN: Final = "C3"
NOTE_COUNTER: Final = "B9"
COIN_COUNTER: Final = "C6"
HOPPER_COUNTER: Final = "H7"
UNCERTAIN: Final = frozenset((NOTE_UNCERTAIN, COIN_UNCERTAIN, HOPPER_UNCERTAIN))
"""Each says that money moved which nobody could count."""
OPENED_UNSEEN: Final = "D4"
OUT_OF_SERVICE: Final = "O1"

FAULTS: Final[dict[str, FaultRow]] = {
    row.code: row
    for row in (
        _row(MEMORY, "Memory error", "Please call an attendant", "Technician: note the mechanical meters, open the logic door, then RAM clear in the menu (Service)", EVERYTHING, "ram_clear", 1),
        _row(BOOKS, "The books do not balance", "Please call an attendant", "Technician: switch off and on, save a report of everything, open the logic door, then RAM clear in the menu (Service)", EVERYTHING, "ram_clear", 2),
        _row(EXCESSIVE, "More money than is plausible", "Please call an attendant", "Count the cash box, compare it with the page of the notes, then turn the operator key", EVERYTHING, "operator", 3),
        _row(CONTRADICTION, "The program contradicts itself", "Please call an attendant", "Switch off and on; if it comes again, call a technician", EVERYTHING, "restart", 4),
        _row(GAME_CHANGED, "The open round's rules have changed", "Please call an attendant", "Restore the game profile, then switch off and on", EVERYTHING, "restart", 5),
        _row(STORAGE, "Storage is full or read-only", "Please call an attendant", "Free space or replace the medium", EVERYTHING, "self", 6),
        _row(RANDOMNESS, "The source of random numbers failed its test", "Please call an attendant", "Technician: switch off and on, clear it in the menu; if it comes again, replace the board", EVERYTHING, "technician", 7),
        _row(PROGRAM_ALTERED, "The program is not as it was signed", "Please call an attendant", "Technician: install the program anew, start it, then turn the operator key", EVERYTHING, "operator", 8),
        _row(NEWER_JOURNAL, "The memory was written by a newer version", "Please call an attendant", "Technician: install the newer version again; do not clear the memory", EVERYTHING, "restart", 9),
        _row("D1", "Main door open", "The door is open. Hand and credit are kept", "Close the main door", EVERYTHING, "self", 10),
        _row("D2", "Cash box door open", "The door is open. Hand and credit are kept", "Close the cash box door", EVERYTHING, "self", 11),
        _row("D3", "Logic door open", "The door is open. Hand and credit are kept", "Close the logic door", EVERYTHING, "self", 12),
        _row(OPENED_UNSEEN, "A door was opened while nobody watched", "Please call an attendant", "Check cash box and logic area, then turn the key", EVERYTHING, "attendant", 13),
        _row("D5", "The panel does not answer, doors are not watched", "Please call an attendant", "Check the panel's cable and its program", EVERYTHING, "self", 14),
        _row(LARGE_WIN, "Large win", "Congratulations! An attendant will confirm the win", "Check the win, then turn the attendant key", EVERYTHING, "attendant", 15),
        _row(NOTE_UNCERTAIN, "A note is unaccounted for", "Please call an attendant", "Look whether the note lies in the cash box or was given back, write it down, then turn the key", EVERYTHING, "attendant", 20),
        _row(HOPPER_UNCERTAIN, "A pay-out is unaccounted for", "Please call an attendant", "Count the coins in the tray with the player, write it down, then turn the key. Pay by hand only what is missing", EVERYTHING, "attendant", 21),
        _row(OUT_OF_SERVICE, "Out of service", "This table is out of service", "Turn the attendant key to open it again", EVERYTHING, "attendant", 25),
        _row("B1", "Note acceptor jammed", "No notes or coins at the moment", "Open the acceptor, clear the note path, then turn the key", NO_MONEY, "attendant", 30),
        _row("B2", "Cash box full", "No notes or coins at the moment", "Empty the cash box", NO_MONEY, "self", 31),
        _row("B3", "Cash box removed", "Please call an attendant", "Insert the cash box", EVERYTHING, "self", 32),
        _row("B5", "Note fraud attempt", "No notes or coins at the moment", "Check the note path, then turn the key", NO_MONEY, "attendant", 33),
        _row("B6", "Note acceptor does not answer", "No notes at the moment", "Check its cable and power", NOTHING, "self", 34),
        _row("B7", "Note acceptor failed", "No notes or coins at the moment", "Switch it off and on, then turn the key; replace it if this comes again", NO_MONEY, "attendant", 35),
        _row(EXCESS_REJECTS, "Too many notes refused in a row", "No notes or coins at the moment", "Clean the acceptor, try a note, then turn the key", NO_MONEY, "attendant", 36),
        _row(NOTE_COUNTER, "The note acceptor's counter differs from the journal", "No notes or coins at the moment", "Count the notes in the cash box, compare with the journal, then turn the key", NO_MONEY, "attendant", 37),
        _row("B10", "Note on a string", "No notes or coins at the moment", "Look for a thread or a tail in the note path, then turn the key", NO_MONEY, "attendant", 38),
        _row("C1", "Coin acceptor jammed", "No notes or coins at the moment", "Clear the coin path, then turn the key", NO_MONEY, "attendant", 40),
        _row("C2", "Coin on a string", "No notes or coins at the moment", "Check the coin path, then turn the key", NO_MONEY, "attendant", 41),
        _row(COIN_UNCERTAIN, "Coin events were lost", "No notes or coins at the moment", "Ask the player which coins are missing, write it down, then turn the key", NO_MONEY, "attendant", 42),
        _row("C4", "Coin acceptor does not answer", "No coins at the moment", "Check its cable and power", NOTHING, "self", 43),
        _row("C5", "Coin acceptor failed", "No notes or coins at the moment", "Switch it off and on, then turn the key; replace it if this comes again", NO_MONEY, "attendant", 44),
        _row(COIN_COUNTER, "The coin acceptor's counter differs from the journal", "No notes or coins at the moment", "Count the coins, compare with the journal, then turn the key", NO_MONEY, "attendant", 45),
        _row("C7", "Coin fraud attempt", "No notes or coins at the moment", "Check the coin slot and the acceptor's wires, then turn the key", NO_MONEY, "attendant", 46),
        _row("H1", "Hopper empty", "An attendant pays out at the moment", "Refill the hopper", NOTHING, "self", 50),
        _row("H2", "Hopper jammed", "An attendant pays out at the moment", "Clear the hopper, then turn the key", NOTHING, "attendant", 51),
        _row(RUNAWAY, "Hopper ran on by itself", "Please call an attendant", "Switch the hopper off, count its coins, then turn the key", EVERYTHING, "attendant", 52),
        _row("H5", "Hopper does not answer", "An attendant pays out at the moment", "Check its cable and power", NOTHING, "self", 53),
        _row("H6", "Hopper failed", "An attendant pays out at the moment", "Check sensor and motor, then turn the key", NOTHING, "attendant", 54),
        _row(HOPPER_COUNTER, "The hopper's counter differs from the journal", "Please call an attendant", "Count the hopper's coins, compare with the journal, then turn the key", EVERYTHING, "attendant", 55),
        _row("H8", "Hopper fraud attempt", "An attendant pays out at the moment", "Check the coin exit for a light or a wire, then turn the key", NOTHING, "attendant", 56),
        _row(CLOCK_BACK, "The clock was set back", "The game goes on", "Check date and time, then turn the key", NOTHING, "attendant", 60),
        _row(CLOCK_FORWARD, "The clock was set forward", "The game goes on", "Check date and time, then turn the key", NOTHING, "attendant", 61),
        _row(COPY_REBUILT, "A copy of the memory was made anew", "The game goes on", "Check the storage media, then turn the operator key", NOTHING, "operator", 62),
        _row(PROGRAM_CHANGED, "The program has changed", "The game goes on", "Check the version, then turn the operator key", NOTHING, "operator", 63),
        _row("P1", "Printer paper low", "The game goes on", "Put in a new roll soon", NOTHING, "self", 70),
        _row("P2", "Printer has no paper", "The game goes on", "Put in a new roll", NOTHING, "self", 71),
        _row("P3", "Printer is open", "The game goes on", "Close the printer", NOTHING, "self", 72),
        _row("P4", "Printer does not answer", "The game goes on", "Check its cable and power", NOTHING, "self", 73),
        _row("P5", "Printer failed", "The game goes on", "Clear the paper path, switch it off and on, then turn the key", NOTHING, "attendant", 74),
    )
}  # fmt: skip

TERMINAL_ALTERED: Final = ("terminal", "altered")
TERMINAL_UNCHECKED: Final = ("terminal", "unchecked")
"""Conditions of the program itself: its files are not as they were signed, or nobody has looked yet."""

DOOR_CODES: Final = {"main": "D1", "cash_box": "D2", "logic": "D3"}

DEVICE_CODES: Final[dict[tuple[str, str], str]] = {
    TERMINAL_ALTERED: PROGRAM_ALTERED,
    TERMINAL_UNCHECKED: PROGRAM_ALTERED,
    ("notes", "jam"): "B1",
    ("notes", "stacker_full"): "B2",
    ("notes", "cash_box_removed"): "B3",
    ("notes", "fraud"): "B5",
    ("notes", "string"): "B10",
    ("notes", "unknown_money"): NOTE_UNCERTAIN,
    ("notes", "lost_events"): NOTE_UNCERTAIN,
    ("notes", "lost"): "B6",
    ("coins", "jam"): "C1",
    ("coins", "string"): "C2",
    ("coins", "fraud"): "C7",
    ("coins", "lost_events"): COIN_UNCERTAIN,
    ("coins", "unknown_money"): COIN_UNCERTAIN,
    ("coins", "lost"): "C4",
    ("hopper", "empty"): "H1",
    ("hopper", "jam"): "H2",
    ("hopper", "fraud"): "H8",
    ("hopper", "runaway"): RUNAWAY,
    ("hopper", "unknown_money"): HOPPER_UNCERTAIN,
    ("hopper", "lost"): "H5",
    ("printer", "paper_low"): "P1",
    ("printer", "paper_out"): "P2",
    ("printer", "cover_open"): "P3",
    ("printer", "offline"): "P4",
    ("printer", "lost"): "P4",
}
_OTHER_DEVICE_FAULT: Final = {"notes": "B7", "coins": "C5", "hopper": "H6", "printer": "P5", "panel": "D5"}


def code_for(device: str, condition: str) -> str | None:
    """Return the table's code for a device's condition; None for a device that has no rows."""
    return DEVICE_CODES.get((device, condition), _OTHER_DEVICE_FAULT.get(device))


def may_clear(level: str, row: FaultRow) -> bool:
    """Tell whether somebody of a level may clear a fault of this row, once its condition has ended."""
    return row.clears in LEVELS[: LEVELS.index(level) + 1]


def is_up(state: State, code: str, device: str) -> bool:
    """Tell whether a fault of a device is recorded as up."""
    return any((fault.code, fault.device) == (code, device) for fault in state.recorded.faults)
