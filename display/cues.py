"""Sounds that belong to what moves: a card leaving the shoe, one that turns over, chips that arrive. Pure.

The view asks for sounds of events (a win, an error); these follow the animation instead, so that each is heard when it
is seen, also at other deal speeds. Not responsible for playing them (`display.sound`).
"""

from display.motion import MotionState


def cues(state: MotionState, after_ms: float, until_ms: float) -> tuple[str, ...]:
    """Return the sounds due after one time and until another (a frame apart), each name once.

    Nothing is due for what is simply there, as when an animation was skipped.
    """

    def due(time_ms: float) -> bool:
        return after_ms < time_ms <= until_ms

    names: dict[str, None] = {}
    for track in (*state.cards.values(), *state.leaving):
        if track.fly_ms > 0 and due(track.depart_ms):
            names["deal"] = None
        if track.code != track.before and track.turn_ms > 0 and due(track.turn_at_ms):
            names["flip"] = None
    for flight in state.flights:
        if flight.fly_ms > 0 and due(flight.end_ms):
            names["chips"] = None
    return tuple(names)
