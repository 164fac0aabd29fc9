"""The painter: draw lists onto a surface, at any size, repainting only what changed.

A canvas shows a logical area (1920 x 1080 for the table) as large as it fits into its size, centred; the rest is black. It remembers the
last frame: painting again touches only the rectangles in which the new frame differs, so an idle screen costs
nothing. Items that a draw list calls static are painted once to a layer of their own. The surface handed to `Canvas.paint` must
therefore be the same one each time and keep its pixels; after it was lost call `Canvas.invalidate`.

Renderer: SDL's software blits and dirty rectangles on every platform. Not responsible for windows or events.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pygame

from display.canvas_diff import Rect, merged, overlap, ring, shared_items, shared_out
from display.canvas_shapes import ShapeShelf
from display.canvas_sprites import SpriteShelf
from display.canvas_text import TextShelf
from display.draw_list import (
    CANVAS_HEIGHT,
    CANVAS_WIDTH,
    ArcLabel,
    Box,
    DrawList,
    Glow,
    Hit,
    Item,
    Label,
    Panel,
    Sprite,
    Stroke,
)
from display.fonts import Fonts
from display.memory import give_large_blocks_back

MOST_WORK_NS = 7_200_000
"""What one frame of a movement may cost a Raspberry Pi 4; a frame lasts 16.7 ms."""


class Shelves:
    """What canvases share: fonts, and surfaces already made."""

    def __init__(self, cache_dir: Path | None = None, fonts: Fonts | None = None) -> None:
        """Keep rasters on disk in ``cache_dir`` (None: nowhere)."""
        give_large_blocks_back()
        self.fonts = fonts or Fonts()
        self.sprites = SpriteShelf(cache_dir)
        self.text = TextShelf(self.fonts)
        self.shapes = ShapeShelf()


@dataclass(frozen=True, slots=True)
class Piece:
    """An item ready to be painted: its surface (None: nothing to see) and its rectangle in pixels."""

    surface: pygame.Surface | None
    rect: Rect
    draft: bool = False
    parts: tuple[Rect, ...] = ()
    """The parts of the surface that show anything, when there is a large hole in it; empty: all of it."""

    @property
    def solid(self) -> bool:
        """Tell whether it hides everything behind its rectangle."""
        surface = self.surface
        return surface is not None and not surface.get_flags() & pygame.SRCALPHA and surface.get_alpha() in (None, 255)


@dataclass(frozen=True, slots=True)
class Measure:
    """The size a label's text takes at the size asked for, and whether that fits its box (logical pixels)."""

    width: float
    height: float
    fits: bool
    size: float
    """The size it is drawn at."""


@dataclass(slots=True)
class PixelCount:
    """Pixels touched by the last frame, by class: they cost differently on small computers."""

    copied: int = 0
    blended: int = 0
    band: int = 0
    """Rows from the first to the last changed one, in full width: what an upload to a texture moves (Wayland, KMSDRM)."""
    changed: int = 0
    """The changed rectangles alone: what goes to an X server or a frame buffer."""


_NOTHING = Piece(None, (0, 0, 0, 0))


