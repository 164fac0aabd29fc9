"""The host's side of CCNET with a bill validator: a session of ``hal.wire.session``.

The validator shows its state on each POLL and shows a stacked or returned bill until it is acknowledged, so our ACK of
STACKED is the promise that the credit is committed. A STACK order without an answer is never sent twice blindly: the next
poll decides. Some clones show STACKED once only; a bill that was seen stacking and is then gone without a word is credited
as inferred, with a fault that says so. Not responsible for frames, ports, threads and clocks.
"""

from hal.errors import RemoteProtocolError
from hal.events import DeviceInfo
from hal.wire import ccnet
from hal.wire import ccnet_messages as message
from hal.wire.ccnet_messages import State
from hal.wire.note_book import NoteState
from hal.wire.note_session import NoteSession

REPLY_MS = 1_000
POLL_MS = 150
GAP_MS = 20
"""Silence between an answer and the host's next frame (source: working hosts)."""
RESET_MS = 5_000
"""A validator may be silent for so long after RESET."""
HOLD_MS = 4_000
"""A bill in escrow is held again after so long; one HOLD lasts 10 s."""
UNCONFIRMED_POLL_MS = 500
LOST_AFTER_MISSES = 3
REST_POLLS = 3
"""So many polls at rest mean that an ordered bill went nowhere."""

_QUESTIONS = (message.POLL, message.IDENTIFICATION, message.BILL_TABLE)
_REST = frozenset((message.IDLING, message.DISABLED, message.ACCEPTING))
_TROUBLE = {
    message.CASSETTE_FULL: ("stacker_full", ""),
    message.CASSETTE_OUT: ("cash_box_removed", ""),
    message.JAM: ("jam", "validator"),
    message.CASSETTE_JAM: ("jam", "cassette"),
}
_CONDITIONS = ("stacker_full", "cash_box_removed", "jam", "motor", "sensor", "internal")


