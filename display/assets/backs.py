"""The backs of the cards: two designs."""

from display.assets import cards
from display.assets.picture import Picture
from display.assets.suits import SUITS
from display.assets.vector import Colour, Drawing, down, ellipse, place, rect, shade

NAMES = ("blue", "red")
_COLOURS: dict[str, Colour] = {"blue": (22, 58, 120), "red": (140, 22, 34)}


def back(name: str) -> Picture:
    """Return a back. Raises KeyError for an unknown design."""
    colour = _COLOURS[name]
    return Picture(cards.WIDTH, cards.HEIGHT, lambda: _draw(colour), cards.BLEED, cards.SHADOW)


def _draw(colour: Colour) -> Drawing:
    w, h = cards.WIDTH, cards.HEIGHT
    light: Colour = (235, 226, 200)
    drawing = cards.paper()
    drawing.fill(rect(9, 9, w - 18, h - 18, 8), down(9, h - 9, colour, shade(colour, 0.7)))
    for row in range(15):
        for column in range(10):
            drawing.stroke(SUITS["d"].at(place(19 + column * 18, 20 + row * 17.2, 18, 17)), 0.8, (*light[:3], 150))
    drawing.stroke(rect(9, 9, w - 18, h - 18, 8), 2.2, light)
    drawing.fill(ellipse(100, 140, 34), colour)
    drawing.stroke(ellipse(100, 140, 34), 2, light)
    return drawing
