"""A page of rows: help, rules, history, the operator's menu. Usable by touch and by four buttons."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from display import metrics, theme
from display.draw_list import CANVAS_WIDTH, Box
from display.layout import frame
from display.layout.place import CARD_RATIO, centred
from display.scenes import page_extras
from display.scenes.backdrop import felt
from display.view_model import PageRow, PageView, Text
from display.widgets import cards, controls
from display.widgets.pen import Pen

_SHEET: Final = Box(40, 96, CANVAS_WIDTH - 220, 814)
_NARROW: Final = {2: 1180.0, 3: 1420.0}
"""Width of a sheet of figures by its columns: eyes must find the way from a label to its value."""
_KEYS_X: Final = CANVAS_WIDTH - 156
_KEY: Final = 116
_PADDING: Final = 26
_TOUCH_ROW: Final = 74.0
_LARGEST: Final = theme.STRONG + 4
_LARGEST_FIGURES: Final = theme.STRONG + 10
_CARDS_ROW: Final = 132.0
_LEADING: Final = 1.25
_HEAD: Final = 46
_FOOT: Final = 62
_GAP: Final = 18.0
"""Before a label, and behind each column."""


@dataclass(frozen=True, slots=True)
class _Row:
    row: PageRow
    height: float


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where values and second values begin and a row ends, from its left edge; and the one size of type of all values."""

    value: float
    second: float
    end: float
    size: float

    def places(self, box: Box) -> tuple[Box, Box, Box]:
        """Return the places of label, value and second value in a row."""
        starts = (0.0, self.value, self.second, self.end)
        label, value, second = (Box(box.x + start, box.y, end - start - _GAP, box.h) for start, end in pairwise(starts))
        return Box(label.x + _GAP, label.y, label.w - _GAP, label.h), value, second


def page(pen: Pen) -> None:
    """Draw the page with its path, rows, cursor and the four keys at the side."""
    view = pen.view
    content = view.page
    if content is not None and content.pattern:
        page_extras.pattern(pen, content)
        if not content.pattern.startswith("cross:"):  # a panel that is far off would touch them instead
            _keys(pen)
        return
    felt(pen, "page")
    pen.static_ends_here()
    if content is not None:
        _sheet(pen, content)
    else:
        controls.top_bar(pen, "")
    _keys(pen)
    controls.bottom_bar(pen)
    controls.meters(pen)
    controls.buttons(pen)


def _sheet(pen: Pen, content: PageView) -> None:
    controls.top_bar(pen, content.title)
    sheet = _sheet_box(pen, content)
    alone = sheet.h < _SHEET.h
    if alone:
        pen.glow(sheet.inset(8), (*pen.colours.glow[:3], 90), spread=14, radius=20, hollow=True)
    rim = pen.colours.gold if alone else pen.colours.panel_rim
    pen.panel(sheet, (10, 14, 18, 232), 20, border=rim, width=3 if alone else 2)
    top = sheet.y + 16
    inside = Box(sheet.x + _PADDING, top, sheet.w - 2 * _PADDING, 0)
    top += _path(pen, content, inside)
    heads = Box(inside.x, top, inside.w, 36)
    top += _HEAD if content.columns else 6
    bottom = sheet.y + sheet.h - _FOOT
    area = page_extras.beside_rows(pen, content, Box(inside.x, top, inside.w, bottom - top))
    size, rows = _fitting(pen, content, area)
    columns = _columns(pen, content, area.w, size)
    _heads(pen, content, heads, columns)
    _rows(pen, content, area, rows, columns, size)
    _footer(pen, content, Box(inside.x, bottom + 8, inside.w, 44))


def _sheet_box(pen: Pen, content: PageView) -> Box:
    """Return the place of the sheet: as wide as its rows need, and a page that stands alone as high as they need."""
    beside = content.pad or content.qr or content.graph is not None
    if beside or any(row.target for row in content.rows) or not any(row.value for row in content.rows):
        return _SHEET
    wanted = sum(_needs(pen, content, _LARGEST)) + 4 * _GAP + 2 * _PADDING
    width = max(_NARROW[3 if _has_second(content) else 2], min(wanted, _SHEET.w))
    left = (CANVAS_WIDTH - width) / 2
    if left + width > _KEYS_X - 24:
        left = _KEYS_X - 24 - width
    whole = Box(left, _SHEET.y, width, _SHEET.h)
    if content.page_count > 1 or content.path:
        return whole
    rows = _measured(pen, content, width - 2 * _PADDING, _LARGEST_FIGURES)
    height = sum(row.height for row in rows) + 16 + _HEAD + _FOOT + 24
    if height >= _SHEET.h:
        return whole
    return Box(left, _SHEET.y + (_SHEET.h - height) / 2, width, height)


