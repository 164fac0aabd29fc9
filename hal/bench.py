"""How the GPIO sampler keeps its time while the program is busy: figures for people, not a test.

The pins are a clock instead of a chip: a coin line that gives trains of short pulses at known times, read by the same
sampler, in the same process of its own, as in a cabinet. Not responsible for the load; the caller gives it.
"""

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hal.debounce import PulseWindow
from hal.drivers.gpio_board import GpioBoard
from hal.drivers.gpio_chip import InputPin, OutputPin, monotonic_ns
from hal.drivers.gpio_panel import PulseCoinAcceptor
from hal.drivers.gpio_process import FIRST_WORD_S, GpioProcess, GpioSetup
from hal.drivers.polled_chip import PolledChip
from hal.errors import PortError
from hal.events import CoinAccepted, DeviceEvent, DeviceFault, DeviceReady
from hal.wire.pins import PinUnit
from hal.wire.pulse import PulseCoinSpec, PulseCoinUnit
from hal.wire.session import Enable, Start

PULSE_MS = 30
PULSES = 3
PERIOD_MS = 500
"""A train of three pulses of 30 ms, 30 ms apart, every half second: the fastest that coin acceptors give."""

SAMPLE_MS = 5
"""How often the pins are looked at."""

INPUT, OUTPUT = InputPin("coin.pulses", 0, active_high=True), OutputPin("coin.inhibit", 1)


@dataclass(frozen=True, slots=True)
class SamplerFigures:
    """What was measured. ``worst_gap_ms``: longest time between two samples. Coins are trains of three pulses."""

    seconds: float
    worst_gap_ms: int
    coins_given_count: int
    coins_counted_count: int
    fault_count: int


def in_its_process(seconds: float, load: Callable[[], None]) -> SamplerFigures:
    """Let the sampler run in its process, as in a cabinet, while ``load`` is called again and again in this one."""
    heard: list[DeviceEvent] = []
    port = GpioProcess(GpioSetup(clock_chip, (INPUT,), (OUTPUT,), coin_units))
    coins = PulseCoinAcceptor("coins", port)
    begun = threading.Event()

    def hear(event: DeviceEvent) -> None:
        heard.append(event)
        if isinstance(event, DeviceReady):
            begun.set()

    coins.start(hear, 0)
    try:
        _wait_for(begun)
        coins.enable((100,))
        begin_ms, end_ms = _load_for(seconds, load)
        time.sleep(1)
        return _figures(seconds, port.worst_gap_ms, heard, begin_ms, end_ms)
    finally:
        coins.stop()


