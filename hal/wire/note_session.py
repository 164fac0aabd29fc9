"""What the hosts of all note acceptors do alike, between ``hal.wire.session`` and a protocol's own dialogue.

It keeps events back until ``DeviceReady``, tells a loss once, turns commands into orders for the note book and faults
into edges. Not responsible for bytes and timers of any protocol.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

from hal.errors import LocalProtocolError
from hal.events import DeviceEvent, DeviceInfo, DeviceLost, DeviceReady, NoteStacked
from hal.wire.fault_board import FaultBoard
from hal.wire.note_book import NoteBook
from hal.wire.session import (
    NO_ANSWER,
    NONSENSE,
    Command,
    Confirm,
    Disable,
    Enable,
    Output,
    Outputs,
    Report,
    ReturnNote,
    Send,
    StackNote,
    Start,
    Stop,
)


class NoteSession(ABC):
    """A session of one note acceptor; see ``hal.wire.session.Session``.

    ``currency`` is the only one whose notes are taken ("" for any); a note's value in whole units times
    ``minor_per_unit`` is its amount.
    """

    doubts_at_start: ClassVar[bool] = False
    """Whether a device may have lost the word about the last note of an earlier program."""

    def __init__(self, device: str, currency: str = "", minor_per_unit: int = 100) -> None:
        self._device = device
        self._currency = currency
        self._minor_per_unit = minor_per_unit
        self._book = NoteBook(device, self._emit, self._happened)
        self._deadline_ms: int | None = None
        self._outputs: list[Output] = []
        self._held: list[DeviceEvent] = []
        self._faults = FaultBoard(device, self._emit)
        self._is_started = False
        self._is_stopping = False
        self._is_open = False
        self._is_ready = False
        self._is_lost_told = False
        self._is_nonsense = False
        """Whether the last bytes that came were not understood."""

    # --- the session's interface -----------------------------------------------------------------------------------

    @property
    def deadline_ms(self) -> int | None:
        """When ``timeout`` wants to be called."""
        return self._deadline_ms

    def opened(self, now_ms: int) -> Outputs:
        """The port is open: look for the device."""
        self._is_open = True
        self._is_lost_told = self._is_nonsense = False
        if self._is_started:
            self._connect(now_ms)
        return self._taken()

    def closed(self, now_ms: int) -> Outputs:
        """The port has gone."""
        self._is_open = False
        self._deadline_ms = None
        if self._is_ready:
            self._lost("port closed", now_ms)
        return self._taken()

    def receive(self, data: bytes, now_ms: int) -> Outputs:
        """Bytes came in."""
        if self._is_open and (self._is_started or self._is_stopping):
            self._is_nonsense = True
            self._on_bytes(data, now_ms)
        return self._taken()

    def line_error(self, now_ms: int) -> Outputs:
        """A damaged byte was dropped: the frame it was in is void."""
        self._is_nonsense = True
        self._on_line_error(now_ms)
        return self._taken()

    def timeout(self, now_ms: int) -> Outputs:
        """The deadline has passed."""
        self._deadline_ms = None
        self._faults.settle(now_ms)
        if self._is_open:
            self._on_timeout(now_ms)
        return self._taken()

    def command(self, command: Command, now_ms: int) -> Outputs:
        """The program wants something. Raises LocalProtocolError for what no note acceptor can do."""
        match command:
            case Start():
                self._started(command.last_event, now_ms)
            case Stop():
                self._asked_to_stop(now_ms)
            case Enable():
                if self._is_ready:
                    self._book.enable(command.values_minor)
                    self._on_order(now_ms)
            case Disable():
                self._book.enable(())
                self._order(now_ms)
            case StackNote():
                if self._book.order_stack(command.escrow_id):
                    self._order(now_ms)
            case ReturnNote():
                if self._book.order_return(command.escrow_id):
                    self._order(now_ms)
            case Confirm():
                if self._book.confirm(command.key):
                    self._order(now_ms)
            case _:
                raise LocalProtocolError(f"{self._device}: a note acceptor can't {command}")
        return self._taken()

    # --- for a protocol to write -----------------------------------------------------------------------------------

    @abstractmethod
    def _connect(self, now_ms: int) -> None:
        """Begin from nothing: find the device and identify it."""

    @abstractmethod
    def _on_bytes(self, data: bytes, now_ms: int) -> None:
        """Bytes came in."""

    @abstractmethod
    def _on_line_error(self, now_ms: int) -> None:
        """Drop what has come of a frame."""

    @abstractmethod
    def _on_timeout(self, now_ms: int) -> None:
        """The deadline has passed; it is None now."""

    @abstractmethod
    def _on_order(self, now_ms: int) -> None:
        """The book or ``_is_stopping`` has changed: act as soon as the line is free."""

    # --- for a protocol to use -------------------------------------------------------------------------------------

    def _send(self, data: bytes) -> None:
        self._outputs.append(Send(data))

    def _emit(self, event: DeviceEvent) -> None:
        """Report an event, after ``DeviceReady`` at the earliest."""
        if self._is_ready or isinstance(event, DeviceLost):
            self._outputs.append(Report(event))
        else:
            self._held.append(event)

    def _become_ready(self, info: DeviceInfo, now_ms: int) -> None:
        """The device is at rest, identified and disabled."""
        unconfirmed = self._book.unconfirmed(now_ms)
        report = self._book.report()
        held, self._held = self._held, []
        self._book.enable(())
        self._is_ready, self._is_lost_told = True, False
        self._emit(DeviceReady(self._device, now_ms, info, report))
        for event in held:
            if not isinstance(event, NoteStacked) or event.key not in report.unconfirmed:
                self._emit(event)
        if unconfirmed is not None:
            self._emit(unconfirmed)

    def _lost(self, reason: str, now_ms: int) -> None:
        """The device can't be used; told once until it is ready again."""
        self._is_ready = False
        self._book.enable(())
        if not self._is_lost_told:
            self._is_lost_told = True
            self._emit(DeviceLost(self._device, now_ms, reason))

    def _understood(self) -> None:
        """What came was a frame of this protocol, whatever it says."""
        self._is_nonsense = False

    def _unanswered(self, now_ms: int) -> None:
        """The device has not answered for too long, or nothing that makes sense."""
        self._lost(NONSENSE if self._is_nonsense else NO_ANSWER, now_ms)

    def _fault(self, code: str, is_up: bool, now_ms: int, detail: str = "") -> None:
        """Set a fault that the device shows as long as it lasts; only changes are reported."""
        if is_up:
            self._faults.up(code, detail, now_ms)
        else:
            self._faults.down((code,), now_ms)

    def _happened(self, code: str, now_ms: int, detail: str) -> None:
        """Report an incident."""
        self._faults.up(code, detail, now_ms)

    def _minor(self, value: int, currency: str) -> int | None:
        """Return the amount of a note, or None for one that the terminal can't take."""
        if value <= 0 or (self._currency and currency != self._currency):
            return None
        return value * self._minor_per_unit

    def _stopped(self) -> None:
        """All is safe: wait for nothing any more."""
        self._is_stopping = False
        self._is_ready = False
        self._deadline_ms = None

    # --- inside ----------------------------------------------------------------------------------------------------

    def _started(self, last_event: int, now_ms: int) -> None:
        self._book.start(last_event)
        if self.doubts_at_start:
            self._book.doubt()
        self._is_started, self._is_stopping = True, False
        if self._is_open:
            self._connect(now_ms)

    def _asked_to_stop(self, now_ms: int) -> None:
        self._book.enable(())
        self._book.refuse_escrow()
        self._is_started, self._is_stopping = False, True
        if self._is_open:
            self._on_order(now_ms)
        else:
            self._stopped()

    def _order(self, now_ms: int) -> None:
        if self._is_open and self._is_started:
            self._on_order(now_ms)

    def _taken(self) -> list[Output]:
        outputs, self._outputs = self._outputs, []
        return outputs
