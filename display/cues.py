"""When each sound is due: what the view asks for, and what belongs to things that move. Pure.

A press is heard at once. A card is heard when it leaves the shoe and when it turns over, chips when they arrive, and a result when the
cards lie open, at whatever speed the table deals: a sound tells what is seen, and never before it. Not responsible for playing
(`display.sound`).
"""

from dataclasses import dataclass
from typing import Final

from display.motion import MotionState
from display.view_model import View

FOLLOWS_CARDS: Final = frozenset({"deal"})
"""Asked for by the view, but heard card by card when cards fly."""
RESULTS: Final = frozenset({"win_small", "win_large", "big_win", "push", "lose"})
"""Asked for by the view as soon as it knows, heard when the player sees it."""


@dataclass(frozen=True, slots=True)
class Ear:
    """What was heard: the last running number of a view's sounds, the time up to which motion was listened to, and the
    results that still wait for their cards."""

    number: int = 0
    until_ms: float = 0
    waiting: tuple[str, ...] = ()


def listen(ear: Ear, view: View, state: MotionState, now_ms: float) -> tuple[Ear, tuple[str, ...]]:
    """Return what is to be heard now, each name once, and the ear that has heard it.

    ``state`` is the motion of this view. A jump of the clock gives each name once more at most; a skipped animation is silent but for
    its result.
    """
    names: dict[str, None] = {}
    waiting = list(ear.waiting)
    number = ear.number
    for asked, name in view.sounds:
        if asked <= ear.number:
            continue
        number = max(number, asked)
        if name in RESULTS:
            waiting.append(name)
        elif name not in FOLLOWS_CARDS or state.end_ms <= now_ms:
            names[name] = None
    names |= dict.fromkeys(cues(state, ear.until_ms, now_ms))
    if waiting and now_ms >= state.reveal_ms:
        names[waiting[-1]] = None
        waiting.clear()
    return Ear(number, now_ms, tuple(waiting)), tuple(names)


def cues(state: MotionState, after_ms: float, until_ms: float) -> tuple[str, ...]:
    """Return the sounds of motion due after one time and until another (a frame apart), each name once.

    Nothing is due for what is simply there, as when an animation was skipped.
    """

    def due(time_ms: float) -> bool:
        return after_ms < time_ms <= until_ms

    names: dict[str, None] = {}
    for track in state.cards.values():
        if track.fly_ms > 0 and due(track.depart_ms):
            names["deal"] = None
        if track.code != track.before and track.turn_ms > 0 and due(track.turn_at_ms):
            names["flip"] = None
    # Cards swept together make one sound, not one each.
    swept = [track.depart_ms for track in state.leaving if track.fly_ms > 0]
    if swept and due(min(swept)):
        names["deal"] = None
    # A chip that the player puts down was heard under his finger.
    table = state.view.table
    if table is not None and table.phase == "settled":
        for flight in state.flights:
            if flight.fly_ms > 0 and due(flight.end_ms):
                names["chips"] = None
    return tuple(names)
