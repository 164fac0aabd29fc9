"""The 40-pin header, and which signal of a cabinet's settings lies on which of its pins. Pure.

The header is that of every Raspberry Pi since the B+ (2014); ``BCM`` numbers are those of the settings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware.settings.checks import pins
from firmware.settings.sections import Settings

PLACES: Final = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8,
    15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""BCM number to place on the header."""
POWER: Final = {
    1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V",
    6: "ground", 9: "ground", 14: "ground", 20: "ground", 25: "ground", 30: "ground", 34: "ground", 39: "ground",
}  # fmt: skip
"""Place on the header to what it supplies."""
PIN_COUNT: Final = 40


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of signal: what it is called in tables, how it is wired (a circuit's name), and its colour in drawings."""

    words: str
    circuit: str
    colour: str


KINDS: Final = {
    "buttons": Kind("button to ground", "button", "#2f6fb3"),
    "keys": Kind("key switch to ground", "button", "#7a4fa3"),
    "doors": Kind("door switch to ground, closed while the door is closed", "door", "#2e8b57"),
    "lamps": Kind("lamp driver, on when high", "driver", "#d99a1c"),
    "tower": Kind("tower light driver, on when high", "driver", "#c0562f"),
    "meters": Kind("meter coil driver, on when high", "driver", "#8a5a2b"),
    "motor": Kind("motor driver, runs when high", "driver", "#a03050"),
    "inhibit": Kind("relay or driver, coins are let in when high", "driver", "#16828c"),
    "divert": Kind("diverter coil driver, to the hopper when high", "driver", "#16828c"),
    "pulses": Kind("optocoupler to ground, one pulse low", "pulse", "#0a9bb0"),
    "lines": Kind("optocoupler to ground, one pulse low", "pulse", "#0a9bb0"),
    "coin_sensor": Kind("optocoupler to ground, low while a coin passes", "pulse", "#0a9bb0"),
}
"""By the part of a setting's name that says it."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A wire: the setting's name, BCM number, place on the header, and kind."""

    key: str
    bcm: int
    place: int
    kind: Kind

    @property
    def name(self) -> str:
        """What stands beside the pin in a drawing."""
        return self.key.removeprefix("gpio.")


def signals_of(settings: Settings) -> tuple[Signal, ...]:
    """Return the wires of a cabinet in the order of its settings."""
    return tuple(Signal(key, pin.pin, PLACES[pin.pin], _kind(key)) for key, pin in pins(settings))


def _kind(key: str) -> Kind:
    return next(KINDS[part] for part in reversed(key.split(".")) if part in KINDS)


def serial_devices(settings: Settings) -> Iterator[tuple[str, str, str, str]]:
    """Yield what hangs on a serial line: device, protocol, port, and address or speed (empty: the protocol's own)."""
    devices = settings.devices
    for name, device in (
        ("note acceptor", devices.note_acceptor),
        ("coin acceptor", devices.coin_acceptor),
        ("hopper", devices.hopper),
    ):
        if device.port is not None:
            address = "" if device.address is None else f"address {device.address}"
            yield name, device.backend, str(device.port), address
    if devices.printer.port is not None:
        yield "printer", devices.printer.backend, str(devices.printer.port), f"{devices.printer.baud} baud"
