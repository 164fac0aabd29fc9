"""Frames of all sample views, and what can be read from a frame: where its text lies, what covers what, how it contrasts."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from display import motion
from display.canvas import Canvas, Shelves
from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, Box, Colour, DrawList, Label, Panel, Sprite
from display.locale import LANGUAGES
from display.samples import CABINETS, SAMPLES
from display.scenes import compose
from display.scenes.cabinet import PANEL_HEIGHT, PANEL_WIDTH, compose_cabinet
from display.view_model import MoneyFormat

SIZES = ((1920, 1080), (1280, 720))
LATER_MS = 4000.0
"""A time at which nothing of a sample moves any more."""
CASES = [(name, language) for name in SAMPLES for language in LANGUAGES]
CABINET_CASES = [(name, language) for name in CABINETS for language in LANGUAGES]


@cache
def frame(name: str, language: str, *, with_notice: bool = True) -> DrawList:
    """Return the resting frame of a sample view or of a sample cabinet."""
    if name in CABINETS:
        return compose_cabinet(CABINETS[name](), language, MoneyFormat(), LATER_MS)
    view = replace(SAMPLES[name](), language=language)
    if not with_notice:
        view = replace(view, notice=None)
    return compose(view, motion.still(view), LATER_MS)


def area(name: str) -> Box:
    """Return the logical area of a sample."""
    return Box(0, 0, PANEL_WIDTH, PANEL_HEIGHT) if name in CABINETS else Box(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT)


@cache
def canvas(size: tuple[int, int]) -> Canvas:
    """Return a canvas that measures text at a size."""
    return Canvas(size, Shelves())


@dataclass(frozen=True)
class Ink:
    """A label and the rectangle its letters take."""

    index: int
    label: Label
    box: Box


def inks(drawn: DrawList, size: tuple[int, int] = SIZES[0]) -> list[Ink]:
    """Return all labels of a frame with the places of their letters."""
    found = []
    for index, item in enumerate(drawn.items):
        if not isinstance(item, Label):
            continue
        measured = canvas(size).measure(item)
        # Letters fill about three quarters of the em that the line takes.
        width, height = min(measured.width, item.box.w), min(measured.size * 0.76, item.box.h)
        x = {"l": item.box.x, "c": item.box.x + (item.box.w - width) / 2, "r": item.box.x + item.box.w - width}[
            item.align
        ]
        y = item.box.y + (item.box.h - height) / 2
        found.append(Ink(index, item, Box(x, y, width, height)))
    return found


def inside(inner: Box, outer: Box, slack: float = 0.5) -> bool:
    """Tell whether a box lies within another."""
    return (
        inner.x >= outer.x - slack
        and inner.y >= outer.y - slack
        and inner.x + inner.w <= outer.x + outer.w + slack
        and inner.y + inner.h <= outer.y + outer.h + slack
    )


def covers(drawn: DrawList, after: int) -> Iterator[Box]:
    """Yield the boxes of all later items that hide what lies under them."""
    for item in drawn.items[after + 1 :]:
        if (isinstance(item, Panel) and (alpha(item.fill) >= 110 or (item.fill_to and alpha(item.fill_to) >= 110))) or (
            isinstance(item, Sprite) and not item.name.startswith("felt:")
        ):
            yield item.box


def alpha(colour: Colour) -> int:
    """Return a colour's opacity, 0 to 255."""
    return colour[3] if len(colour) == 4 else 255


def over(top: Colour, bottom: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return a colour laid over another."""
    share = alpha(top) / 255
    red, green, blue = (top[i] * share + bottom[i] * (1 - share) for i in range(3))
    return red, green, blue


def background(drawn: DrawList, ink: Ink, felt: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return the colour behind the middle of a label: all panels under it over the felt."""
    x, y = ink.box.x + ink.box.w / 2, ink.box.y + ink.box.h / 2
    colour = felt
    for item in drawn.items[: ink.index]:
        if isinstance(item, Panel) and item.box.contains(x, y):
            fill: Colour = item.fill
            if item.fill_to is not None:
                share = (y - item.box.y) / item.box.h
                mixed = [item.fill[i] + (item.fill_to[i] - item.fill[i]) * share for i in range(3)]
                opacity = alpha(item.fill) + (alpha(item.fill_to) - alpha(item.fill)) * share
                fill = (int(mixed[0]), int(mixed[1]), int(mixed[2]), int(opacity))
            colour = over(fill, colour)
    return colour


def _luminance(colour: tuple[float, float, float]) -> float:
    def linear(value: float) -> float:
        value /= 255
        return value / 12.92 if value <= 0.03928 else float(((value + 0.055) / 1.055) ** 2.4)

    red, green, blue = colour
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)


def contrast(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """Return the contrast ratio of two colours as WCAG 2 defines it, 1 to 21."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
