"""The art library: every picture on the screen, drawn by the project itself as vector data.

Sprite names (a `display.draw_list.Sprite`'s ``name``):

===================================  ===================================================================================
``card:Qs``, ``card4:Qs``            a face, classic or four-colour deck; aspect 5 : 7, soft shadow included
``back:blue``, ``back:red``          the two back designs, same size
``chip:<minor>``                     a chip from above with its value in whole units; any positive amount; aspect 1 : 1
``chipside:<minor>``                 the same chip seen at an angle, for stacks: draw several, each `CHIP_STEP` times the width
                                     higher than the one before; aspect `CHIP_SIDE_ASPECT`
``felt:<game>``                      a whole 1920 x 1080 background for every game, for the families poker, baccarat and blackjack, for
                                     the lobby and for pages; the rail begins at `RAIL_TOP`
``suit:s|h|d|c``                     a suit alone (``suit4:`` for the four-colour inks)
``shoe``, ``discard``                the dealing shoe and the discard tray
``logo``                             the emblem with the word CROUPIER; ``emblem``: the emblem alone
``icon:<name>``                      signs in one colour, see `ICONS`
``lamp:off|on``                      a button's lamp
``ribbon``                           the cloth of a large win across the whole width; no see-through pixel
``tile:<game>``                      an illustration for the lobby, for every game and the three families
``cabinet:<part>``                   parts of the simulated cabinet, see `CABINET_PARTS`
===================================  ===================================================================================

`aspect` gives a sprite's height divided by its width. Everything here but `raster` and `store` is free of pygame.
"""

from collections.abc import Callable
from functools import lru_cache

from display.assets import backs, cabinet, cards, chips, felts, furniture, icons, logo, ribbon, suits, tiles
from display.assets.picture import Picture
from display.assets.vector import Drawing, place

CARD_ASPECT = cards.HEIGHT / cards.WIDTH
CHIP_SIDE_ASPECT = chips.SIDE_HEIGHT / chips.SIZE
CHIP_STEP = chips.STEP / chips.SIZE
RAIL_TOP = felts.RAIL_TOP
"""Where the padded rail begins on every felt, in logical pixels."""
ICONS = icons.NAMES
CABINET_PARTS = cabinet.NAMES
GAMES = tiles.NAMES
"""Games and families that have a felt and a tile."""
CHIP_VALUES_MINOR = chips.VALUES_MINOR

FAMILIES: dict[str, tuple[str, ...]] = {
    "card": (*(f"card:{code}" for code in cards.CODES), "back:blue"),
    "card4": (*(f"card4:{code}" for code in cards.CODES), "back:blue"),
}
"""Sprites that will be needed together: asking for one at a size lets idle time prepare the others."""

SPRITES: tuple[str, ...] = (
    *(f"card:{code}" for code in cards.CODES),
    *(f"card4:{code}" for code in cards.CODES),
    *(f"back:{name}" for name in backs.NAMES),
    *(f"chip:{value}" for value in chips.VALUES_MINOR),
    *(f"chipside:{value}" for value in chips.VALUES_MINOR),
    *(f"felt:{name}" for name in felts.NAMES),
    *(f"suit:{name}" for name in suits.SUITS),
    *(f"suit4:{name}" for name in suits.SUITS),
    *furniture.NAMES,
    *logo.NAMES,
    *ribbon.NAMES,
    *(f"icon:{name}" for name in icons.NAMES),
    *(f"tile:{name}" for name in tiles.NAMES),
    *(f"cabinet:{name}" for name in cabinet.NAMES),
)
"""All sprites with fixed names; chips exist for every positive amount besides."""


def _suit(inks: dict[str, tuple[int, int, int] | tuple[int, int, int, int]]) -> Callable[[str], Picture]:
    def picture_of(name: str) -> Picture:
        path = suits.SUITS[name].at(place(50, 50, 96))
        return Picture(100, 100, lambda: Drawing().fill(path, inks[name]))

    return picture_of


_MAKERS: dict[str, Callable[[str], Picture]] = {
    "card": lambda code: cards.face(code, suits.TWO_INKS),
    "card4": lambda code: cards.face(code, suits.FOUR_INKS),
    "back": backs.back,
    "chip": chips.top,
    "chipside": chips.side,
    "felt": felts.felt,
    "suit": _suit(suits.TWO_INKS),
    "suit4": _suit(suits.FOUR_INKS),
    "icon": icons.icon,
    "tile": tiles.tile,
    "cabinet": cabinet.part,
    **dict.fromkeys(("shoe", "discard", "lamp"), furniture.piece),
    **dict.fromkeys(logo.NAMES, logo.piece),
    **dict.fromkeys(ribbon.NAMES, ribbon.piece),
}


@lru_cache(maxsize=512)
def picture(name: str) -> Picture:
    """Return a sprite's picture. Raises KeyError for an unknown name."""
    family, _, rest = name.partition(":")
    maker = _MAKERS.get(family)
    if maker is None:
        raise KeyError(f"no sprite is named {name}")
    whole = family in ("shoe", "discard", "lamp") or family in (*logo.NAMES, *ribbon.NAMES)
    try:
        return maker(name if whole else rest)
    except (KeyError, ValueError):
        raise KeyError(f"no sprite is named {name}") from None


def sprite_exists(name: str) -> bool:
    """Tell whether the art library has a sprite."""
    try:
        picture(name)
    except KeyError:
        return False
    return True


def aspect(name: str) -> float:
    """Return a sprite's height divided by its width. Raises KeyError for an unknown name."""
    known = picture(name)
    return known.height / known.width
