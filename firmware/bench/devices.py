"""Benchmarks of the devices: how the sampler and the polls keep their time while the table is painted, what the drivers
cost while nothing happens, and how long a note takes to the screen.

The devices are byte-level emulators in processes of their own, so that only the drivers' time is counted. The figures of
the note are in one process and a little worse for it. How late the polls are over minutes of a paced table is in ``polls``.
"""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from display.bench import paint_animation, spread
from display.canvas import Shelves
from firmware.app import Seams, build_terminal, byte_source, games_on_offer
from firmware.bench.emulated import emulated_ports
from firmware.bench.polls import enable, wait_until
from firmware.bench.terminal import bench_settings
from firmware.clock import SystemClock
from firmware.terminal_thread import TerminalThread
from hal.bench import SamplerFigures, in_a_thread, in_its_process
from hal.build import build_devices
from hal.drivers.serial_device import SerialDevice
from hal.emulated_world import EmulatedWorld
from hal.events import DeviceEvent, DeviceReady
from hal.simulated import World, WorldConfig
from hal.wiring import SerialCoins, SerialHopper, SerialNotes, SerialPrinter, Simulated, Wiring

ANIMATION: Final = "dealing three boxes"
SIZE: Final = (1280, 720)
SECONDS: Final = 10.0
NOTES: Final = 8
NOTE_MINOR: Final = 1_000


def bench_devices() -> dict[str, Any]:
    """Return the figures of all of them, each by its name."""
    shelves = Shelves(None)

    def paint() -> None:
        paint_animation(ANIMATION, SIZE, shelves)

    paint()
    return {
        "GPIO sampler while the table animates": _sampler(in_its_process(SECONDS, paint)),
        "the same in a thread, for comparison": _sampler(in_a_thread(SECONDS, paint)),
        "serial drivers": measure_drivers(paint),
        "note to credit (SSP)": measure_note(),
    }


def _sampler(figures: SamplerFigures) -> dict[str, Any]:
    return {
        "worst_gap_ms": figures.worst_gap_ms,
        "coins_given": figures.coins_given_count,
        "coins_counted": figures.coins_counted_count,
        "faults": figures.fault_count,
    }


def measure_drivers(paint: Callable[[], None]) -> dict[str, Any]:
    """SSP notes, ccTalk coins and hopper, and a printer: processor time while nothing happens, lateness under load."""
    with emulated_ports(("ssp", "cctalk", "escpos")) as ports:
        devices = build_devices(_wiring(ports), World())
        heard: list[DeviceEvent] = []
        serial = [device for device in devices.all() if isinstance(device, SerialDevice)]
        for device in serial:
            device.start(heard.append, 0)
        try:
            wait_until(lambda: len({event.device for event in heard if isinstance(event, DeviceReady)}) == len(serial))
            enable(devices)
            time.sleep(1)
            begin, begin_cpu = time.monotonic(), time.process_time()
            time.sleep(SECONDS)
            idle_percent = 100 * (time.process_time() - begin_cpu) / (time.monotonic() - begin)
            idle_late_ms = max(device.worst_late_ms for device in serial)
            end = time.monotonic() + SECONDS
            while time.monotonic() < end:
                paint()
            late_ms = max(device.worst_late_ms for device in serial)
        finally:
            for device in serial:
                device.stop()
    return {
        "devices": len(serial),
        "idle_cpu_percent_of_a_core": round(idle_percent, 2),
        "worst_poll_lateness_ms_idle": idle_late_ms,
        "worst_poll_lateness_ms_animating": late_ms,
    }


def _wiring(ports: dict[str, str]) -> Wiring:
    bus = ports["cctalk"]
    return Wiring(
        Simulated(),
        "EUR",
        "EU",
        notes=SerialNotes("ssp", ports["ssp"]),
        coins=SerialCoins(bus),
        hopper=SerialHopper(bus, 100),
        printer=SerialPrinter(ports["escpos"]),
    )


def measure_note() -> dict[str, Any]:
    """Insert notes one after the other; times from the mouth, and from the moment from which the note can't come back."""
    whole: list[float] = []
    last_part: list[float] = []
    with TemporaryDirectory() as folder, EmulatedWorld("ssp", WorldConfig(), paced=False) as world:
        settings = bench_settings(Path(folder))
        clock = SystemClock()
        seams = Seams(clock, byte_source(settings, 1), world.devices)
        games = games_on_offer(settings)
        thread = TerminalThread(
            lambda: build_terminal(settings, seams, games), before_tick=lambda: world.advance(clock.monotonic_ms())
        )
        credited: dict[int, float] = {}

        def on_change() -> None:
            view = thread.latest_view
            if view is not None:
                credited.setdefault(view.credit_minor, time.monotonic())

        thread.on_change = on_change
        thread.start()
        try:
            time.sleep(3)
            for number in range(1, NOTES + 1):
                begin = time.monotonic()
                world.insert_note(NOTE_MINOR)
                wanted_minor = number * NOTE_MINOR
                wait_until(partial(_is_in_box, world, number))
                in_box = time.monotonic()
                wait_until(partial(credited.__contains__, wanted_minor))
                whole.append(1000 * (credited[wanted_minor] - begin))
                last_part.append(1000 * max(0.0, credited[wanted_minor] - in_box))
                time.sleep(0.5)
        finally:
            thread.stop()
    return {
        "mouth_to_view_ms_median": round(spread(whole).median_ms),
        "no_return_to_view_ms_median": round(spread(last_part).median_ms),
        "no_return_to_view_ms_worst": round(spread(last_part).worst_ms),
        "notes": NOTES,
    }


def _is_in_box(world: EmulatedWorld, count: int) -> bool:
    return world.readings.cash_box_note_count == count
