"""What the court figures hold. The hand is at (38, 118), right of the axis x = 0; things stand up to the frame's top."""

from collections.abc import Callable

from display.assets.court_style import CREAM, GOLD, INK_WIDTH, LINE, WOOD, Palette, gold, steel
from display.assets.suits import SUITS
from display.assets.vector import Colour, Drawing, blob, curve, ellipse, line, place, poly, rect, shade

_X = 40.0
_LEAF: Colour = (46, 128, 66)


def hand(drawing: Drawing, skin: Colour, cuff: Colour) -> None:
    """Add the hand that holds it."""
    drawing.outline(
        blob(
            *(_X - 10, 127),
            *(_X - 8, 122, _X + 8, 122, _X + 10, 127),
            *(_X + 11, 131, _X + 11, 134, _X + 10, 136),
            *(_X, 138, _X, 138, _X - 10, 136),
            *(_X - 11, 134, _X - 11, 131, _X - 10, 127),
        ),
        cuff,
        INK_WIDTH,
        LINE,
    )
    drawing.stroke(curve(_X - 10, 127.6, _X - 4, 124.4, _X + 4, 124.4, _X + 10, 127.6), 1.4, GOLD)
    fist = blob(*(_X - 8, 118), *(_X - 8, 111, _X + 8, 111, _X + 8, 118), *(_X + 8, 126, _X - 8, 126, _X - 8, 118))
    drawing.outline(fist, skin, INK_WIDTH, LINE)
    for y in (115.6, 118.6, 121.6):
        drawing.stroke(curve(_X - 5.5, y, _X - 2, y + 0.8, _X + 2, y + 0.8, _X + 4.5, y), 0.8, shade(skin, 0.6))


def _shaft(drawing: Drawing, top: float, colour: Colour = WOOD, width: float = 3.4) -> None:
    drawing.stroke(line(_X, 134, _X, top), width + 1.8, LINE)
    drawing.stroke(line(_X, 134, _X, top), width, colour)


def sword(drawing: Drawing, palette: Palette) -> None:
    """Add an upright sword."""
    drawing.outline(poly(_X, 28, _X + 4, 36, _X + 4, 106, _X - 4, 106, _X - 4, 36), steel(28, 106), INK_WIDTH, LINE)
    drawing.stroke(line(_X, 38, _X, 103), 1.0, (120, 130, 150))
    drawing.outline(rect(_X - 13, 105, 26, 5.4, 2.6), gold(105, 111), INK_WIDTH, LINE)
    drawing.outline(ellipse(_X, 107.6, 3.0), palette.second, 0.8, LINE)
    drawing.outline(ellipse(_X, 129, 4), gold(125, 133), INK_WIDTH, LINE)


def sceptre(drawing: Drawing, palette: Palette) -> None:
    """Add a sceptre with a heart."""
    _shaft(drawing, 50, GOLD)
    for y in (60, 84, 104):
        drawing.outline(rect(_X - 4.4, y, 8.8, 4.4, 2), gold(y, y + 4), 0.9, LINE)
    drawing.outline(ellipse(_X, 43, 9), gold(34, 52), INK_WIDTH, LINE)
    drawing.outline(SUITS["h"].at(place(_X, 43.6, 11.5)), palette.main, 0.8, LINE)
    drawing.outline(poly(_X - 2.6, 34.6, _X, 27, _X + 2.6, 34.6), GOLD, 0.9, LINE)


def axe(drawing: Drawing, palette: Palette) -> None:
    """Add a battle axe with two blades."""
    _shaft(drawing, 34)
    for side in (-1, 1):
        blade = blob(
            *(_X + side * 2, 42),
            *(_X + side * 7, 42, _X + side * 11, 37, _X + side * 13, 33),
            *(_X + side * 17, 44, _X + side * 17, 58, _X + side * 13, 68),
            *(_X + side * 11, 63, _X + side * 7, 58, _X + side * 2, 58),
            *(_X + side * 2, 52, _X + side * 2, 48, _X + side * 2, 42),
        )
        drawing.outline(blade, steel(33, 68), INK_WIDTH, LINE)
    drawing.outline(rect(_X - 3.6, 41, 7.2, 18, 2), gold(41, 59), 1.0, LINE)
    drawing.outline(ellipse(_X, 50, 2.4), palette.second, 0.8, LINE)
    drawing.outline(poly(_X - 2.8, 40, _X, 28, _X + 2.8, 40), steel(28, 40), 1.0, LINE)


