"""Pins that are bytes of a file, so that a test and a process of its own share them. Picklable; stands for a chip."""

import mmap
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hal.drivers.gpio_chip import InputPin, OutputPin
from hal.drivers.polled_chip import PolledChip
from hal.errors import PortError

PIN_COUNT = 64


class PinFile:
    """The wires: one byte per pin. Pins below 10 are inputs and start high, as with a pull-up; the others start low."""

    def __init__(self, path: Path, create: bool = False) -> None:
        if create:
            path.write_bytes(b"\x01" * 10 + bytes(PIN_COUNT - 10))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), PIN_COUNT)

    def get(self, pin: int) -> bool:
        return self._map[pin] != 0

    def set(self, pin: int, high: bool) -> None:
        self._map[pin] = high

    def close(self) -> None:
        self._map.close()


class FileReader:
    """See ``hal.drivers.polled_chip.PinReader``. A file that is not there is a chip that is not there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pins: PinFile | None = None

    def open(self, inputs: Sequence[InputPin], outputs: Sequence[OutputPin]) -> None:
        if not self._path.exists():
            raise PortError(f"{self._path}: no such chip")
        self._pins = PinFile(self._path)
        for pin in outputs:
            self._pins.set(pin.pin, not pin.active_high)

    def read(self, pin: int) -> bool:
        return self._pins is not None and self._pins.get(pin)

    def write(self, pin: int, high: bool) -> None:
        if self._pins is not None:
            self._pins.set(pin, high)

    def close(self) -> None:
        if self._pins is not None:
            self._pins.close()
            self._pins = None


def _chip(path: Path) -> PolledChip:
    return PolledChip(FileReader(path), period_ms=2)


def chip_factory(path: Path) -> "partial[PolledChip]":
    """Return what makes the chip in the process."""
    return partial(_chip, path)
