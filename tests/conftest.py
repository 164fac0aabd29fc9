"""Fixtures that several packages' tests share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.cabinet import CabinetUnderTest, settings_for

settings.register_profile("any machine", deadline=None)  # how long an example takes is not what a test is about
settings.load_profile("any machine")


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
