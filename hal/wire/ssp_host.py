"""The host's side of SSP with a note validator: a session of ``hal.wire.session``.

A note in escrow is held until the terminal decides: then a poll accepts it and REJECT returns it, so no poll is ever sent
before the decision. Only CREDIT is money, and the command after it waits for the confirmation of the credit. A command
without an answer is repeated with the same sequence bit; SYNC, which destroys the validator's stored answer, is the last
resort. Not responsible for frames and repetition (``hal.wire.ssp_link``), ports, threads and clocks.
"""

from hal.errors import RemoteProtocolError
from hal.events import DeviceInfo
from hal.wire import ssp_messages as message
from hal.wire.note_book import NoteState
from hal.wire.note_session import NoteSession
from hal.wire.ssp_link import Answer, Cipher, SspLink

REPLY_MS = 1_000
POLL_MS = 200
HOLD_MS = 1_000
"""A note in escrow is held again after so long; the validator gives it back after 5 to 10 s without HOLD."""
RETRY_BROKEN_MS = 50
LOST_AFTER_TRIES = 3
MOST_TRIES = 20
"""A poll is repeated so often before SYNC gives up its answer (source: GA138)."""
REST_POLLS = 5
"""So many polls without a movement mean that an ordered note went nowhere."""

_KEY_COMMANDS = (message.SET_GENERATOR, message.SET_MODULUS, message.KEY_EXCHANGE)
_MOVING = frozenset(
    (message.READ, message.REJECTING, message.REJECTED, message.STACKING, message.CREDIT, message.RESET)
)


