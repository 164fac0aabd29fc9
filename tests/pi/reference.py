"""What an emulated machine should be and show, told by the same program on this machine from a copy of the journal.

The journal is verified, the whole terminal is started on it, and its screen is painted in the size of the emulated one.
Not responsible for taking the copy.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pygame

from display.canvas import Shelves, render
from display.motion import advance, finished
from display.scenes import compose
from display.view_model import View
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


def read(data: Path, config: Path, picture_size: tuple[int, int]) -> tuple[Journal, pygame.Surface]:
    """Open a copy of the memory as a start would, and return it with the picture that a start on it shows.

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
    journal = Journal(tuple(record.link for record in records), recorded, live, notes, view)
    return journal, painted(view, picture_size)


def _start(settings: Settings, now_ms: int) -> tuple[View, LiveRound | None]:
    cabinet = SimulatedCabinet(settings, clock=ManualClock(now_ms))
    try:
        cabinet.boot()
        cabinet.wait(3_000)
        return cabinet.view, cabinet.terminal.state.live
    finally:
        cabinet.kill()


def painted(view: View, size: tuple[int, int]) -> pygame.Surface:
    """Return a view's picture when everything in it has come to rest."""
    motion = finished(advance(None, view, LATER_MS), LATER_MS)
    return render(compose(view, motion, 2 * LATER_MS), size, _shelves())


def difference(one: pygame.Surface, other: pygame.Surface) -> float:
    """Return which part of two pictures' pixels differs noticeably, 0 to 1; 1 for other sizes."""
    if one.get_size() != other.get_size():
        return 1.0
    first, second = (
        np.frombuffer(pygame.image.tobytes(surface, "RGB"), dtype=np.uint8).reshape(-1, 3).astype(np.int16)
        for surface in (one, other)
    )
    return float((np.abs(first - second).max(axis=1) > NOTICEABLE).mean())
