"""Places of a poker table: six positions before the deal, up to three columns of five or six cards in play."""

from dataclasses import dataclass
from typing import Final

from display.draw_list import CANVAS_WIDTH, Box
from display.layout.place import BoxPlace, CardPlace, HandPlace, SpotPlace, TablePlaces, card_row, centred
from display.view_model import BoxView, TableView

CENTRE: Final = CANVAS_WIDTH / 2
DEALER_CARD: Final = 140
DEALER_AREA: Final = Box(CENTRE - 450, 92, 900, 196)
DEALER_CAPTION: Final = Box(CENTRE - 260, 294, 520, 44)
SHOE: Final = Box(1640, 96, 230, 178)
_SHOE_BESIDE_JACKPOT: Final = Box(1376, 92, 150, 116)
DISCARD: Final = Box(398, 92, 132, 116)
HOUSE: Final = Box(CENTRE - 36, 88, 72, 72)
BANNER_IN_PLAY: Final = Box(CENTRE - 480, 350, 960, 80)
BANNER_BETTING: Final = Box(48, 842, 560, 64)
"""Before the deal the announcement stands beside the chips, so that the felt's print stays whole."""

BOX_CARD: Final = 176
CARDS_TOP: Final = 602
CARDS_HEIGHT: Final = 246
CAPTION_TOP: Final = 860
CAPTION_HEIGHT: Final = 58
LIFT: Final = 26

_COLUMN_WIDTHS: Final = {1: 1180, 2: 900, 3: 600}
_CAPTION_WIDTHS: Final = {1: 860, 2: 760, 3: 590}
_COLUMN_CENTRES: Final = {1: (960.0,), 2: (492.0, 1428.0), 3: (336.0, 960.0, 1584.0)}

RING: Final = 108
RING_CENTRE_Y: Final = 506
_BADGE: Final = 52
_NARROWEST_PITCH: Final = 84
_TWO_LINES_BELOW: Final = 100
_RING_PITCH: Final = 142

_BET_RING: Final = 136
_BET_LONE_RING: Final = 172
_BET_SMALL_RING: Final = 88

IN_PLAY_STATES: Final = frozenset({"bet", "waiting", "active", "done", "blind", "folded", "settled"})


def boxes_in_play(table: TableView) -> tuple[BoxView, ...]:
    """Return the boxes that take part in the round, in seat order."""
    return tuple(
        box
        for box in table.boxes
        if box.hands or (box.state in IN_PLAY_STATES and any(s.staked_minor for s in box.spots))
    )


def ring_place(cx: float, cy: float, diameter: float, label_above: bool = False, room: float = 300) -> SpotPlace:
    """Return a round betting spot with its label below (or above) and its amount on the lower rim.

    ``room`` is the width that label and amount may take.
    """
    chip = diameter * 0.66
    label_y = cy - diameter / 2 - 17 if label_above else cy + diameter / 2 + 17
    label_height = 28 if room >= _TWO_LINES_BELOW else 2 * 28
    if label_height > 28:
        label_y += 10
    return SpotPlace(
        ring=centred(cx, cy, diameter, diameter),
        chip=centred(cx, cy - 4, chip, chip),
        label=centred(cx, label_y, min(diameter + 30, room), label_height),
        amount=centred(cx, cy + diameter / 2 - 15, min(max(104, diameter - 12), room), 32),
        touch=centred(cx, cy, max(diameter, 72), max(diameter, 72)),
    )


@dataclass(frozen=True, slots=True)
class SpotRow:
    """The spots of a box in play, in a row above its cards, led by the box's number."""

    badge: Box
    spots: tuple[SpotPlace, ...]


def spot_row(cx: float, width: float, count: int) -> SpotRow:
    """Return the row of a box's spots, centred at ``cx`` and no wider than ``width``."""
    lead = _BADGE + 14.0
    pitch = min(_RING_PITCH, (width - lead - 10) / max(count, 1))
    badge = _BADGE
    if pitch < _NARROWEST_PITCH:
        # The most crowded box of a full table: the spots need the room of the number.
        lead, badge = 0.0, 0
        pitch = width / max(count, 1)
    left = cx - (lead + pitch * count) / 2
    return SpotRow(
        centred(left + badge / 2, RING_CENTRE_Y, badge, badge),
        tuple(
            ring_place(left + lead + (index + 0.5) * pitch, RING_CENTRE_Y, min(RING, pitch - 12), room=pitch - 3)
            for index in range(count)
        ),
    )


