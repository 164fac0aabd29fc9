import pytest
from hypothesis import given
from hypothesis import strategies as st

from display.pointer import Calibration, Pointer, PointerEvent, PointerStroke, calibrate, turned


def mouse(kind: str, x: float, y: float, time_ms: int, button: int = 1) -> PointerEvent:
    return PointerEvent(kind, x, y, time_ms, button=button)  # type: ignore[arg-type]


def finger(kind: str, x: float, y: float, time_ms: int, number: int = 1) -> PointerEvent:
    return PointerEvent(kind, x, y, time_ms, f"finger {number}")  # type: ignore[arg-type]


def strokes_of(*events: PointerEvent) -> list[PointerStroke]:
    pointer = Pointer()
    return [stroke for event in events for stroke in pointer.feed(event)]


def test_press_and_release_is_one_tap() -> None:
    assert strokes_of(mouse("down", 10, 20, 0), mouse("up", 12, 21, 90)) == [PointerStroke("tap", (10, 20), (10, 20))]


def test_finger_reported_as_finger_and_as_mouse_is_one_tap() -> None:
    both = (
        finger("down", 100, 100, 0),
        mouse("down", 101, 100, 1),
        finger("up", 100, 100, 60),
        mouse("up", 101, 100, 61),
    )
    assert [stroke.kind for stroke in strokes_of(*both)] == ["tap"]


def test_mouse_copy_that_comes_after_the_finger_left_is_dropped() -> None:
    late = (
        finger("down", 100, 100, 0),
        finger("up", 100, 100, 40),
        mouse("down", 104, 96, 80),
        mouse("up", 104, 96, 110),
    )
    assert [stroke.kind for stroke in strokes_of(*late)] == ["tap"]


def test_mouse_click_long_after_a_touch_counts() -> None:
    events = (finger("down", 5, 5, 0), finger("up", 5, 5, 40), mouse("down", 5, 5, 400), mouse("up", 5, 5, 450))
    assert [stroke.kind for stroke in strokes_of(*events)] == ["tap", "tap"]


def test_touch_that_arrives_only_as_mouse_counts() -> None:
    assert [s.kind for s in strokes_of(mouse("down", 5, 5, 0), mouse("up", 5, 5, 50))] == ["tap"]


def test_bouncing_panel_gives_one_tap() -> None:
    events = (
        finger("down", 50, 50, 0),
        finger("up", 50, 50, 100),
        finger("down", 52, 50, 130),
        finger("up", 52, 50, 200),
    )
    assert [stroke.kind for stroke in strokes_of(*events)] == ["tap"]


def test_two_quick_taps_of_a_finger_count_twice() -> None:
    events = (
        finger("down", 50, 50, 0),
        finger("up", 50, 50, 60),
        finger("down", 50, 50, 180),
        finger("up", 50, 50, 240),
    )
    assert [stroke.kind for stroke in strokes_of(*events)] == ["tap", "tap"]


def test_drag_begins_beyond_eight_pixels_and_ends_where_it_is_let_go() -> None:
    still = strokes_of(mouse("down", 0, 0, 0), mouse("move", 8, 0, 10), mouse("up", 8, 0, 20))
    moved = strokes_of(mouse("down", 0, 0, 0), mouse("move", 9, 0, 10), mouse("up", 60, 5, 20))
    assert still[0].kind == "tap"
    assert moved == [PointerStroke("drag", (0, 0), (60, 5))]


def test_drag_that_returns_to_its_start_is_still_a_drag() -> None:
    events = (mouse("down", 0, 0, 0), mouse("move", 50, 0, 10), mouse("move", 0, 0, 20), mouse("up", 0, 0, 30))
    assert [stroke.kind for stroke in strokes_of(*events)] == ["drag"]


def test_long_press_is_reported_while_held_and_its_release_means_nothing() -> None:
    pointer = Pointer()
    pointer.feed(finger("down", 7, 7, 0))
    assert pointer.tick(499) == []
    assert pointer.tick(500) == [PointerStroke("long_press", (7, 7), (7, 7))]
    assert pointer.tick(900) == []
    assert pointer.feed(finger("up", 7, 7, 950)) == []


def test_drag_does_not_become_a_long_press() -> None:
    pointer = Pointer()
    pointer.feed(mouse("down", 0, 0, 0))
    pointer.feed(mouse("move", 40, 0, 100))
    assert pointer.tick(2000) == []
    assert pointer.dragged_to == (40, 0)


def test_right_click_is_a_long_press() -> None:
    events = (mouse("down", 3, 4, 0, button=3), mouse("up", 3, 4, 30, button=3))
    assert strokes_of(*events) == [PointerStroke("long_press", (3, 4), (3, 4))]


def test_second_finger_is_ignored_while_the_first_is_down() -> None:
    events = (
        finger("down", 0, 0, 0, 1),
        finger("down", 500, 500, 10, 2),
        finger("up", 500, 500, 20, 2),
        finger("up", 0, 0, 30, 1),
    )
    assert strokes_of(*events) == [PointerStroke("tap", (0, 0), (0, 0))]


def test_cancelled_press_means_nothing() -> None:
    pointer = Pointer()
    pointer.feed(mouse("down", 0, 0, 0))
    pointer.cancel()
    assert pointer.pressed_at is None
    assert pointer.feed(mouse("up", 0, 0, 50)) == []


@pytest.mark.parametrize(("rotation", "corner"), [(0, (0, 0)), (90, (0, 400)), (180, (400, 300)), (270, (300, 0))])
def test_top_left_of_the_screen_is_this_corner_of_the_turned_picture(rotation: int, corner: tuple[int, int]) -> None:
    assert turned(0, 0, (400, 300), rotation) == corner


def test_rotation_by_an_odd_angle_is_refused() -> None:
    with pytest.raises(ValueError, match="45"):
        turned(0, 0, (10, 10), 45)


@given(
    st.tuples(st.floats(0.5, 1.5), st.floats(-0.2, 0.2), st.floats(-0.2, 0.2)),
    st.tuples(st.floats(-0.2, 0.2), st.floats(0.5, 1.5), st.floats(-0.2, 0.2)),
)
def test_calibration_recovers_the_panel_it_was_measured_on(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> None:
    def panel(x: float, y: float) -> tuple[float, float]:
        return first[0] * x + first[1] * y + first[2], second[0] * x + second[1] * y + second[2]

    reported = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]
    found = calibrate(reported, [panel(*point) for point in reported])
    assert [found.a, found.b, found.c, found.d, found.e, found.f] == pytest.approx([*first, *second], abs=1e-6)


def test_calibrated_points_stay_on_the_screen() -> None:
    assert Calibration(a=2, e=2)(0.9, -0.4) == (1.0, 0.0)


def test_calibration_points_on_one_line_are_refused() -> None:
    line = [(0.1, 0.1), (0.5, 0.5), (0.9, 0.9)]
    with pytest.raises(ValueError, match="line"):
        calibrate(line, line)