def _path(pen: Pen, content: PageView, place: Box) -> float:
    if not content.path:
        return 0
    words = "  ›  ".join(pen.say(part) for part in content.path)
    pen.text(words, Box(place.x, place.y, place.w, 34), theme.SMALL, pen.colours.muted)
    return 42


def _has_second(content: PageView) -> bool:
    return any(row.second for row in content.rows) or len(content.columns) > 2


def _needs(pen: Pen, content: PageView, size: float) -> tuple[float, float, float]:
    """Return the widths that the longest label, value and second value take at a size of type."""
    rows = [row for row in content.rows if row.tone != "heading" and not row.cards and not _is_prose(row)]
    return (
        max((pen.text_width(row.label, size, _weight(row)) for row in rows if row.value or row.second), default=0.0),
        max((pen.text_width(row.value, size, "bold") for row in rows if row.value), default=0.0),
        max((pen.text_width(row.second, size, "bold") for row in rows if row.second), default=0.0),
    )


def _columns(pen: Pen, content: PageView, width: float, size: float) -> _Columns:
    """Share the width out: the usual shares, unless values need more and labels can spare it.

    Where it is too little for all, every value is written smaller, and all in one size.
    """
    label, value, second = _needs(pen, content, size)
    has_second = _has_second(content)
    second_room = max(0.25 * width, min(second + _GAP, 0.5 * width)) if has_second else 0.0
    usual = 0.25 if has_second else 0.38
    value_room = max(usual * width, min(value + _GAP, width - second_room - label - 2 * _GAP))
    shrink = min(
        1.0,
        (value_room - _GAP) / value if value else 1.0,
        (second_room - _GAP) / second if second else 1.0,
    )
    return _Columns(width - second_room - value_room, width - second_room, width, size * shrink)


def _heads(pen: Pen, content: PageView, box: Box, columns: _Columns) -> None:
    if not content.columns:
        return
    for number, (place, words) in enumerate(zip(columns.places(box), content.columns, strict=False)):
        pen.text(
            words, place, theme.SMALL, pen.colours.gold, weight="bold", align="l" if number == 0 else "r", upper=True
        )
    pen.panel(Box(box.x, box.y + 38, box.w, 2), pen.colours.panel_rim)


def _is_prose(row: PageRow) -> bool:
    """A row without value and target is text: it may run over several lines across the whole page."""
    return not row.value and not row.second and not row.target and not row.cards


def _measured(pen: Pen, content: PageView, width: float, size: float) -> list[_Row]:
    rows: list[_Row] = []
    for row in content.rows:
        scaled = pen.size(size)
        if row.tone == "heading":
            rows.append(_Row(row, scaled * 1.9))
        elif row.cards:
            rows.append(_Row(row, _CARDS_ROW))
        elif row.target:
            rows.append(_Row(row, _TOUCH_ROW))
        elif _is_prose(row):
            words = pen.say(row.label)
            lines = metrics.wrap(words, (width - 36) * 0.95, scaled)
            rows.append(_Row(row, len(lines) * scaled * _LEADING + scaled * 0.35))
        else:
            rows.append(_Row(row, scaled * 1.62))
    return rows


def _fitting(pen: Pen, content: PageView, area: Box) -> tuple[float, list[_Row]]:
    """Return the largest size of type at which all rows fit, else the smallest and a window around the cursor."""
    choosing = any(row.target or _is_prose(row) for row in content.rows if row.tone != "heading")
    size = float(_LARGEST if choosing else _LARGEST_FIGURES)
    rigid = sum(_TOUCH_ROW for row in content.rows if row.target and not row.cards)
    while rigid <= area.h:
        rows = _measured(pen, content, area.w, size)
        if sum(row.height for row in rows) <= area.h:
            return size, rows
        if size <= theme.SMALL - 1:
            break
        size -= 1
    else:  # rows to touch keep their height, so small letters would win nothing
        size = float(theme.STRONG)
        rows = _measured(pen, content, area.w, size)
    cursor = next((index for index, row in enumerate(rows) if row.row.selected), 0)
    first = last = cursor
    room = area.h - rows[cursor].height
    while True:
        if last + 1 < len(rows) and rows[last + 1].height <= room:
            last += 1
            room -= rows[last].height
        elif first > 0 and rows[first - 1].height <= room:
            first -= 1
            room -= rows[first].height
        else:
            return size, rows[first : last + 1]


