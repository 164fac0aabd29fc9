"""The canvas: what it paints, what it leaves alone, and how it maps points."""

from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from display import motion
from display.canvas import Canvas, Shelves, render, render_png, side_by_side
from display.canvas_cache import ByteLru
from display.draw_list import ArcLabel, Box, DrawList, Glow, Hit, Item, Label, Panel, Sprite, Stroke
from display.samples import SAMPLES
from display.scenes import compose

HALF = (960, 540)
GROUND = Panel(Box(0, 0, 1920, 1080), (10, 90, 60))
CARD = Sprite("card:As", Box(400, 300, 180, 252))
RED = Panel(Box(100, 100, 200, 100), (200, 0, 0))
SAMPLE_ITEMS: tuple[Item, ...] = (
    CARD,
    Sprite("back:red", Box(400, 300, 180, 252), alpha=0.5, angle=12, scale_x=0.6),
    RED,
    Panel(Box(100, 100, 300, 120), (200, 0, 0, 160), 24, (20, 0, 0, 160), (255, 220, 120), 4),
    Label("Кредит 12 480", Box(200, 200, 400, 60), 40, (255, 255, 255), "bold", "c", shadow=True),
    Label("a few words that need two lines", Box(200, 200, 260, 140), 30, (255, 255, 255, 200), wrap=True, valign="t"),
    ArcLabel("ДИЛЕР ИГРАЕТ", 960, -400, 900, 40, (240, 214, 150)),
    ArcLabel("ABOVE THE CIRCLE", 960, 700, 300, 40, (240, 214, 150), 270),
    Stroke(((200, 200), (500, 260), (300, 500)), (255, 200, 100), 6, closed=True),
    Glow(Box(500, 300, 180, 252), (255, 214, 90)),
)


def frame(*items: Item, static: int = 1) -> DrawList:
    return DrawList((GROUND, *items), static)


def screen(size: tuple[int, int] = HALF) -> pygame.Surface:
    return pygame.Surface(size, 0, 32)


def rgb(surface: pygame.Surface, x: int, y: int) -> tuple[int, int, int]:
    colour = surface.get_at((x, y))
    return colour.r, colour.g, colour.b


def bytes_of(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


@pytest.mark.parametrize("item", SAMPLE_ITEMS, ids=lambda item: type(item).__name__)
def test_item_changes_the_picture_only_inside_its_rectangle(item: Item, shelves: Shelves) -> None:
    canvas = Canvas(HALF, shelves)
    surface = screen()
    canvas.paint(frame(), surface)
    before = surface.copy()
    rects = canvas.paint(frame(item), surface)
    assert bytes_of(surface) != bytes_of(before)
    for rect in rects:
        before.fill((0, 0, 0), rect)
        surface.fill((0, 0, 0), rect)
    assert bytes_of(surface) == bytes_of(before)


def test_hit_is_not_painted(shelves: Shelves) -> None:
    canvas = Canvas(HALF, shelves)
    surface = screen()
    canvas.paint(frame(), surface)
    assert canvas.paint(frame(Hit("somewhere", Box(0, 0, 500, 500))), surface) == []


def test_unchanged_frame_repaints_nothing(shelves: Shelves) -> None:
    canvas = Canvas(HALF, shelves)
    surface = screen()
    first = frame(*SAMPLE_ITEMS)
    equal = frame(*(replace(item) for item in SAMPLE_ITEMS))
    assert canvas.paint(first, surface)
    assert canvas.paint(equal, surface) == []
    assert (canvas.pixels.copied, canvas.pixels.blended, canvas.pixels.band) == (0, 0, 0)


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1000, 700)])
def test_frame_painted_by_changes_equals_one_painted_whole(size: tuple[int, int], shelves: Shelves) -> None:
    """A deal is followed frame by frame on one canvas; every tenth frame is compared with a fresh painting."""
    before, after = SAMPLES["poker_betting"](), SAMPLES["poker_settled_win"]()
    canvas = Canvas(size, shelves)
    surface = screen(size)
    state = motion.still(before, 0)
    canvas.paint(compose(before, state, 0), surface)
    state = motion.advance(state, after, 0)
    for step in range(120):
        now_ms = step * 33.0
        moving = compose(after, state, now_ms)
        canvas.paint(moving, surface)
        if step % 30 == 29:
            # Sizes that were scaled in passing are drawn sharp when they rest.
            while canvas.unfinished:
                canvas.paint(moving, surface)
            assert bytes_of(surface) == bytes_of(render(moving, size, shelves))


