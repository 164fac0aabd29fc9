"""The ribbon of a large win: red cloth across the whole table, rays from its middle, gold cords along its edges."""

from display.assets.picture import Cloth, Picture
from display.assets.suits import SUITS
from display.assets.vector import Colour, Drawing, Linear, line, outwards, place, rect, ring_sector

WIDTH = 1920
HEIGHT = 260
NAMES = ("ribbon",)
_GOLD: Colour = (244, 208, 118)
_RAY_COUNT = 40


def piece(name: str) -> Picture:
    """Return the ribbon; it has no see-through pixel, so whatever lies behind it need not be painted."""
    if name not in NAMES:
        raise KeyError(name)
    return Picture(
        WIDTH,
        HEIGHT,
        _draw,
        cloth=Cloth(bright=(164, 30, 36), dark=(40, 4, 10), light_x=0.5, light_y=0.5, reach=0.62, grain=0.5),
    )


def _draw() -> Drawing:
    drawing = Drawing()
    cx, cy = WIDTH / 2, HEIGHT / 2
    light = outwards(cx, cy, 900, (*_GOLD, 0), (*_GOLD, 40), (*_GOLD, 20), (*_GOLD, 0))
    for index in range(_RAY_COUNT):
        angle = index * 360 / _RAY_COUNT
        drawing.fill(ring_sector(cx, cy, 60, 960, angle - 2.2, angle + 2.2), light)
    for y, mirrored in ((0, 1), (HEIGHT, -1)):
        cord = Linear(0, 0, WIDTH, 0, ((0, (120, 82, 22)), (0.5, (255, 236, 170)), (1, (120, 82, 22))))
        top = y if mirrored > 0 else y - 7
        drawing.fill(rect(0, top, WIDTH, 7), cord)
        drawing.stroke(line(0, y + mirrored * 16, WIDTH, y + mirrored * 16), 1.6, (*_GOLD, 110), cap="butt")
    for number in range(4):
        for side in (-1, 1):
            x = cx + side * (560 + number * 96)
            fade = 74 - number * 14
            drawing.fill(SUITS["shdc"[number]].at(place(x, cy, 54)), (*_GOLD, fade))
    return drawing