def in_a_thread(seconds: float, load: Callable[[], None]) -> SamplerFigures:
    """The same in a thread of this process, to show what the process is for."""
    heard: list[DeviceEvent] = []
    chip = clock_chip()
    board = GpioBoard(chip, (INPUT,), (OUTPUT,), coin_units(), heard.append)
    board.open()
    board.command(Start("coins"))
    board.command(Enable("coins", (100,)))
    stopping = threading.Event()
    reader, writer = os.pipe()

    def run() -> None:
        while not stopping.is_set():
            board.step(reader, time.monotonic_ns() // 1_000_000 + 100)

    thread = threading.Thread(target=run)
    thread.start()
    begin_ms, end_ms = _load_for(seconds, load)
    time.sleep(1)
    stopping.set()
    thread.join()
    os.close(reader)
    os.close(writer)
    return _figures(seconds, chip.worst_gap_ms, heard, begin_ms, end_ms)


def busy_python() -> None:
    """A load for want of a better one: the interpreter computes without a pause for 50 ms."""
    end = time.perf_counter() + 0.05
    while time.perf_counter() < end:
        sum(number * number for number in range(2_000))


class ClockReader:
    """Pins that follow the clock; see ``hal.drivers.polled_chip.PinReader``."""

    def __init__(self, clock_ns: Callable[[], int] = monotonic_ns) -> None:
        self._clock_ns = clock_ns

    def open(self, inputs: Sequence[InputPin], outputs: Sequence[OutputPin]) -> None:
        """There is nothing to open."""

    def read(self, pin: int) -> bool:
        """Return whether a pulse is there now."""
        phase_ms = self._clock_ns() // 1_000_000 % PERIOD_MS
        return phase_ms < 2 * PULSES * PULSE_MS and phase_ms % (2 * PULSE_MS) < PULSE_MS

    def write(self, pin: int, high: bool) -> None:
        """Nobody is there."""

    def close(self) -> None:
        """There is nothing to close."""


class RecordingReader(ClockReader):
    """Writes down, when it is closed, how late the samples were: a JSON object of milliseconds (tenths) -> samples.

    The first second is not counted: the process begins then.
    """

    def __init__(self, path: Path, clock_ns: Callable[[], int] = monotonic_ns) -> None:
        super().__init__(clock_ns)
        self._path, self._clock_ns = path, clock_ns
        self._late_tenths: Counter[int] = Counter()
        self._begun_ns = self._read_ns = clock_ns()

    def read(self, pin: int) -> bool:
        """Return whether a pulse is there now, and count the time since the last look."""
        now_ns = self._clock_ns()
        if now_ns - self._begun_ns > 1_000_000_000:
            self._late_tenths[max(0, now_ns - self._read_ns - SAMPLE_MS * 1_000_000) // 100_000] += 1
        self._read_ns = now_ns
        return super().read(pin)

    def close(self) -> None:
        """Write the samples down."""
        self._path.write_text(json.dumps({str(tenths / 10): count for tenths, count in self._late_tenths.items()}))


@contextmanager
def recorded_pins(path: Path) -> Iterator[Callable[[], Counter[float]]]:
    """Let the sampler run in its process, as in a cabinet; what is given ends it and returns how late it was in
    milliseconds -> samples."""
    port = GpioProcess(GpioSetup(partial(recording_chip, path), (INPUT,), (OUTPUT,), coin_units))
    coins = PulseCoinAcceptor("coins", port)
    ready = threading.Event()
    coins.start(lambda event: ready.set() if isinstance(event, DeviceReady) else None, 0)

    def ended() -> Counter[float]:
        coins.stop()
        return Counter({float(late): count for late, count in json.loads(path.read_text()).items()})

    try:
        _wait_for(ready)
        coins.enable((100,))
        yield ended
    finally:
        coins.stop()


def _wait_for(begun: threading.Event) -> None:
    if not begun.wait(FIRST_WORD_S):
        raise PortError(f"the GPIO process did not begin in {FIRST_WORD_S:.0f} s")


def recording_chip(path: Path) -> PolledChip:
    """Return a chip that writes down how late it was; a function of its own so that it can be sent to the process."""
    return PolledChip(RecordingReader(path), SAMPLE_MS)


def clock_chip() -> PolledChip:
    """Return the chip; a function of its own so that it can be sent to the process."""
    return PolledChip(ClockReader())


def coin_units() -> list[PinUnit]:
    """Return the coin acceptor on the line."""
    window = PulseWindow(15, 60, 10, train_end_ms=150, max_pulse_count=10, bounce_ms=6, stuck_ms=500)
    return [
        PulseCoinUnit(PulseCoinSpec(window, "coin.inhibit", pulse_line="coin.pulses", values_by_count={PULSES: 100}))
    ]


def _load_for(seconds: float, load: Callable[[], None]) -> tuple[int, int]:
    """Call the load until the time is over; returns when it began and ended."""
    time.sleep(1)  # the first quiet, before which nothing is counted
    begin_ms = time.monotonic_ns() // 1_000_000
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        load()
    return begin_ms, time.monotonic_ns() // 1_000_000


def _figures(seconds: float, worst_gap_ms: int, heard: list[DeviceEvent], begin_ms: int, end_ms: int) -> SamplerFigures:
    """Compare the trains that lay wholly in the time with the coins that were counted for them."""
    first, last = -(-begin_ms // PERIOD_MS), end_ms // PERIOD_MS
    window = range(first * PERIOD_MS, last * PERIOD_MS)
    counted = sum(isinstance(event, CoinAccepted) and event.at_ms in window for event in heard)
    faults = sum(isinstance(event, DeviceFault) and event.is_up for event in heard)
    return SamplerFigures(seconds, worst_gap_ms, last - first, counted, faults)