def orb(drawing: Drawing, palette: Palette) -> None:
    """Add an orb with a cross."""
    drawing.outline(ellipse(_X, 97, 13.5), palette.main, INK_WIDTH, LINE)
    drawing.fill(ellipse(_X - 4.4, 91.6, 4.4, 3.4), (255, 255, 255, 110))
    drawing.stroke(curve(_X - 13.4, 97, _X - 6, 101, _X + 6, 101, _X + 13.4, 97), 3.4, GOLD)
    drawing.stroke(line(_X, 83.8, _X, 99.8), 3.0, GOLD)
    drawing.stroke(ellipse(_X, 97, 13.5), INK_WIDTH, LINE)
    cross = poly(
        _X - 2,
        84,
        _X - 2,
        77,
        _X - 7,
        77,
        _X - 7,
        73,
        _X - 2,
        73,
        _X - 2,
        66,
        _X + 2,
        66,
        _X + 2,
        73,
        _X + 7,
        73,
        _X + 7,
        77,
        _X + 2,
        77,
        _X + 2,
        84,
    )
    drawing.outline(cross, gold(66, 84), 1.0, LINE)


def _stem(drawing: Drawing, top: float) -> None:
    drawing.stroke(curve(_X, 132, _X + 2, 112, _X - 2, 96, _X, top), 2.6, (30, 92, 48))
    for side, y in ((-1, 100), (1, 92)):
        leaf = blob(0, 0, 5, -3, 12, -3, 16, -9, 15, 1, 8, 6, 0, 0).at(place(_X, y, side, 1))
        drawing.outline(leaf, _LEAF, 0.9, LINE)


def rose(drawing: Drawing, palette: Palette) -> None:
    """Add a rose."""
    _stem(drawing, 72)
    for k in range(5):
        petal = blob(0, 0, 9, -3, 10, -13, 0, -14.5, -10, -13, -9, -3, 0, 0).at(place(_X, 60, 1, turn=k * 72))
        drawing.outline(petal, palette.main, 1.0, LINE)
    for k in range(5):
        petal = blob(0, 0, 5, -2, 6, -8, 0, -8.6, -6, -8, -5, -2, 0, 0).at(place(_X, 60, 1, turn=36 + k * 72))
        drawing.outline(petal, shade(palette.main, 1.25), 0.8, LINE)
    drawing.outline(ellipse(_X, 60, 3.4), GOLD, 0.8, LINE)


def lily(drawing: Drawing, palette: Palette) -> None:
    """Add a white lily."""
    _stem(drawing, 74)
    for turn in (-58, 58, -28, 28, 0):
        petal = blob(0, 0, 6, -8, 6, -20, 0, -30, -6, -20, -6, -8, 0, 0).at(place(_X, 74, 1, turn=turn))
        drawing.outline(petal, CREAM, 1.0, LINE)
        drawing.stroke(curve(0, -4, 0, -10, 0, -16, 0, -22).at(place(_X, 74, 1, turn=turn)), 0.9, palette.main)
    drawing.outline(ellipse(_X, 72, 3.4, 2.8), GOLD, 0.8, LINE)


def fan(drawing: Drawing, palette: Palette) -> None:
    """Add an open fan."""
    for k in range(-3, 4):
        blade = blob(0, 0, 3.2, -14, 5.4, -30, 4.6, -34, 2, -37.5, -2, -37.5, -4.6, -34, -5.4, -30, -3.2, -14, 0, 0)
        where = place(_X - 1, 112, 1, turn=k * 15.5 - 4)
        drawing.outline(blade.at(where), palette.second if k % 2 else CREAM, 0.9, LINE)
        drawing.fill(ellipse(0, -30, 2.2).at(where), palette.main if k % 2 == 0 else GOLD)
    drawing.outline(ellipse(_X - 1, 111, 3), GOLD, 0.8, LINE)


def goblet(drawing: Drawing, palette: Palette) -> None:
    """Add a goblet."""
    bowl = blob(
        *(_X - 12, 72),
        *(_X - 12, 90, _X - 5, 97, _X, 97),
        *(_X + 5, 97, _X + 12, 90, _X + 12, 72),
        *(_X + 6, 74, _X - 6, 74, _X - 12, 72),
    )
    drawing.outline(bowl, gold(72, 98), INK_WIDTH, LINE)
    drawing.outline(ellipse(_X, 72, 12, 3.4), (120, 20, 40), INK_WIDTH, LINE)
    drawing.stroke(curve(_X - 11.4, 80, _X - 5, 83, _X + 5, 83, _X + 11.4, 80), 1.2, palette.second)
    for x in (-6, 0, 6):
        drawing.outline(ellipse(_X + x, 86.4 - abs(x) * 0.16, 2.2), palette.main, 0.8, LINE)
    drawing.outline(rect(_X - 2.2, 97, 4.4, 20, 1), gold(97, 117), 1.0, LINE)
    drawing.outline(ellipse(_X, 103, 4, 2.4), gold(100, 106), 0.9, LINE)


