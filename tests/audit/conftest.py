"""A cabinet whose memory has all its copies, and ways to spoil them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.journal.critical import Places
from tests.support.cabinet import CabinetUnderTest, settings_for


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Where the copies of the cabinet's memory are."""
    return Places(tmp_path / "data", tmp_path / "mirror", tmp_path / "anchor" / "anchor")


@pytest.fixture
def new_cabinet(places: Places) -> Iterator[Callable[..., CabinetUnderTest]]:
    """Makes a cabinet with journal, mirror and anchor, that is switched on."""
    made: list[CabinetUnderTest] = []

    def make(**limits: int) -> CabinetUnderTest:
        settings = settings_for(places.data_dir, **limits)
        storage = settings.storage.model_copy(
            update={"mirror_dir": places.mirror_dir, "anchor_file": places.anchor_file}
        )
        cabinet = CabinetUnderTest(settings.model_copy(update={"storage": storage}), seed=3)
        made.append(cabinet)
        cabinet.boot()
        return cabinet

    yield make
    for cabinet in made:
        cabinet.close()