class SspHost(NoteSession):
    """A host for one note validator at ``address``; with ``cipher`` all commands after SYNC are encrypted."""

    doubts_at_start = True

    def __init__(
        self, device: str, currency: str = "", minor_per_unit: int = 100, address: int = 0, cipher: Cipher | None = None
    ) -> None:
        super().__init__(device, currency, minor_per_unit)
        self._cipher = cipher
        self._link = SspLink(address, cipher)
        self._steps: list[bytes] = []
        self._phase = "down"  # down, identifying, settling (what happened while nobody listened?), running
        self._poll_command = message.POLL_WITH_ACK
        self._firmware = ""
        self._serial = ""
        self._amounts: tuple[int | None, ...] = ()
        self._applied: frozenset[int] | None = None
        self._is_unit_on: bool | None = None
        self._configure_at_ms = 0
        self._rejects_left = 0
        self._is_ack_due = False
        self._is_reason_due = False
        self._poll_at_ms = 0
        self._hold_at_ms = 0
        self._rest_polls = 0

    # --- asking ----------------------------------------------------------------------------------------------------

    def _connect(self, now_ms: int) -> None:
        if (
            self._phase == "running"
            and not self._is_ready
            and self._link.asked is not None
            and self._link.tries < MOST_TRIES
        ):
            # The port was away. The answer that was lost with it may tell of money, and SYNC would destroy it.
            self._send(self._link.again())
            self._deadline_ms = now_ms + REPLY_MS
            return
        self._phase = "identifying"
        self._is_ack_due = self._is_reason_due = False
        self._applied = self._is_unit_on = None
        self._rest_polls = 0
        self._rejects_left = LOST_AFTER_TRIES
        self._book.refuse_escrow()
        versions = range(message.HIGHEST_PROTOCOL, message.LOWEST_PROTOCOL - 1, -1)
        self._steps = [bytes((message.HOST_PROTOCOL, version)) for version in versions]
        self._steps += [message.SETUP_REQUEST, message.SERIAL_NUMBER]
        if self._cipher is not None:
            self._steps[:0] = self._cipher.key_commands()
        if self._book.state is None:
            # A note may wait in escrow from before: the first poll would accept it, and nobody has decided about it.
            self._steps.append(message.REJECT)
        self._link.restart()
        self._ask(message.SYNC, now_ms)

    def _ask(self, command: bytes, now_ms: int) -> None:
        self._send(self._link.ask(command))
        self._deadline_ms = now_ms + REPLY_MS

    def _on_timeout(self, now_ms: int) -> None:
        tries = self._link.tries
        if self._link.asked is None:
            if self._phase == "down":
                self._connect(now_ms)
                return
            if self._book.state is NoteState.STACKED:
                # Keeps the validator awake while the credit is not confirmed; it only repeats its last answer.
                self._send(self._link.again())
            self._next(now_ms)
            return
        if tries >= LOST_AFTER_TRIES:
            self._unanswered(now_ms)
            if self._is_stopping:
                self._stopped()
                return
        is_worth_it = self._phase != "identifying" or self._link.asked == message.SYNC
        if tries < (MOST_TRIES if is_worth_it else LOST_AFTER_TRIES):
            self._send(self._link.again())
            self._deadline_ms = now_ms + REPLY_MS
        else:
            self._connect(now_ms)

    def _on_order(self, now_ms: int) -> None:
        if self._is_stopping and self._phase in ("down", "identifying"):
            self._stopped()
        elif self._link.asked is None and self._phase != "down":
            self._next(now_ms)

    def _next(self, now_ms: int) -> None:
        """The line is free: send what is most urgent, or say when to look again."""
        if self._phase == "identifying":
            if self._steps:
                self._ask(self._steps.pop(0), now_ms)
                return
            self._phase = "settling"
        command = self._choose(now_ms)
        if command is not None:
            self._ask(command, now_ms)

    def _choose(self, now_ms: int) -> bytes | None:
        state = self._book.state
        if state is NoteState.STACKED:
            self._wait_for_confirmation(now_ms)
            return None
        if self._is_ack_due:
            return message.EVENT_ACK
        if state is NoteState.ESCROWED:
            self._deadline_ms = self._hold_at_ms
            return message.HOLD if now_ms >= self._hold_at_ms else None
        if state is NoteState.RETURNING and self._rejects_left:
            self._rejects_left -= 1
            return message.REJECT
        if state is not NoteState.STACKING:
            command = self._configure(now_ms)
            if command is not None:
                return command
            if self._is_stopping:
                self._stopped()
                return None
        if self._is_reason_due:
            return message.LAST_REJECT
        self._deadline_ms = self._poll_at_ms
        return self._poll_command if now_ms >= self._poll_at_ms else None

    def _wait_for_confirmation(self, now_ms: int) -> None:
        if self._is_stopping:
            self._stopped()
            return
        if self._phase == "settling":
            self._settled(now_ms)
        self._deadline_ms = now_ms + REPLY_MS

    def _configure(self, now_ms: int) -> bytes | None:
        """Return the command that brings the validator closer to what the terminal wants, or None."""
        if now_ms < self._configure_at_ms:
            return None
        wanted = frozenset(i + 1 for i, amount in enumerate(self._amounts) if amount in self._book.enabled)
        if self._applied != wanted:
            self._applied = wanted
            return message.inhibit_mask(wanted)
        if self._is_unit_on != bool(wanted):
            self._is_unit_on = bool(wanted)
            return message.ENABLE if wanted else message.DISABLE
        return None

    # --- answers ---------------------------------------------------------------------------------------------------

    def _on_line_error(self, now_ms: int) -> None:
        self._link.drop_partial()

    def _on_bytes(self, data: bytes, now_ms: int) -> None:
        self._link.feed(data)
        while True:
            try:
                answer = self._link.next_answer()
            except RemoteProtocolError as error:
                self._on_broken(error, now_ms)
                continue
            if answer is None:
                return
            self._understood()
            try:
                self._on_answer(answer, now_ms)
            except RemoteProtocolError as error:
                # What answers is not what we can work with: look again after a while.
                self._lost(str(error), now_ms)
                self._phase = "down"
                self._link.restart()
                self._deadline_ms = now_ms + REPLY_MS
                return
            if self._link.asked is None and self._is_open and (self._is_started or self._is_stopping):
                self._next(now_ms)

    def _on_broken(self, error: RemoteProtocolError, now_ms: int) -> None:
        """An answer that can't be used is one that did not come, but there is no need to wait for it."""
        if self._link.asked is None:
            return
        if self._link.tries >= LOST_AFTER_TRIES:
            self._lost(str(error), now_ms)
        elif self._deadline_ms is not None:
            self._deadline_ms = min(self._deadline_ms, now_ms + RETRY_BROKEN_MS)

    def _on_answer(self, answer: Answer, now_ms: int) -> None:
        asked, data = answer.asked, answer.data
        is_ok = data[0] == message.OK
        if data[0] == message.KEY_NOT_SET:
            if self._cipher is None or self._phase == "identifying":
                raise RemoteProtocolError("the validator wants encryption; set its key in the configuration")
            self._lost("the validator has forgotten its key", now_ms)
            self._phase = "down"
            self._connect(now_ms)
        elif asked in (message.POLL, message.POLL_WITH_ACK):
            self._on_poll(answer, now_ms)
        elif self._phase == "identifying":
            self._on_identity(asked, is_ok, data)
        elif asked == message.HOLD:
            self._hold_at_ms = now_ms + HOLD_MS
            if not is_ok:
                # It does not hold, or there is nothing to hold: refuse before the next poll could accept.
                self._book.refuse_escrow()
        elif asked == message.REJECT and is_ok:
            self._rejects_left = 0
        elif asked == message.EVENT_ACK:
            self._is_ack_due = False
        elif asked == message.LAST_REJECT:
            self._is_reason_due = False
            self._on_reason(data[1] if is_ok and len(data) > 1 else -1, now_ms)
        elif asked[0] in (message.SET_INHIBITS, *message.ENABLE, *message.DISABLE) and not is_ok:
            self._applied = self._is_unit_on = None
            self._configure_at_ms = now_ms + REPLY_MS

    def _on_identity(self, asked: bytes, is_ok: bool, data: bytes) -> None:
        if asked[0] == message.HOST_PROTOCOL:
            if is_ok:
                self._steps = [step for step in self._steps if step[0] != message.HOST_PROTOCOL]
            elif self._steps[0][0] != message.HOST_PROTOCOL:
                raise RemoteProtocolError("the validator takes none of the protocol versions 4 to 7")
        elif asked == message.SERIAL_NUMBER:
            self._serial = str(message.parse_serial(data[1:])) if is_ok else ""
            self._book.identify(self._serial)
        elif asked != message.REJECT and not is_ok:
            raise RemoteProtocolError(f"the validator answers {data[0]:02X} to command {asked[0]:02X}")
        elif asked == message.SETUP_REQUEST:
            setup = message.parse_setup(data[1:])
            self._firmware = setup.firmware
            pairs = zip(setup.values, setup.currencies, strict=True)
            self._amounts = tuple(self._minor(value, currency) for value, currency in pairs)
        elif self._cipher is not None and asked[0] in _KEY_COMMANDS:
            self._cipher.key_answer(asked, data[1:])

    def _on_reason(self, code: int, now_ms: int) -> None:
        reason = message.REJECT_REASONS.get(code, "unknown")
        if reason in ("string", "fraud"):
            self._happened(reason, now_ms, f"reject code {code:02X}")
        self._book.rejected(reason, now_ms)

    # --- polls -----------------------------------------------------------------------------------------------------

    def _on_poll(self, answer: Answer, now_ms: int) -> None:
        self._poll_at_ms = now_ms + POLL_MS
        if answer.data[0] != message.OK:
            if answer.asked == message.POLL_WITH_ACK and answer.data[0] == message.UNKNOWN_COMMAND:
                self._poll_command = message.POLL
                self._poll_at_ms = now_ms
            return
        events, rest = message.parse_events(answer.data[1:])
        codes = frozenset(event.code for event in events)
        if message.RESET in codes:
            self._applied = self._is_unit_on = None
            if self._phase == "running":
                self._lost("the validator restarted", now_ms)
        if rest:
            self._happened("lost_events", now_ms, f"poll event {rest[0]:02X} is not known; what came with it is lost")
        for event in sorted(events, key=lambda event: event.code == message.STACKED):
            self._on_event(event, now_ms)  # STACKED last: it ends a passage, whatever the same answer says of it
        if answer.asked == message.POLL_WITH_ACK and codes & message.MUST_BE_ACKNOWLEDGED:
            self._is_ack_due = True
        self._note_faults(codes, now_ms)
        if self._phase == "running" and not self._is_ready:
            self._connect(now_ms)  # it was away: its answer was heard, now it is identified anew
        else:
            self._consider_rest(codes, now_ms)

    def _on_event(self, event: message.Event, now_ms: int) -> None:
        state = self._book.state
        is_proof = self._poll_command == message.POLL_WITH_ACK  # plain POLL forgets a credit that was told once
        match event.code:
            case message.READ if event.channel:
                if state in (None, NoteState.CREDITED):
                    self._rejects_left = LOST_AFTER_TRIES
                    self._hold_at_ms = now_ms
                self._book.escrowed(self._amount(event.channel), now_ms)
            case message.CREDIT | message.CLEARED_INTO_CASH_BOX:
                self._book.stacked(self._amount(event.channel), now_ms)
            case message.REJECTED:
                self._is_reason_due = state not in (NoteState.ESCROWED, NoteState.STACKING, NoteState.RETURNING)
                if self._phase == "settling" or not self._is_reason_due:
                    self._book.returned(now_ms, is_proof)
            case message.CLEARED_OUT_OF_FRONT:
                self._book.returned(now_ms, is_proof)
            case message.STACKING:
                self._book.going_in()
            case message.STACKED:
                self._book.at_rest(now_ms)
            case message.FRAUD:
                self._happened("fraud", now_ms, f"channel {event.channel}")

    def _note_faults(self, codes: frozenset[int], now_ms: int) -> None:
        jams = [text for code, text in ((message.SAFE_JAM, "safe"), (message.UNSAFE_JAM, "unsafe")) if code in codes]
        self._fault("jam", bool(jams), now_ms, " ".join(jams))
        self._fault("cash_box_removed", message.CASH_BOX_REMOVED in codes, now_ms)
        if message.STACKER_FULL in codes:
            self._fault("stacker_full", True, now_ms)
        elif codes & {message.CASH_BOX_REMOVED, message.CASH_BOX_REPLACED, message.CREDIT, message.RESET}:
            self._fault("stacker_full", False, now_ms)
        if message.DISABLED in codes and self._is_unit_on and now_ms >= self._configure_at_ms:
            # It disabled itself. Asked back once a second only: a full stacker also shows as disabled.
            self._is_unit_on = None
            self._configure_at_ms = now_ms + REPLY_MS

    def _consider_rest(self, codes: frozenset[int], now_ms: int) -> None:
        """Find out whether the validator has come to rest."""
        if codes & _MOVING:
            self._rest_polls = 0
            return
        self._rest_polls += 1
        is_jammed = self._faults.is_up("jam")
        if self._book.state in (NoteState.STACKING, NoteState.RETURNING) and not is_jammed:
            if self._rest_polls < REST_POLLS:
                return
        if self._phase == "settling":
            self._settled(now_ms)
        elif not is_jammed:
            self._book.at_rest(now_ms)

    def _settled(self, now_ms: int) -> None:
        """All that can be known of the time before is known: the terminal may work with the validator."""
        self._phase = "running"
        if self._book.state is NoteState.RETURNING:
            self._book.at_rest(now_ms)
        self._become_ready(
            DeviceInfo(
                manufacturer="Innovative Technology",
                product="SSP note validator",
                serial=self._serial,
                firmware=self._firmware,
                denominations_minor=tuple(sorted({amount for amount in self._amounts if amount})),
            ),
            now_ms,
        )
        self._book.at_rest(now_ms)

    def _amount(self, channel: int) -> int | None:
        return self._amounts[channel - 1] if 0 < channel <= len(self._amounts) else None
