"""The draw list: what a frame consists of, as plain values in the logical 1920 x 1080 canvas.

Scenes build draw lists; the canvas paints them; tests read them. Colours are ``(r, g, b)`` or ``(r, g, b, a)``, angles
degrees counter-clockwise, coordinates floats in logical pixels from the top left. Not responsible for painting.
"""

from collections.abc import Sequence
from dataclasses import dataclass

CANVAS_WIDTH = 1920
CANVAS_HEIGHT = 1080

Colour = tuple[int, int, int] | tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in logical pixels."""

    x: float
    y: float
    w: float
    h: float

    def inset(self, dx: float, dy: float | None = None) -> "Box":
        """Return the box shrunk by ``dx`` left and right and ``dy`` (default ``dx``) top and bottom."""
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def contains(self, x: float, y: float) -> bool:
        """Tell whether a point lies in the box."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def overlaps(self, other: "Box") -> bool:
        """Tell whether two boxes share a point."""
        return (
            self.x < other.x + other.w
            and other.x < self.x + self.w
            and self.y < other.y + other.h
            and other.y < self.y + self.h
        )


@dataclass(frozen=True, slots=True)
class Panel:
    """A filled rounded rectangle; ``fill_to`` makes a vertical gradient."""

    box: Box
    fill: Colour
    radius: float = 0
    fill_to: Colour | None = None
    border: Colour | None = None
    border_width: float = 0


@dataclass(frozen=True, slots=True)
class Sprite:
    """A picture of the art library (``card:Qs``, ``back:blue``, ``chip:500``, ``felt:oasis``, ``icon:sound``).

    ``scale_x`` squeezes it about its centre (a card that turns over), ``light`` below 1 darkens it (a hand that rests).
    """

    name: str
    box: Box
    alpha: float = 1.0
    angle: float = 0.0
    scale_x: float = 1.0
    light: float = 1.0


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text (or several, wrapped, with ``wrap``) that must fit its box: align l c r, valign t m b."""

    text: str
    box: Box
    size: float
    colour: Colour
    weight: str = "regular"
    """``regular``, ``bold`` or ``mono``."""
    align: str = "l"
    valign: str = "m"
    wrap: bool = False
    shadow: bool = False
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class ArcLabel:
    """Text along a circle: centre, radius, the angle of the text's middle (degrees, 90 = bottom of the circle)."""

    text: str
    cx: float
    cy: float
    radius: float
    size: float
    colour: Colour
    middle: float = 90.0
    weight: str = "bold"


@dataclass(frozen=True, slots=True)
class Stroke:
    """A polyline."""

    points: tuple[tuple[float, float], ...]
    colour: Colour
    width: float = 2
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Glow:
    """A soft light behind a box; ``hollow``: what stands before it covers the box, so nothing is lit inside."""

    box: Box
    colour: Colour
    spread: float = 18
    radius: float = 12
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A place that can be touched: what a tap there means. Later hits lie on top of earlier ones."""

    target: str
    box: Box
    enabled: bool = True


Item = Panel | Sprite | Label | ArcLabel | Stroke | Glow | Hit


@dataclass(frozen=True, slots=True)
class DrawList:
    """A frame: items in painting order; ``static_count`` leading items do not change with time.

    ``animating``: the next frame differs from this one. Otherwise ``wake_ms`` is the time at which the frame changes
    by itself (a lamp that blinks), 0 for never.
    """

    items: tuple[Item, ...]
    static_count: int = 0
    animating: bool = False
    wake_ms: float = 0

    def hit(self, x: float, y: float) -> Hit | None:
        """Return the topmost touchable place at a point, or None."""
        for item in reversed(self.items):
            if isinstance(item, Hit) and item.box.contains(x, y):
                return item
        return None

    def targets(self) -> Sequence[Hit]:
        """Return all touchable places."""
        return [item for item in self.items if isinstance(item, Hit)]
