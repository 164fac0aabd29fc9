"""Parts of scenes with a rule of their own: chip stacks and baccarat's roads."""

from hypothesis import given
from hypothesis import strategies as st

from display.widgets.chips import DEFAULT_VALUES, stack_of
from display.widgets.roads import ROWS, big_road_cells

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
