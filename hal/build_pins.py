"""What the process that owns the pins runs: the chip of the chosen backend, the panel, and pulse devices.

Apart from ``hal.build`` because that process imports it, and needs neither serial ports nor the simulated world.
"""

from dataclasses import replace
from functools import partial

from hal.debounce import PulseWindow
from hal.drivers.gpio_chip import GpioChip
from hal.drivers.gpio_process import GpioSetup
from hal.drivers.gpiod_chip import GpiodChip
from hal.drivers.polled_chip import PolledChip
from hal.drivers.rpi_gpio import RpiGpioReader
from hal.wire.panel import PanelUnit
from hal.wire.pins import PinUnit
from hal.wire.pulse import PulseCoinSpec, PulseCoinUnit, PulseNoteSpec, PulseNoteUnit
from hal.wire.pulse_hopper import PulseHopperSpec, PulseHopperUnit
from hal.wiring import Gpio, PulseCoins, PulseHopper, PulseNotes, Wiring


def gpio_setup(wiring: Wiring, gpio: Gpio) -> GpioSetup:
    """Return what the process that owns the pins runs."""
    return GpioSetup(partial(make_chip, gpio), gpio.inputs, gpio.outputs, partial(make_units, wiring, gpio))


def make_chip(gpio: Gpio) -> GpioChip:
    """Return the chip of the chosen backend, not yet opened."""
    if gpio.backend == "gpiod":
        return GpiodChip(gpio.chip)
    return PolledChip(RpiGpioReader(), gpio.sample_period_ms)


def make_units(wiring: Wiring, gpio: Gpio) -> list[PinUnit]:
    """Return the panel and the pulse devices on the pins."""
    lines = (*(pin.line for pin in gpio.inputs), *(pin.line for pin in gpio.outputs))
    units: list[PinUnit] = [PanelUnit(lines)]
    if isinstance(wiring.notes, PulseNotes):
        notes = wiring.notes
        window = _window(gpio, notes.width_ms, notes.gap_ms)
        units.append(
            PulseNoteUnit(
                PulseNoteSpec(window, "note.pulses", "note.inhibit", notes.minor_per_pulse, notes.denominations_minor)
            )
        )
    if isinstance(wiring.coins, PulseCoins):
        units.append(PulseCoinUnit(_coin_spec(wiring.coins, gpio, lines)))
    if isinstance(wiring.hopper, PulseHopper):
        hopper = wiring.hopper
        window = _window(gpio, hopper.width_ms, hopper.gap_ms)
        units.append(PulseHopperUnit(PulseHopperSpec("hopper.motor", "hopper.sensor", hopper.coin_minor, window)))
    return units


def _window(gpio: Gpio, width_ms: int, gap_ms: int, max_pulse_count: int = 100) -> PulseWindow:
    """Return the window for nominal times. A sampler sees bounce as one odd sample, so that much is bounce there."""
    window = PulseWindow.around(width_ms, gap_ms, max_pulse_count)
    if gpio.backend == "gpiod":
        return window
    return replace(window, bounce_ms=max(window.bounce_ms, gpio.sample_period_ms + 1))


def _coin_spec(coins: PulseCoins, gpio: Gpio, lines: tuple[str, ...]) -> PulseCoinSpec:
    divert = "coin.divert" if "coin.divert" in lines else None
    window = _window(gpio, coins.width_ms, coins.gap_ms, max(coins.values_minor) + 1)
    if "coin.pulses" in lines:
        counts = dict(coins.values_minor)
        return PulseCoinSpec(window, "coin.inhibit", pulse_line="coin.pulses", values_by_count=counts, divert=divert)
    values = {f"coin.{channel}": value for channel, value in coins.values_minor.items() if f"coin.{channel}" in lines}
    return PulseCoinSpec(window, "coin.inhibit", values_by_line=values, divert=divert)
