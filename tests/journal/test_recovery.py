"""Opening the memory when its copies differ: what can be trusted rebuilds the rest, and if nothing can, it stays shut."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.entries.types import MemoryRebuilt
from firmware.journal.clear import clear_memory
from firmware.journal.critical import Places
from firmware.journal.errors import DamagedJournalError, MemoryLockUpError
from firmware.journal.record import Record
from firmware.journal.schema import FILE_NAME
from firmware.journal.segments import FOLDER
from firmware.journal.sizes import Sizes
from firmware.journal.store import open_store
from tests.journal.memories import AT_MS, entries_of, fill, opened, places_in

COUNT = 30


class Copies:
    """The copies of a memory as they were at several times, to be put back one by one."""

    def __init__(self, folder: Path, sizes: Sizes | None = None) -> None:
        self.folder = folder
        self.sizes = sizes
        self.places = places_in(folder / "now")
        self.parts = {
            "journal": self.places.data_dir,
            "mirror": self.places.mirror_dir or Path(),
            "anchor": (self.places.anchor_file or Path()).parent,
        }

    def keep(self, name: str) -> None:
        """Remember all copies under a name."""
        for part, place in self.parts.items():
            shutil.copytree(place, self.folder / name / part)

    def put_back(self, name: str, *parts: str) -> None:
        """Make these copies be as they were then."""
        for part in parts:
            shutil.rmtree(self.parts[part])
            shutil.copytree(self.folder / name / part, self.parts[part])

    def fill(self, count: int, first: int = 1) -> list[Record]:
        """Record so many appends."""
        with opened(self.places, self.sizes or Sizes()) as memory:
            return fill(memory, count, first)

    def open(self) -> list[Record]:
        """Open the memory and return what it holds."""
        with opened(self.places, self.sizes or Sizes()) as memory:
            return list(memory.records())


@pytest.fixture
def copies(tmp_path: Path) -> Copies:
    """A memory with thirty appends, kept under ``early`` after twenty of them and under ``late`` at the end."""
    made = Copies(tmp_path)
    made.fill(20)
    made.keep("early")
    made.fill(10, 21)
    made.keep("late")
    return made


def rebuilt(records: list[Record]) -> list[str]:
    """Names of the copies that were made anew, as the journal tells."""
    return [record.entry.copy for record in records if isinstance(record.entry, MemoryRebuilt)]


def money(records: list[Record]) -> list[Record]:
    """The records without the journal's own notes about copies."""
    return [record for record in records if not isinstance(record.entry, MemoryRebuilt)]


