"""The court cards' figures."""

from display.assets.suits import SUITS
from display.assets.vector import Colour, Drawing, place, rect


def draw(drawing: Drawing, rank: str, suit: str, ink: Colour) -> None:
    """Add the figure of a court card with its frame."""
    drawing.stroke(rect(46, 22, 108, 236, 6), 2, ink)
    drawing.fill(SUITS[suit].at(place(100, 140, 80 + "JQK".index(rank) * 8)), ink)
