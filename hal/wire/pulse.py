"""Pulse acceptors for coins and for notes: pulses become money, or a fault that says why not.

Pure. Two wirings of coin acceptors: one line per coin (each pulse is a coin), or one line on which the number of pulses
tells the coin. A note acceptor tells its value by a number of pulses when the note is already in the cash box: there is
no escrow. None of them has a serial number or a memory: event numbers go on from the journal's last one, and what
happens while the program is dead is never known.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hal.debounce import Pulse, PulseWindow, Train
from hal.errors import LocalProtocolError
from hal.events import CoinAccepted, CoinReport, DeviceInfo, DeviceReady, NoteReport, NoteStacked
from hal.wire.pins import PinCommand, PinOutput, SetLine
from hal.wire.pulse_line import Heard, PulseLines
from hal.wire.session import Confirm, Disable, Enable, Report, ReturnNote, Route, StackNote, Start, Stop

EPOCH = 1
"""A pulse device has no reset count; its key's number never starts again because the journal's last one goes on."""


@dataclass(frozen=True, slots=True)
class PulseCoinSpec:
    """A pulse coin acceptor: either ``values_by_line`` (one line per coin) or ``pulse_line`` with ``values_by_count``.

    ``inhibit`` is active while coins are let in. ``divert``, if fitted, is active while coins go to the hopper;
    without it all go to ``fixed_route``.
    """

    window: PulseWindow
    inhibit: str
    values_by_line: Mapping[str, int] = field(default_factory=dict)
    pulse_line: str | None = None
    values_by_count: Mapping[int, int] = field(default_factory=dict)
    divert: str | None = None
    fixed_route: str = "cash_box"
    device: str = "coins"


@dataclass(frozen=True, slots=True)
class PulseNoteSpec:
    """A pulse note acceptor: ``minor_per_pulse`` times the number of pulses must be one of ``denominations_minor``."""

    window: PulseWindow
    pulse_line: str
    inhibit: str
    minor_per_pulse: int
    denominations_minor: tuple[int, ...]
    device: str = "notes"


class PulseCoinUnit:
    """See ``hal.wire.pins.PinUnit``."""

    def __init__(self, spec: PulseCoinSpec) -> None:
        self._spec = spec
        lines = tuple(spec.values_by_line) if spec.pulse_line is None else (spec.pulse_line,)
        self._lines = PulseLines(spec.device, lines, spec.window, spec.inhibit)
        self._last_event = 0
        self._accepted_count = 0
        self._route = spec.fixed_route

    @property
    def device(self) -> str:
        """The acceptor's name."""
        return self._spec.device

    @property
    def inputs(self) -> tuple[str, ...]:
        """The pulse lines."""
        return self._lines.lines

    @property
    def outputs(self) -> tuple[str, ...]:
        """Inhibit, and the diverter if fitted."""
        return (self._spec.inhibit,) if self._spec.divert is None else (self._spec.inhibit, self._spec.divert)

    @property
    def deadline_ms(self) -> int | None:
        """See ``PulseLines``."""
        return self._lines.deadline_ms

    def begin(self, levels: Mapping[str, bool], now_ms: int) -> list[PinOutput]:
        """Watch the lines."""
        self._lines.begin(levels, now_ms)
        return []

    def edge(self, line: str, active: bool, at_ms: int) -> list[PinOutput]:
        """A line changed."""
        return self._take(self._lines.edge(line, active, at_ms))

    def edges_lost(self, levels: Mapping[str, bool], now_ms: int) -> list[PinOutput]:
        """Coins may have passed uncounted."""
        return self._lines.edges_lost(levels, now_ms)

    def timeout(self, now_ms: int) -> list[PinOutput]:
        """Time has passed."""
        return self._take(self._lines.timeout(now_ms))

    def command(self, command: PinCommand, now_ms: int) -> list[PinOutput]:
        """Carry out what a coin acceptor can."""
        match command:
            case Start():
                self._last_event = max(self._last_event, command.last_event)
                info = DeviceInfo(product="pulse coin acceptor", denominations_minor=self._values())
                ready = DeviceReady(self.device, now_ms, info, CoinReport())
                return [*self._lines.disable(now_ms), *self._set_route("cash_box"), *self._lines.greeting(ready)]
            case Enable():
                return self._lines.enable(now_ms) if command.values_minor else self._lines.disable(now_ms)
            case Disable():
                return self._lines.disable(now_ms)
            case Route():
                return self._set_route(command.to)
            case Confirm():
                return []  # a pulse device knows of no acknowledgement
            case Stop():
                outputs = self._lines.disable(now_ms)
                self._lines.started = False
                return [*outputs, *self._set_route("cash_box")]
            case _:
                raise LocalProtocolError(f"a pulse coin acceptor can't {command}")

    # --- inside -----------------------------------------------------------------------------------------------------

    def _values(self) -> tuple[int, ...]:
        spec = self._spec
        table = spec.values_by_line.values() if spec.pulse_line is None else spec.values_by_count.values()
        return tuple(sorted(set(table)))

    def _set_route(self, to: str) -> list[PinOutput]:
        if self._spec.divert is None:
            return []
        self._route = to
        return [SetLine(self._spec.divert, to == "hopper")]

    def _take(self, heard: Heard) -> list[PinOutput]:
        outputs = list(heard.outputs)
        for line, event in heard.events:
            if self._spec.pulse_line is None:
                if isinstance(event, Pulse):
                    outputs += self._coin(self._spec.values_by_line[line], 1, event.at_ms)
            elif isinstance(event, Pulse):
                outputs += self._lines.pulse_came(event.at_ms)
            else:
                self._lines.train_over()
                value = self._spec.values_by_count.get(event.pulse_count) if event.clean else None
                outputs += self._coin(value, event.pulse_count, event.at_ms)
        return outputs

    def _coin(self, value_minor: int | None, pulse_count: int, at_ms: int) -> list[PinOutput]:
        if not self._lines.may_count(at_ms):
            return self._lines.doubt("fraud", f"{pulse_count} pulses while inhibited", at_ms)
        if value_minor is None:
            return self._lines.doubt("unknown_money", f"a coin of {pulse_count} pulses, which no coin has", at_ms)
        self._last_event += 1
        self._accepted_count += 1
        key = f"{self.device}-pulse:{EPOCH}:{self._last_event}"
        return [Report(CoinAccepted(self.device, at_ms, key, value_minor, self._route))]


