"""The large-win scene: a ribbon across the table on which the amount counts up while chips leap from its middle.

Everything that moves stays on the ribbon, which hides what is behind it: few rows change, and little lies under them. Not responsible
for when a win is large (the view says so).
"""

import math
from typing import Final

from display.assets.ribbon import HEIGHT
from display.draw_list import CANVAS_WIDTH, Box
from display.layout.place import centred
from display.view_model import Money, TableView, Text
from display.widgets.pen import Pen

_AFTER_MS: Final = 2500
"""How long the ribbon stays after its amount has counted up."""
_BEGIN_MS: Final = 100
"""After the cards lie open: results and ribbon do not come in one frame."""
_TOP: Final = 338.0
RIBBON: Final = Box(0, _TOP, CANVAS_WIDTH, HEIGHT)
_CHIP: Final = 68.0
_CHIP_COUNT: Final = 16
_LEAP_MS: Final = 1900.0
_LEAPS: Final = 3
_VALUES: Final = (10_000, 2_500, 50_000, 500, 100_000)
_CLEAR_HALF_WIDTH: Final = 300.0
"""Chips come out from behind the amount."""


def shown(pen: Pen, view: TableView) -> bool:
    """Tell whether the scene covers the table now, and wake the screen when it begins or ends."""
    begin, end = pen.motion.reveal_ms + _BEGIN_MS, pen.motion.win.end_ms + _AFTER_MS
    if view.banner_tone != "big_win" or pen.now_ms >= end:
        return False
    pen.changes_at(begin)
    pen.changes_at(end)
    return pen.now_ms >= begin


def draw(pen: Pen) -> None:
    """Draw the ribbon at this moment."""
    pen.sprite("ribbon", RIBBON)
    counting = pen.now_ms < pen.motion.win.end_ms
    if counting:
        pen.moves()
        _leaping_chips(pen, pen.now_ms - pen.motion.reveal_ms)
    else:
        _resting_chips(pen)
    pen.text(
        Text("banner", "Big win"),
        Box(CANVAS_WIDTH / 2 - 450, _TOP + 22, 900, 72),
        60,
        pen.colours.gold,
        weight="bold",
        align="c",
        upper=True,
        shadow=True,
    )
    pen.text(
        Money(pen.motion.win.value(pen.now_ms)),
        Box(CANVAS_WIDTH / 2 - 560, _TOP + 96, 1120, 142),
        132,
        pen.colours.win,
        weight="bold",
        align="c",
        shadow=True,
    )


def _leaping_chips(pen: Pen, elapsed_ms: float) -> None:
    """Chips that hop from behind the amount to both sides; each has its own beginning and pace, fixed by its number."""
    for number in range(_CHIP_COUNT):
        share = (elapsed_ms / _LEAP_MS + number * 0.618) % 1.0
        side = -1 if number % 2 else 1
        x = CANVAS_WIDTH / 2 + side * (_CLEAR_HALF_WIDTH + share * (CANVAS_WIDTH / 2 - _CLEAR_HALF_WIDTH - _CHIP))
        room = HEIGHT - _CHIP - 40
        height = room * abs(math.sin(math.pi * (_LEAPS * share + 0.12))) * (1 - 0.55 * share)
        _chip(pen, number, x, _TOP + HEIGHT - 20 - _CHIP / 2 - height)


def _resting_chips(pen: Pen) -> None:
    """When the amount stands, the chips lie where they have come to rest, the nearest ones highest."""
    for side in (-1, 1):
        number = 0
        for row, count in enumerate((5, 3)):
            for place in range(count):
                x = CANVAS_WIDTH / 2 + side * (700 + (place - (count - 1) / 2) * (_CHIP - 4))
                _chip(pen, number + (side > 0), x, _TOP + HEIGHT - 24 - _CHIP / 2 - row * (_CHIP - 22))
                number += 1


def _chip(pen: Pen, number: int, x: float, y: float) -> None:
    pen.sprite(f"chip:{_VALUES[number % len(_VALUES)]}", centred(x, y, _CHIP, _CHIP))
