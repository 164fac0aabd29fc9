"""What tells the twelve court cards apart: palettes by suit, and each figure's hair, looks, headgear and attribute."""

from dataclasses import dataclass

from display.assets.vector import Colour, Linear, down

LINE: Colour = (34, 26, 34)
GOLD: Colour = (226, 176, 62)
GOLD_DARK: Colour = (150, 100, 24)
GOLD_LIGHT: Colour = (255, 230, 150)
CREAM: Colour = (252, 246, 234)
STEEL: Colour = (206, 214, 226)
STEEL_DARK: Colour = (128, 140, 160)
WOOD: Colour = (126, 80, 42)
INK_WIDTH = 1.15


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one suit's court."""

    main: Colour
    deep: Colour
    second: Colour
    second_deep: Colour
    field: Colour
    ray: Colour


PALETTES: dict[str, Palette] = {
    "s": Palette((44, 66, 138), (20, 30, 78), (120, 30, 60), (72, 14, 38), (247, 247, 248), (228, 231, 240)),
    "h": Palette((196, 32, 50), (122, 12, 32), (38, 62, 128), (20, 32, 78), (252, 246, 242), (246, 226, 220)),
    "d": Palette((222, 112, 28), (150, 58, 10), (18, 104, 116), (6, 58, 70), (252, 248, 238), (247, 233, 204)),
    "c": Palette((30, 118, 74), (8, 62, 40), (92, 46, 112), (50, 20, 66), (247, 250, 244), (225, 238, 222)),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One court figure. ``look``: -1 turned left, 0 straight, 1 right."""

    hair: Colour
    skin: Colour
    eye: Colour
    look: int
    hair_style: str
    beard: str
    head: str
    collar: str
    robe: str
    attribute: str


_FAIR: Colour = (249, 219, 192)
_ROSY: Colour = (247, 209, 184)
_OLIVE: Colour = (232, 188, 146)
_BROWN: Colour = (190, 134, 94)
_BLACK_HAIR: Colour = (44, 38, 48)
_GREY: Colour = (150, 148, 154)
_AUBURN: Colour = (156, 66, 30)
_BLOND: Colour = (226, 178, 84)
_CHESTNUT: Colour = (104, 60, 34)

FIGURES: dict[str, Figure] = {
    "Ks": Figure(_GREY, _FAIR, (70, 110, 160), 0, "long", "full", "crown_lily", "ermine", "lozenge", "sword"),
    "Kh": Figure(_AUBURN, _ROSY, (60, 120, 80), 1, "curly", "forked", "crown_high", "chain", "stripe", "sceptre"),
    "Kd": Figure(_BLOND, _OLIVE, (80, 70, 50), -1, "short", "pointed", "crown_low", "ermine", "scale", "axe"),
    "Kc": Figure(_BLACK_HAIR, _BROWN, (70, 44, 30), 0, "short", "braided", "crown_arched", "chain", "lozenge", "orb"),
    "Qs": Figure(_BLACK_HAIR, _FAIR, (70, 110, 160), -1, "straight", "", "tiara_star", "lace", "stripe", "lily"),
    "Qh": Figure(_AUBURN, _ROSY, (60, 120, 80), 0, "wavy", "", "tiara_heart", "ruff", "lozenge", "rose"),
    "Qd": Figure(_BLOND, _FAIR, (50, 110, 140), 1, "braids", "", "tiara_fan", "lace", "scale", "fan"),
    "Qc": Figure(_CHESTNUT, _BROWN, (80, 50, 30), 0, "bun", "", "tiara_leaf", "ruff", "stripe", "goblet"),
    "Js": Figure(_CHESTNUT, _ROSY, (60, 90, 140), 1, "page", "", "beret", "tabard", "stripe", "halberd"),
    "Jh": Figure(_BLOND, _FAIR, (70, 120, 160), -1, "page", "", "hunter", "scarf", "scale", "arrow"),
    "Jd": Figure(_BLACK_HAIR, _OLIVE, (60, 50, 40), 0, "curls", "thin", "plume", "tabard", "lozenge", "horn"),
    "Jc": Figure(_AUBURN, _FAIR, (60, 120, 80), -1, "curls", "", "toque", "scarf", "stripe", "pennant"),
}


def gold(top: float, bottom: float) -> Linear:
    """Return polished gold between two heights."""
    return down(top, bottom, GOLD_LIGHT, GOLD, (196, 138, 34))


def steel(top: float, bottom: float) -> Linear:
    """Return polished steel between two heights."""
    return down(top, bottom, (240, 244, 250), STEEL, STEEL_DARK)
