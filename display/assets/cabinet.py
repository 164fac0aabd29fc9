"""Parts of the simulated cabinet."""

from display.assets.picture import Picture
from display.assets.vector import Drawing, rect

NAMES = (
    "body",
    "note_slot",
    "coin_slot",
    "tray",
    "button:off",
    "button:on",
    "door:closed",
    "door:open",
    "key:off",
    "key:on",
    "plug",
    "hopper",
    "cash_box",
)


def part(name: str) -> Picture:
    """Return a part. Raises KeyError for an unknown one."""
    if name not in NAMES:
        raise KeyError(name)
    return Picture(200, 120, lambda: Drawing().fill(rect(0, 0, 200, 120, 12), (60, 64, 72)))
