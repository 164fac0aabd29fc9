"""What pulse acceptors have in common: lines that are watched, an inhibit line, and a judgement of what is wrong.

Pure. A pulse acceptor says only "so many pulses"; it has no memory, no serial number and no acknowledgement. So everything
that doubts the count is a fault and never money, and every signal at a time when no money can come is suspicious.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hal.debounce import Anomaly, Pulse, PulseCounter, PulseEvent, PulseWindow, Train
from hal.events import DeviceFault, DeviceReady, MoneyBegan
from hal.wire.pins import PinOutput, SetLine
from hal.wire.session import Report

GRACE_MS = 1_500
"""Money that was past the gate when the acceptor was inhibited may still be reported for so long."""

HOLD_MS = 1_000
"""After a doubtful signal nothing is taken for so long."""

CLEAR_MS = 5_000
"""A fault that was only seen at one moment goes away after so much quiet; the terminal decides what to make of it."""

NOISE_COUNT, NOISE_SPAN_MS = 5, 10_000
"""So many discarded signals within this time are a fault of the line."""


@dataclass(slots=True)
class _Fault:
    """A fault that is up; ``clears_ms`` is when it goes away by itself, None while its cause lasts."""

    clears_ms: int | None


@dataclass(frozen=True, slots=True)
class Heard:
    """What the lines said: good pulses, trains, and what was reported or set because of the rest."""

    events: tuple[tuple[str, Pulse | Train], ...] = ()
    outputs: tuple[PinOutput, ...] = ()


@dataclass(slots=True)
class PulseLines:
    """The input lines of one acceptor, its inhibit output (active lets money in), and the faults of its signals."""

    device: str
    lines: tuple[str, ...]
    window: PulseWindow
    inhibit: str
    counters: dict[str, PulseCounter] = field(default_factory=dict)
    started: bool = False
    enabled: bool = False
    _disabled_ms: int | None = None
    _held_until_ms: int | None = None
    _faults: dict[str, _Fault] = field(default_factory=dict)
    _is_begun: bool = False
    """A train of pulses is under way and has been told."""
    _noise_ms: deque[int] = field(default_factory=lambda: deque(maxlen=NOISE_COUNT))

    @property
    def deadline_ms(self) -> int | None:
        """When a train ends, a hold is over, or a fault goes away."""
        due = [counter.due_ms for counter in self.counters.values() if counter.due_ms is not None]
        due += [fault.clears_ms for fault in self._faults.values() if fault.clears_ms is not None]
        if self._held_until_ms is not None:
            due.append(self._held_until_ms)
        return min(due, default=None)

    def begin(self, levels: Mapping[str, bool], now_ms: int) -> None:
        """Watch the lines from now on."""
        self.counters = {line: PulseCounter(self.window, levels[line], now_ms) for line in self.lines}
        self._is_begun = False

    def greeting(self, ready: DeviceReady) -> list[PinOutput]:
        """The device is ready; a fault that is there already follows."""
        self.started = True
        return [Report(ready), *(self._fault_report(code, True, ready.at_ms, "") for code in self._faults)]

    def enable(self, now_ms: int) -> list[PinOutput]:
        """Let money in, unless a doubtful signal holds it back."""
        self.enabled, self._disabled_ms = True, None
        return self._gate(now_ms)

    def disable(self, now_ms: int) -> list[PinOutput]:
        """Refuse money."""
        if self.enabled:
            self.enabled, self._disabled_ms = False, now_ms
        return self._gate(now_ms)

    def may_count(self, at_ms: int) -> bool:
        """Whether money can have come at that time: enabled, or disabled so short ago that it was past the gate."""
        return self.enabled or (self._disabled_ms is not None and at_ms <= self._disabled_ms + GRACE_MS)

    def pulse_came(self, at_ms: int) -> list[PinOutput]:
        """Tell the first pulse of a train: its money is inside, and its worth would be lost with the power."""
        if self._is_begun or not self.started or not self.may_count(at_ms):
            return []
        self._is_begun = True
        return [Report(MoneyBegan(self.device, at_ms))]

    def train_over(self) -> None:
        """The train has ended; what it was is told by its owner."""
        self._is_begun = False

    def edge(self, line: str, active: bool, at_ms: int) -> Heard:
        """A line changed."""
        return self._sort(line, self.counters[line].edge(at_ms, active), at_ms)

    def edges_lost(self, levels: Mapping[str, bool], now_ms: int) -> list[PinOutput]:
        """Nobody knows what passed: begin again, as after a start, and say so."""
        self.begin(levels, now_ms)
        return self.doubt("lost_events", "edges were lost; money may have passed uncounted", now_ms)

    def timeout(self, now_ms: int) -> Heard:
        """Time has passed."""
        heard: list[tuple[str, Pulse | Train]] = []
        outputs: list[PinOutput] = []
        for line, counter in self.counters.items():
            part = self._sort(line, counter.settle(now_ms), now_ms)
            heard += part.events
            outputs += part.outputs
        over = [code for code, fault in self._faults.items() if _is_over(fault, now_ms)]
        for code in over:
            del self._faults[code]
            outputs += self._say(code, False, now_ms, "")
        hold_over = self._held_until_ms is not None and now_ms >= self._held_until_ms
        if hold_over:
            self._held_until_ms = None
        if over or hold_over:
            outputs += self._gate(now_ms)
        return Heard(tuple(heard), tuple(outputs))

    def doubt(self, code: str, detail: str, now_ms: int) -> list[PinOutput]:
        """Report a fault of this moment and take nothing for a while."""
        is_new = code not in self._faults
        self._faults[code] = _Fault(now_ms + CLEAR_MS)
        self._held_until_ms = now_ms + HOLD_MS
        return [*(self._say(code, True, now_ms, detail) if is_new else []), *self._gate(now_ms)]

    # --- inside -----------------------------------------------------------------------------------------------------

    def _gate(self, now_ms: int) -> list[PinOutput]:
        stuck = "sensor" in self._faults
        held = self._held_until_ms is not None and now_ms < self._held_until_ms
        return [SetLine(self.inhibit, self.enabled and not held and not stuck)]

    def _sort(self, line: str, events: Sequence[PulseEvent], now_ms: int) -> Heard:
        good: list[tuple[str, Pulse | Train]] = []
        outputs: list[PinOutput] = []
        for event in events:
            if isinstance(event, Anomaly):
                outputs += self._anomaly(line, event, now_ms)
            else:
                good.append((line, event))
        outputs += self._released(now_ms)
        return Heard(tuple(good), tuple(outputs))

    def _anomaly(self, line: str, anomaly: Anomaly, now_ms: int) -> list[PinOutput]:
        if anomaly.kind == "stuck":
            self._faults["sensor"] = _Fault(None)
            detail = f"{line} stays active: wrong polarity, short circuit or no power"
            return [*self._say("sensor", True, now_ms, detail), *self._gate(now_ms)]
        self._noise_ms.append(anomaly.at_ms)
        if len(self._noise_ms) == NOISE_COUNT and anomaly.at_ms - self._noise_ms[0] <= NOISE_SPAN_MS:
            self._noise_ms.clear()
            return self.doubt("checksum", f"{line}: {NOISE_COUNT} signals that no good device gives", now_ms)
        return []

    def _released(self, now_ms: int) -> list[PinOutput]:
        """A line that was stuck is free again once no line is active."""
        fault = self._faults.get("sensor")
        if fault is None or fault.clears_ms is not None or any(counter.active for counter in self.counters.values()):
            return []
        fault.clears_ms = now_ms + CLEAR_MS
        return []

    def _say(self, code: str, is_up: bool, now_ms: int, detail: str) -> list[PinOutput]:
        return [self._fault_report(code, is_up, now_ms, detail)] if self.started else []

    def _fault_report(self, code: str, is_up: bool, now_ms: int, detail: str) -> Report:
        return Report(DeviceFault(self.device, now_ms, code, detail, is_up))


def _is_over(fault: _Fault, now_ms: int) -> bool:
    return fault.clears_ms is not None and now_ms >= fault.clears_ms
