"""Illustrations of the games for the lobby."""

from display.assets import felts
from display.assets.picture import Picture
from display.assets.vector import Drawing, rect

NAMES = tuple(name for name in felts.NAMES if name not in ("lobby", "page"))


def tile(name: str) -> Picture:
    """Return a game's illustration. Raises KeyError for an unknown game."""
    bright, _ = felts.colours(name)
    return Picture(420, 260, lambda: Drawing().fill(rect(0, 0, 420, 260, 18), bright))
