"""Chips, from above and at an angle for stacks.

Each value has its own colours, its own edge spots and its own ring, so that none is told by colour alone; the value stands in the
middle in whole units.
"""

import math
from dataclasses import dataclass

from display.assets.glyphs import text_width, write
from display.assets.picture import Picture, Shadow
from display.assets.suits import SUITS
from display.assets.vector import (
    Affine,
    Colour,
    Drawing,
    Linear,
    Path,
    across,
    arc_points,
    down,
    ellipse,
    fade,
    place,
    ring_sector,
    shade,
    star,
    through,
)

SIZE = 100
SQUASH = 0.72
THICKNESS = 14
SIDE_HEIGHT = SIZE * SQUASH + THICKNESS
STEP = 12
"""How much higher the next chip of a stack lies; a little less than its thickness, so that no gap shows."""


@dataclass(frozen=True, slots=True)
class Design:
    """A chip's looks: body, spots and a third colour; ``spots`` around the edge of a ``shape``; the ring's ``ornament``."""

    body: Colour
    spot: Colour
    accent: Colour
    spots: int
    shape: str
    ornament: str
    inlay: Colour = (250, 247, 238)


_WHITE: Colour = (246, 243, 234)
_GOLD: Colour = (238, 200, 104)
DESIGNS: dict[int, Design] = {
    10: Design((140, 148, 158), _WHITE, (60, 66, 76), 4, "block", "plain"),
    50: Design((222, 112, 142), _WHITE, (120, 26, 60), 4, "double", "dots"),
    100: Design((236, 232, 222), (40, 84, 170), (40, 84, 170), 8, "block", "dots"),
    200: Design((70, 150, 206), _WHITE, (14, 60, 104), 6, "wedge", "dashes"),
    500: Design((190, 28, 40), _WHITE, (140, 14, 26), 6, "block", "hearts"),
    1000: Design((26, 70, 164), _WHITE, (16, 44, 112), 6, "double", "stars"),
    2000: Design((0, 132, 138), (252, 226, 120), (0, 76, 84), 8, "wedge", "dots"),
    2500: Design((14, 108, 60), _WHITE, (6, 70, 36), 8, "block", "clubs"),
    5000: Design((228, 112, 18), (40, 34, 34), (140, 60, 4), 4, "triple", "diamonds"),
    10000: Design((34, 34, 42), _GOLD, (34, 34, 42), 8, "double", "spades"),
    20000: Design((112, 66, 36), _WHITE, (80, 42, 18), 6, "diamond", "dashes"),
    50000: Design((98, 38, 142), _GOLD, (74, 22, 112), 6, "triple", "stars"),
    100000: Design((232, 178, 40), (120, 16, 34), (120, 16, 34), 8, "diamond", "hearts"),
    500000: Design((96, 104, 124), (226, 60, 140), (60, 66, 84), 6, "wedge", "stars"),
}
VALUES_MINOR = tuple(DESIGNS)


def design(minor: int) -> Design:
    """Return the looks for an amount: those of the largest value that is not above it."""
    return DESIGNS[max((value for value in DESIGNS if value <= minor), default=VALUES_MINOR[0])]


def label(minor: int) -> str:
    """Return the number on a chip: whole units, thousands from 10 000 on as K, or hundredths after a point."""
    if minor % 100:
        return f"{minor / 100:.2f}"
    whole = minor // 100
    return f"{whole // 1000}K" if whole >= 10_000 and whole % 1000 == 0 else str(whole)


def top(name: str) -> Picture:
    """Return a chip seen from above. Raises ValueError for a name that is no positive amount."""
    minor = _amount(name)
    return Picture(SIZE, SIZE, lambda: _face(minor, 50, 1.0), 6, Shadow(0.5, 2.5, 4, 0.5))


def side(name: str) -> Picture:
    """Return a chip seen at an angle. Raises ValueError for a name that is no positive amount."""
    minor = _amount(name)
    return Picture(SIZE, SIDE_HEIGHT, lambda: _leaning(minor), 6, Shadow(0.5, 2.5, 4, 0.5))


def _amount(name: str) -> int:
    minor = int(name)
    if minor <= 0:
        raise ValueError(name)
    return minor


def _face(minor: int, cy: float, squash: float) -> Drawing:
    looks = design(minor)
    drawing = Drawing()
    flat = Affine(1, 0, 0, squash, 50, cy)

    def circle(r: float) -> Path:
        return ellipse(0, 0, r).at(flat)

    drawing.fill(circle(50), shade(looks.body, 0.55))
    drawing.fill(circle(49.2), looks.body)
    for index in range(looks.spots):
        turn = 360 / looks.spots * index - 90
        for path in _spot(looks.shape, turn):
            drawing.fill(path.at(flat), looks.spot)
    # The rim catches the light above and loses it below.
    drawing.stroke(
        circle(48.6),
        1.2,
        Linear(
            0,
            cy - 50 * squash,
            0,
            cy + 50 * squash,
            ((0, (255, 255, 255, 170)), (0.5, (255, 255, 255, 20)), (1, (0, 0, 0, 120))),
        ),
    )
    drawing.fill(circle(36.2), shade(looks.body, 0.62))
    drawing.fill(circle(35.2), looks.spot)
    drawing.fill(circle(33.6), looks.body)
    _ornament(drawing, looks, flat)
    drawing.fill(circle(27.4), shade(looks.body, 0.6))
    drawing.fill(circle(26.4), down(cy - 26 * squash, cy + 26 * squash, (255, 255, 252), looks.inlay))
    drawing.stroke(circle(24.6), 0.7, fade(looks.accent, 0.55))
    _number(drawing, label(minor), looks.accent, cy, squash)
    # A sheen over everything.
    sheen = through(
        arc_points(50, cy, 49, 180, 360, 49 * squash) + arc_points(50, cy + 6 * squash, 49, 360, 180, 20 * squash),
        closed=True,
    )
    drawing.fill(sheen, down(cy - 49 * squash, cy, (255, 255, 255, 70), (255, 255, 255, 0)))
    return drawing


