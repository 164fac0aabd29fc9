"""Message catalogues: English and Russian, looked up with context and plural.

The sources are ``<language>/LC_MESSAGES/croupier.po``; the compiled ``.mo`` beside each is committed, so that a plain
clone runs without a build step. ``python -m display.locale.update`` collects the messages and compiles.
"""

import gettext
from functools import cache
from pathlib import Path
from typing import Final

DOMAIN: Final = "croupier"
FOLDER: Final = Path(__file__).parent
LANGUAGES: Final = ("en", "ru")


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Return the catalogue of a language; an unknown language reads as English."""
    known = language if language in LANGUAGES else "en"
    return gettext.translation(DOMAIN, FOLDER, languages=[known])


def next_language(language: str) -> str:
    """Return the language that the toggle switches to."""
    position = LANGUAGES.index(language) if language in LANGUAGES else 0
    return LANGUAGES[(position + 1) % len(LANGUAGES)]
