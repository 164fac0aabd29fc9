"""The window on SDL's dummy screen: events become gestures, frames reach the screen only when they change."""

import sys
from pathlib import Path

import pygame
import pytest

from display.canvas import Shelves
from display.draw_list import Box, DrawList, Hit, Panel
from display.view_model import Gesture
from display.window import DisplayUnavailable, Window

GROUND = Panel(Box(0, 0, 1920, 1080), (10, 90, 60))
FRAME = DrawList(
    (
        GROUND,
        Hit("button:deal", Box(1600, 900, 300, 150)),
        Hit("chip:500", Box(100, 800, 100, 100)),
        Hit("box:1", Box(800, 500, 200, 200), enabled=False),
    ),
    1,
)


def rgb(surface: pygame.Surface, x: int, y: int) -> tuple[int, int, int]:
    colour = surface.get_at((x, y))
    return colour.r, colour.g, colour.b


def post(kind: int, **fields: object) -> None:
    pygame.event.post(pygame.event.Event(kind, fields))


def mouse(kind: int, x: int, y: int, button: int = 1) -> None:
    """Post a mouse event at a logical point of the table on a window of 960 x 540."""
    extra: dict[str, object] = (
        {"buttons": (1, 0, 0), "rel": (0, 0)} if kind == pygame.MOUSEMOTION else {"button": button}
    )
    post(kind, pos=(x // 2, y // 2), touch=False, **extra)


def finger(kind: int, x: float, y: float) -> None:
    post(kind, x=x / 1920, y=y / 1080, dx=0, dy=0, finger_id=3, touch_id=1)


def key(code: int) -> None:
    post(pygame.KEYDOWN, key=code, unicode="", mod=0, scancode=0)


@pytest.fixture(autouse=True)
def empty_queue(window: Window) -> None:
    window.show(FRAME)
    window.poll()


def test_click_on_a_place_is_a_tap_on_its_target(window: Window) -> None:
    mouse(pygame.MOUSEBUTTONDOWN, 1700, 950)
    mouse(pygame.MOUSEBUTTONUP, 1700, 950)
    assert window.poll() == [Gesture("button:deal")]


def test_click_beside_every_place_means_nothing(window: Window) -> None:
    mouse(pygame.MOUSEBUTTONDOWN, 400, 100)
    mouse(pygame.MOUSEBUTTONUP, 400, 100)
    assert window.poll() == []


def test_disabled_place_is_reported_so_that_the_refusal_can_be_explained(window: Window) -> None:
    mouse(pygame.MOUSEBUTTONDOWN, 900, 600)
    mouse(pygame.MOUSEBUTTONUP, 900, 600)
    assert window.poll() == [Gesture("box:1")]


def test_finger_and_its_mouse_copy_are_one_tap(window: Window) -> None:
    finger(pygame.FINGERDOWN, 1700, 950)
    mouse(pygame.MOUSEBUTTONDOWN, 1700, 950)
    finger(pygame.FINGERUP, 1700, 950)
    mouse(pygame.MOUSEBUTTONUP, 1700, 950)
    assert window.poll() == [Gesture("button:deal")]


def test_chip_dragged_onto_a_box(window: Window) -> None:
    mouse(pygame.MOUSEBUTTONDOWN, 150, 850)
    mouse(pygame.MOUSEMOTION, 500, 700)
    mouse(pygame.MOUSEBUTTONUP, 900, 600)
    assert window.poll() == [Gesture("chip:500", "drag", "box:1")]


def test_drag_that_ends_on_its_own_place_is_a_tap(window: Window) -> None:
    mouse(pygame.MOUSEBUTTONDOWN, 1620, 920)
    mouse(pygame.MOUSEMOTION, 1700, 950)
    mouse(pygame.MOUSEBUTTONUP, 1700, 950)
    assert window.poll() == [Gesture("button:deal")]


def test_right_click_is_a_long_press(window: Window) -> None:
    mouse(pygame.MOUSEBUTTONDOWN, 900, 600, button=3)
    mouse(pygame.MOUSEBUTTONUP, 900, 600, button=3)
    assert window.poll() == [Gesture("box:1", "long_press")]


@pytest.mark.parametrize(
    ("code", "target"),
    [
        (pygame.K_1, "slot:1"),
        (pygame.K_9, "slot:9"),
        (pygame.K_0, "slot:10"),
        (pygame.K_MINUS, "slot:11"),
        (pygame.K_EQUALS, "slot:12"),
        (pygame.K_KP_7, "slot:7"),
        (pygame.K_SPACE, "key:primary"),
        (pygame.K_RETURN, "key:primary"),
        (pygame.K_ESCAPE, "key:escape"),
        (pygame.K_F1, "key:help"),
        (pygame.K_l, "key:language"),
        (pygame.K_DOWN, "key:down"),
    ],
)
def test_keys_stand_for_buttons(window: Window, code: int, target: str) -> None:
    key(code)
    assert window.poll() == [Gesture(target)]


def test_key_without_meaning_is_ignored(window: Window) -> None:
    key(pygame.K_z)
    assert window.poll() == []


def test_closing_the_window_is_a_gesture(window: Window) -> None:
    post(pygame.QUIT)
    assert window.poll() == [Gesture("window:close")]


def test_unchanged_frame_is_not_shown_again(window: Window) -> None:
    assert not window.show(DrawList(FRAME.items, 1))
    assert window.painted_pixels == 0


def test_changed_frame_repaints_only_its_change(window: Window) -> None:
    assert window.show(DrawList((*FRAME.items, Panel(Box(0, 0, 100, 100), (200, 0, 0))), 1))
    assert window.painted_pixels == 50 * 50


def test_pressed_place_lights_up_at_once_and_goes_dark_again(window: Window, tmp_path: Path) -> None:
    def corner() -> tuple[int, ...]:
        window.show(FRAME)
        window.screenshot(tmp_path / "now.png")
        return rgb(pygame.image.load(tmp_path / "now.png"), 900, 500)

    dark = corner()
    mouse(pygame.MOUSEBUTTONDOWN, 1700, 950)
    window.poll()
    lit = corner()
    mouse(pygame.MOUSEBUTTONUP, 1700, 950)
    window.poll()
    assert lit > dark
    assert corner() == dark


def test_losing_the_focus_drops_a_press(window: Window) -> None:
    mouse(pygame.MOUSEBUTTONDOWN, 1700, 950)
    post(pygame.WINDOWFOCUSLOST)
    mouse(pygame.MOUSEBUTTONUP, 1700, 950)
    assert window.poll() == []


def test_exposed_window_is_shown_whole(window: Window) -> None:
    post(pygame.WINDOWEXPOSED)
    window.poll()
    assert window.show(FRAME)


@pytest.mark.parametrize("size", [(640, 360), (1280, 720), (500, 900)])
def test_resized_window_shows_the_whole_picture_and_takes_its_touches(window: Window, size: tuple[int, int]) -> None:
    pygame.display.set_mode(size, pygame.RESIZABLE)
    assert window.show(FRAME)
    scale = min(size[0] / 1920, size[1] / 1080)
    x, y = size[0] // 2 + round((1700 - 960) * scale), size[1] // 2 + round((950 - 540) * scale)
    assert rgb(pygame.display.get_surface(), x, y) == (10, 90, 60)
    window.poll()
    post(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1, touch=False)
    post(pygame.MOUSEBUTTONUP, pos=(x, y), button=1, touch=False)
    assert window.poll() == [Gesture("button:deal")]


def test_wake_ends_a_wait_and_means_nothing_else(window: Window) -> None:
    window.wake()
    window.tick(animating=False)
    assert window.poll() == []


def test_event_that_ended_a_wait_is_not_lost(window: Window) -> None:
    key(pygame.K_5)
    while window.poll() != [Gesture("slot:5")]:
        window.tick(animating=False)


def test_an_event_that_ended_a_wait_is_whole(window: Window) -> None:
    """pygame 2.6 lets go of a posted event's dictionary when it is asked whether there is any event."""
    window.show(FRAME)
    for _ in range(20):  # until nothing is left to be prepared
        window.wake()
        window.tick(animating=False)
    event = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE)
    holders = []
    for _ in range(5):
        pygame.event.post(event)
        window.tick(animating=False)
        window.tick(animating=False)
        assert window.poll() == [Gesture("key:primary")]
        holders.append(sys.getrefcount(event.dict))
    assert holders == [holders[0]] * 5


def test_one_draw_list_per_area_is_asked_for(window: Window) -> None:
    with pytest.raises(ValueError, match="2 draw lists for 1 areas"):
        window.show(FRAME, FRAME)


def test_areas_answer_for_their_own_places(shelves: Shelves) -> None:
    window = Window(areas=((1920, 1080), (520, 1080)), size=(1220, 540), shelves=shelves)
    panel = DrawList((Panel(Box(0, 0, 520, 1080), (40, 40, 40)), Hit("cabinet:plug", Box(100, 100, 200, 100))), 1)
    window.show(FRAME, panel)
    window.poll()
    for x, y in ((960 + 100, 75), (850, 475)):
        post(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1, touch=False)
        post(pygame.MOUSEBUTTONUP, pos=(x, y), button=1, touch=False)
    assert window.poll() == [Gesture("cabinet:plug"), Gesture("button:deal")]
    window.close()


@pytest.mark.parametrize(("rotation", "size"), [(90, (540, 960)), (180, (960, 540)), (270, (540, 960))])
def test_turned_picture_takes_touches_where_they_are_seen(
    rotation: int, size: tuple[int, int], shelves: Shelves
) -> None:
    window = Window(size=size, rotation=rotation, shelves=shelves)
    lit = DrawList((*FRAME.items, Panel(Box(1600, 900, 300, 150), (250, 0, 0))), 1)
    window.show(FRAME)
    window.show(lit)
    window.poll()
    surface = pygame.display.get_surface()
    red = [(x, y) for x in range(0, size[0], 5) for y in range(0, size[1], 5) if rgb(surface, x, y) == (250, 0, 0)]
    assert red
    x, y = red[len(red) // 2]
    post(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1, touch=False)
    post(pygame.MOUSEBUTTONUP, pos=(x, y), button=1, touch=False)
    assert window.poll() == [Gesture("button:deal")]
    window.close()


def test_without_a_screen_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":977")
    with pytest.raises(DisplayUnavailable, match="headless"):
        Window()


@pytest.mark.parametrize(
    ("rotation", "size"), [(0, (960, 540)), (90, (540, 960)), (180, (960, 540)), (270, (540, 960))]
)
def test_touch_at_a_cross_tells_where_the_panel_felt_it_and_where_the_cross_is(
    rotation: int, size: tuple[int, int], shelves: Shelves
) -> None:
    window = Window(size=size, rotation=rotation, shelves=shelves)
    try:
        window.show(DrawList((GROUND, Hit("touch:cross:480.270", Box(0, 0, 1920, 1080))), 1))
        window.poll()
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            post(kind, x=0.4, y=0.3, dx=0, dy=0, finger_id=3, touch_id=1)
        (gesture,) = window.poll()
        x, y, wanted_x, wanted_y = (int(part) for part in gesture.target.removeprefix("touch:cross:").split("."))
        assert (x, y) == (400_000, 300_000)
        places = {0: (0.25, 0.25), 90: (0.75, 0.25), 180: (0.75, 0.75), 270: (0.25, 0.75)}
        assert (wanted_x / 1e6, wanted_y / 1e6) == pytest.approx(places[rotation], abs=0.01)
    finally:
        window.close()


def test_a_panel_that_is_off_is_put_right_by_its_calibration(window: Window) -> None:
    window.calibrate((1_000_000, 0, -100_000, 0, 1_000_000, 0))
    for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
        post(kind, x=1700 / 1920 + 0.1, y=950 / 1080, dx=0, dy=0, finger_id=3, touch_id=1)
    assert window.poll() == [Gesture("button:deal")]
    window.calibrate(())
