"""Panels on the felt: the paytable with its lit row, the jackpot meter, banners and captions of hands."""

import math
from typing import Final

from display import theme
from display.draw_list import CANVAS_HEIGHT, Box, Colour
from display.view_model import HandView, Money, PaytableLine, TableView, Text
from display.widgets.pen import Pen

_ROW: Final = 31.0
_HEAD: Final = 40.0
_FEWEST_ROWS: Final = 3
_LEAST_SHARE: Final = 0.86
_COACH_HEIGHT: Final = 36.0


def paytable(pen: Pen, box: Box, lines: tuple[PaytableLine, ...], title: Text, above: float = CANVAS_HEIGHT) -> None:
    """Draw a paytable that ends at the bottom of ``box`` at the latest; a row that was hit is lit and marked.

    Of a table that something covers from ``above`` on only whole rows are shown, the lit one among them, and none at all where
    they would be too few to tell anything.
    """
    if not lines:
        return
    row = min(_ROW, (box.h - _HEAD - 12) / len(lines))
    lit = next((number for number, line in enumerate(lines) if line.lit), 0)
    room = math.floor((above - box.y - _HEAD - 12) / row)
    if room < len(lines):
        if room < _FEWEST_ROWS:
            return
        first = max(0, lit - room + 1)
        lines = lines[first : first + room]
    panel = Box(box.x, box.y, box.w, _HEAD + row * len(lines) + 12)
    pen.card_panel(panel)
    pen.text(
        title,
        Box(box.x + 18, box.y + 6, box.w - 36, _HEAD - 6),
        theme.SMALL - 2,
        pen.colours.gold,
        weight="bold",
        upper=True,
    )
    revealed = pen.now_ms >= pen.motion.reveal_ms
    size = min(theme.SMALL, row - 6)
    pays = [pen.writer.money(line.amount.minor, short=True) if line.amount is not None else line.pays for line in lines]
    pays_width = max(pen.text_width(words, size, "bold") for words in pays) + 2
    label_width = box.w - 16 - 12 - 12 - 12 - pays_width
    # Names a little too long make all rows a little smaller, for a table in two sizes looks careless.
    widest = max(pen.text_width(line.label, size, "regular") for line in lines)
    size *= max(min(1.0, label_width / widest), _LEAST_SHARE)
    for number, (line, odds) in enumerate(zip(lines, pays, strict=True)):
        place = Box(box.x + 8, box.y + _HEAD + number * row, box.w - 16, row)
        ink, weight = pen.colours.ink, "regular"
        if line.lit and revealed:
            pen.panel(place, pen.colours.lit, 8, border=pen.colours.gold, width=2)
            ink, weight = pen.colours.lit_ink, "bold"
        pen.text(line.label, Box(place.x + 12, place.y, label_width, row), size, ink, weight=weight)
        right = Box(place.x + place.w - 12 - pays_width, place.y, pays_width, row)
        pen.text(odds, right, size, ink, weight="bold", align="r")


def jackpot(pen: Pen, box: Box, amount: Money) -> None:
    """Draw the jackpot meter."""
    pen.glow(box.inset(10), (*pen.colours.glow[:3], 90), spread=14, radius=16)
    pen.panel(box, (60, 14, 16, 240), 16, fill_to=(24, 4, 6, 240), border=pen.colours.gold, width=3)
    pen.text(
        Text("meter", "Jackpot"),
        Box(box.x + 16, box.y + 8, box.w - 32, 32),
        theme.BODY,
        pen.colours.gold,
        weight="bold",
        align="c",
        upper=True,
    )
    value = Box(box.x + 14, box.y + 42, box.w - 28, box.h - 52)
    pen.text(pen.writer.money(amount.minor), value, 46, pen.colours.win, weight="bold", align="c", shadow=True)


