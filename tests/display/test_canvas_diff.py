import itertools

from hypothesis import given
from hypothesis import strategies as st

from display.canvas_diff import Rect, clipped, merged, overlap, shared_items, union

RECTS = st.tuples(st.integers(-50, 300), st.integers(-50, 300), st.integers(1, 120), st.integers(1, 120))
BOUNDS: Rect = (0, 0, 320, 180)


@given(st.lists(st.integers(0, 5), max_size=12), st.lists(st.integers(0, 5), max_size=12))
def test_shared_items_are_equal_and_in_order_in_both_frames(old: list[int], new: list[int]) -> None:
    pairs = shared_items(old, new)
    assert all(old[i] == new[j] for i, j in pairs)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(pairs))


@given(st.lists(st.integers(0, 5), max_size=12))
def test_frame_shares_everything_with_itself(items: list[int]) -> None:
    assert shared_items(items, items) == [(i, i) for i in range(len(items))]


def test_one_changed_item_leaves_the_others_shared() -> None:
    assert shared_items("abcde", "abXde") == [(0, 0), (1, 1), (3, 3), (4, 4)]


@given(st.lists(RECTS, max_size=10))
def test_merged_rectangles_cover_every_pixel_of_the_given_ones(rects: list[Rect]) -> None:
    covering = merged(rects, BOUNDS)
    for rect in rects:
        part = clipped(rect, BOUNDS)
        if part is None:
            continue
        for x in (part[0], part[0] + part[2] - 1):
            for y in (part[1], part[1] + part[3] - 1):
                assert any(overlap((x, y, 1, 1), cover) for cover in covering)


@given(st.lists(RECTS, max_size=10))
def test_merged_rectangles_stay_inside_the_bounds(rects: list[Rect]) -> None:
    assert all(clipped(rect, BOUNDS) == rect for rect in merged(rects, BOUNDS))


def test_far_apart_rectangles_stay_apart() -> None:
    assert sorted(merged([(0, 0, 10, 10), (200, 100, 10, 10)], BOUNDS)) == [(0, 0, 10, 10), (200, 100, 10, 10)]


def test_neighbours_are_joined() -> None:
    assert merged([(0, 0, 10, 10), (10, 0, 10, 10)], BOUNDS) == [(0, 0, 20, 10)]


@given(RECTS, RECTS)
def test_union_holds_both(a: Rect, b: Rect) -> None:
    both = union(a, b)
    assert clipped(a, both) == a
    assert clipped(b, both) == b
