"""The terminal on a memory that can't be trusted: it shows a memory error, takes no money, and no power cycle helps."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.entries.types import MemoryRebuilt
from firmware.journal.clear import clear_memory
from firmware.journal.critical import Places
from firmware.journal.schema import FILE_NAME
from tests.journal.test_store import forge
from tests.support.cabinet import CabinetUnderTest, settings_for


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "data", tmp_path / "mirror", tmp_path / "third" / "anchor")


@pytest.fixture
def cabinet(places: Places) -> Iterator[CabinetUnderTest]:
    """A cabinet with all three copies, on which somebody has put money."""
    settings = settings_for(places.data_dir)
    storage = settings.storage.model_copy(update={"mirror_dir": places.mirror_dir, "anchor_file": places.anchor_file})
    made = CabinetUnderTest(settings.model_copy(update={"storage": storage}), seed=1)
    made.boot()
    made.insert_note(2_000)
    yield made
    made.close()


def restart(cabinet: CabinetUnderTest) -> None:
    cabinet.cut_power()
    cabinet.boot()


def test_copies_that_agree_are_no_event(cabinet: CabinetUnderTest) -> None:
    restart(cabinet)
    cabinet.expect_faults()
    cabinet.expect_credit(2_000)
    assert not any(isinstance(record.entry, MemoryRebuilt) for record in cabinet.records())


def test_one_bad_copy_is_mended_told_and_the_game_goes_on(cabinet: CabinetUnderTest, places: Places) -> None:
    cabinet.cut_power()
    (places.data_dir / FILE_NAME).write_bytes(b"garbage" * 1_000)
    cabinet.boot()
    cabinet.expect_credit(2_000)
    rebuilt = [record.entry.copy for record in cabinet.records() if isinstance(record.entry, MemoryRebuilt)]
    assert rebuilt == ["journal"]
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.expect_credit(1_500)


def test_no_good_copy_is_a_memory_error_that_only_a_ram_clear_ends(cabinet: CabinetUnderTest, places: Places) -> None:
    cabinet.cut_power()
    (places.data_dir / FILE_NAME).write_bytes(b"garbage" * 1_000)
    for log in (places.mirror_dir or Path()).glob("log-*"):
        log.write_bytes(b"garbage" * 1_000)
    cabinet.boot()
    for _ in range(3):
        cabinet.expect_mode("tilt")
        cabinet.expect_faults("M1")
        assert cabinet.world.readings.note_state == "disabled"
        assert cabinet.world.readings.coin_state == "disabled"
        restart(cabinet)
    cabinet.cut_power()
    clear_memory(places)
    cabinet.boot()
    assert "M1" not in cabinet.fault_codes
    assert cabinet.books.credit_minor == 0


def test_row_that_changes_under_the_running_terminal_locks_it(cabinet: CabinetUnderTest, places: Places) -> None:
    forge(places.data_dir, "UPDATE entry SET body = replace(body, '2000', '9000') WHERE kind LIKE 'note_credited%'")
    cabinet.insert_note(1_000)
    cabinet.expect_mode("tilt")
    cabinet.expect_faults("M1")
    assert cabinet.world.readings.cash_box_minor == 2_000
    restart(cabinet)
    cabinet.expect_credit(2_000)
    assert cabinet.view.mode != "tilt", "the mirror had a good copy"


def test_card_that_forgot_its_newest_writes_is_betrayed_by_the_other_copies(
    cabinet: CabinetUnderTest, places: Places
) -> None:
    cabinet.cut_power()
    old = (places.data_dir / FILE_NAME).read_bytes()
    cabinet.boot()
    cabinet.insert_note(1_000)
    cabinet.cut_power()
    for path in places.data_dir.glob(f"{FILE_NAME}*"):
        path.unlink()
    (places.data_dir / FILE_NAME).write_bytes(old)
    cabinet.boot()
    cabinet.expect_credit(3_000)
    rebuilt = [record.entry for record in cabinet.records() if isinstance(record.entry, MemoryRebuilt)]
    assert [entry.copy for entry in rebuilt] == ["journal"]
    assert rebuilt[0].from_seq < rebuilt[0].to_seq
