"""The tables' cloths: woven felt under a lamp, the game's own gold line-work, and a padded rail along the lower edge.

The line-work stays where no scene puts cards or numbers: along the edges, and tone on tone in the middle.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from display.assets.picture import Cloth, Picture
from display.assets.suits import SUITS
from display.assets.vector import (
    Colour,
    Drawing,
    Linear,
    Path,
    arc_points,
    blob,
    curve,
    down,
    ellipse,
    fade,
    line,
    outwards,
    place,
    rect,
    ring_sector,
    star,
    through,
)

WIDTH = 1920
HEIGHT = 1080
RAIL_TOP = 930
_PRINT: Colour = (238, 208, 136)
_TOP = 76
"""Scenes cover everything above with a bar."""
_ARC_RADIUS = 1500
_ARC_HALF_WIDTH = 520
_ONE_LINE = (356.0, 440.0)
_TWO_LINES = (322.0, 436.0)


@dataclass(frozen=True, slots=True)
class _Table:
    bright: Colour
    dark: Colour
    rail: Colour
    motif: Callable[[Drawing], None]
    line: tuple[float, float] | None = None


def _faint(alpha: float) -> Colour:
    return fade(_PRINT, alpha)


def _corner(drawing: Drawing, x: float, y: float, dx: int, dy: int, suit: str) -> None:
    """Add a scroll in a corner of the border, opening towards (dx, dy)."""
    where = place(x, y, dx, dy)
    for points, width in (
        ((0, 92, 0, 52, 6, 6, 92, 0), 2.4),
        ((10, 120, 8, 64, 18, 22, 52, 20), 1.6),
        ((120, 10, 64, 8, 22, 18, 20, 52), 1.6),
    ):
        drawing.stroke(curve(*points).at(where), width, _faint(0.44))
    for cx, cy in ((52, 26), (26, 52)):
        drawing.stroke(ellipse(cx, cy, 6.5).at(where), 1.6, _faint(0.44))
    drawing.fill(SUITS[suit].at(place(x + dx * 30, y + dy * 30, 22)), _faint(0.5))


def _border(drawing: Drawing, corners: str = "shdc") -> None:
    left, right, top, bottom = 12, WIDTH - 12, _TOP + 10, RAIL_TOP - 14
    for inset, width, alpha in ((0, 2.2, 0.42), (8, 1.0, 0.26)):
        x0, x1, y0, y1 = left + inset, right - inset, top + inset, bottom - inset
        cut = 92 - inset
        for points in (
            (x0 + cut, y0, x1 - cut, y0),
            (x0 + cut, y1, x1 - cut, y1),
            (x0, y0 + cut, x0, y1 - cut),
            (x1, y0 + cut, x1, y1 - cut),
        ):
            drawing.stroke(line(*points), width, _faint(alpha), cap="butt")
    for x, y, dx, dy, suit in (
        (left, top, 1, 1, corners[0]),
        (right, top, -1, 1, corners[1]),
        (left, bottom, 1, -1, corners[2]),
        (right, bottom, -1, -1, corners[3]),
    ):
        _corner(drawing, x, y, dx, dy, suit)


def _dealers_line(drawing: Drawing, upper: float, lower: float) -> None:
    """A double arc above and below the words that the scene writes along it; ``upper`` and ``lower`` are its lowest points."""
    for inset, width, alpha in ((0, 1.4, 0.3), (7, 2.4, 0.42)):
        half = math.degrees(math.asin((_ARC_HALF_WIDTH - inset) / _ARC_RADIUS))
        above, below = (
            arc_points(WIDTH / 2, bottom - _ARC_RADIUS, _ARC_RADIUS, 90 - half, 90 + half)
            for bottom in (upper + inset, lower - inset)
        )
        drawing.stroke(through([*above, *reversed(below)], closed=True), width, _faint(alpha))


def _watermark(drawing: Drawing, path: Path, alpha: float = 0.055) -> None:
    drawing.fill(path, (255, 255, 255, round(255 * alpha)))


def _oasis(drawing: Drawing) -> None:
    """A palm grove and a sun above water, tone on tone."""
    cx, cy = WIDTH / 2, 590
    _watermark(drawing, ellipse(cx, cy - 30, 150), 0.04)
    for radius in (176, 196):
        drawing.stroke(through(arc_points(cx, cy - 30, radius, 180, 360)), 3, (255, 255, 255, 14))
    for x, size, lean in ((cx - 190, 1.0, -1), (cx + 196, 1.12, 1), (cx - 306, 0.7, 1)):
        palm(drawing, x, cy + 130, size, lean)
    for row in range(4):
        y = cy + 136 + row * 16
        half = 420 - row * 62
        wave = line(cx - half, y)
        for step in range(12):
            x = cx - half + step * half / 6
            wave = wave.curve(x + half / 24, y - 7, x + half / 8, y - 7, x + half / 6, y)
        drawing.stroke(wave, 3, (255, 255, 255, 16))


def palm(drawing: Drawing, x: float, y: float, size: float, lean: int, *, alpha: float = 0.06) -> None:
    """Add a palm standing at (x, y) that leans left (-1) or right (1), tone on tone."""
    where = place(x, y, size * lean, size)
    trunk = curve(*(-9, 0), *(-4, -70, 10, -140, 34, -196)).line(44, -192).curve(24, -140, 12, -70, 12, 0).close()
    _watermark(drawing, trunk.at(where), alpha)
    for turn in (-100, -62, -24, 14, 52, 92, 128):
        leaf = blob(*(0, 0), *(20, -34, 60, -44, 104, -16), *(66, -22, 36, -14, 0, 0))
        _watermark(drawing, leaf.at(place(38, -194, 1, turn=turn - 46)).at(where), alpha)


def _jackpot(drawing: Drawing) -> None:
    """The oasis under a great star."""
    _oasis(drawing)
    cx, cy = WIDTH / 2, 560
    for index in range(24):
        a = index * 15
        ray = ring_sector(cx, cy, 120, 820, a - 2.4, a + 2.4)
        drawing.fill(
            ray, outwards(cx, cy, 820, (255, 236, 170, 0), (255, 236, 170, 30), (255, 236, 170, 16), (255, 236, 170, 0))
        )


def _russian(drawing: Drawing) -> None:
    domes(drawing, WIDTH / 2, 740, 1.0)


def domes(drawing: Drawing, cx: float, base: float, scale: float, *, alpha: float = 0.055) -> None:
    """Add five onion domes on a base line, tone on tone."""
    dome = blob(
        *(0, -150),
        *(8, -118, 58, -98, 58, -52),
        *(58, -26, 42, -12, 34, 0),
        *(12, 0, -12, 0, -34, 0),
        *(-42, -12, -58, -26, -58, -52),
        *(-58, -98, -8, -118, 0, -150),
    )
    line_ink: Colour = (255, 255, 255, round(255 * alpha))
    there = place(cx, base, scale)
    for x, size, tower in ((0, 1.5, 90), (-190, 1.0, 60), (190, 1.0, 60), (-340, 0.76, 36), (340, 0.76, 36)):
        top = -tower * size
        at_top = place(x, top, size)
        _watermark(drawing, dome.at(at_top).at(there), alpha)
        _watermark(drawing, rect(x - 32 * size, top + 4, 64 * size, -top - 4).at(there), alpha * 0.75)
        for k in (-0.5, 0.5):
            stripe = curve(0, -142, 40 * k, -110, 86 * k, -84, 70 * k, -4)
            drawing.stroke(stripe.at(at_top).at(there), 3 * scale, line_ink)
        cross = place(x, top - 150 * size, size)
        for points in ((0, -44, 0, 0), (-14, -28, 14, -28), (-8, -37, 8, -37)):
            drawing.stroke(line(*points).at(cross).at(there), 4 * size * scale, line_ink)


def _caribbean(drawing: Drawing) -> None:
    """A compass rose over waves."""
    cx, cy = WIDTH / 2, 600
    for outer, inner, turn, alpha in ((230, 44, -45, 0.035), (250, 52, -90, 0.055)):
        _watermark(drawing, star(cx, cy, outer, inner, 4, turn), alpha)
    for radius in (176, 190, 262):
        drawing.stroke(ellipse(cx, cy, radius), 3, (255, 255, 255, 15))
    for index in range(32):
        a = math.radians(index * 11.25)
        drawing.stroke(
            line(cx + 196 * math.cos(a), cy + 196 * math.sin(a), cx + 210 * math.cos(a), cy + 210 * math.sin(a)),
            3,
            (255, 255, 255, 14),
        )


def _baccarat(drawing: Drawing) -> None:
    """A damask of suits in a lattice of fine arcs."""
    for row in range(5):
        for column in range(10):
            x, y = 150 + column * 180 + (row % 2) * 90, 180 + row * 170
            if x < WIDTH - 90:
                _watermark(drawing, SUITS["shdc"[(row + column) % 4]].at(place(x, y, 62)), 0.032)
                drawing.stroke(ellipse(x, y, 62), 2, (255, 255, 255, 9))


def _blackjack(drawing: Drawing) -> None:
    """A great spade within a laurel."""
    cx, cy = WIDTH / 2, 580
    _watermark(drawing, SUITS["s"].at(place(cx, cy, 250)), 0.05)
    for side in (-1, 1):
        for index in range(11):
            a = math.radians(90 + side * (14 + index * 13.5))
            x, y = cx + 228 * math.cos(a), cy + 228 * math.sin(a)
            leaf = blob(*(0, 0), *(18, -12, 24, -40, 0, -62), *(-24, -40, -18, -12, 0, 0))
            _watermark(drawing, leaf.at(place(x, y, 0.8, turn=math.degrees(a) + 90 + side * 118)), 0.05)


def _lobby(drawing: Drawing) -> None:
    """Rays and a lattice of diamonds."""
    cx, cy = WIDTH / 2, 120
    for index in range(30):
        a = 3 + index * 6
        ray = ring_sector(cx, cy, 180, 1500, a - 1.2, a + 1.2)
        drawing.fill(
            ray,
            outwards(
                cx,
                cy,
                1500,
                (255, 230, 170, 0),
                (255, 230, 170, 26),
                (255, 230, 170, 16),
                (255, 230, 170, 8),
                (255, 230, 170, 0),
            ),
        )


def _page(drawing: Drawing) -> None:
    """Nothing that could disturb reading: a lattice, hardly to be seen."""
    for row in range(8):
        for column in range(14):
            x, y = 70 + column * 140 + (row % 2) * 70, 60 + row * 130
            _watermark(drawing, SUITS["d"].at(place(x, y, 44, 60)), 0.014)


_TABLES: dict[str, _Table] = {
    "oasis": _Table((22, 124, 82), (2, 34, 26), (64, 36, 22), _oasis, _ONE_LINE),
    "oasis_jackpot": _Table((12, 112, 120), (2, 28, 40), (58, 34, 24), _jackpot, _ONE_LINE),
    "russian": _Table((156, 34, 46), (40, 5, 14), (66, 34, 20), _russian, _ONE_LINE),
    "caribbean": _Table((22, 112, 170), (3, 26, 58), (62, 38, 24), _caribbean, _ONE_LINE),
    "baccarat": _Table((112, 40, 118), (28, 8, 38), (54, 30, 26), _baccarat),
    "open_blackjack": _Table((40, 118, 62), (6, 34, 20), (60, 36, 22), _blackjack, _TWO_LINES),
    "one_deck_blackjack": _Table((136, 66, 34), (40, 14, 8), (52, 32, 26), _blackjack, _TWO_LINES),
    "six_decks_blackjack": _Table((70, 112, 50), (14, 36, 14), (60, 36, 22), _blackjack, _TWO_LINES),
    "european_blackjack": _Table((40, 62, 148), (8, 12, 44), (58, 36, 26), _blackjack, _TWO_LINES),
    # For games that come as a new profile of a known family.
    "poker": _Table((22, 124, 82), (2, 34, 26), (64, 36, 22), _jackpot, _ONE_LINE),
    "blackjack": _Table((66, 108, 46), (10, 32, 16), (60, 36, 22), _blackjack, _TWO_LINES),
    "lobby": _Table((46, 62, 116), (6, 8, 22), (50, 32, 26), _lobby),
    "page": _Table((46, 56, 78), (10, 12, 20), (44, 32, 28), _page),
}
NAMES = tuple(_TABLES)


def colours(name: str) -> tuple[Colour, Colour]:
    """Return a felt's colour in the light and in the corners. Raises KeyError for an unknown game."""
    table = _TABLES[name]
    return table.bright, table.dark