def banner(pen: Pen, table: TableView, box: Box) -> None:
    """Draw what the dealer announces, once the cards lie open."""
    if table.banner is None or pen.now_ms < pen.motion.reveal_ms:
        return
    tone = table.banner_tone
    big = tone in ("win", "big_win")
    colour = theme.tone_colour(pen.colours, tone)
    fill: Colour = (8, 10, 10, 236)
    if table.coach:
        box = Box(box.x, box.y - 6, box.w, box.h - _COACH_HEIGHT + 2)
    size = box.h * 0.56
    width = min(max(pen.text_width(table.banner, size, "bold") + box.h * 1.4, box.w * 0.4), box.w)
    place = Box(box.x + (box.w - width) / 2, box.y, width, box.h)
    if big:
        pen.glow(place.inset(6), (*pen.colours.glow[:3], 150), spread=10, radius=box.h / 2)
    pen.panel(place, fill, box.h / 2, border=colour, width=3)
    pen.text(table.banner, place.inset(box.h * 0.5, 6), size, colour, weight="bold", align="c")


def coach(pen: Pen, table: TableView, box: Box) -> None:
    """Write what the coach says where the announcement will stand, and below that once it is there."""
    if not table.coach or table.phase == "betting" or (table.banner is not None and pen.now_ms < pen.motion.reveal_ms):
        return
    top, height, size = box.y, 38.0, float(theme.BODY)
    if table.banner is not None:
        top, height, size = box.y + box.h - _COACH_HEIGHT, _COACH_HEIGHT, theme.SMALL
    # Under the announcement there is room for one line: what went wrong.
    for number, line in enumerate(table.coach if table.banner is None else table.coach[-1:]):
        width = min(pen.text_width(line, size, "bold") + 56, box.w)
        place = Box(box.x + (box.w - width) / 2, top + number * (height + 4), width, height)
        pen.panel(place, pen.colours.glass, height / 2, border=pen.colours.gold, width=2)
        pen.text(line, place.inset(22, 2), size, pen.colours.ink, weight="bold", align="c")


def caption(
    pen: Pen,
    hand: HandView,
    box: Box,
    won_minor: int = 0,
    result_text: Text | None = None,
    owner: Text | None = None,
) -> None:
    """Draw what a hand is worth under it, led by its owner's name if given; at the end its result and what is paid."""
    if pen.now_ms < pen.motion.hand_ready_ms(hand):
        return
    revealed = pen.now_ms >= pen.motion.reveal_ms
    outcome = result_text or hand.result_text if revealed else None
    parts: list[str] = []
    if hand.total:
        parts.append(hand.total)
    if hand.caption is not None:
        parts.append(pen.say(hand.caption))
    if outcome is not None:
        parts.append(pen.say(outcome))
    if outcome is not None and won_minor:
        parts.append(pen.writer.money(won_minor, short=True))
    if not parts:
        return
    if owner is not None:
        parts.insert(0, pen.say(owner))
    tone = theme.RESULT_TONES.get(hand.result, "") if outcome is not None else ""
    words = "  ·  ".join(dict.fromkeys(parts))
    ink = theme.tone_colour(pen.colours, tone) if tone else pen.colours.ink
    fill: Colour = pen.colours.glass
    rim: Colour = pen.colours.panel_rim
    if tone == "win":
        fill, ink, rim = (232, 180, 60, 250), (40, 22, 0), (255, 240, 190)
    elif tone:
        rim = ink
    elif hand.active:
        rim = pen.colours.gold
    size = min(theme.STRONG + 2, box.h * 0.56)
    width = min(max(pen.text_width(words, size, "bold") + 56, 150), box.w)
    place = Box(box.x + (box.w - width) / 2, box.y, width, box.h)
    if tone == "win":
        pen.glow(place.inset(8), (*pen.colours.glow[:3], 130), spread=8, radius=box.h / 2)
    pen.panel(place, fill, box.h / 2, border=rim, width=3)
    pen.text(words, place.inset(24, 4), size, ink, weight="bold", align="c")
