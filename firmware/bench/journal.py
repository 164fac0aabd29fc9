"""Benchmarks of the critical memory: a commit into all copies, start and verification of a store with many rounds.

The rounds are made up: entries of the usual sizes, with shuffled shoes, because compression depends on them. Not
responsible for what a whole hand costs (``terminal``).
"""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from firmware.cards.card import DECK, card_text
from firmware.entries import types as entry
from firmware.journal.anchor import SLOT_BYTES
from firmware.journal.critical import CriticalMemory, Places
from firmware.journal.mirror import frames_of
from firmware.journal.record import rows_for
from firmware.journal.recovery import open_memory
from firmware.journal.sizes import USUAL
from firmware.journal.store import JournalStore
from firmware.journal.verify import verify_memory
from firmware.memory import load_recorded
from firmware.terminal.evolve import fold
from firmware.terminal.snapshot import encode_recorded, tally_of
from firmware.terminal.state import Recorded

COMMITS: Final = 600
ROUNDS: Final = 20_000
_STAKE_MINOR: Final = 500
_ROUNDS_A_BATCH: Final = 300
_BEFORE_CHECKPOINT: Final = 200
"""So many commits are all in SQLite's log."""


def bench_journal() -> dict[str, Any]:
    """Return milliseconds of a commit, and seconds of start and verification after ``ROUNDS`` rounds."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        figures = {f"commit, {label}": bench_commits(places) for label, places in _places(folder).items()}
        figures[f"store of {ROUNDS} rounds"] = bench_store(folder / "large", ROUNDS)
    return figures


def bench_commits(places: Places) -> dict[str, float]:
    """Return median and 99th percentile of a commit in milliseconds, and the KiB that it writes into all copies.

    Counted from the files: what the kernel accounts to a process includes whole folios of which a sector was written.
    """
    rounds = made_rounds(1)
    memory = open_memory(places, 0)
    memory.append((_commissioned(),), 0)
    series: list[float] = []
    written = 0
    for entries in _first(rounds, COMMITS):
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


def bench_store(
    folder: Path, round_count: int, on_progress: Callable[[int], None] = lambda _: None
) -> dict[str, float]:
    """Fill a memory with rounds and return what it takes to start on it, to read it and to verify it.

    ``on_progress`` is told how many rounds are in.
    """
    places = Places(folder / "data", folder / "mirror", folder / "third" / "anchor")
    began = time.perf_counter()
    fill(places, round_count, on_progress)
    filled = time.perf_counter() - began
    began = time.perf_counter()
    memory = open_memory(places, 0)
    opened = time.perf_counter() - began
    recorded = load_recorded(memory)
    booted = time.perf_counter() - began
    count = memory.head.seq
    began = time.perf_counter()
    recalled = sum(record.entry.KIND == "round_opened" for record in memory.records(max(0, count - 4_000)))
    recall = time.perf_counter() - began
    memory.close()
    began = time.perf_counter()
    verified = verify_memory(places)
    verify = time.perf_counter() - began
    if verified.problems or recorded.count("rounds") != round_count:
        raise RuntimeError(f"the benchmark's store is damaged: {verified.problems[:1]}")
    sizes = {part: _size(folder / part) for part in ("data", "mirror")}
    return {
        "entries": count,
        "fill_s": round(filled, 1),
        "open_s": round(opened, 3),
        "start_s": round(booted, 3),
        "recall_of_rounds": recalled,
        "recall_s": round(recall, 3),
        "verify_s": round(verify, 1),
        "verified_entries_per_s": round(count / verify),
        "database_mib": round((folder / "data" / "journal.sqlite").stat().st_size / 2**20, 1),
        "data_mib": round(sizes["data"] / 2**20, 1),
        "mirror_mib": round(sizes["mirror"] / 2**20, 1),
        "data_bytes_per_round": round(sizes["data"] / round_count),
    }


def fill(places: Places, round_count: int, on_progress: Callable[[int], None] = lambda _: None) -> None:
    """Put rounds into a memory many at a time, then some one by one, with a snapshot, as a running terminal leaves it."""
    memory = open_memory(places, 0)
    memory.append((_commissioned(),), 0)
    store = memory._copies.store
    recorded = load_recorded(memory)
    rounds = made_rounds(1)
    done, singles = 0, min(round_count, USUAL.snapshot_rows // 4)
    while done < round_count - singles:
        batch = min(_ROUNDS_A_BATCH, round_count - singles - done)
        rows = rows_for([one for entries in _first(rounds, 2 * batch) for one in entries], 0, store.head)
        store.restore(rows)
        recorded = fold(recorded, [row.record() for row in rows])
        done += batch
        _settle(store)
        on_progress(done)
    memory.close()
    memory = open_memory(places, 0)  # brings mirror and anchor up
    memory.keep_snapshot(encode_recorded(recorded))
    for entries in _first(rounds, 2 * singles):
        recorded = _append(memory, recorded, entries)
    on_progress(round_count)
    memory.close()


def made_rounds(first: int) -> Iterator[tuple[entry.Entry, ...]]:
    """Yield for ever what a round of draw poker records in its two commits; every tenth is preceded by a note."""
    rng = random.Random(first)
    number = first
    cards = [card_text(card) for card in DECK]
    while True:
        rng.shuffle(cards)
        name = f"r1-{number}"
        stakes = (entry.StakeLine(1, "ante", _STAKE_MINOR),)
        note = (entry.NoteCredited(f"BENCH:1:{number}", 30 * _STAKE_MINOR),) if number % 10 == 1 else ()
        opened = entry.RoundOpened(
            name, number, "oasis", "0" * 64, stakes, _STAKE_MINOR, 10_000, f"s1-{number}", "".join(cards), 0
        )
        yield (*note, opened)
        lines = tuple(entry.PaidLine(1, line, _STAKE_MINOR, 0) for line in ("ante", "bet", "exchange"))
        yield (
            entry.RoundActed(name, 1, 1, 0, "exchange", (cards[0],), _STAKE_MINOR),
            entry.RoundActed(name, 2, 1, 0, "raise", (), _STAKE_MINOR),
            entry.RoundSettled(name, "oasis", 3 * _STAKE_MINOR, 0, 11, lines),
        )
        number += 1


def _append(memory: CriticalMemory, recorded: Recorded, entries: tuple[entry.Entry, ...]) -> Recorded:
    records = memory.append(entries, 0)
    recorded = fold(recorded, records)
    if memory.snapshot_is_due:
        memory.keep_snapshot(encode_recorded(recorded))
    tally_of(recorded)
    memory.tidy()
    return recorded


def _settle(store: JournalStore) -> None:
    while store.seal() is not None:
        pass
    store.checkpoint()


def _commissioned() -> entry.Commissioned:
    return entry.Commissioned("BENCH", 1, "simulator", "CRD", 2, "0")


def _first(rounds: Iterator[tuple[entry.Entry, ...]], count: int) -> Iterator[tuple[entry.Entry, ...]]:
    return (next(rounds) for _ in range(count))


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