def trash(path: Path) -> None:
    """Make a file unreadable for what it is."""
    path.write_bytes(bytes(range(256)) * (path.stat().st_size // 256 + 1))


def trash_journal(copies: Copies) -> None:
    trash(copies.places.data_dir / FILE_NAME)


def remove_journal(copies: Copies) -> None:
    shutil.rmtree(copies.places.data_dir)


def empty_journal(copies: Copies) -> None:
    (copies.places.data_dir / FILE_NAME).write_bytes(b"")


def change_journal(copies: Copies) -> None:
    path = copies.places.data_dir / FILE_NAME
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"SIM-NOTES:1:5"', b'"SIM-NOTES:1:6"'))


def trash_mirror(copies: Copies) -> None:
    trash(next(iter((copies.places.mirror_dir or Path()).glob("log-*"))))


def remove_mirror(copies: Copies) -> None:
    shutil.rmtree(copies.places.mirror_dir or Path())


def change_mirror(copies: Copies) -> None:
    path = next(iter((copies.places.mirror_dir or Path()).glob("log-*")))
    data = bytearray(path.read_bytes())
    data[700] ^= 1
    path.write_bytes(data)


def zero_anchor(copies: Copies) -> None:
    path = copies.places.anchor_file or Path()
    path.write_bytes(bytes(path.stat().st_size))


def remove_anchor(copies: Copies) -> None:
    (copies.places.anchor_file or Path()).unlink()


def lose_newest(*parts: str) -> Callable[[Copies], None]:
    """A storage that said all was written, and was not: some copies are as they were ten appends ago."""

    def lose(copies: Copies) -> None:
        copies.put_back("early", *parts)

    lose.__name__ = f"lose_newest_of_{'_and_'.join(parts)}"
    return lose


Hurt = Callable[[Copies], None]


def nothing(_: Copies) -> None:
    """Leave all as it is."""


@pytest.mark.parametrize(
    ("hurt", "expected"),
    [
        (nothing, []),
        (trash_journal, ["journal"]),
        (remove_journal, ["journal"]),
        (empty_journal, ["journal"]),
        (change_journal, ["journal"]),
        (lose_newest("journal"), ["journal"]),
        (trash_mirror, ["mirror"]),
        (remove_mirror, ["mirror"]),
        (change_mirror, ["mirror"]),
        (lose_newest("mirror"), ["mirror"]),
        (zero_anchor, ["anchor"]),
        (remove_anchor, ["anchor"]),
        (lose_newest("anchor"), ["anchor"]),
        (lose_newest("mirror", "anchor"), ["mirror", "anchor"]),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_one_good_copy_rebuilds_the_others_and_the_journal_says_so(
    copies: Copies, hurt: Hurt, expected: list[str]
) -> None:
    whole = copies.open()
    hurt(copies)
    records = copies.open()
    assert money(records) == whole
    assert rebuilt(records) == expected
    assert copies.open() == records, "rebuilt once and for all"
    after = copies.fill(3, 50)
    trash_journal(copies)
    assert money(copies.open())[-len(after) :] == after, "the rebuilt copies are good ones"


@pytest.mark.parametrize("part", ["mirror", "anchor"])
def test_copy_that_lacks_the_last_append_alone_is_brought_up_silently(tmp_path: Path, part: str) -> None:
    copies = Copies(tmp_path)
    for number in range(1, 9):
        copies.fill(1, number)
        copies.keep(f"{number}")
        if number > 1:
            copies.put_back(f"{number - 1}", part)
            assert rebuilt(copies.open()) == []
        if number > 2:
            copies.put_back(f"{number}", *copies.parts)
            copies.put_back(f"{number - 2}", part)
            assert rebuilt(copies.open()) == [part]
        copies.put_back(f"{number}", *copies.parts)


@pytest.mark.parametrize(
    "hurts",
    [
        (trash_journal, trash_mirror),
        (trash_journal, remove_mirror),
        (remove_journal, change_mirror),
        (lose_newest("journal", "mirror"),),
        (lose_newest("journal"), trash_mirror),
        (change_journal, change_mirror),
        (empty_journal, lose_newest("mirror")),
        (trash_journal, trash_mirror, zero_anchor),
    ],
    ids=lambda value: "-".join(one.__name__ for one in value),
)
def test_without_a_good_copy_the_memory_stays_shut_and_nothing_is_touched(
    copies: Copies, hurts: tuple[Hurt, ...]
) -> None:
    for hurt in hurts:
        hurt(copies)
    before = contents(copies)
    for _ in range(3):
        with pytest.raises(DamagedJournalError) as caught:
            copies.open()
        assert "\n" not in str(caught.value)
        assert contents(copies) == before
    if zero_anchor not in hurts:
        assert isinstance(caught.value, MemoryLockUpError)
        assert "last known credit 30" in str(caught.value)
    clear_memory(copies.places)
    assert copies.open() == []
    copies.fill(3)
    assert [record.seq for record in copies.open()][-1] == 4


def contents(copies: Copies) -> dict[Path, bytes]:
    """Every file but the lock."""
    return {
        path: path.read_bytes()
        for place in copies.parts.values()
        for path in place.rglob("*")
        if path.is_file() and path.name != ".lock" and not path.name.endswith("-shm")
    }


def test_journal_alone_that_lost_its_newest_entries_is_betrayed_by_the_anchor(tmp_path: Path) -> None:
    copies = Copies(tmp_path)
    copies.places = Places(copies.places.data_dir, None, copies.places.anchor_file)
    del copies.parts["mirror"]
    copies.fill(5)
    copies.keep("early")
    copies.fill(1, 6)
    copies.put_back("early", "journal")
    with pytest.raises(MemoryLockUpError, match=r"journal ends at 6, anchor at 7, last known credit 6"):
        copies.open()


def test_histories_that_parted_are_told_apart_by_the_anchor_and_never_mixed(copies: Copies) -> None:
    copies.put_back("early", "journal", "mirror", "anchor")
    other = copies.fill(3, 60)
    copies.keep("other")
    copies.put_back("late", "mirror")
    records = copies.open()
    assert rebuilt(records) == ["mirror"]
    assert money(records)[-3:] == other[-3:]
    copies.put_back("other", "journal", "mirror", "anchor")
    copies.put_back("late", "journal", "anchor")
    assert rebuilt(copies.open()) == ["mirror"]
    copies.put_back("other", "journal", "mirror", "anchor")
    copies.put_back("late", "anchor")
    with pytest.raises(MemoryLockUpError, match="neither journal nor mirror reaches the anchor"):
        copies.open()
    copies.put_back("late", "mirror")
    remove_anchor(copies)
    copies.places = Places(copies.places.data_dir, copies.places.mirror_dir)
    with pytest.raises(MemoryLockUpError, match="parted ways"):
        copies.open()


def test_anchor_of_another_machine_locks_the_memory(copies: Copies, tmp_path: Path) -> None:
    other = Copies(tmp_path / "other")
    with opened(other.places) as memory:
        memory.append(entries_of(77), AT_MS)
    shutil.copy(other.places.anchor_file or Path(), copies.places.anchor_file or Path())
    with pytest.raises(MemoryLockUpError, match="neither journal nor mirror reaches the anchor"):
        copies.open()


def test_copies_that_are_configured_later_are_made_from_the_journal(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    with opened(Places(places.data_dir), Sizes()) as memory:
        whole = fill(memory, 9)
    with opened(places, Sizes()) as memory:
        assert rebuilt(list(memory.records())) == ["mirror", "anchor"]
    shutil.rmtree(places.data_dir)
    with opened(places, Sizes()) as memory:
        assert money(list(memory.records())) == whole


def test_journal_with_sealed_segments_is_made_anew_from_mirror_and_segments(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    with opened(places) as memory:
        for number in range(1, 41):
            fill(memory, 1, number)
            memory.tidy()
        whole = list(memory.records())
    assert len(list((places.data_dir / FOLDER).iterdir())) > 5
    for lost in (places.data_dir / FILE_NAME, places.data_dir):
        shutil.rmtree(lost) if lost.is_dir() else lost.unlink()
        with opened(places) as memory:
            records = list(memory.records())
            assert money(records)[: len(whole)] == whole
            assert memory.is_recorded("note:SIM-NOTES:1:1")
            assert not memory.is_recorded("round:r1-2:open")
            fill(memory, 1, 100 + len(records))
            whole = list(memory.records())
            whole = money(whole)


def test_damaged_database_is_kept_aside(copies: Copies) -> None:
    trash_journal(copies)
    bad = (copies.places.data_dir / FILE_NAME).read_bytes()
    copies.open()
    assert (copies.places.data_dir / f"{FILE_NAME}.damaged-1").read_bytes() == bad
    trash_journal(copies)
    copies.open()
    assert (copies.places.data_dir / f"{FILE_NAME}.damaged-2").exists()


def test_clearing_sets_the_old_memory_aside_and_it_can_still_be_read(copies: Copies) -> None:
    whole = copies.open()
    assert clear_memory(copies.places) == 1
    copies.fill(2, 90)
    assert clear_memory(copies.places) == 2
    archive = copies.folder / "archive"
    archive.mkdir()
    shutil.copy(copies.places.data_dir / f"{FILE_NAME}.cleared-1", archive / FILE_NAME)
    reader = open_store(archive, read_only=True)
    assert list(reader.records()) == whole
    reader.close()
    assert copies.open() == []


def test_clearing_of_what_is_not_there_does_no_harm(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    clear_memory(places)
    with opened(places) as memory:
        assert memory.head.seq == 0


def test_files_of_a_memory_stay_small_however_much_is_recorded(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    sizes = []
    with opened(places) as memory:
        for number in range(1, 121):
            fill(memory, 1, number)
            memory.tidy()
            live = [path for path in places.data_dir.glob(f"{FILE_NAME}*") if path.is_file()]
            live += (places.mirror_dir or Path()).glob("log-*")
            sizes.append(sum(path.stat().st_size for path in live))
    assert max(sizes[60:]) < 1.3 * max(sizes[30:60])
