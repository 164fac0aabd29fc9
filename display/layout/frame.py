"""The frame around every scene: top bar, meters, action buttons, chip tray; mirrored for left-handed players."""

from dataclasses import dataclass
from typing import Final

from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, Box
from display.view_model import ButtonView, View

TOP_BAR: Final = Box(0, 0, CANVAS_WIDTH, 76)
BOTTOM_BAR: Final = Box(0, 930, CANVAS_WIDTH, CANVAS_HEIGHT - 930)
FELT: Final = Box(0, TOP_BAR.h, CANVAS_WIDTH, BOTTOM_BAR.y - TOP_BAR.h)
MARGIN: Final = 24
GAP: Final = 12

_TOP_KEY_WIDTH: Final = 84
LOBBY_KEY: Final = Box(10, 2, 188, 72)
CLOCK: Final = Box(CANVAS_WIDTH - MARGIN - 116, 0, 116, TOP_BAR.h)

_METERS: Final = {"credit": Box(24, 946, 250, 118), "bet": Box(286, 946, 190, 118), "win": Box(488, 946, 208, 118)}
CASH_OUT: Final = Box(708, 946, 156, 118)
_ACTIONS: Final = Box(880, 946, CANVAS_WIDTH - MARGIN - 880, 118)
_CHIP_SIZE: Final = 96
_CHIP_GAP: Final = 14
_CHIPS_CENTRE_Y: Final = 874
_PRIMARY_SHARE: Final = 1.35
_WIDEST_BUTTON: Final = 300

TOP_BAR_BUTTONS: Final = frozenset({"button:lobby"})
BESIDE_METERS: Final = frozenset({"button:cash_out"})
TOP_KEYS: Final = {"button:language": "lang", "button:help": "help"}
"""Buttons that have a key in the top bar: only the number of the physical button is added there."""
ON_THE_FELT: Final = frozenset({"button:chip", "button:spot", "button:bet"})
"""Buttons that do what a touch on the chips and spots does: their number stands beside the thing itself."""
MARK: Final = "button:mark:"
"""``button:mark:2`` chooses the third card: its number stands on the card."""
PAGE_KEYS: Final = {
    "button:page_up": "page:up",
    "button:page_down": "page:down",
    "button:select": "page:select",
    "button:back": "page:back",
}
"""In a page: buttons that have a key beside it."""


def mirrored(box: Box) -> Box:
    """Return the box on the other side of the screen."""
    return Box(CANVAS_WIDTH - box.x - box.w, box.y, box.w, box.h)


def _sided(box: Box, left_handed: bool) -> Box:
    return mirrored(box) if left_handed else box


def top_keys() -> dict[str, Box]:
    """Return the places of the touch keys in the top bar, by target."""
    places: dict[str, Box] = {}
    x = CLOCK.x - 8
    for target in ("sound", "help", "lang"):
        x -= _TOP_KEY_WIDTH
        places[target] = Box(x, 2, _TOP_KEY_WIDTH - 8, 72)
    return places


def meters(left_handed: bool) -> dict[str, Box]:
    """Return the places of the credit, bet and win meters."""
    return {name: _sided(box, left_handed) for name, box in _METERS.items()}


@dataclass(frozen=True, slots=True)
class PlacedButton:
    """A button of the view and the place where it is drawn."""

    button: ButtonView
    box: Box
    small: bool = False


def buttons(view: View) -> tuple[PlacedButton, ...]:
    """Place the buttons of a view: the way to the lobby in the top bar, cash-out beside the meters, actions beyond."""
    left_handed = view.comfort.left_handed
    placed: list[PlacedButton] = []
    actions: list[ButtonView] = []
    for button in view.buttons:
        if button.id in TOP_BAR_BUTTONS:
            placed.append(PlacedButton(button, LOBBY_KEY, small=True))
        elif button.id in BESIDE_METERS:
            placed.append(PlacedButton(button, _sided(CASH_OUT, left_handed)))
        elif not _shown_elsewhere(view, button.id):
            actions.append(button)
    if not actions:
        return tuple(placed)
    # As on the cabinet: from left to right by the number of the physical button.
    actions.sort(key=lambda button: button.slot or len(actions) + 99)
    shares = [_PRIMARY_SHARE if button.tone == "primary" else 1.0 for button in actions]
    room = _ACTIONS.w - GAP * (len(actions) - 1)
    unit = min(room / sum(shares), _WIDEST_BUTTON / _PRIMARY_SHARE)
    x = _ACTIONS.x + _ACTIONS.w - unit * sum(shares) - GAP * (len(actions) - 1)
    for button, share in zip(actions, shares, strict=True):
        box = Box(x, _ACTIONS.y, unit * share, _ACTIONS.h)
        placed.append(PlacedButton(button, _sided(box, left_handed)))
        x += unit * share + GAP
    return tuple(placed)


def _shown_elsewhere(view: View, button_id: str) -> bool:
    in_page = view.mode == "page" and button_id in PAGE_KEYS
    in_pad = view.page is not None and any(key.target == button_id for key in view.page.pad)
    return in_page or in_pad or button_id in TOP_KEYS or button_id in ON_THE_FELT or button_id.startswith(MARK)


def slot_of(view: View, button_id: str) -> int:
    """Return the number of the physical button that does an action now, 0 for none."""
    return next((button.slot for button in view.buttons if button.id == button_id and button.enabled), 0)


def chip_tray(count: int) -> tuple[Box, ...]:
    """Return the places of the chips to choose from, centred above the bottom bar."""
    total = count * _CHIP_SIZE + (count - 1) * _CHIP_GAP
    left = (CANVAS_WIDTH - total) / 2
    top = _CHIPS_CENTRE_Y - _CHIP_SIZE / 2
    return tuple(Box(left + index * (_CHIP_SIZE + _CHIP_GAP), top, _CHIP_SIZE, _CHIP_SIZE) for index in range(count))
