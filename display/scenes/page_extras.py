"""What a page may have beside its rows: a pad of digits, a graph, a QR code; and pictures for testing the screen."""

from typing import Final

from display import theme
from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, Box, Colour
from display.layout import frame
from display.view_model import GraphView, PageView
from display.widgets import controls
from display.widgets.pen import Pen

_SIDE: Final = 470.0
"""Width of what stands beside the rows."""
_PAD_GAP: Final = 12.0
_QR_SIDE: Final = 400.0
_QUIET_CELLS: Final = 4
_AXIS: Final = 150.0
_MOST_LABELS: Final = 10
_GRID_LINES: Final = 4
_TOUCH_COLUMNS: Final = 12
_TOUCH_ROWS: Final = 7
_TOUCH_WIDTH: Final = CANVAS_WIDTH - 180
_PLAIN: Final[dict[str, Colour]] = {
    "red": (255, 0, 0),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
    "white": (255, 255, 255),
    "black": (0, 0, 0),
}


def beside_rows(pen: Pen, content: PageView, area: Box) -> Box:
    """Draw what stands beside or below the rows and return the place that is left for them."""
    if content.graph is not None:
        rows = min(len(content.rows) * 44.0, area.h / 3)
        _graph(pen, content.graph, Box(area.x, area.y + rows, area.w, area.h - rows))
        return Box(area.x, area.y, area.w, rows)
    if not content.pad and not content.qr:
        return area
    side = Box(area.x + area.w - _SIDE, area.y, _SIDE, area.h)
    if content.pad:
        _pad(pen, content, side)
    else:
        _qr(pen, content, side)
    return Box(area.x, area.y, area.w - _SIDE - 30, area.h)


def _pad(pen: Pen, content: PageView, place: Box) -> None:
    width = (place.w - 2 * _PAD_GAP) / 3
    height = min((place.h - 3 * _PAD_GAP) / 4, 130.0)
    for number, key in enumerate(content.pad):
        row, column = divmod(number, 3)
        box = Box(place.x + column * (width + _PAD_GAP), place.y + row * (height + _PAD_GAP), width, height)
        if key.selected:
            pen.panel(box, (*pen.colours.gold[:3], 46), 16, border=pen.colours.gold, width=4)
        else:
            pen.panel(box, (58, 66, 76), 16, fill_to=(30, 36, 44), border=(146, 158, 170), width=2)
        size = theme.STRONG + 14 if isinstance(key.label, str) else theme.BODY
        pen.text(key.label, box.inset(8, 8), size, weight="bold", align="c")
        controls.keycap(pen, frame.slot_of(pen.view, key.target), box.x + 8, box.y + 8)
        pen.hit(key.target, box)


def _qr(pen: Pen, content: PageView, place: Box) -> None:
    count = len(content.qr) + 2 * _QUIET_CELLS
    cell = max(int(_QR_SIDE / count), 1)
    side = float(cell * count)
    left, top = round(place.x + (place.w - side) / 2), round(place.y + 20)
    pen.panel(Box(left, top, side, side), (255, 255, 255))
    for row, cells in enumerate(content.qr):
        start = 0
        while (first := cells.find("1", start)) >= 0:  # one panel for each run of dark cells
            end = cells.find("0", first)
            end = len(cells) if end < 0 else end
            x, y = left + (first + _QUIET_CELLS) * cell, top + (row + _QUIET_CELLS) * cell
            pen.panel(Box(x, y, (end - first) * cell, cell), (0, 0, 0))
            start = end
    if content.qr_caption is not None:
        box = Box(place.x, top + side + 14, place.w, 60)
        pen.paragraph(content.qr_caption, box, theme.SMALL, pen.colours.muted, align="c")


