"""Robes and collars of the court figures, about the axis x = 0: from the shoulders (y = 98) to the card's middle (y = 140)."""

from display.assets.court_style import CREAM, GOLD, GOLD_DARK, INK_WIDTH, LINE, Figure, Palette, gold
from display.assets.suits import SUITS
from display.assets.vector import Colour, Drawing, Linear, Path, blob, curve, down, ellipse, line, place, poly, rect

MIDDLE = 140
HALF_WIDTH = 54


def robe(drawing: Drawing, figure: Figure, palette: Palette, suit: str, ink: Colour) -> None:
    """Add shoulders, sleeves and the front of the robe."""
    shoulders = blob(
        *(-HALF_WIDTH, MIDDLE),
        *(-HALF_WIDTH, 120, -46, 108, -26, 102),
        *(-18, 99, -12, 98, 0, 98),
        *(12, 98, 18, 99, 26, 102),
        *(46, 108, HALF_WIDTH, 120, HALF_WIDTH, MIDDLE),
        *(20, MIDDLE, -20, MIDDLE, -HALF_WIDTH, MIDDLE),
    )
    drawing.outline(shoulders, down(98, MIDDLE, palette.main, palette.deep), INK_WIDTH, LINE)
    for side in (-1, 1):
        _sleeve(drawing, side, figure.robe, palette)
    front = blob(
        *(-19, 100),
        *(-22, 114, -24, 126, -24, MIDDLE),
        *(-8, MIDDLE, 8, MIDDLE, 24, MIDDLE),
        *(24, 126, 22, 114, 19, 100),
        *(8, 103, -8, 103, -19, 100),
    )
    drawing.outline(front, down(98, MIDDLE, palette.second, palette.second_deep), INK_WIDTH, LINE)
    for side in (-1, 1):
        edge = curve(side * 20.5, 103, side * 22.4, 116, side * 23.6, 128, side * 23.6, MIDDLE)
        drawing.stroke(edge, 3.6, LINE)
        drawing.stroke(edge, 2.2, GOLD)
    plate = SUITS[suit].at(place(0, 125.5, 20))
    drawing.stroke(plate, 3.4, GOLD)
    drawing.outline(plate, CREAM, 0.8, LINE)
    drawing.fill(SUITS[suit].at(place(0, 125.5, 14)), ink)


def _sleeve(drawing: Drawing, side: int, pattern: str, palette: Palette) -> None:
    def at(path: Path) -> Path:
        return path.at(lambda p: (p[0] * side, p[1]))

    match pattern:
        case "lozenge":
            for row, y in enumerate((111.0, 122.0, 133.0)):
                for column in range(3 if row else 2):
                    x = 30 + column * 8.6 + (row % 2) * 1.5
                    if x < 51:
                        drawing.fill(SUITS["d"].at(place(x * side, y, 9, 11)), GOLD)
                        drawing.fill(SUITS["d"].at(place(x * side, y, 4.4, 5.6)), palette.second)
        case "stripe":
            for x0, x1, top in ((27, 32, 104.5), (36, 41, 107.5), (45, 49.5, 114.5)):
                stripe = poly(x0, top, x1, top + 2.2, x1 + 1.5, MIDDLE, x0 + 1.5, MIDDLE)
                drawing.fill(at(stripe), palette.second)
                drawing.stroke(at(line(x0, top, x0 + 1.5, MIDDLE)), 1.1, GOLD)
                drawing.stroke(at(line(x1, top + 2.2, x1 + 1.5, MIDDLE)), 1.1, GOLD)
        case _:
            for row in range(4):
                y = 110 + row * 8.4
                for column in range(4):
                    x = 27.5 + column * 7.6 + (row % 2) * 3.8
                    if x < 50 - (3 - row) * 4:
                        drawing.stroke(at(curve(x - 3.8, y, x - 3.4, y + 5.4, x + 3.4, y + 5.4, x + 3.8, y)), 1.3, GOLD)
    cuff = curve(27, 102.5, 31, 112, 33, 124, 33, MIDDLE) if pattern == "cuff" else None
    if cuff is not None:
        drawing.stroke(at(cuff), 2, GOLD)


def collar(drawing: Drawing, figure: Figure, palette: Palette) -> None:
    """Add what lies around the neck and on the shoulders."""
    match figure.collar:
        case "ermine":
            _ermine(drawing)
        case "chain":
            _chain(drawing, palette)
        case "lace":
            _lace(drawing, palette)
        case "ruff":
            _ruff(drawing)
        case "tabard":
            _tabard(drawing, palette)
        case _:
            _scarf(drawing, palette)


