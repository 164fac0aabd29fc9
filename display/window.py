"""The window: the only user of pygame's display and event queue.

The main thread's loop is::

    window = Window(size=(1280, 720))
    while True:
        for gesture in window.poll():
            ...  # Gesture("window:close") when the player closed it
        window.show(draw_list)  # one draw list per area
        window.tick(animating=draw_list.animating, wake_ms=draw_list.wake_ms)

`tick` waits for the next frame while something moves, and otherwise for an event, so an idle window costs nothing;
another thread calls `wake` when there is something new to show. What gestures mean:

* A touch, click, drag or long press (also a right click) gives a `Gesture` whose target is the topmost `Hit` of the frame.
  Disabled places give gestures too, so that the refusal can say why.
* Keys: 1 to 9, 0, - and = are the twelve physical buttons, ``slot:1`` to ``slot:12``. Space and Enter are ``key:primary``,
  Escape ``key:escape``, F1 ``key:help``, L ``key:language``, S ``key:sound``, arrows and the wheel ``key:up``, ``key:down``,
  ``key:left``, ``key:right``. F11 switches full screen.

Python's garbage collector runs only between frames here. Not responsible for painting (`display.canvas`), for what a frame
holds or for what a gesture means.
"""

import gc
import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pygame

from display.assets import sprite_exists
from display.canvas import Canvas, Shelves, side_by_side
from display.canvas_diff import Rect
from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, Box, DrawList, Item, Panel, Sprite
from display.evdev import touch_devices
from display.frame_buffer import FrameBuffer, FrameBufferError
from display.memory import give_holes_back
from display.pointer import DRAG_THRESHOLD, Calibration, Pointer, PointerEvent, PointerStroke, turned
from display.view_model import Gesture

FRAMES_PER_SECOND = 60
IDLE_WAIT_MS = 500
_PRESSED_WAIT_MS = 20
"""While something is pressed, time decides whether it becomes a long press."""
_LOOK_S = 0.003
"""How often an idle window looks for input."""
_PREPARE_MS = 6.0
_COLLECT_EVERY_S = 30.0
_SLOT_KEYS = "1234567890-="
_KEYS = {
    pygame.K_SPACE: "key:primary",
    pygame.K_RETURN: "key:primary",
    pygame.K_KP_ENTER: "key:primary",
    pygame.K_ESCAPE: "key:escape",
    pygame.K_F1: "key:help",
    pygame.K_l: "key:language",
    pygame.K_s: "key:sound",
    pygame.K_UP: "key:up",
    pygame.K_DOWN: "key:down",
    pygame.K_LEFT: "key:left",
    pygame.K_RIGHT: "key:right",
}
_AWAITED = (
    pygame.QUIT,
    pygame.KEYDOWN,
    pygame.MOUSEBUTTONDOWN,
    pygame.MOUSEBUTTONUP,
    pygame.MOUSEMOTION,
    pygame.MOUSEWHEEL,
    pygame.FINGERDOWN,
    pygame.FINGERUP,
    pygame.FINGERMOTION,
    pygame.VIDEOEXPOSE,
    pygame.VIDEORESIZE,
    pygame.WINDOWEXPOSED,
    pygame.WINDOWSIZECHANGED,
    pygame.WINDOWFOCUSLOST,
)
"""What ends the wait of an idle window. Always by kind: asked for any event, pygame 2.6 makes one of what it finds, and lets go of
a posted event's dictionary that the queue still holds."""
_ENVIRONMENT = {
    # One touch, one event: our own pointer layer joins the two families.
    "SDL_TOUCH_MOUSE_EVENTS": "0",
    "SDL_MOUSE_TOUCH_EVENTS": "0",
    "SDL_VIDEO_ALLOW_SCREENSAVER": "0",
    # On a bare console: one frame less between a touch and its light.
    "SDL_VIDEO_DOUBLE_BUFFER": "1",
    "SDL_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR": "0",
    "SDL_VIDEO_X11_WMCLASS": "croupier",
    "SDL_VIDEO_WAYLAND_WMCLASS": "croupier",
}
_PRESSED: tuple[int, int, int, int] = (255, 255, 255, 40)


class DisplayUnavailable(Exception):
    """There is no screen to open a window on; the message says what to do."""


