"""Baccarat's roads: the bead plate (every result) and the big road (runs of the same side), drawn from past results."""

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
    cells: list[tuple[int, int, str, int]] = []
    taken: set[tuple[int, int]] = set()
    start = -1
    column, row = 0, 0
    last = ""
    for result in results:
        if result not in _COLOURS:
            continue
        if result == "T":
            if cells:
                column_, row_, side, ties = cells[-1]
                cells[-1] = (column_, row_, side, ties + 1)
            continue
        if result != last:
            start += 1
            while (start, 0) in taken:
                start += 1
            column, row = start, 0
        elif row + 1 < ROWS and (column, row + 1) not in taken:
            row += 1
        else:
            column += 1
        taken.add((column, row))
        cells.append((column, row, result, 0))
        last = result
    return cells


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
    _counts(pen, box, results)


def _counts(pen: Pen, box: Box, results: tuple[str, ...]) -> None:
    top = box.y + box.h - 38
    parts = (
        ("P", Text("road", "Player {number}", (("number", results.count("P")),))),
        ("B", Text("road", "Banker {number}", (("number", results.count("B")),))),
        ("T", Text("road", "Tie {number}", (("number", results.count("T")),))),
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
