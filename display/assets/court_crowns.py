"""Headgear of the court figures, about the axis x = 0; the brow is near y = 54."""

from collections.abc import Callable

from display.assets.court_style import CREAM, GOLD, GOLD_DARK, INK_WIDTH, LINE, Palette, gold
from display.assets.suits import SUITS
from display.assets.vector import Colour, Drawing, blob, curve, ellipse, place, poly, rect, star

_PEARL: Colour = (255, 252, 244)


def _gem(drawing: Drawing, x: float, y: float, r: float, colour: Colour) -> None:
    drawing.outline(ellipse(x, y, r), colour, 0.8, LINE)
    drawing.fill(ellipse(x - r * 0.3, y - r * 0.35, r * 0.32), (255, 255, 255, 200))


def _band(drawing: Drawing, wide: float, top: float, bottom: float, sag: float = 4.5) -> None:
    band = blob(
        *(-wide, top),
        *(-wide * 0.5, top - sag, wide * 0.5, top - sag, wide, top),
        *(wide, top, wide - 0.6, bottom, wide - 0.6, bottom),
        *(wide * 0.5, bottom - sag, -wide * 0.5, bottom - sag, -wide + 0.6, bottom),
        *(-wide + 0.6, bottom, -wide, top, -wide, top),
    )
    drawing.outline(band, gold(top - sag, bottom), INK_WIDTH, LINE)


def _band_gems(drawing: Drawing, palette: Palette, y: float, wide: float) -> None:
    for k in (-2, -1, 0, 1, 2):
        lift = 3.4 - k * k * 0.85
        _gem(drawing, k * wide / 2.6, y - lift, 2.3 if k % 2 == 0 else 1.7, palette.second if k % 2 == 0 else _PEARL)


def crown_lily(drawing: Drawing, palette: Palette) -> None:
    """Add a crown of three lilies and two pearls."""
    cap = blob(*(-17, 50), *(-16, 34, 16, 34, 17, 50), *(8, 46, -8, 46, -17, 50))
    drawing.outline(cap, palette.second, INK_WIDTH, LINE)
    body = poly(-21, 52, -25, 29, -17, 39, -12, 33, -8, 40, 0, 20, 8, 40, 12, 33, 17, 39, 25, 29, 21, 52)
    drawing.outline(body, gold(20, 54), INK_WIDTH, LINE)
    _band(drawing, 21.5, 50, 57)
    for x, y, r in ((-25, 28, 3.2), (25, 28, 3.2), (0, 19, 3.6), (-12, 32, 2.2), (12, 32, 2.2)):
        _gem(drawing, x, y, r, palette.main if abs(x) != 12 else _PEARL)
    _band_gems(drawing, palette, 54.4, 21)


def crown_high(drawing: Drawing, palette: Palette) -> None:
    """Add a crown of tall points with hearts of velvet between."""
    cap = blob(*(-18, 52), *(-20, 28, -6, 26, 0, 34), *(6, 26, 20, 28, 18, 52), *(8, 47, -8, 47, -18, 52))
    drawing.outline(cap, palette.second, INK_WIDTH, LINE)
    for x in (-22, -11, 0, 11, 22):
        top = 26 + abs(x) * 0.12
        drawing.outline(
            poly(x - 4.2, 52, x - 1.6, top + 6, x, top, x + 1.6, top + 6, x + 4.2, 52), gold(top, 54), INK_WIDTH, LINE
        )
        _gem(drawing, x, top, 2.6, palette.main)
    _band(drawing, 22.5, 50, 57)
    _band_gems(drawing, palette, 54.4, 22)


def crown_low(drawing: Drawing, palette: Palette) -> None:
    """Add a broad crown of leaves."""
    drawing.outline(
        blob(*(-19, 52), *(-24, 34, 24, 34, 19, 52), *(8, 47, -8, 47, -19, 52)), palette.main, INK_WIDTH, LINE
    )
    for x in (-20, -7, 7, 20):
        leaf = blob(
            *(x, 30),
            *(x + 7, 36, x + 7, 44, x + 3, 52),
            *(x + 1, 52, x - 1, 52, x - 3, 52),
            *(x - 7, 44, x - 7, 36, x, 30),
        )
        drawing.outline(leaf, gold(30, 54), INK_WIDTH, LINE)
        drawing.stroke(curve(x, 35, x, 40, x, 44, x, 50), 0.9, GOLD_DARK)
    _band(drawing, 23, 49, 57)
    _band_gems(drawing, palette, 54, 22)


