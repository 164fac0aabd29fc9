"""Baccarat's roads, drawn from past results: the bead plate (every result), the big road (runs of the same side), and the
three that are derived from the big road (big eye boy, small road, cockroach road), which say how regular it is.

Regular is red and whole, irregular blue and open, so that colour is not needed. Not responsible for places.
"""

from collections.abc import Sequence
from typing import Final

from display import theme
from display.draw_list import Box, Colour
from display.layout.place import centred
from display.view_model import Text
from display.widgets.pen import Pen

ROWS: Final = 6
_BANKER: Final[Colour] = (206, 54, 58)
_PLAYER: Final[Colour] = (52, 112, 206)
_TIE: Final[Colour] = (30, 116, 62)
_COLOURS: Final = {"B": _BANKER, "P": _PLAYER, "T": _TIE}


def big_road_cells(results: tuple[str, ...]) -> list[tuple[int, int, str, int]]:
    """Return (column, row, side, ties on it) of the big road, oldest first.

    A run goes down its column and turns right at the bottom or at an occupied cell; ties are counted on the last cell.
    """
    sides = [result for result in results if result in ("B", "P")]
    ties = _ties_after(results)
    return [(column, row, side, ties[number]) for number, (column, row, side) in enumerate(_laid(sides))]


def _ties_after(results: tuple[str, ...]) -> list[int]:
    """Return how many ties followed each result that was none; ties before the first are nowhere."""
    ties: list[int] = []
    for result in results:
        if result == "T" and ties:
            ties[-1] += 1
        elif result in ("B", "P"):
            ties.append(0)
    return ties


def _laid(marks: Sequence[str]) -> list[tuple[int, int, str]]:
    """Lay marks out: a run goes down its column and turns right at the bottom or at an occupied cell."""
    cells: list[tuple[int, int, str]] = []
    taken: set[tuple[int, int]] = set()
    start = -1
    column, row = 0, 0
    last = ""
    for mark in marks:
        if mark != last:
            start += 1
            while (start, 0) in taken:
                start += 1
            column, row = start, 0
        elif row + 1 < ROWS and row >= 0 and (column, row + 1) not in taken:
            row += 1
        else:
            column += 1
        taken.add((column, row))
        cells.append((column, row, mark))
        last = mark
    return cells


def derived_marks(results: tuple[str, ...], back: int) -> list[str]:
    """Return the marks of a derived road, ``R`` or ``B``: 1 column back is big eye boy, 2 small road, 3 cockroach road.

    The first result of a run asks whether the run before is as long as the one ``back`` before that; a later one asks whether
    the run ``back`` ago has a result at this depth, or ended more than one before it: red when so. Roads begin with the second result of run
    ``back + 1``, or the first of the next.
    """
    runs: list[int] = []
    last = ""
    marks: list[str] = []
    for result in results:
        if result not in ("B", "P"):
            continue
        if result == last:
            runs[-1] += 1
        else:
            runs.append(1)
        last = result
        run, depth = len(runs) - 1, runs[-1]
        if depth == 1:
            if run >= back + 1:
                marks.append("R" if runs[run - 1] == runs[run - 1 - back] else "B")
        elif run >= back:
            marks.append("B" if runs[run - back] == depth - 1 else "R")
    return marks


def _grid(pen: Pen, area: Box, cell: float, columns: int) -> None:
    pen.panel(area, (248, 244, 232, 236), 6)
    line: Colour = (180, 172, 150)
    for column in range(1, columns):
        x = area.x + column * cell
        pen.panel(Box(x - 0.5, area.y, 1, area.h), line)
    for row in range(1, ROWS):
        y = area.y + row * cell
        pen.panel(Box(area.x, y - 0.5, area.w, 1), line)


def _panel(pen: Pen, box: Box, title: Text) -> tuple[Box, float, int]:
    pen.card_panel(box)
    pen.text(
        title, Box(box.x + 18, box.y + 6, box.w - 36, 34), theme.SMALL - 1, pen.colours.gold, weight="bold", upper=True
    )
    cell = (box.w - 20) / 12
    return Box(box.x + 10, box.y + 44, cell * 12, cell * ROWS), cell, 12


def bead_plate(pen: Pen, box: Box, results: tuple[str, ...]) -> None:
    """Draw the last 72 results, column by column; the letter says the side, so that colour is not needed."""
    area, cell, columns = _panel(pen, box, Text("road", "Bead plate"))
    _grid(pen, area, cell, columns)
    room = ROWS * columns
    shown = tuple(result for result in results if result in _COLOURS)
    while len(shown) > room:
        shown = shown[ROWS:]
    letters = {"B": Text("road", "B"), "P": Text("road", "P"), "T": Text("road", "T")}
    for number, result in enumerate(shown):
        column, row = divmod(number, ROWS)
        bead = Box(area.x + column * cell, area.y + row * cell, cell, cell).inset(3)
        pen.panel(bead, _COLOURS[result], bead.w / 2)
        pen.text(letters[result], bead, theme.SMALL, (255, 255, 255), weight="bold", align="c")