class CcnetHost(NoteSession):
    """A host for one bill validator."""

    doubts_at_start = True

    def __init__(self, device: str, currency: str = "", minor_per_unit: int = 100) -> None:
        super().__init__(device, currency, minor_per_unit)
        self._decoder = ccnet.Decoder()
        self._phase = "finding"  # finding, resetting, identifying, settling, running
        self._asked: bytes | None = None
        self._acknowledge_next = False
        self._steps: list[bytes] = []
        self._misses = 0
        self._patient_until_ms = 0
        self._poll_at_ms = 0
        self._info = DeviceInfo()
        self._amounts: tuple[int | None, ...] = ()
        self._applied: frozenset[int] | None = None
        self._configure_at_ms = 0
        self._is_order_sent = False
        self._hold_at_ms = 0
        self._last = State(0)
        self._early: State | None = None
        self._was_stacking = False
        self._stacked_type: int | None = None
        self._rest_polls = 0

    # --- asking ----------------------------------------------------------------------------------------------------

    def _connect(self, now_ms: int) -> None:
        self._phase = "finding"
        self._steps = []
        self._applied = None
        self._acknowledge_next = self._is_order_sent = self._was_stacking = False
        self._early = None
        self._last = State(0)
        self._rest_polls = self._misses = 0
        self._book.refuse_escrow()
        self._ask(message.POLL, now_ms)

    def _ask(self, command: bytes, now_ms: int) -> None:
        self._decoder.reset()
        self._asked = command
        self._send(ccnet.encode(command))
        self._deadline_ms = now_ms + REPLY_MS
        if command == message.RESET:
            self._patient_until_ms = now_ms + RESET_MS

    def _on_timeout(self, now_ms: int) -> None:
        if self._asked is None:
            if self._acknowledge_next:
                self._acknowledge_next = False
                self._send(ccnet.encode(message.ACK))
                self._deadline_ms = now_ms + GAP_MS
            else:
                self._next(now_ms)
            return
        self._misses += 1
        if self._asked not in (message.POLL, message.STACK, message.RETURN, message.HOLD):
            self._steps.insert(0, self._asked)
        self._asked = None
        if self._misses >= LOST_AFTER_MISSES and now_ms >= self._patient_until_ms:
            self._unanswered(now_ms)
            if self._is_stopping:
                self._stopped()
            else:
                self._connect(now_ms)
            return
        self._poll_at_ms = now_ms
        self._next(now_ms)

    def _on_order(self, now_ms: int) -> None:
        if self._is_stopping and self._phase in ("finding", "resetting", "identifying"):
            self._stopped()
        elif self._asked is None and not self._acknowledge_next:
            if self._book.state is NoteState.CREDITED and self._last.code == message.STACKED:
                self._stacked_type = self._last.argument
                self._last = State(0)
                self._acknowledge_next = True  # the credit is committed: now the validator may forget the bill
            self._deadline_ms = now_ms + GAP_MS

    def _next(self, now_ms: int) -> None:
        """The line is free: send what is most urgent, or say when to look again."""
        command = self._steps.pop(0) if self._steps else self._choose(now_ms)
        if command is not None:
            self._ask(command, now_ms)

    def _choose(self, now_ms: int) -> bytes | None:
        if self._phase == "identifying":
            self._phase = "settling"
        state = self._book.state
        if self._phase in ("settling", "running"):
            if state is NoteState.STACKED and self._is_stopping:
                self._stopped()
                return None
            if state in (NoteState.STACKING, NoteState.RETURNING) and self._last.code in (
                message.ESCROW,
                message.HOLDING,
            ):
                if not self._is_order_sent:
                    self._is_order_sent = True
                    return message.STACK if state is NoteState.STACKING else message.RETURN
            elif state is NoteState.ESCROWED and now_ms >= self._hold_at_ms:
                self._hold_at_ms = now_ms + HOLD_MS
                return message.HOLD
            elif state in (None, NoteState.CREDITED):
                command = self._configure(now_ms)
                if command is not None:
                    return command
                if self._is_stopping:
                    self._stopped()
                    return None
        self._deadline_ms = self._poll_at_ms
        return message.POLL if now_ms >= self._poll_at_ms else None

    def _configure(self, now_ms: int) -> bytes | None:
        wanted = frozenset(i for i, amount in enumerate(self._amounts) if amount in self._book.enabled)
        if self._applied == wanted or now_ms < self._configure_at_ms:
            return None
        self._applied = wanted
        return message.enable_command(wanted)

    # --- answers ---------------------------------------------------------------------------------------------------

    def _on_line_error(self, now_ms: int) -> None:
        self._decoder.reset()

    def _on_bytes(self, data: bytes, now_ms: int) -> None:
        self._decoder.feed(data)
        while True:
            try:
                answer = self._decoder.next_frame()
                if answer is None:
                    return
                self._understood()
                if self._asked is not None:  # else it came late or twice
                    self._on_answer(self._asked, answer, now_ms)
            except RemoteProtocolError as error:
                self._on_broken(error, now_ms)

    def _on_broken(self, error: RemoteProtocolError, now_ms: int) -> None:
        """Ask for the same answer once more."""
        if self._asked not in _QUESTIONS:
            return  # a damaged ACK: the time-out and then the next poll decide
        self._misses += 1
        if self._misses > LOST_AFTER_MISSES:
            self._lost(str(error), now_ms)
        self._send(ccnet.encode(message.NAK))
        self._deadline_ms = now_ms + REPLY_MS

    def _on_answer(self, asked: bytes, answer: bytes, now_ms: int) -> None:
        if asked == message.POLL:
            state = message.parse_state(answer)
            self._answered(now_ms, acknowledge=True)
            self._poll_at_ms = now_ms + POLL_MS
            self._on_state(state, now_ms)
        elif asked == message.IDENTIFICATION:
            who = message.parse_identification(answer)
            self._answered(now_ms, acknowledge=True)
            self._info = DeviceInfo("CashCode", who.part_number, who.serial, "", self._info.denominations_minor)
            self._book.identify(who.serial)
        elif asked == message.BILL_TABLE:
            bills = message.parse_bill_table(answer)
            self._answered(now_ms, acknowledge=True)
            self._amounts = tuple(self._minor(bill.value, bill.country) for bill in bills)
            known = tuple(sorted({amount for amount in self._amounts if amount}))
            self._info = DeviceInfo(self._info.manufacturer, self._info.product, self._info.serial, "", known)
        elif answer in (message.ACK, message.NAK, message.ILLEGAL):
            self._answered(now_ms, acknowledge=False)
            self._on_verdict(asked, answer, now_ms)

    def _answered(self, now_ms: int, *, acknowledge: bool) -> None:
        self._asked = None
        self._misses = 0
        self._acknowledge_next = acknowledge
        self._deadline_ms = now_ms + GAP_MS

    def _on_verdict(self, asked: bytes, answer: bytes, now_ms: int) -> None:
        if answer == message.ACK:
            if asked == message.RESET:
                self._phase = "resetting"
        elif asked[0] == message.ENABLE:
            self._applied = None  # it can't be set in this state
            self._configure_at_ms = now_ms + REPLY_MS
        self._poll_at_ms = now_ms + GAP_MS

    # --- states ----------------------------------------------------------------------------------------------------

    def _on_state(self, state: State, now_ms: int) -> None:
        previous, self._last = self._last, state
        if state.code in message.POWER_UPS:
            self._on_power_up(state.code, now_ms)
        elif previous.code == message.CASSETTE_OUT and state.code != message.CASSETTE_OUT:
            self._fault("cash_box_removed", False, now_ms)
            self._start_again(now_ms)
        elif self._phase in ("finding", "resetting"):
            self._look(state, now_ms)
        else:
            if self._early is not None and state.code != message.STACKED:
                early, self._early = self._early, None
                self._on_passage(early, previous, now_ms)  # a clone that shows STACKED once only
            self._on_passage(state, previous, now_ms)
            self._on_condition(state, previous, now_ms)
            self._consider_rest(state, now_ms)
        if state.code == message.BUSY:
            self._poll_at_ms = now_ms + max(POLL_MS, min(state.argument * 100, RESET_MS))

    def _look(self, state: State, now_ms: int) -> None:
        """Somebody is there: identify it as soon as it can answer questions."""
        if state.code in (message.INITIALIZE, message.BUSY):
            self._patient_until_ms = now_ms + RESET_MS
            return
        if state.code == message.STACKED:
            self._early = state
            self._acknowledge_next = False
        self._phase = "identifying"
        self._steps = [message.IDENTIFICATION, message.BILL_TABLE, message.SET_SECURITY]
        if state.code not in (message.ESCROW, message.STACKING, message.STACKED, message.RETURNED):
            self._steps.append(message.enable_command(frozenset()))
            self._applied = frozenset()

    def _on_power_up(self, code: int, now_ms: int) -> None:
        """The validator lost its power; a bill inside tells on which side of the lever it was."""
        if self._phase == "running":
            self._lost("the validator restarted", now_ms)
        note = self._book.state
        if code == message.POWER_UP_IN_VALIDATOR:
            if note is None:
                self._book.returned(now_ms)
            self._book.coming_back()
        elif code == message.POWER_UP_IN_STACKER and note not in (None, NoteState.STACKED, NoteState.CREDITED):
            self._infer("power came back with the bill in the stacker", now_ms)
        self._start_again(now_ms)

    def _start_again(self, now_ms: int) -> None:
        self._phase = "resetting"
        self._applied = None
        self._is_order_sent = self._was_stacking = False
        self._steps = [message.RESET]

    def _infer(self, why: str, now_ms: int) -> None:
        self._book.stacked(None, now_ms)
        self._happened("lost_events", now_ms, f"credited without the validator's word: {why}")

    def _on_passage(self, state: State, previous: State, now_ms: int) -> None:
        note = self._book.state
        match state.code:
            case message.ESCROW if note is NoteState.STACKED:
                self._acknowledge_next = False  # the bill before it is not settled yet
            case message.ESCROW if note is NoteState.STACKING and self._was_stacking:
                self._was_stacking = self._acknowledge_next = False
                self._infer("another bill came to escrow", now_ms)
            case message.ESCROW:
                if note in (None, NoteState.CREDITED):
                    self._was_stacking = False
                    self._hold_at_ms = now_ms + HOLD_MS
                    self._stacked_type = None
                # Still in escrow after an order: the order was lost, so it may be sent again.
                self._is_order_sent = False
                self._book.escrowed(self._amount(state.argument), now_ms)
            case message.STACKING:
                self._was_stacking = True
                self._book.going_in()
            case message.STACKED:
                self._on_stacked(state.argument, now_ms)
            case message.RETURNED:
                self._book.returned(now_ms)
            case message.RETURNING:
                self._book.coming_back()
            case message.REJECTING if previous.code != message.REJECTING:
                if note in (None, NoteState.CREDITED):
                    self._book.rejected(message.REJECT_REASONS.get(state.argument, "unknown"), now_ms)
                self._book.coming_back()

    def _on_stacked(self, bill_type: int, now_ms: int) -> None:
        self._was_stacking = False
        self._early = None
        if bill_type == self._stacked_type and self._book.state in (None, NoteState.CREDITED):
            return  # shown again because our ACK was lost
        self._book.stacked(self._amount(bill_type), now_ms)
        if self._book.state is NoteState.STACKED:
            self._acknowledge_next = False
            self._poll_at_ms = now_ms + UNCONFIRMED_POLL_MS
        elif self._book.state is NoteState.CREDITED:
            self._stacked_type = bill_type

    def _on_condition(self, state: State, previous: State, now_ms: int) -> None:
        code, detail = _TROUBLE.get(state.code, ("", ""))
        if state.code == message.FAILURE:
            code, detail = message.FAILURES.get(state.argument, ("internal", f"failure {state.argument:02X}"))
        for condition in _CONDITIONS:
            self._fault(condition, condition == code, now_ms, detail)
        if state.code == message.CHEATED and previous.code != message.CHEATED:
            self._happened("fraud", now_ms, "the validator reports cheating")

    def _consider_rest(self, state: State, now_ms: int) -> None:
        """Find out whether the validator has come to rest."""
        is_stuck = state.code in _TROUBLE or state.code == message.FAILURE
        if self._phase == "settling" and (is_stuck or self._book.state is NoteState.STACKED):
            self._settled(now_ms)
            return
        if state.code not in _REST:
            self._rest_polls = 0
            return
        self._rest_polls += 1
        if self._book.state is NoteState.STACKING:
            if self._phase == "running" and self._was_stacking:
                self._was_stacking = False
                self._infer("it was seen stacking and is gone", now_ms)
                return
            if self._rest_polls < REST_POLLS:
                return
        if self._phase == "settling":
            self._settled(now_ms)
        else:
            self._book.at_rest(now_ms)

    def _settled(self, now_ms: int) -> None:
        """All that can be known of the time before is known: the terminal may work with the validator."""
        self._phase = "running"
        if self._book.state is NoteState.RETURNING:
            self._book.at_rest(now_ms)
        self._become_ready(self._info, now_ms)
        self._book.at_rest(now_ms)

    def _amount(self, bill_type: int) -> int | None:
        return self._amounts[bill_type] if bill_type < len(self._amounts) else None
