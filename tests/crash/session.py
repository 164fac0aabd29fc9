"""A recorded session: random play on a simulated cabinet whose journal lies on a recording disk.

The log holds every write of the unchanged program, and marks where it tried to record, was promised that it is
recorded, and acted on the world. Equal seeds give equal sessions. Not responsible for crash states or for judging.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from firmware.entries.types import Entry
from firmware.errors import UserError
from firmware.journal.critical import Places
from firmware.journal.record import Head, Record, Tally
from firmware.journal.recovery import open_memory
from firmware.journal.sizes import Sizes
from firmware.memory import Journal
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from firmware.simulator.cabinet import SimulatedCabinet
from tests.crash.disk import DiskFiles, Mark, Operation, RecordingDisk
from tests.crash.sqlite_vfs import RecordingVfs
from tests.support.journal import JournalProxy

ROOT = Path(__file__).resolve().parents[2]
DATA_DIR, MIRROR_DIR, ANCHOR_FILE = Path("/data"), Path("/mirror"), Path("/anchor/anchor")
ALL_PLACES = Places(DATA_DIR, MIRROR_DIR, ANCHOR_FILE)

GAMES = ("oasis", "baccarat", "six_decks_blackjack")
"""A draw game, a carried shoe, and a game with split hands."""

Wrap = Callable[[Journal, RecordingDisk], Journal]


@dataclass(frozen=True, slots=True)
class Session:
    """What was recorded. ``ends`` are the journal's ends at which it may be found: after each whole append."""

    seed: int
    places: Places
    sizes: Sizes
    log: list[Operation]
    initial: dict[str, bytes]
    records: tuple[Record, ...]
    ends: frozenset[Head] = field(default_factory=frozenset)


class MarkingJournal(JournalProxy):
    """A journal that marks each append on the disk, before and after, and remembers where appends ended."""

    def __init__(self, real: Journal, disk: RecordingDisk, session: "SessionMemory") -> None:
        super().__init__(real)
        self._disk, self._session = disk, session
        session.ends.add(real.head)

    def append(self, entries: Sequence[Entry], at_ms: int, tally: Tally | None = None) -> tuple[Record, ...]:
        self._disk.mark(Mark("attempt", self.real.head.seq + len(entries)))
        records = self.real.append(entries, at_ms, tally)
        head = Head(records[-1].seq, records[-1].link)
        self._disk.mark(Mark("ack", head.seq))
        self._session.ends.add(head)
        self._session.records += records
        return records


class SessionMemory:
    """What the session learns while it goes on."""

    def __init__(self) -> None:
        self.ends: set[Head] = set()
        self.records: list[Record] = []


def record_session(
    vfs: RecordingVfs,
    seed: int,
    *,
    step_count: int = 12,
    places: Places = ALL_PLACES,
    sizes: Sizes | None = None,
    wrap: Wrap = lambda journal, _: journal,
) -> Session:
    """Play at random on a new disk and return what was recorded. ``wrap`` may plant a fault around the journal."""
    rng = random.Random(seed)
    sizes = sizes or random_sizes(rng)
    disk = RecordingDisk()
    vfs.disk = disk
    memory = SessionMemory()

    def open_journal(_: Places, at_ms: int) -> Journal:
        real = open_memory(places, at_ms, files=DiskFiles(disk), vfs=vfs.name, sizes=sizes)
        return MarkingJournal(wrap(real, disk), disk, memory)

    cabinet = SimulatedCabinet(simulator_settings(), seed=seed, open_journal=open_journal)
    watch_effects(cabinet, lambda key: disk.mark(Mark("effect", key=key)))
    cabinet.boot()
    play(cabinet, rng, step_count)
    log = list(disk.log)
    cabinet.close()
    if vfs.error is not None:
        raise vfs.error
    return Session(seed, places, sizes, log, disk.initial, tuple(memory.records), frozenset(memory.ends))


