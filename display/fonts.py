"""The text fonts: where their files lie, and opened fonts by weight and size.

Croupier ships no font. It depends on two packages with open licences (Fira Sans and IBM Plex Mono, both SIL OFL 1.1, Latin and
Cyrillic), falls back to fonts that Debian installs, and in the end to the one inside pygame, which it reports in
`Fonts.warning`. Absolute paths only: asking the system for fonts is slow. Suits and card indices are drawn, not written.
Not responsible for laying out text (`display.canvas_text`).
"""

from collections import OrderedDict
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pygame

WEIGHTS = ("regular", "bold", "mono")

MOST_OPEN = 12
"""An opened font with its drawn letters takes about 300 kB, and opening one again a millisecond."""

_PACKAGES = {
    "regular": ("fontpkg_fira_sans", "files/FiraSans-Regular.ttf"),
    "bold": ("fontpkg_fira_sans", "files/FiraSans-SemiBold.ttf"),
    "mono": ("fontpkg_ibm_plex_mono", "files/IBMPlexMono-SemiBold.ttf"),
}
_SYSTEM = {
    "regular": (
        "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    ),
    "bold": (
        "/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Bold.ttf",
        "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    ),
    "mono": ("/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf",),
}


@cache
def font_file(weight: str) -> Path | None:
    """Return the file for a weight, or None if no known font is installed."""
    package, inside = _PACKAGES[weight]
    spec = find_spec(package)
    if spec is not None and spec.origin is not None:
        file = Path(spec.origin).parent / inside
        if file.is_file():
            return file
    return next((path for path in map(Path, _SYSTEM[weight]) if path.is_file()), None)


class Fonts:
    """Opened fonts, kept by weight and size in pixels."""

    def __init__(self) -> None:
        """Start pygame's font module if need be."""
        if not pygame.font.get_init():
            pygame.font.init()
        self._open: OrderedDict[tuple[str, int], pygame.font.Font] = OrderedDict()
        missing = [weight for weight in WEIGHTS if font_file(weight) is None]
        self.warning: str | None = None
        """What an operator must know: text is drawn with a font that lacks signs."""
        if missing:
            self.warning = (
                f"no font found for {', '.join(missing)} text; using pygame's own, which lacks some signs: "
                "install the packages of requirements.lock, or fonts-dejavu-core"
            )

    def get(self, weight: str, pixels: int) -> pygame.font.Font:
        """Return a font; ``pixels`` is the size of its em. Raises KeyError for an unknown weight."""
        key = (weight, max(4, pixels))
        font = self._open.get(key)
        if font is None:
            file = font_file(weight)
            font = pygame.font.Font(None if file is None else str(file), key[1])
            self._open[key] = font
            if len(self._open) > MOST_OPEN:
                self._open.popitem(last=False)
        else:
            self._open.move_to_end(key)
        return font
