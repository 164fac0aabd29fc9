"""What a sprite is before it has pixels: its proportions, its drawing, and how it is finished.

Not responsible for drawing any particular sprite, nor for pixels.
"""

from collections.abc import Callable
from dataclasses import dataclass

from display.assets.vector import Colour, Drawing


@dataclass(frozen=True, slots=True)
class Shadow:
    """A soft shadow made from the picture's own outline; lengths in the picture's units."""

    dx: float
    dy: float
    blur: float
    opacity: float


@dataclass(frozen=True, slots=True)
class Cloth:
    """A woven background under the drawing: the colour in the light, the colour in the corners, where the light falls.

    ``light_x``, ``light_y`` and ``reach`` are shares of the picture's width and height.
    """

    bright: Colour
    dark: Colour
    light_x: float = 0.5
    light_y: float = 0.36
    reach: float = 0.72
    grain: float = 1.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A sprite: ``width`` x ``height`` is what a `Sprite`'s box shows; ``bleed`` is how far it reaches beyond (shadow)."""

    width: float
    height: float
    draw: Callable[[], Drawing]
    bleed: float = 0
    shadow: Shadow | None = None
    cloth: Cloth | None = None
    cut_radius: float | None = None
    """Nothing shows outside the box, whose corners are rounded by this."""
