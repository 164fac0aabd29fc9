"""The frame buffer's back end on plain memory: every pixel arrives, converted, and nothing beside it is touched."""

import errno
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from pytest_mock import MockerFixture

from display.canvas import Shelves
from display.draw_list import Box, DrawList, Panel
from display.evdev import KEYBOARD, MOUSE, TOUCH_SCREEN, touch_devices
from display.frame_buffer import FrameBuffer, FrameBufferError, Layout, read_layout
from display.window import DisplayUnavailable, Window

XRGB = Layout(160, 90, 700, 32, (0xFF0000, 0xFF00, 0xFF), offset=36)
"""With bytes after each line and before the first, as a driver with panning has them."""
RGB565 = Layout(160, 90, 352, 16, (0xF800, 0x7E0, 0x1F), offset=8)
XBGR = replace(XRGB, masks=(0xFF, 0xFF00, 0xFF0000))
RGB888 = replace(XRGB, bits=24)
UNTOUCHED = 0xA5
GREEN = Panel(Box(0, 0, 1920, 1080), (10, 90, 60))
RED = Panel(Box(480, 360, 240, 120), (250, 4, 8))


@pytest.fixture(autouse=True)
def own_drivers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_EVDEV_DEVICES", "")
    yield
    pygame.display.quit()


def plain_file(folder: Path, layout: Layout) -> Path:
    path = folder / "fb0"
    path.write_bytes(bytes([UNTOUCHED]) * layout.length)
    return path


def pixel(memory: bytes, layout: Layout, x: int, y: int) -> int:
    size = layout.bits // 8
    start = layout.offset + y * layout.stride + x * size
    return int.from_bytes(memory[start : start + size], "little")


def coded(layout: Layout, colour: tuple[int, int, int]) -> int:
    """A colour as this layout has it, computed by hand: the highest bits of each part under its mask."""
    total = 0
    for part, mask in zip(colour, layout.masks, strict=True):
        shift = (mask & -mask).bit_length() - 1
        total |= part >> (8 - (mask >> shift).bit_length()) << shift
    return total


def rgb(surface: pygame.Surface, x: int, y: int) -> tuple[int, int, int]:
    colour = surface.get_at((x, y))
    return colour.r, colour.g, colour.b


@pytest.mark.parametrize("layout", [XRGB, RGB565, XBGR, RGB888])
def test_every_pixel_of_a_picture_arrives(layout: Layout, tmp_path: Path) -> None:
    path = plain_file(tmp_path, layout)
    screen = pygame.Surface((160, 90), 0, 32)
    for x in range(160):
        for y in range(90):
            screen.set_at((x, y), (x, 2 * y, 255 - x))
    buffer = FrameBuffer(path, layout)
    buffer.show(screen, [(0, 0, 160, 90)])
    buffer.close()
    memory = path.read_bytes()
    wrong = [
        (x, y)
        for x in range(160)
        for y in range(90)
        if pixel(memory, layout, x, y) != coded(layout, (x, 2 * y, 255 - x))
    ]
    assert not wrong


@pytest.mark.parametrize("layout", [XRGB, RGB565])
def test_only_changed_places_are_copied(layout: Layout, tmp_path: Path) -> None:
    path = plain_file(tmp_path, layout)
    screen = pygame.Surface((160, 90), 0, 32)
    screen.fill((255, 255, 255))
    buffer = FrameBuffer(path, layout)
    buffer.show(screen, [(10, 20, 30, 5), (150, 80, 100, 100)])
    memory = path.read_bytes()
    size = layout.bits // 8
    touched = {index for index, byte in enumerate(memory) if byte != UNTOUCHED}
    inside = {
        layout.offset + y * layout.stride + x * size + byte
        for left, top, right, bottom in ((10, 20, 40, 25), (150, 80, 160, 90))
        for y in range(top, bottom)
        for x in range(left, right)
        for byte in range(size)
    }
    assert touched == inside
    buffer.close()


