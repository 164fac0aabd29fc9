"""The program's emblem and name."""

from display.assets.glyphs import text_width, write
from display.assets.picture import Picture, Shadow
from display.assets.suits import SUITS
from display.assets.vector import (
    Colour,
    Drawing,
    Linear,
    ellipse,
    line,
    outwards,
    place,
    poly,
    ring_sector,
)

NAMES = ("logo", "emblem")
_WORD = "CROUPIER"
_DARK: Colour = (34, 20, 8)


def _gold(top: float, bottom: float) -> Linear:
    stops: tuple[tuple[float, Colour], ...] = (
        (0, (255, 248, 208)),
        (0.42, (242, 204, 112)),
        (0.52, (196, 142, 48)),
        (0.6, (232, 188, 92)),
        (1, (255, 236, 170)),
    )
    return Linear(0, top, 0, bottom, stops)


def piece(name: str) -> Picture:
    """Return the logo or the emblem. Raises KeyError for another name."""
    shadow = Shadow(2, 5, 7, 0.6)
    return {
        "logo": Picture(900, 240, _logo, 12, shadow),
        "emblem": Picture(240, 240, _emblem, 12, shadow),
    }[name]


def _emblem() -> Drawing:
    """A chip whose middle is a spade under a crown."""
    drawing = Drawing()
    drawing.fill(ellipse(120, 120, 112), _gold(8, 232))
    drawing.fill(ellipse(120, 120, 108), _DARK)
    for k in range(12):
        drawing.fill(ring_sector(120, 120, 88, 106, k * 30 - 8, k * 30 + 8), _gold(14, 226))
    drawing.fill(ellipse(120, 120, 86), _gold(34, 206))
    drawing.fill(ellipse(120, 120, 82), outwards(110, 96, 100, (30, 110, 78), (6, 46, 34)))
    drawing.stroke(ellipse(120, 120, 75), 1.6, (240, 208, 130, 190))
    drawing.fill(SUITS["s"].at(place(120, 134, 96)), _gold(86, 182))
    drawing.fill(SUITS["s"].at(place(120, 133, 72)), (10, 60, 44))
    drawing.fill(SUITS["d"].at(place(120, 133, 22, 28)), _gold(118, 148))
    crown = poly(90, 84, 84, 54, 102, 68, 120, 46, 138, 68, 156, 54, 150, 84)
    drawing.outline(crown, _gold(46, 84), 2, _DARK)
    for x, y in ((84, 52), (120, 44), (156, 52)):
        drawing.outline(ellipse(x, y, 5), (250, 240, 214), 1.6, _DARK)
    return drawing


def _logo() -> Drawing:
    drawing = Drawing()
    drawing.add(_emblem())
    height, weight, gap = 104.0, 0.15, 0.36
    width = text_width(_WORD, height, weight, gap=gap)
    scale = min(1.0, 620 / width)
    height *= scale
    middle, top = 575.0, 62.0
    outline = weight + 0.07
    write(
        drawing,
        _WORD,
        middle,
        top - 0.035 * height,
        height * (1 + 0.07),
        _DARK,
        weight=outline / 1.07,
        narrow=1 / 1.07,
        gap=gap / 1.07,
    )
    write(drawing, _WORD, middle, top, height, _gold(top, top + height), weight=weight, gap=gap)
    y = top + height + 34
    for x0, x1 in ((276, 500), (650, 874)):
        drawing.stroke(line(x0, y, x1, y), 3, _gold(y - 2, y + 2))
    for k, suit in enumerate("shdc"):
        colour: Colour = (246, 238, 216) if suit in "sc" else (222, 60, 66)
        drawing.fill(SUITS[suit].at(place(524 + k * 34, y, 22)), colour)
    return drawing
