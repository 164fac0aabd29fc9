"""A graph of the menu as SVG, for a browser. Pure; the same points as on the screen."""

from collections.abc import Callable
from html import escape
from typing import Final

from display.view_model import GraphView, Text

WIDTH: Final = 960
HEIGHT: Final = 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 110, 20, 40, 40
_COLOURS: Final = {"": "#1a1a1a", "good": "#0a7d34", "warning": "#c06000", "muted": "#8a8a8a"}
_GRID: Final = 4
_MOST_LABELS: Final = 10


def svg_of(graph: GraphView, say: Callable[[Text], str], figure: Callable[[int], str]) -> str:
    """Return a graph; ``figure`` writes a value of its y axis. Empty when there is nothing to draw."""
    values = [value for line in graph.lines for value in line.points if value is not None]
    if not values:
        return ""
    zero = [] if graph.unit == "permille" else [0]
    low, high = min([*values, *zero]), max([*values, *zero])
    high = high if high > low else low + 1
    wide, tall = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    step = wide / max(len(graph.labels) - 1, 1)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">']
    for number in range(_GRID + 1):
        value = low + (high - low) * number // _GRID
        y = _TOP + tall * (high - value) / (high - low)
        parts.append(f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(_words(_LEFT - 8, y + 4, figure(value), "end"))
    for index in range(0, len(graph.labels), -(-len(graph.labels) // _MOST_LABELS)):
        parts.append(_words(_LEFT + index * step, HEIGHT - 14, graph.labels[index], "middle"))
    left = float(_LEFT)
    for line in graph.lines:
        colour, name = _COLOURS.get(line.tone, _COLOURS[""]), say(line.label)
        points = [
            (_LEFT + index * step, _TOP + tall * (high - value) / (high - low))
            for index, value in enumerate(line.points)
            if value is not None
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in points]
        parts.append(f'<rect x="{left:.0f}" y="12" width="22" height="5" fill="{colour}"/>')
        parts.append(_words(left + 28, 20, name, "start"))
        left += 60 + 9 * len(name)
    return "".join([*parts, "</svg>"])


def _words(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="13" text-anchor="{anchor}">{escape(text)}</text>'
