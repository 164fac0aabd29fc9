"""Parts of the simulated cabinet's front, each 200 x 120."""

import math
from collections.abc import Callable

from display.assets.picture import Picture
from display.assets.vector import (
    Colour,
    Drawing,
    across,
    blob,
    curve,
    down,
    ellipse,
    line,
    outwards,
    place,
    poly,
    rect,
    ring_sector,
    shade,
)

_EDGE: Colour = (12, 12, 14)
_STEEL = ((232, 236, 242), (168, 174, 184), (104, 110, 122))
_DARK_STEEL = ((92, 94, 102), (58, 60, 66), (34, 35, 40))
_GOLD = ((255, 236, 168), (226, 180, 84), (150, 104, 34))
_LED: Colour = (84, 226, 120)


def _screws(drawing: Drawing, x0: float, y0: float, x1: float, y1: float) -> None:
    for number, (x, y) in enumerate(((x0, y0), (x1, y0), (x0, y1), (x1, y1))):
        drawing.outline(ellipse(x, y, 4.6), down(y - 5, y + 5, *_STEEL), 0.8, _EDGE)
        a = math.radians(28 + number * 47)
        dx, dy = 3.2 * math.cos(a), 3.2 * math.sin(a)
        drawing.stroke(line(x - dx, y - dy, x + dx, y + dy), 1.1, (50, 52, 58))


def _note_slot() -> Drawing:
    """A bezel with a lit mouth and the arrows that show the way in."""
    drawing = Drawing()
    drawing.outline(rect(4, 4, 192, 112, 14), down(4, 116, *_DARK_STEEL), 2, _EDGE)
    drawing.stroke(rect(6, 6, 188, 108, 12), 1.2, (255, 255, 255, 46))
    _screws(drawing, 16, 16, 184, 104)
    drawing.fill(
        rect(30, 30, 140, 44, 10), outwards(100, 52, 84, (120, 255, 160, 150), (20, 120, 60, 120), (6, 30, 18, 200))
    )
    drawing.outline(rect(34, 36, 132, 32, 8), down(36, 68, (46, 120, 74), (18, 66, 38)), 1.4, _EDGE)
    drawing.outline(rect(42, 46, 116, 11, 5), (4, 8, 6), 1, (120, 230, 150))
    drawing.fill(rect(44, 52, 112, 4, 2), (70, 80, 74))
    for k in range(3):
        x = 74 + k * 26
        drawing.fill(poly(x - 8, 98, x, 86, x + 8, 98), _LED)
    return drawing


def _coin_slot() -> Drawing:
    """A brass plate with an upright slot and a return knob."""
    drawing = Drawing()
    drawing.outline(rect(4, 4, 192, 112, 14), down(4, 116, *_DARK_STEEL), 2, _EDGE)
    drawing.stroke(rect(6, 6, 188, 108, 12), 1.2, (255, 255, 255, 46))
    drawing.outline(rect(22, 16, 96, 88, 10), across(22, 118, *_GOLD), 1.6, _EDGE)
    drawing.outline(
        ellipse(70, 60, 33), outwards(62, 50, 40, (255, 244, 200), (206, 158, 66), (140, 96, 30)), 1.4, (90, 62, 20)
    )
    drawing.outline(rect(64, 33, 12, 54, 6), (10, 8, 6), 1.6, (90, 62, 20))
    drawing.fill(rect(72, 37, 3, 46, 1.5), (90, 84, 76))
    drawing.outline(ellipse(156, 44, 19), outwards(150, 38, 22, *_STEEL), 1.4, _EDGE)
    drawing.outline(ellipse(156, 44, 10), outwards(153, 41, 12, (250, 250, 252), (150, 156, 168)), 1, _EDGE)
    drawing.outline(rect(132, 78, 48, 24, 6), (14, 14, 16), 1.4, (120, 124, 132))
    drawing.fill(rect(136, 90, 40, 9, 4), down(90, 99, (70, 72, 80), (30, 31, 36)))
    return drawing


