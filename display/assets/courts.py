"""The court cards: twelve figures, each drawn once and set twice, head to head.

Not responsible for the parts: hair, faces, headgear, robes and attributes have modules of their own.
"""

from display.assets.court_attributes import ATTRIBUTES, hand
from display.assets.court_crowns import HEADGEAR
from display.assets.court_hair import hair_behind, hair_in_front
from display.assets.court_heads import beard, earrings, face
from display.assets.court_robes import belt, collar, robe
from display.assets.court_style import FIGURES, GOLD, LINE, PALETTES, Palette
from display.assets.suits import SUITS
from display.assets.vector import Colour, Drawing, down, place, poly, rect, through

AXIS = 100
_LEFT, _TOP, _WIDE, _TALL = 43.0, 13.0, 114.0, 254.0
_SIZE = 1.05
"""How much larger than drawn the figures stand on the card."""


def draw(drawing: Drawing, rank: str, suit: str, ink: Colour) -> None:
    """Add a court card's field, its two half figures and its frame."""
    palette = PALETTES[suit]
    half = Drawing()
    _field(half, palette)
    half.fill(SUITS[suit].at(place(56.5, 29, 20)), ink)
    half.add(_figure(rank, suit, palette, ink), place(AXIS, 140 * (1 - _SIZE), _SIZE))
    drawing.add(half).add(half, place(200, 280, -1))
    belt(drawing, palette, ink)
    drawing.stroke(rect(_LEFT, _TOP, _WIDE, _TALL, 5), 2.6, LINE)
    drawing.stroke(rect(_LEFT, _TOP, _WIDE, _TALL, 5), 1.2, GOLD)


def _field(drawing: Drawing, palette: Palette) -> None:
    drawing.fill(rect(_LEFT, _TOP, _WIDE, 140 - _TOP, 4), palette.field)
    # Rays from behind the head, cut at the frame.
    right, bottom = _LEFT + _WIDE, 140.0
    edge = [
        (_LEFT, bottom),
        (_LEFT, 108.0),
        (_LEFT, 76.0),
        (_LEFT, 44.0),
        (_LEFT, _TOP + 4),
        (_LEFT + 20, _TOP),
        (84.0, _TOP),
    ]
    edge += [(200 - x, y) for x, y in reversed(edge)]
    for index in range(0, len(edge) - 1, 2):
        drawing.fill(through([(AXIS, 84.0), edge[index], edge[index + 1]], closed=True), palette.ray)
    drawing.fill(
        poly(_LEFT, bottom - 1, right, bottom - 1, right, bottom, _LEFT, bottom),
        down(bottom - 1, bottom, palette.ray, palette.ray),
    )


def _figure(rank: str, suit: str, palette: Palette, ink: Colour) -> Drawing:
    figure = FIGURES[rank + suit]
    woman = rank == "Q"
    drawing = Drawing()
    head = Drawing()
    hair_behind(head, figure)
    drawing.add(head)
    robe(drawing, figure, palette, suit, ink)
    front = Drawing()
    face(front, figure, woman=woman)
    if woman:
        earrings(front)
    collar_over_neck = Drawing()
    collar(collar_over_neck, figure, palette)
    drawing.add(front)
    drawing.add(collar_over_neck)
    over = Drawing()
    beard(over, figure)
    hair_in_front(over, figure)
    HEADGEAR[figure.head](over, palette)
    drawing.add(over)
    ATTRIBUTES[figure.attribute](drawing, palette)
    hand(drawing, figure.skin, palette.second)
    return drawing
