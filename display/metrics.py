"""How wide a text will be, without a font: advance widths as data, fitting and wrapping.

Scenes are pure and know no font, yet a caption must end before its panel does. The tables hold the advances of the
text font (Fira Sans), rounded up, in thousandths of the size; a test compares them with what the canvas measures.
Not responsible for drawing nor for choosing fonts.
"""

from collections.abc import Mapping
from typing import Final

_REGULAR: Final = {
    220: "'",
    230: "’",
    240: ",.:;·",
    250: "!",
    270: " \u00a0",
    280: "j",
    290: "i",
    300: "I`l",
    310: "J",
    330: "()[]{}•",
    340: "f‹›",
    370: "t",
    390: "r",
    400: '"',
    410: "-|“”",
    430: "г",
    440: "*1z",
    450: "7",
    460: "?т",
    470: "s",
    480: "cс",
    490: "x~хэ",
    500: "+23<=>FLvyзу×−±≥≤",
    510: "5Г",
    520: "#/T\\_gkТкь£–",
    530: "9ZЗ°",
    540: "$46EX^ЕУХЭЁ",
    550: "SYaeаеё",
    560: "08CVСдчя₽",
    570: "в»",
    580: "AАБЬбл€«",
    590: "KPhnouКРопц",
    600: "bdpqийнръ",
    610: "BRВЯ",
    620: "ДЧ",
    640: "G",
    650: "D",
    660: "Л",
    670: "UЦ",
    680: "HНПм",
    690: "NИЙЪ",
    700: "OQО",
    720: "wж",
    730: "&",
    740: "ы…",
    780: "MМ",
    790: "ю—",
    800: "шщ",
    820: "ФЫф",
    830: "%WЖ",
    860: "m",
    900: "Ю→←↑↓",
    930: "ШЩ",
    940: "½",
    1020: "@",
    1130: "№",
}
_BOLD: Final = {
    240: "',.:;·’",
    250: " !\u00a0",
    290: "ij",
    300: "Il",
    320: "J",
    330: "()[]`{}",
    350: "•",
    360: "f‹›",
    380: "t",
    390: "|",
    400: "r",
    410: "-",
    430: '"',
    440: "г“”",
    450: "*",
    460: "1z",
    470: "7т",
    480: "?csс",
    490: "Fэ",
    500: "з",
    510: "Lvx~Гх",
    520: "/23<=>\\_yу×–−≥≤",
    530: "+5EЕьЁ°±",
    540: "TZЗТЭ£",
    550: "#$agkак",
    560: "469^eвдечяё",
    570: "SVУ",
    580: "08CXhnuСХбл",
    590: "AYoАЬноп€₽",
    600: "PbdpqБРийрц",
    610: "Я",
    620: "BRВКЧъ«»",
    630: "KД",
    650: "DG",
    660: "UЛ",
    670: "HNИЙНП",
    680: "м",
    690: "Ц",
    700: "OQО",
    710: "Ъ",
    730: "…",
    750: "wж",
    760: "&ы",
    790: "MМш",
    800: "щ—",
    810: "ю",
    840: "ф",
    850: "WmФЫ",
    860: "%",
    890: "Ж",
    900: "→←↑↓",
    920: "Ш",
    930: "Ю",
    940: "Щ",
    960: "½",
    1020: "@",
    1130: "№",
}
_MONO_ADVANCE: Final = 610
_UNKNOWN_ADVANCE: Final = 700


def _by_character(table: Mapping[int, str]) -> dict[str, int]:
    return {character: advance for advance, characters in table.items() for character in characters}


_ADVANCES: Final = {"regular": _by_character(_REGULAR), "bold": _by_character(_BOLD)}


def width(text: str, size: float, weight: str = "regular") -> float:
    """Return the width of one line in logical pixels; ``weight`` is ``regular``, ``bold`` or ``mono``."""
    if weight == "mono":
        return len(text) * _MONO_ADVANCE * size / 1000
    advances = _ADVANCES[weight]
    return sum(advances.get(character, _UNKNOWN_ADVANCE) for character in text) * size / 1000


def fit(text: str, room: float, size: float, weight: str = "regular", smallest: float = 14) -> float:
    """Return the largest size up to ``size`` at which ``text`` is no wider than ``room`` (never below ``smallest``)."""
    needed = width(text, size, weight)
    if needed <= room:
        return size
    return max(smallest, int(size * room / needed * 2) / 2)


def wrap(text: str, room: float, size: float, weight: str = "regular") -> list[str]:
    """Break a text at spaces into lines no wider than ``room``; a line feed is a break; a long word stays whole."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if line and width(longer, size, weight) > room:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


def fit_lines(
    text: str, room: float, height: float, size: float, weight: str = "regular", leading: float = 1.2
) -> tuple[float, list[str]]:
    """Return a size up to ``size`` and the lines with which ``text`` fits into ``room`` x ``height``."""
    while True:
        lines = wrap(text, room, size, weight)
        widest = max(width(line, size, weight) for line in lines)
        if (widest <= room and len(lines) * size * leading <= height) or size <= 14:
            return size, lines
        size -= 1


def knows(character: str, weight: str) -> bool:
    """Tell whether the tables hold a character's advance."""
    return weight == "mono" or character in _ADVANCES[weight]
