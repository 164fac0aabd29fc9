"""The bill of materials of a cabinet, counted from its settings. Pure.

What is counted are kinds of parts, not makers' numbers: any part that does what its row says will do. Not responsible
for prices, the furniture, or the mains side.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware.settings.sections import Settings
from firmware.wiring_guide.header import serial_devices, signals_of

_SERIAL: Final = {
    "cctalk": ("ccTalk adapter, USB, open collector at 5 V", "one for all devices on the wire"),
    "ssp": ("USB adapter to TTL or RS-232, as the harness says", "SSP, 9600 baud, 8N2"),
    "id003": ("USB adapter to RS-232, TTL or opto loop, as the harness says", "ID-003, 9600 baud, even parity"),
    "ccnet": ("USB adapter to RS-232 or TTL, as the interface board says", "CCNET, 9600 baud, 8N1"),
    "ebds": ("USB adapter to RS-232 or opto loop, as the harness says", "EBDS, 9600 baud, 7 data bits, even parity"),
    "escpos": ("USB adapter to RS-232", "the printer's speed is on its self-test"),
}
_SUPPLIES_OF_OWN: Final = ("note acceptor", "coin acceptor", "hopper", "printer")


@dataclass(frozen=True, slots=True)
class Part:
    """A row: how many, what, and what for."""

    count: int
    what: str
    use: str


def parts_of(settings: Settings) -> tuple[Part, ...]:
    """Return the parts of a cabinet, the board first."""
    return (*_board(settings), *_devices(settings), *_panel(settings), *_supplies(settings))


def _board(settings: Settings) -> Iterator[Part]:
    yield Part(1, "Raspberry Pi 4 (2 GB) or 5, or 3 B+", "the terminal")
    yield Part(1, "supply 5 V, 3 A (Pi 5: 5 A), with its own cable", "the Pi alone")
    yield Part(1, "SD card of an industrial or high-endurance kind, 16 GB", "program and journal")
    if settings.storage.mirror_dir is not None:
        yield Part(1, "USB stick or SSD of another make, 8 GB", "mirror and anchor of the journal")
    yield Part(1, "battery for the clock (Pi 5) or RTC module DS3231", "date and time without a network")
    yield Part(1, "screen, HDMI, 1280×720 or more; touch by USB", "the table")


def _devices(settings: Settings) -> Iterator[Part]:
    adapters: dict[tuple[str, str], str] = {}
    for name, protocol, port, address in serial_devices(settings):
        yield Part(
            1,
            f"{name}, {protocol}{', ' + address if address.startswith('address') else ''}",
            "money" if name != "printer" else "slips for the attendant",
        )
        adapters[protocol, port] = name
    for protocol, _ in adapters:
        yield Part(1, *_SERIAL[protocol])
    if settings.devices.coin_acceptor.backend == "gpio-pulse":
        yield Part(1, "coin acceptor with pulses, 12 V, open collector (CH-926 class)", "money")
    if settings.devices.note_acceptor.backend == "gpio-pulse":
        yield Part(1, "note acceptor with pulses, 12 V, open collector", "money")
    if settings.devices.hopper.backend == "gpio-pulse":
        yield Part(1, "hopper with a motor and a coin sensor, 24 V", "money")


def _panel(settings: Settings) -> Iterator[Part]:
    kinds = [signal.key.split(".") for signal in signals_of(settings)]
    circuits = [signal.kind.circuit for signal in signals_of(settings)]
    gpio = settings.gpio
    lit = len(gpio.lamps)
    plain = len(gpio.buttons) - lit
    drivers, pulses = circuits.count("driver"), circuits.count("pulse")
    coils = sum(1 for parts in kinds if parts[1] == "meters" or parts[-1] in ("inhibit", "divert", "motor"))
    rows = (
        (lit, "push button with a lamp, 12 V", "play"),
        (plain, "push button, closes to ground", "play"),
        (len(gpio.doors), "door switch, closed while the door is closed", "doors"),
        (len(gpio.keys), "key switch, removable in one position", "attendant and operator"),
        (len(gpio.tower), "tower light, 12 V", "calls the attendant"),
        (len(gpio.meters), "electromechanical meter, 12 V, 10 pulses a second", "hard meters"),
        (
            1 if any(parts[-1] == "inhibit" for parts in kinds) else 0,
            "relay, 12 V coil, changes over 2 A",
            "switches the coin acceptor's supply",
        ),
        (
            circuits.count("button") + circuits.count("door"),
            "resistor 1 kΩ",
            "in series with each button, key and door: protects the pin",
        ),
        (drivers, "logic-level MOSFET (AO3400 class), or a channel of a ULN2803", "one for each output"),
        (drivers, "resistor 1 kΩ", "gate of each driver"),
        (drivers, "resistor 10 kΩ", "keeps each driver off while the Pi starts"),
        (coils, "diode 1N4007", "across each coil"),
        (pulses, "optocoupler PC817 or 4N35", "one for each pulse input"),
        (pulses, "resistor 2.2 kΩ", "in series with the optocoupler's diode at 12 V"),
    )
    yield from (Part(count, what, use) for count, what, use in rows if count > 0)


def _supplies(settings: Settings) -> Iterator[Part]:
    names = {name for name, *_ in serial_devices(settings)}
    backends = (settings.devices.coin_acceptor.backend, settings.devices.hopper.backend)
    has_hopper = settings.devices.hopper.backend != "none"
    needs_12 = (
        bool(names & set(_SUPPLIES_OF_OWN))
        or "gpio-pulse" in backends
        or bool(settings.gpio.lamps or settings.gpio.tower)
    )
    if needs_12:
        yield Part(
            1,
            f"supply {'24 V and 12 V' if has_hopper else '12 V'}, as the devices' plates say",
            "money devices, lamps, coils",
        )
        fuses = (
            len(names - {"printer"})
            + backends.count("gpio-pulse")
            + ("printer" in names)
            + bool(settings.gpio.lamps or settings.gpio.tower or settings.gpio.meters)
        )
        yield Part(fuses, "fuse with holder, by the device's plate", "one for each device and one for lamps and coils")
    yield Part(1, "terminal block for ground", "the one point at which all grounds meet")
