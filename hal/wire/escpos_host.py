"""The host's side of an ESC/POS printer: a session of ``hal.wire.session`` whose subject is proof.

A printer takes bytes without a word, so a slip counts as printed only when this has happened in order: every status is
good and the queue is empty (a fence is answered) before the first byte; a second fence after the last byte is answered;
every status is good again. Anything else is a failure, and it says whether some of the slip may be on paper. Nothing is
ever printed again by itself. Not responsible for bytes (``hal.wire.escpos``), ports, threads and clocks.
"""

from collections import OrderedDict, deque
from dataclasses import dataclass

from hal.errors import LocalProtocolError, RemoteProtocolError
from hal.events import DeviceEvent, DeviceInfo, DeviceLost, DeviceReady, SlipFailed, SlipPrinted
from hal.wire import escpos
from hal.wire.fault_board import FaultBoard
from hal.wire.session import NO_ANSWER, NONSENSE, Command, Output, Outputs, PrintSlip, Report, Send, Start, Stop

REPLY_MS = 1_000
LOST_AFTER_TRIES = 3
IDLE_MS = 1_000
"""How often the status is asked while nothing is printed."""
WATCH_MS = 250
"""How often it is asked while a slip is printed."""
FENCE_MS = 4_000
LINE_MS = 150
"""A slip may take the fence's time and so much per line."""
STRAY_MS = 10_000
"""How long an answer to a fence of an earlier slip is waited for."""
PROOFS = 2
"""So many rounds of good statuses after the last fence: one answer that came twice shifts only one round."""
MOST_WAITING = 8
MOST_REMEMBERED = 256
_HARMLESS = frozenset(("paper_low",))
_CONDITIONS = ("paper_low", "paper_out", "cover_open", "cutter", "overheated", "internal", "offline")


@dataclass(slots=True)
class _Job:
    slip_id: str
    lines: tuple[str, ...]
    stage: str = "check"  # check, empty (first fence), paper (second fence), proof
    until_ms: int = 0
    proof_count: int = 0

    @property
    def may_exist(self) -> bool:
        return self.stage in ("paper", "proof")