def test_removed_item_leaves_no_trace(shelves: Shelves) -> None:
    canvas = Canvas(HALF, shelves)
    surface = screen()
    canvas.paint(frame(), surface)
    empty = bytes_of(surface)
    canvas.paint(frame(*SAMPLE_ITEMS), surface)
    canvas.paint(frame(), surface)
    assert bytes_of(surface) == empty


def test_changed_order_is_seen(shelves: Shelves) -> None:
    canvas = Canvas(HALF, shelves)
    surface = screen()
    other = Panel(Box(150, 120, 200, 100), (0, 0, 200))
    canvas.paint(frame(RED, other), surface)
    canvas.paint(frame(other, RED), surface)
    assert rgb(surface, 100, 80) == (200, 0, 0)


def test_changed_static_item_is_seen(shelves: Shelves) -> None:
    canvas = Canvas(HALF, shelves)
    surface = screen()
    canvas.paint(frame(RED), surface)
    canvas.paint(DrawList((replace(GROUND, fill=(0, 0, 90)), RED), 1), surface)
    assert rgb(surface, 900, 500) == (0, 0, 90)
    assert rgb(surface, 100, 80) == (200, 0, 0)


def test_after_invalidate_everything_is_painted_again(shelves: Shelves) -> None:
    canvas = Canvas(HALF, shelves)
    surface = screen()
    canvas.paint(frame(RED), surface)
    surface.fill((1, 2, 3))
    canvas.invalidate()
    assert canvas.paint(frame(RED), surface) == [(0, 0, *HALF)]
    assert rgb(surface, 100, 80) == (200, 0, 0)


def test_picture_is_centred_between_black_bars(shelves: Shelves) -> None:
    size = (1000, 800)
    surface = render(frame(), size, shelves)
    assert rgb(surface, 500, 100) == (0, 0, 0)
    assert rgb(surface, 500, 790) == (0, 0, 0)
    assert rgb(surface, 500, 400) == (10, 90, 60)


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1000, 800), (2560, 1080), (333, 777)])
def test_points_map_to_the_logical_area_and_back(size: tuple[int, int], shelves: Shelves) -> None:
    canvas = Canvas(size, shelves)
    for point in ((0.0, 0.0), (960.0, 540.0), (1919.0, 1079.0)):
        assert canvas.to_logical(*canvas.to_pixel(*point)) == pytest.approx(point)
    x, y = canvas.to_logical(size[0] / 2, size[1] / 2)
    assert (x, y) == pytest.approx((960, 540), abs=1 / canvas.scale)


def test_nothing_is_painted_outside_the_logical_area(shelves: Shelves) -> None:
    canvas = Canvas((1000, 800), shelves)
    surface = screen((1000, 800))
    canvas.paint(frame(), surface)
    canvas.paint(frame(replace(CARD, box=Box(400, -150, 180, 252))), surface)
    assert rgb(surface, 260, 110) == (0, 0, 0)


def test_label_that_fits_keeps_its_size(shelves: Shelves) -> None:
    measure = Canvas((1920, 1080), shelves).measure(Label("Deal", Box(0, 0, 300, 60), 40, (0, 0, 0)))
    assert measure.fits
    assert measure.size == 40


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_label_that_does_not_fit_is_shrunk_just_enough(size: tuple[int, int], shelves: Shelves) -> None:
    canvas = Canvas(size, shelves)
    label = Label("Не хватает кредита для ставки", Box(100, 100, 300, 60), 40, (255, 255, 255))
    measure = canvas.measure(label)
    assert not measure.fits
    assert measure.width > 300
    shrunk = canvas.measure(replace(label, size=measure.size))
    larger = canvas.measure(replace(label, size=measure.size + 2.1 / canvas.scale))
    assert shrunk.fits
    assert not larger.fits


def test_wrapped_label_breaks_between_words(shelves: Shelves) -> None:
    canvas = Canvas((1920, 1080), shelves)
    label = Label("one two three four five six", Box(0, 0, 150, 200), 30, (0, 0, 0), wrap=True)
    measure = canvas.measure(label)
    assert measure.fits
    assert measure.width <= 150
    assert measure.height > 60


