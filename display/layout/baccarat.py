"""Places of the baccarat table: the player's hand left, the banker's right, three betting areas, the roads below."""

from typing import Final

from display.draw_list import Box
from display.layout.place import CARD_RATIO, BoxPlace, CardPlace, HandPlace, SpotPlace, TablePlaces, centred
from display.layout.poker import BANNER_BETTING, CENTRE, HOUSE
from display.view_model import HandView, TableView

CARD: Final = 168
HAND_WIDTH: Final = 620
PLAYER_AREA: Final = Box(CENTRE - 30 - HAND_WIDTH, 176, HAND_WIDTH, 236)
BANKER_AREA: Final = Box(CENTRE + 30, 176, HAND_WIDTH, 236)
CAPTION_HEIGHT: Final = 62
BANNER: Final = Box(CENTRE - 400, 424, 800, 58)

_TOP: Final = 500
_HEIGHT: Final = 304
_HEIGHT_OVER_PAIR: Final = 196
_LEFT: Final = {"player": 548, "player_pair": 548, "tie": 828, "banker": 1108, "banker_pair": 1108}
_WIDTH: Final = 264
BEAD_PLATE: Final = Box(24, 492, 500, 296)
SHARES: Final = Box(24, 796, 500, 120)
BIG_ROAD: Final = Box(1396, 492, 500, 296)
DERIVED_ROADS: Final = Box(1396, 796, 500, 120)
_SHOE: Final = Box(1668, 96, 220, 170)
_DISCARD: Final = Box(1690, 300, 176, 136)


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


def _area(line: str, with_pairs: bool) -> Box:
    x = _LEFT[line]
    if line.endswith("_pair"):
        top = _TOP + _HEIGHT_OVER_PAIR + 12
        return Box(x, top, _WIDTH, _TOP + _HEIGHT - top)
    low = with_pairs and line != "tie"
    return Box(x, _TOP, _WIDTH, _HEIGHT_OVER_PAIR if low else _HEIGHT)


def _spot(box: Box) -> SpotPlace:
    small = box.h < 150
    chip = 64.0 if small else 96.0
    middle = box.y + box.h * (0.5 if small else 0.56)
    return SpotPlace(
        ring=box,
        chip=centred(box.x + (box.w * 0.72 if small else box.w / 2), middle, chip, chip),
        label=Box(box.x + 12, box.y + 12, box.w * 0.5, box.h - 60)
        if small
        else Box(box.x + 10, box.y + 14, box.w - 20, 46),
        amount=Box(box.x + 12, box.y + box.h - 44, 116, 34)
        if small
        else centred(box.x + box.w / 2, box.y + box.h - 34, 170, 40),
        touch=box,
        round=False,
    )


def caption_place(area: Box) -> Box:
    """Return where a side's name and points stand: above its cards."""
    return Box(area.x, area.y - 84, area.w, CAPTION_HEIGHT)


def bare_areas(table: TableView) -> dict[str, SpotPlace]:
    """Return the places of the main areas on which the view has no spot: they are printed on the felt all the same."""
    lines = {spot.line for box in table.boxes[:1] for spot in box.spots}
    with_pairs = any(line.endswith("_pair") for line in lines)
    return {line: _spot(_area(line, with_pairs)) for line in ("player", "tie", "banker") if line not in lines}


def baccarat_places(table: TableView) -> TablePlaces:
    """Return the places of the baccarat table."""
    hands: dict[str, HandPlace] = {}
    cards: dict[str, CardPlace] = {}
    pairs = [(table.dealer, BANKER_AREA)]
    if table.player is not None:
        pairs.append((table.player, PLAYER_AREA))
    for hand, area in pairs:
        hands[hand.key] = HandPlace(area, caption_place(area))
        cards |= _hand_cards(hand, area)
    seat = table.boxes[:1]
    with_pairs = any(spot.line.endswith("_pair") for box in seat for spot in box.spots)
    spots = {
        (box.position, spot.line): _spot(_area(spot.line, with_pairs))
        for box in seat
        for spot in box.spots
        if spot.line in _LEFT
    }
    boxes = {box.position: BoxPlace(Box(548, _TOP, 824, _HEIGHT), Box(0, 0, 0, 0)) for box in seat}
    banner = BANNER_BETTING if table.phase == "betting" else BANNER
    return TablePlaces(cards, hands, spots, boxes, (), banner, _SHOE, _DISCARD, HOUSE)
