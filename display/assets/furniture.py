"""Things that stand on the table: the dealing shoe, the discard tray, button lamps."""

from display.assets.picture import Picture, Shadow
from display.assets.suits import SUITS
from display.assets.vector import (
    Colour,
    Drawing,
    across,
    curve,
    down,
    ellipse,
    fade,
    line,
    outwards,
    place,
    poly,
    rect,
    shade,
)

NAMES = ("shoe", "discard", "lamp:off", "lamp:on")
_SHADOW = Shadow(2, 6, 9, 0.55)
_ACRYLIC: Colour = (38, 36, 42)
_CARD: Colour = (246, 243, 236)
_BRASS = ((120, 84, 30), (255, 232, 160), (214, 166, 74), (110, 76, 26))


def piece(name: str) -> Picture:
    """Return a piece. Raises KeyError for an unknown name."""
    return {
        "shoe": Picture(220, 170, _shoe, 14, _SHADOW),
        "discard": Picture(220, 170, _discard, 14, _SHADOW),
        "lamp:off": Picture(40, 40, lambda: _lamp(lit=False)),
        "lamp:on": Picture(40, 40, lambda: _lamp(lit=True)),
    }[name]


def _lamp(*, lit: bool) -> Drawing:
    drawing = Drawing()
    if lit:
        drawing.fill(
            ellipse(20, 20, 20), outwards(20, 20, 20, (255, 226, 120, 190), (255, 210, 90, 90), (255, 200, 80, 0))
        )
    drawing.fill(ellipse(20, 20, 13.5), down(7, 33, (60, 54, 44), (150, 136, 104), (40, 36, 30)))
    glass = ((255, 250, 214), (255, 214, 92), (214, 140, 16)) if lit else ((112, 100, 78), (74, 64, 46), (40, 34, 24))
    drawing.fill(ellipse(20, 20, 11), outwards(18, 17, 13, *glass))
    drawing.fill(ellipse(17, 15.4, 4.4, 3), (255, 255, 255, 170 if lit else 60))
    return drawing


def _cards_on_edge(drawing: Drawing, x: float, y: float, w: float, h: float, count: int) -> None:
    drawing.fill(rect(x, y, w, h, 2), down(y, y + h, shade(_CARD, 0.72), _CARD))
    for index in range(count):
        level = y + (index + 0.5) * h / count
        drawing.stroke(line(x, level, x + w, level), 0.8, (120, 112, 100, 150 if index % 4 else 220), cap="butt")


def _shoe() -> Drawing:
    """The shoe from above, its mouth towards the table."""
    drawing = Drawing()
    body = poly(38, 6, 182, 6, 196, 116, 24, 116)
    drawing.outline(body, down(6, 116, (74, 70, 80), _ACRYLIC, (18, 17, 22)), 2, (10, 9, 12))
    drawing.stroke(line(40, 8, 180, 8), 2, (255, 255, 255, 70))
    # The cards inside, pressed forward by a roller.
    drawing.fill(poly(56, 18, 164, 18, 172, 104, 48, 104), (12, 11, 14))
    drawing.fill(poly(58, 40, 162, 40, 170, 104, 50, 104), down(40, 104, shade(_CARD, 0.66), _CARD))
    for index in range(15):
        share = index / 15
        y = 42 + share * 61
        x = 58 - 8 * share
        drawing.stroke(line(x, y, 220 - x, y), 0.9, (110, 102, 92, 190 if index % 3 == 0 else 110), cap="butt")
    drawing.outline(
        rect(56, 24, 108, 16, 8), down(24, 40, (250, 250, 252), (168, 172, 184), (96, 100, 114)), 1.2, (30, 30, 36)
    )
    drawing.fill(poly(56, 18, 96, 18, 70, 104, 48, 104), (255, 255, 255, 26))
    # The mouth: a sloping lip with a notch for the finger, and the next card.
    drawing.outline(
        poly(24, 112, 196, 112, 208, 160, 12, 160), down(112, 160, (58, 54, 62), (22, 20, 26)), 2, (10, 9, 12)
    )
    drawing.fill(poly(40, 118, 180, 118, 186, 152, 34, 152), down(118, 152, shade(_CARD, 0.9), _CARD))
    drawing.fill(poly(46, 123, 174, 123, 179, 152, 41, 152), (30, 70, 142))
    drawing.stroke(poly(50, 126, 170, 126, 174, 150, 46, 150), 1.2, (240, 228, 196))
    drawing.fill(SUITS["d"].at(place(110, 137, 16, 15)), (240, 228, 196))
    drawing.outline(
        poly(12, 150, 84, 150, 92, 162, 10, 162), down(150, 162, (70, 66, 74), (20, 18, 24)), 1.4, (10, 9, 12)
    )
    drawing.outline(
        poly(136, 150, 208, 150, 210, 162, 128, 162), down(150, 162, (70, 66, 74), (20, 18, 24)), 1.4, (10, 9, 12)
    )
    for x0, x1, y in ((24, 196, 112),):
        drawing.stroke(line(x0, y, x1, y), 3, across(x0, x1, *_BRASS), cap="butt")
    return drawing


def _discard() -> Drawing:
    """An open tray with spent cards, face down."""
    drawing = Drawing()
    drawing.outline(rect(8, 6, 204, 158, 16), down(6, 164, (72, 68, 78), _ACRYLIC, (16, 15, 20)), 2, (10, 9, 12))
    drawing.stroke(curve(22, 8, 80, 7, 140, 7, 198, 8), 2, (255, 255, 255, 70))
    drawing.fill(rect(24, 20, 172, 130, 8), (10, 9, 12))
    for index, (dx, dy) in enumerate(((6, 12), (3, 8), (1, 4), (0, 0))):
        x, y = 40 + dx, 30 + dy
        drawing.outline(rect(x, y, 136, 100, 7), shade(_CARD, 0.8 + index * 0.06), 0.8, (90, 84, 76))
    drawing.fill(rect(46, 36, 124, 88, 4), down(36, 124, (30, 72, 148), (18, 46, 102)))
    drawing.stroke(rect(50, 40, 116, 80, 3), 1.2, (240, 228, 196))
    for row in range(4):
        for column in range(6):
            drawing.fill(SUITS["d"].at(place(63 + column * 18, 52 + row * 19, 8, 10)), (240, 228, 196, 120))
    drawing.fill(ellipse(108, 80, 20), (18, 46, 102))
    drawing.stroke(ellipse(108, 80, 20), 1.4, (240, 228, 196))
    drawing.fill(SUITS["s"].at(place(108, 80, 20)), (240, 228, 196))
    drawing.stroke(rect(8, 6, 204, 158, 16), 1, fade((255, 232, 160), 0.35))
    return drawing
