"""Sprites in memory: rasters at the sizes in use, and their faded, squeezed and turned variants.

Variants are made once and kept, in coarse steps: turning or scaling a picture in every frame would cost more than everything else.
Not responsible for drawing pictures (`display.assets`) or for where they go (`display.canvas`).
"""

import time
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path

import pygame

from display.assets import FAMILIES, picture
from display.assets.raster import Raster, clear_surface, rasterise
from display.assets.store import RasterStore
from display.canvas_cache import ByteLru

FADE_STEPS = 16
LIGHT_STEPS = 20
SQUEEZE_STEPS = 24
TURN_STEP_DEGREES = 1.5
MEMORY_LIMIT_BYTES = 7_500_000
VARIANT_LIMIT_BYTES = 2_000_000
_PASSING_BYTES = 3_000_000
"""A picture as large as the screen is painted once to the static layer and not kept besides."""
_PREPARED_SHARE = 0.85
_MOST_DECKS = 6
"""Card sizes for which a whole deck is prepared in idle time; rarer sizes are made card by card."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A surface and where its anchor lies: the middle of the sprite's box."""

    surface: pygame.Surface
    anchor_x: float
    anchor_y: float
    draft: bool = False
    """A quick enlargement or reduction that the next frame should replace by a sharp raster."""


def surface_bytes(surface: pygame.Surface) -> int:
    """Return how much memory a surface's pixels take."""
    return surface.get_pitch() * surface.get_height()


def faded(surface: pygame.Surface, alpha: float) -> pygame.Surface:
    """Return a copy with its opacity multiplied (blending pixel and surface alpha together is slow in pygame)."""
    copy = surface.copy()
    level = round(alpha * 255)
    if copy.get_flags() & pygame.SRCALPHA:
        copy.fill((255, 255, 255, level), None, pygame.BLEND_RGBA_MULT)
    else:
        copy.set_alpha(level)
    return copy


def darkened(surface: pygame.Surface, light: float) -> pygame.Surface:
    """Return a copy in less light, its colours and transparency kept; the shade is a little cool, as on a felt beside the lamp."""
    copy = surface.copy()
    red, green, blue = (round(255 * light * tint) for tint in (0.96, 1.0, 1.0))
    copy.fill((red, green, blue, 255), None, pygame.BLEND_RGBA_MULT)
    return copy


