"""Vector art as plain values: paths, paints, drawings, and their SVG text.

Every picture of the table is made of these. Coordinates are the picture's own units, y points down. Only what SDL_image's
SVG reader understands is used: paths with lines and cubic curves, flat colours, linear and radial gradients, opacity.
Not responsible for pixels (`display.assets.raster`).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

Colour = tuple[int, int, int] | tuple[int, int, int, int]
Point = tuple[float, float]
Command = tuple[str, tuple[Point, ...]]

CIRCLE = 0.5523
"""Length of the handles with which four cubic curves look like a circle of radius 1."""


@dataclass(frozen=True, slots=True)
class Affine:
    """x' = a x + c y + e; y' = b x + d y + f."""

    a: float = 1
    b: float = 0
    c: float = 0
    d: float = 1
    e: float = 0
    f: float = 0

    def __call__(self, point: Point) -> Point:
        """Return the transformed point."""
        x, y = point
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    @property
    def scale(self) -> float:
        """The factor by which lengths (line widths, radii) grow."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))


def place(x: float, y: float, sx: float = 1, sy: float | None = None, turn: float = 0) -> Affine:
    """Return: scale by ``sx``, ``sy``, turn clockwise by ``turn`` degrees, then move the origin to (x, y)."""
    sy = sx if sy is None else sy
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return Affine(sx * c, sx * s, -sy * s, sy * c, x, y)


@dataclass(frozen=True, slots=True)
class Path:
    """Sub-paths of straight lines and cubic curves. Methods return a longer path."""

    commands: tuple[Command, ...] = ()

    def move(self, x: float, y: float) -> "Path":
        """Begin a sub-path."""
        return Path((*self.commands, ("M", ((x, y),))))

    def line(self, *xy: float) -> "Path":
        """Draw lines through the points ``x1, y1, x2, y2, ...``."""
        return Path(self.commands + tuple(("L", ((xy[i], xy[i + 1]),)) for i in range(0, len(xy), 2)))

    def curve(self, *xy: float) -> "Path":
        """Draw cubic curves: six numbers each."""
        more = []
        for i in range(0, len(xy), 6):
            more.append(("C", ((xy[i], xy[i + 1]), (xy[i + 2], xy[i + 3]), (xy[i + 4], xy[i + 5]))))
        return Path(self.commands + tuple(more))

    def close(self) -> "Path":
        """Close the sub-path."""
        return Path((*self.commands, ("Z", ())))

    def __add__(self, other: "Path") -> "Path":
        """Return both paths as one."""
        return Path(self.commands + other.commands)

    def at(self, transform: Callable[[Point], Point]) -> "Path":
        """Return the transformed path."""
        return Path(tuple((name, tuple(transform(p) for p in points)) for name, points in self.commands))

    def d(self) -> str:
        """Return the path in SVG's notation."""
        return "".join(name + " ".join(f"{x:.2f} {y:.2f}" for x, y in points) for name, points in self.commands)


def poly(*xy: float) -> Path:
    """Return a closed polygon."""
    return Path().move(xy[0], xy[1]).line(*xy[2:]).close()


def line(*xy: float) -> Path:
    """Return an open polyline."""
    return Path().move(xy[0], xy[1]).line(*xy[2:])


def curve(*xy: float) -> Path:
    """Return an open curve: a starting point, then cubic pieces."""
    return Path().move(xy[0], xy[1]).curve(*xy[2:])


def blob(*xy: float) -> Path:
    """Return a closed curve: a starting point, then cubic pieces."""
    return curve(*xy).close()


def ellipse(cx: float, cy: float, rx: float, ry: float | None = None) -> Path:
    """Return an ellipse (a circle without ``ry``)."""
    ry = rx if ry is None else ry
    kx, ky = CIRCLE * rx, CIRCLE * ry
    return blob(
        *(cx + rx, cy),
        *(cx + rx, cy + ky, cx + kx, cy + ry, cx, cy + ry),
        *(cx - kx, cy + ry, cx - rx, cy + ky, cx - rx, cy),
        *(cx - rx, cy - ky, cx - kx, cy - ry, cx, cy - ry),
        *(cx + kx, cy - ry, cx + rx, cy - ky, cx + rx, cy),
    )