def _ermine(drawing: Drawing) -> None:
    fur = blob(
        *(-14, 97),
        *(-28, 98, -40, 104, -44, 112),
        *(-30, 118, -12, 118, 0, 114),
        *(12, 118, 30, 118, 44, 112),
        *(40, 104, 28, 98, 14, 97),
        *(8, 106, -8, 106, -14, 97),
    )
    drawing.outline(fur, CREAM, INK_WIDTH, LINE)
    for x, y in ((-34, 109), (-24, 106), (-21, 113), (-11, 109), (11, 109), (21, 113), (24, 106), (34, 109)):
        drawing.fill(poly(x, y - 2.6, x + 1.5, y + 2.2, x - 1.5, y + 2.2), LINE)


def _chain(drawing: Drawing, palette: Palette) -> None:
    neck = blob(
        *(-16, 96),
        *(-22, 100, -26, 103, -28, 106),
        *(-12, 113, 12, 113, 28, 106),
        *(26, 103, 22, 100, 16, 96),
        *(8, 103, -8, 103, -16, 96),
    )
    drawing.outline(neck, palette.deep, INK_WIDTH, LINE)
    for k in range(-4, 5):
        x, y = k * 6.6, 114.5 - k * k * 0.62
        drawing.outline(ellipse(x, y, 3.1), GOLD if k % 2 == 0 else palette.main, 0.9, LINE)
        drawing.fill(ellipse(x - 0.8, y - 0.9, 0.9), (255, 255, 255, 200))


def _lace(drawing: Drawing, palette: Palette) -> None:
    drawing.outline(
        blob(
            *(-13, 98),
            *(-10, 110, 10, 110, 13, 98),
            *(20, 101, 24, 104, 22, 106),
            *(12, 117, -12, 117, -22, 106),
            *(-24, 104, -20, 101, -13, 98),
        ),
        CREAM,
        INK_WIDTH,
        LINE,
    )
    for k in range(-4, 5):
        x = k * 5.4
        drawing.outline(ellipse(x, 111.5 - k * k * 0.36, 3.0), CREAM, 0.8, LINE)
    for k in range(-3, 4):
        drawing.fill(ellipse(k * 4.2, 102.6 - k * k * 0.34, 1.5), GOLD if k else palette.main)


def _ruff(drawing: Drawing) -> None:
    drawing.outline(ellipse(0, 101, 25, 9.5), CREAM, INK_WIDTH, LINE)
    for k in range(-6, 7):
        x = k * 3.9
        depth = 9.2 * (1 - (x / 25.5) ** 2) ** 0.5
        drawing.stroke(
            curve(x * 0.5, 100.5, x * 0.7, 103, x * 0.9, 101 + depth * 0.6, x, 101 + depth), 0.9, (176, 168, 160)
        )
    drawing.stroke(curve(-25, 101, -25, 114, 25, 114, 25, 101), 1.5, GOLD)
    drawing.outline(ellipse(0, 98.5, 11.5, 4), (226, 218, 208), 0.9, LINE)


def _tabard(drawing: Drawing, palette: Palette) -> None:
    yoke = poly(-15, 97, -30, 102.5, -23, 114, -8, 110, 0, 118, 8, 110, 23, 114, 30, 102.5, 15, 97, 0, 104)
    drawing.outline(yoke, palette.main, INK_WIDTH, LINE)
    drawing.stroke(line(-27.4, 104.4, -21.6, 111.4, -8, 107.4, 0, 114.6, 8, 107.4, 21.6, 111.4, 27.4, 104.4), 1.5, GOLD)
    for side in (-1, 1):
        drawing.fill(ellipse(side * 16, 104, 1.7), GOLD)


def _scarf(drawing: Drawing, palette: Palette) -> None:
    drawing.outline(
        blob(
            *(-15, 95),
            *(-24, 101, -28, 107, -25, 111),
            *(-10, 117, 10, 117, 25, 111),
            *(28, 107, 24, 101, 15, 95),
            *(8, 103, -8, 103, -15, 95),
        ),
        palette.deep,
        INK_WIDTH,
        LINE,
    )
    for x in (-14, -5, 5, 14):
        drawing.stroke(curve(x * 0.7, 101, x * 0.9, 105, x * 1.2, 108, x * 1.25, 112), 1.0, palette.main)
    drawing.outline(ellipse(0, 110.5, 4.8), gold(106, 115), 1.0, LINE)
    drawing.fill(ellipse(0, 110.5, 2.1), palette.second)


def belt(drawing: Drawing, palette: Palette, ink: Colour) -> None:
    """Add the band that joins the two halves, in the card's own coordinates."""
    paint: Linear = down(133, 147, GOLD, (255, 230, 150), GOLD)
    drawing.outline(rect(45, 134, 110, 12), paint, INK_WIDTH, LINE)
    for k in range(-6, 7):
        x = 100 + k * 8.4
        if k % 2:
            drawing.outline(ellipse(x, 140, 2.1), CREAM, 0.8, LINE)
        else:
            drawing.outline(SUITS["d"].at(place(x, 140, 7.4, 8.6)), ink if k % 4 == 0 else palette.second, 0.8, LINE)
    for y in (136.2, 143.8):
        drawing.stroke(line(46, y, 154, y), 0.7, GOLD_DARK)
