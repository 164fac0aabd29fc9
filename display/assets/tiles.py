"""Illustrations of the games for the lobby: the game's felt, its own cards, chips, and a motif."""

from collections.abc import Callable

from display.assets import backs, cards, chips, felts, furniture
from display.assets.picture import Picture, Shadow
from display.assets.suits import TWO_INKS
from display.assets.vector import (
    Drawing,
    arc_points,
    ellipse,
    outwards,
    place,
    rect,
    shade,
    star,
    through,
)

WIDTH = 420
HEIGHT = 260
_CARD = 0.58


def _card(drawing: Drawing, code: str, x: float, y: float, turn: float, size: float = _CARD) -> None:
    """Add a card (or ``back``) whose middle is at (x, y)."""
    where = place(-cards.WIDTH / 2, -cards.HEIGHT / 2)
    there = place(x, y, size, turn=turn)
    for grow, alpha in ((5, 26), (2.5, 40), (0, 60)):
        shadow = rect(-grow, -grow, cards.WIDTH + 2 * grow, cards.HEIGHT + 2 * grow, 13 + grow)
        drawing.fill(shadow.at(where).at(place(x + 2, y + 5, size, turn=turn)), (0, 0, 0, alpha))
    picture = backs.back("blue") if code == "back" else cards.face(code, TWO_INKS)
    face = Drawing().add(picture.draw(), where)
    drawing.add(face, there)


def _fan(drawing: Drawing, codes: tuple[str, ...], cx: float, cy: float, step: float, size: float = _CARD) -> None:
    for index, code in enumerate(codes):
        turn = (index - (len(codes) - 1) / 2) * step
        pivot = place(cx, cy + 250 * size, 1, turn=turn)
        x, y = pivot((0, -250 * size))
        _card(drawing, code, x, y, turn, size)


def _stack(drawing: Drawing, minor: int, x: float, y: float, count: int, size: float = 0.62) -> None:
    chip = chips.side(str(minor)).draw()
    drawing.fill(ellipse(x + 50 * size + 2, y + (chips.SIDE_HEIGHT - 30) * size, 54 * size, 36 * size), (0, 0, 0, 90))
    for index in range(count):
        drawing.add(chip, place(x, y - index * chips.STEP * size, size))


def _ground(name: str) -> Drawing:
    bright, dark = felts.colours(name)
    drawing = Drawing()
    drawing.fill(rect(0, 0, WIDTH, HEIGHT, 18), outwards(WIDTH / 2, 96, 300, shade(bright, 1.12), bright, dark))
    return drawing


def _rays(drawing: Drawing, cx: float, cy: float, reach: float) -> None:
    for index in range(20):
        a = index * 18
        ray = through([(cx, cy), *arc_points(cx, cy, reach, a - 3, a + 3)], closed=True)
        drawing.fill(ray, outwards(cx, cy, reach, (255, 236, 170, 70), (255, 236, 170, 0)))


def _finish(drawing: Drawing) -> Drawing:
    drawing.stroke(rect(3, 3, WIDTH - 6, HEIGHT - 6, 16), 3, (240, 208, 130, 150))
    return drawing


def _oasis() -> Drawing:
    return _poker("oasis")


def _poker(name: str) -> Drawing:
    drawing = _ground(name)
    drawing.fill(ellipse(210, 96, 84), outwards(210, 96, 84, (255, 236, 170, 90), (255, 236, 170, 20)))
    for x, size, lean in ((58, 0.8, -1), (360, 0.9, 1)):
        felts.palm(drawing, x, 236, size, lean, alpha=0.16)
    _fan(drawing, ("As", "Kd", "Qh", "Jc", "Ts"), 210, 138, 13)
    _stack(drawing, 500, 34, 188, 3)
    _stack(drawing, 2500, 324, 188, 4)
    return _finish(drawing)


def _oasis_jackpot() -> Drawing:
    drawing = _ground("oasis_jackpot")
    _rays(drawing, 210, 120, 270)
    _fan(drawing, ("Td", "Jd", "Qd", "Kd", "Ad"), 210, 150, 13)
    drawing.outline(
        star(210, 46, 42, 18, 5),
        outwards(200, 34, 50, (255, 250, 214), (246, 204, 96), (186, 124, 24)),
        2.4,
        (96, 60, 10),
    )
    _stack(drawing, 10000, 30, 188, 5)
    _stack(drawing, 50000, 328, 188, 5)
    return _finish(drawing)


def _russian() -> Drawing:
    drawing = _ground("russian")
    felts.domes(drawing, 210, 252, 0.62, alpha=0.13)
    _fan(drawing, ("Kh", "Kc", "Ah", "Qh", "Jh", "Th"), 210, 140, 11)
    _stack(drawing, 2500, 26, 190, 2)
    _stack(drawing, 10000, 334, 190, 3)
    return _finish(drawing)


