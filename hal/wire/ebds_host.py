"""The host's side of EBDS with a bill acceptor: a session of ``hal.wire.session``.

Everything hangs on the acknowledgement bit: the acceptor keeps STACKED and RETURNED until it gets a message with a new
bit. So the bit changes only after a valid answer that carries it, never after a damaged one, and after STACKED only when
the credit is confirmed. Until then the same message is repeated, which the acceptor answers with the same words.
Not responsible for frames, ports, threads and clocks.
"""

from dataclasses import dataclass

from hal.errors import RemoteProtocolError
from hal.events import DeviceInfo
from hal.wire import ebds
from hal.wire import ebds_messages as message
from hal.wire.ebds_messages import Note, Status
from hal.wire.note_book import NoteState
from hal.wire.note_session import NoteSession

REPLY_MS = 150
POLL_MS = 100
LOST_MS = 5_000
"""While its head reads, an acceptor may miss polls; silent for so long it is lost."""
SEARCH_MS = 500
QUERY_TRIES = 3
MOST_NOTES = 60
REST_POLLS = 5
"""So many polls at rest mean that an ordered note went nowhere."""
DOLLARS_MINOR = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)
"""What bills 1 to 7 are worth in the maker's dollar firmware."""


@dataclass(frozen=True, slots=True)
class _Query:
    name: str  # type, serial, variant or note
    data: bytes


