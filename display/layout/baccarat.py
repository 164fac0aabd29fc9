"""Places of the baccarat table: the player's hand left, the banker's right, three betting areas, the roads below."""

from typing import Final

from display.draw_list import Box
from display.layout.place import CARD_RATIO, BoxPlace, CardPlace, HandPlace, SpotPlace, TablePlaces, centred
from display.layout.poker import BANNER_BETTING, CENTRE, DISCARD, HOUSE, SHOE
from display.view_model import HandView, TableView

CARD: Final = 168
HAND_WIDTH: Final = 620
PLAYER_AREA: Final = Box(CENTRE - 30 - HAND_WIDTH, 176, HAND_WIDTH, 236)
BANKER_AREA: Final = Box(CENTRE + 30, 176, HAND_WIDTH, 236)
CAPTION_HEIGHT: Final = 62
BANNER: Final = Box(CENTRE - 400, 424, 800, 58)

_AREAS: Final = {
    "player": Box(560, 500, 260, 250),
    "tie": Box(830, 500, 260, 250),
    "banker": Box(1100, 500, 260, 250),
}
BEAD_PLATE: Final = Box(24, 500, 500, 330)
BIG_ROAD: Final = Box(1396, 500, 500, 330)


def _hand_cards(hand: HandView, area: Box) -> dict[str, CardPlace]:
    """Two cards upright side by side, the third lying across, as on a real table."""
    height = CARD * CARD_RATIO
    total = CARD * 2 + 14 + 20 + height
    left = area.x + (area.w - total) / 2
    places: dict[str, CardPlace] = {}
    for index, card in enumerate(hand.cards[:3]):
        if index < 2:
            box = Box(left + index * (CARD + 14), area.y, CARD, height)
            places[card.key] = CardPlace(box, box)
        else:
            centre_x = left + CARD * 2 + 14 + 20 + height / 2
            box = centred(centre_x, area.y + height - CARD / 2, CARD, height)
            places[card.key] = CardPlace(box, box, angle=90)
    return places


def _spot(box: Box) -> SpotPlace:
    return SpotPlace(
        ring=box,
        chip=centred(box.x + box.w / 2, box.y + box.h * 0.56, 84, 84),
        label=Box(box.x + 10, box.y + 14, box.w - 20, 46),
        amount=centred(box.x + box.w / 2, box.y + box.h - 34, 170, 40),
        touch=box,
        round=False,
    )


def baccarat_places(table: TableView) -> TablePlaces:
    """Return the places of the baccarat table."""
    hands: dict[str, HandPlace] = {}
    cards: dict[str, CardPlace] = {}
    pairs = [(table.dealer, BANKER_AREA)]
    if table.player is not None:
        pairs.append((table.player, PLAYER_AREA))
    for hand, area in pairs:
        hands[hand.key] = HandPlace(area, Box(area.x, area.y - 84, area.w, CAPTION_HEIGHT))
        cards |= _hand_cards(hand, area)
    spots = {
        (box.position, spot.line): _spot(_AREAS[spot.line])
        for box in table.boxes[:1]
        for spot in box.spots
        if spot.line in _AREAS
    }
    boxes = {box.position: BoxPlace(Box(560, 500, 800, 250), Box(0, 0, 0, 0)) for box in table.boxes[:1]}
    return TablePlaces(
        cards, hands, spots, boxes, (), BANNER_BETTING if table.phase == "betting" else BANNER, SHOE, DISCARD, HOUSE
    )
