"""A version that was gone back to finds entries of a kind that it does not know: no damage, and nothing to be cleared."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from firmware.entries import codec
from firmware.entries.types import Entry
from firmware.journal.store import open_store
from firmware.terminal.faults import MEMORY, NEWER_JOURNAL
from firmware.update.gate import obstacles
from tests.support.cabinet import CabinetUnderTest, settings_for


@dataclass(frozen=True, slots=True)
class Tomorrow(Entry):
    """An entry of a later version."""

    KIND: ClassVar[str] = "tomorrow"
    number: int


@contextmanager
def a_newer_version(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setitem(codec._CLASSES, "tomorrow/1", Tomorrow)
        yield


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CabinetUnderTest:
    """A terminal with credit on which a newer version has run."""
    cabinet = CabinetUnderTest(settings_for(tmp_path / "data"), seed=1)
    with a_newer_version(monkeypatch):
        cabinet.boot()
        cabinet.insert_note(2_000)
        cabinet.terminal._parts.journal.append((Tomorrow(1),), cabinet.clock.wall_ms())
        cabinet.cut_power()
    return cabinet


def rows(cabinet: CabinetUnderTest) -> list[bytes]:
    store = open_store(cabinet.settings.storage.data_dir, read_only=True)
    try:
        return [row.link for row in store.rows(0)]
    finally:
        store.close()


def test_the_older_version_says_so_and_changes_nothing(left: CabinetUnderTest, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows(left)
    for _ in range(2):
        left.boot()
        left.expect_faults(NEWER_JOURNAL)
        left.cut_power()
    assert rows(left) == before
    with a_newer_version(monkeypatch):
        left.boot()
        left.expect_faults()
        left.expect_credit(2_000)
        left.cut_power()


def test_the_newer_version_may_be_installed_again(left: CabinetUnderTest) -> None:
    assert obstacles(left.settings.storage.data_dir) == ()


def test_a_changed_row_is_still_a_damaged_memory(left: CabinetUnderTest, tmp_path: Path) -> None:
    path = left.settings.storage.data_dir / "journal.sqlite"
    data = path.read_bytes()
    assert b"note_credited" in data
    path.write_bytes(data.replace(b"note_credited", b"note_credit3d"))
    left.boot()
    left.expect_faults(MEMORY)
