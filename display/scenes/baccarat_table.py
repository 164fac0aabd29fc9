"""What is particular to the baccarat table: the two sides' names and totals, the print, the roads."""

from typing import Final

from display import theme
from display.draw_list import CANVAS_WIDTH, Box, Colour
from display.layout import baccarat
from display.layout.place import centred
from display.view_model import HandView, SpotView, TableView, Text
from display.widgets import chips, panels, roads
from display.widgets.pen import Pen

_PLAYER: Final[Colour] = (150, 190, 255)
_BANKER: Final[Colour] = (255, 160, 150)
_PAYS: Final = Box(24, 92, 270, 330)
_NAMES: Final = {
    "player": Text("baccarat", "Player"),
    "banker": Text("baccarat", "Banker"),
    "tie": Text("baccarat", "Tie"),
}
_WINS: Final = {"Player": Text("baccarat", "Player wins"), "Banker": Text("baccarat", "Banker wins")}


def print_and_roads(pen: Pen, view: TableView) -> None:
    """Draw the print of the felt, the odds and the two roads."""
    for area in (baccarat.PLAYER_AREA, baccarat.BANKER_AREA):
        height = baccarat.CARD * 1.4
        left = area.x + (area.w - (baccarat.CARD * 2 + 14 + 20 + height)) / 2
        for index in range(2):
            pen.outline(
                Box(left + index * (baccarat.CARD + 14), area.y, baccarat.CARD, height), pen.colours.print_faint, 12, 2
            )
        third = Box(left + baccarat.CARD * 2 + 34, area.y + height - baccarat.CARD, height, baccarat.CARD)
        pen.outline(third, pen.colours.print_faint, 12, 2)
    for name, place in baccarat.bare_areas(view).items():
        chips.spot_print(pen, SpotView(name, _NAMES[name], 0), place, open_for_bets=False)
    line = CANVAS_WIDTH / 2
    pen.panel(Box(line - 1, 176, 2, 236), pen.colours.print_faint)
    panels.paytable(pen, _PAYS, view.paytable, Text("table", "Pays"))
    roads.bead_plate(pen, baccarat.BEAD_PLATE, view.roads)
    roads.shares(pen, baccarat.SHARES, view.roads)
    roads.big_road(pen, baccarat.BIG_ROAD, view.roads)
    roads.derived_roads(pen, baccarat.DERIVED_ROADS, view.roads)
    if view.banner is None and view.felt_lines:
        pen.text(
            view.felt_lines[0], baccarat.BANNER, theme.BODY, pen.colours.print, weight="bold", align="c", upper=True
        )


def totals(pen: Pen, view: TableView) -> None:
    """Draw each side's name and its points as far as its cards lie open."""
    player = view.player or HandView("", ())
    _side(pen, player, _NAMES["player"], _PLAYER, baccarat.caption_place(baccarat.PLAYER_AREA))
    _side(pen, view.dealer, _NAMES["banker"], _BANKER, baccarat.caption_place(baccarat.BANKER_AREA))
    if player.result == "push" and pen.now_ms >= pen.motion.reveal_ms:
        place = centred(CANVAS_WIDTH / 2, 123, 210, baccarat.CAPTION_HEIGHT)
        pen.glow(place.inset(6), spread=10, radius=place.h / 2)
        pen.panel(place, (14, 74, 40), place.h / 2, border=pen.colours.win, width=4)
        pen.text(_NAMES["tie"], place.inset(20, 4), theme.STRONG, weight="bold", align="c", upper=True)


def _side(pen: Pen, hand: HandView, name: Text, colour: Colour, box: Box) -> None:
    shown = bool(hand.cards) and pen.now_ms >= pen.motion.hand_ready_ms(hand)
    won = hand.result == "win" and pen.now_ms >= pen.motion.reveal_ms
    width = 460.0
    title = _WINS[name.message] if won else name
    place = centred(box.x + box.w / 2, box.y + box.h / 2, width, box.h)
    if won:
        pen.glow(place.inset(6), spread=10, radius=box.h / 2)
    pen.panel(place, pen.colours.glass, box.h / 2, border=pen.colours.win if won else colour, width=4 if won else 2)
    pen.text(
        title,
        Box(place.x + 30, place.y, place.w - (160 if won else 110), place.h),
        theme.STRONG + 2,
        colour,
        weight="bold",
        upper=True,
    )
    bubble = centred(place.x + place.w - box.h / 2 - 4, place.y + place.h / 2, box.h - 14, box.h - 14)
    if won:
        pen.sprite("icon:star", centred(place.x + place.w - box.h - 26, place.y + place.h / 2, 38, 38))
    pen.panel(bubble, colour if shown and hand.total else (255, 255, 255, 20), bubble.w / 2)
    if shown and hand.total:
        pen.text(hand.total, bubble, theme.STRONG + 4, (12, 12, 20), weight="bold", align="c")
