"""The panel and the pulse devices on pins as rigs of the contract suite, over both GPIO libraries."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence

from hal.debounce import PulseWindow
from hal.drivers.gpio_board import GpioBoard
from hal.drivers.gpio_chip import GpioChip, InputPin, OutputPin
from hal.drivers.gpio_panel import GpioPanel, PulseCoinAcceptor, PulseHopper, PulseNoteAcceptor
from hal.drivers.gpiod_chip import GpiodChip
from hal.drivers.polled_chip import PolledChip
from hal.drivers.rpi_gpio import RpiGpioReader
from hal.emulators.pulse import LineChange, PulseAcceptorDevice, PulseHopperDevice
from hal.events import DeviceEvent
from hal.interfaces import BUTTONS, DOORS, KEYS, CoinAcceptor, Device, EventSink, Hopper, NoteAcceptor, Panel
from hal.wire.panel import PanelUnit
from hal.wire.pins import PinCommand, PinUnit
from hal.wire.pulse import PulseCoinSpec, PulseCoinUnit, PulseNoteSpec, PulseNoteUnit
from hal.wire.pulse_hopper import PulseHopperSpec, PulseHopperUnit
from hal.wire.session import Start, Stop
from tests.hal.drivers import fake_pins

CHIP_PATH = "/dev/gpiochip0"


def chip_on(kind: str, wires: fake_pins.Wires) -> GpioChip:
    """Return a chip of this backend over wires; its library is put where an import finds it."""
    if kind == "gpiod":
        sys.modules["gpiod"] = fake_pins.gpiod(wires, CHIP_PATH)
        return GpiodChip(CHIP_PATH, wires.clock_ns, wires.wait)
    sys.modules["RPi.GPIO"] = fake_pins.rpi_gpio(wires)
    return PolledChip(RpiGpioReader(), 5, wires.clock_ns, wires.wait)


class LoopBoard:
    """A board in the test's own thread; stands where ``GpioProcess`` stands in the cabinet."""

    def __init__(self, board: GpioBoard) -> None:
        self._board = board
        self._sinks: dict[str, EventSink] = {}

    @property
    def moved_ms(self) -> int | None:
        return None

    def start(self, device: str, sink: EventSink, last_event: int) -> None:
        self._sinks[device] = sink
        self.command(Start(device, last_event))

    def command(self, command: PinCommand) -> None:
        self._board.command(command)

    def stop(self, device: str) -> None:
        self.command(Stop(device))

    def report(self, event: DeviceEvent) -> None:
        self._sinks[event.device](event)


