"""The screen, its fonts, and sound. Each SDL driver is tried in a process of its own, so that none stays open."""

import ctypes.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from display.fonts import Fonts
from display.frame_buffer import DEVICE, FrameBuffer, FrameBufferError
from display.sound import SoundPlayer
from firmware.doctor.finding import Finding, failed, ok, warning

DRIVERS: Final = ("x11", "wayland", "kmsdrm")
LIBRARIES: Final = {"drm": "libdrm2", "gbm": "libgbm1"}
"""What SDL loads to draw on a console, and the Debian package of each."""
PROBE: Final = "import pygame; pygame.display.init(); print('driver', pygame.display.get_driver())"
COMPILED_IN: Final = """
import ctypes, pygame
sdl = ctypes.CDLL(next(line.split()[-1] for line in open("/proc/self/maps") if "libSDL2-2" in line))
sdl.SDL_GetVideoDriver.restype = ctypes.c_char_p
print("drivers", *(sdl.SDL_GetVideoDriver(number).decode() for number in range(sdl.SDL_GetNumVideoDrivers())))
"""
"""Asks the very SDL that pygame has loaded what it was built with."""
PROBE_S: Final = 20
NO_KMSDRM: Final = (
    "this pygame was built without KMSDRM, so it can't draw on a bare console: run systemd/install.sh --display kmsdrm (it takes "
    'Debian\'s own pygame on Trixie and pygame-ce on Bookworm), or --display cage, or set display.driver = "fb"'
)


def display(*, needed: bool = True) -> Iterator[Finding]:
    """Which of the ways to a screen work here. A simulator can do without: then it is not ``needed``."""
    usable = [name for name in DRIVERS if driver_of(name) == name]
    forced = os.environ.get("SDL_VIDEODRIVER", "")
    if forced and driver_of(forced) != forced:
        yield failed(
            "screen", "display", f"SDL_VIDEODRIVER={forced} does not work here", "unset it, or choose one that works"
        )
    elif usable:
        yield ok("screen", "display", f"works with {', '.join(usable)}")
    else:
        worse = failed if needed else warning
        yield worse("screen", "display", f"none of {', '.join(DRIVERS)} works", _screen_remedy())


def frame_buffer() -> Iterator[Finding]:
    """The frame buffer, for ``display.driver = "fb"``."""
    try:
        buffer = FrameBuffer()
    except FrameBufferError as error:
        found, _, remedy = str(error).partition("; ")
        yield failed("screen", "display", found, remedy or "choose another display.driver")
        return
    width, height = buffer.size
    buffer.close()
    yield ok("screen", "display", f"{DEVICE}: {width}×{height}, {buffer.layout.bits} bits")


def driver_of(name: str) -> str:
    """Return the driver that SDL ends up with when asked for one; empty when it can't start."""
    environment = {**os.environ, "SDL_VIDEODRIVER": name, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, timeout=PROBE_S, check=False
        )
    except subprocess.TimeoutExpired:
        return ""
    words = done.stdout.split()
    return words[-1].lower() if done.returncode == 0 and words else ""


def compiled_drivers() -> tuple[str, ...]:
    """Return the drivers that the installed pygame's SDL was built with; empty when it can't be asked."""
    environment = {**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    words = [sys.executable, "-c", COMPILED_IN]
    try:
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=PROBE_S, check=False)
    except subprocess.TimeoutExpired:
        return ()
    name, *drivers = done.stdout.lower().split() or [""]
    return tuple(drivers) if done.returncode == 0 and name == "drivers" else ()


def _screen_remedy() -> str:
    drivers = compiled_drivers()
    if drivers and "kmsdrm" not in drivers:
        return NO_KMSDRM
    cards = sorted(Path("/dev/dri").glob("card*"))
    if not cards:
        return "connect a screen and switch the KMS driver on (dtoverlay=vc4-kms-v3d), or start on a desktop"
    if not any(os.access(card, os.R_OK | os.W_OK) for card in cards):
        return "add the user to the groups video and render, then log in again"
    missing = [package for library, package in LIBRARIES.items() if ctypes.util.find_library(library) is None]
    if missing:
        return f"install {' and '.join(missing)}"
    return "end the desktop or other program that holds the screen, or start from a console"


def fonts() -> Iterator[Finding]:
    """The fonts for text."""
    problem = Fonts().warning
    yield (
        warning("screen", "fonts", problem.partition(";")[0], problem.rpartition(": ")[2])
        if problem
        else ok("screen", "fonts", "all found")
    )


def sound() -> Iterator[Finding]:
    """The sound device."""
    player = SoundPlayer()
    try:
        if player.problem is None:
            yield ok("screen", "sound", "there is a device")
        else:
            remedy = "connect a loudspeaker and let the user be in the group audio; the game goes on without"
            if "shared object" in player.problem:
                remedy = "install libglib2.0-0 (Trixie: libglib2.0-0t64), which pygame's mixer needs; the game goes on without"
            yield warning("screen", "sound", player.problem, remedy)
    finally:
        player.close()
