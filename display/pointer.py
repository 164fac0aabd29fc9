"""One pointer out of mouse and fingers: taps, long presses and drags, each exactly once.

Pure: fed with events and the time, it answers with strokes in the coordinates it was fed. Mice and touch panels both arrive here,
because some systems report one touch twice (as finger and as mouse) and some only as the other kind; the copy is
dropped by time and place. A bouncing panel that lifts for a moment continues the same press. Further fingers are ignored
until the first one is up. Not responsible for what lies under the pointer (`display.window`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

LONG_PRESS_MS = 500
DRAG_THRESHOLD = 8.0
"""How far a press must move to be a drag, in logical pixels."""
COPY_WINDOW_MS = 80
COPY_DISTANCE = 20.0
BOUNCE_MS = 60
BOUNCE_DISTANCE = 40.0

MOUSE = "mouse"
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PointerEvent:
    """A raw event. ``source`` is ``mouse`` or a finger's identity; ``button`` 1 is the left one."""

    kind: Literal["down", "move", "up"]
    x: float
    y: float
    time_ms: int
    source: str = MOUSE
    button: int = 1


@dataclass(frozen=True, slots=True)
class PointerStroke:
    """Something the player did: where it began and, for a drag, where it ended."""

    kind: Literal["tap", "long_press", "drag"]
    start: Point
    end: Point


@dataclass(slots=True)
class _Press:
    source: str
    start: Point
    now: Point
    since_ms: int
    moved: bool = False
    spent: bool = False
    """A long press was reported, or this is a bounce of a press that was: letting go means nothing more."""


class Pointer:
    """The state of the one pointer."""

    def __init__(self, threshold: float = DRAG_THRESHOLD) -> None:
        """Let a press move by ``threshold`` (in the units of the events) before it becomes a drag."""
        self._threshold = threshold
        self._press: _Press | None = None
        self._last: _Press | None = None
        self._last_up_ms = -1_000_000
        self._finger_at: tuple[Point, int] = ((0, 0), -1_000_000)

    @property
    def pressed_at(self) -> Point | None:
        """Where the press under way began, or None."""
        return self._press.start if self._press is not None and not self._press.spent else None

    @property
    def dragged_to(self) -> Point | None:
        """Where a drag under way is now, or None."""
        press = self._press
        return press.now if press is not None and press.moved and not press.spent else None

    def feed(self, event: PointerEvent) -> list[PointerStroke]:
        """Take an event; return what it completes."""
        if event.source != MOUSE:
            self._finger_at = ((event.x, event.y), event.time_ms)
        elif self._is_copy(event):
            return []
        if event.button == 3:
            point = (event.x, event.y)
            return [PointerStroke("long_press", point, point)] if event.kind == "down" else []
        if event.button != 1:
            return []
        match event.kind:
            case "down":
                self._down(event)
                return []
            case "move":
                self._move(event)
                return []
            case "up":
                return self._up(event)

    def tick(self, time_ms: int) -> list[PointerStroke]:
        """Let time pass; return a long press that has become one."""
        press = self._press
        if press is None or press.spent or press.moved or time_ms - press.since_ms < LONG_PRESS_MS:
            return []
        press.spent = True
        return [PointerStroke("long_press", press.start, press.start)]

    def cancel(self) -> None:
        """Forget a press under way (the window lost its focus, the scene changed under the finger)."""
        self._press = None

    def _is_copy(self, event: PointerEvent) -> bool:
        (x, y), when = self._finger_at
        if event.kind == "up" and self._press is not None and self._press.source == MOUSE:
            return False
        near = abs(event.x - x) <= COPY_DISTANCE and abs(event.y - y) <= COPY_DISTANCE
        held = self._press is not None and self._press.source != MOUSE
        return held or (near and event.time_ms - when <= COPY_WINDOW_MS)

    def _down(self, event: PointerEvent) -> None:
        if self._press is not None:
            return
        point = (event.x, event.y)
        last = self._last
        if (
            last is not None
            and last.source != MOUSE
            and event.source != MOUSE
            and event.time_ms - self._last_up_ms <= BOUNCE_MS
            and _distance(last.now, point) <= BOUNCE_DISTANCE
        ):
            self._press = _Press(event.source, last.start, point, last.since_ms, last.moved, spent=not last.moved)
            return
        self._press = _Press(event.source, point, point, event.time_ms)

    def _move(self, event: PointerEvent) -> None:
        press = self._press
        if press is None or press.source != event.source:
            return
        press.now = (event.x, event.y)
        if _distance(press.start, press.now) > self._threshold:
            press.moved = True

    def _up(self, event: PointerEvent) -> list[PointerStroke]:
        press = self._press
        if press is None or press.source != event.source:
            return []
        self._move(event)
        self._press, self._last, self._last_up_ms = None, press, event.time_ms
        if press.spent:
            return []
        if press.moved:
            return [PointerStroke("drag", press.start, press.now)]
        return [PointerStroke("tap", press.start, press.start)]


def _distance(a: Point, b: Point) -> float:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def turned(x: float, y: float, size: tuple[int, int], rotation: int) -> Point:
    """Return the point of the upright picture under a point of a screen that shows it turned.

    ``size`` is the screen's size in pixels; ``rotation`` says by how many degrees clockwise the picture was turned.
    """
    width, height = size
    match rotation:
        case 0:
            return x, y
        case 90:
            return y, width - x
        case 180:
            return width - x, height - y
        case 270:
            return height - y, x
    raise ValueError(f"rotation {rotation} is not 0, 90, 180 or 270")


@dataclass(frozen=True, slots=True)
class Calibration:
    """Maps what a touch panel reports to where it was touched: x' = a x + b y + c; y' = d x + e y + f (shares 0..1)."""

    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 0
    e: float = 1
    f: float = 0

    def __call__(self, x: float, y: float) -> Point:
        """Return the corrected point, kept on the screen."""
        px, py = self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f
        return min(1.0, max(0.0, px)), min(1.0, max(0.0, py))


def calibrate(reported: Sequence[Point], wanted: Sequence[Point]) -> Calibration:
    """Return the calibration that best maps reported to wanted points (least squares).

    Raises ValueError for fewer than three points or points on one line.
    """
    if len(reported) != len(wanted) or len(reported) < 3:
        raise ValueError("calibration needs at least three pairs of points")
    sums = [[0.0] * 3 for _ in range(3)]
    right = [[0.0] * 3 for _ in range(2)]
    for (x, y), target in zip(reported, wanted, strict=True):
        row = (x, y, 1.0)
        for i in range(3):
            for j in range(3):
                sums[i][j] += row[i] * row[j]
            for axis in range(2):
                right[axis][i] += row[i] * target[axis]
    whole = _determinant(sums)
    if abs(whole) < 1e-9:
        raise ValueError("calibration points lie on one line")
    return Calibration(
        *(
            _determinant([[right[axis][i] if j == column else sums[i][j] for j in range(3)] for i in range(3)]) / whole
            for axis in range(2)
            for column in range(3)
        )
    )


def _determinant(m: list[list[float]]) -> float:
    return (
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    )
