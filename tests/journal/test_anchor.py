"""The head anchor: two slots in turn; the older one survives whatever becomes of the newer one."""

from pathlib import Path

import pytest

from firmware.journal.anchor import SLOT_BYTES, Anchor, Anchored, FileSlots
from firmware.journal.files import OsFiles
from firmware.journal.record import Head, Tally


def head(seq: int) -> Head:
    return Head(seq, bytes([seq]) * 32)


def opened(path: Path) -> Anchor:
    return Anchor(FileSlots(path, OsFiles()))


def test_new_anchor_is_blank_and_already_has_two_sound_slots(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "anchor"
    assert opened(path).is_blank
    data = bytearray(path.read_bytes())
    data[4_096 : 4_096 + SLOT_BYTES] = b"\xff" * SLOT_BYTES
    path.write_bytes(data)
    assert opened(path).is_blank


def test_newest_end_and_tally_are_remembered(tmp_path: Path) -> None:
    path = tmp_path / "anchor"
    anchor = opened(path)
    for seq in range(1, 8):
        tally = Tally(epoch=2, credit_minor=seq * 100, games_played=seq)
        anchor.write(head(seq), tally)
        assert opened(path).newest == anchor.newest == Anchored(head(seq), tally)


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_slot_that_was_being_written_is_lost_and_the_one_before_it_is_not(tmp_path: Path, count: int) -> None:
    path = tmp_path / "anchor"
    anchor = opened(path)
    contents = [path.read_bytes()]
    for seq in range(1, count + 1):
        anchor.write(head(seq), Tally())
        contents.append(path.read_bytes())
    before, after = contents[-2:]
    changed = [place for place in range(len(after)) if before[place] != after[place]]
    for place in changed:
        torn = bytearray(after)
        torn[place] ^= 0x10
        path.write_bytes(torn)
        again = opened(path)
        assert again.newest is not None
        assert again.newest.head == (head(count - 1) if count > 1 else Head())
        again.write(head(count), Tally())
        assert opened(path).newest == Anchored(head(count), Tally())


def test_damage_of_both_slots_is_told(tmp_path: Path) -> None:
    path = tmp_path / "anchor"
    anchor = opened(path)
    anchor.write(head(1), Tally())
    path.write_bytes(bytes(len(path.read_bytes())))
    damaged = opened(path)
    assert damaged.newest is None
    assert not damaged.is_blank
    damaged.write(head(2), Tally())
    assert opened(path).newest == Anchored(head(2), Tally())
