"""Serial ports and pins before any device is asked: names, permissions, exclusive opening, chip, hints.

Not responsible for what is at the other end (``devices``).
"""

import grp
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from firmware.doctor.finding import Finding, failed, ok, skipped, warning
from hal.drivers.gpiod_chip import find_chip
from hal.drivers.serial_link import PortInfo, SerialLink, list_ports
from hal.errors import PortError
from hal.wiring import Gpio, PulseCoins, Wiring, ambiguous_counts, boot_hints, ports_of

UNSTABLE: Final = ("/dev/ttyUSB", "/dev/ttyACM")


def ports(wiring: Wiring | None) -> Iterator[Finding]:
    """The ports of this machine, and those that the settings name."""
    here = list_ports()
    for port in here:
        words = " ".join(word for word in (port.manufacturer, port.product, port.serial_number) if word)
        yield ok("ports", port.path, words or f"{port.device}, which says nothing of itself")
    if not here:
        yield skipped("ports", "serial ports", "there are none here", "plug an adapter in, if there is to be one")
    for path, devices in ports_of(wiring).items() if wiring is not None else ():
        yield from _port(path, ", ".join(devices), here)


def _port(path: str, devices: str, here: list[PortInfo]) -> Iterator[Finding]:
    names = ", ".join(port.path for port in here) or "none"
    if not Path(path).exists():
        remedy = f"plug the adapter in, or write one of these into the settings: {names}"
        yield failed("ports", path, f"is not there, but {devices} should be", remedy)
        return
    if not os.access(path, os.R_OK | os.W_OK):
        remedy = f"add the user to the group {group_of(path)}, then log in again"
        yield failed("ports", path, "no permission", remedy)
        return
    link = SerialLink(path)
    try:
        link.open()
    except PortError as error:
        yield failed("ports", path, *_split(str(error).removeprefix(f"{path}: ")))
        return
    finally:
        link.close()
    if path.startswith(UNSTABLE):
        stable = next((port.path for port in here if port.device == path and port.path != path), "")
        remedy = f"write {stable} into the settings" if stable else "use a name of /dev/serial/by-id"
        yield warning("ports", path, f"opens for {devices}, but may be another device after the next start", remedy)
    else:
        yield ok("ports", path, f"opens, for {devices}")


def _split(text: str) -> tuple[str, str]:
    found, _, remedy = text.partition("; ")
    return found, remedy or "see the message"


def group_of(path: str) -> str:
    """Return the group that a file belongs to."""
    number = Path(path).stat().st_gid
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def pins(wiring: Wiring) -> Iterator[Finding]:
    """The chip behind the pins, and what is unwise about their use."""
    if not isinstance(wiring.panel, Gpio):
        yield skipped("pins", "gpio", "the panel is simulated")
        return
    if wiring.panel.backend == "gpiod":
        try:
            yield ok("pins", "gpio.chip", find_chip(wiring.panel.chip))
        except PortError as error:
            yield failed("pins", "gpio.chip", *_split(str(error)))
    for hint in boot_hints(wiring.panel):
        line, _, rest = hint.partition(": ")
        found, _, remedy = rest.partition("; ")
        yield warning("pins", line, found, remedy)
    lines = {pin.line for pin in wiring.panel.inputs}
    if isinstance(wiring.coins, PulseCoins) and "coin.pulses" in lines:
        for hint in ambiguous_counts(wiring.coins.values_minor):
            yield warning("pins", "coin.pulses", hint, "choose numbers of pulses of which none is the sum of two")