def test_labels_ink_stays_in_its_box(shelves: Shelves) -> None:
    box = Box(300, 300, 220, 50)
    for align in "lcr":
        canvas = Canvas((1920, 1080), shelves)
        label = Label("Ставка ×2 не проходит", box, 44, (255, 255, 255), "bold", align)
        piece = canvas.piece(label)
        assert piece.surface is not None
        bounds = piece.surface.get_bounding_rect().move(piece.rect[:2])
        assert pygame.Rect(300, 300, 220, 50).contains(bounds)


def test_moving_sprite_scales_what_is_at_hand_and_is_sharp_at_rest(shelves: Shelves) -> None:
    canvas = Canvas((1920, 1080), shelves)
    surface = screen((1920, 1080))
    canvas.paint(frame(CARD), surface)
    grown = replace(CARD, box=Box(400, 300, 213, 298))
    canvas.paint(frame(grown), surface)
    assert canvas.unfinished
    rects = canvas.paint(frame(grown), surface)
    assert rects
    assert canvas.paint(frame(grown), surface) == []
    assert bytes_of(surface) == bytes_of(render(frame(grown), (1920, 1080), shelves))


def test_sizes_passed_in_motion_are_not_kept(picture_folder: Path) -> None:
    own = Shelves(picture_folder)
    canvas = Canvas(HALF, own)
    surface = screen()
    canvas.paint(frame(), surface)
    for step in range(30):
        canvas.paint(frame(replace(CARD, box=Box(400, 300, 100 + 4 * step, 140 + 5.6 * step))), surface)
    assert len(list(picture_folder.rglob("card.As*"))) == 0
    while canvas.unfinished:
        canvas.paint(frame(replace(CARD, box=Box(400, 300, 216, 302.4))), surface)
    assert own.sprites.used_bytes < 400_000


def test_idle_time_prepares_the_rest_of_the_deck(picture_folder: Path) -> None:
    own = Shelves(picture_folder)
    canvas = Canvas(HALF, own)
    canvas.paint(frame(replace(CARD, box=Box(0, 0, 80, 112))), screen())
    while canvas.prepare(50):
        pass
    assert len(list(picture_folder.rglob("card.*"))) == 52


def test_squeezed_to_nothing_and_invisible_sprites_paint_nothing(shelves: Shelves) -> None:
    canvas = Canvas(HALF, shelves)
    assert canvas.piece(replace(CARD, scale_x=0.0)).surface is None
    assert canvas.piece(replace(CARD, alpha=0.0)).surface is None


def test_turned_sprite_stays_centred(shelves: Shelves) -> None:
    canvas = Canvas((1920, 1080), shelves)
    for angle in (0, 30, 90, 180, 271.3):
        piece = canvas.piece(replace(CARD, angle=angle))
        assert piece.surface is not None
        ink = pygame.mask.from_surface(piece.surface, threshold=200).centroid()
        assert piece.rect[0] + ink[0] == pytest.approx(490, abs=4)
        assert piece.rect[1] + ink[1] == pytest.approx(426, abs=4)


def test_render_writes_a_png_of_the_size_asked_for(tmp_path: Path, shelves: Shelves) -> None:
    file = tmp_path / "frame.png"
    render_png(frame(*SAMPLE_ITEMS), (1280, 720), file, shelves)
    assert pygame.image.load(file).get_size() == (1280, 720)


def test_png_that_cannot_be_written_is_an_os_error(tmp_path: Path, shelves: Shelves) -> None:
    with pytest.raises(OSError, match="cannot write"):
        render_png(frame(), (64, 36), tmp_path / "missing" / "frame.png", shelves)


@pytest.mark.parametrize("size", [(2440, 1080), (1220, 540), (1280, 720), (800, 900)])
def test_areas_lie_beside_each_other_without_overlap(size: tuple[int, int]) -> None:
    table, panel = side_by_side(size, [(1920, 1080), (520, 1080)])
    assert table[0] + table[2] == panel[0]
    assert table[0] >= 0
    assert panel[0] + panel[2] <= size[0]
    assert table[3] == panel[3] <= size[1]
    assert table[2] / panel[2] == pytest.approx(1920 / 520, rel=0.01)


def test_cache_is_bounded_and_drops_what_was_not_used_for_longest() -> None:
    cache: ByteLru[bytes] = ByteLru(100, len)
    for name in "abc":
        cache.put(name, bytes(40))
        cache.get("a")
    assert cache.get("b") is None
    assert cache.get("a") is not None
    assert cache.used_bytes == 80
    cache.put("large", bytes(500))
    assert len(cache) == 1
