"""The host's side of ID-003 with a JCM bill acceptor: a session of ``hal.wire.session``.

The unit shows its state on each STATUS and shows VEND VALID until it is acknowledged, so our ACK is the promise that the
credit is committed. A program that starts and is shown VEND VALID by a unit that was not without power in between can
only see the note which its predecessor ordered into the cash box last: the unit takes no other before the ACK. Its value
is not told again; the journal's order has it, so it is reported as ``FormerNote`` and acknowledged only when that is
confirmed. After a power cut it is uncertain. RESET is sent only in the power-up states, which need it, never to recover. Not responsible for
asking and answers (``hal.wire.id003_dialogue``), ports, threads and clocks.
"""

from collections.abc import Callable
from typing import ClassVar

from hal.events import DeviceInfo
from hal.wire import id003_messages as message
from hal.wire.id003 import Frame
from hal.wire.id003_dialogue import Id003Dialogue
from hal.wire.id003_messages import State, Status
from hal.wire.note_book import NoteState
from hal.wire.session import Command, Outputs, Start

ORDER_AGAIN_MS = 1_000
"""An order that shows no effect is given again after this time."""
HOLD_MS, ESCROW_LIMIT_MS = 2_000, 60_000
"""How often a note is held, and when one about which nobody decides goes back."""
REST_POLLS = 2
"""So many polls at rest mean that an ordered note went nowhere."""
NOBODYS_NOTE_MS = 5_000
"""VEND VALID of a note that no order of ours explains is acknowledged after this time, when it has been reported."""
_CONDITIONS = ("stacker_full", "cash_box_removed", "jam", "motor", "sensor", "internal")


