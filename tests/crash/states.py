"""Every state in which a power cut can leave a disk: from a log of operations, all sets of files that may be found.

At each operation: all that was written is there (the program alone died), nothing unsynced is there, only the newest
write is, random sectors of 512 bytes are, one sector or one 4 KiB block under the newest write is garbage. Names change
in the order in which they were changed, and are durable up to some point behind the last sync of their folder.
Not responsible for judging what is found (``judge``).
"""

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from tests.crash.disk import Mark, Name, Operation, Rename, Sync, SyncFolder, Truncate, Write

SECTOR_BYTES = 512
BLOCK_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Reached:
    """What the program had done when the power went: what it had tried, been promised, and caused in the world."""

    attempted_seq: int = 0
    acked_seq: int = 0
    effects: tuple[str, ...] = ()
    """Keys of the entries that must be recorded because their effects were performed."""


@dataclass(frozen=True, slots=True)
class CrashState:
    """A disk as it may be found. ``kind`` says how much of what was on its way has arrived."""

    index: int
    kind: str
    files: dict[str, bytes]
    reached: Reached

    def fingerprint(self) -> int:
        """Return a number that tells distinct states apart, the same in every process."""
        parts = [f"{path}:{_digest(data).hex()}" for path, data in sorted(self.files.items())]
        return int.from_bytes(_digest(f"{self.reached} {parts}".encode()), "little", signed=True)


@dataclass(frozen=True, slots=True)
class Variety:
    """How many states of the random kinds are made at each operation."""

    random_count: int = 3
    torn_count: int = 2
    block_count: int = 2


USUAL = Variety()
NOTHING = Reached()


@dataclass(slots=True)
class _Medium:
    """What is durable, and what is on its way."""

    data: dict[int, bytes]
    names: dict[str, int]
    writes: list[Write | Truncate] = field(default_factory=list)
    renames: list[Name | Rename] = field(default_factory=list)


def crash_states(
    log: list[Operation],
    initial: dict[str, bytes],
    rng: random.Random,
    variety: Variety = USUAL,
    reached: Reached = NOTHING,
) -> Iterator[CrashState]:
    """Yield the states of a log that began on these files, which were durable; equal states may come again.

    ``reached`` is what had been promised before the log began.
    """
    inodes = {path: number for number, path in enumerate(initial, 1)}  # as RecordingDisk numbers them
    medium = _Medium({inodes[path]: data for path, data in initial.items()}, inodes)
    for index, operation in enumerate(log):
        if isinstance(operation, Mark):
            reached = _after(reached, operation)
            kinds: tuple[str, ...] = ("all", "none")
        else:
            _apply(medium, operation)
            kinds = _kinds(operation, variety)
        for kind in kinds:
            yield CrashState(index, kind, _found(medium, kind, rng), reached)


@lru_cache(maxsize=256)
def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=8).digest()


def _after(reached: Reached, mark: Mark) -> Reached:
    if mark.kind == "attempt":
        return Reached(mark.seq, reached.acked_seq, reached.effects)
    if mark.kind == "ack":
        return Reached(max(reached.attempted_seq, mark.seq), mark.seq, reached.effects)
    return Reached(reached.attempted_seq, reached.acked_seq, (*reached.effects, mark.key))


def _kinds(operation: Operation, variety: Variety) -> tuple[str, ...]:
    if isinstance(operation, Sync | SyncFolder):
        return ("all", "none")
    usual = ("all", "none", "newest", *["random"] * variety.random_count)
    if isinstance(operation, Write):
        return (*usual, *["torn"] * variety.torn_count, *["block"] * variety.block_count)
    return usual


def _apply(medium: _Medium, operation: Operation) -> None:
    match operation:
        case Write() | Truncate():
            medium.writes.append(operation)
            medium.data.setdefault(operation.inode, b"")
        case Name() | Rename():
            medium.renames.append(operation)
        case Sync(inode):
            mine = [write for write in medium.writes if write.inode == inode]
            if mine:
                medium.data[inode] = bytes(_written(bytearray(medium.data.get(inode, b"")), mine))
                medium.writes = [write for write in medium.writes if write.inode != inode]
        case SyncFolder(folder):
            waiting = medium.renames
            medium.renames = []
            for change in waiting:
                if _folder_of(change) == folder:
                    _rename(medium.names, change)
                else:
                    medium.renames.append(change)
        case Mark():
            pass


def _found(medium: _Medium, kind: str, rng: random.Random) -> dict[str, bytes]:
    names = dict(medium.names)
    waiting = medium.renames
    count = {"none": 0, "random": rng.randint(0, len(waiting))}.get(kind, len(waiting))
    for change in waiting[:count]:
        _rename(names, change)
    if kind == "none" or not medium.writes:
        return {path: medium.data.get(inode, b"") for path, inode in names.items()}
    data: dict[int, bytes | bytearray] = dict(medium.data)
    writes = medium.writes[-1:] if kind == "newest" else medium.writes
    share = rng.choice((0.1, 0.5, 0.9)) if kind == "random" else 1.0
    for inode in {write.inode for write in writes}:
        mine = [write for write in writes if write.inode == inode]
        content = bytearray(medium.data.get(inode, b""))
        data[inode] = _written(content, mine) if share == 1.0 else _partly_written(content, mine, share, rng)
    newest = writes[-1]
    if kind in ("torn", "block") and isinstance(newest, Write):
        unit = SECTOR_BYTES if kind == "torn" else BLOCK_BYTES
        _spoil(data[newest.inode], newest, unit, rng)
    return {path: bytes(data.get(inode, b"")) for path, inode in names.items()}


def _written(content: bytearray, writes: list[Write | Truncate]) -> bytearray:
    for write in writes:
        if isinstance(write, Truncate):
            del content[write.size :]
        else:
            _put(content, write.offset, write.data)
    return content


def _partly_written(content: bytearray, writes: list[Write | Truncate], share: float, rng: random.Random) -> bytearray:
    for write in writes:
        if isinstance(write, Truncate):
            if rng.random() < share:
                del content[write.size :]
            continue
        done = 0
        while done < len(write.data):
            offset = write.offset + done
            count = min(len(write.data) - done, SECTOR_BYTES - offset % SECTOR_BYTES)
            if rng.random() < share:
                _put(content, offset, write.data[done : done + count])
            done += count
    return content


def _spoil(content: bytes | bytearray, write: Write, unit: int, rng: random.Random) -> None:
    if not isinstance(content, bytearray):
        raise TypeError("only what is on its way can be spoiled")
    first = write.offset // unit * unit
    last = (write.offset + len(write.data) - 1) // unit * unit
    place = rng.choice((first, last, rng.randrange(first, last + 1, unit)))
    count = min(unit, len(content) - place)
    if count > 0:
        content[place : place + count] = rng.randbytes(count)


def _put(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


def _rename(names: dict[str, int], change: Name | Rename) -> None:
    if isinstance(change, Rename):
        if change.old in names:
            names[change.new] = names.pop(change.old)
    elif change.inode is None:
        names.pop(change.path, None)
    else:
        names[change.path] = change.inode


def _folder_of(change: Name | Rename) -> str:
    path = change.new if isinstance(change, Rename) else change.path
    return path.rpartition("/")[0]
