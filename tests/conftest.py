"""Fixtures that several packages' tests share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.cabinet import CabinetUnderTest, settings_for


@pytest.fixture
def new_cabinet(tmp_path: Path) -> Iterator[Callable[..., CabinetUnderTest]]:
    """Makes a cabinet that is switched on; keyword arguments are limits of the settings."""
    made: list[CabinetUnderTest] = []

    def make(**limits: int) -> CabinetUnderTest:
        cabinet = CabinetUnderTest(settings_for(tmp_path / "data", **limits), seed=1)
        made.append(cabinet)
        cabinet.boot()
        return cabinet

    yield make
    for cabinet in made:
        cabinet.close()


@pytest.fixture
def cabinet(new_cabinet: Callable[..., CabinetUnderTest]) -> CabinetUnderTest:
    """A cabinet that is switched on, with an empty journal."""
    return new_cabinet()
