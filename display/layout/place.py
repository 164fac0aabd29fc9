"""The vocabulary of places: a card, a betting spot, a hand, a box, and the table that holds them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from display.draw_list import Box

CARD_RATIO: Final = 1.4
"""Height of a card over its width."""


@dataclass(frozen=True, slots=True)
class CardPlace:
    """Where a card lies: its upright box, its turn in degrees, and the part of it that no other card covers."""

    box: Box
    touch: Box
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class SpotPlace:
    """A betting spot: the printed ring, where its chips stand (centre and diameter), its label, its amount."""

    ring: Box
    chip: Box
    label: Box
    amount: Box
    touch: Box
    round: bool = True


@dataclass(frozen=True, slots=True)
class HandPlace:
    """A hand: the area of its cards and the strip for what it is worth."""

    area: Box
    caption: Box


@dataclass(frozen=True, slots=True)
class BoxPlace:
    """A position in play: the area it owns and where its number stands."""

    area: Box
    badge: Box


@dataclass(frozen=True, slots=True)
class TablePlaces:
    """All places of a table. ``outlines`` are printed card outlines; ``banner`` is for the dealer's announcements."""

    cards: Mapping[str, CardPlace]
    hands: Mapping[str, HandPlace]
    spots: Mapping[tuple[int, str], SpotPlace]
    boxes: Mapping[int, BoxPlace]
    outlines: tuple[Box, ...]
    banner: Box
    shoe: Box
    discard: Box
    house: Box
    """Where losing chips go to and winning chips come from."""


def centred(cx: float, cy: float, w: float, h: float) -> Box:
    """Return a box by its centre."""
    return Box(cx - w / 2, cy - h / 2, w, h)


def card_row(
    keys: tuple[str, ...],
    area: Box,
    card_width: float,
    gap: float,
    lifted: frozenset[str] = frozenset(),
    lift: float = 0,
) -> dict[str, CardPlace]:
    """Lay cards in a row centred in an area, overlapping from left to right when they would not fit side by side.

    ``lifted`` cards stand ``lift`` higher. The touch area of a covered card is its visible strip.
    """
    if not keys:
        return {}
    card_height = card_width * CARD_RATIO
    step = card_width + gap
    if len(keys) > 1:
        step = min(step, (area.w - card_width) / (len(keys) - 1))
    left = area.x + (area.w - card_width - step * (len(keys) - 1)) / 2
    top = area.y + (area.h - card_height) / 2
    places: dict[str, CardPlace] = {}
    for index, key in enumerate(keys):
        x = left + index * step
        visible = min(step, card_width + gap) if index < len(keys) - 1 else card_width
        y = top - (lift if key in lifted else 0)
        touch = Box(x, top - lift, min(visible, card_width), card_height + lift)
        places[key] = CardPlace(Box(x, y, card_width, card_height), touch)
    return places
