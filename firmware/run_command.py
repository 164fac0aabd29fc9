"""The subcommand ``run``: the cabinet, on its real devices and its whole screen."""

import argparse
import signal
from dataclasses import replace
from pathlib import Path

from display.canvas import Shelves
from display.frame_buffer import FrameBuffer
from display.window import DisplayUnavailable, Window
from firmware.app import Seams, build_terminal, byte_source, games_on_offer
from firmware.clock import SystemClock
from firmware.coach import ask_in_a_process
from firmware.devices import wiring_of
from firmware.errors import ConfigError, UserError
from firmware.loop import Terminal
from firmware.manifest.watch import watch_running_program
from firmware.screen import TerminalScreen
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.simulator.command import cache_dir
from firmware.system_clock import set_system_clock
from firmware.terminal_thread import TerminalThread
from firmware.update.note import replacements
from hal.build import build_devices
from hal.errors import HalError

DEFAULT_CONFIG = Path("/etc/croupier/cabinet.toml")


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``run``. Returns 0 after an orderly end. Raises UserError for anything a person can mend."""
    settings = load_settings(arguments.config or DEFAULT_CONFIG)
    if settings.terminal.mode == "simulator":
        raise UserError("run: these settings are a simulator's; use ./croupier sim, or terminal.mode demo or cabinet")
    try:
        window = open_window(settings)
    except DisplayUnavailable as error:
        raise UserError(f"run: {error}") from None
    _run(settings, window)
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


def _run(settings: Settings, window: Window) -> None:
    stopped: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda which, _: stopped.append(which))
    terminal = settings.terminal
    screen = TerminalScreen(
        window,
        language=terminal.languages[0],
        venue=terminal.venue,
        cache_dir=cache_dir(),
        beside=lambda *_: (),
    )
    try:
        try:
            devices = build_devices(wiring_of(settings))
        except HalError as error:
            raise ConfigError(str(error).splitlines()) from None
        seams = Seams(
            SystemClock(),
            byte_source(settings),
            devices,
            ask_coach=ask_in_a_process,
            asks_set_up=True,
            set_clock=set_system_clock,
        )
        watch = watch_running_program(settings)
        seams = replace(seams, program=watch, software=watch.software, program_replaced=replacements())
        games = games_on_offer(settings)

        def build() -> Terminal:
            return build_terminal(settings, seams, games)

        screen.attach(TerminalThread(build))
        while screen.frame(lambda _: False) and not stopped:
            screen.wait()
    finally:
        screen.close()
