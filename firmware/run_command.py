"""The subcommand ``run``: the cabinet, on its real devices and its whole screen.

Under a service manager it says when it is ready, feeds the watchdog while everything moves, and ends within three seconds
of being asked to. Whatever ends it otherwise, the journal brings credit and hand back at the next start.
"""

import argparse
import faulthandler
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from display.canvas import Shelves
from display.frame_buffer import FrameBuffer
from display.view_model import Notice, Text
from display.window import DisplayUnavailable, Window
from firmware.app import Seams, build_terminal, byte_source, games_on_offer
from firmware.clock import SystemClock
from firmware.coach import ask_in_a_process
from firmware.devices import wiring_of
from firmware.errors import ConfigError, UserError
from firmware.liveness import BUILDING_PATIENCE_MS, DEVICE_PATIENCE_MS, TERMINAL_PATIENCE_MS, Part
from firmware.loop import AskCoach, Terminal
from firmware.manifest.watch import watch_running_program
from firmware.screen import TerminalScreen
from firmware.service_notify import ServiceManager
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.simulator.command import cache_dir
from firmware.system_clock import set_system_clock
from firmware.terminal_thread import TerminalThread
from firmware.update.note import replacements
from hal.build import build_devices
from hal.errors import HalError
from hal.interfaces import Devices, Threaded
from hal.simulated import World
from hal.wiring import Simulated

DEFAULT_CONFIG = Path("/etc/croupier/cabinet.toml")
END_S: Final = 2.5
"""An orderly end may take so long; then the program ends at once, and what hangs is told with a stack of each thread."""
REMEDY_S: Final = 20.0
"""What only a person can mend is shown for so long before a service manager starts the program again."""
RESTARTING: Final = Text("start", "Restarting. Your credit and your hand are kept")
OUT_OF_ORDER: Final = Text("start", "Out of order. Please call the attendant")


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``run``. Returns 0 after an orderly end. Raises UserError for anything a person can mend."""
    faulthandler.enable()  # the watchdog's SIGABRT and a crash in C leave the stacks of all threads in the journal
    manager = ServiceManager.from_environment()
    stopped = _Stop()
    manager.starting("starting")
    try:
        settings = load_settings(arguments.config or DEFAULT_CONFIG)
        if settings.terminal.mode == "simulator":
            raise UserError(
                "run: these settings are a simulator's; use ./croupier sim, or terminal.mode demo or cabinet"
            )
        try:
            window = open_window(settings)
        except DisplayUnavailable as error:
            raise UserError(f"run: {error}") from None
    except UserError as error:
        if manager.is_there:
            _wait_for_remedy(manager, stopped, error, _window_for_bad_news())
        raise
    with _running_marked() as came_back:
        _run(settings, window, manager, stopped, Notice(RESTARTING, "warning") if came_back else None)
    return 0


def open_window(settings: Settings) -> Window:
    """Open the cabinet's window. Raises DisplayUnavailable."""
    display = settings.display
    return Window(
        size=(display.width_px, display.height_px),
        fullscreen=display.fullscreen,
        rotation=display.rotation_degrees,
        pointer_visible=False,
        shelves=Shelves(cache_dir()),
        open_frame_buffer=FrameBuffer if display.driver == "fb" else None,
    )


class _Stop:
    """The wish to end: a signal came. From then on the program has ``END_S`` left, even if it hangs in C."""

    def __init__(self) -> None:
        self.asked = False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._ask)

    def _ask(self, *_: object) -> None:
        if not self.asked:
            self.asked = True
            faulthandler.dump_traceback_later(END_S, exit=True)


class _AskedToEndError(Exception):
    """It was asked to end before there was anything to end."""


