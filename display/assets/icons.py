"""Signs in one light colour, drawn in a box of 48 x 48."""

from display.assets.picture import Picture
from display.assets.vector import Drawing, ellipse

NAMES = (
    "sound", "mute", "help", "language", "back", "cash", "lock", "unlock", "door", "key", "note", "coin", "warning", "attendant",
    "history", "plus", "minus", "check", "cross", "clock", "hand", "up", "down", "left", "right", "plug", "settings", "star",
)  # fmt: skip


def icon(name: str) -> Picture:
    """Return a sign. Raises KeyError for an unknown one."""
    if name not in NAMES:
        raise KeyError(name)
    return Picture(48, 48, lambda: Drawing().stroke(ellipse(24, 24, 18), 3, (240, 232, 210)))
