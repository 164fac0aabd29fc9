"""How things look: colours by role, sizes of type, and what the player's comfort settings change about them.

Colour is never the only cue: every role that carries a meaning (win, lose, warning) also has a word or a shape where it
is used. Not responsible for where things stand (``layout``).
"""

from dataclasses import dataclass
from typing import Final

from display.draw_list import Colour
from display.view_model import Comfort

TOUCH_MIN: Final = 72
"""Smallest side of anything that can be touched, in logical pixels (9 mm on a 24-inch screen)."""

BIG_TEXT: Final = 1.3

# Sizes of type in logical pixels.
TINY: Final = 18
SMALL: Final = 22
BODY: Final = 26
STRONG: Final = 30
TITLE: Final = 38
HEADLINE: Final = 56
METER: Final = 50


@dataclass(frozen=True, slots=True)
class ButtonColours:
    """A button's face from top to bottom, its lower edge, and the ink on it."""

    top: Colour
    bottom: Colour
    edge: Colour
    ink: Colour
    rim: Colour


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by role."""

    ink: Colour
    muted: Colour
    gold: Colour
    print: Colour
    """Lines and letters printed on the felt."""
    print_faint: Colour
    panel: Colour
    panel_rim: Colour
    glass: Colour
    """A darker panel for numbers: meters, captions."""
    bar_top: Colour
    bar_bottom: Colour
    win: Colour
    lose: Colour
    push: Colour
    warning: Colour
    error: Colour
    good: Colour
    lit: Colour
    lit_ink: Colour
    glow: Colour
    veil: Colour
    """Laid over the table behind a message that needs an answer."""
    resting: float = 0.72
    """The light on cards that do not play now."""


_RICH: Final = Palette(
    ink=(248, 242, 226),
    muted=(206, 216, 208),
    gold=(240, 207, 122),
    print=(250, 230, 170, 240),
    print_faint=(236, 208, 138, 84),
    panel=(6, 20, 17, 196),
    panel_rim=(232, 200, 120, 96),
    glass=(3, 9, 9, 228),
    bar_top=(48, 30, 20),
    bar_bottom=(14, 9, 7),
    win=(255, 214, 96),
    lose=(238, 158, 148),
    push=(172, 206, 242),
    warning=(255, 196, 84),
    error=(255, 138, 122),
    good=(140, 226, 160),
    lit=(142, 98, 16, 240),
    lit_ink=(255, 236, 170),
    glow=(255, 210, 92, 200),
    veil=(2, 8, 8, 168),
)

_PLAIN: Final = Palette(
    ink=(255, 255, 255),
    muted=(232, 236, 232),
    gold=(255, 226, 130),
    print=(255, 255, 255, 235),
    print_faint=(255, 255, 255, 130),
    panel=(0, 0, 0, 240),
    panel_rim=(255, 255, 255, 210),
    glass=(0, 0, 0, 255),
    bar_top=(8, 8, 8),
    bar_bottom=(0, 0, 0),
    win=(255, 226, 60),
    lose=(255, 178, 168),
    push=(190, 222, 255),
    warning=(255, 214, 80),
    error=(255, 160, 146),
    good=(150, 255, 170),
    lit=(255, 214, 60, 255),
    lit_ink=(0, 0, 0),
    glow=(255, 230, 60, 255),
    veil=(0, 0, 0, 220),
    resting=0.55,
)

_TONES: Final = {
    "primary": ButtonColours((250, 214, 118), (196, 136, 34), (104, 66, 10), (44, 24, 2), (255, 236, 176)),
    "positive": ButtonColours((44, 158, 88), (16, 96, 50), (6, 52, 26), (255, 255, 255), (128, 222, 160)),
    "negative": ButtonColours((190, 58, 60), (122, 24, 30), (66, 8, 14), (255, 255, 255), (240, 146, 140)),
    "neutral": ButtonColours((80, 90, 100), (44, 51, 59), (20, 24, 28), (255, 255, 255), (146, 158, 170)),
}
DISABLED: Final = ButtonColours((44, 44, 44), (30, 30, 30), (14, 14, 14), (164, 160, 154), (78, 76, 72))


def palette(comfort: Comfort) -> Palette:
    """Return the colours for the player's choice of contrast."""
    return _PLAIN if comfort.high_contrast else _RICH


def button_colours(tone: str, enabled: bool) -> ButtonColours:
    """Return a button's colours: ``primary``, ``positive``, ``negative`` or ``neutral``."""
    return _TONES[tone] if enabled else DISABLED


def tone_colour(colours: Palette, tone: str) -> Colour:
    """Return the ink of a result or message: win, lose, push, warning, error, good, info."""
    return {
        "win": colours.win,
        "big_win": colours.win,
        "lose": colours.lose,
        "push": colours.push,
        "warning": colours.warning,
        "error": colours.error,
        "good": colours.good,
        "muted": colours.muted,
    }.get(tone, colours.ink)


RESULT_TONES: Final = {
    "win": "win",
    "blackjack": "win",
    "no_qualify": "win",
    "push": "push",
    "lose": "lose",
    "fold": "lose",
    "bust": "lose",
    "surrender": "lose",
}
"""How a result of a hand is felt by the player."""
