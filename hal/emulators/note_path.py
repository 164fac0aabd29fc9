"""The inside of an emulated note acceptor: where its note is, how long a movement takes, and where each note ended.

Only mechanics. What is told to the host, and when, is each emulator's own affair.
"""

from typing import Literal

READ_MS = 500
STACK_MS = 400
LEVER_MS = 200
"""A note that has moved towards the cash box for so long can't come back."""
RETURN_MS = 300

Place = Literal["none", "reading", "escrow", "stacking", "returning"]


class NotePath:
    """One note at a time, or none. Amounts are minor units."""

    def __init__(self) -> None:
        self.place: Place = "none"
        self.note_minor = 0
        self.is_damaged = False
        self.past_lever = False
        self.cash_box: list[int] = []
        """What lies in the cash box or can only fall into it, oldest first."""
        self.mouth: list[int] = []
        """What was given back or never taken, oldest first."""
        self.is_jammed = False
        self.box_fitted = True
        self.box_full = False
        self._since_ms = 0

    @property
    def box_takes(self) -> bool:
        """Whether a note can be stacked."""
        return self.box_fitted and not self.box_full

    def due_ms(self) -> int | None:
        """Return when ``step`` has something to do, or None."""
        if self.is_jammed:
            return None
        match self.place:
            case "reading":
                return self._since_ms + READ_MS
            case "stacking":
                return self._since_ms + (STACK_MS if self.past_lever else LEVER_MS)
            case "returning":
                return self._since_ms + RETURN_MS
        return None

    def insert(self, note_minor: int, is_damaged: bool, now_ms: int) -> None:
        """The transport pulls a note in."""
        self.note_minor, self.is_damaged = note_minor, is_damaged
        self._move("reading", now_ms)

    def hold(self, now_ms: int) -> None:
        """The note stops in escrow."""
        self._move("escrow", now_ms)

    def stack(self, now_ms: int) -> None:
        """The note sets out for the cash box."""
        self._move("stacking", now_ms)

    def give_back(self, now_ms: int) -> None:
        """The note sets out for the mouth."""
        self._move("returning", now_ms)

    def step(self, now_ms: int) -> str:
        """Move on if it is time. Returns what happened: ``read``, ``lever``, ``stacked``, ``returned`` or nothing."""
        due_ms = self.due_ms()
        if due_ms is None or now_ms < due_ms:
            return ""
        if self.place == "reading":
            return "read"
        if self.place == "stacking" and not self.past_lever:
            self.past_lever = True
            self.cash_box.append(self.note_minor)
            return "lever"
        if self.place == "stacking":
            self._move("none", now_ms)
            return "stacked"
        self.mouth.append(self.note_minor)
        self._move("none", now_ms)
        return "returned"

    def recover(self, now_ms: int) -> str:
        """After a power cut: finish what was begun. Returns ``stacked``, ``returned`` or nothing."""
        if self.place == "none":
            return ""
        is_stacked = self.place == "stacking" and self.past_lever
        if not is_stacked:
            self.mouth.append(self.note_minor)
        self._move("none", now_ms)
        return "stacked" if is_stacked else "returned"

    def _move(self, place: Place, now_ms: int) -> None:
        self.place = place
        self.past_lever = False
        self._since_ms = now_ms