class Canvas:
    """Paints draw lists of one logical area."""

    def __init__(
        self,
        size: tuple[int, int],
        shelves: Shelves,
        logical: tuple[int, int] = (CANVAS_WIDTH, CANVAS_HEIGHT),
    ) -> None:
        """Prepare for surfaces of ``size`` pixels."""
        self._shelves = shelves
        self.logical = logical
        self.size = size
        self.scale = min(size[0] / logical[0], size[1] / logical[1])
        self._shown: Rect = _centred(size, round(logical[0] * self.scale), round(logical[1] * self.scale))
        self._static_items: tuple[Item, ...] | None = None
        self._static_layer: pygame.Surface | None = None
        self._items: tuple[Item, ...] = ()
        self._pieces: list[Piece] = []
        self._frame: DrawList | None = None
        self._lost = True
        self._owed: list[Rect] = []
        self._next_row = 0
        self.pixels = PixelCount()
        self.unfinished = False
        """True when painting the same frame again would sharpen or complete something."""

    # --- Geometry ---

    def to_logical(self, x: float, y: float) -> tuple[float, float]:
        """Return the logical point under a pixel; it may lie outside the area (letterbox)."""
        return (x - self._shown[0]) / self.scale, (y - self._shown[1]) / self.scale

    def to_pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel over a logical point."""
        return x * self.scale + self._shown[0], y * self.scale + self._shown[1]

    # --- Painting ---

    def invalidate(self) -> None:
        """Forget what the surface shows: the next frame is painted whole."""
        self._lost = True

    def paint(self, frame: DrawList, surface: pygame.Surface, *, patient: bool = False) -> list[Rect]:
        """Bring a surface up to a frame; returns the rectangles that changed (none when nothing did).

        ``patient``: while something moves, a change that would cost a small computer its frame may be brought on in parts, some
        rows in this call and the rest in the next ones (``unfinished``).
        """
        if frame is self._frame and not self._lost and not self.unfinished:
            return []
        self._frame = frame
        static = frame.items[: frame.static_count]
        moving = frame.items[frame.static_count :]
        dirty, self._owed = self._owed, []
        whole = (0, 0, *self.size)
        if self._lost or static != self._static_items:
            self._paint_static(static)
            dirty = [whole if self._lost else self._shown]
            patient = False
        changed, pieces = self._changes(moving)
        dirty.extend(changed)
        self._items, self._pieces, self._lost = moving, pieces, False
        rects = merged(dirty, whole)
        if patient and frame.animating:
            rects, self._owed, self._next_row = shared_out(rects, self.size[0], MOST_WORK_NS, self._next_row)
        self.unfinished = bool(self._owed) or any(piece.draft for piece in pieces)
        self.pixels = PixelCount()
        for rect in rects:
            self._repaint(rect, surface)
        surface.set_clip(None)
        if rects:
            self.pixels.changed = sum(rect[2] * rect[3] for rect in rects)
            self.pixels.band = (max(r[1] + r[3] for r in rects) - min(r[1] for r in rects)) * self.size[0]
        return rects

    def _changes(self, moving: tuple[Item, ...]) -> tuple[list[Rect], list[Piece]]:
        shared = {} if self._lost else {new: old for old, new in shared_items(self._items, moving)}
        kept = {new: old for new, old in shared.items() if not self._pieces[old].draft}
        stayed = set(kept.values())
        dirty = [piece.rect for index, piece in enumerate(self._pieces) if index not in stayed]
        pieces = []
        for index, item in enumerate(moving):
            if index in kept:
                pieces.append(self._pieces[kept[index]])
            else:
                # What has just appeared or moved may look different in the next frame: a quick picture will do.
                piece = self.piece(item, sharp=self._lost or index in shared)
                pieces.append(piece)
                dirty.append(piece.rect)
        return dirty, pieces

    def _paint_static(self, static: tuple[Item, ...]) -> None:
        layer = self._static_layer
        if layer is None:
            layer = self._static_layer = pygame.Surface(self.size, 0, 32)
        layer.set_clip(None)
        layer.fill((0, 0, 0))
        layer.set_clip(self._shown)
        for item in static:
            piece = self.piece(item)
            if piece.surface is not None:
                layer.blit(piece.surface, piece.rect)
        self._static_items = static

    def _repaint(self, rect: Rect, surface: pygame.Surface) -> None:
        surface.set_clip(rect)
        concerned = [piece for piece in self._pieces if piece.surface is not None and overlap(piece.rect, rect)]
        # What a solid piece hides is not painted at all.
        bottom = next((i for i in range(len(concerned) - 1, -1, -1) if _hides(concerned[i], rect)), None)
        if bottom is not None:
            concerned = concerned[bottom:]
        elif self._static_layer is not None:
            surface.blit(self._static_layer, rect, rect)
            self.pixels.copied += rect[2] * rect[3]
        clip = pygame.Rect(rect).clip(self._shown)
        surface.set_clip(clip)
        for piece in concerned:
            self._blit(piece, surface, clip)

    def _blit(self, piece: Piece, surface: pygame.Surface, clip: pygame.Rect) -> None:
        if piece.surface is None:
            return
        x, y, width, height = piece.rect
        touched = 0
        for part in piece.parts or ((0, 0, width, height),):
            place = clip.clip((x + part[0], y + part[1], part[2], part[3]))
            if place.w and place.h:
                surface.blit(piece.surface, (x + part[0], y + part[1]), part)
                touched += place.w * place.h
        if piece.solid:
            self.pixels.copied += touched
        else:
            self.pixels.blended += touched

    # --- Items to pieces ---

    def piece(self, item: Item, *, sharp: bool = True) -> Piece:
        """Return an item as pixels; if not ``sharp``, a picture that is scaled from another size will do.

        Raises KeyError for an unknown sprite.
        """
        match item:
            case Sprite():
                return self._sprite(item, sharp=sharp)
            case Panel():
                return self._panel(item)
            case Label():
                return self._label(item)
            case ArcLabel():
                surface, left, top = self._shelves.text.arc(item, self.scale)
                x, y = self.to_pixel(item.cx, item.cy)
                return Piece(surface, (round(x + left), round(y + top), *surface.get_size()))
            case Stroke():
                surface, dx, dy = self._shelves.shapes.stroke(item, self.scale)
                return Piece(surface, (dx + self._shown[0], dy + self._shown[1], *surface.get_size()))
            case Glow():
                return self._glow(item)
            case Hit():
                return _NOTHING

    def _edges(self, box: Box) -> Rect:
        x0, y0 = self.to_pixel(box.x, box.y)
        x1, y1 = self.to_pixel(box.x + box.w, box.y + box.h)
        return round(x0), round(y0), max(1, round(x1) - round(x0)), max(1, round(y1) - round(y0))

    def _sprite(self, item: Sprite, *, sharp: bool) -> Piece:
        # The size must not depend on the place, or a moving thing would need two rasters.
        width, height = max(1, round(item.box.w * self.scale)), max(1, round(item.box.h * self.scale))
        stamp = self._shelves.sprites.stamp(
            item.name,
            width,
            height,
            alpha=item.alpha,
            squeeze=item.scale_x,
            turn=item.angle,
            light=item.light,
            sharp=sharp,
        )
        if stamp is None:
            return _NOTHING
        x, y = self.to_pixel(item.box.x + item.box.w / 2, item.box.y + item.box.h / 2)
        place = (round(x - stamp.anchor_x), round(y - stamp.anchor_y))
        return Piece(stamp.surface, (*place, *stamp.surface.get_size()), stamp.draft)

    def _panel(self, item: Panel) -> Piece:
        rect = self._edges(item.box)
        surface = self._shelves.shapes.panel(item, rect[2], rect[3], self.scale)
        parts: tuple[Rect, ...] = ()
        if len(item.fill) > 3 and item.fill[3] == 0 and item.fill_to is None:
            # Of an outline only the rim is painted.
            rim = (item.radius * 0.3 + item.border_width) * self.scale
            parts = ring((0, 0, *surface.get_size()), (0, 0, rect[2], rect[3]), math.ceil(rim) + 1)
        return Piece(surface, (rect[0], rect[1], *surface.get_size()), parts=parts)

    def _glow(self, item: Glow) -> Piece:
        width, height = round(item.box.w * self.scale), round(item.box.h * self.scale)
        surface, reach = self._shelves.shapes.glow(item, width, height, self.scale)
        x, y = self.to_pixel(item.box.x, item.box.y)
        parts: tuple[Rect, ...] = ()
        if item.hollow:
            rim = math.ceil(item.radius * self.scale) + 1
            parts = ring((0, 0, *surface.get_size()), (reach, reach, width, height), rim)
        return Piece(surface, (round(x) - reach, round(y) - reach, *surface.get_size()), parts=parts)

    def _label(self, item: Label) -> Piece:
        if not item.text or item.alpha <= 0:
            return _NOTHING
        x, y, width, height = self._edges(item.box)
        surface, wide, tall = self._shelves.text.label(item, self._text_pixels(item), width, height)
        left = {"l": x, "c": x + (width - wide) // 2, "r": x + width - wide}[item.align]
        top = {"t": y, "m": y + (height - tall) // 2, "b": y + height - tall}[item.valign]
        return Piece(surface, (left, top, *surface.get_size()))

    def _text_pixels(self, item: Label) -> int:
        return max(1, round(item.size * self.scale))

    def measure(self, item: Label) -> Measure:
        """Return how large a label's text is and whether it fits its box."""
        _, _, width, height = self._edges(item.box)
        fit = self._shelves.text.fit(item.text, item.weight, self._text_pixels(item), width, height, wrap=item.wrap)
        return Measure(
            fit.natural_width / self.scale, fit.natural_height / self.scale, fit.fits, fit.pixels / self.scale
        )

    def prepare(self, budget_ms: float) -> bool:
        """Use idle time for sprites that will be needed soon; tell whether more is left to do."""
        return self._shelves.sprites.prepare(budget_ms)


