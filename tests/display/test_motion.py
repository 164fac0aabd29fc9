"""Motion is a function of time: whatever happens between, the last frame is the one of the view, and no card is lost."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from display import motion
from display.draw_list import DrawList, Label, Sprite
from display.layout.frame import meters
from display.motion import MotionState
from display.samples import baccarat, blackjack, others, poker
from display.scenes import compose
from display.view_model import Comfort, View

POKER = (
    poker.betting(placed=False),
    poker.betting(),
    poker.dealing(),
    poker.deciding_one(),
    poker.deciding_two(),
    poker.deciding_three(),
    poker.settled_win(),
    poker.settled_three(),
)
BLACKJACK = (
    blackjack.betting(),
    blackjack.deciding_one(),
    blackjack.insurance(),
    blackjack.split(),
    blackjack.five_boxes(),
    blackjack.five_split(),
)
BACCARAT = (baccarat.betting(), baccarat.dealing(), baccarat.settled(), baccarat.tie(), baccarat.pairs())
JACKPOT = (poker.betting("oasis_jackpot"), poker.deciding_one("oasis_jackpot"), poker.big_win())
OTHERS = (others.lobby(), others.attract(), others.cash_out(), others.tilt(), others.help_page())
EVERYTHING = (*POKER, *BLACKJACK, *BACCARAT, *JACKPOT, *OTHERS)
LONG_MS = 60_000

views = st.one_of(
    *(
        st.lists(st.sampled_from(table), min_size=1, max_size=6)
        for table in (POKER, BLACKJACK, BACCARAT, JACKPOT, EVERYTHING)
    )
)
steps_ms = st.lists(st.integers(-400, 2500), min_size=6, max_size=6)


def course(shown: list[View], steps: list[int]) -> tuple[MotionState, int]:
    """Show views one after the other at the given distances in time, which may go backwards."""
    state, now = None, 10_000
    for view, step in zip(shown, steps, strict=False):
        now += step
        state = motion.advance(state, view, now)
    assert state is not None
    return state, now


def card_sprites(drawn: DrawList) -> list[Sprite]:
    return [item for item in drawn.items if isinstance(item, Sprite) and item.name.split(":")[0] in ("card", "back")]


def card_count(view: View) -> int:
    return 0 if view.table is None else sum(len(hand.cards) for hand in motion.hands_of(view.table))


def without_time(drawn: DrawList, view: View) -> DrawList:
    """Attract runs by itself; everywhere else a frame at rest is the same however it was reached."""
    return DrawList(()) if view.mode == "attract" else drawn


@settings(max_examples=120, deadline=None)
@given(views, steps_ms)
def test_any_sequence_of_times_ends_in_the_frame_of_the_view(shown: list[View], steps: list[int]) -> None:
    state, now = course(shown, steps)
    later = now + LONG_MS
    view = state.view
    assert without_time(compose(view, state, later), view) == without_time(
        compose(view, motion.still(view), later), view
    )


@settings(max_examples=120, deadline=None)
@given(views, steps_ms, st.integers(0, 5000))
def test_no_card_is_lost_or_doubled_at_any_time(shown: list[View], steps: list[int], after: int) -> None:
    state, now = course(shown, steps)
    if state.view.mode == "attract":
        return
    moment = now + after
    drawn = compose(state.view, state, moment)
    in_shoe = sum(track.pose(moment) is None for track in state.cards.values())
    leaving = sum(track.pose(moment) is not None and moment < track.end_ms for track in state.leaving)
    assert len(card_sprites(drawn)) == card_count(state.view) - in_shoe + leaving
    if not drawn.animating:
        assert in_shoe == leaving == 0


@settings(max_examples=80, deadline=None)
@given(views, steps_ms)
def test_what_does_not_animate_stays_the_same(shown: list[View], steps: list[int]) -> None:
    state, now = course(shown, steps)
    moment = float(now)
    for _ in range(100):
        drawn = compose(state.view, state, moment)
        if not drawn.animating:
            until = drawn.wake_ms or moment + 1000
            assert compose(state.view, state, (moment + until) / 2) == drawn
            return
        moment += 137
    pytest.fail("a frame that never comes to rest")


@settings(max_examples=80, deadline=None)
@given(views, steps_ms, st.integers(0, 4000))
def test_credit_never_waits_and_win_never_shows_more_than_the_ledger(
    shown: list[View], steps: list[int], after: int
) -> None:
    state, now = course(shown, steps)
    assert 0 <= state.win.value(now + after) <= state.view.win_minor
    if state.view.mode in ("starting", "page", "tilt"):
        return
    drawn = compose(state.view, state, now + after)
    credit = meters(False)["credit"]
    shown_there = [
        item.text for item in drawn.items if isinstance(item, Label) and credit.contains(item.box.x, item.box.y)
    ]
    whole, fraction = divmod(state.view.credit_minor, 100)
    assert f"{whole:,}.{fraction:02d}".replace(",", "\u00a0") in shown_there


@settings(max_examples=60, deadline=None)
@given(views, steps_ms)
def test_a_tap_that_skips_shows_the_end_at_once(shown: list[View], steps: list[int]) -> None:
    state, now = course(shown, steps)
    skipped = compose(state.view, motion.finished(state, now), now)
    if state.view.mode != "attract" and state.view.win_minor == 0:
        assert not skipped.animating
        assert len(card_sprites(skipped)) == card_count(state.view)


@pytest.mark.parametrize("comfort", [Comfort(deal_speed="instant"), Comfort(reduced_motion=True)])
def test_instant_dealing_and_reduced_motion_show_every_change_at_once(comfort: Comfort) -> None:
    state = None
    for number, view in enumerate(POKER):
        view = replace(view, comfort=comfort)
        state = motion.advance(state, view, 1000 * number)
        drawn = compose(view, state, 1000 * number)
        assert not drawn.animating
        assert len(card_sprites(drawn)) == card_count(view)


def test_slow_dealing_takes_longer_and_fast_dealing_less() -> None:
    ends = {}
    for speed in ("slow", "normal", "fast"):
        before, after = (replace(view, comfort=Comfort(deal_speed=speed)) for view in (POKER[1], POKER[3]))
        ends[speed] = motion.advance(motion.advance(None, before, 0), after, 0).end_ms
    assert ends["fast"] < ends["normal"] < ends["slow"]


def test_cards_are_dealt_in_turn_and_turn_over_when_they_have_landed() -> None:
    state = motion.advance(motion.advance(None, poker.betting(), 0), poker.deciding_three(), 1000)
    order = sorted(state.cards.values(), key=lambda track: track.depart_ms)
    assert [track.key for track in order[:5]] == ["b1.0.0", "b3.0.0", "b6.0.0", "d.0", "b1.0.1"]
    own = state.cards["b1.0.0"]
    flying, landed = own.pose(own.depart_ms + 1), own.pose(own.end_ms)
    assert flying is not None
    assert landed is not None
    assert (flying.code, landed.code) == ("", "Ah")
    assert own.turn_at_ms >= own.landed_ms


def test_a_result_is_not_told_before_the_dealers_cards_lie_open() -> None:
    state = motion.advance(motion.advance(None, poker.deciding_one(), 0), poker.settled_win(), 1000)
    view = state.view
    assert state.reveal_ms > 1000
    early = {item.text for item in compose(view, state, state.reveal_ms - 1).items if isinstance(item, Label)}
    late = {item.text for item in compose(view, state, state.reveal_ms).items if isinstance(item, Label)}
    told = {"You win 140.00\u00a0€", "Flush  ·  Win  ·  140\u00a0€"}
    assert not told & early
    assert told <= late


def test_an_exchanged_card_leaves_and_another_comes_in_its_place() -> None:
    before = poker.deciding_one()
    table = before.table
    assert table is not None
    hand = table.boxes[0].hands[0]
    fresh = replace(hand, cards=(*hand.cards[:4], replace(hand.cards[4], code="2c", selected=False)))
    after = replace(before, table=replace(table, boxes=(replace(table.boxes[0], hands=(fresh,)),)))
    state = motion.advance(motion.advance(None, before, 0), after, 1000)
    assert [track.code for track in state.leaving] == ["7h"]
    assert state.cards["b3.0.4"].hidden_before
    assert not any(state.cards[f"b3.0.{index}"].hidden_before for index in range(4))


def test_losing_chips_go_to_the_house_and_winnings_come_from_it() -> None:
    state = motion.advance(motion.advance(None, poker.deciding_three(), 0), poker.settled_three(), 1000)
    assert state.places is not None
    top = state.places.house.y + state.places.house.h
    won = [flight for flight in state.flights if flight.origin.y < top]
    lost = [flight for flight in state.flights if flight.target.y < top]
    assert sorted(flight.amount_minor for flight in won) == [1000, 6000]
    assert sorted(flight.amount_minor for flight in lost) == [500, 2000, 4000]
    assert all(flight.depart_ms >= state.reveal_ms for flight in (*won, *lost))


def test_a_backlog_is_never_longer_than_some_seconds() -> None:
    state = None
    now = 0
    for _ in range(8):
        for view in POKER:
            state = motion.advance(state, view, now)
            now += 10
            assert state.end_ms - now < 2 * motion.LONGEST_BACKLOG_MS


def test_the_win_counts_up_only_when_the_cards_lie_open() -> None:
    state = motion.advance(motion.advance(None, poker.deciding_one(), 0), poker.settled_win(), 1000)
    assert state.win.value(state.reveal_ms - 1) == 0
    assert 0 < state.win.value(state.reveal_ms + state.win.duration_ms / 2) < 14_000
    assert state.win.value(state.win.end_ms) == 14_000
    assert state.win.duration_ms <= 3000


@pytest.mark.parametrize("earlier", [1000, 49_500])
def test_a_clock_that_runs_backwards_finishes_what_was_under_way(earlier: int) -> None:
    dealt = motion.advance(motion.advance(None, poker.betting(), 50_000), poker.deciding_three(), 50_001)
    assert dealt.end_ms > 51_000
    back = motion.advance(dealt, poker.deciding_three(), earlier)
    assert back.end_ms <= earlier
    drawn = compose(back.view, back, earlier)
    assert not drawn.animating
    assert len(card_sprites(drawn)) == card_count(back.view)
