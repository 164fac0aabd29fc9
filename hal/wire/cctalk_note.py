"""The host's dialogue with a ccTalk bill validator: escrow, routing, and what a reset leaves undecided.

A validator on ccTalk needs no acknowledgement and remembers nothing over a reset but its lifetime counter, so that
counter is read before each order to stack. Not responsible for inhibits and the buffer's arithmetic
(``hal.wire.cctalk_acceptor``) or for the line.
"""

from dataclasses import dataclass
from enum import Enum, auto

from hal.errors import LocalProtocolError
from hal.events import NoteEscrowed, NoteRejected, NoteReport, NoteReturned, NoteStacked
from hal.wire.cctalk import Checksum
from hal.wire.cctalk_acceptor import AcceptorStation
from hal.wire.cctalk_events import Event, News, lap
from hal.wire.cctalk_messages import (
    BARCODE,
    BILL_ID,
    BILL_MODE,
    COUNTER_SIZE,
    NOTE_CLEARS,
    NOTE_FAULTS,
    NOTE_REJECTIONS,
    NOTE_RETURNED,
    READ_BILL_EVENTS,
    ROUTE_BILL,
    SCALING_FACTOR,
    UNKNOWN_NOTE_STACKED,
    Buffer,
    bill_value_minor,
    parse_scaling,
)
from hal.wire.cctalk_station import Ask, NoReply, Refused, Script
from hal.wire.session import Command, ReturnNote, StackNote

ROUTE_AGAIN_MS, ROUTE_LIMIT_COUNT = 3_000, 4
"""An order that shows no effect is given again after this time; a note that is not there after so many is lost."""
EXTEND_MS = 10_000
"""How often the validator is asked to hold a note for longer."""
ESCROW_LIMIT_MS = 60_000
"""A note about which nobody decides goes back after this time."""
_USE_STACKER_AND_ESCROW = b"\3"
_ESCROW_EMPTY, _ROUTE_FAILED = b"\xfe", b"\xff"


class _Order(Enum):
    WAIT = b"\xff"
    STACK = b"\1"
    RETURN = b"\0"


class _Verdict(Enum):
    """What became of a note that was in the validator when it was reset."""

    NONE = auto()
    STACKED = auto()
    RETURNED = auto()
    UNKNOWN = auto()


@dataclass(slots=True)
class _Escrow:
    """A note between mouth and cash box; ``escrow_id`` is empty for one that the terminal was never asked about."""

    number: int
    position: int
    value_minor: int
    escrow_id: str
    limit_ms: int
    next_ms: int
    order: _Order = _Order.WAIT
    try_count: int = 0
    """How often the present order was given."""
    accepted_before: int | None = None