class PinRig(ABC):
    """A unit, a board, a chip, wires, and what is at their other end."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.wires = fake_pins.Wires()
        self.wires.on_output = self._output
        self.events: list[DeviceEvent] = []
        self.inputs, self.outputs = self.pins()
        self.chip = chip_on(kind, self.wires)
        self.board: GpioBoard | None = None
        self.port: LoopBoard

    @abstractmethod
    def pins(self) -> tuple[Sequence[InputPin], Sequence[OutputPin]]: ...

    @abstractmethod
    def unit(self) -> PinUnit: ...

    @abstractmethod
    def _device(self) -> Device: ...

    def boot(self, last_event: int = 0) -> None:
        self.open()
        self.events = []
        self._device().start(self.events.append, last_event)

    def open(self) -> None:
        """Open the chip for a program, which is to start the device."""
        if self.board is not None:
            self.board.close()
        self.chip = chip_on(self.kind, self.wires)

        def report(event: DeviceEvent) -> None:
            self.port.report(event)

        self.board = GpioBoard(self.chip, self.inputs, self.outputs, [self.unit()], report, lambda: self.wires.now_ms)
        self.port = LoopBoard(self.board)
        self.board.open()

    def cut_power(self) -> None:
        if self.board is not None:
            self.board.close()
            self.board = None

    def host_dies(self) -> None:
        self.cut_power()

    def run(self, duration_ms: int) -> None:
        end_ms = self.wires.now_ms + duration_ms
        while self.wires.now_ms < end_ms:
            until_ms = min(end_ms, self.next_due_ms() or end_ms)
            if self.board is not None:
                self.board.step(-1, until_ms)
            else:
                self.wires.pass_to(until_ms)
            self.happen()
        if self.board is not None:
            self.board.step(-1, end_ms)

    def next_due_ms(self) -> int | None:
        """When the device at the wires does something by itself."""
        return None

    def happen(self) -> None:  # noqa: B027 - most do nothing by themselves
        """Let the device at the wires do what is due."""

    def drive(self, line: str, active: bool, at_ms: int | None = None) -> None:
        pin = next(pin for pin in self.inputs if pin.line == line)
        self.wires.drive(pin.pin, active == pin.active_high, at_ms)

    def play(self, changes: Sequence[LineChange]) -> None:
        for change in changes:
            self.drive(change.line, change.active, change.at_ms)

    def is_on(self, line: str) -> bool:
        pin = next(pin for pin in self.outputs if pin.line == line)
        return self.wires.outputs.get(pin.pin) == pin.active_high

    def _output(self, pin_number: int, high: bool) -> None:
        pin = next(pin for pin in self.outputs if pin.pin == pin_number)
        self.on_output(pin.line, high == pin.active_high)

    def on_output(self, line: str, active: bool) -> None:  # noqa: B027 - most do not care
        """An output changed."""


class PanelPinRig(PinRig):
    """The panel."""

    def pins(self) -> tuple[Sequence[InputPin], Sequence[OutputPin]]:
        inputs = [InputPin(f"button.{button}", number) for number, button in enumerate(BUTTONS)]
        inputs += [InputPin(f"door.{door}", 12 + number, active_high=True) for number, door in enumerate(DOORS)]
        inputs += [InputPin(f"key.{key}", 15 + number) for number, key in enumerate(KEYS)]
        lines = ("lamp.b1", "lamp.b2", "tower.white", "tower.red", "meter.in", "meter.out")
        return inputs, [OutputPin(line, 17 + number, number != 1) for number, line in enumerate(lines)]

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        for door in DOORS:
            self.drive(f"door.{door}", False)

    def unit(self) -> PinUnit:
        return PanelUnit((*(pin.line for pin in self.inputs), *(pin.line for pin in self.outputs)))

    @property
    def subject(self) -> Panel:
        return GpioPanel("panel", self.port)

    def _device(self) -> Device:
        return self.subject

    def _contact(self, line: str, active: bool) -> None:
        """Real contacts bounce."""
        self.drive(line, active)
        now_ms = self.wires.now_ms
        for bounce_ms in (1, 2, 4, 6):
            self.drive(line, active if bounce_ms % 4 == 2 else not active, now_ms + bounce_ms)
        self.drive(line, active, now_ms + 8)

    def press(self, button: str) -> None:
        self._contact(f"button.{button}", True)

    def release(self, button: str) -> None:
        self._contact(f"button.{button}", False)

    def move_door(self, door: str, is_open: bool) -> None:
        self._contact(f"door.{door}", is_open)

    def turn_key(self, key: str, is_on: bool) -> None:
        self._contact(f"key.{key}", is_on)

    def lamp(self, button: str) -> str:
        if f"lamp.{button}" not in [pin.line for pin in self.outputs]:
            return "off"
        seen = set()
        for _ in range(20):
            self.run(50)
            seen.add(self.is_on(f"lamp.{button}"))
        return "blink" if len(seen) == 2 else "on" if True in seen else "off"

    def meter_steps(self, meter: str) -> int:
        pin = next(pin for pin in self.outputs if pin.line == f"meter.{meter}")
        return sum(high == pin.active_high for _, number, high in self.wires.history if number == pin.pin)


class AcceptorPinRig(PinRig):
    """Something that tells money by pulses and is let in by one output."""

    acceptor: PulseAcceptorDevice

    def on_output(self, line: str, active: bool) -> None:
        self.acceptor.let_in = active

    def insert(self, minor: int) -> None:
        self.play(self.acceptor.insert(minor, self.wires.now_ms))


class CoinPinRig(AcceptorPinRig):
    """A pulse coin acceptor on one line: one pulse for 100, three for 200."""

    spec = PulseCoinSpec(
        window=PulseWindow.around(50, 100, max_pulse_count=10),
        inhibit="coin.inhibit",
        pulse_line="coin.pulses",
        values_by_count={1: 100, 3: 200},
    )

    def __init__(self, kind: str) -> None:
        self.acceptor = PulseAcceptorDevice({100: ("coin.pulses", 1), 200: ("coin.pulses", 3)})
        super().__init__(kind)

    def pins(self) -> tuple[Sequence[InputPin], Sequence[OutputPin]]:
        return [InputPin("coin.pulses", 4)], [OutputPin("coin.inhibit", 17)]

    def unit(self) -> PinUnit:
        return PulseCoinUnit(self.spec)

    @property
    def subject(self) -> CoinAcceptor:
        return PulseCoinAcceptor("coins", self.port)

    def _device(self) -> Device:
        return self.subject

    @property
    def accepted_minor(self) -> list[int]:
        return sorted(self.acceptor.taken_minor)


class NotePinRig(AcceptorPinRig):
    """A pulse note acceptor: one pulse for each 100."""

    spec = PulseNoteSpec(PulseWindow.around(50, 100), "note.pulses", "note.inhibit", 100, (1_000, 2_000))

    def __init__(self, kind: str) -> None:
        self.acceptor = PulseAcceptorDevice({1_000: ("note.pulses", 10), 2_000: ("note.pulses", 20)})
        super().__init__(kind)

    def pins(self) -> tuple[Sequence[InputPin], Sequence[OutputPin]]:
        return [InputPin("note.pulses", 4)], [OutputPin("note.inhibit", 17)]

    def unit(self) -> PinUnit:
        return PulseNoteUnit(self.spec)

    @property
    def subject(self) -> NoteAcceptor:
        return PulseNoteAcceptor("notes", self.port)

    def _device(self) -> Device:
        return self.subject


class HopperPinRig(PinRig):
    """A pulse hopper whose motor needs 60 ms to stop."""

    spec = PulseHopperSpec("hopper.motor", "hopper.sensor", 100, PulseWindow.around(40, 110))

    def __init__(self, kind: str) -> None:
        self.hopper = PulseHopperDevice("hopper.sensor", 50, brake_ms=60)
        super().__init__(kind)

    def pins(self) -> tuple[Sequence[InputPin], Sequence[OutputPin]]:
        return [InputPin("hopper.sensor", 4)], [OutputPin("hopper.motor", 17)]

    def unit(self) -> PinUnit:
        return PulseHopperUnit(self.spec)

    @property
    def subject(self) -> Hopper:
        return PulseHopper("hopper", self.port, 100)

    def _device(self) -> Device:
        return self.subject

    def on_output(self, line: str, active: bool) -> None:
        self.hopper.motor(active, self.wires.now_ms)

    def next_due_ms(self) -> int | None:
        return self.hopper.next_due_ms()

    def happen(self) -> None:
        due_ms = self.hopper.next_due_ms()
        if due_ms is not None and due_ms <= self.wires.now_ms:
            self.play(self.hopper.pass_coin(self.wires.now_ms))

    def set_coins(self, count: int) -> None:
        self.hopper.coin_count = count

    @property
    def paid_count(self) -> int:
        return self.hopper.paid_count
