"""A cabinet whose money devices are byte-level ones behind their real hosts, all in one thread on the cabinet's clock.

As ``firmware.simulator.emulated``, but without ports and threads: time passes only when it is told to, so that a dialogue
can be cut at any millisecond of it, again and again, on a machine of any speed.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, cast

from firmware.settings.sections import Settings
from hal.drivers.port_thread import PortThread
from hal.drivers.serial_device import SerialCoinAcceptor, SerialHopper, SerialNoteAcceptor
from hal.emulators.base import Emulator
from hal.interfaces import Devices
from hal.simulated import World, WorldConfig
from hal.wire.session import Session
from tests.hal.contract.gpio_rigs import CoinPinRig, HopperPinRig, NotePinRig, PinRig
from tests.hal.contract.loop_port import LoopPort
from tests.support.cabinet import CabinetUnderTest


class Fitting(Protocol):
    """One device at the cabinet's wires."""

    def fit(self, devices: Devices, now_ms: int) -> Devices:
        """Return the devices with this one among them, as a program that starts now sees it."""

    def program_gone(self) -> None:
        """There is no program any more."""

    def advance(self, now_ms: int) -> None:
        """Let time pass."""

    def set_power(self, is_on: bool, now_ms: int) -> None:
        """Cut the device's power or give it back."""


class SerialLine:
    """A serial line with an emulated device; ``kind`` is which of the terminal's devices it is."""

    def __init__(self, kind: str, device: Emulator, session: Callable[[], Session]) -> None:
        self.kind, self.device = kind, device
        self.port: LoopPort | None = None
        self._session = session
        self._now_ms = 0

    def fit(self, devices: Devices, now_ms: int) -> Devices:
        self.device.output(now_ms)  # what was sent to nobody
        self.port = LoopPort(self._session(), self.device, now_ms)
        port = cast(PortThread, self.port)
        match self.kind:
            case "notes":
                return replace(devices, notes=SerialNoteAcceptor("notes", port))
            case "coins":
                return replace(devices, coins=SerialCoinAcceptor("coins", port))
            case _:
                return replace(devices, hopper=SerialHopper("hopper", port, 100))

    def program_gone(self) -> None:
        self.port = None

    def advance(self, now_ms: int) -> None:
        self._now_ms = now_ms
        if self.port is None:
            self.device.output(now_ms)
        else:
            self.port.run(now_ms - self.port.now_ms)

    def set_power(self, is_on: bool, now_ms: int) -> None:
        self.device.do(["power_on" if is_on else "power_cut"], now_ms)

    def do(self, line: str) -> None:
        """Carry out a verb of the device."""
        self.device.do(line.split(), self._now_ms)


class PinLines:
    """A device of pulses on pins. It has no memory, and hangs on the cabinet's power."""

    def __init__(self, rig: PinRig, fit: Callable[[Devices], Devices]) -> None:
        self.pins = rig
        self._fit = fit
        self._offset_ms: int | None = None

    def fit(self, devices: Devices, now_ms: int) -> Devices:
        self.advance(now_ms)
        self.pins.open()
        return self._fit(devices)

    def program_gone(self) -> None:
        self.pins.cut_power()

    def advance(self, now_ms: int) -> None:
        if self._offset_ms is None:
            self._offset_ms = self.pins.wires.now_ms - now_ms
        self.pins.run(now_ms + self._offset_ms - self.pins.wires.now_ms)

    def set_power(self, is_on: bool, now_ms: int) -> None:
        """What its lines would still have told goes with the power."""
        if not is_on:
            self.pins.wires.coming.clear()
            for pin in self.pins.inputs:
                self.pins.drive(pin.line, False)


class PulseHopperLines(PinLines):
    """A hopper whose motor stops with the program or its power."""

    def __init__(self) -> None:
        self.rig = HopperPinRig("gpiod")
        super().__init__(self.rig, lambda devices: replace(devices, hopper=self.rig.subject))


class PulseCoinLines(PinLines):
    """A coin acceptor: one pulse for 100, three for 200."""

    def __init__(self) -> None:
        self.rig = CoinPinRig("gpiod")
        super().__init__(self.rig, lambda devices: replace(devices, coins=self.rig.subject))


class PulseNoteLines(PinLines):
    """A note acceptor without escrow: a pulse for each 100."""

    def __init__(self) -> None:
        self.rig = NotePinRig("gpiod")
        super().__init__(self.rig, lambda devices: replace(devices, notes=self.rig.subject))


class WiredWorld(World):
    """The simulated cabinet with these devices in place of its own."""

    def __init__(self, fittings: tuple[Fitting, ...], config: WorldConfig | None = None) -> None:
        super().__init__(config)
        self._fittings = fittings
        self._built: Devices | None = None

    @property
    def devices(self) -> Devices:
        """The program's side; new with each program."""
        if self._built is None:
            self._built = super().devices
            for fitting in self._fittings:
                self._built = fitting.fit(self._built, self.now_ms)
        return self._built

    def advance(self, now_ms: int) -> None:
        """Let time pass for all."""
        super().advance(now_ms)
        for fitting in self._fittings:
            fitting.advance(now_ms)

    def cut_power(self, note: str | None = None) -> None:
        """Pull the plug of the whole cabinet."""
        self.host_dies()
        super().cut_power(note)
        for fitting in self._fittings:
            fitting.set_power(False, self.now_ms)

    def restore_power(self) -> None:
        """Put it back."""
        super().restore_power()
        for fitting in self._fittings:
            fitting.set_power(True, self.now_ms)

    def host_dies(self) -> None:
        """Only the program dies."""
        self._built = None
        for fitting in self._fittings:
            fitting.program_gone()
        super().host_dies()


class WiredCabinet(CabinetUnderTest):
    """The real terminal on such a world."""

    def __init__(self, settings: Settings, *fittings: Fitting) -> None:
        """Wire the devices up; the program starts with ``boot``."""
        super().__init__(settings, world=WiredWorld(fittings))

    def cut(self, kind: str, line: SerialLine | None = None) -> None:
        """Cut ``power`` (of the cabinet), ``program``, ``device`` (its power) or ``line``, wait, and begin again."""
        match kind:
            case "power":
                self.cut_power()
                self.wait(300)
                self.boot()
            case "program":
                self.kill()
                self.wait(700)
                self.boot()
            case "device" if line is not None:
                line.do("power_cut")
                self.wait(700)
                line.do("power_on")
            case "line" if line is not None and line.port is not None:
                line.port.close()
                self.wait(700)
                line.port.reopen()
            case _:
                raise ValueError(f"a {kind} can't be cut here")