class Window:
    """A window that shows one or more areas beside each other."""

    def __init__(
        self,
        *,
        areas: Sequence[tuple[int, int]] = ((CANVAS_WIDTH, CANVAS_HEIGHT),),
        size: tuple[int, int] | None = None,
        fullscreen: bool = False,
        rotation: int = 0,
        title: str = "Croupier",
        pointer_visible: bool = True,
        calibration: Calibration | None = None,
        shelves: Shelves | None = None,
        open_frame_buffer: Callable[[], FrameBuffer] | None = None,
    ) -> None:
        """Open the window. ``areas`` are the logical sizes of what is shown, from left to right.

        ``size`` is the window's size in pixels (default: as large as fits the desktop comfortably); ``rotation`` turns
        the picture clockwise by 0, 90, 180 or 270 degrees. With ``open_frame_buffer`` the picture goes to that frame
        buffer and has its size. Raises DisplayUnavailable when there is no screen.
        """
        self._frame_buffer: FrameBuffer | None = None
        if open_frame_buffer is not None:
            try:
                self._frame_buffer = open_frame_buffer()
            except FrameBufferError as error:
                raise DisplayUnavailable(str(error)) from error
            size, fullscreen = self._frame_buffer.size, False
        _start_video(in_memory=self._frame_buffer is not None)
        self._areas = tuple(areas)
        self._rotation = rotation
        self._calibration = calibration or Calibration()
        self._shelves = shelves or Shelves()
        self._fullscreen = fullscreen
        self._windowed_size = size or _comfortable_size(self._areas)
        pygame.display.set_caption(title)
        self._lost = True
        self._open()
        pygame.mouse.set_visible(pointer_visible)
        pygame.key.set_repeat()
        self._frames: tuple[DrawList, ...] = ()
        self._clock = pygame.time.Clock()
        self._collected_at = time.monotonic()
        self._woken = threading.Event()
        self._settled = False
        self.painted_pixels = 0
        """Pixels repainted by the last `show`."""

    # --- The three calls of the loop ---

    def poll(self) -> list[Gesture]:
        """Return what the player did since the last call."""
        gestures: list[Gesture] = []
        self._woken.clear()
        for event in pygame.event.get():
            gestures += self._gestures(event)
        for stroke in self._pointer.tick(pygame.time.get_ticks()):
            gestures += self._resolve(stroke)
        return gestures

    def show(self, *frames: DrawList) -> bool:
        """Bring the screen up to one draw list per area; tell whether anything had to be repainted."""
        if len(frames) != len(self._areas):
            raise ValueError(f"{len(frames)} draw lists for {len(self._areas)} areas")
        self._frames = frames
        if pygame.display.get_surface() is not self._screen or self._screen.get_size() != self._fitted:
            # The window was resized, perhaps only this moment.
            self._fit()
        changed: list[Rect] = []
        for index, (canvas, place) in enumerate(zip(self._canvases, self._places, strict=True)):
            target = self._picture.subsurface(place)
            rects = canvas.paint(self._with_feedback(index, frames[index]), target, patient=True)
            changed += [(x + place[0], y + place[1], w, h) for x, y, w, h in rects]
        self.painted_pixels = sum(w * h for _, _, w, h in changed)
        if self._lost:
            # The letterbox belongs to no canvas.
            changed = [(0, 0, *self._picture.get_size())]
            self._lost = False
        if changed:
            self._present(changed)
        return bool(changed)

    def tick(self, *, animating: bool, wake_ms: float = 0) -> None:
        """Wait for the next frame (``animating``), or for something to happen.

        ``wake_ms`` is when the frame changes by itself, in milliseconds of `time.monotonic`; 0 for never.
        """
        if not self._settled and self._frames:
            # Everything made so far stays: the collector need not look at it again.
            self._settled = True
            gc.collect()
            gc.freeze()
            gc.disable()
        if animating or any(canvas.unfinished for canvas in self._canvases):
            self._clock.tick(FRAMES_PER_SECOND)
            self._collect(0)
            return
        if self._canvases[0].prepare(_PREPARE_MS):
            return
        self._collect(2)
        wait_ms = IDLE_WAIT_MS if self._pointer.pressed_at is None else _PRESSED_WAIT_MS
        if wake_ms:
            wait_ms = max(1, min(wait_ms, math.ceil(wake_ms - time.monotonic() * 1000)))
        self._wait(wait_ms)

    def _wait(self, milliseconds: float) -> None:
        """Wait for an event, a wake or the end of the time. SDL's own wait looks a thousand times a second."""
        end = time.monotonic() + milliseconds / 1000
        while not pygame.event.peek(_AWAITED):
            left = end - time.monotonic()
            if left <= 0 or self._woken.wait(min(left, _LOOK_S)):
                return

    def _collect(self, thoroughness: int) -> None:
        """Collect garbage between frames: the newest always, older now and then."""
        now = time.monotonic()
        if now - self._collected_at > _COLLECT_EVERY_S:
            self._collected_at = now
            gc.collect(max(1, thoroughness))
            if thoroughness == 2:
                give_holes_back()
        elif thoroughness == 0:
            gc.collect(0)

    def wake(self) -> None:
        """End a wait in `tick`; may be called by any thread."""
        self._woken.set()

    def screenshot(self, path: Path) -> None:
        """Write what the window shows as a PNG file. Raises OSError when it cannot be written."""
        try:
            pygame.image.save(self._picture, str(path))
        except pygame.error as error:
            raise OSError(f"cannot write {path}: {error}") from error

    def close(self) -> None:
        """Close the window."""
        gc.enable()
        pygame.display.quit()
        if self._frame_buffer is not None:
            self._frame_buffer.close()

    # --- Opening and presenting ---

    def _open(self) -> None:
        flags = pygame.FULLSCREEN if self._fullscreen else pygame.RESIZABLE
        try:
            pygame.display.set_mode((0, 0) if self._fullscreen else self._windowed_size, flags)
        except pygame.error as error:
            raise DisplayUnavailable(f"cannot open a window ({error}); {_REMEDY}") from error
        self._fit()

    def _fit(self) -> None:
        self._screen = pygame.display.get_surface()
        self._fitted = width, height = self._screen.get_size()
        upright = (height, width) if self._rotation in (90, 270) else (width, height)
        self._picture = self._screen if self._rotation == 0 else pygame.Surface(upright, 0, 32)
        self._screen.fill((0, 0, 0))
        self._picture.fill((0, 0, 0))
        self._places = side_by_side(upright, self._areas)
        self._canvases = [
            Canvas(place[2:], self._shelves, area) for place, area in zip(self._places, self._areas, strict=True)
        ]
        self._pointer = Pointer(DRAG_THRESHOLD * self._canvases[0].scale)
        self._lost = True

    def _present(self, rects: list[Rect]) -> None:
        if self._rotation == 0:
            self._update(rects)
            return
        width, height = self._screen.get_size()
        moved = []
        for x, y, w, h in rects:
            part = pygame.transform.rotate(self._picture.subsurface((x, y, w, h)), -self._rotation)
            where = {
                90: (width - y - h, x),
                180: (width - x - w, height - y - h),
                270: (y, height - x - w),
            }[self._rotation]
            moved.append(self._screen.blit(part, where))
        self._update(moved)

    def _update(self, rects: Sequence[Rect | pygame.Rect]) -> None:
        if self._frame_buffer is None:
            pygame.display.update(rects)
        else:
            self._frame_buffer.show(self._screen, rects)

    def _with_feedback(self, index: int, frame: DrawList) -> DrawList:
        """Return the frame with a light on the place that is pressed, and a dragged chip under the pointer."""
        start = self._pointer.pressed_at
        if start is None or not self._inside(index, start):
            return frame
        hit = frame.hit(*self._logical(index, start))
        if hit is None:
            return frame
        extra: list[Item] = []
        at = self._pointer.dragged_to
        if at is not None and sprite_exists(hit.target):
            x, y = self._logical(index, at)
            extra.append(Sprite(hit.target, Box(x - 48, y - 60, 96, 96)))
        elif at is None:
            extra.append(Panel(hit.box, _PRESSED, radius=14))
        return replace(frame, items=(*frame.items, *extra))

    # --- Events ---

    def _gestures(self, event: pygame.event.Event) -> list[Gesture]:
        match event.type:
            case pygame.QUIT:
                return [Gesture("window:close")]
            case pygame.KEYDOWN:
                return self._key(event)
            case pygame.MOUSEWHEEL:
                return [Gesture("key:up" if event.y > 0 else "key:down")] if event.y else []
            case pygame.WINDOWEXPOSED | pygame.VIDEOEXPOSE:
                self._lost = True
            case pygame.WINDOWFOCUSLOST:
                self._pointer.cancel()
            case _:
                pointed = self._pointer_event(event)
                if pointed is not None:
                    strokes = self._pointer.feed(pointed)
                    return [gesture for stroke in strokes for gesture in self._resolve(stroke)]
        return []

    def _key(self, event: pygame.event.Event) -> list[Gesture]:
        if event.key == pygame.K_F11:
            if self._frame_buffer is not None:
                return []
            self._fullscreen = not self._fullscreen
            self._open()
            return []
        if event.key in _KEYS:
            return [Gesture(_KEYS[event.key])]
        name = pygame.key.name(event.key).strip("[]")
        if len(name) == 1 and name in _SLOT_KEYS:
            return [Gesture(f"slot:{_SLOT_KEYS.index(name) + 1}")]
        return []

    def _pointer_event(self, event: pygame.event.Event) -> PointerEvent | None:
        when = pygame.time.get_ticks()
        match event.type:
            case pygame.MOUSEBUTTONDOWN | pygame.MOUSEBUTTONUP | pygame.MOUSEMOTION:
                if getattr(event, "touch", False):
                    return None
                # A mouse points at a pixel's middle; fingers are reported without a grid.
                x, y = turned(event.pos[0] + 0.5, event.pos[1] + 0.5, self._screen.get_size(), self._rotation)
                if event.type == pygame.MOUSEMOTION:
                    return PointerEvent("move", x, y, when)
                kind = "down" if event.type == pygame.MOUSEBUTTONDOWN else "up"
                return PointerEvent(kind, x, y, when, button=event.button)  # type: ignore[arg-type]
            case pygame.FINGERDOWN | pygame.FINGERUP | pygame.FINGERMOTION:
                width, height = self._screen.get_size()
                px, py = self._calibration(event.x, event.y)
                x, y = turned(px * width, py * height, (width, height), self._rotation)
                kinds = {pygame.FINGERDOWN: "down", pygame.FINGERUP: "up", pygame.FINGERMOTION: "move"}
                return PointerEvent(kinds[event.type], x, y, when, f"finger {event.finger_id}")  # type: ignore[arg-type]
        return None

    # --- From places to targets ---

    def _resolve(self, stroke: PointerStroke) -> list[Gesture]:
        target = self._target(stroke.start)
        if not target:
            return []
        if stroke.kind != "drag":
            return [Gesture(target, stroke.kind)]
        onto = self._target(stroke.end)
        # A finger that slips within one place has tapped it.
        return [Gesture(target)] if onto == target else [Gesture(target, "drag", onto)]

    def calibrate(self, touch_ppm: Sequence[int]) -> None:
        """Put touches where the fingers are, from now on: six millionths as a ``Calibration`` has them, none for none."""
        self._calibration = Calibration(*(part / 1_000_000 for part in touch_ppm))

    def _cross(self, point: tuple[float, float], target: str) -> str:
        """Return what a touch at a cross says: where the panel felt it, and where the cross stands on the panel."""
        x, y = (float(part) for part in target.removeprefix("touch:cross:").split("."))
        left, top, _, _ = self._places[0]
        px, py = self._canvases[0].to_pixel(x, y)
        found = (self._share(point), self._share((px + left, py + top)))
        return "touch:cross:" + ".".join(str(round(part * 1_000_000)) for pair in found for part in pair)

    def _share(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return a point of the upright picture as shares of the panel's sides."""
        width, height = self._screen.get_size()
        upright = (height, width) if self._rotation in (90, 270) else (width, height)
        x, y = turned(*point, upright, -self._rotation % 360)
        return x / width, y / height

    def _target(self, point: tuple[float, float]) -> str:
        for index, frame in enumerate(self._frames):
            if self._inside(index, point):
                hit = frame.hit(*self._logical(index, point))
                target = "" if hit is None else hit.target
                return self._cross(point, target) if target.startswith("touch:cross:") else target
        return ""

    def _inside(self, index: int, point: tuple[float, float]) -> bool:
        x, y, w, h = self._places[index]
        return x <= point[0] < x + w and y <= point[1] < y + h

    def _logical(self, index: int, point: tuple[float, float]) -> tuple[float, float]:
        x, y, _, _ = self._places[index]
        return self._canvases[index].to_logical(point[0] - x, point[1] - y)


_REMEDY = (
    "start it on a desktop, under Xvfb (xvfb-run), or on a console with a KMSDRM-capable SDL; "
    "`sim --headless` needs no screen"
)


def _start_video(*, in_memory: bool) -> None:
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    if in_memory:
        _start_in_memory()
        return
    if os.environ.get("DISPLAY") and os.environ.get("SDL_VIDEODRIVER", "x11") == "x11":
        # Changed rectangles go to X directly; through OpenGL every flip would move the whole window.
        os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
    try:
        pygame.display.init()
    except pygame.error as error:
        raise DisplayUnavailable(f"no screen found ({error}); {_REMEDY}") from error
    driver = pygame.display.get_driver()
    if driver in ("dummy", "offscreen") and os.environ.get("SDL_VIDEODRIVER", "") != driver:
        pygame.display.quit()
        raise DisplayUnavailable(f"no screen found; {_REMEDY}")


def _start_in_memory() -> None:
    """Let SDL draw in memory, and read touch panels and keyboards itself where it can."""
    os.environ.setdefault("SDL_EVDEV_DEVICES", touch_devices())
    for driver in ("evdev", "dummy"):
        os.environ["SDL_VIDEODRIVER"] = driver
        try:
            pygame.display.init()
        except pygame.error:
            continue
        return
    raise DisplayUnavailable("this SDL can't draw in memory (it has neither the driver evdev nor dummy)")


def _comfortable_size(areas: Sequence[tuple[int, int]]) -> tuple[int, int]:
    wide, tall = sum(width for width, _ in areas), max(height for _, height in areas)
    desktop_w, desktop_h = pygame.display.get_desktop_sizes()[0]
    scale = min(1.0, desktop_w * 0.94 / wide, desktop_h * 0.88 / tall)
    return round(wide * scale), round(tall * scale)
