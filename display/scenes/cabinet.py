"""The front of the simulated cabinet beside the screen: slots, buttons with lamps, doors, keys, cash, and the plug.

It shows what each device is doing; a touch is a hand on the cabinet. Not responsible for what the touch then does.
"""

from typing import Final

from display import theme
from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, Box, Colour, DrawList
from display.layout.place import centred
from display.motion import still
from display.view_model import CabinetButton, CabinetView, MoneyFormat, Text, View
from display.widgets.pen import Pen

PANEL_WIDTH: Final = 520
PANEL_HEIGHT: Final = 1080

_HEAD: Final = Box(12, 8, 496, 56)
_NOTES: Final = Box(12, 70, 496, 182)
_COINS: Final = Box(12, 258, 496, 182)
_BUTTONS: Final = Box(12, 446, 496, 284)
_LOCKS: Final = Box(12, 736, 496, 96)
_STORES: Final = Box(12, 838, 496, 140)
_PLUG: Final = Box(12, 986, 496, 84)

_DOORS: Final = {
    "main": Text("cabinet", "Main door"),
    "cash_box": Text("cabinet", "Cash box door"),
    "logic": Text("cabinet", "Logic door"),
    "stacker": Text("cabinet", "Note box"),
}
_KEYS: Final = {"attendant": Text("cabinet", "Attendant key"), "operator": Text("cabinet", "Operator key")}
_STATES: Final = {
    "disabled": Text("cabinet", "disabled"),
    "ready": Text("cabinet", "ready"),
    "accepting": Text("cabinet", "taking it in"),
    "escrow": Text("cabinet", "holding it"),
    "stacking": Text("cabinet", "stacking"),
    "returning": Text("cabinet", "giving it back"),
    "paying": Text("cabinet", "paying"),
    "empty": Text("cabinet", "empty"),
    "jammed": Text("cabinet", "jammed"),
}
_STATE_INKS: Final[dict[str, Colour]] = {
    "disabled": (150, 150, 150),
    "ready": (110, 224, 130),
    "jammed": (255, 120, 104),
    "empty": (255, 196, 84),
}
_BUSY: Final[Colour] = (120, 190, 255)
_NOTE_INKS: Final[tuple[Colour, ...]] = (
    (118, 138, 128),
    (196, 110, 96),
    (86, 124, 178),
    (206, 140, 62),
    (98, 156, 92),
    (190, 162, 62),
    (142, 104, 168),
)
_COPPER: Final[Colour] = (206, 134, 84)
_SILVER: Final[Colour] = (206, 210, 214)
_BRASS: Final[Colour] = (228, 190, 92)
_TOWER: Final[dict[str, Colour]] = {
    "white": (246, 244, 232),
    "red": (244, 64, 56),
    "green": (84, 214, 110),
    "amber": (255, 178, 48),
    "yellow": (255, 214, 64),
    "blue": (88, 150, 255),
}
_LABEL_INK: Final[Colour] = (236, 228, 208)
_DIM: Final[Colour] = (172, 166, 154)


def compose_cabinet(cabinet: CabinetView, language: str, money: MoneyFormat, now_ms: float) -> DrawList:
    """Return the frame of the cabinet's panel, in its own logical area of 520 x 1080."""
    view = View(mode="starting", language=language, wall_time_ms=0, money=money)
    pen = Pen(view, still(view), now_ms)
    pen.panel(Box(0, 0, PANEL_WIDTH, PANEL_HEIGHT), (66, 60, 58), fill_to=(22, 20, 20))
    for x in (0.0, PANEL_WIDTH - 6.0):
        pen.panel(Box(x, 0, 6, PANEL_HEIGHT), (196, 158, 84), fill_to=(104, 76, 30))
    pen.static_ends_here()
    _head(pen, cabinet)
    _notes(pen, cabinet)
    _coins(pen, cabinet)
    _buttons(pen, cabinet)
    _locks(pen, cabinet)
    _stores(pen, cabinet)
    _plug(pen, cabinet)
    return pen.frame()


def compose_dark(language: str, now_ms: float) -> DrawList:
    """Return what the screen shows while the cabinet has no power."""
    view = View(mode="starting", language=language, wall_time_ms=0)
    pen = Pen(view, still(view), now_ms)
    pen.panel(Box(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT), (4, 4, 5))
    words = Text("cabinet", "No power")
    pen.text(words, Box(0, 480, CANVAS_WIDTH, 80), theme.HEADLINE, (132, 128, 122), align="c")
    return pen.frame()


def _plate(pen: Pen, box: Box) -> None:
    pen.panel(box, (42, 38, 38), 14, fill_to=(26, 24, 24), border=(0, 0, 0, 160), width=2)
    pen.panel(Box(box.x + 8, box.y + 2, box.w - 16, 1.5), (255, 255, 255, 40))