@pytest.mark.parametrize("layout", [XRGB, RGB565])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_window_shows_frames_and_their_changes_on_it(
    layout: Layout, rotation: int, tmp_path: Path, shelves: Shelves
) -> None:
    path = plain_file(tmp_path, layout)
    window = Window(rotation=rotation, shelves=shelves, open_frame_buffer=lambda: FrameBuffer(path, layout))

    def agrees() -> bool:
        memory, screen = path.read_bytes(), pygame.display.get_surface()
        return all(
            pixel(memory, layout, x, y) == coded(layout, rgb(screen, x, y)) for x in range(160) for y in range(90)
        )

    assert pygame.display.get_surface().get_size() == (160, 90)
    assert window.show(DrawList((GREEN,), 1))
    assert agrees()
    assert window.show(DrawList((GREEN, RED), 1))
    assert 0 < window.painted_pixels < 160 * 90 / 4
    assert agrees()
    assert any(
        pixel(path.read_bytes(), layout, x, y) == coded(layout, (250, 4, 8)) for x in range(160) for y in range(90)
    )
    assert not window.show(DrawList((GREEN, RED), 1))
    window.close()
    assert any(byte != 0 for byte in path.read_bytes()), "the last picture stays for whoever comes next"


def test_a_window_closed_twice_and_the_full_screen_key_do_no_harm(tmp_path: Path, shelves: Shelves) -> None:
    path = plain_file(tmp_path, XRGB)
    window = Window(fullscreen=True, shelves=shelves, open_frame_buffer=lambda: FrameBuffer(path, XRGB))
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_F11, unicode="", mod=0, scancode=0))
    assert window.poll() == []
    assert pygame.display.get_surface().get_size() == (160, 90)
    window.close()
    window.close()


def kernel_structures(bits: int, offsets: tuple[int, int, int], lengths: tuple[int, int, int]) -> tuple[bytes, bytes]:
    fields = [value for pair in zip(offsets, lengths, strict=True) for value in (*pair, 0)]
    variable = struct.pack("@8I9I", 800, 480, 800, 960, 0, 480, bits, 0, *fields).ljust(160, b"\0")
    fixed = struct.pack("@16sL4I3HI", b"simple", 0x3C100000, 3264 * 960, 0, 0, 2, 0, 1, 0, 3264).ljust(96, b"\0")
    return variable, fixed


def test_the_layout_is_what_the_kernel_says() -> None:
    assert read_layout(*kernel_structures(32, (16, 8, 0), (8, 8, 8))) == Layout(
        800, 480, 3264, 32, (0xFF0000, 0xFF00, 0xFF), 480 * 3264
    )
    assert read_layout(*kernel_structures(16, (11, 5, 0), (5, 6, 5))).masks == (0xF800, 0x7E0, 0x1F)


@pytest.mark.parametrize(("bits", "lengths"), [(8, (8, 8, 8)), (16, (0, 0, 0)), (1, (1, 1, 1))])
def test_pixels_without_colours_are_refused(bits: int, lengths: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="set 16 or 32 bits"):
        read_layout(*kernel_structures(bits, (0, 0, 0), lengths))


def test_a_machine_without_one_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FrameBufferError, match=r"connect a screen, or choose another display\.driver"):
        FrameBuffer(tmp_path / "fb0")
    with pytest.raises(FrameBufferError, match="is not a frame buffer"):
        FrameBuffer(plain_file(tmp_path, XRGB))
    with pytest.raises(DisplayUnavailable, match="connect a screen"):
        Window(open_frame_buffer=lambda: FrameBuffer(tmp_path / "fb1"))


def test_a_device_without_permission_names_the_group(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch("os.open", side_effect=PermissionError(errno.EACCES, "Permission denied"))
    with pytest.raises(FrameBufferError, match="group video"):
        FrameBuffer(tmp_path / "fb0", XRGB)


def input_device(inputs: Path, name: str, *, key: str = "0", absolute: str = "0", properties: str = "0") -> None:
    (inputs / name / "device/capabilities").mkdir(parents=True)
    for file, text in (("capabilities/key", key), ("capabilities/abs", absolute), ("properties", properties)):
        (inputs / name / "device" / file).write_text(text + "\n", encoding="ascii")


def test_touch_screens_mice_and_keyboards_are_told_to_sdl(tmp_path: Path) -> None:
    input_device(tmp_path, "event0", key="10000000000000 0")  # a power button
    input_device(tmp_path, "event1", key="400 0 0 0 0 0", absolute="260800000000003", properties="2")
    input_device(tmp_path, "event2", key="1f0000 0 0 0 0")
    input_device(tmp_path, "event10", key="ffffffffffffff fffffffffffffffe")
    input_device(
        tmp_path, "event3", key="e520 10000 0 0 0 0", absolute="260800000000003", properties="1"
    )  # a touch pad
    assert touch_devices(tmp_path) == (
        f"{TOUCH_SCREEN}:/dev/input/event1,{MOUSE}:/dev/input/event2,{KEYBOARD}:/dev/input/event10"
    )
    assert touch_devices(tmp_path / "none") == ""