def _tray() -> Drawing:
    """A pay-out cup of polished steel."""
    drawing = Drawing()
    drawing.outline(
        blob(*(6, 22), *(6, 120, 60, 116, 100, 116), *(140, 116, 194, 120, 194, 22), *(140, 22, 60, 22, 6, 22)),
        down(22, 116, *_STEEL),
        2,
        _EDGE,
    )
    drawing.outline(ellipse(100, 24, 94, 18), down(6, 42, (120, 126, 138), (220, 224, 232)), 2, _EDGE)
    drawing.outline(ellipse(100, 26, 84, 12.5), outwards(100, 32, 84, (44, 46, 52), (16, 17, 20)), 1, (60, 62, 70))
    drawing.stroke(curve(24, 66, 40, 98, 70, 108, 100, 108), 4, (255, 255, 255, 120))
    return drawing


def _door(*, is_open: bool) -> Drawing:
    drawing = Drawing()
    drawing.outline(rect(44, 6, 112, 108, 6), (10, 10, 12), 2, (110, 112, 120))
    if is_open:
        drawing.fill(rect(50, 12, 100, 96, 3), outwards(100, 60, 80, (120, 74, 30), (30, 18, 10)))
        for y in (34, 60, 86):
            drawing.stroke(line(62, y, 118, y), 3, (255, 196, 110, 120))
        leaf = poly(150, 12, 188, 2, 188, 118, 150, 108)
        drawing.outline(leaf, across(150, 188, (150, 154, 164), (92, 96, 106)), 2, _EDGE)
        drawing.outline(ellipse(180, 60, 4), down(56, 64, *_GOLD), 1, _EDGE)
        return drawing
    drawing.outline(rect(50, 12, 100, 96, 3), down(12, 108, (138, 142, 152), (86, 90, 100)), 1.4, _EDGE)
    drawing.stroke(rect(58, 20, 84, 80, 3), 1.4, (255, 255, 255, 60))
    drawing.outline(ellipse(136, 60, 8), outwards(133, 57, 10, *_GOLD), 1.2, _EDGE)
    drawing.fill(rect(134.8, 54, 2.4, 12, 1), (40, 28, 8))
    for y in (28, 92):
        drawing.outline(rect(46, y - 8, 9, 16, 2), down(y - 8, y + 8, *_STEEL), 1, _EDGE)
    return drawing


def _lock(*, turned: bool) -> Drawing:
    """A barrel lock with its key, upright or turned by a quarter."""
    drawing = Drawing()
    drawing.outline(ellipse(100, 60, 52), outwards(88, 46, 62, *_STEEL), 2, _EDGE)
    drawing.outline(
        ellipse(100, 60, 38), outwards(92, 50, 46, (244, 214, 130), (182, 134, 52), (110, 76, 24)), 1.6, _EDGE
    )
    turn = 90.0 if turned else 0.0
    where = place(100, 60, 1, turn=turn)
    drawing.fill(rect(-5, -26, 10, 52, 4).at(where), (20, 14, 6))
    head = rect(-15, -58, 30, 44, 10) + ellipse(0, -42, 6)
    drawing.fill(head.at(where), across(84, 116, *_STEEL) if not turned else down(44, 76, *_STEEL), even_odd=True)
    drawing.stroke(head.at(where), 1.6, _EDGE)
    drawing.outline(rect(-6, -16, 12, 30, 3).at(where), (150, 156, 168), 1.4, _EDGE)
    if turned:
        drawing.fill(ellipse(100, 60, 5), (255, 120, 90))
    return drawing


