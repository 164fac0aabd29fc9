"""What an emulated machine should be and show, told by the same program on this machine from a copy of the journal.

The journal is verified, the whole terminal is started on it, and its screen is painted in the size of the emulated one.
Not responsible for taking the copy.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pygame

from display.canvas import Shelves, render
from display.motion import advance, finished
from display.scenes import compose
from display.view_model import View
from display.widgets.pen import BLINK_MS
from firmware.clock import ManualClock
from firmware.entries.types import NoteCredited
from firmware.journal.critical import Places
from firmware.journal.recovery import open_memory
from firmware.memory import load_recorded
from firmware.rounds.live import LiveRound
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.simulator.cabinet import SimulatedCabinet
from firmware.terminal.state import Recorded

LATER_MS = 100_000.0
"""When every animation has come to rest."""
SAMPLE_HANDS, SLIDE_MS = 5, 7_000
"""How many hands the attract loop shows, each for how long."""
CELL = 20
"""A digit of the credit is as large, in pixels."""
CLOCK = (752, 16, 48, 30)
"""Where the picture shows the time: place and size."""
Pixels = np.ndarray[tuple[int, int, int], np.dtype[np.int16]]
Mask = np.ndarray[tuple[int, int], np.dtype[np.bool_]]
NOTICEABLE = 40
"""By how much one colour of a pixel may differ: processors round differently where colours are mixed."""


@cache
def _shelves() -> Shelves:
    """Return what draws each sprite once, not at each look."""
    return Shelves()


@dataclass(frozen=True, slots=True)
class Journal:
    """What a journal says: its chain, its money, its open round."""

    links: tuple[bytes, ...]
    """The link of each record, which stands for it and all before it."""
    recorded: Recorded
    live: LiveRound | None
    notes_minor: int
    """All notes that were ever credited."""
    view: View

    @property
    def credit_minor(self) -> int:
        """The player's credit."""
        return self.recorded.credit_minor

    @property
    def rounds(self) -> int:
        """How many rounds were begun."""
        return self.recorded.count("rounds")

    def goes_on_from(self, earlier: "Journal") -> bool:
        """Whether nothing that an earlier look has found is gone or different."""
        return self.links[: len(earlier.links)] == earlier.links


def read(data: Path, config: Path) -> Journal:
    """Open a copy of the memory as a start would.

    Raises ``JournalError`` or ``InvariantError`` for one that is damaged or contradicts itself.
    """
    loaded = load_settings(config)
    settings = loaded.model_copy(update={"storage": loaded.storage.model_copy(update={"data_dir": data})})
    memory = open_memory(Places(data, None, None), 0)
    try:
        records = list(memory.records())
        memory.check_structure()
        recorded = load_recorded(memory)
    finally:
        memory.close()
    notes = sum(record.entry.amount_minor for record in records if isinstance(record.entry, NoteCredited))
    view, live = _start(settings, recorded.last_at_ms)
    return Journal(tuple(record.link for record in records), recorded, live, notes, view)


def _start(settings: Settings, now_ms: int) -> tuple[View, LiveRound | None]:
    cabinet = SimulatedCabinet(settings, clock=ManualClock(now_ms))
    try:
        cabinet.boot()
        cabinet.wait(3_000)
        return cabinet.view, cabinet.terminal.state.live
    finally:
        cabinet.kill()


def painted(view: View, size: tuple[int, int]) -> Iterator[pygame.Surface]:
    """Yield each picture that a view may be seen as when everything in it has come to rest: what blinks lit and dark, each sample hand."""
    motion = finished(advance(None, view, LATER_MS), LATER_MS)
    for hand in range(SAMPLE_HANDS if view.mode == "attract" else 1):
        for blink in range(2):
            now_ms = 2 * LATER_MS + hand * SLIDE_MS + blink * BLINK_MS
            yield render(compose(view, motion, now_ms), size, _shelves())


def difference(one: pygame.Surface, other: pygame.Surface) -> float:
    """Return how different two pictures are where they differ most: which part of a cell's pixels has no like in the other one,
    there or beside it, 0 to 1; 1 for other sizes. The clock does not count.

    Beside it, because other processors round a half the other way, and then something lies a pixel lower.
    """
    if one.get_size() != other.get_size():
        return 1.0
    width, height = one.get_size()
    first, second = (
        np.frombuffer(pygame.image.tobytes(surface, "RGB"), dtype=np.uint8).reshape(height, width, 3).astype(np.int16)
        for surface in (one, other)
    )
    missing = _is_missing(first, second) | _is_missing(second, first)
    x, y, w, h = CLOCK
    missing[y : y + h, x : x + w] = False
    return max(_fullest(missing), _fullest(missing[CELL // 2 :, CELL // 2 :]))


def _fullest(missing: Mask) -> float:
    """Return the largest share of marked pixels in any cell of a grid."""
    height, width = (length // CELL * CELL for length in missing.shape)
    cells = missing[:height, :width].reshape(height // CELL, CELL, width // CELL, CELL)
    return float(cells.mean(axis=(1, 3)).max(initial=0))


def _is_missing(picture: Pixels, other: Pixels) -> Mask:
    height, width, _ = picture.shape
    around = np.pad(other, ((1, 1), (1, 1), (0, 0)), mode="edge")
    places = ((x, y) for y in range(3) for x in range(3))
    nearest = [np.abs(picture - around[y : y + height, x : x + width]).max(axis=2) for x, y in places]
    missing: Mask = np.minimum.reduce(nearest) > NOTICEABLE
    return missing
