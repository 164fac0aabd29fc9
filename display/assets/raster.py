"""Pictures to pixels: SVG text read by SDL_image, soft shadows, woven cloth.

Surfaces with transparency get widths that are multiples of 8: pygame 2.6 blends odd widths at half speed.
Not responsible for keeping what it made (`display.assets.store`).
"""

import io
import math
import random
from dataclasses import dataclass

import pygame

from display.assets.picture import Cloth, Picture, Shadow
from display.assets.vector import Colour, Drawing, rect, to_svg

_WEAVE_SEED = 20
_CLOTH_TILE = 256


@dataclass(frozen=True, slots=True)
class Raster:
    """Pixels of a picture. The picture's box begins at (``dx``, ``dy``); what lies outside is bleed and padding."""

    surface: pygame.Surface
    dx: int
    dy: int
    width: int
    height: int


def padded(width: int) -> int:
    """Return the next multiple of 8."""
    return (width + 7) // 8 * 8


def clear_surface(width: int, height: int) -> pygame.Surface:
    """Return a transparent surface, its width padded."""
    return pygame.Surface((padded(max(1, width)), max(1, height)), pygame.SRCALPHA, 32)


def load_svg(svg: str) -> pygame.Surface:
    """Return the surface of SVG text."""
    return pygame.image.load(io.BytesIO(svg.encode()), "picture.svg")


def rasterise(picture: Picture, width: int, height: int) -> Raster:
    """Return a picture in so many pixels (its box, bleed not counted)."""
    sx, sy = picture.width / width, picture.height / height
    margin = math.ceil(picture.bleed / min(sx, sy)) if picture.bleed else 0
    drawing = picture.draw()
    if picture.cloth is not None:
        surface = weave(picture.cloth, width, height)
        if drawing.shapes:
            svg = to_svg(drawing, (0, 0, picture.width, picture.height), (width, height))
            surface.blit(load_svg(svg), (0, 0))
        return Raster(surface, 0, 0, width, height)
    surface = clear_surface(width + 2 * margin, height + 2 * margin)
    total_w, total_h = surface.get_size()
    view = (-margin * sx, -margin * sy, total_w * sx, total_h * sy)
    shape = load_svg(to_svg(drawing, view, (total_w, total_h)))
    if picture.cut_radius is not None:
        box = rect(0, 0, picture.width, picture.height, picture.cut_radius)
        mask = load_svg(to_svg(Drawing().fill(box, (255, 255, 255)), view, (total_w, total_h)))
        shape.blit(mask, (0, 0), None, pygame.BLEND_RGBA_MULT)
    if picture.shadow is not None:
        surface.blit(_shadow(shape, picture.shadow, 1 / sx), (0, 0))
    surface.blit(shape, (0, 0))
    return Raster(surface, margin, margin, width, height)


def _shadow(shape: pygame.Surface, shadow: Shadow, scale: float) -> pygame.Surface:
    black = clear_surface(*shape.get_size())
    black.blit(shape, (round(shadow.dx * scale), round(shadow.dy * scale)))
    black.fill((0, 0, 0, round(shadow.opacity * 255)), None, pygame.BLEND_RGBA_MULT)
    return blur(black, shadow.blur * scale)


def blur(surface: pygame.Surface, radius: float) -> pygame.Surface:
    """Return a softened copy (shrunk and grown again, twice)."""
    width, height = surface.get_size()
    for factor in (radius * 0.55, radius * 0.8):
        if factor > 1:
            small = (max(2, round(width / factor)), max(2, round(height / factor)))
            surface = pygame.transform.smoothscale(pygame.transform.smoothscale(surface, small), (width, height))
    return surface


def weave(cloth: Cloth, width: int, height: int) -> pygame.Surface:
    """Return woven cloth under one lamp: light falling off from a point, threads, and an uneven nap."""
    surface = _light(cloth, width, height)
    tile = _threads(cloth.grain)
    for x in range(0, width, _CLOTH_TILE):
        for y in range(0, height, _CLOTH_TILE):
            surface.blit(tile, (x, y), None, pygame.BLEND_RGB_ADD)
    half = round(14 * cloth.grain)
    surface.fill((half, half, half), None, pygame.BLEND_RGB_SUB)
    return surface


def _light(cloth: Cloth, width: int, height: int) -> pygame.Surface:
    columns, rows = 96, 54
    pixels = bytearray()
    for row in range(rows):
        for column in range(columns):
            dx = ((column + 0.5) / columns - cloth.light_x) / cloth.reach
            dy = ((row + 0.5) / rows - cloth.light_y) / (cloth.reach * 1.05)
            fall = math.exp(-1.45 * (dx * dx + dy * dy))
            pixels += bytes(_between(cloth.dark, cloth.bright, fall))
    small = pygame.image.frombuffer(bytes(pixels), (columns, rows), "RGB")
    surface = pygame.Surface((width, height), 0, 32)
    surface.blit(pygame.transform.smoothscale(small, (width, height)), (0, 0))
    return surface


def _between(dark: Colour, bright: Colour, share: float) -> tuple[int, int, int]:
    r, g, b = (round(dark[i] + (bright[i] - dark[i]) * share) for i in range(3))
    return r, g, b


def _noise(width: int, height: int, top: int, seed: int) -> pygame.Surface:
    levels = bytes(value * top // 255 for value in range(256))
    grey = random.Random(seed).randbytes(width * height).translate(levels)
    pixels = bytes(value for level in grey for value in (level, level, level))
    return pygame.image.frombuffer(pixels, (width, height), "RGB")


def _threads(grain: float) -> pygame.Surface:
    """Return a tile that repeats without a seam: warp and weft threads of uneven brightness, and single fibres."""
    size = _CLOTH_TILE
    tile = pygame.Surface((size, size), 0, 32)
    layers = (
        (size // 2, size // 16, 11),  # warp: long upright threads
        (size // 16, size // 2, 11),  # weft: long level threads
        (size, size, 9),  # fibres
        (size // 32, size // 32, 4),  # nap
    )
    for number, (w, h, top) in enumerate(layers):
        noise = _noise(w, h, round(top * grain), _WEAVE_SEED + number)
        # Grown together with a rim copied from the opposite side, so that neighbouring tiles meet smoothly.
        rimmed = pygame.Surface((w * 3, h * 3), 0, 24)
        for x in range(3):
            for y in range(3):
                rimmed.blit(noise, (x * w, y * h))
        grown = pygame.transform.smoothscale(rimmed, (size * 3, size * 3))
        tile.blit(grown, (0, 0), (size, size, size, size), pygame.BLEND_RGB_ADD)
    return tile
