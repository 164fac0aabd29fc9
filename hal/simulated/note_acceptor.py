"""The simulated note acceptor: as strict as a good real one.

It takes a note only when enabled, pulls it in (300 ms), holds it in escrow until told what to do or until its own time
is up, pushes it into the cash box (400 ms) and repeats ``NoteStacked`` until that is confirmed; before that it takes no
other note. Its memory survives the program and the power. It forgets escrow ids when the program goes, as a driver does.
"""

from collections.abc import Iterable

from hal.events import DeviceFault, DeviceInfo, NoteEscrowed, NoteRejected, NoteReport, NoteReturned, NoteStacked
from hal.simulated.ground import REPEAT_MS, Ground, ImpossibleAction, SimulatedDevice
from hal.simulated.state import NotePhase, NoteState, StackedNote

TRANSPORT_MS = 300
STACKING_MS = 400
POINT_OF_NO_RETURN_MS = 200
"""A note that has moved towards the cash box for so long ends there whatever happens."""

_MOVES: dict[str, int] = {
    "accepting": TRANSPORT_MS,
    "stacking": STACKING_MS,
    "returning": TRANSPORT_MS,
    "rejecting": TRANSPORT_MS,
}


class SimulatedNoteAcceptor(SimulatedDevice):
    """See ``hal.interfaces.NoteAcceptor``."""

    def __init__(
        self,
        ground: Ground,
        state: NoteState,
        denominations_minor: tuple[int, ...],
        escrow_timeout_ms: int,
        box_capacity_count: int,
    ) -> None:
        super().__init__("notes", ground)
        self._state = state
        self._denominations = denominations_minor
        self._escrow_timeout_ms = escrow_timeout_ms
        self._capacity = box_capacity_count
        self._enabled: frozenset[int] = frozenset()
        self._escrow_id: str | None = None

    # --- the program's side --------------------------------------------------------------------------------------

    def enable(self, values_minor: Iterable[int]) -> None:
        """Take these denominations and return all others."""
        wanted = frozenset(values_minor)
        with self._ground.acting():
            if self._linked():
                self._enabled = wanted & frozenset(self._denominations)

    def disable(self) -> None:
        """Take no more notes."""
        with self._ground.acting():
            self._enabled = frozenset()

    def stack(self, escrow_id: str) -> None:
        """Move the escrowed note to the cash box; a full or missing cash box gives it back."""
        with self._ground.acting():
            if self._decidable(escrow_id):
                self._move("stacking" if self._box_takes() else "returning")

    def return_note(self, escrow_id: str) -> None:
        """Give the escrowed note back."""
        with self._ground.acting():
            if self._decidable(escrow_id):
                self._move("returning")

    def confirm(self, key: str) -> None:
        """Stop repeating this ``NoteStacked``."""
        with self._ground.acting():
            if self._linked() and any(note.key == key for note in self._state.unconfirmed):
                self._state.unconfirmed = [note for note in self._state.unconfirmed if note.key != key]
                self._ground.changed()

    # --- the world's side ----------------------------------------------------------------------------------------

    def insert(self, denomination_minor: int, damaged: bool) -> None:
        """Push a note into the mouth. What the acceptor does not pull in stays there to be taken back."""
        state = self._state
        if not self._ground.powered or state.jammed or state.phase != "idle" or state.unconfirmed:
            state.mouth.append(denomination_minor)
            self._ground.changed()
        elif not self._enabled:
            state.mouth.append(denomination_minor)
            self._ground.changed()
            self._emit(NoteRejected(self._name, self._ground.now_ms, "inhibited"))
        else:
            state.note_minor = denomination_minor
            state.reject_reason = self._reason_to_reject(denomination_minor, damaged)
            self._move("accepting")

    def jam(self) -> None:
        """A note, or a piece of one, blocks the way; a note inside stays where it is."""
        if self._state.jammed:
            raise ImpossibleAction("notes is jammed already")
        self._state.jammed = True
        self._ground.changed()
        self._fault("jam", True)

    def clear_jam(self) -> None:
        """Free the way: a note that had passed the point of no return is stacked, one before it is given back."""
        if not self._state.jammed:
            raise ImpossibleAction("notes is not jammed")
        self._state.jammed = False
        self._ground.changed()
        self._fault("jam", False)
        self._recover(None)

    def remove_box(self) -> dict[int, int]:
        """Take the cash box out; returns the notes in it, denomination -> count."""
        if not self._state.box_fitted:
            raise ImpossibleAction("the cash box is out already")
        notes, self._state.box = self._state.box, {}
        self._state.box_fitted = False
        self._ground.changed()
        self._fault("cash_box_removed", True)
        if self._state.box_full:
            self._state.box_full = False
            self._fault("stacker_full", False)
        if self._state.phase == "stacking":
            self._move("returning")
        return notes

    def insert_box(self) -> None:
        """Put an empty cash box in."""
        if self._state.box_fitted:
            raise ImpossibleAction("the cash box is in already")
        self._state.box_fitted = True
        self._ground.changed()
        self._fault("cash_box_removed", False)

    def fill_box(self) -> None:
        """Make the cash box full without adding notes to the count: crumpled ones take more room."""
        if not self._state.box_full:
            self._state.box_full = True
            self._ground.changed()
            self._fault("stacker_full", True)

    def take_mouth(self) -> tuple[int, ...]:
        """The player takes the notes that were given back, oldest first."""
        notes = tuple(self._state.mouth)
        if notes:
            self._state.mouth = []
            self._ground.changed()
        return notes

    def power_off(self, note: str | None = None) -> None:
        """Motors stop. Where a moving note ends is decided by how far it got, or by ``note``: see ``World.cut_power``."""
        super().power_off()
        if not self._state.jammed:
            self._recover(note)

    def power_on(self) -> None:
        """The self-test finishes what the power cut interrupted."""
        self._state.since_ms = self._ground.now_ms
        self._ground.changed()

    @property
    def state_word(self) -> str:
        """What a person sees: ``disabled``, ``ready``, ``accepting``, ``escrow``, ``stacking``, ``returning``, ``jammed``."""
        state = self._state
        if state.jammed:
            return "jammed"
        if not self._ground.powered:
            return "disabled"
        if state.phase != "idle":
            return "returning" if state.phase == "rejecting" else state.phase
        if state.unconfirmed:
            return "stacking"
        return "ready" if self._enabled and self._box_takes() else "disabled"

    def next_due_ms(self) -> int | None:
        """Return when the note in it moves on, when an event is repeated, or None."""
        due = [due_ms] if (due_ms := super().next_due_ms()) is not None else []
        state = self._state
        if self._ground.powered:
            if state.phase != "idle" and not state.jammed:
                due.append(state.since_ms + _MOVES.get(state.phase, self._escrow_timeout_ms))
            if state.unconfirmed and self._linked():
                due.append(state.repeat_ms)
        return min(due, default=None)

    def step(self) -> None:
        """Move the note on, give up an escrow, repeat an event."""
        super().step()
        state, now_ms = self._state, self._ground.now_ms
        moving = state.phase != "idle" and not state.jammed
        if moving and now_ms >= state.since_ms + _MOVES.get(state.phase, self._escrow_timeout_ms):
            self._arrive()
        if state.unconfirmed and self._linked() and now_ms >= state.repeat_ms:
            self._report_stacked(None)

    # --- inside ---------------------------------------------------------------------------------------------------

    def _decidable(self, escrow_id: str) -> bool:
        return (
            self._linked()
            and self._state.phase == "escrow"
            and not self._state.jammed
            and self._escrow_id is not None
            and escrow_id == self._escrow_id
        )

    def _reason_to_reject(self, denomination_minor: int, damaged: bool) -> str:
        if damaged:
            return "damaged"
        if denomination_minor not in self._denominations:
            return "unknown"
        return "" if denomination_minor in self._enabled and self._box_takes() else "inhibited"

    def _box_takes(self) -> bool:
        return self._state.box_fitted and not self._state.box_full

    def _move(self, phase: NotePhase) -> None:
        self._state.phase = phase
        self._state.since_ms = self._ground.now_ms
        self._ground.changed()

    def _arrive(self) -> None:
        """The movement is over, or the escrow's time is up."""
        state = self._state
        if state.phase == "escrow":
            self._move("returning")
        elif state.phase == "accepting" and state.reject_reason:
            self._emit(NoteRejected(self._name, self._ground.now_ms, state.reject_reason))
            self._move("rejecting")
        elif state.phase == "accepting" and not self._box_takes():
            self._emit(NoteRejected(self._name, self._ground.now_ms, "inhibited"))
            self._move("rejecting")
        elif state.phase == "accepting":
            self._move("escrow")
            self._report_escrow()
        elif state.phase == "stacking":
            self._put_in_box()
        else:
            self._give_back()
        self._announce()

    def _put_in_box(self) -> None:
        state = self._state
        state.event_count += 1
        state.stacked_count += 1
        state.box[state.note_minor] = state.box.get(state.note_minor, 0) + 1
        state.unconfirmed.append(StackedNote(f"{state.serial}:{state.epoch}:{state.event_count}", state.note_minor))
        self._move("idle")
        self._report_stacked(self._escrow_id)
        self._escrow_id = None
        if not state.box_full and sum(state.box.values()) >= self._capacity:
            state.box_full = True
            self._fault("stacker_full", True)

    def _give_back(self) -> None:
        state = self._state
        returned = state.phase == "returning"
        state.mouth.append(state.note_minor)
        self._move("idle")
        if returned and self._linked():
            self._emit(NoteReturned(self._name, self._ground.now_ms, self._escrow_id, state.note_minor))
        elif returned:
            state.returned_unreported_minor = state.note_minor
        self._escrow_id = None

    def _recover(self, note: str | None) -> None:
        """Decide where a note ends whose movement was interrupted."""
        state = self._state
        if state.phase == "idle":
            return
        self._escrow_id = None
        moved_ms = self._ground.now_ms - state.since_ms
        stacks = state.phase == "stacking" and state.box_fitted and moved_ms >= POINT_OF_NO_RETURN_MS
        if note in ("stacked", "lost"):
            stacks = state.box_fitted and state.phase in ("escrow", "stacking")
        elif note == "returned":
            stacks = False
        if stacks and note == "lost":
            state.uncertain = True  # and not counted: the counter would tell
            state.box[state.note_minor] = state.box.get(state.note_minor, 0) + 1
            self._move("idle")
        elif stacks:
            self._move("stacking")
        else:
            self._move("rejecting" if state.phase in ("accepting", "rejecting") else "returning")

    def _report_escrow(self) -> None:
        if self._linked():
            state = self._state
            state.escrow_count += 1
            self._escrow_id = f"{state.serial}:{state.epoch}:e{state.escrow_count}"
            self._ground.changed()
            self._emit(NoteEscrowed(self._name, self._ground.now_ms, self._escrow_id, state.note_minor))

    def _report_stacked(self, escrow_id: str | None) -> None:
        now_ms = self._ground.now_ms
        self._state.repeat_ms = now_ms + REPEAT_MS
        for note in self._state.unconfirmed:
            self._emit(NoteStacked(self._name, now_ms, note.key, note.denomination_minor, escrow_id))

    def _fault(self, code: str, is_up: bool) -> None:
        self._emit(DeviceFault(self._name, self._ground.now_ms, code, is_up=is_up))

    def _at_rest(self) -> bool:
        return self._state.jammed or self._state.phase in ("idle", "escrow")

    def _on_start(self, last_event: int) -> None:
        if last_event > self._state.event_count:  # a new world under an old journal: its keys must not come again
            self._state.event_count = last_event
            self._ground.changed()

    def _on_silence(self) -> None:
        self._enabled = frozenset()
        self._escrow_id = None

    def _after_ready(self) -> None:
        state = self._state
        if state.uncertain:
            state.uncertain = False
            self._ground.changed()
        if state.returned_unreported_minor is not None:
            self._emit(NoteReturned(self._name, self._ground.now_ms, None, state.returned_unreported_minor))
            state.returned_unreported_minor = None
            self._ground.changed()
        for code, is_up in (
            ("jam", state.jammed),
            ("cash_box_removed", not state.box_fitted),
            ("stacker_full", state.box_full),
        ):
            if is_up:
                self._fault(code, True)
        self._report_stacked(None)
        if state.phase == "escrow":
            self._report_escrow()

    def _info(self) -> DeviceInfo:
        return DeviceInfo("Croupier", "simulated note acceptor", self._state.serial, "1", self._denominations)

    def _report(self) -> NoteReport:
        state = self._state
        return NoteReport(
            stacked_count=state.stacked_count,
            unconfirmed=tuple(note.key for note in state.unconfirmed),
            in_escrow_minor=state.note_minor if state.phase == "escrow" else None,
            uncertain=state.uncertain,
        )
