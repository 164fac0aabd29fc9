"""Panels, polylines and glows to surfaces, kept while in use.

Not responsible for their places.
"""

import math

import pygame

from display.assets.raster import blur, clear_surface, load_svg, padded
from display.assets.vector import Drawing, Linear, Paint, line, rect, to_svg
from display.canvas_cache import ByteLru
from display.canvas_sprites import surface_bytes
from display.draw_list import Colour, Glow, Panel, Stroke

MEMORY_LIMIT_BYTES = 2_200_000
_GLOW_LEVELS = 16


class ShapeShelf:
    """Makes surfaces of shapes."""

    def __init__(self) -> None:
        """Start empty."""
        self._kept: ByteLru[pygame.Surface] = ByteLru(MEMORY_LIMIT_BYTES, surface_bytes)

    @property
    def used_bytes(self) -> int:
        """Memory held by pixels."""
        return self._kept.used_bytes

    def panel(self, panel: Panel, width: int, height: int, scale: float) -> pygame.Surface:
        """Return a panel's surface."""
        style = (panel.fill, panel.fill_to, panel.radius, panel.border, panel.border_width)
        return self._kept.made(("panel", width, height, scale, style), lambda: _panel(panel, width, height, scale))

    def stroke(self, stroke: Stroke, scale: float) -> tuple[pygame.Surface, int, int]:
        """Return a polyline's surface and its place relative to the canvas's corner, in pixels."""
        reach = stroke.width / 2 + 1
        left = math.floor((min(x for x, _ in stroke.points) - reach) * scale)
        top = math.floor((min(y for _, y in stroke.points) - reach) * scale)
        right = math.ceil((max(x for x, _ in stroke.points) + reach) * scale)
        bottom = math.ceil((max(y for _, y in stroke.points) + reach) * scale)

        def make() -> pygame.Surface:
            path = line(*(value for point in stroke.points for value in point))
            if stroke.closed:
                path = path.close()
            drawing = Drawing().stroke(path, stroke.width, stroke.colour)
            width, height = padded(right - left), bottom - top
            view = (left / scale, top / scale, width / scale, height / scale)
            return _own(load_svg(to_svg(drawing, view, (width, height))))

        return self._kept.made(("stroke", stroke, scale), make), left, top

    def glow(self, glow: Glow, width: int, height: int, scale: float) -> tuple[pygame.Surface, int]:
        """Return a glow's surface and how far it reaches beyond the box, in pixels."""
        reach = max(2, round(glow.spread * scale * 1.6))
        alpha = glow.colour[3] if len(glow.colour) > 3 else 255
        level = round(alpha / 255 * _GLOW_LEVELS)
        key = ("glow", width, height, scale, glow.colour[:3], level, glow.spread, glow.radius)
        colour = (*glow.colour[:3], round(level / _GLOW_LEVELS * 255))
        return self._kept.made(key, lambda: _glow(glow, colour, width, height, reach, scale)), reach


def _own(surface: pygame.Surface) -> pygame.Surface:
    copy = clear_surface(*surface.get_size())
    copy.blit(surface, (0, 0))
    return copy


def _panel(panel: Panel, width: int, height: int, scale: float) -> pygame.Surface:
    border = panel.border_width * scale if panel.border is not None else 0
    radius = min(panel.radius * scale, width / 2, height / 2)
    if radius == 0 and border == 0 and panel.fill_to is None:
        return _plain(panel.fill, width, height)
    # Only the ends are drawn; a wide panel's middle is one column repeated.
    cap = math.ceil(radius + border + 1)
    narrow = min(width, 2 * cap + 8)
    fill: Paint = panel.fill
    if panel.fill_to is not None:
        fill = Linear(0, 0, 0, height, ((0, panel.fill), (1, panel.fill_to)))
    drawing = Drawing()
    drawing.fill(rect(0, 0, narrow, height, radius), fill)
    if panel.border is not None and border:
        inside = rect(border / 2, border / 2, narrow - border, height - border, max(0, radius - border / 2))
        drawing.stroke(inside, border, panel.border)
    ends = load_svg(to_svg(drawing, (0, 0, narrow, height), (narrow, height)))
    solid = not radius and all(_is_solid(colour) for colour in (panel.fill, panel.fill_to, panel.border))
    # What hides everything behind it is copied, not blended, and what lies behind need not be painted.
    surface = pygame.Surface((width, height), 0, 32) if solid else clear_surface(width, height)
    if narrow == width:
        surface.blit(ends, (0, 0))
        return surface
    middle = width - 2 * cap
    surface.blit(ends, (0, 0), (0, 0, cap, height))
    column = clear_surface(1, height)
    column.blit(ends, (0, 0), (cap, 0, 1, height))
    surface.blit(pygame.transform.scale(column.subsurface((0, 0, 1, height)), (middle, height)), (cap, 0))
    surface.blit(ends, (width - cap, 0), (narrow - cap, 0, cap, height))
    return surface


def _is_solid(colour: Colour | None) -> bool:
    return colour is None or len(colour) == 3 or colour[3] == 255


def _plain(colour: Colour, width: int, height: int) -> pygame.Surface:
    # No transparency by pixel: one alpha for the whole surface is the fast way.
    surface = pygame.Surface((width, height), 0, 32)
    surface.fill(colour[:3])
    if len(colour) > 3 and colour[3] < 255:
        surface.set_alpha(colour[3])
    return surface


def _glow(glow: Glow, colour: Colour, width: int, height: int, reach: int, scale: float) -> pygame.Surface:
    surface = clear_surface(width + 2 * reach, height + 2 * reach)
    total_w, total_h = surface.get_size()
    grow = reach * 0.45
    shape = rect(reach - grow, reach - grow, width + 2 * grow, height + 2 * grow, glow.radius * scale + grow)
    light = load_svg(to_svg(Drawing().fill(shape, colour), (0, 0, total_w, total_h), (total_w, total_h)))
    surface.blit(light, (0, 0))
    # Blurring mixes in the colour of transparent pixels: give them the light's own.
    soft = blur(surface, reach * 0.6)
    soft.fill((*colour[:3], 0), None, pygame.BLEND_RGBA_MAX)
    return soft