def _rows(pen: Pen, content: PageView, area: Box, rows: list[_Row], columns: _Columns, size: float) -> None:
    if len(rows) < len(content.rows) and any(row.target for row in content.rows):
        first = content.rows.index(rows[0].row)
        words = f"{first + 1}–{first + len(rows)} / {len(content.rows)}"
        place = Box(area.x + area.w - 250, _SHEET.y + _SHEET.h - 54, 250, 44)
        pen.text(words, place, theme.SMALL, pen.colours.muted, align="r")
    top = area.y
    for number, entry in enumerate(rows):
        box = Box(area.x, top, area.w, entry.height)
        _row(pen, entry.row, box, columns, size, number)
        top += entry.height


def _row(pen: Pen, row: PageRow, box: Box, columns: _Columns, size: float, number: int) -> None:
    colour = theme.tone_colour(pen.colours, row.tone)
    if row.tone == "heading":
        pen.text(
            row.label,
            Box(box.x + 4, box.y + box.h * 0.2, box.w - 8, box.h * 0.72),
            size + 2,
            pen.colours.gold,
            weight="bold",
        )
        pen.panel(Box(box.x, box.y + box.h - 3, box.w, 2), pen.colours.panel_rim)
        return
    if row.selected:
        pen.panel(box.inset(0, 2), (*pen.colours.gold[:3], 46), 12, border=pen.colours.gold, width=3)
        pen.panel(Box(box.x, box.y + 10, 8, box.h - 20), pen.colours.gold, 4)
    elif row.target:
        pen.panel(box.inset(0, 3), (255, 255, 255, 14), 12, border=(255, 255, 255, 34), width=1.5)
    elif number % 2 and not _is_prose(row):
        pen.panel(box, (255, 255, 255, 9), 6)
    if _is_prose(row):
        pen.paragraph(row.label, Box(box.x + 18, box.y, box.w - 36, box.h), size, colour, valign="m")
        return
    if row.cards:
        _cards(pen, row, box, size)
        return
    label, value, second = columns.places(box)
    pen.text(row.label, label if row.value or row.second else box.inset(_GAP, 0), size, colour, weight=_weight(row))
    for place, words in ((value, row.value), (second, row.second)):
        if words:
            pen.text(words, place, columns.size, colour, weight="bold", align="r")
    if row.target:
        pen.hit(row.target, box.inset(0, 0.5))


def _cards(pen: Pen, row: PageRow, box: Box, size: float) -> None:
    """A hand: whose it is, and its cards as pictures."""
    pen.text(row.label, Box(box.x + 18, box.y, box.w * 0.4 - 30, box.h), size, pen.colours.ink, weight="bold")
    height = box.h - 14
    width = height / CARD_RATIO
    left = box.x + box.w * 0.4
    for index, code in enumerate(row.cards):
        place = Box(left + index * (width + 10), box.y + 7, width, height)
        pen.sprite(cards.face_name(pen, code), place)


def _weight(row: PageRow) -> str:
    return "bold" if row.selected or row.tone in ("warning", "error") else "regular"


def _footer(pen: Pen, content: PageView, box: Box) -> None:
    pen.panel(Box(box.x, box.y - 4, box.w, 1.5), pen.colours.panel_rim)
    if content.footer is not None:
        pen.text(content.footer, Box(box.x, box.y, box.w - 260, box.h), theme.SMALL, pen.colours.muted)
    if content.page_count > 1:
        words = Text("page", "Page {number} of {count}", (("number", content.page_number),), count=content.page_count)
        pen.text(words, Box(box.x + box.w - 250, box.y, 250, box.h), theme.SMALL, pen.colours.muted, align="r")


_ICONS: Final = {"page:up": "up", "page:down": "down", "page:select": "check", "page:back": "back"}


def _keys(pen: Pen) -> None:
    """The keys that a hand needs when it does not touch the rows themselves: what the physical buttons do here, and Back."""
    offered = {button.id for button in pen.view.buttons if button.enabled or button.reason is not None}
    keys = [(name, key) for name, key in frame.PAGE_KEYS.items() if name in offered or key == "page:back"]
    for number, (button_id, target) in enumerate(keys):
        last = target == "page:back"
        top = _SHEET.y + (_SHEET.h - _KEY if last else number * (_KEY + 22))
        box = Box(_KEYS_X, top, _KEY, _KEY)
        pen.panel(box, (58, 66, 76), 20, fill_to=(30, 36, 44), border=(146, 158, 170), width=2)
        pen.sprite(f"icon:{_ICONS[target]}", centred(box.x + box.w / 2, box.y + box.h / 2, 60, 60))
        pen.hit(target, box)
        controls.keycap(pen, frame.slot_of(pen.view, button_id), box.x + 8, box.y + 8)
