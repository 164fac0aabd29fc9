"""Things that stand on the table: shoe, discard tray, lamps."""

from display.assets.picture import Picture, Shadow
from display.assets.vector import Drawing, ellipse, outwards, rect

NAMES = ("shoe", "discard", "lamp:off", "lamp:on")


def piece(name: str) -> Picture:
    """Return a piece. Raises KeyError for an unknown name."""
    if name.startswith("lamp:"):
        return {"lamp:off": Picture(40, 40, lambda: _lamp(False)), "lamp:on": Picture(40, 40, lambda: _lamp(True))}[
            name
        ]
    return Picture(220, 170, _box, 10, Shadow(2, 5, 8, 0.5))


def _lamp(lit: bool) -> Drawing:
    drawing = Drawing()
    drawing.fill(
        ellipse(20, 20, 18),
        outwards(20, 20, 18, (255, 240, 170) if lit else (90, 84, 70), (200, 140, 20) if lit else (40, 36, 30)),
    )
    return drawing


def _box() -> Drawing:
    return Drawing().fill(rect(10, 10, 200, 150, 12), (30, 24, 22))
