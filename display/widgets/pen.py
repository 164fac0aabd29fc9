"""The pen: collects a frame's items, writes text that fits, and knows time, language, colours and comfort.

A scene draws with one pen from back to front. Not responsible for what is drawn.
"""

from typing import Final

from display import metrics, theme
from display.draw_list import ArcLabel, Box, Colour, DrawList, Glow, Hit, Item, Label, Panel, Sprite, Stroke
from display.motion import MotionState
from display.text import Writer
from display.view_model import Money, Text, View

_SAFETY: Final = 0.97
"""Share of a box that text may take by estimate: whole pixels make glyphs a little wider than the tables say."""
_LEADING: Final = 1.22
BLINK_MS: Final = 850


class Pen:
    """Draws onto a growing list of items."""

    def __init__(self, view: View, motion: MotionState, now_ms: float) -> None:
        """Begin an empty frame of ``view`` at ``now_ms``."""
        self.view = view
        self.motion = motion
        self.now_ms = max(now_ms, motion.now_ms)
        self.writer = Writer(view.language, view.money)
        self.colours = theme.palette(view.comfort)
        self._items: list[Item] = []
        self._static_count = 0
        self._animating = False
        self._wake_ms = 0.0
        self._type_scale = theme.BIG_TEXT if view.comfort.big_text else 1.0

    # --- the frame

    def add(self, *items: Item) -> None:
        """Add ready items on top."""
        self._items.extend(items)

    def static_ends_here(self) -> None:
        """Declare that everything drawn so far stays as it is while the scene lasts."""
        self._static_count = len(self._items)

    def moves(self) -> None:
        """Declare that the next frame differs from this one."""
        self._animating = True

    def changes_at(self, time_ms: float) -> None:
        """Declare that the frame changes by itself at a time (a blink, a slide)."""
        if time_ms > self.now_ms and (self._wake_ms == 0 or time_ms < self._wake_ms):
            self._wake_ms = time_ms

    def frame(self) -> DrawList:
        """Return the finished frame."""
        return DrawList(tuple(self._items), self._static_count, self._animating, self._wake_ms)

    def blink(self) -> bool:
        """Tell whether blinking things are lit now; always lit for players who want little motion."""
        if self.view.comfort.reduced_motion:
            return True
        phase, rest = divmod(self.now_ms, BLINK_MS)
        self.changes_at(self.now_ms - rest + BLINK_MS)
        return int(phase) % 2 == 0

    # --- shapes

    def panel(
        self,
        box: Box,
        fill: Colour,
        radius: float = 0,
        *,
        fill_to: Colour | None = None,
        border: Colour | None = None,
        width: float = 2,
    ) -> None:
        """Add a rounded rectangle."""
        self.add(Panel(box, fill, radius, fill_to, border, width if border is not None else 0))

    def card_panel(self, box: Box) -> None:
        """Add the standard panel that carries text on the felt."""
        self.panel(box, self.colours.panel, 16, border=self.colours.panel_rim, width=2)

    def outline(self, box: Box, colour: Colour, radius: float, width: float = 3) -> None:
        """Add a rounded outline with nothing inside."""
        self.add(Panel(box, (0, 0, 0, 0), radius, None, colour, width))

    def sprite(
        self, name: str, box: Box, *, alpha: float = 1.0, angle: float = 0.0, scale_x: float = 1.0, light: float = 1.0
    ) -> None:
        """Add a picture of the art library."""
        self.add(Sprite(name, box, alpha, angle, scale_x, light))

    def glow(
        self, box: Box, colour: Colour | None = None, spread: float = 18, radius: float = 12, *, hollow: bool = False
    ) -> None:
        """Add a soft light behind a box."""
        self.add(Glow(box, colour or self.colours.glow, spread, radius, hollow))

    def stroke(
        self, points: tuple[tuple[float, float], ...], colour: Colour, width: float = 2, *, closed: bool = False
    ) -> None:
        """Add a polyline."""
        self.add(Stroke(points, colour, width, closed))

    def arc(self, text: str, cx: float, cy: float, radius: float, size: float, colour: Colour) -> None:
        """Add text along the lower side of a circle."""
        self.add(ArcLabel(text, cx, cy, radius, size, colour))

    def hit(self, target: str, box: Box, *, enabled: bool = True) -> None:
        """Add a touchable place."""
        self.add(Hit(target, box, enabled))

    # --- text

    def say(self, text: "Text | Money | str") -> str:
        """Return a text in the view's language."""
        return self.writer.say(text)

    def size(self, size: float) -> float:
        """Return a size of type as the player wants it (big text)."""
        return size * self._type_scale

    def text(
        self,
        text: "Text | Money | str",
        box: Box,
        size: float,
        colour: Colour | None = None,
        *,
        weight: str = "regular",
        align: str = "l",
        valign: str = "m",
        upper: bool = False,
        shadow: bool = False,
        alpha: float = 1.0,
        smallest: float = 14,
    ) -> None:
        """Write one line, as large as asked if it fits its box and smaller if it does not."""
        words = self.say(text)
        if upper:
            words = words.upper()
        if not words:
            return
        wanted = min(self.size(size), box.h)
        fitted = metrics.fit(words, box.w * _SAFETY, wanted, weight, smallest)
        self.add(
            Label(words, box, fitted, colour or self.colours.ink, weight, align, valign, shadow=shadow, alpha=alpha)
        )

    def paragraph(
        self,
        text: "Text | Money | str",
        box: Box,
        size: float,
        colour: Colour | None = None,
        *,
        weight: str = "regular",
        align: str = "l",
        valign: str = "t",
        upper: bool = False,
        shadow: bool = False,
    ) -> float:
        """Write a text over as many lines as it needs, smaller if the box is too low; return the height used."""
        words = self.say(text)
        if upper:
            words = words.upper()
        if not words:
            return 0
        fitted, lines = metrics.fit_lines(words, box.w * _SAFETY, box.h, self.size(size), weight, _LEADING)
        leading = fitted * _LEADING
        height = leading * len(lines)
        top = {"t": box.y, "m": box.y + (box.h - height) / 2, "b": box.y + box.h - height}[valign]
        for number, line in enumerate(lines):
            if line:
                place = Box(box.x, top + number * leading, box.w, leading)
                self.add(Label(line, place, fitted, colour or self.colours.ink, weight, align, "m", shadow=shadow))
        return height

    def text_width(
        self, text: "Text | Money | str", size: float, weight: str = "regular", *, upper: bool = False
    ) -> float:
        """Return the estimated width of a line at a size of type, with the safety that fitting uses."""
        words = self.say(text)
        return metrics.width(words.upper() if upper else words, self.size(size), weight) / _SAFETY + 2
