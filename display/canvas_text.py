"""Text to surfaces: one line, several lines, or along a circle; shrunk just enough to fit; kept while in use.

Not responsible for translating or for the fonts' files.
"""

import math
from dataclasses import dataclass

import pygame

from display.assets.raster import clear_surface
from display.canvas_cache import ByteLru
from display.canvas_sprites import FADE_STEPS, faded, surface_bytes
from display.draw_list import ArcLabel, Colour, Label
from display.fonts import Fonts

MEMORY_LIMIT_BYTES = 1_800_000
_MOST_FITS = 2_000
SMALLEST_PIXELS = 7
_ARC_TRACKING = 0.06
"""Space between letters along a circle, in ems."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How text lies in its box (pixels): the size that fits, the lines and what they take at it, and at the size asked for."""

    pixels: int
    lines: tuple[str, ...]
    width: int
    height: int
    """With all that hangs below the lines: a surface's height."""
    natural_width: int
    natural_height: int
    fits: bool


def _wrapped(font: pygame.font.Font, text: str, width: int) -> tuple[str, ...]:
    lines: list[str] = []
    for paragraph in text.split("\n"):
        current = ""
        for word in paragraph.split(" "):
            longer = f"{current} {word}" if current else word
            if current and font.size(longer)[0] > width:
                lines.append(current)
                current = word
            else:
                current = longer
        lines.append(current)
    return tuple(lines)


class TextShelf:
    """Renders labels."""

    def __init__(self, fonts: Fonts) -> None:
        """Use these fonts."""
        self._fonts = fonts
        self._kept: ByteLru[pygame.Surface] = ByteLru(MEMORY_LIMIT_BYTES, surface_bytes)
        self._fits: dict[tuple[object, ...], Fit] = {}

    @property
    def used_bytes(self) -> int:
        """Memory held by pixels."""
        return self._kept.used_bytes

    def fit(self, text: str, weight: str, pixels: int, width: int, height: int, *, wrap: bool) -> Fit:
        """Return how a text lies in a box of ``width`` x ``height`` pixels when asked for at ``pixels`` per em."""
        key = (text, weight, pixels, width, height, wrap)
        known = self._fits.get(key)
        if known is None:
            if len(self._fits) > _MOST_FITS:
                self._fits.clear()
            known = self._fits[key] = self._find_fit(text, weight, pixels, width, height, wrap=wrap)
        return known

    def _find_fit(self, text: str, weight: str, pixels: int, width: int, height: int, *, wrap: bool) -> Fit:
        lines, natural_w, natural_h = self._extent(text, weight, pixels, width, wrap=wrap)
        fits = natural_w <= width and natural_h <= height
        size, w, h = pixels, natural_w, natural_h
        while (w > width or h > height) and size > SMALLEST_PIXELS:
            # One step below what the proportions suggest would do at once; wrapped text may need more.
            ratio = min(width / max(1, w), height / max(1, h))
            size = max(SMALLEST_PIXELS, min(size - 1, size - 1 if wrap else math.floor(size * ratio)))
            lines, w, h = self._extent(text, weight, size, width, wrap=wrap)
        font = self._fonts.get(weight, size)
        tall = font.get_height() + (len(lines) - 1) * font.get_linesize()
        return Fit(size, lines, w, tall, natural_w, natural_h, fits)

    def _extent(
        self, text: str, weight: str, pixels: int, width: int, *, wrap: bool
    ) -> tuple[tuple[str, ...], int, int]:
        font = self._fonts.get(weight, pixels)
        lines = _wrapped(font, text, width) if wrap else tuple(text.split("\n"))
        wide = max(font.size(line)[0] for line in lines)
        # A line takes its em; between lines the font's own distance is kept.
        return lines, wide, round(pixels + (len(lines) - 1) * font.get_linesize())

    def label(self, label: Label, pixels: int, width: int, height: int) -> tuple[pygame.Surface, int, int]:
        """Return a label's surface and the size of the text in it (without padding)."""
        fit = self.fit(label.text, label.weight, pixels, width, height, wrap=label.wrap)
        fade_step = round(max(0.0, min(1.0, label.alpha)) * FADE_STEPS)
        key = (fit.lines, label.weight, fit.pixels, label.colour, label.shadow, label.align, fade_step)
        surface = self._kept.get(key)
        if surface is None:
            surface = self._render(fit, label)
            if fade_step < FADE_STEPS:
                surface = faded(surface, fade_step / FADE_STEPS)
            self._kept.put(key, surface)
        return surface, fit.width, fit.height

    def _render(self, fit: Fit, label: Label) -> pygame.Surface:
        font, wide = self._fonts.get(label.weight, fit.pixels), fit.width
        drop = max(1, round(fit.pixels / 18)) if label.shadow else 0
        surface = clear_surface(wide + drop, fit.height + drop)
        for number, line in enumerate(fit.lines):
            if not line:
                continue
            ink = _ink(font, line, label.colour)
            spare = wide - ink.get_width()
            x = {"l": 0, "c": spare // 2, "r": spare}[label.align]
            y = number * font.get_linesize()
            if drop:
                surface.blit(_ink(font, line, (0, 0, 0, 150)), (x, y + drop))
            surface.blit(ink, (x, y))
        return surface

    def arc(self, label: ArcLabel, scale: float) -> tuple[pygame.Surface, float, float]:
        """Return text along a circle and the place of its surface relative to the circle's centre, in pixels."""
        pixels = max(SMALLEST_PIXELS, round(label.size * scale))
        radius = label.radius * scale
        letters = self._arc_letters(label, pixels, radius)
        left = math.floor(min(x - s.get_width() / 2 for s, x, y in letters))
        top = math.floor(min(y - s.get_height() / 2 for s, x, y in letters))
        right = math.ceil(max(x + s.get_width() / 2 for s, x, y in letters))
        bottom = math.ceil(max(y + s.get_height() / 2 for s, x, y in letters))
        surface = clear_surface(right - left + 1, bottom - top + 1)
        for s, x, y in letters:
            surface.blit(s, (round(x - s.get_width() / 2 - left), round(y - s.get_height() / 2 - top)))
        return surface, left, top

    def _arc_letters(self, label: ArcLabel, pixels: int, radius: float) -> list[tuple[pygame.Surface, float, float]]:
        double = self._fonts.get(label.weight, pixels * 2)
        tracking = pixels * _ARC_TRACKING
        advances = [double.size(c)[0] / 2 + tracking for c in label.text]
        # Below the centre the text runs against the angle and its feet point outwards; above, the other way round.
        below = math.sin(math.radians(label.middle)) >= 0
        direction = -1 if below else 1
        angle = math.radians(label.middle) - direction * sum(advances) / radius / 2
        letters = []
        for c, advance in zip(label.text, advances, strict=True):
            middle = angle + direction * advance / radius / 2
            angle += direction * advance / radius
            if c.isspace():
                continue
            turn = 90 - math.degrees(middle) if below else -90 - math.degrees(middle)
            surface = pygame.transform.rotozoom(_ink(double, c, label.colour), turn, 0.5)
            letters.append((surface, radius * math.cos(middle), radius * math.sin(middle)))
        return letters or [(clear_surface(1, 1), 0.0, 0.0)]


def _ink(font: pygame.font.Font, text: str, colour: Colour) -> pygame.Surface:
    surface = font.render(text, True, colour[:3])
    return faded(surface, colour[3] / 255) if len(colour) > 3 and colour[3] < 255 else surface
