"""Places of a blackjack table: up to five boxes, each with its bet above its hands; a split box has several hands."""

from typing import Final

from display.draw_list import CANVAS_WIDTH, Box
from display.layout.place import BoxPlace, HandPlace, SpotPlace, TablePlaces, card_row, centred
from display.layout.poker import (
    BANNER_BETTING,
    BANNER_IN_PLAY,
    BOX_CARD,
    CAPTION_HEIGHT,
    CAPTION_TOP,
    CARDS_HEIGHT,
    CARDS_TOP,
    CENTRE,
    DEALER_CARD,
    DISCARD,
    HOUSE,
    RING,
    RING_CENTRE_Y,
    SHOE,
    boxes_in_play,
    ring_place,
    spot_row,
)
from display.view_model import BoxView, TableView

DEALER_AREA: Final = Box(CENTRE - 400, 92, 800, 196)
DEALER_CAPTION: Final = Box(CENTRE - 260, 294, 520, 44)
_BET_RING: Final = 172
_WIDEST_COLUMN: Final = 760
_HAND_GAP: Final = 18
_MORE_HANDS: Final = 0.85
"""Room of each further hand of a box, in boxes."""


def _bent(index: int, count: int, pitch: float) -> tuple[float, float]:
    """Return the x of a position and how far it rises above the middle of the arc."""
    offset = (index - (count - 1) / 2) * pitch
    return CENTRE + offset, 56 * (offset / 800) ** 2


def _betting(table: TableView) -> tuple[dict[tuple[int, str], SpotPlace], dict[int, BoxPlace]]:
    spots: dict[tuple[int, str], SpotPlace] = {}
    boxes: dict[int, BoxPlace] = {}
    count = max(len(table.boxes), 1)
    pitch = min(360.0, (CANVAS_WIDTH - 80) / count)
    for index, box in enumerate(table.boxes):
        cx, rise = _bent(index, count, pitch)
        cy = (680 if len(box.spots) > 1 else 640) - rise
        for number, spot in enumerate(box.spots):
            diameter = _BET_RING if number == 0 else _BET_RING * 0.6
            place = ring_place(cx, cy - number * _BET_RING * 0.86, diameter, label_above=number > 0)
            spots[box.position, spot.line] = place
        boxes[box.position] = BoxPlace(
            centred(cx, cy, pitch - 20, 300), centred(cx - _BET_RING / 2 - 2, cy - _BET_RING / 2 + 12, 44, 44)
        )
    return spots, boxes


def _split(area: Box, count: int) -> list[Box]:
    width = (area.w - _HAND_GAP * (count - 1)) / count
    return [Box(area.x + index * (width + _HAND_GAP), area.y, width, area.h) for index in range(count)]


def _card_width(room: float, card_count: int) -> float:
    """Return a card width at which at least a third of each covered card stays visible."""
    widest = room / (1 + max(card_count - 1, 1) * 0.34)
    return min(BOX_CARD, widest)


def _columns(playing: tuple[BoxView, ...]) -> list[tuple[float, float]]:
    """Return middle and width of each box's column: a box that was split needs more room than its neighbours."""
    weights = [1 + _MORE_HANDS * max(len(box.hands) - 1, 0) for box in playing]
    unit = (CANVAS_WIDTH - 48) / sum(weights) if weights else 0.0
    slots = [min(unit * weight, _WIDEST_COLUMN + 60) for weight in weights]
    left = CENTRE - sum(slots) / 2
    columns = []
    for slot in slots:
        columns.append((left + slot / 2, min(slot - 24, _WIDEST_COLUMN)))
        left += slot
    return columns


def _play_box(box: BoxView, area: Box) -> tuple[dict[str, HandPlace], list[tuple[tuple[str, ...], Box, float]]]:
    hands: dict[str, HandPlace] = {}
    rows: list[tuple[tuple[str, ...], Box, float]] = []
    for hand, room in zip(box.hands, _split(area, max(len(box.hands), 1)), strict=False):
        keys = tuple(card.key for card in hand.cards)
        rows.append((keys, room, _card_width(room.w, len(keys))))
        hands[hand.key] = HandPlace(room, Box(room.x, CAPTION_TOP, room.w, CAPTION_HEIGHT))
    return hands, rows


def blackjack_places(table: TableView) -> TablePlaces:
    """Return the places of a blackjack table."""
    dealer_keys = tuple(card.key for card in table.dealer.cards)
    cards = card_row(dealer_keys, DEALER_AREA, DEALER_CARD, 14)
    outlines = tuple(place.box for place in card_row(("1", "2"), DEALER_AREA, DEALER_CARD, 14).values())
    hands = {table.dealer.key: HandPlace(DEALER_AREA, DEALER_CAPTION)}
    if table.phase == "betting":
        spots, boxes = _betting(table)
        return TablePlaces(cards, hands, spots, boxes, outlines, BANNER_BETTING, SHOE, DISCARD, HOUSE)
    spots = {}
    boxes = {}
    playing = boxes_in_play(table)
    for box, (cx, width) in zip(playing, _columns(playing), strict=True):
        area = centred(cx, CARDS_TOP + CARDS_HEIGHT / 2, width, CARDS_HEIGHT)
        top = RING_CENTRE_Y - RING / 2
        row = spot_row(cx, width, len(box.spots))
        boxes[box.position] = BoxPlace(
            Box(cx - width / 2, top, width, CAPTION_TOP + CAPTION_HEIGHT - top),
            row.badge,
        )
        box_hands, rows = _play_box(box, area)
        hands |= box_hands
        for keys, room, card_width in rows:
            cards |= card_row(keys, room, card_width, 12)
        spots |= {(box.position, spot.line): place for spot, place in zip(box.spots, row.spots, strict=True)}
    return TablePlaces(cards, hands, spots, boxes, outlines, BANNER_IN_PLAY, SHOE, DISCARD, HOUSE)
