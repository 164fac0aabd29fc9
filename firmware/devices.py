"""From the settings to the wiring of a terminal's devices. Data to data; ``hal.build`` makes the devices.

Not responsible for contradictions within the settings (``settings.checks``) or within the wiring (``hal.wiring``).
"""

from collections.abc import Iterator
from typing import Literal

from firmware.settings.sections import ButtonPin, DoorPin, Settings
from firmware.settings.sections import Gpio as GpioSettings
from firmware.settings.sections import OutputPin as OutputSetting
from hal.drivers.gpio_chip import InputPin, OutputPin
from hal.wiring import (
    Gpio,
    PulseCoins,
    PulseHopper,
    PulseNotes,
    SerialCoins,
    SerialHopper,
    SerialNotes,
    SerialPrinter,
    Simulated,
    Wiring,
)

EURO_COUNTRY = "EU"


def wiring_of(settings: Settings) -> Wiring:
    """Return how the devices of these settings are connected."""
    code = settings.currency.device_code or settings.currency.code
    return Wiring(
        panel=_panel(settings.gpio),
        currency=code,
        country=EURO_COUNTRY if code == "EUR" else code[:2],
        minor_per_unit=10**settings.currency.minor_digits,
        notes=_notes(settings),
        coins=_coins(settings),
        hopper=_hopper(settings),
        printer=_printer(settings),
    )


def _panel(gpio: GpioSettings) -> Gpio | Simulated:
    if gpio.backend not in ("rpi_gpio", "gpiod"):
        return Simulated()
    backend: Literal["rpi_gpio", "gpiod"] = "gpiod" if gpio.backend == "gpiod" else "rpi_gpio"
    return Gpio(backend, tuple(_inputs(gpio)), tuple(_outputs(gpio)), gpio.chip, gpio.sample_period_ms)


def _inputs(gpio: GpioSettings) -> Iterator[InputPin]:
    named: list[tuple[str, ButtonPin | DoorPin | None]] = [
        *((f"button.{name}", pin) for name, pin in gpio.buttons.items()),
        *((f"door.{name}", pin) for name, pin in gpio.doors.items()),
        *((f"key.{name}", pin) for name, pin in gpio.keys.items()),
        *((f"coin.{channel}", pin) for channel, pin in gpio.coin_acceptor.lines.items()),
        ("coin.pulses", gpio.coin_acceptor.pulses),
        ("note.pulses", gpio.note_acceptor.pulses),
        ("hopper.sensor", gpio.hopper.coin_sensor),
    ]
    for line, pin in named:
        if pin is not None:
            yield InputPin(line, pin.pin, pin.active == "high", pin.pull)


def _outputs(gpio: GpioSettings) -> Iterator[OutputPin]:
    named: list[tuple[str, OutputSetting | None]] = [
        *((f"lamp.{name}", pin) for name, pin in gpio.lamps.items()),
        *((f"tower.{colour}", pin) for colour, pin in gpio.tower.items()),
        *((f"meter.{name}", pin) for name, pin in gpio.meters.items()),
        ("coin.inhibit", gpio.coin_acceptor.inhibit),
        ("coin.divert", gpio.coin_acceptor.divert),
        ("note.inhibit", gpio.note_acceptor.inhibit),
        ("hopper.motor", gpio.hopper.motor),
    ]
    for line, pin in named:
        if pin is not None:
            yield OutputPin(line, pin.pin, pin.active == "high")


def _notes(settings: Settings) -> SerialNotes | PulseNotes | Simulated | None:
    device = settings.devices.note_acceptor
    match device.backend:
        case "none":
            return None
        case "simulated" | "emulated":
            return Simulated()
        case "gpio-pulse":
            pins = settings.gpio.note_acceptor
            return PulseNotes(pins.minor_per_pulse or 1, settings.notes.accepted_minor, pins.width_ms, pins.gap_ms)
        case protocol:
            channels = settings.notes.channels
            bills = tuple(channels[number] for number in sorted(channels)) if protocol == "ebds" else ()
            return SerialNotes(protocol, str(device.port), device.address, bills, device.credit_at_lever)


def _coins(settings: Settings) -> SerialCoins | PulseCoins | Simulated | None:
    device = settings.devices.coin_acceptor
    match device.backend:
        case "none":
            return None
        case "simulated" | "emulated":
            return Simulated()
        case "gpio-pulse":
            pins = settings.gpio.coin_acceptor
            return PulseCoins(dict(settings.coins.channels), pins.width_ms, pins.gap_ms)
        case _:
            return SerialCoins(str(device.port), device.address, device.hopper_path, device.cash_box_path)


def _hopper(settings: Settings) -> SerialHopper | PulseHopper | Simulated | None:
    device = settings.devices.hopper
    coin_minor = device.coin_minor or 1
    match device.backend:
        case "none":
            return None
        case "simulated" | "emulated":
            return Simulated()
        case "gpio-pulse":
            return PulseHopper(coin_minor, settings.gpio.hopper.width_ms, settings.gpio.hopper.gap_ms)
        case _:
            return SerialHopper(str(device.port), coin_minor, device.address)


def _printer(settings: Settings) -> SerialPrinter | None:
    device = settings.devices.printer
    return None if device.backend == "none" else SerialPrinter(str(device.port), device.baud)
