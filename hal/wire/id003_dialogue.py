"""Asking an ID-003 unit: one frame in flight, its answer or its absence, identification and settings.

Nothing is repeated blindly: what was asked without an answer is given up, and the state that the unit shows next decides.
Not responsible for what the states mean (``hal.wire.id003_host``) or for frames (``hal.wire.id003``).
"""

from abc import abstractmethod

from hal.errors import RemoteProtocolError
from hal.wire import id003
from hal.wire import id003_messages as message
from hal.wire.id003 import Frame
from hal.wire.id003_messages import State, Status
from hal.wire.note_book import NoteState
from hal.wire.note_session import NoteSession

POLL_MS = 150
REPLY_MS = 300
GAP_MS = 20
"""Silence between an answer, or our ACK, and the next frame."""
LOST_AFTER_MISSES = 5
UNREACHABLE_POLL_MS, UNUSABLE_POLL_MS = 500, 5_000
STEP_TRIES = 3

_IDENTIFICATION = (
    message.VERSION,
    message.CURRENCY,
    message.INHIBIT,
    message.NORMAL_SECURITY,
    message.POLLED,
    message.ANY_DIRECTION,
    message.POWER_RECOVERY,
)
_MAY_BE_SET = frozenset((State.INITIALIZE, State.FAILURE, *message.AT_REST, *message.FAULTS))


