"""The tables' cloths: woven felt under a lamp, the game's own gold line-work, and a padded rail along the lower edge."""

from display.assets.picture import Cloth, Picture
from display.assets.vector import Colour, Drawing, down, rect

WIDTH = 1920
HEIGHT = 1080
RAIL_TOP = 930

COLOURS: dict[str, tuple[Colour, Colour]] = {
    "oasis": ((18, 116, 78), (3, 36, 26)),
    "oasis_jackpot": ((16, 100, 104), (2, 30, 38)),
    "russian": ((150, 34, 44), (40, 6, 14)),
    "caribbean": ((20, 104, 156), (3, 26, 54)),
    "baccarat": ((108, 42, 112), (28, 8, 36)),
    "blackjack": ((40, 92, 52), (8, 26, 14)),
    "lobby": ((36, 52, 92), (7, 10, 24)),
    "page": ((40, 46, 60), (10, 12, 18)),
}
NAMES = tuple(COLOURS)


def felt(name: str) -> Picture:
    """Return a background. Raises KeyError for an unknown game."""
    bright, dark = COLOURS[name]
    return Picture(WIDTH, HEIGHT, _draw, cloth=Cloth(bright, dark))


def _draw() -> Drawing:
    drawing = Drawing()
    drawing.fill(rect(0, RAIL_TOP, WIDTH, HEIGHT - RAIL_TOP), down(RAIL_TOP, HEIGHT, (58, 34, 22), (18, 11, 8)))
    drawing.fill(rect(0, RAIL_TOP, WIDTH, 3), (226, 184, 96))
    return drawing
