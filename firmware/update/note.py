"""What the journal should know of how the version that runs came to run: who installed it, or from which one it went back.

Not responsible for recording it (``terminal.decide_watch``).
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from firmware.entries.keeping import ProgramReplaced
from firmware.manifest.tree import NOTE_NAME, PROGRAM
from firmware.update.versions import Place

BY_ITSELF: Final = "croupier-start"
_LONGEST_NAME: Final = 60


def replacements(root: Path = PROGRAM, place: Place | None = None) -> tuple[ProgramReplaced, ...]:
    """Return how the program in a folder came to run; what can't be read is left out, it is told and not judged."""
    return (*_installed(root), *_gone_back(root, place or Place()))


def _installed(root: Path) -> Iterator[ProgramReplaced]:
    try:
        note = json.loads((root / NOTE_NAME).read_bytes())
        old, new = f"{note['from']}-{note['from_counter']}", f"{note['to']}-{note['to_counter']}"
        yield ProgramReplaced(old, new, str(note["by"])[:_LONGEST_NAME], int(note["at_ms"]))
    except (OSError, ValueError, KeyError, TypeError):
        return


def _gone_back(root: Path, place: Place) -> Iterator[ProgramReplaced]:
    tried, state = place.boot_state()
    if state == "failed" and tried != root.name:
        try:
            at_ms = place.boot.stat().st_mtime_ns // 1_000_000
        except OSError:
            return
        yield ProgramReplaced(tried, root.name, BY_ITSELF, at_ms)