def rect(x: float, y: float, w: float, h: float, r: float = 0) -> Path:
    """Return a rectangle with corners rounded by ``r``."""
    if r <= 0:
        return poly(x, y, x + w, y, x + w, y + h, x, y + h)
    r = min(r, w / 2, h / 2)
    k = r * (1 - CIRCLE)
    return (
        Path()
        .move(x + r, y)
        .line(x + w - r, y)
        .curve(x + w - k, y, x + w, y + k, x + w, y + r)
        .line(x + w, y + h - r)
        .curve(x + w, y + h - k, x + w - k, y + h, x + w - r, y + h)
        .line(x + r, y + h)
        .curve(x + k, y + h, x, y + h - k, x, y + h - r)
        .line(x, y + r)
        .curve(x, y + k, x + k, y, x + r, y)
        .close()
    )


def arc_points(cx: float, cy: float, r: float, start: float, end: float, ry: float | None = None) -> list[Point]:
    """Return points on an arc from ``start`` to ``end`` degrees (0 = right, 90 = down), dense enough to look round."""
    ry = r if ry is None else ry
    count = max(2, math.ceil(abs(end - start) / 3) + 1)
    angles = (math.radians(start + (end - start) * i / (count - 1)) for i in range(count))
    return [(cx + r * math.cos(a), cy + ry * math.sin(a)) for a in angles]


def through(points: Sequence[Point], *, closed: bool = False) -> Path:
    """Return the polyline through points."""
    path = line(*(value for point in points for value in point))
    return path.close() if closed else path


def arc(cx: float, cy: float, r: float, start: float, end: float, ry: float | None = None) -> Path:
    """Return an open arc; degrees as in `arc_points`."""
    return through(arc_points(cx, cy, r, start, end, ry))


def ring_sector(cx: float, cy: float, inner: float, outer: float, start: float, end: float, squash: float = 1) -> Path:
    """Return the part of a ring between two angles; ``squash`` flattens it vertically."""
    out = arc_points(cx, cy, outer, start, end, outer * squash)
    back = arc_points(cx, cy, inner, end, start, inner * squash)
    return through(out + back, closed=True)


def star(cx: float, cy: float, outer: float, inner: float, points: int, turn: float = -90) -> Path:
    """Return a star with so many points."""
    corners = []
    for i in range(points * 2):
        a = math.radians(turn + i * 180 / points)
        r = inner if i % 2 else outer
        corners.append((cx + r * math.cos(a), cy + r * math.sin(a)))
    return through(corners, closed=True)


@dataclass(frozen=True, slots=True)
class Linear:
    """A gradient along a line, with (offset 0..1, colour) stops."""

    x1: float
    y1: float
    x2: float
    y2: float
    stops: tuple[tuple[float, Colour], ...]

    def at(self, transform: Affine) -> "Linear":
        """Return the transformed gradient."""
        (x1, y1), (x2, y2) = transform((self.x1, self.y1)), transform((self.x2, self.y2))
        return Linear(x1, y1, x2, y2, self.stops)


@dataclass(frozen=True, slots=True)
class Radial:
    """A gradient from a centre outwards."""

    cx: float
    cy: float
    r: float
    stops: tuple[tuple[float, Colour], ...]

    def at(self, transform: Affine) -> "Radial":
        """Return the transformed gradient."""
        cx, cy = transform((self.cx, self.cy))
        return Radial(cx, cy, self.r * transform.scale, self.stops)


Paint = Colour | Linear | Radial


def down(y1: float, y2: float, *colours: Colour) -> Linear:
    """Return a vertical gradient through evenly spaced colours."""
    return Linear(0, y1, 0, y2, tuple((i / (len(colours) - 1), c) for i, c in enumerate(colours)))


def across(x1: float, x2: float, *colours: Colour) -> Linear:
    """Return a horizontal gradient through evenly spaced colours."""
    return Linear(x1, 0, x2, 0, tuple((i / (len(colours) - 1), c) for i, c in enumerate(colours)))


def outwards(cx: float, cy: float, r: float, *colours: Colour) -> Radial:
    """Return a radial gradient through evenly spaced colours."""
    return Radial(cx, cy, r, tuple((i / (len(colours) - 1), c) for i, c in enumerate(colours)))


