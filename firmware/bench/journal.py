"""Benchmarks of the critical memory: a commit into all copies, and a terminal on a store with many rounds.

The rounds are made up but real: dealt by the rules, from shuffled shoes, because compression depends on them. Not
responsible for what a whole hand costs (``terminal``).
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from firmware.app import games_on_offer
from firmware.bench.made_history import MadeHistory
from firmware.bench.store import fill, places_in
from firmware.entries.types import Entry
from firmware.errors import UserError
from firmware.games.profile_files import bundled_directory
from firmware.journal.anchor import SLOT_BYTES
from firmware.journal.critical import Places
from firmware.journal.errors import NoJournalError
from firmware.journal.mirror import frames_of
from firmware.journal.recovery import open_memory
from firmware.journal.segments import FOLDER
from firmware.journal.store import open_store
from firmware.journal.verify import verify_memory
from firmware.memory import load_recorded
from firmware.settings.loader import load_settings

COMMITS: Final = 600
ROUNDS: Final = 20_000
_BEFORE_CHECKPOINT: Final = 200
"""So many commits are all in SQLite's log."""
Progress = Callable[[str, int, int], None]
"""Is told what is being done, how much of it is done, and of how much."""


def bench_journal(
    rounds: int = ROUNDS, keep: Path | None = None, on_progress: Progress = lambda *_: None
) -> dict[str, Any]:
    """Return milliseconds of a commit, and what a terminal on a store of so many rounds takes.

    Args:
        rounds: how many rounds the store has; at least 1,000.
        keep: a folder in which the store stays; one that is there is measured as it is, and not changed.
        on_progress: is told how far it is.

    Raises:
        UserError: too few rounds, or the folder holds a store of another size.
    """
    if rounds < 1_000:
        raise UserError(f"--rounds: found {rounds}, expected a whole number from 1000")
    with TemporaryDirectory() as name:
        folder = Path(name)
        figures: dict[str, Any] = {
            f"commit, {label}": bench_commits(places) for label, places in _places(folder).items()
        }
        store = keep or folder / "large"
        made = _made(store, rounds, on_progress)
        figures[f"store of {rounds} rounds"] = made | bench_store(places_in(store), rounds, on_progress)
        figures |= bench_terminal(store, folder / "copy")
    return figures


def bench_commits(places: Places) -> dict[str, float]:
    """Return median and 99th percentile of a commit in milliseconds, and the KiB that it writes into all copies.

    Counted from the files: what the kernel accounts to a process includes whole folios of which a sector was written.
    """
    memory = open_memory(places, 0)
    series: list[float] = []
    written = 0
    for entries in islice(_commits(), COMMITS):
        began = time.perf_counter()
        memory.append(entries, 0)
        series.append((time.perf_counter() - began) * 1_000)
        if len(series) == _BEFORE_CHECKPOINT:
            written = _log_bytes(places) // _BEFORE_CHECKPOINT
    memory.close()
    series.sort()
    return {
        "ms_median": round(series[COMMITS // 2], 3),
        "ms_p99": round(series[COMMITS * 99 // 100], 3),
        "written_kib": round(written / 1_024, 1),
    }


def _made(folder: Path, round_count: int, on_progress: Progress) -> dict[str, Any]:
    """Make the store unless it is there; tell how fast."""
    places = places_in(folder)
    try:
        store = open_store(places.data_dir, read_only=True)
    except NoJournalError:
        began = time.perf_counter()
        settings = load_settings(bundled_directory().parent / "simulator.toml")
        fill(places, settings, round_count, lambda done: on_progress("rounds made", done, round_count))
        return {"rounds_made_per_s": round(round_count / (time.perf_counter() - began))}
    store.close()
    return {}


def bench_store(places: Places, round_count: int, on_progress: Progress = lambda *_: None) -> dict[str, Any]:
    """Return what a store takes on the disk, and how fast it is opened and verified; nothing is written."""
    began = time.perf_counter()
    store = open_store(places.data_dir, read_only=True)
    opened = time.perf_counter() - began
    recorded = load_recorded(store)
    loaded = time.perf_counter() - began
    count, segments = store.head.seq, len(store.segments)
    store.close()
    if recorded.count("rounds") != round_count:
        raise UserError(f"{places.data_dir}: holds {recorded.count('rounds')} rounds, expected {round_count}")
    began = time.perf_counter()
    verified = verify_memory(places, on_progress=lambda done, all_: on_progress("entries verified", done, all_))
    seconds = time.perf_counter() - began
    if verified.problems:
        raise RuntimeError(f"the benchmark's store is damaged: {verified.problems[0]}")
    sizes = {
        part: _size(folder) for part, folder in (("data", places.data_dir), ("mirror", places.mirror_dir)) if folder
    }
    return {
        "entries": count,
        "segments": segments,
        "open_to_read_s": round(opened, 3),
        "state_loaded_s": round(loaded, 3),
        "verify_s": round(seconds, 1),
        "verified_entries_per_s": round(count / seconds),
        "database_mib": _mebibytes((places.data_dir / "journal.sqlite").stat().st_size),
        **{f"{part}_mib": _mebibytes(size) for part, size in sizes.items()},
        "data_bytes_per_round": round(sizes["data"] / round_count),
    }


def bench_terminal(folder: Path, scratch: Path) -> dict[str, Any]:
    """Return what a whole terminal on a copy of the store takes: start, memory, play, every page, every report.

    It runs in a process of its own, so that its memory is its own. ``scratch`` is where the copy is made.
    """
    _copied(folder, scratch)
    store = open_store(places_in(scratch).data_dir, read_only=True)
    last_ms = store.rows(store.head.seq - 1).__next__().at_ms
    store.close()
    child = [sys.executable, "-m", "firmware.bench.large_store_child", str(scratch), str(last_ms)]
    done = subprocess.run(child, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the benchmark's terminal ended: {done.stderr.strip().splitlines()[-1:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    pages, reports = found.pop("pages_ms"), found.pop("reports_ms")
    play = found.pop("play")
    return {"terminal": found, "play": play, "pages, ms": pages, "reports, ms": reports}


def _copied(folder: Path, scratch: Path) -> None:
    """Copy a store; sealed files are never written again, so a second name for each is enough where that is possible."""

    def link(source: str, target: str) -> str:
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)
        return target

    for part in folder.iterdir():
        shutil.copytree(part, scratch / part.name, ignore=shutil.ignore_patterns(FOLDER, ".lock"))
        if (part / FOLDER).is_dir():
            shutil.copytree(part / FOLDER, scratch / part.name / FOLDER, copy_function=link)


def _commits() -> Iterator[tuple[Entry, ...]]:
    settings = load_settings(bundled_directory().parent / "simulator.toml")
    return (entries for _, entries in MadeHistory(settings, games_on_offer(settings)).commits())


def _mebibytes(size: int) -> float:
    return round(size / 2**20, 1)


def _places(folder: Path) -> dict[str, Places]:
    return {
        "journal alone": Places(folder / "alone"),
        "with mirror and anchor": Places(folder / "data", folder / "mirror", folder / "third" / "anchor"),
    }


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _log_bytes(places: Places) -> int:
    """What the commits so far have written: SQLite's log, the mirror's frames, a slot of the anchor each."""
    written = (places.data_dir / "journal.sqlite-wal").stat().st_size
    if places.mirror_dir is not None:
        logs = [path.read_bytes() for path in places.mirror_dir.glob("log-*")]
        written += sum(frame.byte_count for log in logs for frame in frames_of(log)[0])
    return written + (_BEFORE_CHECKPOINT * SLOT_BYTES if places.anchor_file is not None else 0)
