"""A disk that fails at every operation in turn: full, or broken, once or for good. Money is whole whatever happened.

An error from a commit is unknown: whether the entry is there after the restart or not, the hardware and the books agree.
"""

import errno
import random
from collections.abc import Callable

import pytest

from firmware.journal.critical import Places
from firmware.journal.errors import JournalError
from firmware.journal.record import Record
from firmware.journal.recovery import open_memory
from firmware.journal.sizes import Sizes
from firmware.loop import RestartNeededError
from firmware.memory import Journal
from tests.crash.disk import DiskFiles, Mark, Name, Operation, RecordingDisk, Sync, SyncFolder, Write
from tests.crash.money import money_of
from tests.crash.session import ALL_PLACES, MarkingJournal, SessionMemory, play, simulator_settings
from tests.crash.sqlite_vfs import RecordingVfs
from tests.support.cabinet import CabinetUnderTest

SIZES = Sizes(
    snapshot_rows=5, live_rows=6, segment_rows=3, checkpoint_commits=2, log_rows=4, log_fill_bytes=2_048, scrub_calls=1
)
SEED = 11
STEPS = 4


class FailingDisk(RecordingDisk):
    """A disk on which operations fail from some number on, once or for good."""

    def __init__(self, first: int, number: int, *, for_good: bool) -> None:
        super().__init__()
        self.first, self.number, self.for_good = first, number, for_good
        self.count = 0
        self.refuse = self._refuse

    def mend(self) -> None:
        """Make room, or put a good medium in."""
        self.refuse = lambda _: 0

    def _refuse(self, operation: Operation) -> int:
        if self.number == errno.ENOSPC and isinstance(operation, Sync | SyncFolder):
            return 0  # a full disk still syncs what it has
        if isinstance(operation, Name) and operation.inode is None:
            return 0  # removing needs no room
        self.count += 1
        is_now = self.count >= self.first if self.for_good else self.count == self.first
        return self.number if is_now else 0


class Session:
    """The same session again and again, each time on a disk that fails elsewhere."""

    def __init__(self, vfs: RecordingVfs, disk: FailingDisk) -> None:
        vfs.disk = disk
        self.disk = disk
        self.memory = SessionMemory()

        def open_journal(_: Places, at_ms: int) -> Journal:
            real = open_memory(ALL_PLACES, at_ms, files=DiskFiles(disk), vfs=vfs.name, sizes=SIZES)
            return MarkingJournal(real, disk, self.memory)

        self.cabinet = CabinetUnderTest(simulator_settings(), seed=SEED, open_journal=open_journal)

    def run(self) -> None:
        """Play; whenever the terminal can't go on, mend the disk and start it again."""
        self._until_done(self.cabinet.boot)
        self._until_done(lambda: play(self.cabinet, random.Random(SEED), STEPS))
        self.disk.mend()
        self._until_done(lambda: self.cabinet.wait(5_000))

    def _until_done(self, act: Callable[[], None]) -> None:
        try:
            act()
            if self.cabinet.is_running:
                return
        except (JournalError, RestartNeededError):
            pass
        self.disk.mend()
        if self.cabinet.is_running:
            self.cabinet.kill()
        self.cabinet.boot()

    def records(self) -> list[Record]:
        """What the journal holds at the end."""
        return list(self.cabinet.terminal._parts.journal.records())


def operation_count() -> int:
    """How many operations the session makes on a good disk."""
    vfs = RecordingVfs("counting", RecordingDisk())
    try:
        disk = FailingDisk(0, errno.EIO, for_good=False)
        session = Session(vfs, disk)
        session.run()
        session.cabinet.close()
        return disk.count
    finally:
        vfs.close()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO], ids=["full", "broken"])
@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for good"])
def test_disk_that_fails_at_any_operation_leaves_money_and_hardware_in_agreement(number: int, for_good: bool) -> None:
    count = operation_count()
    assert count > 200
    first_place = 1 + 2 * for_good + (number == errno.EIO)
    vfs = RecordingVfs("failing", RecordingDisk())
    failed = 0
    try:
        for first in range(first_place, count + 1, 5):
            disk = FailingDisk(first, number, for_good=for_good)
            session = Session(vfs, disk)
            session.run()
            assert vfs.error is None, (first, vfs.error)
            check(session, first)
            failed += disk.count >= first
            session.cabinet.close()
    finally:
        vfs.close()
    assert failed > 40


def check(session: Session, first: int) -> None:
    """Nothing promised is lost, the books are those of the entries, and the hardware holds what they say."""
    cabinet = session.cabinet
    assert cabinet.view.mode != "tilt" or "M1" not in cabinet.fault_codes, (first, cabinet.view.faults)
    records = session.records()
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    for promised in session.memory.records:
        assert records[promised.seq - 1] == promised, first
    assert cabinet.books.credit_minor == money_of([record.entry for record in records]), first
    cabinet.conserve()


def test_failing_disk_is_told_to_the_one_who_asked() -> None:
    disk = FailingDisk(1, errno.EIO, for_good=True)
    with pytest.raises(OSError, match="EIO"):
        disk.create("/a")
    assert not isinstance(disk.log and disk.log[-1], Mark | Write)


def test_disk_that_stays_full_takes_no_note_and_the_journal_goes_on_when_there_is_room() -> None:
    vfs = RecordingVfs("full", RecordingDisk())
    try:
        disk = FailingDisk(10_000, errno.ENOSPC, for_good=True)
        session = Session(vfs, disk)
        session.cabinet.boot()
        session.cabinet.insert_note(1_000)
        disk.first = 0
        with pytest.raises((JournalError, RestartNeededError)):
            session.cabinet.insert_note(1_000)
        session.cabinet.wait(3_000)
        assert session.cabinet.world.readings.cash_box_minor == 1_000
        disk.mend()
        session.cabinet.boot()
        session.cabinet.conserve()
        session.cabinet.insert_note(1_000)
        assert session.cabinet.books.credit_minor == session.cabinet.world.readings.cash_box_minor >= 2_000
        session.cabinet.close()
    finally:
        vfs.close()
