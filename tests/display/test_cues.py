"""Sounds are heard when what they tell is seen, once each, at every speed."""

from dataclasses import replace

import pytest

from display import motion
from display.cues import FOLLOWS_CARDS, RESULTS, Ear, cues, listen
from display.samples import SAMPLES
from display.sounds.library import SOUNDS
from display.view_model import View

FRAME_MS = 16.0


def heard(state: motion.MotionState, until_ms: float) -> list[str]:
    names: list[str] = []
    now_ms = 0.0
    while now_ms < until_ms:
        names += cues(state, now_ms, now_ms + FRAME_MS)
        now_ms += FRAME_MS
    return names


def listened(before: str, after: View, until_ms: float = 6000, frame_ms: float = FRAME_MS) -> list[tuple[float, str]]:
    """Everything heard from a change of the view on, with its time."""
    state = motion.still(SAMPLES[before](), 0)
    ear, _ = listen(Ear(), SAMPLES[before](), state, 0)
    found: list[tuple[float, str]] = []
    now_ms = 1.0
    while now_ms < until_ms:
        state = motion.advance(state, after, now_ms)
        ear, names = listen(ear, after, state, now_ms)
        found += [(now_ms, name) for name in names]
        now_ms += frame_ms
    return found


def asking(name: str, *sounds: str) -> View:
    return replace(SAMPLES[name](), sounds=tuple(enumerate(sounds, 5)))


def test_every_card_dealt_is_heard_leaving_the_shoe_and_turning() -> None:
    before = motion.still(SAMPLES["poker_betting"](), 0)
    state = motion.advance(before, SAMPLES["poker_deciding_one"](), 1.0)
    flying = {track.depart_ms for track in state.cards.values() if track.fly_ms > 0}
    turning = {track.turn_at_ms for track in state.cards.values() if track.code != track.before}
    names = heard(state, state.end_ms + 100)
    assert len(flying) > 1
    assert names.count("deal") == len({int(time // FRAME_MS) for time in flying})
    assert names.count("flip") == len({int(time // FRAME_MS) for time in turning})


def test_a_deal_that_the_view_asks_for_is_not_heard_twice() -> None:
    silent = listened("poker_betting", asking("poker_deciding_one"))
    asked = listened("poker_betting", asking("poker_deciding_one", "deal"))
    assert asked == silent
    assert any(name == "deal" for _, name in asked)


def test_a_deal_at_once_is_heard_once() -> None:
    view = asking("poker_deciding_one", "deal")
    instant = replace(view, comfort=replace(view.comfort, deal_speed="instant"))
    assert [name for _, name in listened("poker_betting", instant)] == ["deal"]


def test_a_press_is_heard_in_the_frame_that_shows_it() -> None:
    assert listened("poker_betting", asking("poker_deciding_one", "chip"))[0] == (1.0, "chip")


@pytest.mark.parametrize("sound", sorted(RESULTS))
def test_a_result_is_heard_once_and_not_before_the_cards_lie_open(sound: str) -> None:
    found = listened("poker_deciding_one", asking("poker_settled_win", sound))
    state = motion.advance(motion.still(SAMPLES["poker_deciding_one"](), 0), SAMPLES["poker_settled_win"](), 1.0)
    assert state.reveal_ms > 100
    times = [time for time, name in found if name == sound]
    assert len(times) == 1
    assert state.reveal_ms <= times[0] < state.reveal_ms + 2 * FRAME_MS


def test_a_skipped_animation_tells_its_result_at_once() -> None:
    before, after = SAMPLES["poker_deciding_one"](), asking("poker_settled_win", "win_small")
    state = motion.advance(motion.still(before, 0), after, 1.0)
    ear, names = listen(Ear(), after, state, 1.0)
    assert "win_small" not in names
    ear, names = listen(ear, after, motion.finished(state, 20.0), 20.0)
    assert names == ("win_small",)
    assert listen(ear, after, motion.finished(state, 40.0), 40.0)[1] == ()


def test_a_jump_of_the_clock_loses_no_result_and_makes_no_storm() -> None:
    names = [name for _, name in listened("poker_deciding_one", asking("poker_settled_win", "win_small"), 9000, 4000)]
    assert names.count("win_small") == 1
    assert max(map(names.count, names)) <= 3


def test_chips_are_heard_when_they_arrive() -> None:
    before = motion.still(SAMPLES["poker_deciding_one"](), 0)
    state = motion.advance(before, SAMPLES["poker_settled_win"](), 1.0)
    assert state.flights
    assert "chips" in heard(state, state.end_ms + 100)


def test_a_chip_put_down_is_heard_once() -> None:
    names = [name for _, name in listened("poker_betting_empty", asking("poker_betting", "chip"))]
    assert names == ["chip"]


def test_still_picture_is_silent() -> None:
    assert heard(motion.still(SAMPLES["poker_settled_win"](), 0), 3000) == []


@pytest.mark.parametrize("name", ["attract", "lobby", "starting", "tilt"])
def test_scene_without_a_table_makes_no_sound_of_its_own(name: str) -> None:
    assert listened(name, SAMPLES[name]()) == []


def test_instant_deal_is_silent() -> None:
    view = SAMPLES["poker_deciding_one"]()
    instant = replace(view, comfort=replace(view.comfort, deal_speed="instant"))
    state = motion.advance(motion.still(SAMPLES["poker_betting"](), 0), instant, 1.0)
    assert "deal" not in heard(state, 3000)


def test_cues_name_sounds_that_exist() -> None:
    assert {"deal", "flip", "chips"} | FOLLOWS_CARDS | RESULTS <= set(SOUNDS)
