"""Parts of scenes with a rule of their own: chip stacks and baccarat's roads."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from display import motion
from display.draw_list import Label, Sprite
from display.samples import SAMPLES
from display.scenes import compose
from display.scenes.large_win import RIBBON
from display.widgets.chips import DEFAULT_VALUES, stack_of
from display.widgets.roads import ROWS, big_road_cells, derived_marks

RESULTS = st.lists(st.sampled_from("BPT"), max_size=90).map(tuple)


@given(st.integers(0, 10**7))
def test_a_stack_never_shows_more_than_the_amount(amount: int) -> None:
    chips = stack_of(amount, DEFAULT_VALUES)
    assert len(chips) <= 7
    assert chips == sorted(chips, reverse=True)
    assert sum(chips) <= max(amount, min(DEFAULT_VALUES))
    assert bool(chips) == (amount > 0)


def test_a_small_stack_is_exact() -> None:
    assert stack_of(3600, DEFAULT_VALUES) == [2500, 500, 500, 100]


@given(RESULTS)
def test_the_big_road_holds_every_result_once(results: tuple[str, ...]) -> None:
    cells = big_road_cells(results)
    assert [side for _, _, side, _ in cells] == [result for result in results if result != "T"]
    leading_ties = len(results) - len("".join(results).lstrip("T"))
    assert sum(ties for *_, ties in cells) == max(results.count("T") - leading_ties, 0)
    places = [(column, row) for column, row, _, _ in cells]
    assert len(places) == len(set(places))
    assert all(0 <= row < ROWS for _, row in places)


def test_a_run_of_eight_turns_right_at_the_bottom() -> None:
    places = [(column, row) for column, row, _, _ in big_road_cells(tuple("BBBBBBBB"))]
    assert places == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5)]


def test_a_new_side_starts_a_new_column_and_a_tie_marks_the_last_cell() -> None:
    assert big_road_cells(tuple("TBTTP")) == [(0, 0, "B", 2), (1, 0, "P", 0)]


@pytest.mark.parametrize(
    ("results", "back", "marks"),
    [
        # Runs of 1, 1, 1: each new run is as long as the one before.
        ("BPBPB", 1, "RRR"),
        # Runs of 2 and 1: the second column is shorter, so its end and the next beginning are irregular.
        ("BBPB", 1, "B"),
        # A run that follows the one before it, cell by cell, and then outgrows it by one, and by two.
        ("BBPPPP", 1, "RBR"),
        ("BPBP", 2, "R"),
        ("BBPPBBPPBB", 3, "RRR"),
        ("", 1, ""),
        ("TTT", 1, ""),
    ],
)
def test_derived_roads_say_how_regular_the_big_road_is(results: str, back: int, marks: str) -> None:
    assert "".join(derived_marks(tuple(results), back)) == marks


@given(st.lists(st.sampled_from("BPT"), max_size=120).map(tuple), st.sampled_from([1, 2, 3]))
def test_ties_do_not_change_a_derived_road_and_a_new_result_only_adds_to_it(
    results: tuple[str, ...], back: int
) -> None:
    marks = derived_marks(results, back)
    assert derived_marks(tuple(result for result in results if result != "T"), back) == marks
    assert derived_marks((*results, "B"), back)[: len(marks)] == marks
    # Turning all results over changes nothing: the roads know regular and irregular, not sides.
    turned = tuple({"B": "P", "P": "B"}.get(result, result) for result in results)
    assert derived_marks(turned, back) == marks


def test_all_that_moves_in_a_large_win_stays_on_its_ribbon() -> None:
    before, after = SAMPLES["poker_deciding_one"](), SAMPLES["poker_big_win"]()
    assert before.table is not None
    assert after.table is not None
    before = replace(before, table=replace(before.table, game=after.table.game))
    state = motion.advance(motion.still(before, 0), after, 0)
    begin = max(state.reveal_ms, *(flight.end_ms for flight in state.flights)) + 200
    frames = [compose(after, state, begin + step * 40.0) for step in range(40)]
    assert all(frame.animating for frame in frames)
    resting = set(frames[0].items).intersection(*(frame.items for frame in frames))
    moving = [item for frame in frames for item in frame.items if item not in resting]
    buttons = [item for item in moving if getattr(item, "box", RIBBON).y >= 930]
    chips = [item for item in moving if isinstance(item, Sprite)]
    assert len(chips) > 200
    for item in moving:
        box = item.box if isinstance(item, Sprite | Label) else None
        if box is not None and item not in buttons:
            assert box.y >= RIBBON.y
            assert box.y + box.h <= RIBBON.y + RIBBON.h


def test_a_large_win_shows_no_more_than_was_won_and_ends_at_it() -> None:
    before, after = SAMPLES["poker_deciding_one"](), SAMPLES["poker_big_win"]()
    assert before.table is not None
    assert after.table is not None
    before = replace(before, table=replace(before.table, game=after.table.game))
    state = motion.advance(motion.still(before, 0), after, 0)
    shown = [state.win.value(now) for now in range(0, int(state.win.end_ms) + 100, 50)]
    assert shown == sorted(shown)
    assert shown[-1] == after.win_minor
    texts = [item.text for item in compose(after, state, state.win.end_ms + 10).items if isinstance(item, Label)]
    assert sum(text.endswith("223.50\u00a0€") for text in texts) >= 1