class SpriteShelf:
    """Gives stamps for sprites by name and size in pixels."""

    def __init__(self, cache_dir: Path | None) -> None:
        """Keep rasters on disk in ``cache_dir``, if given."""
        self._store = RasterStore(cache_dir)
        self._rasters: ByteLru[Raster] = ByteLru(MEMORY_LIMIT_BYTES, lambda raster: surface_bytes(raster.surface))
        self._variants: ByteLru[Stamp] = ByteLru(VARIANT_LIMIT_BYTES, lambda stamp: surface_bytes(stamp.surface))
        self._sizes: dict[str, tuple[int, int]] = {}
        self._families: set[tuple[str, int, int]] = set()
        self._wanted: deque[tuple[str, int, int]] = deque()

    @property
    def used_bytes(self) -> int:
        """Memory held by pixels."""
        return self._rasters.used_bytes + self._variants.used_bytes

    def stamp(
        self,
        name: str,
        width: int,
        height: int,
        *,
        alpha: float = 1,
        squeeze: float = 1,
        turn: float = 0,
        light: float = 1,
        sharp: bool = True,
    ) -> Stamp | None:
        """Return the picture, or None if nothing of it can be seen.

        Unless ``sharp``, a size that is not at hand is scaled from one that is. Raises KeyError for an unknown sprite.
        """
        fade_step = round(max(0.0, min(1.0, alpha)) * FADE_STEPS)
        squeeze_step = round(abs(squeeze) * SQUEEZE_STEPS)
        light_step = round(max(0.0, min(1.0, light)) * LIGHT_STEPS)
        turn_step = round(turn / TURN_STEP_DEGREES) % round(360 / TURN_STEP_DEGREES)
        if fade_step == 0 or squeeze_step == 0:
            return None
        key = (name, width, height, fade_step, squeeze_step, turn_step, light_step)
        stamp = self._variants.get(key)
        if stamp is not None:
            return stamp
        raster, draft = self._raster(name, width, height, sharp=sharp)
        plain = Stamp(raster.surface, raster.dx + width / 2, raster.dy + height / 2, draft)
        if (fade_step, squeeze_step, turn_step, light_step) == (FADE_STEPS, SQUEEZE_STEPS, 0, LIGHT_STEPS):
            return plain
        stamp = _variant(plain, fade_step / FADE_STEPS, squeeze_step / SQUEEZE_STEPS, turn_step * TURN_STEP_DEGREES)
        if light_step != LIGHT_STEPS:
            stamp = replace(stamp, surface=darkened(stamp.surface, light_step / LIGHT_STEPS))
        return stamp if draft else self._variants.put(key, stamp)

    def _raster(self, name: str, width: int, height: int, *, sharp: bool) -> tuple[Raster, bool]:
        key = (name, width, height)
        raster = self._rasters.get(key)
        if raster is not None:
            return raster, False
        if not sharp:
            near = self._sizes.get(name)
            base = None if near is None else self._rasters.get((name, *near))
            if base is None:
                # Of this picture nothing is at hand: read or draw it, for this and for the coming sizes.
                kept = self._store.load(name, width, height)
                base = self._rasters.put(key, kept or rasterise(picture(name), width, height))
                self._sizes[name] = (width, height)
                return base, False
            return _scaled(base, width, height), True
        raster = self._fetch(name, width, height)
        if surface_bytes(raster.surface) < _PASSING_BYTES:
            self._sizes[name] = (width, height)
            self._want_family(name, width, height)
            self._rasters.put(key, raster)
        return raster, False

    def _fetch(self, name: str, width: int, height: int) -> Raster:
        raster = self._store.load(name, width, height)
        if raster is None:
            raster = rasterise(picture(name), width, height)
            self._store.save(name, raster)
        return raster

    def _want_family(self, name: str, width: int, height: int) -> None:
        prefix = name.partition(":")[0]
        if prefix in FAMILIES and (prefix, width, height) not in self._families and len(self._families) < _MOST_DECKS:
            self._families.add((prefix, width, height))
            self._wanted.extend((member, width, height) for member in FAMILIES[prefix])

    def prepare(self, budget_ms: float) -> bool:
        """Use idle time to raster sprites that will be needed (the other cards of a deck); tell whether more is left."""
        end = time.perf_counter() + budget_ms / 1000
        if self._rasters.used_bytes > _PREPARED_SHARE * MEMORY_LIMIT_BYTES:
            # What may be needed must not push out what is.
            self._wanted.clear()
        while self._wanted:
            name, width, height = self._wanted.popleft()
            if self._rasters.get((name, width, height)) is None:
                self._rasters.put((name, width, height), self._fetch(name, width, height))
                self._sizes[name] = (width, height)
            if time.perf_counter() >= end:
                break
        return bool(self._wanted)


def _scaled(base: Raster, width: int, height: int) -> Raster:
    fx, fy = width / base.width, height / base.height
    old_w, old_h = base.surface.get_size()
    # Even widths only; the last columns are transparent padding.
    size = (max(8, round(old_w * fx / 8) * 8), max(1, round(old_h * fy)))
    surface = pygame.transform.smoothscale(base.surface, size)
    return Raster(surface, round(base.dx * fx), round(base.dy * fy), width, height)


def _variant(plain: Stamp, alpha: float, squeeze: float, turn: float) -> Stamp:
    surface, x, y = plain.surface, plain.anchor_x, plain.anchor_y
    if squeeze != 1:
        width = max(2, round(surface.get_width() * squeeze / 2) * 2)
        x *= width / surface.get_width()
        surface = pygame.transform.smoothscale(surface, (width, surface.get_height()))
    if turn:
        # Turn about the anchor: put it into the middle first.
        w, h = surface.get_size()
        half_w, half_h = max(x, w - x), max(y, h - y)
        centred = pygame.Surface((round(2 * half_w), round(2 * half_h)), pygame.SRCALPHA, 32)
        centred.blit(surface, (round(half_w - x), round(half_h - y)))
        turned = pygame.transform.rotozoom(centred, turn, 1.0)
        surface = clear_surface(*turned.get_size())
        surface.blit(turned, (0, 0))
        x, y = turned.get_width() / 2, turned.get_height() / 2
    if alpha != 1:
        surface = faded(surface, alpha)
    return Stamp(surface, x, y, plain.draft)
