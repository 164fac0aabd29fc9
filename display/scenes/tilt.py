"""Faults that stop play: what is wrong, what to do, and that the player's money is safe."""

from typing import Final

from display import theme
from display.draw_list import CANVAS_WIDTH, Box
from display.layout.place import centred
from display.scenes.backdrop import felt
from display.view_model import FaultView, Money, Text
from display.widgets import controls
from display.widgets.pen import Pen

_AREA: Final = Box(210, 320, CANVAS_WIDTH - 420, 500)
_MOST: Final = 4


def tilt(pen: Pen) -> None:
    """Draw the tilt screen with up to four faults and the number of the others."""
    view = pen.view
    felt(pen, "page")
    pen.static_ends_here()
    controls.top_bar(pen, Text("tilt", "Out of service"))
    lit = pen.blink()
    head = Box(_AREA.x, 110, _AREA.w, 180)
    pen.panel(head, (112, 22, 24) if lit else (84, 16, 18), 24, fill_to=(60, 8, 12), border=pen.colours.error, width=4)
    pen.sprite("icon:warning", centred(head.x + 96, head.y + head.h / 2, 112, 112))
    words = Box(head.x + 190, head.y + 22, head.w - 230, 78)
    said = view.faults[0].player if view.faults else None
    headline = said or Text("tilt", "Please call an attendant")
    pen.text(headline, words, theme.HEADLINE, (255, 255, 255), weight="bold")
    credit = Text("tilt", "Your credit of {amount} is recorded and safe.", (("amount", Money(view.credit_minor)),))
    if not view.is_money_known:
        credit = Text("tilt", "Your credit can't be read here. Please stay until an attendant has looked into it.")
    pen.text(credit, Box(words.x, head.y + 104, words.w, 54), theme.STRONG + 2, (255, 232, 220))
    shown = view.faults[:_MOST]
    row = min((_AREA.h - 14 * (_MOST - 1)) / _MOST, 124.0)
    for number, fault in enumerate(shown):
        _fault(pen, fault, Box(_AREA.x, _AREA.y + number * (row + 14), _AREA.w, row))
    hidden = len(view.faults) - len(shown)
    if hidden > 0:
        more = Text("tilt", "and {count} more fault", plural="and {count} more faults", count=hidden)
        pen.text(more, Box(_AREA.x, _AREA.y + _AREA.h + 34, _AREA.w, 40), theme.BODY, pen.colours.muted, align="c")
    controls.bottom_bar(pen)
    controls.meters(pen)
    controls.buttons(pen)


def _fault(pen: Pen, fault: FaultView, box: Box) -> None:
    colour = pen.colours.error if fault.blocks_play else pen.colours.warning
    pen.panel(box, (16, 18, 22, 240), 16, border=colour, width=2)
    pen.panel(Box(box.x + 18, box.y + 22, 150, box.h - 44), (0, 0, 0, 160), 12, border=colour, width=2)
    pen.text(fault.code, Box(box.x + 24, box.y + 24, 138, box.h - 48), theme.STRONG, colour, weight="mono", align="c")
    left = box.x + 190
    width = box.w - 190 - 300
    pen.text(fault.title, Box(left, box.y + 12, width, 46), theme.STRONG + 2, pen.colours.ink, weight="bold")
    pen.paragraph(fault.remedy, Box(left, box.y + 60, width, box.h - 70), theme.BODY, pen.colours.muted)
    since = Text("tilt", "since {time}", (("time", pen.writer.date_time(fault.since_ms)),))
    pen.text(since, Box(box.x + box.w - 296, box.y + 12, 276, 46), theme.SMALL, pen.colours.muted, align="r")