def shade(colour: Colour, factor: float) -> Colour:
    """Return the colour darkened (factor < 1) or lightened towards white (factor > 1)."""
    if factor <= 1:
        rgb = tuple(round(v * factor) for v in colour[:3])
    else:
        rgb = tuple(round(v + (255 - v) * min(1, factor - 1)) for v in colour[:3])
    return (rgb[0], rgb[1], rgb[2], *colour[3:])


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Return a colour between two: ``share`` 0 gives the first."""
    r, g, b = (round(first[i] + (second[i] - first[i]) * share) for i in range(3))
    return r, g, b


def fade(colour: Colour, alpha: float) -> Colour:
    """Return the colour with an opacity from 0 to 1."""
    return colour[0], colour[1], colour[2], round(alpha * 255)


@dataclass(frozen=True, slots=True)
class Shape:
    """One filled (``width`` 0) or stroked path."""

    path: Path
    paint: Paint
    width: float = 0
    cap: str = "round"
    join: str = "round"
    even_odd: bool = False


@dataclass(slots=True)
class Drawing:
    """Shapes in painting order."""

    shapes: list[Shape] = field(default_factory=list)

    def fill(self, path: Path, paint: Paint, *, even_odd: bool = False) -> "Drawing":
        """Add a filled path."""
        self.shapes.append(Shape(path, paint, even_odd=even_odd))
        return self

    def stroke(self, path: Path, width: float, paint: Paint, *, cap: str = "round", join: str = "round") -> "Drawing":
        """Add a stroked path."""
        self.shapes.append(Shape(path, paint, width, cap, join))
        return self

    def outline(self, path: Path, paint: Paint, width: float, ink: Paint) -> "Drawing":
        """Add a filled path and its outline."""
        return self.fill(path, paint).stroke(path, width, ink)

    def add(self, other: "Drawing", transform: Affine | None = None) -> "Drawing":
        """Add another drawing, transformed."""
        for shape in other.shapes:
            self.shapes.append(shape if transform is None else _moved(shape, transform))
        return self


def _moved(shape: Shape, transform: Affine) -> Shape:
    paint = shape.paint.at(transform) if isinstance(shape.paint, Linear | Radial) else shape.paint
    width = shape.width * transform.scale
    return Shape(shape.path.at(transform), paint, width, shape.cap, shape.join, shape.even_odd)


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour[:3])


def _opacity(colour: Colour, attribute: str) -> str:
    return f' {attribute}="{colour[3] / 255:.3f}"' if len(colour) > 3 and colour[3] < 255 else ""


def _stops(stops: Iterable[tuple[float, Colour]]) -> str:
    return "".join(f'<stop offset="{o:.3f}" stop-color="{_hex(c)}"{_opacity(c, "stop-opacity")}/>' for o, c in stops)


def _gradient(name: str, paint: Linear | Radial) -> str:
    if isinstance(paint, Linear):
        where = f'x1="{paint.x1:.2f}" y1="{paint.y1:.2f}" x2="{paint.x2:.2f}" y2="{paint.y2:.2f}"'
        return (
            f'<linearGradient id="{name}" gradientUnits="userSpaceOnUse" {where}>{_stops(paint.stops)}</linearGradient>'
        )
    where = f'cx="{paint.cx:.2f}" cy="{paint.cy:.2f}" r="{paint.r:.2f}"'
    return f'<radialGradient id="{name}" gradientUnits="userSpaceOnUse" {where}>{_stops(paint.stops)}</radialGradient>'


def to_svg(drawing: Drawing, view: tuple[float, float, float, float], pixels: tuple[int, int]) -> str:
    """Return SVG text that shows the rectangle ``view`` (x, y, w, h) of a drawing in so many pixels, stretched to fit."""
    definitions: list[str] = []
    body: list[str] = []
    names: dict[Linear | Radial, str] = {}
    for shape in drawing.shapes:
        paint = shape.paint
        kind = "stroke" if shape.width else "fill"
        if isinstance(paint, Linear | Radial):
            if paint not in names:
                names[paint] = f"g{len(names)}"
                definitions.append(_gradient(names[paint], paint))
            value = f'{kind}="url(#{names[paint]})"'
        else:
            value = f'{kind}="{_hex(paint)}"{_opacity(paint, kind + "-opacity")}'
        if shape.width:
            value += f' fill="none" stroke-width="{shape.width:.3f}" stroke-linecap="{shape.cap}" stroke-linejoin="{shape.join}"'
        elif shape.even_odd:
            value += ' fill-rule="evenodd"'
        body.append(f'<path d="{shape.path.d()}" {value}/>')
    x, y, w, h = view
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{pixels[0]}" height="{pixels[1]}" '
        f'viewBox="{x:g} {y:g} {w:g} {h:g}" preserveAspectRatio="none">'
    )
    return f"{head}<defs>{''.join(definitions)}</defs>{''.join(body)}</svg>"
