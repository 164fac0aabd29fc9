"""What a host knows of the note in its acceptor: from escrow to the confirmed credit, the same for every protocol.

Devices without an event counter of their own get their keys from here. A number is given to a note when it comes to
escrow and is kept for its credit, so a device that reports its last note again after a restart of the program names the
same key, provided that ``start`` was told the highest number among credited keys and committed stack orders.
Not responsible for bytes, timers, or for what a protocol does to move a note.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto

from hal.events import (
    DeviceEvent,
    FormerNote,
    NoteEscrowed,
    NoteRejected,
    NoteReport,
    NoteReturned,
    NoteStacked,
)


class NoteState(Enum):
    """Where a note is."""

    ESCROWED = auto()
    """It waits for the terminal's decision."""
    STACKING = auto()
    """The terminal ordered it into the cash box."""
    RETURNING = auto()
    """It is to leave by the mouth."""
    STACKED = auto()
    """The device says it is in the cash box; the terminal has not confirmed the credit."""
    CREDITED = auto()
    """The credit is confirmed; the device may still be busy with the note."""


@dataclass(slots=True)
class _Note:
    number: int
    denomination_minor: int
    state: NoteState
    escrow_id: str | None
    is_refused: bool = False


class NoteBook:
    """Keeps one note's passage and emits the note events. ``name`` is the device's name in events.

    ``incident`` takes fault code, time and detail of what nobody can decide about.
    """

    def __init__(
        self, name: str, emit: Callable[[DeviceEvent], None], incident: Callable[[str, int, str], None]
    ) -> None:
        self._name = name
        self._emit = emit
        self._incident = incident
        self._serial = ""
        self._last_number = 0
        self._enabled: frozenset[int] = frozenset()
        self._note: _Note | None = None
        self._unresolved: _Note | None = None
        self._is_fresh = True
        self._is_doubtful = False

    def start(self, last_event: int) -> None:
        """Number notes after ``last_event``."""
        self._last_number = last_event

    def identify(self, serial: str) -> None:
        """Use this serial number in keys from now on."""
        self._serial = serial or "unknown"

    # --- the terminal's orders -----------------------------------------------------------------------------------

    def enable(self, denominations_minor: Iterable[int]) -> None:
        """Take these denominations; all others are returned from escrow. An empty one takes nothing."""
        self._enabled = frozenset(denominations_minor)

    @property
    def enabled(self) -> frozenset[int]:
        """The denominations that the terminal takes now."""
        return self._enabled

    def order_stack(self, escrow_id: str) -> bool:
        """Take the order to stack; tell whether it is for the note that waits in escrow."""
        return self._order(escrow_id, NoteState.STACKING)

    def order_return(self, escrow_id: str) -> bool:
        """Take the order to return; tell whether it is for the note that waits in escrow."""
        return self._order(escrow_id, NoteState.RETURNING)

    def _order(self, escrow_id: str, state: NoteState) -> bool:
        note = self._note
        if note is None or note.state is not NoteState.ESCROWED or note.escrow_id != escrow_id:
            return False  # the note has gone; the event that says so is on its way
        note.state = state
        return True

    def confirm(self, key: str) -> bool:
        """Take the confirmation of a credit; tell whether it was awaited."""
        note = self._note
        if note is None or note.state is not NoteState.STACKED or self._key(note) != key:
            return False
        note.state = NoteState.CREDITED
        return True

    # --- what the device reports ---------------------------------------------------------------------------------

    @property
    def state(self) -> NoteState | None:
        """Where the note is, or None if there is none."""
        return self._note.state if self._note else None

    def refuse_escrow(self) -> None:
        """Have the waiting note returned, because nobody can decide about it any more."""
        if self._note and self._note.state is NoteState.ESCROWED:
            self._note.state = NoteState.RETURNING

    def doubt(self) -> None:
        """A note may have moved before this program's start: the next report is uncertain unless the device says how
        that note ended."""
        self._is_doubtful = True
        if self._note and self._is_former(self._note):
            self._note = None

    def stacked_before_start(self) -> None:
        """A device that kept its power since this program's start awaits the confirmation of a note that it does not
        name. It can only be the one last ordered into the cash box; what it is worth stands in the journal."""
        if self._note is None:
            self._note = _Note(self._last_number, 0, NoteState.STACKED, None)

    def coming_back(self) -> None:
        """The device says that the note is on its way out, whatever was ordered."""
        if self._note and self._note.state in (NoteState.ESCROWED, NoteState.STACKING):
            self._note.state = NoteState.RETURNING

    def going_in(self) -> None:
        """The device says that the note is on its way to the cash box, whatever was ordered."""
        if self._note and self._note.state in (NoteState.ESCROWED, NoteState.RETURNING):
            self._note.state = NoteState.STACKING

    def escrowed(self, denomination_minor: int | None, now_ms: int) -> None:
        """A note is in escrow; None for one of no known value. Afterwards ``state`` says what to do with it."""
        if self._note and self._note.state is not NoteState.CREDITED:
            return
        if denomination_minor is None or denomination_minor not in self._enabled:
            self._note = _Note(0, denomination_minor or 0, NoteState.RETURNING, None, is_refused=True)
            return
        self._is_fresh = False
        number = self._next_number()
        escrow_id = self._escrow_id(number)
        self._note = _Note(number, denomination_minor, NoteState.ESCROWED, escrow_id)
        self._emit(NoteEscrowed(self._name, now_ms, escrow_id, denomination_minor))

    def stacked(self, denomination_minor: int | None, now_ms: int) -> None:
        """The device says that a note is in the cash box; None if it does not say which, then escrow's value counts.

        Afterwards the device may be acknowledged unless ``state`` is STACKED, which waits for ``confirm``.
        """
        note = self._note or self._take_unresolved() or self._note_of_former_life(denomination_minor)
        if note is None:
            self.unknown_money(
                f"a note of {denomination_minor} minor units reported as stacked, none was in escrow", now_ms
            )
            return
        self._note = note
        if note.state in (NoteState.STACKED, NoteState.CREDITED):
            return
        if note.number == 0:
            note.number = self._next_number()
        was_minor = note.denomination_minor
        if denomination_minor:
            note.denomination_minor = denomination_minor
        note.state = NoteState.STACKED
        self._emit(NoteStacked(self._name, now_ms, self._key(note), note.denomination_minor, note.escrow_id))
        if was_minor != note.denomination_minor:
            self.unknown_money(
                f"{self._key(note)}: {was_minor} minor units in escrow, {note.denomination_minor} stacked", now_ms
            )

    def returned(self, now_ms: int, is_proof: bool = True) -> None:
        """The device says that the note has left by the mouth, or cannot be anywhere else.

        ``is_proof`` tells whether, just after the start of the program, that can only be the note which was last
        ordered into the cash box, because the device would still remember a credit that nobody has confirmed.
        """
        note = self._note
        self._is_doubtful = self._is_doubtful and not is_proof
        if note is None:
            return
        self._note = None
        if note.state in (NoteState.STACKED, NoteState.CREDITED):
            self.unknown_money(f"{self._key(note)}: reported as stacked first and as returned after it", now_ms)
        elif note.is_refused:
            self._emit(NoteRejected(self._name, now_ms, "inhibited" if note.denomination_minor else "unknown"))
        else:
            self._emit(NoteReturned(self._name, now_ms, note.escrow_id, note.denomination_minor))

    def at_rest(self, now_ms: int) -> None:
        """The device holds no note. One that had to leave by the mouth has; one ordered into the cash box is a question."""
        self._is_fresh = False
        note = self._note
        if note is None or note.state is NoteState.STACKED:
            return
        if note.state is NoteState.STACKING:
            self._note = None
            self._unresolved = note
            self.unknown_money(
                f"{note.escrow_id}: {note.denomination_minor} minor units were ordered into the cash box, "
                "the acceptor does not say what became of them",
                now_ms,
            )
        elif note.state is NoteState.CREDITED:
            self._note = None
        else:
            self.returned(now_ms)

    def rejected(self, reason: str, now_ms: int) -> None:
        """The device refused something by itself before it came to escrow."""
        self._emit(NoteRejected(self._name, now_ms, reason))

    def unknown_money(self, detail: str, now_ms: int) -> None:
        """Raise the fault that stands for money that nobody can decide about."""
        self._incident("unknown_money", now_ms, detail)

    def report(self) -> NoteReport:
        """What the host knows at (re)connection, when the device is at rest.

        A note that was on its way to the cash box is reported as uncertain and laid aside: if the device still names
        it, ``stacked`` gives it the key that it would have had.
        """
        note = self._note
        is_stacked, is_former = note is not None and note.state is NoteState.STACKED, self._is_former(note)
        is_uncertain = self._is_doubtful or (note is not None and note.state is NoteState.STACKING)
        self._is_doubtful = False
        if note and note.state is NoteState.STACKING:
            self._note, self._unresolved = None, note
        return NoteReport(
            unconfirmed=(self._key(note),) if note and is_stacked and not is_former else (),
            in_escrow_minor=note.denomination_minor if note and note.state is NoteState.ESCROWED else None,
            uncertain=is_uncertain,
            former=FormerNote(self._key(note), self._escrow_id(note.number)) if note and is_former else None,
        )

    def unconfirmed(self, now_ms: int) -> NoteStacked | None:
        """Return the event of a stacked note whose confirmation has not come."""
        note = self._note
        if note is None or note.state is not NoteState.STACKED or self._is_former(note):
            return None
        return NoteStacked(self._name, now_ms, self._key(note), note.denomination_minor, note.escrow_id)

    # --- inside --------------------------------------------------------------------------------------------------

    def _next_number(self) -> int:
        self._last_number += 1
        return self._last_number

    def _key(self, note: _Note) -> str:
        return f"{self._serial}:0:{note.number}"

    def _escrow_id(self, number: int) -> str:
        return f"{self._serial}:0:escrow:{number}"

    @staticmethod
    def _is_former(note: _Note | None) -> bool:
        return note is not None and note.state is NoteState.STACKED and not note.denomination_minor

    def _take_unresolved(self) -> _Note | None:
        note, self._unresolved = self._unresolved, None
        return note

    def _note_of_former_life(self, denomination_minor: int | None) -> _Note | None:
        """The program has just started and the device reports a note: it can only be the last one ordered to stack."""
        if not self._is_fresh or not denomination_minor:
            return None
        self._is_fresh = self._is_doubtful = False
        if self._last_number == 0:
            self._last_number = 1
        return _Note(self._last_number, denomination_minor, NoteState.STACKING, None)
