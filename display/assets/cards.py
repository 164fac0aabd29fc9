"""The 52 faces: index, pips, aces and the frames of the court cards.

Jumbo indices: a rank takes a sixth of the card's height, so that a fanned hand can be read at arm's length.
Not responsible for the court figures (`display.assets.courts`).
"""

from display.assets.glyphs import write
from display.assets.picture import Picture, Shadow
from display.assets.suits import SUITS
from display.assets.vector import Colour, Drawing, Path, down, place, rect

WIDTH = 200
HEIGHT = 280
CODES = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")

RANK_HEIGHT = 46
RANK_WIDTH = 33
INDEX_X = 25
_RANK_TOP = 13
_INDEX_SUIT_Y = 80
_INDEX_SUIT = 33
_PIP = 35
_COLUMNS = (64.0, 100.0, 136.0)
_MIDDLE = _COLUMNS[1]
_UPPER = {
    "2": ((1, 52.0),),
    "3": ((1, 52.0),),
    "4": ((0, 52.0), (2, 52.0)),
    "5": ((0, 52.0), (2, 52.0)),
    "6": ((0, 52.0), (2, 52.0)),
    "7": ((0, 52.0), (2, 52.0)),
    "8": ((0, 52.0), (2, 52.0)),
    "9": ((0, 47.0), (2, 47.0), (0, 109.0), (2, 109.0)),
    "T": ((0, 47.0), (2, 47.0), (0, 109.0), (2, 109.0)),
}
HALF_TURN = place(WIDTH, HEIGHT, -1)


def paper() -> Drawing:
    """Return an empty card: warm white, a fine edge."""
    drawing = Drawing()
    drawing.fill(rect(0, 0, WIDTH, HEIGHT, 13), (168, 162, 150))
    drawing.fill(rect(0.9, 0.9, WIDTH - 1.8, HEIGHT - 1.8, 12.2), down(0, HEIGHT, (255, 255, 254), (246, 244, 238)))
    return drawing


SHADOW = Shadow(1.5, 4, 8, 0.42)
BLEED = 14


def face(code: str, inks: dict[str, Colour]) -> Picture:
    """Return a face such as ``Qs``. Raises KeyError for a card that is not in the deck."""
    if code not in CODES:
        raise KeyError(code)
    return Picture(WIDTH, HEIGHT, lambda: _face(code[0], code[1], inks[code[1]]), BLEED, SHADOW)


def _face(rank: str, suit: str, ink: Colour) -> Drawing:
    drawing = paper()
    if rank == "A":
        _ace(drawing, suit, ink)
    elif rank in "JQK":
        # Seven modules of figures, which a start with its pictures at hand does not need.
        from display.assets import courts

        courts.draw(drawing, rank, suit, ink)
    else:
        _pips(drawing, rank, SUITS[suit], ink)
    _both_ends(drawing, index(rank, suit, ink))
    return drawing


def _both_ends(drawing: Drawing, half: Drawing) -> None:
    drawing.add(half).add(half, HALF_TURN)


def index(rank: str, suit: str, ink: Colour) -> Drawing:
    """Return the index of the upper left corner."""
    corner = Drawing()
    if rank == "T":
        write(corner, "1", INDEX_X - 12.5, _RANK_TOP, RANK_HEIGHT, ink, weight=0.15, narrow=0.8)
        write(corner, "0", INDEX_X + 7, _RANK_TOP, RANK_HEIGHT, ink, weight=0.15, narrow=0.72)
    else:
        write(corner, rank, INDEX_X, _RANK_TOP, RANK_HEIGHT, ink, weight=0.155, narrow=0.9)
    corner.fill(SUITS[suit].at(place(INDEX_X, _INDEX_SUIT_Y, _INDEX_SUIT)), ink)
    return corner


def _ace(drawing: Drawing, suit: str, ink: Colour) -> None:
    path = SUITS[suit]
    drawing.fill(path.at(place(_MIDDLE, HEIGHT / 2, 112)), ink)
    if suit == "s":
        paper_white: Colour = (252, 251, 248)
        drawing.fill(path.at(place(_MIDDLE, HEIGHT / 2 - 1, 84)), paper_white)
        drawing.fill(path.at(place(_MIDDLE, HEIGHT / 2 - 1, 74)), ink)
        drawing.fill(SUITS["d"].at(place(_MIDDLE, HEIGHT / 2 + 1, 20, 26)), paper_white)


def _pips(drawing: Drawing, rank: str, path: Path, ink: Colour) -> None:
    half = Drawing()
    for column, y in _UPPER[rank]:
        half.fill(path.at(place(_COLUMNS[column], y, _PIP)), ink)
    # The lower half is the upper one turned, about the middle of the pips' field.
    left, middle, right = _COLUMNS
    drawing.add(half).add(half, place(2 * middle, HEIGHT, -1))
    upright: tuple[tuple[float, float], ...] = {
        "3": ((middle, 140.0),),
        "5": ((middle, 140.0),),
        "6": ((left, 140.0), (right, 140.0)),
        "7": ((left, 140.0), (right, 140.0), (middle, 96.0)),
        "8": ((left, 140.0), (right, 140.0), (middle, 96.0)),
        "9": ((middle, 140.0),),
        "T": ((middle, 78.0),),
    }.get(rank, ())
    for x, y in upright:
        drawing.fill(path.at(place(x, y, _PIP)), ink)
    if rank in "8T":
        lower = 184.0 if rank == "8" else 202.0
        drawing.fill(path.at(place(middle, lower, _PIP, turn=180)), ink)