def _plug() -> Drawing:
    """A mains plug with its cable."""
    drawing = Drawing()
    cable = curve(6, 96, 40, 110, 48, 60, 84, 60)
    drawing.stroke(cable, 13, _EDGE).stroke(cable, 9, (64, 66, 74))
    for y in (44, 76):
        drawing.outline(rect(146, y - 5, 40, 10, 3), down(y - 5, y + 5, *_STEEL), 1.4, _EDGE)
    body = curve(*(150, 26), *(110, 24, 84, 40, 84, 60), *(84, 80, 110, 96, 150, 94)).close()
    drawing.outline(body, down(26, 94, (104, 106, 116), (48, 50, 58)), 2, _EDGE)
    drawing.stroke(curve(98, 48, 108, 38, 126, 34, 142, 34), 3, (255, 255, 255, 90))
    for x in (104, 114, 124):
        drawing.stroke(line(x, 50, x, 70), 3, (26, 27, 32))
    return drawing


def _coin(drawing: Drawing, x: float, y: float, r: float, squash: float) -> None:
    drawing.outline(ellipse(x, y + r * 0.24, r, r * squash), shade((206, 158, 66), 0.6), 1, _EDGE)
    drawing.outline(ellipse(x, y, r, r * squash), outwards(x - r * 0.3, y - r * 0.2, r * 1.3, *_GOLD), 1, (90, 62, 20))
    drawing.stroke(ellipse(x, y, r * 0.72, r * squash * 0.72), 1, (120, 82, 26, 170))


def _hopper() -> Drawing:
    """A bowl of coins over a motor."""
    drawing = Drawing()
    drawing.outline(rect(64, 82, 72, 34, 6), down(82, 116, *_DARK_STEEL), 2, _EDGE)
    drawing.outline(
        poly(16, 26, 184, 26, 142, 86, 58, 86), down(26, 86, (150, 170, 190, 150), (70, 84, 100, 190)), 2, _EDGE
    )
    for x, y in (
        (52, 36),
        (84, 32),
        (118, 35),
        (148, 36),
        (68, 46),
        (102, 47),
        (134, 48),
        (84, 60),
        (116, 61),
        (100, 72),
    ):
        _coin(drawing, x, y, 15, 0.5)
    drawing.stroke(line(16, 26, 184, 26), 3, (230, 240, 250, 200))
    return drawing


def _cash_box() -> Drawing:
    """A steel box with a handle, a slot and a seal."""
    drawing = Drawing()
    handle = curve(68, 34, 68, 8, 132, 8, 132, 34)
    drawing.stroke(handle, 11, _EDGE).stroke(handle, 7, (150, 156, 168))
    drawing.outline(rect(22, 32, 156, 82, 8), down(32, 114, (126, 132, 144), (70, 74, 84)), 2, _EDGE)
    drawing.outline(rect(22, 32, 156, 18, 6), down(32, 50, (160, 166, 178), (104, 108, 120)), 1.4, _EDGE)
    drawing.outline(rect(66, 38, 68, 7, 3), (10, 10, 12), 0.8, (180, 186, 196))
    drawing.outline(ellipse(100, 82, 14), outwards(96, 77, 17, *_GOLD), 1.4, _EDGE)
    drawing.fill(ellipse(100, 79, 4), (40, 28, 8)).fill(poly(98, 80, 102, 80, 104, 90, 96, 90), (40, 28, 8))
    for x in (34, 166):
        drawing.fill(ring_sector(x, 64, 0, 3.4, 0, 359), (210, 214, 222))
    return drawing


_MAKERS: dict[str, Callable[[], Drawing]] = {
    "note_slot": _note_slot,
    "coin_slot": _coin_slot,
    "tray": _tray,
    "door:closed": lambda: _door(is_open=False),
    "door:open": lambda: _door(is_open=True),
    "key:off": lambda: _lock(turned=False),
    "key:on": lambda: _lock(turned=True),
    "plug": _plug,
    "hopper": _hopper,
    "cash_box": _cash_box,
}
NAMES = tuple(_MAKERS)


def part(name: str) -> Picture:
    """Return a part. Raises KeyError for an unknown one."""
    return Picture(200, 120, _MAKERS[name])