def random_sizes(rng: random.Random) -> Sizes:
    """Return sizes with which everything that is done rarely is done often."""
    segment_rows = rng.choice((3, 8))
    return Sizes(
        tail_rows=rng.choice((4, 64)),
        snapshot_rows=rng.choice((5, 12)),
        live_rows=rng.choice((6, 12, 10_000)),
        segment_rows=segment_rows,
        checkpoint_commits=rng.choice((2, 5, 250)),
        log_rows=rng.choice((4, 9, 2_000)),
        log_fill_bytes=rng.choice((2_048, 8_192)),
        scrub_calls=rng.choice((1, 20)),
    )


@cache
def simulator_settings() -> Settings:
    """Return the simulator's settings with several games; its data folder is asked only for its free space."""
    settings = load_settings(ROOT / "config" / "simulator.toml")
    storage = settings.storage.model_copy(update={"data_dir": Path("/dev/shm")})
    games = settings.games.model_copy(update={"enabled": GAMES})
    return settings.model_copy(update={"storage": storage, "games": games})


def watch_effects(
    cabinet: SimulatedCabinet, before: Callable[[str], None], after: Callable[[], None] = lambda: None
) -> None:
    """Let every command that moves money be noted before and after it is given.

    ``before`` gets the name of what must be recorded first.
    """
    world = cabinet.world
    for device, command, name in (
        (world.notes, "stack", "intent"),
        (world.notes, "confirm", "note"),
        (world.coins, "confirm", "coin"),
        (world.hopper, "pay", "payout"),
    ):
        setattr(device, command, _noted(getattr(device, command), name, before, after))


def _noted(
    command: Callable[..., None], name: str, before: Callable[[str], None], after: Callable[[], None]
) -> Callable[..., None]:
    def noted(first: str, *others: object) -> None:
        before(f"{name}:{first}:start" if name == "payout" else f"{name}:{first}")
        command(first, *others)
        after()

    return noted


def play(cabinet: SimulatedCabinet, rng: random.Random, step_count: int) -> None:
    """Do what players, attendants and power supplies do, at random."""
    cabinet.insert_note(rng.choice((500, 1_000, 2_000)))
    for _ in range(step_count):
        try:
            _step(cabinet, rng)
        except UserError:  # the cabinet says that this can't be done now: neither can a person do it
            continue


def _step(cabinet: SimulatedCabinet, rng: random.Random) -> None:
    what = rng.random()
    view = cabinet.view
    if view.mode == "table" and what < 0.75:
        _play_on(cabinet, rng)
    elif view.mode in ("attract", "lobby") and view.credit_minor and what < 0.6:
        cabinet.touch(f"lobby:{rng.choice(view.lobby).game}")
    elif what < 0.80:
        cabinet.insert_note(rng.choice((500, 1_000)))
    elif what < 0.85:
        cabinet.insert_coin(rng.choice((50, 100, 200)))
    elif what < 0.90:
        cabinet.press("cash_out")
        cabinet.wait(rng.choice((200, 1_000, 5_000)))
    elif what < 0.94:
        cabinet.cut_power()
        cabinet.boot()
    elif what < 0.97:
        cabinet.act(lambda world: world.open_door("main"))
        cabinet.act(lambda world: world.close_door("main"))
    else:
        cabinet.act(lambda world: world.turn_key("attendant"))
        cabinet.act(lambda world: world.turn_back_key("attendant"))


def _play_on(cabinet: SimulatedCabinet, rng: random.Random) -> None:
    table = cabinet.view.table
    if table is not None and table.phase == "deciding":
        names = [button.id.removeprefix("button:") for button in cabinet.view.buttons if button.slot and button.enabled]
        choices = [name for name in names if name not in ("language", "help", "sound", "lobby", "cash_out")]
        cabinet.press(rng.choice(choices or names))
        return
    if rng.random() < 0.5:
        cabinet.touch("chip:500")
        box = rng.randint(1, 3)
        spots = [f"box:{box.position}:{spot.line}" for box in (table.boxes if table else ()) for spot in box.spots]
        cabinet.touch(rng.choice(spots) if spots else f"box:{box}:ante")
    cabinet.press("deal")
