"""The program's emblem and name."""

from display.assets.glyphs import write
from display.assets.picture import Picture
from display.assets.suits import SUITS
from display.assets.vector import Drawing, place

NAMES = ("logo", "emblem")


def piece(name: str) -> Picture:
    """Return the logo or the emblem. Raises KeyError for another name."""
    return {"logo": Picture(900, 240, _logo), "emblem": Picture(240, 240, _emblem)}[name]


def _emblem() -> Drawing:
    return Drawing().fill(SUITS["s"].at(place(120, 120, 200)), (236, 204, 120))


def _logo() -> Drawing:
    drawing = Drawing()
    drawing.add(_emblem())
    write(drawing, "CROUPIER", 560, 70, 100, (236, 204, 120), weight=0.14)
    return drawing
