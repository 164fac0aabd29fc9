"""The subcommand ``splash``: the first picture as a file for the frame buffer, which a service puts there early in the boot.

It is the terminal's own first picture, so the hand-over to it is invisible. Not responsible for putting it on the screen.
"""

import argparse
from contextlib import suppress
from pathlib import Path

from display.canvas import Shelves
from display.frame_buffer import FrameBuffer, FrameBufferError, Layout
from display.window import DisplayUnavailable, Window
from firmware.errors import UserError
from firmware.screen import TerminalScreen
from firmware.settings.loader import load_settings

DEFAULT_CONFIG = Path("/etc/croupier/cabinet.toml")


def command(arguments: argparse.Namespace) -> int:
    """Handler of ``splash``. Raises UserError where there is no frame buffer, or the file can't be written."""
    language, venue = "en", ""
    with suppress(UserError):  # a picture before there is a configuration is better than none
        terminal = load_settings(arguments.config or DEFAULT_CONFIG).terminal
        language, venue = terminal.languages[0], terminal.venue
    try:
        there = FrameBuffer()
    except FrameBufferError as error:
        raise UserError(f"splash: {error}") from error
    layout = there.layout
    there.close()
    try:
        write_splash(arguments.file, layout, language, venue)
    except (OSError, DisplayUnavailable) as error:
        raise UserError(f"splash: {arguments.file}: {error}") from error
    return 0


def write_splash(file: Path, layout: Layout, language: str, venue: str) -> None:
    """Write the first picture in a frame buffer's layout. Raises OSError or DisplayUnavailable."""
    with file.open("wb") as empty:
        empty.truncate(layout.length)
    window = Window(pointer_visible=False, shelves=Shelves(None), open_frame_buffer=lambda: FrameBuffer(file, layout))
    screen = TerminalScreen(window, language=language, venue=venue, cache_dir=None, beside=lambda *_: ())
    screen.say(None)
    screen.close()
