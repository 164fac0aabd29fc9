"""The art library: every sprite paints, the deck's faces differ, the cache gives back what was drawn."""

from pathlib import Path

import pygame
import pytest

from display import assets
from display.assets import cards, chips, picture, sprite_exists
from display.assets.glyphs import GLYPHS
from display.assets.raster import Raster, padded, rasterise
from display.assets.store import RasterStore, default_cache_dir

SCALES = (1.0, 2 / 3)
SMALL = [name for name in assets.SPRITES if not name.startswith("felt:")]
FELTS = [name for name in assets.SPRITES if name.startswith("felt:")]


def pixels(raster: Raster) -> bytes:
    return pygame.image.tobytes(raster.surface, "RGBA")


def at_width(name: str, width: int) -> Raster:
    return rasterise(picture(name), width, round(width * assets.aspect(name)))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", SMALL)
def test_sprite_paints_something_in_its_box(name: str, scale: float) -> None:
    raster = at_width(name, round(72 * scale))
    inside = raster.surface.subsurface((raster.dx, raster.dy, raster.width, raster.height))
    mask = pygame.mask.from_surface(inside, threshold=100)
    assert mask.count() > 0.03 * raster.width * raster.height
    assert len({inside.get_at((x, y))[:3] for x in range(0, raster.width, 3) for y in range(0, raster.height, 3)}) > 1


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", FELTS)
def test_felt_covers_the_whole_screen(name: str, scale: float) -> None:
    size = (round(480 * scale), round(270 * scale))
    surface = rasterise(picture(name), *size).surface
    assert surface.get_size() == size
    assert not surface.get_flags() & pygame.SRCALPHA
    corners = {
        surface.get_at(point)[:3] for point in ((2, 2), (size[0] // 2, size[1] // 3), (size[0] // 2, size[1] - 3))
    }
    assert len(corners) == 3


def test_every_game_and_family_has_a_felt_and_a_tile() -> None:
    for game in assets.GAMES:
        assert sprite_exists(f"felt:{game}")
        assert sprite_exists(f"tile:{game}")


def test_the_felts_of_the_games_differ() -> None:
    middles = [rasterise(picture(name), 96, 54).surface.get_at((20, 20))[:3] for name in FELTS]
    games = {name: colour for name, colour in zip(FELTS, middles, strict=True) if name != "felt:poker"}
    assert len(set(games.values())) == len(games)


@pytest.mark.parametrize("deck", ["card", "card4"])
def test_the_faces_of_a_deck_differ_from_each_other(deck: str) -> None:
    faces = {pixels(at_width(f"{deck}:{code}", 60)) for code in cards.CODES}
    assert len(faces) == 52


def test_court_figures_differ_in_more_than_index_and_ink() -> None:
    """The field of the figures, without the corners where the index stands."""
    seen = set()
    for code in (rank + suit for rank in "JQK" for suit in "shdc"):
        raster = at_width(f"card:{code}", 120)
        heads = raster.surface.subsurface((raster.dx + 42, raster.dy + 12, 40, 44))
        ink = bytes(255 if value > 128 else 0 for value in pygame.image.tobytes(heads, "RGB"))
        seen.add(ink)
    assert len(seen) == 12


def test_four_colour_deck_changes_diamonds_and_clubs_only() -> None:
    changed = [
        suit for suit in "shdc" if pixels(at_width(f"card:7{suit}", 60)) != pixels(at_width(f"card4:7{suit}", 60))
    ]
    assert changed == ["d", "c"]


def test_index_is_at_least_eleven_percent_of_the_card() -> None:
    assert cards.RANK_HEIGHT / cards.HEIGHT >= 0.11


@pytest.mark.parametrize("code", cards.CODES)
def test_face_looks_the_same_turned_by_half_at_its_index(code: str) -> None:
    raster = at_width(f"card:{code}", 100)
    face = raster.surface.subsurface((raster.dx, raster.dy, raster.width, raster.height))
    corner = (4, 4, 18, 40)
    turned = pygame.transform.rotate(face, 180)

    def ink(surface: pygame.Surface) -> int:
        part = surface.subsurface(corner)
        return sum(part.get_at((x, y))[1] < 128 for x in range(part.get_width()) for y in range(part.get_height()))

    assert ink(face) > 100
    assert abs(ink(face) - ink(turned)) < 0.12 * ink(face)


def test_chips_differ_in_shape_not_only_in_colour() -> None:
    patterns = {(looks.spots, looks.shape, looks.ornament) for looks in chips.DESIGNS.values()}
    assert len(patterns) == len(chips.DESIGNS)


@pytest.mark.parametrize(
    ("minor", "label"), [(10, "0.10"), (50, "0.50"), (100, "1"), (2500, "25"), (100_000, "1000"), (1_000_000, "10K")]
)
def test_chip_shows_its_value_in_whole_units(minor: int, label: str) -> None:
    assert chips.label(minor) == label
    assert set(label) <= set(GLYPHS)


@pytest.mark.parametrize("name", ["chip:300", "chip:1234567", "chipside:7"])
def test_chip_exists_for_every_positive_amount(name: str) -> None:
    assert at_width(name, 40).surface.get_width() >= 40


@pytest.mark.parametrize(
    "name", ["card:Xs", "card:10s", "chip:0", "chip:-5", "chip:x", "felt:mars", "icon:", "nothing", ""]
)
def test_unknown_sprite_is_named_in_the_error(name: str) -> None:
    assert not sprite_exists(name)
    with pytest.raises(KeyError, match=f"no sprite is named {name}"):
        picture(name)


@pytest.mark.parametrize("name", ["card:Qs", "chip:500", "tile:oasis", "shoe"])
@pytest.mark.parametrize("width", [41, 64, 99, 150])
def test_widths_with_transparency_are_multiples_of_eight(name: str, width: int) -> None:
    assert at_width(name, width).surface.get_width() % 8 == 0
    assert padded(width) - width < 8


def test_same_sprite_is_drawn_the_same_twice() -> None:
    for name in ("card:Kh", "felt:russian", "chipside:2500"):
        assert pixels(at_width(name, 80)) == pixels(at_width(name, 80))


@pytest.mark.parametrize("name", ["card:Qs", "felt:oasis", "chipside:500"])
def test_kept_raster_equals_the_drawn_one(name: str, picture_folder: Path) -> None:
    drawn = at_width(name, 90)
    RasterStore(picture_folder).save(name, drawn)
    kept = RasterStore(picture_folder).load(name, drawn.width, drawn.height)
    assert kept is not None
    assert pixels(kept) == pixels(drawn)
    assert (kept.dx, kept.dy, kept.width, kept.height) == (drawn.dx, drawn.dy, drawn.width, drawn.height)
    assert kept.surface.get_flags() & pygame.SRCALPHA == drawn.surface.get_flags() & pygame.SRCALPHA


def test_damaged_file_of_the_cache_is_drawn_again(picture_folder: Path) -> None:
    drawn = at_width("card:2c", 50)
    store = RasterStore(picture_folder)
    store.save("card:2c", drawn)
    file = next(picture_folder.rglob("card.2c*"))
    whole = file.read_bytes()
    other_width = whole[:4] + bytes([whole[4] ^ 8]) + whole[5:]
    for damaged in (b"", whole[:10], whole[:-7], b"X" + whole[1:], whole[:40] + bytes(8) + whole[48:], other_width):
        file.write_bytes(damaged)
        assert store.load("card:2c", drawn.width, drawn.height) is None


def test_cache_of_older_art_is_removed(picture_folder: Path) -> None:
    old = picture_folder / "art-000000000000"
    old.mkdir(parents=True)
    (old / "card.2c.50x70").write_bytes(b"old")
    RasterStore(picture_folder).save("card:2c", at_width("card:2c", 50))
    assert not old.exists()


def test_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    store = RasterStore(blocked)
    store.save("card:2c", at_width("card:2c", 50))
    assert store.load("card:2c", 50, 70) is None


def test_cache_folder_follows_the_desktop_standard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache_dir() == tmp_path / "croupier"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/invalid")
    assert default_cache_dir() == Path.home() / ".cache" / "croupier"