def halberd(drawing: Drawing, palette: Palette) -> None:
    """Add a halberd."""
    _shaft(drawing, 40)
    drawing.outline(poly(_X, 25, _X + 4, 36, _X + 2.4, 48, _X - 2.4, 48, _X - 4, 36), steel(25, 48), INK_WIDTH, LINE)
    blade = blob(
        *(_X - 2, 50),
        *(_X - 7, 50, _X - 10, 47, _X - 14, 44),
        *(_X - 18, 53, _X - 18, 61, _X - 14, 70),
        *(_X - 10, 66, _X - 7, 63, _X - 2, 63),
        *(_X - 2, 58, _X - 2, 54, _X - 2, 50),
    )
    drawing.outline(blade, steel(44, 70), INK_WIDTH, LINE)
    drawing.outline(poly(_X + 2, 52, _X + 12, 56.5, _X + 2, 61), steel(52, 61), INK_WIDTH, LINE)
    drawing.outline(rect(_X - 3.2, 48, 6.4, 17, 1.6), gold(48, 65), 1.0, LINE)
    for side in (-1, 1):
        drawing.stroke(curve(_X, 66, _X + side * 4, 70, _X + side * 2, 74, _X + side * 5, 78), 1.8, palette.second)


def arrow(drawing: Drawing, palette: Palette) -> None:
    """Add an arrow that points up."""
    _shaft(drawing, 46, WOOD, 2.4)
    drawing.outline(poly(_X, 26, _X + 8, 44, _X, 40, _X - 8, 44), steel(26, 44), INK_WIDTH, LINE)
    for y in (84, 91, 98):
        for side in (-1, 1):
            drawing.outline(
                poly(_X, y + 6, _X + side * 9, y - 2, _X + side * 9, y + 4, _X, y + 12),
                palette.second if y != 91 else CREAM,
                0.9,
                LINE,
            )


def horn(drawing: Drawing, palette: Palette) -> None:
    """Add a hunting horn."""
    body = blob(
        *(_X - 4, 110),
        *(_X + 6, 96, _X + 6, 76, _X - 4, 56),
        *(_X, 53, _X + 6, 50, _X + 13, 48),
        *(_X + 17, 70, _X + 14, 98, _X + 3, 114),
        *(_X + 1, 114, _X - 2, 113, _X - 4, 110),
    )
    drawing.outline(body, gold(48, 114), INK_WIDTH, LINE)
    drawing.outline(ellipse(0, 0, 10.5, 4.4).at(place(_X + 4.6, 51.6, 1, turn=-24)), (110, 66, 14), INK_WIDTH, LINE)
    for y0, y1 in ((66, 64), (82, 82), (98, 100)):
        drawing.stroke(curve(_X + 2.4, y0, _X + 6, y0 - 1, _X + 10, y1 - 1, _X + 14, y1), 2.4, palette.second)


def pennant(drawing: Drawing, palette: Palette) -> None:
    """Add a lance with a pennant."""
    _shaft(drawing, 36, WOOD, 2.8)
    drawing.outline(poly(_X, 25, _X + 4.4, 37, _X - 4.4, 37), steel(25, 37), INK_WIDTH, LINE)
    flag = blob(
        *(_X - 1.5, 42),
        *(_X - 8, 38, _X - 13, 46, _X - 20, 42),
        *(_X - 17, 50, _X - 17, 54, _X - 21, 61),
        *(_X - 13, 64, _X - 8, 58, _X - 1.5, 63),
        *(_X - 1.5, 56, _X - 1.5, 50, _X - 1.5, 42),
    )
    drawing.outline(flag, palette.second, INK_WIDTH, LINE)
    drawing.fill(SUITS["c"].at(place(_X - 10, 51.6, 11)), GOLD)


ATTRIBUTES: dict[str, Callable[[Drawing, Palette], None]] = {
    function.__name__: function
    for function in (sword, sceptre, axe, orb, rose, lily, fan, goblet, halberd, arrow, horn, pennant)
}