def crown_arched(drawing: Drawing, palette: Palette) -> None:
    """Add a closed crown with an orb and a cross on top."""
    drawing.outline(
        blob(*(-19, 52), *(-24, 26, 24, 26, 19, 52), *(8, 47, -8, 47, -19, 52)), palette.second, INK_WIDTH, LINE
    )
    for side in (-1, 1):
        drawing.stroke(curve(side * 19, 51, side * 22, 34, side * 10, 30, 0, 32), 5.2, LINE)
        drawing.stroke(curve(side * 19, 51, side * 22, 34, side * 10, 30, 0, 32), 3.2, GOLD)
    drawing.stroke(curve(0, 50, 0, 44, 0, 38, 0, 32), 5.2, LINE)
    drawing.stroke(curve(0, 50, 0, 44, 0, 38, 0, 32), 3.2, GOLD)
    drawing.outline(ellipse(0, 29, 4.2), gold(25, 33), INK_WIDTH, LINE)
    drawing.outline(
        poly(
            -1.4,
            25.4,
            -1.4,
            23.4,
            -4,
            23.4,
            -4,
            20.8,
            -1.4,
            20.8,
            -1.4,
            18,
            1.4,
            18,
            1.4,
            20.8,
            4,
            20.8,
            4,
            23.4,
            1.4,
            23.4,
            1.4,
            25.4,
        ),
        GOLD,
        0.9,
        LINE,
    )
    _band(drawing, 22, 49, 57.5)
    _band_gems(drawing, palette, 54, 21)


def _tiara(drawing: Drawing, palette: Palette, peaks: tuple[tuple[float, float], ...]) -> None:
    points: list[float] = [-21, 50]
    for index, (x, y) in enumerate(peaks):
        points += [x, y]
        if index + 1 < len(peaks):
            points += [(x + peaks[index + 1][0]) / 2, 45 - 2 * (1 - abs(x + peaks[index + 1][0]) / 44)]
    drawing.outline(poly(*points, 21, 50), gold(26, 52), INK_WIDTH, LINE)
    _band(drawing, 21.2, 49, 54.5, 5)
    for x, y in peaks:
        _gem(drawing, x, y, 2.7 if x else 3.3, _PEARL if x else palette.main)
    for k in (-2, -1, 0, 1, 2):
        _gem(drawing, k * 7.6, 52 - (3.8 - k * k * 0.95), 1.5, palette.second)


def tiara_star(drawing: Drawing, palette: Palette) -> None:
    """Add a tiara under a star."""
    _tiara(drawing, palette, ((-22, 38), (-12, 33), (0, 31), (12, 33), (22, 38)))
    drawing.outline(star(0, 27, 7.4, 3.0, 6), gold(20, 34), 0.9, LINE)
    _gem(drawing, 0, 27, 2.2, palette.main)


def tiara_heart(drawing: Drawing, palette: Palette) -> None:
    """Add a tiara with a heart."""
    _tiara(drawing, palette, ((-23, 36), (-13, 37), (0, 30), (13, 37), (23, 36)))
    drawing.outline(SUITS["h"].at(place(0, 31, 14, 13)), palette.main, 1.0, LINE)
    drawing.fill(ellipse(-2.6, 28.4, 1.5), (255, 255, 255, 190))


def tiara_fan(drawing: Drawing, palette: Palette) -> None:
    """Add a fan-shaped headdress."""
    for k in (-3, -2, -1, 0, 1, 2, 3):
        turn = k * 19
        petal = blob(0, 0, 5.5, -8, 5.5, -22, 0, -27, -5.5, -22, -5.5, -8, 0, 0).at(place(0, 52, 1, turn=turn))
        drawing.outline(petal, palette.main if k % 2 == 0 else palette.second, 1.0, LINE)
        drawing.fill(ellipse(0, -21, 1.9).at(place(0, 52, 1, turn=turn)), _PEARL)
    _band(drawing, 21.2, 48, 54.5, 5)
    for k in (-2, -1, 0, 1, 2):
        _gem(drawing, k * 7.6, 51.6 - (3.8 - k * k * 0.95), 1.6, palette.second if k % 2 == 0 else _PEARL)


def tiara_leaf(drawing: Drawing, palette: Palette) -> None:
    """Add a wreath of leaves with a trefoil."""
    for x, turn in ((-20, -62), (-14, -42), (-8, -22), (8, 22), (14, 42), (20, 62)):
        leaf = blob(0, 2, 4.4, -3, 4, -11, 0, -16, -4, -11, -4.4, -3, 0, 2).at(
            place(x, 48 - (20 - abs(x)) * 0.22, 1, turn=turn)
        )
        drawing.outline(leaf, gold(28, 54), 1.0, LINE)
    drawing.outline(SUITS["c"].at(place(0, 34, 19)), palette.main, 1.0, LINE)
    _band(drawing, 21, 49, 54.5, 5)
    for k in (-2, -1, 0, 1, 2):
        _gem(drawing, k * 7.4, 52 - (3.8 - k * k * 0.95), 1.5, _PEARL)


