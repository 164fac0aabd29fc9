from dataclasses import replace

from display import motion
from display.cues import cues
from display.samples import SAMPLES
from display.sounds.library import SOUNDS

FRAME_MS = 16.0


def heard(state: motion.MotionState, until_ms: float) -> list[str]:
    names: list[str] = []
    now_ms = 0.0
    while now_ms < until_ms:
        names += cues(state, now_ms, now_ms + FRAME_MS)
        now_ms += FRAME_MS
    return names


def test_every_card_dealt_is_heard_leaving_the_shoe_and_turning() -> None:
    before = motion.still(SAMPLES["poker_betting"](), 0)
    state = motion.advance(before, SAMPLES["poker_deciding_one"](), 1.0)
    flying = {track.depart_ms for track in state.cards.values() if track.fly_ms > 0}
    turning = {track.turn_at_ms for track in state.cards.values() if track.code != track.before}
    names = heard(state, state.end_ms + 100)
    assert len(flying) > 1
    assert names.count("deal") == len({int(time // FRAME_MS) for time in flying})
    assert names.count("flip") == len({int(time // FRAME_MS) for time in turning})


def test_chips_are_heard_when_they_arrive() -> None:
    before = motion.still(SAMPLES["poker_deciding_one"](), 0)
    state = motion.advance(before, SAMPLES["poker_settled_win"](), 1.0)
    assert state.flights
    assert "chips" in heard(state, state.end_ms + 100)


def test_still_picture_is_silent() -> None:
    assert heard(motion.still(SAMPLES["poker_settled_win"](), 0), 3000) == []


def test_instant_deal_is_silent() -> None:
    view = SAMPLES["poker_deciding_one"]()
    instant = replace(view, comfort=replace(view.comfort, deal_speed="instant"))
    state = motion.advance(motion.still(SAMPLES["poker_betting"](), 0), instant, 1.0)
    assert "deal" not in heard(state, 3000)


def test_cues_name_sounds_that_exist() -> None:
    assert {"deal", "flip", "chips"} <= set(SOUNDS)
