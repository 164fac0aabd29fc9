"""What a hand costs in storage, counted from every write that the unchanged program makes: bytes and flushes."""

import pytest

from firmware.journal.critical import Places
from firmware.journal.recovery import open_memory
from firmware.journal.sizes import USUAL
from firmware.memory import Journal
from tests.crash.disk import DiskFiles, RecordingDisk, Sync, SyncFolder, Write
from tests.crash.session import ALL_PLACES, simulator_settings
from tests.crash.sqlite_vfs import RecordingVfs
from tests.support.cabinet import CabinetUnderTest

HANDS = 150
"""More commits than there are between two checkpoints, so that their share is in."""


def cost_of(*choices: str) -> dict[str, tuple[float, float]]:
    """KiB and flushes of a hand of draw poker with these choices, by medium."""
    disk = RecordingDisk()
    vfs = RecordingVfs("cost", disk)

    def open_journal(_: Places, at_ms: int) -> Journal:
        return open_memory(ALL_PLACES, at_ms, files=DiskFiles(disk), vfs=vfs.name, sizes=USUAL)

    cabinet = CabinetUnderTest(simulator_settings(), seed=2, open_journal=open_journal)
    cabinet.boot()
    for _ in range(50):
        cabinet.insert_note(10_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 100)
    play_hand(cabinet, choices)
    disk.log.clear()
    for _ in range(HANDS):
        play_hand(cabinet, choices)
    log, paths = list(disk.log), {inode: path for path, inode in disk.names.items()}
    cabinet.close()
    vfs.close()
    written = dict.fromkeys(("data", "mirror", "anchor"), 0)
    flushes = dict.fromkeys(written, 0)
    for operation in log:
        if isinstance(operation, Write) and operation.inode in paths:
            written[paths[operation.inode].split("/")[1]] += len(operation.data)
        elif isinstance(operation, Sync) and operation.inode in paths:
            flushes[paths[operation.inode].split("/")[1]] += 1
        elif isinstance(operation, SyncFolder):
            flushes[operation.folder.split("/")[1]] += 1
    return {name: (written[name] / HANDS / 1_024, flushes[name] / HANDS) for name in written}


def play_hand(cabinet: CabinetUnderTest, choices: tuple[str, ...]) -> None:
    cabinet.press("deal")
    for choice in choices:
        if cabinet.terminal.state.live is not None:
            if choice == "exchange":
                cabinet.press("mark:0")
            cabinet.press(choice)


@pytest.mark.parametrize(
    ("choices", "most_kib", "most_flushes"), [(("raise",), 35, 2.2), (("exchange", "raise"), 50, 3.2)]
)
def test_hand_writes_little_to_the_card_and_flushes_it_once_a_choice(
    choices: tuple[str, ...], most_kib: float, most_flushes: float
) -> None:
    cost = cost_of(*choices)
    kib, flushes = cost["data"]
    assert kib <= most_kib, cost
    assert flushes <= most_flushes, cost
    assert cost["mirror"][0] <= 6, cost
    assert cost["anchor"][0] <= 2, cost
    assert max(cost["mirror"][1], cost["anchor"][1]) <= most_flushes, cost