def _feather(drawing: Drawing, x: float, y: float, turn: float, size: float, colour: Colour) -> None:
    where = place(x, y, size, turn=turn)
    vane = blob(0, 0, 7, -5, 9, -18, 2, -30, -6, -22, -6, -8, 0, 0)
    drawing.outline(vane.at(where), colour, 1.0, LINE)
    drawing.stroke(curve(0, 2, 2, -8, 3, -18, 2, -28).at(where), 0.9, LINE)


def beret(drawing: Drawing, palette: Palette) -> None:
    """Add a slanted beret with a feather."""
    _feather(drawing, 15, 48, 48, 1.05, CREAM)
    cap = blob(*(-25, 50), *(-30, 34, -10, 28, 6, 30), *(22, 31, 29, 42, 23, 53), *(10, 45, -10, 45, -25, 50))
    drawing.outline(cap, palette.second, INK_WIDTH, LINE)
    drawing.stroke(curve(-18, 40, -8, 34, 8, 34, 18, 41), 1.0, palette.second_deep)
    _band(drawing, 22, 50.5, 56)
    _gem(drawing, 14, 50, 3.0, palette.main)


def hunter(drawing: Drawing, palette: Palette) -> None:
    """Add a pointed hunter's hat with a long brim and a feather."""
    _feather(drawing, -12, 44, -38, 1.1, palette.second)
    crown = blob(*(-20, 50), *(-16, 30, -2, 24, 8, 27), *(16, 30, 20, 42, 21, 50), *(8, 45, -8, 45, -20, 50))
    drawing.outline(crown, palette.main, INK_WIDTH, LINE)
    brim = blob(*(-23, 56), *(-14, 46, 10, 46, 36, 49), *(26, 55, 18, 56, 12, 55), *(0, 52, -12, 52, -23, 56))
    drawing.outline(brim, palette.deep, INK_WIDTH, LINE)
    drawing.stroke(curve(-18, 46, -6, 42, 8, 42, 20, 46), 2.4, GOLD)


def plume(drawing: Drawing, palette: Palette) -> None:
    """Add a broad hat with a turned-up brim and two plumes."""
    _feather(drawing, 4, 38, 62, 1.15, palette.second)
    _feather(drawing, -2, 36, 34, 1.0, CREAM)
    drawing.outline(
        blob(*(-18, 50), *(-20, 28, 20, 28, 18, 50), *(8, 46, -8, 46, -18, 50)), palette.main, INK_WIDTH, LINE
    )
    brim = blob(
        *(-31, 45),
        *(-22, 56, -12, 47, 0, 47),
        *(12, 47, 22, 56, 31, 45),
        *(28, 60, 12, 56, 0, 56),
        *(-12, 56, -28, 60, -31, 45),
    )
    drawing.outline(brim, palette.main, INK_WIDTH, LINE)
    drawing.stroke(curve(-17, 45.5, -8, 42, 8, 42, 17, 45.5), 2.6, GOLD)
    _gem(drawing, 0, 43.4, 2.8, palette.second)


def toque(drawing: Drawing, palette: Palette) -> None:
    """Add a soft round cap with a jewelled band and a tassel."""
    puff = blob(*(-23, 50), *(-28, 28, 28, 28, 23, 50), *(10, 45, -10, 45, -23, 50))
    drawing.outline(puff, palette.main, INK_WIDTH, LINE)
    for x in (-13, 0, 13):
        drawing.stroke(curve(x * 0.35, 34, x * 0.8, 38, x, 42, x * 1.1, 47), 1.0, palette.deep)
    drawing.outline(ellipse(0, 31, 4), GOLD, INK_WIDTH, LINE)
    drawing.stroke(curve(2, 31, 14, 26, 24, 30, 27, 42), 1.4, GOLD_DARK)
    drawing.outline(rect(24.8, 42, 4.6, 8, 1.6), GOLD, 0.9, LINE)
    _band(drawing, 22.6, 49, 56)
    _band_gems(drawing, palette, 53.6, 21)


HEADGEAR: dict[str, Callable[[Drawing, Palette], None]] = {
    function.__name__: function
    for function in (
        *(crown_lily, crown_high, crown_low, crown_arched),
        *(tiara_star, tiara_heart, tiara_fan, tiara_leaf),
        *(beret, hunter, plume, toque),
    )
}