def dealer_places(table: TableView) -> tuple[dict[str, CardPlace], tuple[Box, ...], HandPlace]:
    """Return the dealer's card places, the printed outlines, and the place of the dealer's hand."""
    keys = tuple(card.key for card in table.dealer.cards)
    cards = card_row(keys, DEALER_AREA, DEALER_CARD, 14)
    outlines = tuple(place.box for place in card_row(tuple("12345"), DEALER_AREA, DEALER_CARD, 14).values())
    return cards, outlines, HandPlace(DEALER_AREA, DEALER_CAPTION)


def _betting_spots(table: TableView) -> tuple[dict[tuple[int, str], SpotPlace], dict[int, BoxPlace]]:
    spots: dict[tuple[int, str], SpotPlace] = {}
    boxes: dict[int, BoxPlace] = {}
    count = max(len(table.boxes), 1)
    pitch = min(300.0, (CANVAS_WIDTH - 100) / count)
    for index, box in enumerate(table.boxes):
        offset = index - (count - 1) / 2
        bend = (offset * pitch / 900) ** 2
        if not box.spots:
            continue
        first, *others = box.spots
        ring = _BET_RING if others else _BET_LONE_RING
        cx, cy = CENTRE + offset * pitch, (688 if others else 640) - 34 * bend
        spots[box.position, first.line] = ring_place(cx, cy, ring)
        for number, spot in enumerate(others):
            shift = (number - (len(others) - 1) / 2) * (_BET_SMALL_RING + 40)
            place = ring_place(
                cx + shift, cy - _BET_RING / 2 - _BET_SMALL_RING / 2 - 8, _BET_SMALL_RING, label_above=True
            )
            spots[box.position, spot.line] = place
        area = centred(cx, cy - 40, pitch - 20, 330)
        boxes[box.position] = BoxPlace(area, centred(cx - ring / 2 - 2, cy - ring / 2 + 12, 44, 44))
    return spots, boxes


def column_centres(count: int) -> tuple[float, ...]:
    """Return the centres of one to three columns."""
    return _COLUMN_CENTRES[count]


def poker_places(table: TableView) -> TablePlaces:
    """Return the places of a poker table: Caribbean, Oasis, Oasis with jackpot, Russian."""
    cards, outlines, dealer = dealer_places(table)
    shoe = SHOE if table.jackpot is None else _SHOE_BESIDE_JACKPOT
    hands = {table.dealer.key: dealer}
    if table.phase == "betting":
        spots, boxes = _betting_spots(table)
        return TablePlaces(cards, hands, spots, boxes, outlines, BANNER_BETTING, shoe, DISCARD, HOUSE)
    spots = {}
    boxes = {}
    playing = boxes_in_play(table)[:3]
    centres = column_centres(max(len(playing), 1))
    width = _COLUMN_WIDTHS[max(len(playing), 1)]
    for box, cx in zip(playing, centres, strict=False):
        area = centred(cx, CARDS_TOP + CARDS_HEIGHT / 2, width, CARDS_HEIGHT)
        row = spot_row(cx, width, len(box.spots))
        boxes[box.position] = BoxPlace(
            Box(
                cx - width / 2,
                RING_CENTRE_Y - RING / 2,
                width,
                CAPTION_TOP - RING_CENTRE_Y + RING / 2 + CAPTION_HEIGHT,
            ),
            row.badge,
        )
        for hand in box.hands[:1]:
            keys = tuple(card.key for card in hand.cards)
            lifted = frozenset(card.key for card in hand.cards if card.selected)
            cards |= card_row(keys, area, BOX_CARD, 14, lifted, LIFT)
            caption_width = _CAPTION_WIDTHS[len(playing)]
            hands[hand.key] = HandPlace(
                area, centred(cx, CAPTION_TOP + CAPTION_HEIGHT / 2, caption_width, CAPTION_HEIGHT)
            )
        spots |= {(box.position, spot.line): place for spot, place in zip(box.spots, row.spots, strict=True)}
    return TablePlaces(cards, hands, spots, boxes, outlines, BANNER_IN_PLAY, shoe, DISCARD, HOUSE)