def _graph(pen: Pen, graph: GraphView, place: Box) -> None:
    """Lines over the days: round figures at the left, a legend above, names of days below."""
    values = [value for line in graph.lines for value in line.points if value is not None]
    if not values or not graph.labels:
        return
    values += _zero(graph)
    step = _round_step(max(values) - min(values), least=_least_step(pen, graph))
    low, high = min(values) // step * step, -(-max(values) // step) * step
    if low == high:
        high += step
    plot = Box(place.x + _AXIS, place.y + 56, place.w - _AXIS - 30, place.h - 110)
    for value in range(low, high + 1, step):
        y = plot.y + plot.h * (high - value) / (high - low)
        pen.panel(Box(plot.x, y, plot.w, 1.5), (255, 255, 255, 40))
        pen.text(_figure(pen, graph, value), Box(place.x, y - 16, _AXIS - 14, 32), theme.SMALL, align="r")
    count = len(graph.labels)
    spacing = plot.w / max(count - 1, 1)
    every = -(-count // _MOST_LABELS)
    for index in range(0, count, every):
        box = Box(plot.x + index * spacing - 50, plot.y + plot.h + 8, 100, 30)
        pen.text(graph.labels[index], box, theme.SMALL, pen.colours.muted, align="c")
    left = plot.x
    for line in graph.lines:
        colour = theme.tone_colour(pen.colours, line.tone)
        width = pen.text_width(line.label, theme.SMALL, "bold") + 60
        pen.panel(Box(left, place.y + 22, 34, 6), colour, 3)
        pen.text(line.label, Box(left + 44, place.y + 8, width, 34), theme.SMALL, colour, weight="bold")
        left += width + 20
        points = [
            (plot.x + index * spacing, plot.y + plot.h * (high - value) / (high - low))
            for index, value in enumerate(line.points)
            if value is not None
        ]
        if len(points) > 1:
            pen.stroke(tuple(points), colour, 2.5 if line.tone == "muted" else 4)
        for x, y in points if len(points) < 2 * _MOST_LABELS else ():
            pen.panel(Box(x - 6, y - 6, 12, 12), colour, 6)


def _round_step(span: int, least: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20 and so on that divides a span into few parts, so that all figures are round."""
    step = least
    while span > step * _GRID_LINES:
        first = int(str(step)[0])
        step = step * 5 // 2 if first == 2 else step * 2
    return step


def _least_step(pen: Pen, graph: GraphView) -> int:
    """A whole unit of money, a whole percent, or one."""
    return {"minor": int(10**pen.writer.format.minor_digits), "permille": 10}.get(graph.unit, 1)


def _zero(graph: GraphView) -> tuple[int, ...]:
    """Amounts and counts are seen against zero; a return is not."""
    return () if graph.unit == "permille" else (0,)


def _figure(pen: Pen, graph: GraphView, value: int) -> str:
    if graph.unit == "minor":
        return pen.writer.money(value, short=True)
    return f"{value // 10} %" if graph.unit == "permille" else str(value)


def pattern(pen: Pen, content: PageView) -> None:
    """Fill the whole screen with a picture for testing it."""
    whole = Box(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT)
    pen.panel(whole, _PLAIN.get(content.pattern, (0, 0, 0)))
    if content.pattern == "ramp":
        for step in range(32):
            level = step * 255 // 31
            pen.panel(Box(step * 60, 0, 60, CANVAS_HEIGHT), (level, level, level))
    elif content.pattern == "grid":
        for x in range(0, CANVAS_WIDTH + 1, 120):
            pen.panel(Box(min(x, CANVAS_WIDTH - 2), 0, 2, CANVAS_HEIGHT), (255, 255, 255))
        for y in range(0, CANVAS_HEIGHT + 1, 120):
            pen.panel(Box(0, min(y, CANVAS_HEIGHT - 2), CANVAS_WIDTH, 2), (255, 255, 255))
    elif content.pattern == "touch":
        _touch_grid(pen, content)
    elif content.pattern.startswith("cross:"):
        _cross(pen, content)


def _cross(pen: Pen, content: PageView) -> None:
    """A cross to be touched exactly; a touch anywhere counts, because the panel may be far off."""
    x, y = (float(part) for part in content.pattern.removeprefix("cross:").split("."))
    for arm in (Box(x - 60, y - 2, 120, 4), Box(x - 2, y - 60, 4, 120)):
        pen.panel(arm, (255, 255, 255))
    pen.panel(Box(x - 9, y - 9, 18, 18), (255, 80, 60), 9)
    top = CANVAS_HEIGHT / 2 + (90 if y == CANVAS_HEIGHT / 2 else -30)
    pen.text(content.title, Box(300, top, _TOUCH_WIDTH - 420, 60), theme.STRONG, align="c")
    pen.hit(f"touch:{content.pattern}", Box(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT))


def _touch_grid(pen: Pen, content: PageView) -> None:
    width, height = _TOUCH_WIDTH / _TOUCH_COLUMNS, CANVAS_HEIGHT / _TOUCH_ROWS
    for column in range(_TOUCH_COLUMNS):
        for row in range(_TOUCH_ROWS):
            name = f"{column}.{row}"
            box = Box(column * width, row * height, width, height)
            newest = bool(content.touched) and content.touched[-1] == name
            fill: Colour = (255, 210, 80) if newest else (40, 150, 80) if name in content.touched else (24, 30, 38)
            pen.panel(box.inset(2), fill, 8)
            pen.hit(f"touch:{name}", box)
