"""Cards as they lie, fly and turn; the outline of the best cards, the sign of a chosen one, the shade over resting ones."""

from typing import Final

from display.draw_list import Box
from display.layout import frame
from display.layout.place import CardPlace
from display.motion.tracks import CardPose
from display.view_model import CardView, HandView
from display.widgets.controls import keycap
from display.widgets.pen import Pen

_CORNER: Final = 0.062
"""Radius of a card's corner over its width."""
_FLIGHT_STEPS: Final = 6
"""Sizes a flying card takes between the shoe and its place: few, so that each is made once."""


def corner(box: Box) -> float:
    """Return the corner radius of a card."""
    return box.w * _CORNER


def face_name(pen: Pen, code: str) -> str:
    """Return the sprite of a face, or of the back when there is no face to show."""
    if not code:
        return f"back:{pen.view.comfort.back_design}"
    return f"{'card4' if pen.view.comfort.four_colour else 'card'}:{code}"


def pose_card(pen: Pen, pose: CardPose, home: CardPlace) -> None:
    """Draw a card where it is now. In flight it keeps its place's shape and grows in a few steps."""
    box = pose.box
    if pose.in_flight:
        pen.moves()
        share = round(min(box.w / home.box.w, 1.0) * _FLIGHT_STEPS) / _FLIGHT_STEPS
        share = max(share, 0.5)
        width, height = home.box.w * share, home.box.h * share
        box = Box(box.x + (box.w - width) / 2, box.y + (box.h - height) / 2, width, height)
    if pose.scale_x != 1.0:
        pen.moves()
    pen.sprite(face_name(pen, pose.code), box, angle=pose.angle, scale_x=pose.scale_x)


def hand(pen: Pen, view: HandView, *, shaded: bool = False, touchable: bool = False) -> None:
    """Draw a hand's cards. ``shaded`` hands do not play now; ``touchable`` cards can be chosen for an exchange."""
    places = pen.motion.places
    if places is None:
        return
    for card in view.cards:
        track = pen.motion.cards.get(card.key)
        if card.best and track is not None and pen.now_ms >= track.end_ms:
            light = (*pen.colours.glow[:3], 150)
            pen.glow(track.home.box.inset(3), light, spread=10, radius=corner(track.home.box), hollow=True)
    for index, card in enumerate(view.cards):
        track = pen.motion.cards.get(card.key)
        if track is None:
            continue
        pose = track.pose(pen.now_ms)
        if pose is None:
            pen.moves()
            continue
        if pen.now_ms < track.end_ms:
            pen.moves()
            pose_card(pen, pose, track.home)
            continue
        _lying(pen, card, track.home, shaded=shaded)
        if touchable and card.code:
            pen.hit(f"card:{card.key}", track.home.touch)
            slot = frame.slot_of(pen.view, f"{frame.MARK}{index}")
            keycap(pen, slot, track.home.touch.x + 8, track.home.box.y + track.home.box.h - 38)


def _lying(pen: Pen, card: CardView, place: CardPlace, *, shaded: bool) -> None:
    box = place.box
    radius = corner(box)
    light = pen.colours.resting if shaded or card.dead else 1.0
    pen.sprite(face_name(pen, card.code), box, angle=place.angle, light=light)
    upright = box
    if place.angle in (90, 270):
        upright = Box(box.x - (box.h - box.w) / 2, box.y + (box.h - box.w) / 2, box.h, box.w)
    if card.best:
        pen.outline(upright.inset(-4), pen.colours.win, radius + 4, 5)
    if card.selected:
        pen.outline(upright.inset(-4), pen.colours.push, radius + 4, 5)
        badge = Box(box.x + box.w - 46, box.y + 10, 36, 36)
        pen.panel(badge, (24, 76, 132), 18, border=(255, 255, 255), width=2)
        pen.sprite("icon:check", badge.inset(5))


def leaving(pen: Pen) -> None:
    """Draw the cards on their way to the discard tray."""
    for track in pen.motion.leaving:
        pose = track.pose(pen.now_ms)
        if pose is None or pen.now_ms >= track.end_ms:
            continue
        pen.moves()
        pose_card(pen, pose, CardPlace(track.origin.box, track.origin.box))