def _hides(piece: Piece, rect: Rect) -> bool:
    """Tell whether a piece covers a rectangle with solid pixels."""
    x, y, width, height = piece.rect
    covers = x <= rect[0] and y <= rect[1] and x + width >= rect[0] + rect[2] and y + height >= rect[1] + rect[3]
    return covers and piece.solid


def _centred(size: tuple[int, int], width: int, height: int) -> Rect:
    return (size[0] - width) // 2, (size[1] - height) // 2, width, height


def blank(size: tuple[int, int]) -> pygame.Surface:
    """Return an empty surface to paint on; needs no window."""
    return pygame.Surface(size, 0, 32)


def render(frame: DrawList, size: tuple[int, int], shelves: Shelves) -> pygame.Surface:
    """Return one frame as a surface; needs no window."""
    surface = blank(size)
    Canvas(size, shelves).paint(frame, surface)
    return surface


def side_by_side(size: tuple[int, int], areas: Sequence[tuple[int, int]]) -> list[Rect]:
    """Return where areas of equal logical height lie in a window: one scale for all, centred together."""
    wide = sum(width for width, _ in areas)
    tall = max(height for _, height in areas)
    scale = min(size[0] / wide, size[1] / tall)
    x = (size[0] - wide * scale) / 2
    places = []
    for width, height in areas:
        left, right = round(x), round(x + width * scale)
        pixels = min(size[1], round(height * scale))
        places.append((left, (size[1] - pixels) // 2, min(right, size[0]) - left, pixels))
        x += width * scale
    return places


def render_png(frame: DrawList, size: tuple[int, int], path: Path, shelves: Shelves | None = None) -> None:
    """Write one frame as a PNG file; needs no window. Raises OSError when the file cannot be written."""
    surface = render(frame, size, shelves or Shelves())
    try:
        pygame.image.save(surface, str(path))
    except pygame.error as error:
        raise OSError(f"cannot write {path}: {error}") from error