class EbdsHost(NoteSession):
    """A host for one bill acceptor.

    Without ``extended`` the acceptor names bills by number and ``bills_minor`` says what they are worth; with it the
    acceptor itself tells currency and value of each note.
    """

    doubts_at_start = True

    def __init__(
        self,
        device: str,
        currency: str = "",
        minor_per_unit: int = 100,
        bills_minor: tuple[int, ...] = DOLLARS_MINOR,
        extended: bool = False,
    ) -> None:
        super().__init__(device, currency, minor_per_unit)
        # Keys carry the device's name, not its serial number: that can't be asked for while a credit is unsettled.
        self._book.identify(device)
        self._bills_minor = () if extended else bills_minor
        self._is_extended = extended
        self._decoder = ebds.Decoder(frozenset((ebds.ACCEPTOR, ebds.AUXILIARY, ebds.EXTENDED)))
        self._phase = "finding"  # finding, identifying, settling, running
        self._ack = 0
        self._frame = b""
        self._is_asked = False
        self._query: _Query | None = None
        self._queries: list[_Query] = []
        self._tries = 0
        self._heard_ms = 0
        self._is_identified = False
        self._texts: dict[str, str] = {}
        self._table: dict[int, int | None] = {}
        self._revision = ""
        self._rest_polls = 0
        self._was_rejecting = self._was_cheated = False
        self._goodbyes = 0
        self._is_holding = False  # STACKED is heard and its credit not confirmed: the bit must not change

    # --- asking ----------------------------------------------------------------------------------------------------

    def _connect(self, now_ms: int) -> None:
        self._phase = "finding"
        self._heard_ms = now_ms
        self._queries = []
        self._rest_polls = 0
        self._book.refuse_escrow()
        if self._frame and self._book.state is NoteState.STACKED:
            self._repeat(now_ms)  # the same bit again, or the acceptor would forget its note
        else:
            self._ask(now_ms)

    def _ask(self, now_ms: int) -> None:
        """Send a new message with the current acknowledgement bit."""
        self._query = self._queries[0] if self._queries else None
        if self._query is None:
            self._frame = ebds.encode(ebds.Frame(ebds.HOST, self._ack, self._message()))
        else:
            kind = ebds.EXTENDED if self._query.name == "note" else ebds.AUXILIARY
            self._frame = ebds.encode(ebds.Frame(kind, self._ack, self._query.data))
        self._tries = 0
        self._repeat(now_ms)

    def _repeat(self, now_ms: int) -> None:
        self._decoder.reset()
        self._tries += 1
        self._is_asked = True
        self._send(self._frame)
        self._deadline_ms = now_ms + REPLY_MS

    def _message(self) -> bytes:
        enabled = self._book.enabled
        if self._is_extended:
            bills = frozenset(range(1, 8)) if enabled else frozenset[int]()
        else:
            bills = frozenset(i + 1 for i, amount in enumerate(self._bills_minor) if amount in enabled)
        state = self._book.state
        return message.host_message(
            bills,
            stack=state is NoteState.STACKING,
            return_note=state is NoteState.RETURNING,
            extended=self._is_extended,
        )

    def _on_timeout(self, now_ms: int) -> None:
        if self._book.state is NoteState.STACKED and self._is_stopping:
            self._stopped()
        elif not self._is_asked and self._book.state is not NoteState.STACKED:
            self._ask(now_ms)
        elif now_ms - self._heard_ms >= LOST_MS:
            self._unanswered(now_ms)
            if self._is_stopping:
                self._stopped()
                return
            self._phase = "finding"
            self._queries = []
            self._repeat(now_ms)
            self._deadline_ms = now_ms + SEARCH_MS
        elif self._query is not None and self._tries >= QUERY_TRIES:
            # It does not know this question. The same bit goes on: should it have heard, it repeats its answer.
            self._queries.pop(0)
            self._ask(now_ms)
        else:
            self._repeat(now_ms)

    def _on_order(self, now_ms: int) -> None:
        if self._is_stopping and self._phase != "running":
            self._stopped()
        elif self._book.state is NoteState.CREDITED and not self._is_asked and self._is_holding:
            self._is_holding = False
            self._ack ^= 1
            if not self._is_identified:
                self._begin_to_identify()
            self._deadline_ms = now_ms
        elif not self._is_asked and self._book.state is not NoteState.STACKED:
            self._deadline_ms = now_ms

    # --- answers ---------------------------------------------------------------------------------------------------

    def _on_line_error(self, now_ms: int) -> None:
        self._decoder.reset()

    def _on_bytes(self, data: bytes, now_ms: int) -> None:
        self._decoder.feed(data)
        while True:
            try:
                frame = self._decoder.next_frame()
                if frame is None:
                    return
                self._understood()
                if self._is_asked and frame.ack == self._ack:
                    self._on_frame(frame, now_ms)
            except RemoteProtocolError:
                continue  # it counts as no answer: the same message with the same bit is repeated

    def _on_frame(self, frame: ebds.Frame, now_ms: int) -> None:
        if self._is_holding:
            self._heard_ms = now_ms
            self._is_asked = False
            self._deadline_ms = now_ms + POLL_MS
            if self._book.state is NoteState.CREDITED:
                self._on_order(now_ms)  # confirmed while this repetition was on its way
            return
        query = self._query
        status, note, text = self._parse(frame)
        self._heard_ms = now_ms
        self._is_asked = False
        self._deadline_ms = now_ms + POLL_MS
        if query is not None and (
            text is not None or note is not None or (status is not None and status.invalid_command)
        ):
            self._queries.pop(0)
            self._on_identity(query, text, note)
        if status is not None:
            is_row = query is not None and query.name == "note"
            self._on_status(status, None if is_row else note, now_ms)
        if self._book.state is NoteState.STACKED:
            self._is_holding = True
        else:
            self._ack ^= 1
        if self._is_stopping:
            self._goodbye()

    def _parse(self, frame: ebds.Frame) -> tuple[Status | None, Note | None, str | None]:
        if frame.kind == ebds.ACCEPTOR:
            return message.parse_status(frame.data), None, None
        if frame.kind == ebds.EXTENDED:
            status, note = message.parse_extended_note(frame.data)
            return status, note, None
        return None, None, message.parse_text(frame.data)

    def _goodbye(self) -> None:
        self._goodbyes += 1
        if self._book.state is not NoteState.RETURNING and self._goodbyes >= 2:
            self._goodbyes = 0
            self._stopped()

    def _begin_to_identify(self) -> None:
        self._phase = "identifying"
        self._table = {}
        self._queries = [_Query("type", message.QUERY_TYPE), _Query("serial", message.QUERY_SERIAL)]
        if self._is_extended:
            self._queries.append(self._query_note(1))

    def _query_note(self, index: int) -> _Query:
        return _Query("note", message.query_note(index, self._message()))

    def _on_identity(self, query: _Query, text: str | None, note: Note | None) -> None:
        if query.name == "note":
            if note is not None and note.value and note.index < MOST_NOTES:
                self._table[note.index] = self._minor(note.value, note.currency)
                self._queries.append(self._query_note(note.index + 1))
        elif text:
            self._texts[query.name] = text

    # --- status ----------------------------------------------------------------------------------------------------

    def _on_status(self, status: Status, note: Note | None, now_ms: int) -> None:
        self._revision = f"{status.model}.{status.revision}"
        if status.power_up and self._phase == "running":
            self._lost("the acceptor restarted", now_ms)
            self._phase = "finding"
        self._on_passage(status, self._amount(status, note), now_ms)
        self._on_condition(status, now_ms)
        if self._phase == "identifying" and not self._queries:
            self._is_identified = True
            self._phase = "settling"
        if self._phase != "running" and self._book.state is NoteState.STACKED:
            self._settled(now_ms)  # no question may be asked before the credit is confirmed
        elif self._phase == "finding":
            # Questions come when nothing moves: their answers could not tell the value of a note that is stacked then.
            if _is_stuck(status) or not _is_moving(status):
                self._begin_to_identify()
        elif self._phase != "identifying":
            self._consider_rest(status, now_ms)

    def _amount(self, status: Status, note: Note | None) -> int | None:
        if note is not None:
            return self._minor(note.value, note.currency)
        return self._bills_minor[status.bill - 1] if 0 < status.bill <= len(self._bills_minor) else None

    def _on_passage(self, status: Status, amount: int | None, now_ms: int) -> None:
        if status.stacked:
            self._book.stacked(amount, now_ms)
            return
        if status.returned:
            self._book.returned(now_ms, is_proof=False)
        elif status.state == "escrowed":
            self._book.escrowed(amount, now_ms)
        elif status.state == "stacking":
            self._book.going_in()
        elif status.state == "returning":
            self._book.coming_back()
        if status.rejected and not self._was_rejecting and self._book.state in (None, NoteState.CREDITED):
            self._book.rejected("unknown", now_ms)
        self._was_rejecting = status.rejected

    def _on_condition(self, status: Status, now_ms: int) -> None:
        self._fault("jam", status.jammed, now_ms)
        self._fault("stacker_full", status.full, now_ms)
        self._fault("cash_box_removed", not status.cash_box_present, now_ms)
        self._fault("internal", status.failed, now_ms, "the acceptor reports a failure")
        # Some firmware shows STACKED and cheated together when the box is nearly full: no accusation from that.
        if status.cheated and not self._was_cheated and not status.stacked:
            self._happened("fraud", now_ms, "the acceptor reports cheating")
        self._was_cheated = status.cheated

    def _consider_rest(self, status: Status, now_ms: int) -> None:
        """Find out whether the acceptor has come to rest."""
        is_moving = _is_moving(status) or status.power_up
        self._rest_polls = 0 if is_moving else self._rest_polls + 1
        if self._phase == "settling":
            is_decided = self._book.state is not NoteState.STACKING or self._rest_polls >= REST_POLLS
            if _is_stuck(status) or (not is_moving and is_decided):
                self._settled(now_ms)
        elif not is_moving and not status.jammed:
            if self._book.state is not NoteState.STACKING or self._rest_polls >= REST_POLLS:
                self._book.at_rest(now_ms)

    def _settled(self, now_ms: int) -> None:
        """All that can be known of the time before is known: the terminal may work with the acceptor."""
        self._phase = "running"
        self._queries = []
        if self._book.state is NoteState.RETURNING:
            self._book.at_rest(now_ms)
        known = self._table.values() if self._is_extended else self._bills_minor
        self._become_ready(
            DeviceInfo(
                manufacturer="EBDS",
                product=self._texts.get("type", "bill acceptor"),
                serial=self._texts.get("serial", ""),
                firmware=self._revision,
                denominations_minor=tuple(sorted({amount for amount in known if amount})),
            ),
            now_ms,
        )
        self._book.at_rest(now_ms)


def _is_moving(status: Status) -> bool:
    return status.state in ("accepting", "escrowed", "stacking", "returning")


def _is_stuck(status: Status) -> bool:
    return status.jammed or status.failed or not status.cash_box_present