class PulseNoteUnit:
    """See ``hal.wire.pins.PinUnit``. Reports ``NoteStacked`` only: the note is in the cash box before the first pulse."""

    def __init__(self, spec: PulseNoteSpec) -> None:
        self._spec = spec
        self._lines = PulseLines(spec.device, (spec.pulse_line,), spec.window, spec.inhibit)
        self._last_event = 0

    @property
    def device(self) -> str:
        """The acceptor's name."""
        return self._spec.device

    @property
    def inputs(self) -> tuple[str, ...]:
        """The pulse line."""
        return self._lines.lines

    @property
    def outputs(self) -> tuple[str, ...]:
        """The inhibit line."""
        return (self._spec.inhibit,)

    @property
    def deadline_ms(self) -> int | None:
        """See ``PulseLines``."""
        return self._lines.deadline_ms

    def begin(self, levels: Mapping[str, bool], now_ms: int) -> list[PinOutput]:
        """Watch the line."""
        self._lines.begin(levels, now_ms)
        return []

    def edge(self, line: str, active: bool, at_ms: int) -> list[PinOutput]:
        """The line changed."""
        return self._take(self._lines.edge(line, active, at_ms))

    def edges_lost(self, levels: Mapping[str, bool], now_ms: int) -> list[PinOutput]:
        """A note may have passed uncounted."""
        return self._lines.edges_lost(levels, now_ms)

    def timeout(self, now_ms: int) -> list[PinOutput]:
        """Time has passed."""
        return self._take(self._lines.timeout(now_ms))

    def command(self, command: PinCommand, now_ms: int) -> list[PinOutput]:
        """Carry out what a note acceptor without escrow can."""
        match command:
            case Start():
                self._last_event = max(self._last_event, command.last_event)
                values = tuple(sorted(self._spec.denominations_minor))
                info = DeviceInfo(product="pulse note acceptor", denominations_minor=values)
                ready = DeviceReady(self.device, now_ms, info, NoteReport())
                return [*self._lines.disable(now_ms), *self._lines.greeting(ready)]
            case Enable():
                return self._lines.enable(now_ms) if command.values_minor else self._lines.disable(now_ms)
            case Disable():
                return self._lines.disable(now_ms)
            case StackNote() | ReturnNote() | Confirm():
                return []  # nothing ever waits here
            case Stop():
                outputs = self._lines.disable(now_ms)
                self._lines.started = False
                return outputs
            case _:
                raise LocalProtocolError(f"a pulse note acceptor can't {command}")

    # --- inside -----------------------------------------------------------------------------------------------------

    def _take(self, heard: Heard) -> list[PinOutput]:
        outputs = list(heard.outputs)
        for _, event in heard.events:
            if isinstance(event, Pulse):
                outputs += self._lines.pulse_came(event.at_ms)
            else:
                self._lines.train_over()
                outputs += self._note(event)
        return outputs

    def _note(self, train: Train) -> list[PinOutput]:
        value_minor = train.pulse_count * self._spec.minor_per_pulse
        if not self._lines.may_count(train.at_ms):
            return self._lines.doubt("fraud", f"{train.pulse_count} pulses while inhibited", train.at_ms)
        if not train.clean or value_minor not in self._spec.denominations_minor:
            return self._lines.doubt("unknown_money", f"a note of about {train.pulse_count} pulses", train.at_ms)
        self._last_event += 1
        key = f"{self.device}-pulse:{EPOCH}:{self._last_event}"
        return [Report(NoteStacked(self.device, train.at_ms, key, value_minor, None))]