def felt(name: str) -> Picture:
    """Return a background. Raises KeyError for an unknown game."""
    table = _TABLES[name]
    grain = 0.5 if name in ("lobby", "page") else 0.85

    def draw() -> Drawing:
        drawing = Drawing()
        table.motif(drawing)
        if table.line is not None:
            _dealers_line(drawing, *table.line)
        if name != "page":
            _border(drawing)
        _rail(drawing, table.rail)
        return drawing

    return Picture(WIDTH, HEIGHT, draw, cloth=Cloth(table.bright, table.dark, grain=grain))


def _rail(drawing: Drawing, wood: Colour) -> None:
    r, g, b = wood[:3]
    dark: Colour = (r // 4, g // 4, b // 4)
    # Shadow of the rail on the cloth.
    drawing.fill(rect(0, RAIL_TOP - 26, WIDTH, 26), down(RAIL_TOP - 26, RAIL_TOP, (0, 0, 0, 0), (0, 0, 0, 130)))
    padded = Linear(
        0,
        RAIL_TOP,
        0,
        HEIGHT,
        (
            (0, (r + 34, g + 24, b + 18)),
            (0.05, (r + 58, g + 42, b + 32)),
            (0.16, (r + 10, g + 6, b + 4)),
            (0.55, (r // 2, g // 2, b // 2)),
            (1, dark),
        ),
    )
    drawing.fill(rect(0, RAIL_TOP, WIDTH, HEIGHT - RAIL_TOP), padded)
    # The grain of the wood: long, slightly wavy lines.
    for index in range(26):
        y = RAIL_TOP + 10 + index * 5.6
        sway = 3.5 * math.sin(index * 2.1)
        grain = curve(-10, y, 480, y + sway, 960, y - sway, 1930, y + sway * 0.6)
        drawing.stroke(
            grain, 1.1 + 0.7 * math.sin(index * 1.3) ** 2, (0, 0, 0, 34) if index % 3 else (255, 214, 160, 14)
        )
    # A brass edge.
    brass = ((0, (120, 84, 30)), (0.25, (255, 232, 160)), (0.5, (214, 166, 74)), (1, (96, 64, 20)))
    drawing.fill(rect(0, RAIL_TOP - 3, WIDTH, 7), Linear(0, RAIL_TOP - 3, 0, RAIL_TOP + 4, brass))
    drawing.fill(rect(0, RAIL_TOP + 4, WIDTH, 5), down(RAIL_TOP + 4, RAIL_TOP + 9, (0, 0, 0, 120), (0, 0, 0, 0)))
