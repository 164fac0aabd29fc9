"""What the player touches and reads in every scene: buttons with prices, meters, chips to choose, the top bar."""

import math
from typing import Final

from display import metrics, theme
from display.draw_list import Box, Colour
from display.layout import frame
from display.layout.place import centred
from display.text import grouped
from display.view_model import ButtonView, Money, Text
from display.widgets.pen import Pen

_RADIUS: Final = 16
_EDGE: Final = 6
_SMALLEST_REASON: Final = 16
_SHAKE_MS: Final = 360.0
_SHAKE_PX: Final = 22.0


def button(pen: Pen, placed: frame.PlacedButton) -> None:
    """Draw an action button: label, price, the number of the physical button; and make it touchable."""
    view, box = placed.button, placed.box
    colours = theme.button_colours(view.tone, view.enabled)
    lit = view.enabled and view.attention and pen.blink()
    if lit:
        pen.glow(box.inset(4), (*pen.colours.glow[:3], 150), spread=10, radius=_RADIUS)
    pen.panel(box, colours.edge, _RADIUS)
    face = Box(box.x, box.y, box.w, box.h - _EDGE)
    rim = pen.colours.ink if lit else colours.rim
    pen.panel(face, colours.top, _RADIUS, fill_to=colours.bottom, border=rim, width=3 if lit else 2)
    pen.panel(Box(face.x + 5, face.y + 4, face.w - 10, face.h * 0.4), (255, 255, 255, 30), _RADIUS - 5)
    inside = face.inset(12, 8)
    if placed.small:
        _small_label(pen, view, inside, colours.ink)
    else:
        _label(pen, view, inside, colours.ink)
        if view.enabled:
            keycap(pen, view.slot, face.x - 6, face.y - 10)
        if view.worth is not None:
            _worth(pen, view.worth, Box(face.x + face.w - 128, face.y - 14, 120, 32), best=view.best)
    pen.hit(view.id, box, enabled=view.enabled)


def _worth(pen: Pen, worth: Text, box: Box, *, best: bool) -> None:
    """Draw what the coach says a button is worth; what nothing beats is gold."""
    fill: Colour = pen.colours.gold if best else (12, 14, 16, 235)
    ink: Colour = (40, 22, 0) if best else pen.colours.ink
    pen.panel(box, fill, 10, border=pen.colours.gold, width=2)
    pen.text(worth, box.inset(8, 2), theme.SMALL, ink, weight="bold", align="c")


def _small_label(pen: Pen, view: ButtonView, inside: Box, ink: Colour) -> None:
    pen.sprite("icon:left", centred(inside.x + 20, inside.y + inside.h / 2, 36, 36))
    pen.text(view.label, Box(inside.x + 46, inside.y, inside.w - 46, inside.h), theme.BODY, ink, weight="bold")


def _label(pen: Pen, view: ButtonView, inside: Box, ink: Colour) -> None:
    size = theme.STRONG if view.tone == "primary" else theme.BODY
    below: Text | str = ""
    if view.price_minor:
        below = pen.writer.money(view.price_minor, short=True)
    elif (
        not view.enabled and view.tone == "primary" and view.reason is not None and _readable(pen, view.reason, inside)
    ):
        below = view.reason
    if not below:
        pen.paragraph(view.label, inside, size, ink, weight="bold", align="c", valign="m", upper=True)
        return
    split = inside.h * (0.62 if view.price_minor else 0.5)
    label_box = Box(inside.x, inside.y, inside.w, split)
    below_box = Box(inside.x, inside.y + split, inside.w, inside.h - split)
    pen.paragraph(view.label, label_box, size, ink, weight="bold", align="c", valign="m", upper=True)
    if view.price_minor:
        pen.panel(below_box, (0, 0, 0, 70), 10)
        pen.text(below, below_box.inset(6, 2), theme.BODY, ink, weight="bold", align="c")
    else:
        pen.paragraph(below, below_box, theme.TINY, ink, align="c", valign="m")


def _readable(pen: Pen, reason: Text, inside: Box) -> bool:
    """Tell whether a reason fits on a button in letters that can be read; a touch says it in any case."""
    size, _ = metrics.fit_lines(pen.say(reason), inside.w * 0.97, inside.h * 0.5, theme.TINY)
    return size >= _SMALLEST_REASON


def keycap(pen: Pen, slot: int, x: float, y: float) -> None:
    """Draw the number of a physical button as a small key with its corner at a point; nothing for 0."""
    if slot:
        box = Box(x, y, 30, 28)
        pen.panel(box, (12, 14, 16, 235), 7, border=(*pen.colours.gold[:3], 190), width=1.5)
        pen.text(str(slot), box, theme.TINY, pen.colours.gold, weight="bold", align="c")


def buttons(pen: Pen) -> None:
    """Draw all buttons of the view."""
    for placed in frame.buttons(pen.view):
        button(pen, placed)


