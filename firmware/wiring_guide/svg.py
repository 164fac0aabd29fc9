"""A small sheet for drawings in SVG: lines, boxes, words, and the symbols of a circuit. Pure.

Coordinates are pixels, y grows downwards. Equal calls give equal text. Not responsible for what is drawn.
"""

from collections.abc import Sequence
from html import escape
from typing import Final

INK: Final = "#1d2733"
FAINT: Final = "#6b7684"
PAPER: Final = "#ffffff"
Point = tuple[int, int]


class Sheet:
    """A drawing of a size, white, that grows by calls."""

    def __init__(self, width: int, height: int, title: str) -> None:
        """``title`` is read by people who can't see the drawing."""
        self._head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="DejaVu Sans, Verdana, sans-serif" role="img">\n<title>{escape(title)}</title>\n'
            f'<rect width="{width}" height="{height}" fill="{PAPER}"/>\n'
        )
        self._parts: list[str] = []

    def text(
        self,
        x: int,
        y: int,
        words: str,
        *,
        size: int = 13,
        anchor: str = "start",
        colour: str = INK,
        bold: bool = False,
    ) -> None:
        """Write words; ``y`` is their base line, ``anchor`` is start, middle or end."""
        weight = ' font-weight="bold"' if bold else ""
        self._parts.append(
            f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{weight}>{escape(words)}</text>'
        )

    def wire(self, *points: Point, colour: str = INK, width: float = 2, dashed: bool = False) -> None:
        """Draw a line through points."""
        dash = ' stroke-dasharray="6 5"' if dashed else ""
        path = " ".join(f"{x},{y}" for x, y in points)
        self._parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{dash}/>'
        )

    def box(
        self, x: int, y: int, width: int, height: int, *, fill: str = "none", stroke: str = INK, radius: int = 4
    ) -> None:
        """Draw a box."""
        self._parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>'
        )

    def circle(self, x: int, y: int, radius: int, *, fill: str = "none", stroke: str = INK) -> None:
        """Draw a circle."""
        self._parts.append(
            f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>'
        )

    def area(self, points: Sequence[Point], *, fill: str = INK) -> None:
        """Draw a filled outline."""
        path = " ".join(f"{x},{y}" for x, y in points)
        self._parts.append(f'<polygon points="{path}" fill="{fill}"/>')

    def dot(self, x: int, y: int) -> None:
        """Mark that wires are joined."""
        self.circle(x, y, 3, fill=INK)

    def ground(self, x: int, y: int, words: str = "") -> None:
        """Draw a ground symbol that hangs at a point."""
        self.wire((x, y), (x, y + 8))
        for number, half in enumerate((12, 8, 4)):
            self.wire((x - half, y + 8 + number * 5), (x + half, y + 8 + number * 5))
        if words:
            self.text(x, y + 34, words, size=11, anchor="middle", colour=FAINT)

    def supply(self, x: int, y: int, words: str) -> None:
        """Draw a supply that stands on a point."""
        self.wire((x, y), (x, y - 8))
        self.wire((x - 10, y - 8), (x + 10, y - 8))
        self.text(x, y - 14, words, size=12, anchor="middle", bold=True)

    def resistor(self, x: int, y: int, words: str, *, upright: bool = False) -> None:
        """Draw a resistor of 44 pixels with its middle at a point; wires meet it at 22 pixels on both sides."""
        if upright:
            self.box(x - 7, y - 22, 14, 44, fill=PAPER, radius=1)
            self.text(x + 13, y + 4, words, size=12)
        else:
            self.box(x - 22, y - 7, 44, 14, fill=PAPER, radius=1)
            self.text(x, y - 13, words, size=12, anchor="middle")

    def diode(self, x: int, y: int, *, up: bool) -> None:
        """Draw an upright diode of 24 pixels with its middle at a point, the bar above (``up``) or below."""
        tip, base = (y - 10, y + 10) if up else (y + 10, y - 10)
        self.area(((x - 9, base), (x + 9, base), (x, tip)))
        self.wire((x - 9, tip), (x + 9, tip))

    def switch(self, x: int, y: int, *, closed: bool) -> None:
        """Draw an upright contact of 40 pixels with its middle at a point."""
        self.circle(x, y - 17, 3, fill=PAPER)
        self.circle(x, y + 17, 3, fill=PAPER)
        self.wire((x, y + 14), (x, y - 14) if closed else (x + 14, y - 12))

    def pi(self, x: int, y: int, height: int, words: str) -> None:
        """Draw the Pi's edge with the name of one of its pins."""
        self.box(x, y, 92, height, fill="#e9f4ec", stroke="#2e8b57")
        self.text(x + 46, y + 20, "Raspberry Pi", size=11, anchor="middle", colour="#2e6b47", bold=True)
        self.text(x + 86, y + height // 2 + 4, words, size=12, anchor="end")

    def svg(self) -> str:
        """Return the drawing."""
        return self._head + "\n".join(self._parts) + "\n</svg>\n"