class EscposHost:
    """A host for one printer; see ``hal.wire.session.Session``."""

    def __init__(self, device: str, page: escpos.CodePage = escpos.CP437) -> None:
        self._device = device
        self._page = page
        self._outputs: list[Output] = []
        self._faults = FaultBoard(device, self._emit)
        self._deadline_ms: int | None = None
        self._is_open = self._is_started = self._is_ready = self._is_lost_told = False
        self._question = 0  # 0: none in flight
        self._next_question = 1
        self._tries = 0
        self._wrong: dict[int, frozenset[str]] = {}
        self._fences_due = 0
        self._job: _Job | None = None
        self._waiting: deque[_Job] = deque()
        self._results: OrderedDict[str, DeviceEvent] = OrderedDict()

    # --- the session's interface -----------------------------------------------------------------------------------

    @property
    def deadline_ms(self) -> int | None:
        """When ``timeout`` wants to be called."""
        return self._deadline_ms

    def opened(self, now_ms: int) -> Outputs:
        """The port is open: look for the printer."""
        self._is_open = True
        self._is_lost_told = False
        self._is_nonsense = False
        if self._is_started:
            self._begin(now_ms)
        return self._taken()

    def closed(self, now_ms: int) -> Outputs:
        """The port has gone; a slip in it is lost."""
        self._is_open = False
        if self._is_ready:
            self._lost("port closed", now_ms)
        self._deadline_ms = None
        return self._taken()

    def receive(self, data: bytes, now_ms: int) -> Outputs:
        """Bytes came in; each is an answer of its own."""
        if self._is_open and self._is_started:
            for byte in data:
                self._on_byte(byte, now_ms)
        return self._taken()

    def line_error(self, now_ms: int) -> Outputs:
        """A damaged byte was dropped; the question is asked again after its time."""
        self._is_nonsense = True
        return []

    def timeout(self, now_ms: int) -> Outputs:
        """The deadline has passed."""
        self._deadline_ms = None
        self._faults.settle(now_ms)
        if self._is_open and self._is_started:
            self._on_timeout(now_ms)
        return self._taken()

    def command(self, command: Command, now_ms: int) -> Outputs:
        """The program wants something. Raises LocalProtocolError for what no printer can do."""
        match command:
            case Start():
                self._is_started = True
                if self._is_open:
                    self._begin(now_ms)
            case Stop():
                self._fail_all("stopped", now_ms)
                self._is_started = self._is_ready = False
                self._deadline_ms = None
            case PrintSlip():
                self._print(_Job(command.slip_id, command.lines), now_ms)
            case _:
                raise LocalProtocolError(f"{self._device}: a printer can't {command}")
        return self._taken()

    # --- slips -----------------------------------------------------------------------------------------------------

    def _print(self, job: _Job, now_ms: int) -> None:
        known = self._results.get(job.slip_id)
        if known is not None:
            self._emit(known)
        elif any(job.slip_id == other.slip_id for other in (self._job, *self._waiting) if other is not None):
            return  # its answer is on its way
        elif not self._is_ready:
            self._finish(SlipFailed(self._device, now_ms, job.slip_id, "not_ready", may_exist=False))
        elif len(self._waiting) >= MOST_WAITING:
            self._finish(SlipFailed(self._device, now_ms, job.slip_id, "busy", may_exist=False))
        else:
            self._waiting.append(job)
            if self._job is None and self._question == 0 and self._next_question == 1:
                self._deadline_ms = now_ms

    def _next_job(self, now_ms: int) -> None:
        if self._job is None and self._waiting:
            self._job = self._waiting.popleft()
            self._job.until_ms = now_ms + STRAY_MS

    def _advance(self, now_ms: int) -> None:
        """All statuses have just been asked: take the slip one stage further if it may."""
        job = self._job
        if job is None:
            return
        blocking = self._blocking()
        if blocking:
            self._fail(blocking, now_ms)
        elif job.stage == "check" and (self._fences_due == 0 or now_ms >= job.until_ms):
            # A fence whose answer has not come until now, with a printer that works, was lost with the printer's power.
            self._fences_due = 0
            job.stage = "empty"
            self._fence(escpos.QUIET, FENCE_MS, now_ms)
        elif job.stage == "empty" and self._fences_due == 0:
            job.stage = "paper"
            self._fence(escpos.slip(job.lines, self._page), FENCE_MS + LINE_MS * len(job.lines), now_ms)
        elif job.stage == "paper" and self._fences_due == 0:
            job.stage = "proof"
        elif job.stage == "proof" and job.proof_count + 1 < PROOFS:
            job.proof_count += 1
        elif job.stage == "proof":
            self._job = None
            self._finish(SlipPrinted(self._device, now_ms, job.slip_id))
        elif job.stage in ("empty", "paper") and now_ms >= job.until_ms:
            self._fail("no_proof" if job.stage == "empty" else "no_answer", now_ms)

    def _fence(self, data: bytes, patience_ms: int, now_ms: int) -> None:
        self._outputs.append(Send(data + escpos.FENCE))
        self._fences_due += 1
        if self._job is not None:
            self._job.until_ms = now_ms + patience_ms

    def _blocking(self) -> str:
        wrong = frozenset[str]().union(*self._wrong.values()) - _HARMLESS
        return next((code for code in _CONDITIONS if code in wrong), "")

    def _fail(self, reason: str, now_ms: int) -> None:
        job, self._job = self._job, None
        if job is not None:
            self._finish(SlipFailed(self._device, now_ms, job.slip_id, reason, job.may_exist))

    def _fail_all(self, reason: str, now_ms: int) -> None:
        self._fail(reason, now_ms)
        while self._waiting:
            self._finish(SlipFailed(self._device, now_ms, self._waiting.popleft().slip_id, reason, may_exist=False))

    def _finish(self, event: SlipPrinted | SlipFailed) -> None:
        if isinstance(event, SlipPrinted) or event.may_exist:
            self._results[event.slip_id] = event
            if len(self._results) > MOST_REMEMBERED:
                self._results.popitem(last=False)
        self._emit(event)

    # --- questions and answers -------------------------------------------------------------------------------------

    def _begin(self, now_ms: int) -> None:
        self._is_nonsense = False
        self._wrong = {}
        self._fences_due = 0
        self._outputs.append(Send(escpos.QUIET))
        self._ask(1, now_ms)

    def _ask(self, question: int, now_ms: int) -> None:
        self._question = question
        self._tries = 1
        self._outputs.append(Send(escpos.status_request(question)))
        self._deadline_ms = now_ms + REPLY_MS

    def _on_timeout(self, now_ms: int) -> None:
        if self._question == 0 and self._next_question > 1:
            self._go_on(now_ms)
        elif self._question == 0:
            self._next_job(now_ms)
            self._ask(1, now_ms)
        elif self._tries < LOST_AFTER_TRIES:
            self._tries += 1
            self._outputs.append(Send(escpos.status_request(self._question)))
            self._deadline_ms = now_ms + REPLY_MS
        else:
            self._lost(NONSENSE if self._is_nonsense else NO_ANSWER, now_ms)
            self._ask(1, now_ms)

    def _on_byte(self, byte: int, now_ms: int) -> None:
        if escpos.is_fence(byte):
            self._fences_due = max(0, self._fences_due - 1)
            return
        if self._question == 0:
            return  # an answer that came late
        try:
            self._wrong[self._question] = escpos.parse_status(self._question, byte)
        except RemoteProtocolError:
            self._is_nonsense = True
            return  # noise: the question is asked again after its time
        self._is_nonsense = False
        self._next_question = self._question + 1
        self._question = 0
        if self._tries > 1:
            # It was asked more than once: what else it answers must not be taken for the answer to the next question.
            self._deadline_ms = now_ms + REPLY_MS
        else:
            self._go_on(now_ms)

    def _go_on(self, now_ms: int) -> None:
        if self._next_question <= escpos.QUESTIONS[-1]:
            self._ask(self._next_question, now_ms)
            return
        self._next_question = 1
        self._all_known(now_ms)

    def _all_known(self, now_ms: int) -> None:
        if not self._is_ready:
            self._is_ready, self._is_lost_told = True, False
            self._emit(DeviceReady(self._device, now_ms, DeviceInfo(product="ESC/POS printer")))
        wrong = frozenset[str]().union(*self._wrong.values())
        for code in _CONDITIONS:
            # Being offline is a fault of its own only when the printer does not say why.
            if code in wrong and (code != "offline" or wrong <= {"offline", "paper_low"}):
                self._faults.up(code, "", now_ms)
            else:
                self._faults.down((code,), now_ms)
        self._next_job(now_ms)
        self._advance(now_ms)
        is_busy = self._job is not None or bool(self._waiting)
        self._deadline_ms = now_ms + (WATCH_MS if is_busy else IDLE_MS)

    def _lost(self, reason: str, now_ms: int) -> None:
        self._fail_all("lost", now_ms)
        self._is_ready = False
        self._question = 0
        self._next_question = 1
        self._wrong = {}
        if not self._is_lost_told:
            self._is_lost_told = True
            self._emit(DeviceLost(self._device, now_ms, reason))

    def _emit(self, event: DeviceEvent) -> None:
        self._outputs.append(Report(event))

    def _taken(self) -> list[Output]:
        outputs, self._outputs = self._outputs, []
        return outputs
