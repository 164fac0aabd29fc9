"""The lobby: one tile per game with its picture, name, blurb, limits and jackpot."""

from typing import Final

from display import theme
from display.assets import GAMES
from display.draw_list import CANVAS_WIDTH, Box
from display.scenes.backdrop import felt
from display.view_model import LobbyTile, Text
from display.widgets import controls
from display.widgets.pen import Pen

_AREA: Final = Box(36, 104, CANVAS_WIDTH - 72, 808)
_GAP: Final = 20
_COLUMNS: Final = {1: 1, 2: 2, 3: 3, 4: 2}


def tile_places(count: int) -> tuple[Box, ...]:
    """Return the places of the tiles: up to three columns, rows as high as the area allows."""
    columns = _COLUMNS.get(count, 3)
    rows = max(-(-count // columns), 1)
    width = (_AREA.w - _GAP * (columns - 1)) / columns
    height = min((_AREA.h - _GAP * (rows - 1)) / rows, 400.0)
    top = _AREA.y + (_AREA.h - height * rows - _GAP * (rows - 1)) / 2
    return tuple(
        Box(_AREA.x + index % columns * (width + _GAP), top + index // columns * (height + _GAP), width, height)
        for index in range(count)
    )


def lobby(pen: Pen) -> None:
    """Draw the lobby."""
    view = pen.view
    felt(pen, "lobby")
    pen.static_ends_here()
    detail = () if view.accepts_money or view.takes_money_soon else (Text("lobby", "No notes or coins at the moment"),)
    controls.top_bar(pen, Text("lobby", "Choose a game"), detail)
    for tile, box in zip(view.lobby, tile_places(len(view.lobby)), strict=True):
        _tile(pen, tile, box)
    controls.bottom_bar(pen)
    controls.meters(pen)
    controls.buttons(pen)


def _tile(pen: Pen, tile: LobbyTile, box: Box) -> None:
    if tile.selected:
        pen.glow(box.inset(4), (*pen.colours.glow[:3], 140), spread=9, radius=22)
    pen.panel(
        box,
        (22, 28, 40, 236),
        20,
        fill_to=(8, 10, 18, 236),
        border=pen.colours.gold if tile.selected else pen.colours.panel_rim,
        width=4 if tile.selected else 2,
    )
    art_height = box.h - 32
    art = Box(box.x + 16, box.y + 16, min(art_height * 1.25, box.w * 0.44), art_height)
    name = tile.game if tile.game in GAMES else tile.family
    picture_height = art.w * 260 / 420
    pen.sprite(f"tile:{name}", Box(art.x, art.y + (art.h - picture_height) / 2, art.w, picture_height))
    left = art.x + art.w + 20
    width = box.x + box.w - left - 18
    pen.paragraph(
        tile.title, Box(left, box.y + 18, width, 74), theme.STRONG, pen.colours.gold, weight="bold", valign="m"
    )
    foot = 46 if tile.jackpot is None else 88
    pen.paragraph(tile.blurb, Box(left, box.y + 98, width, box.h - 104 - foot), theme.SMALL, pen.colours.ink)
    bottom = box.y + box.h - 16
    limits = (
        ("minimum", pen.writer.amount(tile.minimum_minor, short=True)),
        ("maximum", pen.writer.money(tile.maximum_minor, short=True)),
    )
    pen.text(
        Text("lobby", "Bets {minimum} – {maximum}", limits),
        Box(left, bottom - 30, width, 28),
        theme.SMALL,
        pen.colours.muted,
        weight="bold",
    )
    if tile.jackpot is not None:
        plate = Box(left, bottom - 80, width, 42)
        pen.panel(plate, (86, 20, 22), 12, border=pen.colours.gold, width=2)
        words = Text("lobby", "Jackpot {amount}", (("amount", tile.jackpot),))
        pen.text(words, plate.inset(12, 2), theme.BODY, pen.colours.win, weight="bold", align="c")
    pen.hit(f"lobby:{tile.game}", box)