class NoteStation(AcceptorStation):
    """A bill validator with escrow; it may speak either checksum, and is asked in both until it answers."""

    CATEGORY = "Bill Validator"
    EVENTS_HEADER = READ_BILL_EVENTS
    POLL_MS = 150
    SELF_CHECK_CLEARS = ("jam", "sensor", "motor", "internal")

    def __init__(
        self,
        name: str,
        country: str,
        address: int = 40,
        checksums: tuple[Checksum, ...] = (Checksum.CRC16, Checksum.SUM8),
    ) -> None:
        super().__init__(name, address, checksums, country)
        self._escrow: _Escrow | None = None
        self._is_catching_up = False
        self._verdict = _Verdict.NONE

    def _take_other_command(self, command: Command) -> None:
        if not isinstance(command, StackNote | ReturnNote):
            raise LocalProtocolError(f"the bill validator {self.name} can't {command}")
        escrow = self._escrow
        # Any other escrow_id is of a note that has gone; the event that says so is on its way.
        if escrow is not None and escrow.escrow_id == command.escrow_id and escrow.order is _Order.WAIT:
            self._order(escrow, _Order.STACK if isinstance(command, StackNote) else _Order.RETURN)

    def _order(self, escrow: _Escrow, order: _Order) -> None:
        escrow.order, escrow.try_count, escrow.next_ms = order, 0, self._now_ms

    def start(self, last_event: int) -> None:
        """Number events after ``last_event``."""
        super().start(last_event)
        self._escrow = None

    # --- connection -----------------------------------------------------------------------------------------------

    def _load(self) -> Script[None]:
        scaling = parse_scaling((yield Ask(SCALING_FACTOR, self._country.encode("ascii"), least=3, most=3)).data)
        found = yield from self._identifiers(BILL_ID, 7)
        self._values = {at: bill_value_minor(data, self._country, scaling) for at, data in found.items()}
        yield Ask(BILL_MODE, _USE_STACKER_AND_ESCROW)

    def _report(self, buffer: Buffer, news: News) -> NoteReport:
        if self._is_first:
            self._escrow = self._left_in_escrow(buffer, news)
        self._is_catching_up = True
        self._verdict = self._judge(news) if news.restarted else _Verdict.NONE
        first, second = buffer.pairs[0]
        waits = buffer.counter > 0 and first > 0 and second == 1
        told = [self._key(event.number) for event in news.events if self._is_money(event.first, event.second)]
        if self._escrow is not None and self._verdict is _Verdict.STACKED:
            told.append(self._key(_number_of_stacking(self._escrow)))
        pairs = [(event.first, event.second) for event in news.events]
        if self._is_without_journal:
            pairs = list(buffer.pairs[: buffer.counter])
        unknown_note = (0, UNKNOWN_NOTE_STACKED) in pairs
        return NoteReport(
            stacked_count=self._accepted_count,
            unconfirmed=(*self._unconfirmed, *told),
            in_escrow_minor=self._values.get(first, 0) if waits else None,
            uncertain=self._verdict is _Verdict.UNKNOWN
            or unknown_note
            or news.lost_count > 0
            or self._has_gap(buffer, news),
        )

    def _has_gap(self, buffer: Buffer, news: News) -> bool:
        """Whether this program has just started and the events since the journal's end may be incomplete."""
        if not self._is_first:
            return False
        cut_off = self._is_without_journal and buffer.counter > len(buffer.pairs)
        return news.restarted or buffer.counter == 0 or not self._bears_our_mask or cut_off

    def _left_in_escrow(self, buffer: Buffer, news: News) -> _Escrow | None:
        """Find the note that was in escrow when the journal ended, if the buffer still shows it."""
        seen = len(news.events)
        if news.restarted or news.lost_count or seen >= min(len(buffer.pairs), buffer.counter):
            return None
        first, second = buffer.pairs[seen]
        return self._new_escrow(Event(self._numbers.last, first, second)) if first and second == 1 else None

    def _judge(self, news: News) -> _Verdict:
        """Decide about the note that was inside when the validator was reset, by the validator's own memory alone."""
        escrow, pairs = self._escrow, [(event.first, event.second) for event in news.events]
        if escrow is None or any(first for first, _ in pairs) or (0, NOTE_RETURNED) in pairs:
            return _Verdict.NONE  # there was none, or the events tell its story
        if escrow.order is not _Order.STACK or not escrow.try_count:
            return _Verdict.RETURNED  # it was never ordered into the cash box
        if escrow.accepted_before is None or self._accepted_count is None:
            return _Verdict.UNKNOWN
        # One more is proof. None is not: it may lie in the cash box and not have been counted.
        more = (self._accepted_count - escrow.accepted_before) % COUNTER_SIZE
        return _Verdict.STACKED if more == 1 else _Verdict.UNKNOWN

    def _after_ready(self) -> None:
        escrow, verdict = self._escrow, self._verdict
        self._verdict, self._is_catching_up = _Verdict.NONE, False
        if escrow is None:
            return
        if verdict is _Verdict.STACKED:
            self._stacked(Event(_number_of_stacking(escrow), escrow.position, 0))
        elif verdict is _Verdict.RETURNED:
            self._went_back()
        elif verdict is _Verdict.UNKNOWN:
            self._disappeared(escrow, "before the validator was reset")
        elif escrow.escrow_id and escrow.order is _Order.WAIT:
            self._emit(NoteEscrowed(self.name, self._now_ms, escrow.escrow_id, escrow.value_minor))

    # --- events ---------------------------------------------------------------------------------------------------

    def _is_money(self, first: int, second: int) -> bool:
        return first > 0 and second == 0

    def _happened(self, event: Event) -> None:
        if event.first and event.second == 0:
            self._stacked(event)
        elif event.first:
            self._came_to_escrow(event)
        elif event.second == NOTE_RETURNED:
            self._went_back()
        elif event.second in NOTE_FAULTS:
            self._faults.up(*NOTE_FAULTS[event.second], self._now_ms)
        elif event.second in NOTE_CLEARS:
            self._faults.down(NOTE_CLEARS[event.second], self._now_ms)
        elif event.second == UNKNOWN_NOTE_STACKED:
            self._escrow = None
            detail = f"a note of unknown value is in the cash box (event {event.number})"
            self._faults.up("unknown_money", detail, self._now_ms)
        elif event.second == BARCODE:
            self._escrow = self._new_escrow(event)
        else:
            reason = NOTE_REJECTIONS.get(event.second, "unknown")
            self._emit(NoteRejected(self.name, self._now_ms, reason))

    def _new_escrow(self, event: Event) -> _Escrow:
        """A note is in escrow. One that nobody wants gets no id and the order to go back."""
        now_ms, value = self._now_ms, self._values.get(event.first, 0)
        # What came to escrow while nobody listened is the terminal's to decide about: it may have ordered it already.
        wanted = value > 0 and (value in self._enabled or self._is_catching_up or self._is_first)
        escrow_id = f"{self.info.serial}:{lap(event.number)}:escrow:{event.number}" if wanted else ""
        escrow = _Escrow(event.number, event.first, value, escrow_id, now_ms + ESCROW_LIMIT_MS, now_ms + EXTEND_MS)
        if not wanted:
            self._order(escrow, _Order.RETURN)
        return escrow

    def _came_to_escrow(self, event: Event) -> None:
        if self._escrow is not None:
            self._overtaken(self._escrow)
        self._escrow = escrow = self._new_escrow(event)
        if escrow.escrow_id and not self._is_catching_up:
            self._emit(NoteEscrowed(self.name, self._now_ms, escrow.escrow_id, escrow.value_minor))

    def _overtaken(self, escrow: _Escrow) -> None:
        """Another note is in escrow, and what became of this one was lost."""
        if escrow.order is _Order.STACK:
            self._disappeared(escrow, "and another note came to escrow")
        else:
            self._went_back()

    def _disappeared(self, escrow: _Escrow, how: str) -> None:
        self._escrow = None
        detail = f"{escrow.escrow_id}: {escrow.value_minor} minor units were ordered into the cash box {how}"
        self._faults.up("unknown_money", detail, self._now_ms)

    def _stacked(self, event: Event) -> None:
        escrow, self._escrow = self._escrow, None
        value = self._values.get(event.first, 0)
        if not value:
            detail = f"a note of position {event.first}, which has no value, was stacked as event {event.number}"
            self._faults.up("unknown_money", detail, self._now_ms)
            return
        escrow_id = escrow.escrow_id or None if escrow is not None else None
        self._money(NoteStacked(self.name, self._now_ms, self._key(event.number), value, escrow_id))
        if escrow is not None and escrow.value_minor != value:
            detail = f"{escrow.value_minor} minor units were in escrow, {value} were stacked (event {event.number})"
            self._faults.up("unknown_money", detail, self._now_ms)

    def _went_back(self) -> None:
        escrow, self._escrow = self._escrow, None
        if escrow is None:
            self._emit(NoteReturned(self.name, self._now_ms, None, 0))
        elif escrow.escrow_id:
            self._emit(NoteReturned(self.name, self._now_ms, escrow.escrow_id, escrow.value_minor))
        else:
            reason = "inhibited" if escrow.value_minor else "unknown"
            self._emit(NoteRejected(self.name, self._now_ms, reason))

    # --- orders ---------------------------------------------------------------------------------------------------

    def _extra(self) -> Script[None]:
        escrow = self._escrow
        if escrow is None:
            return
        if escrow.order is _Order.WAIT and self._now_ms >= escrow.limit_ms:
            self._order(escrow, _Order.RETURN)
        if self._now_ms < escrow.next_ms:
            return
        if escrow.order is _Order.STACK and not escrow.try_count:
            escrow.accepted_before = yield from self._count_accepted()
        escrow.try_count += 1
        escrow.next_ms = self._now_ms + (EXTEND_MS if escrow.order is _Order.WAIT else ROUTE_AGAIN_MS)
        try:
            # Sent once: what became of the note is told by the events, not by the answer to the order.
            answer = (yield Ask(ROUTE_BILL, escrow.order.value, most=1, try_count=1)).data
        except (NoReply, Refused):
            return
        if answer == _ROUTE_FAILED:
            self._faults.up("jam", "the note can't be moved out of escrow", self._now_ms)
        elif answer == _ESCROW_EMPTY and escrow.order is _Order.STACK and escrow.try_count >= ROUTE_LIMIT_COUNT:
            self._disappeared(escrow, "and is not in escrow")
        elif answer == _ESCROW_EMPTY and escrow.try_count >= ROUTE_LIMIT_COUNT:
            self._went_back()


def _number_of_stacking(escrow: _Escrow) -> int:
    """Return the number for a note whose event a reset took away, so that it is free: the one after the escrow's."""
    return escrow.number + 1
