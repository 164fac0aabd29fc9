"""Signs in one light colour, drawn in a box of 48 x 48 with lines of one width."""

from collections.abc import Callable

from display.assets.picture import Picture
from display.assets.vector import Colour, Drawing, Path, arc, curve, ellipse, line, place, poly, rect, star

_INK: Colour = (246, 238, 216)
_WIDTH = 3.4


def _strokes(*paths: Path, width: float = _WIDTH) -> Drawing:
    drawing = Drawing()
    for path in paths:
        drawing.stroke(path, width, _INK)
    return drawing


def _speaker() -> Drawing:
    return Drawing().fill(poly(6, 18, 13, 18, 23, 9, 23, 39, 13, 30, 6, 30), _INK)


def _sound() -> Drawing:
    return _speaker().add(_strokes(arc(24, 24, 8, -45, 45), arc(24, 24, 15, -48, 48)))


def _mute() -> Drawing:
    return _speaker().add(_strokes(line(30, 18, 42, 30), line(42, 18, 30, 30)))


def _help() -> Drawing:
    hook = curve(*(17.5, 18.5), *(17.5, 10.5, 30.5, 10.5, 30.5, 18.5), *(30.5, 24, 24, 23.5, 24, 29.5))
    return _strokes(ellipse(24, 24, 19)).add(_strokes(hook, width=3.8)).fill(ellipse(24, 35.6, 2.5), _INK)


def _language() -> Drawing:
    globe = _strokes(ellipse(24, 24, 18), ellipse(24, 24, 7.6, 18), width=2.8)
    return globe.add(
        _strokes(
            line(6, 24, 42, 24),
            curve(9, 14.5, 18, 18.5, 30, 18.5, 39, 14.5),
            curve(9, 33.5, 18, 29.5, 30, 29.5, 39, 33.5),
            width=2.4,
        )
    )


def _back() -> Drawing:
    return _strokes(line(20, 11, 8, 23, 20, 35), line(9, 23, 30, 23).curve(44, 23, 44, 39, 30, 39))


def _cash() -> Drawing:
    drawing = _strokes(rect(5, 20, 26, 20, 2), rect(17, 8, 26, 20, 2))
    drawing.fill(rect(7, 22, 22, 16, 1), (246, 238, 216, 60))
    return drawing.add(_strokes(ellipse(18, 30, 4.4), width=2.8))


def _lock() -> Drawing:
    drawing = _strokes(line(15, 22, 15, 16).curve(15, 4, 33, 4, 33, 16).line(33, 22))
    return drawing.fill(rect(9, 21, 30, 21, 4) + ellipse(24, 31.5, 3.6), _INK, even_odd=True)


def _door() -> Drawing:
    drawing = _strokes(line(8, 42, 40, 42), line(12, 42, 12, 6, 36, 6, 36, 42))
    drawing.fill(poly(14, 8, 29, 13, 29, 42, 14, 40), (246, 238, 216, 120))
    return drawing.add(_strokes(poly(13, 7, 29, 13, 29, 42))).fill(ellipse(24.6, 28, 2.2), _INK)


def _key() -> Drawing:
    return _strokes(
        ellipse(15, 17, 9), line(21.5, 23.5, 40, 42), line(33, 35, 38.5, 29.5), line(27.5, 29.5, 32, 25), width=3.8
    )


def _note() -> Drawing:
    return _strokes(
        rect(4, 12, 40, 24, 3), ellipse(24, 24, 6.4), line(10.5, 18.5, 10.5, 18.6), line(37.5, 29.4, 37.5, 29.5)
    )


def _coin() -> Drawing:
    drawing = _strokes(ellipse(24, 24, 18), ellipse(24, 24, 12.6), width=2.8)
    return drawing.fill(star(24, 24, 8.4, 3.6, 5), _INK)


def _warning() -> Drawing:
    drawing = _strokes(poly(24, 6, 44, 41, 4, 41), width=3.8)
    return drawing.add(_strokes(line(24, 18, 24, 28), width=4.4)).fill(ellipse(24, 34.4, 2.6), _INK)


def _attendant() -> Drawing:
    bell = curve(*(8, 34), *(8, 14, 40, 14, 40, 34)).close()
    drawing = Drawing().fill(bell, _INK)
    return drawing.add(_strokes(line(6, 39, 42, 39), line(24, 17, 24, 12), line(21, 11, 27, 11)))


def _history() -> Drawing:
    drawing = _strokes(arc(25, 24, 17, -220, 96), line(25, 14, 25, 25, 33, 30))
    return drawing.fill(poly(4, 18, 20, 18, 11, 29), _INK)


def _clock() -> Drawing:
    return _strokes(ellipse(24, 24, 19), line(24, 12, 24, 24, 32, 30))


def _hand() -> Drawing:
    palm = curve(*(16, 44), *(10, 38, 6, 32, 5, 27), *(4, 23, 8, 22, 11, 26)).line(14, 30, 14, 11)
    palm = palm.curve(14, 6, 20, 6, 20, 11).line(20, 21, 20, 19).curve(20, 15, 26, 15, 26, 19).line(26, 22, 26, 21)
    palm = palm.curve(26, 17, 32, 17, 32, 21).line(32, 24, 32, 23.5).curve(32, 20, 38, 20, 38, 24).line(38, 32)
    return _strokes(palm.curve(38, 38, 36, 41, 34, 44), width=3.2)


def _arrow(turn: float) -> Drawing:
    return Drawing().fill(poly(0, -15, 16, 12, -16, 12).at(place(24, 24, 1, turn=turn)), _INK)


_MAKERS: dict[str, Callable[[], Drawing]] = {
    "sound": _sound,
    "mute": _mute,
    "help": _help,
    "language": _language,
    "back": _back,
    "cash": _cash,
    "lock": _lock,
    "door": _door,
    "key": _key,
    "note": _note,
    "coin": _coin,
    "warning": _warning,
    "attendant": _attendant,
    "history": _history,
    "plus": lambda: _strokes(line(24, 8, 24, 40), line(8, 24, 40, 24), width=5),
    "minus": lambda: _strokes(line(8, 24, 40, 24), width=5),
    "check": lambda: _strokes(line(8, 26, 19, 37, 41, 11), width=5.4),
    "cross": lambda: _strokes(line(11, 11, 37, 37), line(37, 11, 11, 37), width=5.4),
    "clock": _clock,
    "hand": _hand,
    "up": lambda: _arrow(0),
    "down": lambda: _arrow(180),
    "left": lambda: _arrow(-90),
    "right": lambda: _arrow(90),
    "star": lambda: Drawing().fill(star(24, 25.5, 20, 8.6, 5), _INK),
}
NAMES = tuple(_MAKERS)


def icon(name: str) -> Picture:
    """Return a sign. Raises KeyError for an unknown one."""
    return Picture(48, 48, _MAKERS[name])
