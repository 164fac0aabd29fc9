"""A card table: print, dealer, boxes, money, and what the player may do; the family decides about boxes and print."""

import math
from typing import Final

from display import theme
from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, Box
from display.layout import frame
from display.layout.place import TablePlaces
from display.motion import hands_of
from display.scenes import baccarat_table, large_win
from display.scenes.backdrop import felt, table_felt
from display.view_model import BoxView, TableView, Text
from display.widgets import cards, chips, controls, panels
from display.widgets.pen import Pen

_ARC_RADIUS: Final = 1500.0
_ARC_BOTTOM: Final = 410.0
_LEFT_PANEL: Final = Box(24, 92, 346, 342)
_RIGHT_PANEL: Final = Box(1550, 92, 346, 342)
_JACKPOT_HEIGHT: Final = 112
_EXCHANGE: Final = "button:exchange"


def table(pen: Pen) -> None:
    """Draw the table of the view, or only the frame if there is none."""
    view = pen.view
    if view.table is not None and pen.motion.places is not None:
        draw_table(pen, view.table, pen.motion.places)
    else:
        felt(pen, "lobby")
        pen.static_ends_here()
        controls.top_bar(pen, "")
    controls.bottom_bar(pen)
    controls.meters(pen)
    controls.buttons(pen)


def draw_table(pen: Pen, view: TableView, places: TablePlaces) -> None:
    """Draw everything above the bottom bar."""
    table_felt(pen, view)
    pen.static_ends_here()
    detail: list[Text] = []
    if view.minimum_minor or view.maximum_minor:
        limits = (
            ("minimum", pen.writer.amount(view.minimum_minor, short=True)),
            ("maximum", pen.writer.money(view.maximum_minor, short=True)),
        )
        detail.append(Text("table", "Limits {minimum} – {maximum}", limits))
    detail.append(Text("table", "Round {number}", (("number", view.round_number),)))
    if view.commitment:
        shoe = Text("table", "Shoe {digest}", (("digest", _short(view.commitment)),))
        both = Text("table", "{limits} · {round}", (("limits", detail[0]), ("round", detail[-1])))
        detail = [both if len(detail) > 1 else detail[0], shoe]
    controls.top_bar(pen, view.title, tuple(detail), _mark(view))
    if view.commitment and not view.recall:
        key = Box(controls.detail_place(pen, 1, 2).x - 12, 2, 312, 72)
        pen.panel(key.inset(0, 6), (255, 255, 255, 10), 12, border=(255, 255, 255, 46), width=1.5)
        pen.hit("fairness", key)
    is_large_win = large_win.shown(pen, view)
    pen.sprite("discard", places.discard)
    pen.sprite("shoe", places.shoe)
    if view.family == "baccarat":
        baccarat_table.print_and_roads(pen, view)
    else:
        _print(pen, view, places)
        _side_panels(pen, view, large_win.RIBBON.y - 10 if is_large_win else CANVAS_HEIGHT)
    for box in view.boxes:
        _box_print(pen, view, box, places)
    _hands(pen, view, places)
    for box in view.boxes:
        for spot in box.spots:
            place = places.spots.get((box.position, spot.line))
            if place is not None:
                chips.spot_money(pen, box.position, spot, place)
    if view.phase == "betting":
        controls.chip_tray(pen)
    _captions(pen, view, places)
    cards.leaving(pen)
    chips.travelling(pen)
    if is_large_win:
        large_win.draw(pen)
    else:
        panels.banner(pen, view, places.banner)
        panels.coach(pen, view, places.banner)
    if pen.now_ms < pen.motion.reveal_ms:
        pen.moves()


def _short(digest: str) -> str:
    """The beginning of the shoe's commitment, as it is easily noted down."""
    return " ".join(digest[index : index + 4].upper() for index in range(0, 16, 4))


def _arc_points(radius: float, bottom: float, half_width: float) -> tuple[tuple[float, float], ...]:
    centre_y = bottom - radius
    limit = math.asin(half_width / radius)
    steps = 60
    angles = [limit * (2 * step / steps - 1) for step in range(steps + 1)]
    return tuple((CANVAS_WIDTH / 2 + radius * math.sin(a), centre_y + radius * math.cos(a)) for a in angles)


def _print(pen: Pen, view: TableView, places: TablePlaces) -> None:
    """The felt's own print: card outlines for the dealer, a double arc, the table's rules along it."""
    for outline in places.outlines:
        pen.outline(outline, pen.colours.print_faint, 12, 2)
    if (view.banner is not None or view.coach) and view.phase != "betting":
        return
    lines = [pen.say(line) for line in view.felt_lines]
    if not lines:
        return
    bottom = _ARC_BOTTOM if len(lines) == 1 else _ARC_BOTTOM - 36
    for number, words in enumerate(lines[:2]):
        size = 36.0 if number == 0 else 25.0
        room = 1080.0 if number == 0 else 940.0
        upper = words.upper()
        wide = pen.text_width(upper, size, "bold") * 1.06
        size = size if wide <= room else size * room / wide
        y = bottom + number * 42
        pen.arc(upper, CANVAS_WIDTH / 2, y - _ARC_RADIUS, _ARC_RADIUS, size, pen.colours.print)