def _counts(pen: Pen, box: Box, results: tuple[str, ...]) -> None:
    top = box.y + box.h - 44
    parts = (
        ("P", Text("road", "Player {number}", (("number", results.count("P")),))),
        ("T", Text("road", "Tie {number}", (("number", results.count("T")),))),
        ("B", Text("road", "Banker {number}", (("number", results.count("B")),))),
    )
    width = (box.w - 24) / 3
    for number, (side, words) in enumerate(parts):
        x = box.x + 12 + number * width
        pen.panel(centred(x + 12, top + 15, 16, 16), _COLOURS[side], 8, border=(255, 255, 255), width=1.5)
        pen.text(words, Box(x + 28, top, width - 32, 30), theme.SMALL - 2, pen.colours.ink)


def big_road(pen: Pen, box: Box, results: tuple[str, ...]) -> None:
    """Draw the big road: rings, a banker's ring filled, a stroke and number for ties."""
    area, cell, columns = _panel(pen, box, Text("road", "Big road"))
    _grid(pen, area, cell, columns)
    cells = big_road_cells(results)
    first = max((column for column, *_ in cells), default=0) - columns + 1
    shift = max(first, 0)
    for column, row, side, ties in cells:
        if column < shift:
            continue
        ring = Box(area.x + (column - shift) * cell, area.y + row * cell, cell, cell).inset(4)
        fill: Colour = (*_BANKER[:3], 60) if side == "B" else (255, 255, 255, 0)
        pen.panel(ring, fill, ring.w / 2, border=_COLOURS[side], width=5)
        if ties:
            pen.text(str(ties), ring, theme.TINY, (20, 92, 48), weight="bold", align="c")


DERIVED: Final = (
    ("eye", 1, Text("road", "Big eye boy")),
    ("small", 2, Text("road", "Small road")),
    ("cockroach", 3, Text("road", "Cockroach")),
)
_DERIVED_COLUMNS: Final = 12


def derived_roads(pen: Pen, box: Box, results: tuple[str, ...]) -> None:
    """Draw the three derived roads side by side."""
    pen.card_panel(box)
    width = (box.w - 20 - 2 * 10) / len(DERIVED)
    for number, (kind, back, title) in enumerate(DERIVED):
        left = box.x + 10 + number * (width + 10)
        pen.text(title, Box(left + 2, box.y + 5, width - 4, 24), theme.TINY, pen.colours.gold, weight="bold")
        cell = width / _DERIVED_COLUMNS
        area = Box(left, box.y + 30, width, cell * ROWS)
        pen.panel(area, (248, 244, 232, 236), 4)
        cells = _laid(derived_marks(results, back))
        shift = max(max((column for column, *_ in cells), default=0) - _DERIVED_COLUMNS + 1, 0)
        for column, row, mark in cells:
            if column >= shift:
                place = Box(area.x + (column - shift) * cell, area.y + row * cell, cell, cell).inset(1.5)
                _derived_mark(pen, kind, mark, place)


def _derived_mark(pen: Pen, kind: str, mark: str, place: Box) -> None:
    regular = mark == "R"
    colour = _BANKER if regular else _PLAYER
    if kind == "cockroach":
        low, high = place.y + place.h, place.y
        start, end = (low, high) if regular else (high, low)
        pen.stroke(((place.x + 1, start), (place.x + place.w - 1, end)), colour, 3)
    elif kind == "small":
        pen.panel(place, colour, place.w / 2)
        if not regular:
            pen.panel(place.inset(place.w * 0.3), (248, 244, 232), place.w / 2)
    else:
        pen.panel(place, (0, 0, 0, 0), place.w / 2, border=colour, width=4 if regular else 2)


def shares(pen: Pen, box: Box, results: tuple[str, ...]) -> None:
    """Draw how often each side won in the shoe: a bar in three parts, with numbers."""
    pen.card_panel(box)
    total = len([result for result in results if result in _COLOURS])
    bar = Box(box.x + 14, box.y + 18, box.w - 28, 40)
    pen.panel(bar, (255, 255, 255, 26), 6)
    left = bar.x
    for side in "PTB":
        width = bar.w * results.count(side) / total if total else 0.0
        if width:
            pen.panel(Box(left, bar.y, width, bar.h), _COLOURS[side])
        left += width
    _counts(pen, box, results)