def meters(pen: Pen) -> None:
    """Draw credit, bet and win. Credit and bet are the ledger's; only the win may count up to the ledger's value."""
    view = pen.view
    places = frame.meters(view.comfort.left_handed)
    win = pen.motion.win.value(pen.now_ms)
    if pen.now_ms < pen.motion.win.end_ms:
        pen.moves()
        if view.table is not None and view.table.banner_tone == "big_win":
            # The amount counts up on the ribbon; two counters would compete.
            win = pen.motion.win.start_minor
    _meter(pen, "credit", places["credit"], Text("meter", "Credit"), view.credit_minor, pen.colours.ink)
    _meter(pen, "bet", places["bet"], Text("meter", "Bet"), view.bet_minor, pen.colours.ink)
    if win:
        pen.glow(places["win"].inset(6), (*pen.colours.glow[:3], 90), spread=8, radius=14)
    _meter(pen, "win", places["win"], Text("meter", "Win"), win, pen.colours.win if win else pen.colours.muted)


def _meter(pen: Pen, name: str, box: Box, label: Text, minor: int, colour: Colour) -> None:
    """Draw a meter: money, or credits and what does not make a whole one; a touch changes between them where the house allows."""
    comfort = pen.view.comfort
    unit: Text | str = pen.view.money.symbol
    number, rest = pen.writer.amount(minor) if pen.view.is_money_known else "–", 0
    if pen.view.is_money_known and comfort.in_credits and comfort.credit_value_minor:
        whole, rest = divmod(minor, comfort.credit_value_minor)
        unit, number = Text("meter", "credits"), grouped(whole)
    pen.panel(box, (10, 14, 14), 14, fill_to=pen.colours.glass, border=pen.colours.panel_rim, width=2)
    room = min(max(pen.text_width(unit, theme.SMALL), 42.0), box.w * 0.4)
    place = Box(box.x + 18, box.y + 10, box.w - 28 - room, 28)
    pen.text(label, place, theme.SMALL, pen.colours.gold, weight="bold", upper=True)
    place = Box(box.x + box.w - 18 - room, box.y + 10, room, 28)
    pen.text(unit, place, theme.SMALL, pen.colours.muted, align="r")
    value = Box(box.x + 14, box.y + 46, box.w - 28, box.h - 58)
    if rest:
        aside = Box(value.x + 4, value.y + value.h - 34, value.w * 0.44, 30)
        pen.text("+\u00a0" + pen.writer.money(rest), aside, theme.SMALL, pen.colours.muted)
        value = Box(value.x + value.w * 0.46, value.y, value.w * 0.54, value.h)
    pen.text(number, value, theme.METER, colour, weight="bold", align="r")
    if comfort.credit_value_minor:
        pen.hit(f"meter:{name}", box)


def bottom_bar(pen: Pen) -> None:
    """Draw the rail that carries meters and buttons."""
    bar = frame.BOTTOM_BAR
    pen.panel(Box(bar.x, bar.y - 14, bar.w, 14), (0, 0, 0, 0), fill_to=(0, 0, 0, 110))
    if pen.view.comfort.high_contrast:
        pen.panel(bar, pen.colours.bar_top, fill_to=pen.colours.bar_bottom)


def top_bar(pen: Pen, title: "Text | str", detail: "tuple[Text | str, ...]" = (), mark: "Text | None" = None) -> None:
    """Draw the bar with title, up to two lines of detail or a mark, the watermark, language, help, sound and clock."""
    bar = frame.TOP_BAR
    pen.panel(bar, (18, 12, 9), fill_to=(8, 6, 5))
    pen.panel(Box(bar.x, bar.y + bar.h - 2, bar.w, 2), (*pen.colours.gold[:3], 160))
    left = _title_x(pen)
    pen.text(title, Box(left, 0, 400, bar.h), theme.TITLE - 4, pen.colours.gold, weight="bold", upper=True)
    if mark is not None:
        place = Box(left + 402, 14, 936 - left - 402, 48)
        pill(pen, place, mark, theme.SMALL, pen.colours.warning, rim=pen.colours.warning)
        detail = ()
    for number, line in enumerate(detail):
        place = detail_place(pen, number, len(detail))
        pen.text(line, place, theme.SMALL - 1, pen.colours.muted)
    _watermark(pen)
    _keys(pen)


def detail_place(pen: Pen, number: int, count: int) -> Box:
    """Return the place of one of ``count`` lines of detail in the top bar."""
    height, left = 26.0, _title_x(pen) + 412
    return Box(left, frame.TOP_BAR.h / 2 - height * count / 2 + number * height, 940 - left, height)


def _title_x(pen: Pen) -> float:
    has_lobby = any(each.id in frame.TOP_BAR_BUTTONS for each in pen.view.buttons)
    return frame.LOBBY_KEY.x + frame.LOBBY_KEY.w + 22 if has_lobby else 32.0