class Id003Dialogue(NoteSession):
    """The host's side of the line to one unit, without the meaning of its states."""

    def __init__(self, device: str, currency: str, minor_per_unit: int) -> None:
        super().__init__(device, currency, minor_per_unit)
        self._decoder = id003.Decoder()
        self._asked: Frame | None = None
        self._misses = 0
        self._garbage = ""
        self._understood()
        self._steps: list[Frame] = []
        self._step_tries = 0
        self._is_identified = False
        self._firmware = ""
        self._amounts: dict[int, int | None] = {}
        self._applied: frozenset[int] | None = None
        self._is_inhibited: bool | None = None
        self._state: State | None = None
        """What the unit showed last; None while that is not known."""
        self._poll_at_ms = 0

    # --- for the host to write -------------------------------------------------------------------------------------

    @abstractmethod
    def _on_status(self, status: Status, now_ms: int) -> None:
        """The unit has shown its state."""

    @abstractmethod
    def _on_operation(self, asked: Frame, is_taken: bool) -> None:
        """The unit has answered an order."""

    @abstractmethod
    def _operation(self, now_ms: int) -> Frame | None:
        """Return the order that the note or the unit needs in the state that it showed last."""

    @abstractmethod
    def _must_acknowledge(self, now_ms: int) -> bool:
        """Whether VEND VALID may be acknowledged now."""

    # --- asking ----------------------------------------------------------------------------------------------------

    def _connect(self, now_ms: int) -> None:
        self._begin_anew()
        self._misses = 0
        self._ask(message.STATUS, now_ms)

    def _begin_anew(self) -> None:
        self._asked = None
        self._steps = []
        self._is_identified = False
        self._state = None
        self._applied = self._is_inhibited = None
        self._book.refuse_escrow()

    def _identify(self) -> None:
        """Ask who it is and set it up, unless that is done or under way."""
        if not self._is_identified and not self._steps:
            self._steps = list(_IDENTIFICATION)

    def _ask(self, frame: Frame, now_ms: int) -> None:
        self._decoder.reset()
        self._asked = frame
        self._send(id003.encode(frame))
        self._deadline_ms = now_ms + REPLY_MS

    def _on_timeout(self, now_ms: int) -> None:
        if self._asked is not None:
            self._missed(now_ms)
        else:
            self._next(now_ms)

    def _on_line_error(self, now_ms: int) -> None:
        self._decoder.reset()

    def _on_order(self, now_ms: int) -> None:
        if self._is_stopping and not self._is_identified:
            self._stopped()  # it was never let loose
        elif self._asked is None:
            self._next(now_ms)

    def _missed(self, now_ms: int) -> None:
        """What was asked has no usable answer."""
        asked, self._asked = self._asked, None
        self._misses += 1
        if asked is not None and self._steps and asked == self._steps[0]:
            self._step_failed(now_ms)
        elif asked is not None and asked.code >= message.Command.SET_DENOMINATIONS:
            self._applied = self._is_inhibited = None  # whether it was taken is not known
        if self._is_stopping and self._misses >= STEP_TRIES:
            self._stopped()
            return
        if self._misses >= LOST_AFTER_MISSES:
            if self._garbage:
                self._lost(self._garbage, now_ms)
            else:
                self._unanswered(now_ms)
            self._begin_anew()
            self._poll_at_ms = now_ms + UNREACHABLE_POLL_MS
        self._deadline_ms = max(self._poll_at_ms, now_ms + GAP_MS)

    def _next(self, now_ms: int) -> None:
        """The line is free: send what is most urgent, or say when to look again."""
        if self._must_acknowledge(now_ms) and not self._is_stopping:
            self._send(id003.encode(message.ACK))  # it has no answer
            self._state = None
            self._poll_at_ms = self._deadline_ms = now_ms + GAP_MS
            return
        frame = self._operation(now_ms) or self._setting()
        if frame is not None or now_ms >= self._poll_at_ms:
            self._ask(frame or message.STATUS, now_ms)
        else:
            self._deadline_ms = self._poll_at_ms
        if frame is None and self._is_stopping:
            self._asked = None
            self._stopped()

    def _setting(self) -> Frame | None:
        """Return what is to be asked or set next, or None. A unit with a moving note is left alone."""
        if self._steps:
            return self._steps[0]
        if not self._is_identified or not (self._state in _MAY_BE_SET or self._is_stopping):
            return None
        wanted = self._wanted()
        if not wanted:
            return None if self._is_inhibited else message.INHIBIT
        if self._applied != wanted:
            return message.denominations(wanted)
        return None if self._is_inhibited is False else message.ACCEPT

    def _wanted(self) -> frozenset[int]:
        """Return the escrow codes of the notes that the terminal takes."""
        return frozenset(code for code, amount in self._amounts.items() if amount in self._book.enabled)

    # --- answers ---------------------------------------------------------------------------------------------------

    def _on_bytes(self, data: bytes, now_ms: int) -> None:
        self._decoder.feed(data)
        try:
            while (frame := self._decoder.next_frame()) is not None:
                # An answer to nothing comes late or twice and would be taken for another's answer.
                if self._asked is not None and frame != message.ENQUIRY:
                    self._on_frame(self._asked, frame, now_ms)
        except RemoteProtocolError as error:
            self._garbage = str(error)
            if self._asked is not None:
                self._missed(now_ms)
            elif self._steps:
                self._unusable(str(error), now_ms)  # it was answered, but with nonsense

    def _on_frame(self, asked: Frame, frame: Frame, now_ms: int) -> None:
        if asked == message.STATUS:
            status = message.parse_status(frame)
            self._answered(now_ms)
            self._poll_at_ms = now_ms + POLL_MS
            self._on_status(status, now_ms)
        elif frame.code == message.INVALID_COMMAND or frame.code == self._answer_code(asked):
            self._answered(now_ms)
            if asked.code >= message.Command.SET_DENOMINATIONS:
                self._on_setting(asked, frame == asked, now_ms)
            elif asked.code >= message.Command.VERSION:
                self._on_identity(asked, frame, now_ms)
            else:
                self._poll_at_ms = now_ms  # look at once what the unit does
                self._on_operation(asked, frame.code == message.TAKEN)

    @staticmethod
    def _answer_code(asked: Frame) -> int:
        return asked.code if asked.code >= message.Command.VERSION else message.TAKEN

    def _answered(self, now_ms: int) -> None:
        self._asked = None
        self._misses = 0
        self._garbage = ""
        self._understood()
        self._deadline_ms = now_ms + GAP_MS

    def _on_identity(self, asked: Frame, frame: Frame, now_ms: int) -> None:
        is_taken = frame.code == asked.code
        if asked == message.VERSION:
            if is_taken and not frame.data:
                self._unusable("the line echoes our own bytes; check the adapter", now_ms)
                return
            self._firmware = frame.data.decode("ascii", "replace").strip() if is_taken else ""
        elif is_taken:
            rows = message.parse_currency(frame.data)
            self._amounts = {row.code: self._minor(row.value, row.currency) for row in rows}
        else:
            self._unusable("the unit does not tell its denominations; it needs a firmware that does", now_ms)
            return
        self._step_done()

    def _on_setting(self, asked: Frame, is_taken: bool, now_ms: int) -> None:
        if self._steps:
            # A unit need not know every setting, but it must be possible to keep notes out of it.
            if is_taken or asked != message.INHIBIT or self._state is State.VEND_VALID:
                self._step_done()
            else:
                self._step_failed(now_ms)
        elif not is_taken:
            self._applied = self._is_inhibited = None
            self._deadline_ms = now_ms + POLL_MS
        elif asked.code == message.Command.SET_DENOMINATIONS:
            self._applied = message.taken_by(asked) & self._amounts.keys()
        else:
            self._is_inhibited = asked == message.INHIBIT

    def _step_done(self) -> None:
        self._steps.pop(0)
        self._step_tries = 0
        self._is_identified = not self._steps

    def _step_failed(self, now_ms: int) -> None:
        self._step_tries += 1
        if self._step_tries >= STEP_TRIES:
            self._step_tries = 0
            self._unusable(f"the unit does not take command {self._steps[0].code:02X}", now_ms)

    def _unusable(self, reason: str, now_ms: int) -> None:
        """What answers can't be worked with: look again after a while."""
        self._lost(reason, now_ms)
        self._begin_anew()
        self._poll_at_ms = self._deadline_ms = now_ms + UNUSABLE_POLL_MS

    def _is_note_free(self) -> bool:
        """Whether no note is on its way, as far as the host knows."""
        return self._book.state in (None, NoteState.STACKED, NoteState.CREDITED)