def _head(pen: Pen, cabinet: CabinetView) -> None:
    pen.text(
        Text("cabinet", "Cabinet"),
        Box(_HEAD.x + 8, _HEAD.y, 220, _HEAD.h),
        theme.BODY,
        (240, 207, 122),
        weight="bold",
        upper=True,
    )
    x = _HEAD.x + _HEAD.w - 8
    for colour, lamp in reversed(cabinet.tower):
        x -= 78
        _lens(pen, Box(x, _HEAD.y + 6, 70, 44), _TOWER.get(colour, _SILVER), _lit(pen, cabinet, lamp))
    label = Box(_HEAD.x + 230, _HEAD.y, x - _HEAD.x - 240, _HEAD.h)
    pen.text(Text("cabinet", "Tower light"), label, theme.TINY, _DIM, align="r")


def _lit(pen: Pen, cabinet: CabinetView, lamp: str) -> bool:
    if not cabinet.powered or lamp == "off":
        return False
    return lamp == "on" or pen.blink()


def _lens(pen: Pen, box: Box, colour: Colour, lit: bool) -> None:
    if lit:
        pen.glow(box.inset(4), (*colour[:3], 210), spread=10, radius=box.h / 2)
        pen.panel(box, (255, 255, 255), 12, fill_to=colour, border=(255, 255, 255), width=2)
    else:
        dark = (colour[0] // 4, colour[1] // 4, colour[2] // 4)
        pen.panel(box, dark, 12, fill_to=(12, 12, 12), border=(*colour[:3], 110), width=2)


def _device_head(pen: Pen, cabinet: CabinetView, box: Box, sprite: str, name: Text, state: str, device: str) -> None:
    """Draw a device's slot, name, state with its lamp, and the key that jams or frees it."""
    _plate(pen, box)
    pen.sprite(sprite, Box(box.x + 12, box.y + 8, 130, 78))
    text_x = box.x + 156
    pen.text(name, Box(text_x, box.y + 10, 236, 34), theme.SMALL, _LABEL_INK, weight="bold")
    ink = _STATE_INKS.get(state, _BUSY) if cabinet.powered else _STATE_INKS["disabled"]
    pen.panel(centred(text_x + 9, box.y + 64, 18, 18), ink, 9, border=(0, 0, 0, 120), width=2)
    pen.text(_STATES.get(state, state), Box(text_x + 28, box.y + 48, 210, 32), theme.SMALL, ink, weight="bold")
    jammed = state == "jammed"
    key = Box(box.x + box.w - 96, box.y + 9, 86, 74)
    _key(pen, key, Text("cabinet", "Free") if jammed else Text("cabinet", "Jam"), f"cabinet:jam:{device}", lit=jammed)


def _key(pen: Pen, box: Box, label: "Text | str", target: str, *, lit: bool = False) -> None:
    if lit:
        pen.panel(box, (206, 92, 70), 10, fill_to=(132, 40, 32), border=(255, 190, 170), width=2)
    else:
        pen.panel(box, (74, 70, 70), 10, fill_to=(48, 45, 45), border=(128, 122, 118), width=2)
    pen.paragraph(
        label, box.inset(3, 5), theme.TINY, (255, 255, 255) if lit else _LABEL_INK, weight="bold", align="c", valign="m"
    )
    pen.hit(target, box)


def _row(box: Box, count: int, top: float, height: float, gap: float) -> list[Box]:
    width = min((box.w - 20 - gap * (count - 1)) / max(count, 1), 118)
    left = box.x + (box.w - width * count - gap * (count - 1)) / 2
    return [Box(left + index * (width + gap), top, width, height) for index in range(count)]


def _notes(pen: Pen, cabinet: CabinetView) -> None:
    name = Text("cabinet", "Note acceptor")
    _device_head(pen, cabinet, _NOTES, "cabinet:note_slot", name, cabinet.note_state, "notes")
    places = _row(_NOTES, len(cabinet.notes_minor), _NOTES.y + 98, 76, 6)
    for number, (minor, box) in enumerate(zip(cabinet.notes_minor, places, strict=True)):
        ink = _NOTE_INKS[number % len(_NOTE_INKS)]
        note = box.inset(2, 10)
        pen.panel(note, (244, 238, 220), 6, fill_to=ink, border=(255, 255, 255, 180), width=1.5)
        pen.panel(
            centred(note.x + note.w / 2, note.y + note.h / 2, min(note.w * 0.72, 70), note.h - 12),
            (255, 252, 240, 220),
            20,
        )
        words = pen.writer.amount(minor, short=True)
        pen.text(words, note.inset(6, 6), theme.BODY, (34, 30, 26), weight="bold", align="c")
        pen.hit(f"cabinet:note:{minor}", box)


def _coin_ink(cabinet: CabinetView, minor: int) -> Colour:
    ordered = sorted(cabinet.coins_minor)
    place = ordered.index(minor) / max(len(ordered), 1)
    return _COPPER if place < 0.34 else _BRASS if place < 0.67 else _SILVER


def _coins(pen: Pen, cabinet: CabinetView) -> None:
    name = Text("cabinet", "Coin acceptor")
    _device_head(pen, cabinet, _COINS, "cabinet:coin_slot", name, cabinet.coin_state, "coins")
    places = _row(_COINS, len(cabinet.coins_minor), _COINS.y + 98, 76, 6)
    for minor, box in zip(cabinet.coins_minor, places, strict=True):
        ink = _coin_ink(cabinet, minor)
        size = min(box.w, box.h) - 4
        coin = centred(box.x + box.w / 2, box.y + box.h / 2, size, size)
        edge = (ink[0] // 2, ink[1] // 2, ink[2] // 2)
        pen.panel(coin, (255, 252, 236), size / 2, fill_to=ink, border=edge, width=3)
        pen.outline(coin.inset(7), (*edge, 130), size / 2 - 7, 2)
        words = pen.writer.amount(minor, short=True)
        pen.text(words, coin.inset(11), theme.SMALL, (44, 34, 22), weight="bold", align="c")
        pen.hit(f"cabinet:coin:{minor}", box)


def _buttons(pen: Pen, cabinet: CabinetView) -> None:
    _plate(pen, _BUTTONS)
    for number, button in enumerate(cabinet.buttons[:12]):
        column, row = number % 4, number // 4
        box = Box(_BUTTONS.x + 10 + column * 120, _BUTTONS.y + 10 + row * 90, 116, 84)
        _physical(pen, cabinet, button, box)


def _physical(pen: Pen, cabinet: CabinetView, button: CabinetButton, box: Box) -> None:
    lit = _lit(pen, cabinet, button.lamp)
    if lit:
        pen.glow(box.inset(8), (255, 200, 90, 170), spread=8, radius=16)
        pen.panel(box, (255, 238, 180), 16, fill_to=(230, 160, 44), border=(255, 250, 226), width=3)
    else:
        pen.panel(box, (104, 96, 88), 16, fill_to=(62, 56, 52), border=(20, 18, 18), width=3)
    ink: Colour = (46, 26, 2) if lit else (240, 234, 220)
    if button.slot:
        pen.text(str(button.slot), Box(box.x + 8, box.y + 5, 30, 22), theme.TINY - 1, ink, weight="bold")
    if button.label is not None and cabinet.powered:
        area = Box(box.x + 7, box.y + 24, box.w - 14, box.h - 30)
        pen.paragraph(button.label, area, theme.SMALL - 2, ink, weight="bold", align="c", valign="m")
    pen.hit(f"cabinet:press:{button.id}", box)


def _locks(pen: Pen, cabinet: CabinetView) -> None:
    _plate(pen, _LOCKS)
    entries = [(f"cabinet:door:{name}", _DOORS.get(name, name), is_open, False) for name, is_open in cabinet.doors]
    entries += [(f"cabinet:key:{name}", _KEYS.get(name, name), is_on, True) for name, is_on in cabinet.keys]
    for (target, label, is_set, is_key), box in zip(
        entries, _row(_LOCKS, len(entries), _LOCKS.y + 8, 80, 6), strict=True
    ):
        pen.panel(
            box,
            (118, 44, 38) if is_set else (56, 52, 52),
            10,
            fill_to=(70, 24, 22) if is_set else (38, 35, 35),
            border=(255, 170, 150) if is_set else (104, 98, 94),
            width=2,
        )
        kind = "key" if is_key else "door"
        state = ("on" if is_set else "off") if is_key else ("open" if is_set else "closed")
        pen.sprite(f"cabinet:{kind}:{state}", centred(box.x + box.w / 2, box.y + 22, 56, 33.6))
        pen.paragraph(
            label, Box(box.x + 3, box.y + 40, box.w - 6, 38), 16, _LABEL_INK, weight="bold", align="c", valign="m"
        )
        pen.hit(target, box)


def _stores(pen: Pen, cabinet: CabinetView) -> None:
    hopper, cash_box, tray = (Box(_STORES.x + index * 168, _STORES.y, 160, _STORES.h) for index in range(3))
    _hopper(pen, cabinet, hopper)
    _plate(pen, cash_box)
    pen.text(
        Text("cabinet", "Cash box"),
        Box(cash_box.x + 8, cash_box.y + 6, cash_box.w - 16, 26),
        theme.TINY,
        _LABEL_INK,
        weight="bold",
        align="c",
    )
    pen.sprite("cabinet:cash_box", centred(cash_box.x + cash_box.w / 2, cash_box.y + 58, 76, 45.6))
    pen.text(
        pen.writer.money(cabinet.cash_box_minor, short=True),
        Box(cash_box.x + 6, cash_box.y + 82, cash_box.w - 12, 28),
        theme.SMALL - 1,
        (255, 226, 140),
        weight="bold",
        align="c",
    )
    notes = Text("cabinet", "{count} note", plural="{count} notes", count=cabinet.cash_box_note_count)
    pen.text(notes, Box(cash_box.x + 6, cash_box.y + 109, cash_box.w - 12, 24), theme.TINY, _DIM, align="c")
    _plate(pen, tray)
    pen.text(
        Text("cabinet", "Coin tray"),
        Box(tray.x + 8, tray.y + 6, tray.w - 16, 26),
        theme.TINY,
        _LABEL_INK,
        weight="bold",
        align="c",
    )
    pen.sprite("cabinet:tray", centred(tray.x + tray.w / 2, tray.y + 60, 100, 60))
    lies = cabinet.tray_minor > 0
    if lies:
        _scatter(pen, tray, cabinet.tray_minor)
        pen.outline(tray, (255, 214, 96), 14, 3)
    pen.text(
        pen.writer.money(cabinet.tray_minor, short=True),
        Box(tray.x + 6, tray.y + 94, tray.w - 12, 36),
        theme.BODY,
        (255, 226, 140) if lies else _DIM,
        weight="bold",
        align="c",
    )
    pen.hit("cabinet:tray", tray, enabled=lies)


def _scatter(pen: Pen, tray: Box, minor: int) -> None:
    """Coins lying in the tray, more of them the more it is."""
    count = min(3 + len(str(minor)) * 2, 12)
    for number in range(count):
        x = tray.x + 42 + (number * 41) % 76
        y = tray.y + 52 + (number * 17) % 22
        pen.panel(centred(x, y, 20, 12), (255, 236, 170), 6, fill_to=_BRASS, border=(110, 76, 20), width=1.5)


def _hopper(pen: Pen, cabinet: CabinetView, box: Box) -> None:
    _plate(pen, box)
    ink = _STATE_INKS.get(cabinet.hopper_state, _BUSY) if cabinet.powered else _STATE_INKS["disabled"]
    pen.panel(centred(box.x + 18, box.y + 20, 14, 14), ink, 7)
    pen.text(Text("cabinet", "Hopper"), Box(box.x + 32, box.y + 6, 76, 28), theme.TINY, _LABEL_INK, weight="bold")
    pen.text(
        pen.writer.money(cabinet.hopper_coin_minor, short=True),
        Box(box.x + 106, box.y + 6, 48, 28),
        16,
        _DIM,
        align="r",
    )
    pen.text(
        _STATES.get(cabinet.hopper_state, cabinet.hopper_state),
        Box(box.x + 12, box.y + 34, 66, 24),
        16,
        ink,
        weight="bold",
    )
    coins = Text("cabinet", "{count} coin", plural="{count} coins", count=cabinet.hopper_coin_count)
    pen.text(coins, Box(box.x + 74, box.y + 34, 80, 24), 16, _LABEL_INK, align="r")
    jammed = cabinet.hopper_state == "jammed"
    _key(
        pen,
        Box(box.x + 5, box.y + 62, 73, 73),
        Text("cabinet", "Free") if jammed else Text("cabinet", "Jam"),
        "cabinet:jam:hopper",
        lit=jammed,
    )
    _key(pen, Box(box.x + 82, box.y + 62, 73, 73), Text("cabinet", "Refill"), "cabinet:refill")


def _plug(pen: Pen, cabinet: CabinetView) -> None:
    on = cabinet.powered
    pen.panel(
        _PLUG,
        (186, 44, 40) if on else (44, 150, 84),
        18,
        fill_to=(112, 18, 18) if on else (18, 88, 46),
        border=(255, 214, 200) if on else (190, 255, 210),
        width=3,
    )
    pen.sprite("cabinet:plug", Box(_PLUG.x + 26, _PLUG.y + 12, 100, 60))
    words = Text("cabinet", "Pull the plug") if on else Text("cabinet", "Plug in")
    pen.text(
        words,
        Box(_PLUG.x + 140, _PLUG.y + 6, _PLUG.w - 160, _PLUG.h - 12),
        theme.TITLE - 4,
        (255, 255, 255),
        weight="bold",
        align="c",
        upper=True,
    )
    pen.hit("cabinet:plug", _PLUG)
