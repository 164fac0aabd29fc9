"""What lies behind a scene: the felt of a game, a plain dark cloth for pages, and for high contrast a flat colour."""

from typing import Final

from display.assets import GAMES
from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, Box
from display.view_model import TableView
from display.widgets.pen import Pen

WHOLE: Final = Box(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT)


def felt(pen: Pen, name: str) -> None:
    """Draw a background by name (``lobby``, ``page``, a game or a family)."""
    if pen.view.comfort.high_contrast:
        pen.panel(WHOLE, (0, 34, 20) if name not in ("page", "lobby") else (0, 0, 0))
    else:
        pen.sprite(f"felt:{name}", WHOLE)


def table_felt(pen: Pen, table: TableView) -> None:
    """Draw the felt of a game, or that of its family."""
    felt(pen, table.game if table.game in GAMES else table.family)
