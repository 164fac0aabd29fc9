"""Pins through the module RPi.GPIO: the original on a Pi 1 to 4, or rpi-lgpio, which has the same interface, on a Pi 5.

The only importer of RPi.GPIO, and only when pins are opened. Its edge detection is never used: it fails on newer kernels
and keeps one flag per pin, so that two pulses between two looks are one. ``polled_chip`` reads the levels instead.
"""

import contextlib
import importlib
import tempfile
from collections.abc import Sequence
from typing import Any

from hal.drivers.gpio_chip import InputPin, OutputPin
from hal.errors import PortError


class RpiGpioReader:
    """See ``hal.drivers.polled_chip.PinReader``."""

    def __init__(self) -> None:
        self._gpio: Any = None
        self._pins: list[int] = []

    def open(self, inputs: Sequence[InputPin], outputs: Sequence[OutputPin]) -> None:
        """Set the pins up. Raises ``PortError`` if the module or the chip is not there or a pin is taken."""
        gpio = _import()
        pulls = {"up": "PUD_UP", "down": "PUD_DOWN", "none": "PUD_OFF"}
        tried = "GPIO"
        try:
            gpio.setwarnings(False)
            gpio.setmode(gpio.BCM)
            self._gpio = gpio
            for output in outputs:
                tried = f"GPIO {output.pin}"
                gpio.setup(output.pin, gpio.OUT, initial=gpio.LOW if output.active_high else gpio.HIGH)
                self._pins.append(output.pin)
            for pin in inputs:
                tried = f"GPIO {pin.pin}"
                gpio.setup(pin.pin, gpio.IN, pull_up_down=getattr(gpio, pulls[pin.pull]))
                self._pins.append(pin.pin)
        except Exception as error:  # rpi-lgpio raises an error of its own, which is no OSError
            self.close()
            raise PortError(f"{tried}: {_remedy(error)}") from error

    def read(self, pin: int) -> bool:
        """Return the level of an input."""
        return bool(self._gpio.input(pin))

    def write(self, pin: int, high: bool) -> None:
        """Set the level of an output."""
        self._gpio.output(pin, high)

    def close(self) -> None:
        """Give the pins back."""
        gpio, self._gpio = self._gpio, None
        pins, self._pins = self._pins, []
        if gpio is not None and pins:
            gpio.cleanup(pins)


def _import() -> Any:
    """Import the module. lgpio, below rpi-lgpio, makes a pipe in the current folder, which a service may not write."""
    try:
        with tempfile.TemporaryDirectory(prefix="croupier-gpio-") as folder, contextlib.chdir(folder):
            return importlib.import_module("RPi.GPIO")
    except ImportError as error:
        raise PortError(
            "GPIO: the module RPi.GPIO is not installed; install the extra `pi` (on a Pi 5: rpi-lgpio instead), "
            "or choose the backend gpiod"
        ) from error
    except (RuntimeError, OSError) as error:
        raise PortError(f"GPIO: {_remedy(error)}") from error


def _remedy(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    lowered = text.lower()
    if "not determine soc" in lowered or "peripheral base" in lowered:
        return "RPi.GPIO does not know this Pi; install rpi-lgpio in its place, or choose the backend gpiod"
    if "only be run on a raspberry" in lowered:
        return "this is not a Raspberry Pi; choose the simulated panel"
    if "busy" in lowered:
        return "another program uses the pin; stop it or remove the overlay that claims it"
    if "no access" in lowered or "permission" in lowered:
        return "no permission; add the user to the group gpio and log in again"
    return text