class Id003Host(Id003Dialogue):
    """A host for one bill acceptor. ``stack`` is STACK-2 (credit when the note is in the cash box) or STACK-1."""

    def __init__(
        self,
        device: str,
        currency: str = "",
        minor_per_unit: int = 100,
        stack: message.Command = message.Command.STACK_2,
    ) -> None:
        super().__init__(device, currency, minor_per_unit)
        self._stack = Frame(stack)
        self._is_fresh = True
        self._escrow_code = 0
        self._escrow_until_ms = 0
        self._ordered: Frame | None = None
        self._order_at_ms = 0
        self._stack_count = 0
        """How often the note was ordered into the cash box."""
        self._is_seen_returning = False
        self._rest_polls = 0
        self._lay_in_stacker = False
        self._nobodys_since_ms: int | None = None
        self._was_off = False
        """The unit was seen without power since the program's start."""

    def command(self, command: Command, now_ms: int) -> Outputs:
        """The program wants something; see ``NoteSession``."""
        if isinstance(command, Start):
            self._is_fresh, self._was_off = True, False
        return super().command(command, now_ms)

    def _begin_anew(self) -> None:
        super()._begin_anew()
        self._lay_in_stacker = False
        self._nobodys_since_ms = None

    # --- orders ----------------------------------------------------------------------------------------------------

    def _must_acknowledge(self, now_ms: int) -> bool:
        if self._state is not State.VEND_VALID:
            return False
        if self._nobodys_since_ms is not None:
            return self._is_ready and now_ms >= self._nobodys_since_ms + NOBODYS_NOTE_MS
        return self._book.state is NoteState.CREDITED

    def _operation(self, now_ms: int) -> Frame | None:
        frame: Frame | None = None
        if self._state in message.POWER_UPS:
            frame = message.RESET
        elif self._state in (State.ESCROW, State.HOLDING):
            if self._book.state is NoteState.STACKING:
                frame = self._stack
            elif self._book.state is NoteState.RETURNING:
                frame = message.RETURN
            elif self._book.state is NoteState.ESCROWED:
                frame = message.HOLD
        if frame is None or (frame == self._ordered and now_ms < self._order_at_ms):
            return None
        self._ordered = frame
        self._order_at_ms = now_ms + (HOLD_MS if frame == message.HOLD else ORDER_AGAIN_MS)
        self._stack_count += frame == self._stack
        return frame

    def _on_operation(self, asked: Frame, is_taken: bool) -> None:
        if asked == self._stack and not is_taken and self._stack_count == 1:
            self._stack_count = 0  # refused; a second one is also refused when the first, unheard, was taken

    # --- states ----------------------------------------------------------------------------------------------------

    def _on_status(self, status: Status, now_ms: int) -> None:
        before, self._state = self._state, status.state
        is_new = status.state is not before
        self._show_fault(status, is_new, now_ms)
        if status.state not in message.AT_REST:
            self._rest_polls = 0
        handler = self._HANDLERS.get(status.state)
        if handler is not None:
            handler(self, status, is_new, now_ms)
        is_at_rest = status.state in (*message.AT_REST, State.VEND_VALID)
        is_in_trouble = status.state in message.FAULTS or status.state is State.FAILURE
        if is_at_rest or is_in_trouble or status.state is State.INITIALIZE:
            self._identify()
        may_begin = is_at_rest or (is_in_trouble and self._is_note_free())
        if may_begin and self._is_identified and self._is_started and not self._is_ready:
            self._settled(now_ms)

    def _settled(self, now_ms: int) -> None:
        """All that can be known of the time before is known: the terminal may work with the unit."""
        if self._book.state is NoteState.RETURNING:
            self._book.at_rest(now_ms)
        self._is_fresh = False
        self._book.identify(self._device)
        info = DeviceInfo(
            manufacturer="JCM",
            product="ID-003 bill acceptor",
            serial=self._device,  # the protocol has none
            firmware=self._firmware,
            denominations_minor=tuple(sorted({amount for amount in self._amounts.values() if amount})),
        )
        self._become_ready(info, now_ms)

    def _on_power_up(self, status: Status, is_new: bool, now_ms: int) -> None:
        if not is_new:
            return
        if self._is_ready:
            self._lost("the unit was without power", now_ms)
        self._is_identified = False
        self._steps = []
        self._was_off = True
        self._book.refuse_escrow()
        self._lay_in_stacker = status.state is State.POWER_UP_IN_STACKER
        lies_in_acceptor = status.state is State.POWER_UP_IN_ACCEPTOR
        if lies_in_acceptor:
            self._book.coming_back()  # RESET gives it back
        if self._is_fresh and (not lies_in_acceptor or self._book.state is NoteState.STACKED):
            self._book.doubt()

    def _on_initialize(self, status: Status, is_new: bool, now_ms: int) -> None:
        self._was_off = True
        if is_new and self._is_ready:
            self._lost("the unit was reset", now_ms)
            self._is_identified = False

    def _on_escrow(self, status: Status, is_new: bool, now_ms: int) -> None:
        if self._book.state is NoteState.ESCROWED and status.detail != self._escrow_code:
            self._book.returned(now_ms)  # it went back unseen, and here is another one
        if self._book.state in (None, NoteState.CREDITED):
            self._escrow_code = status.detail
            self._escrow_until_ms = now_ms + ESCROW_LIMIT_MS
            self._stack_count = 0
            self._is_seen_returning = False
            self._ordered = None
            self._book.escrowed(self._amounts.get(status.detail), now_ms)
        self._on_holding(status, is_new, now_ms)

    def _on_holding(self, status: Status, is_new: bool, now_ms: int) -> None:
        if now_ms >= self._escrow_until_ms:
            self._book.refuse_escrow()

    def _on_vend_valid(self, status: Status, is_new: bool, now_ms: int) -> None:
        if self._nobodys_since_ms is not None or self._book.state in (NoteState.STACKED, NoteState.CREDITED):
            return
        if self._is_fresh and self._book.state is None:
            # A note of before this program's start.
            if not self._was_off:
                self._book.stacked_before_start()
                return
            # If its credit was committed, nothing is left to do; if not, the terminal knows of its order, and the report
            # tells it that we can't say more.
            self._book.doubt()
            self._nobodys_since_ms = now_ms
            return
        self._book.stacked(None, now_ms)
        if self._book.state is None:
            self._nobodys_since_ms = now_ms

    def _on_stacked(self, status: Status, is_new: bool, now_ms: int) -> None:
        if self._book.state is NoteState.STACKING:
            self._book.stacked(None, now_ms)  # VEND VALID was shown while we could not hear

    def _on_rejecting(self, status: Status, is_new: bool, now_ms: int) -> None:
        if self._book.state in (None, NoteState.CREDITED):
            if is_new:
                self._book.rejected(message.REJECTIONS.get(status.detail, "unknown"), now_ms)
        else:
            self._on_returning(status, is_new, now_ms)

    def _on_returning(self, status: Status, is_new: bool, now_ms: int) -> None:
        self._is_seen_returning = True
        self._book.coming_back()

    def _on_box_trouble(self, status: Status, is_new: bool, now_ms: int) -> None:
        if self._book.state is NoteState.RETURNING and self._is_seen_returning and self._is_ready:
            self._book.at_rest(now_ms)

    def _on_rest(self, status: Status, is_new: bool, now_ms: int) -> None:
        self._nobodys_since_ms = None
        self._rest_polls += 1
        if self._book.state is NoteState.STACKING:
            if self._lay_in_stacker:
                self._book.stacked(None, now_ms)  # it lay there when the power came back, by our order
            elif not self._stack_count:
                self._book.coming_back()  # it went back before the order left us
            elif self._rest_polls < REST_POLLS:
                return
        self._lay_in_stacker = False
        if self._is_ready:
            self._book.at_rest(now_ms)

    def _show_fault(self, status: Status, is_new: bool, now_ms: int) -> None:
        fault = message.FAULTS.get(status.state)
        if status.state is State.FAILURE:
            fault = message.failure(status.detail)
        if fault is not None and is_new:
            self._faults.up(*fault, now_ms)
        self._faults.down([code for code in _CONDITIONS if fault is None or code != fault[0]], now_ms)

    _Handler = Callable[["Id003Host", Status, bool, int], None]
    _HANDLERS: ClassVar[dict[State, _Handler]] = {
        State.IDLE: _on_rest,
        State.INHIBITED: _on_rest,
        State.ESCROW: _on_escrow,
        State.HOLDING: _on_holding,
        State.VEND_VALID: _on_vend_valid,
        State.STACKED: _on_stacked,
        State.REJECTING: _on_rejecting,
        State.RETURNING: _on_returning,
        State.STACKER_FULL: _on_box_trouble,
        State.STACKER_OPEN: _on_box_trouble,
        State.INITIALIZE: _on_initialize,
        State.POWER_UP: _on_power_up,
        State.POWER_UP_IN_ACCEPTOR: _on_power_up,
        State.POWER_UP_IN_STACKER: _on_power_up,
    }