def _watermark(pen: Pen) -> None:
    view = pen.view
    if view.watermark is not None:
        box = Box(950, 17, 360, 42)
        pen.panel(box, (96, 62, 8, 120), 21, border=(*pen.colours.warning[:3], 200), width=2)
        pen.text(
            view.watermark, box.inset(18, 4), theme.SMALL - 2, pen.colours.warning, weight="bold", align="c", upper=True
        )
    if view.venue or view.terminal_id:
        words = " · ".join(part for part in (view.venue, view.terminal_id) if part)
        pen.text(words, Box(1322, 0, 176, frame.TOP_BAR.h), theme.TINY, pen.colours.muted, align="r")


def _keys(pen: Pen) -> None:
    view = pen.view
    for target, box in frame.top_keys().items():
        pen.panel(box.inset(2, 6), (255, 255, 255, 18), 12, border=(255, 255, 255, 46), width=1.5)
        middle = box.y + box.h / 2
        if target == "lang":
            pen.text(view.language, box.inset(4), theme.BODY, pen.colours.ink, weight="bold", align="c", upper=True)
        elif target == "help":
            pen.sprite("icon:help", centred(box.x + box.w / 2, middle, 40, 40))
        else:
            _volume(pen, box)
        button_id = next((each for each, key in frame.TOP_KEYS.items() if key == target), "")
        keycap(pen, frame.slot_of(view, button_id), box.x - 12, box.y + 3)
        pen.hit(target, box)
    pen.text(pen.writer.clock(view.wall_time_ms), frame.CLOCK, theme.STRONG, pen.colours.ink, weight="bold", align="r")


def _volume(pen: Pen, box: Box) -> None:
    """The loudspeaker and four steps; crossed out when mute."""
    volume = pen.view.comfort.volume
    pen.sprite("icon:sound" if volume else "icon:mute", centred(box.x + box.w / 2, box.y + 30, 34, 34))
    for step in range(4):
        ink = pen.colours.gold if step < volume else (255, 255, 255, 60)
        pen.panel(Box(box.x + 18 + step * 11, box.y + 54, 7, 5), ink, 2)


def chip_tray(pen: Pen) -> None:
    """Draw the chips to choose from; the chosen one stands higher in a ring of light."""
    chips = pen.view.chips
    for chip, box in zip(chips, frame.chip_tray(len(chips)), strict=True):
        place = box
        if chip.selected:
            place = Box(box.x - 4, box.y - 14, box.w + 8, box.h + 8)
            pen.glow(place.inset(8), spread=12, radius=place.w / 2)
            pen.outline(place.inset(-5), pen.colours.gold, place.w / 2 + 5, 4)
        pen.sprite(f"chip:{chip.value_minor}", place, alpha=1.0 if chip.enabled else 0.38)
        pen.hit(f"chip:{chip.value_minor}", box, enabled=chip.enabled)
        if chip.selected:
            keycap(pen, frame.slot_of(pen.view, "button:chip"), place.x - 10, place.y - 4)


def toast(pen: Pen, text: "Text | str", tone: str) -> None:
    """Draw a short message under the top bar, with a sign for its tone."""
    colour = theme.tone_colour(pen.colours, tone)
    width = min(max(pen.text_width(text, theme.STRONG, "bold") + 130, 480), 1500)
    box = centred(960 + _shake(pen, tone), 128, width, 72)
    pen.panel(box, (10, 10, 10, 244), 20, border=colour, width=3)
    name = {"warning": "icon:warning", "error": "icon:warning"}.get(tone, "icon:check")
    pen.sprite(name, centred(box.x + 46, box.y + box.h / 2, 44, 44))
    pen.text(text, Box(box.x + 84, box.y, box.w - 112, box.h), theme.STRONG, colour, weight="bold", align="c")


def _shake(pen: Pen, tone: str) -> float:
    """A refusal shakes its head for a moment; without motion it only says so."""
    elapsed = pen.now_ms - pen.motion.notice_ms
    if tone == "info" or pen.view.comfort.reduced_motion or not 0 <= elapsed < _SHAKE_MS:
        return 0.0
    pen.moves()
    return _SHAKE_PX * (1 - elapsed / _SHAKE_MS) * math.sin(elapsed / _SHAKE_MS * 6 * math.pi)


def pill(
    pen: Pen,
    box: Box,
    text: "Text | Money | str",
    size: float,
    colour: Colour,
    *,
    fill: Colour | None = None,
    rim: Colour | None = None,
) -> None:
    """Draw one line in a rounded panel as high as its box and as wide as its text needs, within the box."""
    width = min(max(pen.text_width(text, size, "bold") + box.h * 0.9, box.h * 1.6), box.w)
    place = centred(box.x + box.w / 2, box.y + box.h / 2, width, box.h)
    pen.panel(place, fill or pen.colours.glass, box.h / 2, border=rim or pen.colours.panel_rim, width=2)
    pen.text(text, place.inset(box.h * 0.4, 3), size, colour, weight="bold", align="c")