def _spot(shape: str, turn: float) -> list[Path]:
    outer, inner = 49.2, 37.4
    match shape:
        case "block":
            return [ring_sector(0, 0, inner, outer, turn - 10, turn + 10)]
        case "double":
            return [ring_sector(0, 0, inner, outer, turn + k - 5, turn + k + 5) for k in (-8, 8)]
        case "triple":
            return [ring_sector(0, 0, inner, outer, turn + k - 4, turn + k + 4) for k in (-14, 0, 14)]
        case "wedge":
            tip = arc_points(0, 0, inner, turn, turn + 0.1)[:1]
            return [through(arc_points(0, 0, outer, turn - 15, turn + 15) + tip, closed=True)]
        case _:
            middle = (inner + outer) / 2
            ends = [(turn, outer), (turn + 9, middle), (turn, inner), (turn - 9, middle)]
            corners = [(r * math.cos(math.radians(a)), r * math.sin(math.radians(a))) for a, r in ends]
            bars = [ring_sector(0, 0, inner, outer, turn + k - 2, turn + k + 2) for k in (-16, 16)]
            return [through(corners, closed=True), *bars]


def _ornament(drawing: Drawing, looks: Design, flat: Affine) -> None:
    ring = 30.5
    suit = {"hearts": "h", "clubs": "c", "diamonds": "d", "spades": "s"}.get(looks.ornament)
    count = {"plain": 0, "dots": 24, "dashes": 16, "stars": 12}.get(looks.ornament, 12)
    for index in range(count):
        turn = 360 / count * index
        angle = math.radians(turn)
        x, y = ring * math.cos(angle), ring * math.sin(angle)
        if suit is not None:
            path = SUITS[suit].at(place(x, y, 4.8, turn=turn + 90))
        elif looks.ornament == "stars":
            path = star(x, y, 2.8, 1.2, 5, turn)
        elif looks.ornament == "dashes":
            path = ring_sector(0, 0, ring - 1.1, ring + 1.1, turn - 6, turn + 6)
        else:
            path = ellipse(x, y, 1.15)
        drawing.fill(path.at(flat), looks.spot)


def _number(drawing: Drawing, text: str, ink: Colour, cy: float, squash: float) -> None:
    narrow = 0.92 if len(text) <= 2 else 0.8 if len(text) == 3 else 0.7
    gap = 0.28 if len(text) < 4 else 0.25
    height = min(27.0, 43 / text_width(text, 1, 0.17, narrow=narrow, gap=gap))
    if squash < 1:
        # Seen at an angle a number needs more of its height to stay readable.
        squash = 0.84
    write(drawing, text, 50, cy - height * squash / 2, height, ink, weight=0.17, narrow=narrow, gap=gap, squash=squash)


def _leaning(minor: int) -> Drawing:
    looks = design(minor)
    ry = 50 * SQUASH
    drawing = Drawing()
    rim = through(arc_points(50, ry, 50, 180, 0, ry) + arc_points(50, ry + THICKNESS, 50, 0, 180, ry), closed=True)
    dark, mid, light = shade(looks.body, 0.42), shade(looks.body, 0.78), shade(looks.body, 1.15)
    drawing.fill(rim, across(0, 100, dark, mid, light, mid, dark))
    for index in range(looks.spots):
        turn = 360 / looks.spots * index - 90
        for start, end in _edge_spans(looks.shape, turn):
            if end <= 4 or start >= 176:
                continue
            front = arc_points(50, ry, 50, max(2, start), min(178, end), ry)
            back = [(x, y + THICKNESS) for x, y in reversed(front)]
            middle = (start + end) / 2
            lit = 0.62 + 0.38 * math.sin(math.radians(min(180, max(0, middle))))
            drawing.fill(through(front + back, closed=True), shade(looks.spot, lit))
    drawing.stroke(through(arc_points(50, ry + THICKNESS - 0.7, 49.4, 178, 2, ry)), 1.4, (0, 0, 0, 110))
    drawing.add(_face(minor, ry, SQUASH))
    return drawing


def _edge_spans(shape: str, turn: float) -> list[tuple[float, float]]:
    turn %= 360
    spans = {
        "block": ((-10, 10),),
        "double": ((-13, -3), (3, 13)),
        "triple": ((-18, -10), (-4, 4), (10, 18)),
        "wedge": ((-15, 15),),
    }.get(shape, ((-18, -14), (-4, 4), (14, 18)))
    return [(turn + a, turn + b) for a, b in spans]