def _run(settings: Settings, window: Window, manager: ServiceManager, stopped: _Stop, notice: Notice | None) -> None:
    terminal = settings.terminal
    screen = TerminalScreen(
        window,
        language=terminal.languages[0],
        venue=terminal.venue,
        cache_dir=cache_dir(),
        beside=lambda *_: (),
    )
    try:
        devices = _devices(settings)
        thread = _terminal_thread(settings, devices, partial(ask_in_a_process, after=screen.has_shown))

        def while_waiting() -> None:
            done, of_all = thread.read
            manager.starting(f"reading the journal: {done} of {of_all} entries" if of_all else "reading the journal")
            if stopped.asked:
                raise _AskedToEndError

        while_waiting()
        screen.attach(thread, while_waiting, notice)
        while screen.frame(lambda _: False) and not stopped.asked:
            view = screen.shown_view
            if view is not None:
                manager.shown(_parts(thread, devices), _status(view.mode, len(view.faults)), _now_ms())
            screen.wait()
        manager.stopping("ending: the hand stays in the journal, devices are made safe")
    except _AskedToEndError:
        manager.stopping("ending before the journal was read; it stays as it is")
    except UserError as error:
        if manager.is_there:
            screen.say(Notice(OUT_OF_ORDER, "error"))
            _wait_for_remedy(manager, stopped, error, None)
        raise
    except Exception:
        screen.say(Notice(RESTARTING, "warning"))
        raise
    finally:
        screen.close()


def _devices(settings: Settings) -> Devices:
    wiring = wiring_of(settings)
    if Simulated() in (wiring.notes, wiring.coins, wiring.hopper):
        raise ConfigError(
            ["devices: a simulated money device has no place beside real ones, expected a real one or none"]
        )
    try:
        # A demonstration may do without a panel: the screen's buttons are enough. A cabinet has one, says the check.
        return build_devices(wiring, World() if wiring.needs_world else None)
    except HalError as error:
        raise ConfigError(str(error).splitlines()) from None


def _terminal_thread(settings: Settings, devices: Devices, ask_coach: AskCoach) -> TerminalThread:
    seams = Seams(
        SystemClock(),
        byte_source(settings),
        devices,
        ask_coach=ask_coach,
        asks_set_up=True,
        set_clock=set_system_clock,
    )
    watch = watch_running_program(settings)
    seams = replace(seams, program=watch, software=watch.software, program_replaced=replacements())
    games = games_on_offer(settings)

    def build() -> Terminal:
        return build_terminal(settings, replace(seams, on_reading=thread.reading), games)

    thread = TerminalThread(build)
    return thread


def _parts(thread: TerminalThread, devices: Devices) -> Iterator[Part]:
    """Return all that must move. The frame does: who asks has just painted one."""
    patience_ms = BUILDING_PATIENCE_MS if thread.is_building else TERMINAL_PATIENCE_MS
    yield Part("the terminal's thread", thread.moved_ms, patience_ms)
    for device in devices.all():
        if isinstance(device, Threaded):
            yield Part(f"the thread of {device.name}", device.moved_ms, DEVICE_PATIENCE_MS)


def _status(mode: str, fault_count: int) -> str:
    return f"shows {mode}, {fault_count} faults" if fault_count else f"shows {mode}"


@contextmanager
def _running_marked() -> Iterator[bool]:
    """Leave a mark in the service's run-time folder while the program runs; yields whether the last run left one, that is, whether it
    ended without order. A power cut empties that folder."""
    folder = os.environ.get("RUNTIME_DIRECTORY", "")
    if not folder:
        yield False
        return
    mark = Path(folder) / "running"
    came_back = mark.exists()
    with suppress(OSError):  # it is for one line on the screen only
        mark.touch()
    yield came_back
    with suppress(OSError):
        mark.unlink()


def _window_for_bad_news() -> Window | None:
    """Return a window that needs no settings: the whole screen, else the frame buffer, else none."""
    with suppress(DisplayUnavailable):
        return Window(fullscreen=True, pointer_visible=False, shelves=Shelves(cache_dir()))
    with suppress(DisplayUnavailable):
        return Window(pointer_visible=False, shelves=Shelves(cache_dir()), open_frame_buffer=FrameBuffer)
    return None


def _wait_for_remedy(manager: ServiceManager, stopped: _Stop, error: UserError, window: Window | None) -> None:
    """A restart at once would mend nothing: say it on the screen and to the service manager, and give a person some time."""
    manager.starting(str(error).splitlines()[0])
    if window is not None:
        screen = TerminalScreen(
            window,
            language="en",
            venue="",
            cache_dir=None,
            beside=lambda *_: (),
        )
        screen.say(Notice(OUT_OF_ORDER, "error"))
    end = time.monotonic() + REMEDY_S
    while time.monotonic() < end and not stopped.asked:
        time.sleep(0.1)
    if window is not None:
        screen.close()


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
