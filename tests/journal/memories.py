"""Memories for the tests: places in a folder, small sizes, and rounds of entries to fill them with."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware.entries.types import CoinCredited, Commissioned, Entry, NoteCredited, RoundActed, RoundOpened, StakeLine
from firmware.journal.critical import CriticalMemory, Places
from firmware.journal.record import Record, Tally
from firmware.journal.recovery import open_memory
from firmware.journal.sizes import Sizes

SMALL = Sizes(
    tail_rows=8,
    snapshot_rows=5,
    live_rows=6,
    segment_rows=4,
    checkpoint_commits=3,
    log_rows=4,
    log_fill_bytes=2_048,
    scrub_calls=1,
)
AT_MS = 1_767_225_600_000
FIRST = Commissioned("T-1", 1, "cabinet", "EUR", 2, "0.1.0")


def places_in(folder: Path) -> Places:
    """All three copies below a folder."""
    return Places(folder / "data", folder / "mirror", folder / "third" / "anchor")


@contextmanager
def opened(places: Places, sizes: Sizes = SMALL) -> Iterator[CriticalMemory]:
    """An open memory that is closed at the end."""
    memory = open_memory(places, AT_MS, sizes=sizes)
    try:
        yield memory
    finally:
        memory.close()


def fill(memory: CriticalMemory, count: int, first: int = 1) -> list[Record]:
    """Record so many notes, coins and steps of rounds; all differ."""
    records: list[Record] = []
    for number in range(first, first + count):
        records += memory.append(entries_of(number), AT_MS + number, tally_of(number))
    return records


def entries_of(number: int) -> tuple[Entry, ...]:
    """What is recorded together as the ``number``-th append."""
    match number % 4:
        case 0:
            return (CoinCredited(f"SIM-COINS:1:{number}", 100, "hopper"),)
        case 1:
            return (NoteCredited(f"SIM-NOTES:1:{number}", 1_000, f"e{number}"),)
        case 2:
            stakes = (StakeLine(1, "ante", 500),)
            return (RoundOpened(f"r1-{number}", number, "oasis", "p", stakes, 500, 1_000, f"s{number}", "AsKd", 0),)
        case _:
            return tuple(RoundActed(f"r1-{number - 1}", step, 1, 0, "exchange", (), 500) for step in (1, 2))


def tally_of(number: int) -> Tally:
    """A tally that tells the append it belongs to."""
    return Tally(epoch=1, credit_minor=number)


def in_memory() -> str | None:
    """A folder for temporary files whose syncs cost nothing, where there is one."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A temporary folder in memory where there is one: for tests that sync thousands of times."""
    with tempfile.TemporaryDirectory(prefix="croupier-", dir=in_memory()) as name:
        yield Path(name)
