"""Chips, from above and at an angle for stacks. Each value has its own colour and its own pattern of edge spots."""

from display.assets.glyphs import text_width, write
from display.assets.picture import Picture, Shadow
from display.assets.vector import Colour, Drawing, down, ellipse, ring_sector, shade

SIZE = 100
SIDE_HEIGHT = 86
STEP = 12
VALUES_MINOR = (10, 50, 100, 200, 500, 1000, 2000, 2500, 5000, 10000, 20000, 50000, 100000, 500000)


def label(minor: int) -> str:
    """Return the number on a chip: whole units, or hundredths after a point."""
    whole, rest = divmod(minor, 100)
    if rest:
        return f"{minor / 100:.2f}".rstrip("0")
    return str(whole)


def top(name: str) -> Picture:
    """Return a chip seen from above. Raises ValueError for a name that is no positive amount."""
    minor = int(name)
    if minor <= 0:
        raise ValueError(name)
    return Picture(SIZE, SIZE, lambda: _draw(minor, 50, 1.0), 6, Shadow(0.5, 2.5, 4, 0.5))


def side(name: str) -> Picture:
    """Return a chip seen at an angle. Raises ValueError for a name that is no positive amount."""
    minor = int(name)
    if minor <= 0:
        raise ValueError(name)
    return Picture(SIZE, SIDE_HEIGHT, lambda: _draw(minor, 37, 0.72), 6, Shadow(0.5, 2.5, 4, 0.5))


def _draw(minor: int, cy: float, squash: float) -> Drawing:
    base: Colour = (178, 32, 40)
    light: Colour = (245, 240, 230)
    drawing = Drawing()
    if squash < 1:
        drawing.fill(ellipse(50, cy + 12, 50, 50 * squash), shade(base, 0.5))
    drawing.fill(ellipse(50, cy, 50, 50 * squash), base)
    for k in range(6):
        drawing.fill(ring_sector(50, cy, 36, 49, k * 60 - 12, k * 60 + 12, squash), light)
    drawing.fill(ellipse(50, cy, 32, 32 * squash), light)
    text = label(minor)
    height = min(26.0, 52 / text_width(text, 1, 0.16, narrow=0.9))
    write(
        drawing,
        text,
        50,
        cy - height * squash / 2,
        height,
        down(0, 1, (60, 10, 10), (60, 10, 10)),
        narrow=0.9,
        squash=squash,
    )
    return drawing
