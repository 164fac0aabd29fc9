"""The backs of the cards: two designs that differ in pattern as well as in colour. Both look the same turned by half."""

import math

from display.assets import cards
from display.assets.picture import Picture
from display.assets.suits import SUITS
from display.assets.vector import Colour, Drawing, arc, down, ellipse, fade, line, outwards, place, rect, shade, star

_LIGHT: Colour = (240, 228, 196)
_GOLD: Colour = (226, 186, 96)
_FIELD = (9.0, 9.0, cards.WIDTH - 18.0, cards.HEIGHT - 18.0)
_MIDDLE = (cards.WIDTH / 2, cards.HEIGHT / 2)


def back(name: str) -> Picture:
    """Return a back. Raises KeyError for an unknown design."""
    design = _DESIGNS[name]
    return Picture(cards.WIDTH, cards.HEIGHT, design, cards.BLEED, cards.SHADOW)


def _field(colour: Colour) -> Drawing:
    drawing = cards.paper()
    x, y, w, h = _FIELD
    drawing.fill(rect(x, y, w, h, 8), down(y, y + h, shade(colour, 0.8), colour, shade(colour, 0.8)))
    return drawing


def _frame(drawing: Drawing, colour: Colour) -> None:
    x, y, w, h = _FIELD
    drawing.stroke(rect(x + 5, y + 5, w - 10, h - 10, 5), 7.5, shade(colour, 0.72))
    for inset, width, ink in ((0.8, 1.8, _LIGHT), (9.4, 0.9, _GOLD)):
        drawing.stroke(rect(x + inset, y + inset, w - 2 * inset, h - 2 * inset, max(2, 8 - inset)), width, ink)
    for k in range(27):
        for edge in (x + 5, x + w - 5):
            drawing.fill(ellipse(edge, y + 13 + k * 9.07, 1.0), _GOLD)
    for k in range(18):
        for edge in (y + 5, y + h - 5):
            drawing.fill(ellipse(x + 14.5 + k * 9.0, edge, 1.0), _GOLD)


def _medallion(drawing: Drawing, colour: Colour) -> None:
    cx, cy = _MIDDLE
    drawing.fill(ellipse(cx, cy, 46), shade(colour, 0.6))
    drawing.stroke(ellipse(cx, cy, 46), 2.2, _LIGHT)
    drawing.stroke(ellipse(cx, cy, 42.6), 0.9, _GOLD)
    for k in range(18):
        loop = ellipse(0, 20, 8.4, 19).at(place(cx, cy, 1, turn=k * 20))
        drawing.stroke(loop, 0.8, fade(_GOLD, 0.85))
    drawing.fill(ellipse(cx, cy, 21.5), outwards(cx, cy, 21.5, shade(colour, 1.12), shade(colour, 0.72)))
    drawing.stroke(ellipse(cx, cy, 21.5), 1.6, _LIGHT)


def _suits(drawing: Drawing) -> None:
    cx, cy = _MIDDLE
    for k, suit in enumerate("shsh"):
        turn = k * 90
        a = math.radians(turn - 90)
        drawing.fill(SUITS[suit].at(place(cx + 11.4 * math.cos(a), cy + 11.4 * math.sin(a), 11.5, turn=turn)), _LIGHT)
    drawing.fill(SUITS["d"].at(place(cx, cy, 5.4, 7)), _GOLD)


def _blue() -> Drawing:
    """A lattice of fine lines with a diamond in every mesh."""
    colour: Colour = (24, 62, 132)
    drawing = _field(colour)
    left, top, right, bottom = 18.0, 18.0, cards.WIDTH - 18.0, cards.HEIGHT - 18.0
    step_x, step_y = 16.4, 20.33
    slope = step_y / step_x
    for k in range(-16, 28):
        offset = top + k * step_y
        for direction in (1, -1):
            points = []
            for x in (left, right):
                y = offset + direction * slope * (x - left)
                points.append((x, y))
            clipped = _clip(points[0], points[1], top, bottom)
            if clipped is not None:
                drawing.stroke(line(*clipped), 0.8, fade(_LIGHT, 0.62))
    for row in range(25):
        for column in range(11):
            if (row + column) % 2 == 0:
                x, y = left + column * step_x, top + row * step_y / 2
                if row % 2 == 0 and 0 < column < 10:
                    drawing.fill(ellipse(x, y, 1.5), _GOLD)
    for row in range(12):
        for column in range(10):
            x, y = left + (column + 0.5) * step_x, top + (row + 0.5) * step_y
            drawing.fill(SUITS["d"].at(place(x, y, 4.4, 5.6)), fade(_LIGHT, 0.62))
    _frame(drawing, colour)
    _medallion(drawing, colour)
    _suits(drawing)
    return drawing


def _clip(a: tuple[float, float], b: tuple[float, float], top: float, bottom: float) -> tuple[float, ...] | None:
    """Return a segment's part between two heights, or None."""
    (x0, y0), (x1, y1) = (a, b) if a[1] <= b[1] else (b, a)
    if y1 <= top or y0 >= bottom:
        return None
    grow = (x1 - x0) / (y1 - y0)
    if y0 < top:
        x0, y0 = x0 + (top - y0) * grow, top
    if y1 > bottom:
        x1, y1 = x1 + (bottom - y1) * grow, bottom
    return x0, y0, x1, y1


def _red() -> Drawing:
    """Scales of three arcs each, meeting at the middle from both ends."""
    colour: Colour = (152, 24, 38)
    drawing = _field(colour)
    half = Drawing()
    wide, tall = 20.5, 13.6
    for row in range(9):
        for column in range(9 if row % 2 else 8):
            x = 18.0 + (column + (0 if row % 2 else 0.5)) * wide
            y = 19.0 + (row + 1) * tall
            start = 270.0 if column == 0 and row % 2 else 180.0
            end = 270.0 if column == 8 else 360.0
            for radius, width, alpha in ((9.8, 0.9, 0.8), (6.4, 0.8, 0.6), (3.0, 0.8, 0.55)):
                half.stroke(arc(x, y, radius, start, end, radius * 1.25), width, fade(_LIGHT, alpha))
            if 0 < column < 8 or not row % 2:
                half.fill(ellipse(x, y - 1.0, 1.1), _GOLD)
    drawing.add(half).add(half, cards.HALF_TURN)
    _frame(drawing, colour)
    _medallion(drawing, colour)
    cx, cy = _MIDDLE
    drawing.fill(star(cx, cy, 18, 7.6, 8), _LIGHT)
    drawing.fill(star(cx, cy, 10.5, 4.6, 8, -90 + 22.5), _GOLD)
    drawing.fill(ellipse(cx, cy, 3.6), shade(colour, 0.7))
    return drawing


_DESIGNS = {"blue": _blue, "red": _red}
NAMES = tuple(_DESIGNS)
