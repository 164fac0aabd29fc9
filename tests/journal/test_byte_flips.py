"""One changed byte, anywhere, in one copy or in all: it is mended, or found, or it does not matter. Never money."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.journal.critical import Places
from firmware.journal.errors import JournalError
from firmware.journal.record import Record
from firmware.journal.recovery import open_memory
from tests.journal.memories import AT_MS, SMALL, fill, places_in, quick_folder
from tests.journal.test_recovery import money

FLIPS = 50
"""Changed bytes tried in every file; the places differ from file to file, not from run to run."""


@pytest.fixture
def whole() -> Iterator[tuple[Path, list[Record]]]:
    """A folder with a memory in all its copies, sealed segments too, and what it holds."""
    with quick_folder() as folder:
        memory = open_memory(places_in(folder / "whole"), AT_MS, sizes=SMALL)
        for number in range(1, 25):
            fill(memory, 1, number)
            memory.tidy()
        records = list(memory.records())
        memory.close()
        yield folder, records


def outcome(places: Places, records: list[Record]) -> str:
    """Open, read and look through a memory: ``whole``, or the kind of error that says what is wrong."""
    try:
        memory = open_memory(places, AT_MS, sizes=SMALL)
    except JournalError as error:
        return type(error).__name__ if "\n" not in str(error) else "error in several lines"
    try:
        found = money(list(memory.records()))
        assert found == records, "silently changed"
        for _ in range(60):
            memory.tidy()
        assert all(memory.is_recorded(key) for record in records for key in kept_keys(record)), "a key was lost"
    except JournalError as error:
        return type(error).__name__
    finally:
        memory.close()
    return "whole"


def kept_keys(record: Record) -> tuple[str, ...]:
    return record.entry.unique_keys() if record.entry.KEEPS_KEYS else ()


def flipped_files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".lock"]


def flips(path: Path) -> Iterator[tuple[int, int]]:
    rng = random.Random(path.name)
    size = path.stat().st_size
    used = [place for place, byte in enumerate(path.read_bytes()) if byte]  # most of a file is padding
    for _ in range(FLIPS):
        place = rng.choice(used) if used and rng.random() < 0.9 else rng.randrange(size)
        yield place, 1 << rng.randrange(8)


def flip(path: Path, place: int, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= bit
    path.write_bytes(data)


def test_one_byte_of_one_copy_never_changes_what_is_recorded(whole: tuple[Path, list[Record]]) -> None:
    folder, records = whole
    counts: dict[str, dict[str, int]] = {}
    for path in flipped_files(folder / "whole"):
        for place, bit in flips(path):
            shutil.rmtree(folder / "now", ignore_errors=True)
            shutil.copytree(folder / "whole", folder / "now")
            flip(folder / "now" / path.relative_to(folder / "whole"), place, bit)
            found = outcome(places_in(folder / "now"), records)
            kind = counts.setdefault(path.relative_to(folder / "whole").parts[0], {})
            kind[found] = kind.get(found, 0) + 1
    assert set(counts) == {"data", "mirror", "third"}
    assert set(counts["mirror"]) == set(counts["third"]) == {"whole"}, counts
    assert set(counts["data"]) <= {"whole", "DamagedJournalError", "OtherVersionError"}, counts
    assert counts["data"]["whole"] > 4 * counts["data"].get("DamagedJournalError", 0), counts


def test_one_byte_of_every_copy_is_found_or_mended_and_never_changes_what_is_recorded(
    whole: tuple[Path, list[Record]],
) -> None:
    folder, records = whole
    rng = random.Random(7)
    files = flipped_files(folder / "whole")
    groups = [
        [path for path in files if path.is_relative_to(folder / "whole" / part)] for part in ("data", "mirror", "third")
    ]
    counts: dict[str, int] = {}
    for _ in range(6 * FLIPS):
        shutil.rmtree(folder / "now", ignore_errors=True)
        shutil.copytree(folder / "whole", folder / "now")
        for group in groups:
            path = rng.choice(group)
            place, bit = next(iter(flips_of(path, rng)))
            flip(folder / "now" / path.relative_to(folder / "whole"), place, bit)
        found = outcome(places_in(folder / "now"), records)
        counts[found] = counts.get(found, 0) + 1
    assert counts.get("whole", 0) > 0
    assert counts.get("MemoryLockUpError", 0) > 0


def flips_of(path: Path, rng: random.Random) -> Iterator[tuple[int, int]]:
    used = [place for place, byte in enumerate(path.read_bytes()) if byte]
    yield rng.choice(used), 1 << rng.randrange(8)