def _side_panels(pen: Pen, view: TableView, above: float) -> None:
    # A prize in money or in percent of the meter belongs to the jackpot; odds belong to the bets.
    extra = tuple(line for line in view.paytable if line.amount is not None or line.pays.endswith("%"))
    main = tuple(line for line in view.paytable if line not in extra)
    panels.paytable(pen, _LEFT_PANEL, main, Text("table", "Pays"), above)
    top = _RIGHT_PANEL.y
    if view.jackpot is not None:
        panels.jackpot(pen, Box(_RIGHT_PANEL.x, top, _RIGHT_PANEL.w, _JACKPOT_HEIGHT), view.jackpot)
        top += _JACKPOT_HEIGHT + 14
    if extra:
        box = Box(_RIGHT_PANEL.x, top, _RIGHT_PANEL.w, _RIGHT_PANEL.y + _RIGHT_PANEL.h - top)
        panels.paytable(pen, box, extra, Text("table", "Jackpot pays"), above)


def _box_print(pen: Pen, view: TableView, box: BoxView, places: TablePlaces) -> None:
    place = places.boxes.get(box.position)
    if place is None:
        return
    betting = view.phase == "betting"
    if box.state == "active" and not betting and len(places.boxes) > 1:
        pen.panel(place.area.inset(-8, -6), (0, 0, 0, 40), 26, border=pen.colours.gold, width=4)
    usable = box.state in ("open", "bet")
    for spot in box.spots:
        spot_place = places.spots.get((box.position, spot.line))
        if spot_place is None:
            continue
        chips.spot_print(pen, spot, spot_place, open_for_bets=betting and usable, strong=box.state != "closed")
        if betting:
            pen.hit(f"box:{box.position}:{spot.line}", spot_place.touch, enabled=usable)
    if view.family != "baccarat" and place.badge.w:
        _badge(pen, box, place.badge)


def _badge(pen: Pen, box: BoxView, place: Box) -> None:
    lit = box.state in ("active", "bet")
    fill = pen.colours.gold if lit else pen.colours.glass
    ink = (40, 22, 0) if lit else pen.colours.gold
    pen.panel(place, fill, place.w / 2, border=pen.colours.gold, width=2)
    pen.text(str(box.position), place, theme.BODY, ink, weight="bold", align="c")


def _hands(pen: Pen, view: TableView, places: TablePlaces) -> None:
    cards.hand(pen, view.dealer)
    if view.player is not None:
        cards.hand(pen, view.player)
    choosing = view.phase == "deciding" and any(
        button.id == _EXCHANGE or button.id.startswith(frame.MARK) for button in pen.view.buttons
    )
    for box in view.boxes:
        resting = box.state in ("waiting", "done", "blind", "folded") and view.phase == "deciding"
        for hand in box.hands:
            shaded = (resting or box.state == "folded") and not hand.active
            cards.hand(pen, hand, shaded=shaded, touchable=choosing and (hand.active or box.state == "active"))
            if hand.active and len(box.hands) > 1 and hand.key in places.hands:
                pen.outline(places.hands[hand.key].area.inset(-6), pen.colours.gold, 18, 4)


def _captions(pen: Pen, view: TableView, places: TablePlaces) -> None:
    for hand in hands_of(view):
        if hand is view.dealer or hand is view.player:
            continue
        place = places.hands.get(hand.key)
        box = next(box for box in view.boxes if hand in box.hands)
        if place is None:
            continue
        single = len(box.hands) == 1
        won = box.won_minor if single else 0
        result = box.result_text if single else None
        if _blind(pen, box, place.caption):
            continue
        panels.caption(pen, hand, place.caption, won, result)
    if view.family == "baccarat":
        baccarat_table.totals(pen, view)
    elif view.dealer.key in places.hands:
        panels.caption(pen, view.dealer, places.hands[view.dealer.key].caption, owner=Text("table", "Dealer"))


def _blind(pen: Pen, box: BoxView, place: Box) -> bool:
    """A blind box says so until its cards lie open."""
    if not box.blind or any(card.code for hand in box.hands for card in hand.cards):
        return False
    controls.pill(pen, place, Text("table", "Blind box"), theme.STRONG, pen.colours.muted)
    return True


def _mark(view: TableView) -> Text | None:
    """Recalled and demonstrated rounds are marked: they are not play."""
    if view.recall:
        return Text("table", "Past round {number} – not a game in progress", (("number", view.round_number),))
    if view.demo:
        return Text("table", "Demonstration – no money")
    return None
