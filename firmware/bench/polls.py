"""How late every driver polls while the table animates at its 60 pictures a second: the cabinet's load, for minutes.

The devices are byte-level emulators in processes of their own, the pins are sampled in the drivers' own process. A poll
is late when the time since the one before it can be longer than the protocol lets a host take. Not responsible for the
table (``display.bench``) or for what else the devices cost (``devices``).
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from display.bench import animate
from display.canvas import Shelves
from display.window import Window
from firmware.bench.emulated import emulated_ports
from firmware.errors import CheckFailed
from hal.bench import recorded_pins
from hal.build import build_devices
from hal.drivers.serial_device import SerialDevice
from hal.events import DeviceEvent, DeviceReady
from hal.interfaces import Devices
from hal.simulated import World
from hal.wiring import SerialCoins, SerialHopper, SerialNotes, SerialPrinter, Simulated, Wiring

SIZE: Final = (1280, 720)
WARM_UP_S: Final = 8.0
"""So long the table animates before anything is counted: its caches fill."""
PATIENCE_S: Final = 60.0

LATE_MS: Final = {
    "notes, SSP": 800,
    "notes, CCNET": 50,
    "notes, ID-003": 150,
    "notes, EBDS": 100,
    "notes, coins, hopper: ccTalk": 100,
    "printer, ESC/POS": 1_000,
    "pins": 10,
}
"""Driver -> from how much lateness on a poll is late: the longest time between polls that the protocol's makers and users
name (SSP 1 s, CCNET 200 ms, ID-003 300 ms, EBDS 200 ms, ccTalk 200 ms where the device names no other) without our own
interval. A printer sets no limit; a second is how long it may take to answer. Pulses of 50 ms bear 10 ms."""

_PROTOCOLS: Final = {
    "notes, SSP": "ssp",
    "notes, CCNET": "ccnet",
    "notes, ID-003": "id003",
    "notes, EBDS": "ebds",
    "notes, coins, hopper: ccTalk": "cctalk",
    "printer, ESC/POS": "escpos",
}

Tell = Callable[[float], None]
Animate = Callable[[float, Tell], int]
"""Animates for so many seconds, tells how many are over, returns how many pictures it showed."""


def bench_polls(minutes: float, tell: Tell = lambda _: None) -> dict[str, Any]:
    """Return the figures of each driver over so many minutes, and how many pictures a second the table reached."""
    with TemporaryDirectory(prefix="croupier-bench-") as scratch:
        window = Window(size=SIZE, shelves=Shelves(Path(scratch) / "pictures"))
        try:
            return measure(minutes * 60, lambda seconds, say: animate(window, seconds, say), tell)
        finally:
            window.close()


def measure(seconds: float, run: Animate, tell: Tell, warm_up_s: float = WARM_UP_S) -> dict[str, Any]:
    """Let all drivers poll while ``run`` animates, and return the figures of each by its name."""
    lateness: dict[str, Counter[float]] = {name: Counter() for name in _PROTOCOLS}
    with TemporaryDirectory(prefix="croupier-bench-") as scratch, ExitStack() as stack:
        ports = stack.enter_context(emulated_ports(_PROTOCOLS.values()))
        for name, protocol in _PROTOCOLS.items():
            stack.enter_context(_driven(_wiring(protocol, ports[protocol]), lateness[name]))
        run(warm_up_s, lambda _: None)
        before = os.getloadavg()
        pins = stack.enter_context(recorded_pins(Path(scratch) / "pins.json"))
        for counted in lateness.values():
            counted.clear()
        begin = time.monotonic()
        shown = run(seconds, tell)
        took = time.monotonic() - begin
        figures: dict[str, Any] = {
            name: figures_of(Counter(counted), LATE_MS[name]) for name, counted in lateness.items()
        }
        figures["pins"] = figures_of(pins(), LATE_MS["pins"])
    return {
        **figures,
        "pictures a second": round(shown / took, 1),
        "load before and after": f"{before[0]:.1f} {os.getloadavg()[0]:.1f}",
    }


def figures_of(lateness_ms: Counter[float], late_ms: float) -> dict[str, Any]:
    """Return how many polls there were, how late they were, and how many were later than the protocol bears."""
    return {
        "polls": lateness_ms.total(),
        "p50_ms": _share(lateness_ms, 0.5),
        "p99_ms": _share(lateness_ms, 0.99),
        "p999_ms": _share(lateness_ms, 0.999),
        "max_ms": max(lateness_ms, default=None),
        "late": sum(count for value, count in lateness_ms.items() if value > late_ms),
        "late_from_ms": late_ms,
    }


def _share(lateness_ms: Counter[float], share: float) -> float | None:
    """Return the lateness that this share of the polls does not exceed; None of no polls."""
    left = share * lateness_ms.total()
    for value in sorted(lateness_ms):
        left -= lateness_ms[value]
        if left <= 0:
            return value
    return None


def _wiring(protocol: str, port: str) -> Wiring:
    match protocol:
        case "escpos":
            return Wiring(Simulated(), "EUR", "EU", printer=SerialPrinter(port))
        case "cctalk":
            notes, coins = SerialNotes("cctalk", port), SerialCoins(port)
            return Wiring(Simulated(), "EUR", "EU", notes=notes, coins=coins, hopper=SerialHopper(port, 100))
        case "ssp" | "ccnet" | "id003" | "ebds":
            return Wiring(Simulated(), "EUR", "EU", notes=SerialNotes(protocol, port))
    raise ValueError(f"there is no protocol {protocol}")


@contextmanager
def _driven(wiring: Wiring, lateness_ms: Counter[float]) -> Iterator[None]:
    """Start the drivers of a wiring, wait until they are ready, let them take money, and count how late they poll."""
    devices = build_devices(wiring, World())
    serial = [device for device in devices.all() if isinstance(device, SerialDevice)]
    ready: set[str] = set()

    def hear(event: DeviceEvent) -> None:
        if isinstance(event, DeviceReady):
            ready.add(event.device)

    def count(late_ms: int) -> None:
        lateness_ms[late_ms] += 1

    for device in serial:
        device.watch_polls(count)  # devices of one line share their polls
        device.start(hear, 0)
    try:
        wait_until(lambda: len(ready) == len(serial))
        enable(devices)
        yield
    finally:
        for device in serial:
            device.stop()


def enable(devices: Devices) -> None:
    """Let acceptors take a note and a coin."""
    if devices.notes is not None:
        devices.notes.enable((1_000,))
    if devices.coins is not None:
        devices.coins.enable((100,))


def wait_until(true: Callable[[], bool]) -> None:
    """Return when it is true. Raises CheckFailed when it does not become so."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        if time.monotonic() > end:
            raise CheckFailed(f"bench: an emulated device did not answer in {PATIENCE_S:.0f} s")
        time.sleep(0.002)