def _caribbean() -> Drawing:
    drawing = _ground("caribbean")
    drawing.fill(star(210, 120, 190, 36, 4, -45), (255, 255, 255, 22))
    drawing.fill(star(210, 120, 210, 42, 4), (255, 255, 255, 34))
    drawing.stroke(ellipse(210, 120, 128), 3, (255, 255, 255, 40))
    _fan(drawing, ("Qs", "Qc", "Qd", "7h", "7s"), 210, 138, 13)
    _stack(drawing, 1000, 34, 186, 4)
    _stack(drawing, 500, 324, 186, 2)
    return _finish(drawing)


def _baccarat() -> Drawing:
    drawing = _ground("baccarat")
    for x in (120, 300):
        drawing.fill(ellipse(x, 132, 96, 84), outwards(x, 132, 100, (255, 236, 200, 60), (255, 236, 200, 0)))
    _card(drawing, "Kd", 92, 124, -9)
    _card(drawing, "9s", 148, 128, 6)
    _card(drawing, "Jh", 272, 124, -6)
    _card(drawing, "8c", 328, 128, 9)
    _stack(drawing, 50000, 180, 198, 5)
    return _finish(drawing)


def _blackjack(name: str) -> Drawing:
    drawing = _ground(name)
    _rays(drawing, 210, 122, 230)
    return drawing


def _two_cards(drawing: Drawing, first: str, second: str) -> Drawing:
    _card(drawing, first, 168, 122, -12, 0.72)
    _card(drawing, second, 256, 126, 8, 0.72)
    _stack(drawing, 10000, 26, 184, 5)
    _stack(drawing, 2500, 330, 186, 3)
    return _finish(drawing)


def _open_blackjack() -> Drawing:
    """Both of the dealer's cards lie open."""
    drawing = _blackjack("open_blackjack")
    _card(drawing, "Td", 72, 74, -6, 0.42)
    _card(drawing, "6c", 120, 76, 5, 0.42)
    _card(drawing, "As", 236, 134, -10, 0.68)
    _card(drawing, "Kc", 318, 138, 8, 0.68)
    _stack(drawing, 2500, 60, 186, 4)
    return _finish(drawing)


def _one_deck_blackjack() -> Drawing:
    """A single pack, its top card turned."""
    drawing = _blackjack("one_deck_blackjack")
    for index in range(7):
        _card(drawing, "back", 118 - index * 0.8, 138 - index * 2.4, -8, 0.66)
    _card(drawing, "Ah", 236, 126, 4, 0.7)
    _card(drawing, "Qd", 314, 132, 14, 0.7)
    _stack(drawing, 500, 176, 196, 3)
    return _finish(drawing)


def _six_decks_blackjack() -> Drawing:
    """A shoe behind the hand."""
    drawing = _blackjack("six_decks_blackjack")
    shoe = furniture.piece("shoe").draw()
    drawing.add(shoe, place(18, 18, 0.86))
    _card(drawing, "Ac", 246, 130, -8, 0.7)
    _card(drawing, "Js", 324, 136, 9, 0.7)
    _stack(drawing, 10000, 60, 192, 4)
    _stack(drawing, 1000, 134, 192, 2)
    return _finish(drawing)


def _european_blackjack() -> Drawing:
    """The dealer has one card; the other comes last."""
    drawing = _blackjack("european_blackjack")
    _card(drawing, "9h", 84, 78, -4, 0.44)
    drawing.stroke(rect(122, 18, 88, 122, 6), 3, (240, 208, 130, 120))
    _card(drawing, "Ad", 262, 128, -9, 0.7)
    _card(drawing, "Ks", 334, 134, 9, 0.7)
    _stack(drawing, 50000, 74, 186, 4)
    return _finish(drawing)


_MAKERS: dict[str, Callable[[], Drawing]] = {
    "oasis": _oasis,
    "oasis_jackpot": _oasis_jackpot,
    "russian": _russian,
    "caribbean": _caribbean,
    "baccarat": _baccarat,
    "open_blackjack": _open_blackjack,
    "one_deck_blackjack": _one_deck_blackjack,
    "six_decks_blackjack": _six_decks_blackjack,
    "european_blackjack": _european_blackjack,
    # For games that come as a new profile of a known family.
    "poker": lambda: _poker("poker"),
    "blackjack": lambda: _two_cards(_blackjack("blackjack"), "As", "Jh"),
}
NAMES = tuple(_MAKERS)


def tile(name: str) -> Picture:
    """Return a game's illustration. Raises KeyError for an unknown game."""
    return Picture(WIDTH, HEIGHT, _MAKERS[name], 8, Shadow(1, 3, 5, 0.5), cut_radius=18)
