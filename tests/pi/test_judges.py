"""The judges of the emulated Pi, without the Pi: each of them must notice what it is there for."""

import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from display.view_model import View
from firmware.clock import ManualClock
from firmware.settings.loader import load_settings
from firmware.simulator.cabinet import SimulatedCabinet
from tests.pi.card import CardError, copied, taken_out
from tests.pi.machine import SIZE
from tests.pi.reference import Journal, difference, painted, read
from tests.pi.scenario import ALIKE, CONFIG

START_SECTOR, SECTORS = 2048, 65536


@pytest.fixture
def played(tmp_path: Path) -> Iterator[SimulatedCabinet]:
    """A cabinet with a note of 20.00 and a hand on the table."""
    loaded = load_settings(CONFIG)
    storage = loaded.storage.model_copy(update={"data_dir": tmp_path / "data"})
    cabinet = SimulatedCabinet(loaded.model_copy(update={"storage": storage}), clock=ManualClock(1_700_000_000_000))
    cabinet.boot()
    cabinet.wait(2_000)
    cabinet.world.insert_note(2_000)
    cabinet.wait(3_000)
    press(cabinet, "b9", "b3", "b9")
    yield cabinet
    cabinet.close()


def press(cabinet: SimulatedCabinet, *buttons: str) -> None:
    for button in buttons:
        cabinet.world.press(button)
        cabinet.wait(200)
        cabinet.world.release(button)
        cabinet.wait(1_500)


def card_with(data: Path, card: Path) -> None:
    """A card whose third partition holds these files."""
    partition = card.with_suffix(".ext4")
    with partition.open("wb") as file:
        file.truncate(SECTORS * 512)
    subprocess.run(["mke2fs", "-q", "-F", "-t", "ext4", "-d", data, partition], check=True)
    table = bytearray(512)
    struct.pack_into("<B3xB3xII", table, 446 + 32, 0, 0x83, START_SECTOR, SECTORS)
    table[510:] = b"\x55\xaa"
    card.write_bytes(bytes(table) + bytes(START_SECTOR * 512 - 512) + partition.read_bytes())


def test_a_journal_taken_off_a_card_tells_money_and_cards(played: SimulatedCabinet, tmp_path: Path) -> None:
    live = played.terminal.state.live
    assert live is not None
    credit_minor = played.view.credit_minor
    played.kill()
    card_with(tmp_path / "data", tmp_path / "card")
    journal = read(taken_out(copied(tmp_path / "card", tmp_path / "taken")), CONFIG)
    assert (journal.credit_minor, journal.notes_minor, journal.rounds) == (credit_minor, 2_000, 1)
    assert journal.live is not None
    assert journal.live.dealt == live.dealt


def test_a_card_without_a_partition_table_or_file_system_is_refused(tmp_path: Path) -> None:
    card = tmp_path / "card"
    card.write_bytes(bytes(1024))
    with pytest.raises(CardError, match="no partition table"):
        taken_out(copied(card, tmp_path / "taken"))
    table = bytearray(512)
    struct.pack_into("<B3xB3xII", table, 446 + 32, 0, 0x83, 1, 100)
    table[510:] = b"\x55\xaa"
    card.write_bytes(bytes(table) + bytes(51_200))
    with pytest.raises(CardError, match="file system is damaged"):
        taken_out(copied(card, tmp_path / "taken"))


def test_a_journal_goes_on_from_an_earlier_look_and_not_from_another_ones(
    played: SimulatedCabinet, tmp_path: Path
) -> None:
    def look() -> Journal:
        shutil.copytree(tmp_path / "data", tmp_path / "copy", dirs_exist_ok=True)
        return read(tmp_path / "copy", CONFIG)

    played.kill()
    earlier = look()
    played.boot()
    press(played, "b9")
    played.kill()
    later = look()
    assert later.goes_on_from(earlier)
    assert not earlier.goes_on_from(later), "entries are missing"
    other = replace(later, links=(b"another", *later.links[1:]))
    assert not other.goes_on_from(earlier), "an entry is different"


def test_another_card_a_digit_of_the_credit_or_no_picture_is_another_picture(played: SimulatedCabinet) -> None:
    def seen(view: View) -> pygame.Surface:
        return next(painted(view, SIZE))

    view = played.view
    now = seen(view)
    assert difference(now, seen(view)) == 0
    assert difference(now, seen(replace(view, credit_minor=view.credit_minor + 100))) > ALIKE
    press(played, "b9")
    assert difference(now, seen(played.view)) > ALIKE, "the cards of the dealer lie open"
    assert difference(now, pygame.Surface(SIZE)) > ALIKE
    assert difference(now, pygame.Surface((640, 480))) == 1


def test_a_line_one_pixel_lower_is_the_same_picture_and_a_missing_one_is_not(played: SimulatedCabinet) -> None:
    now = next(painted(played.view, SIZE))
    moved, missing = now.copy(), now.copy()
    moved.scroll(0, 1)
    assert difference(now, moved) <= ALIKE
    missing.fill((0, 90, 50), (205, 270, 30, 30))
    assert difference(now, missing) > ALIKE


def test_what_blinks_is_expected_lit_and_dark(played: SimulatedCabinet) -> None:
    press(played, "b9")
    lit, dark = painted(played.view, SIZE)
    assert difference(lit, dark) > ALIKE
