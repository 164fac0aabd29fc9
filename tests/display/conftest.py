"""Fixtures for tests that paint: no screen and no sound card is needed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

from display.canvas import Shelves
from display.window import Window


@pytest.fixture(scope="session")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> Shelves:
    """Fonts and surfaces, shared by all tests of a process; what they paint must not depend on what is kept."""
    return Shelves(tmp_path_factory.mktemp("pictures"))


@pytest.fixture
def window(shelves: Shelves) -> Iterator[Window]:
    """A window of 960 x 540 on SDL's dummy screen."""
    opened = Window(size=(960, 540), shelves=shelves)
    yield opened
    opened.close()


@pytest.fixture
def picture_folder(tmp_path: Path) -> Path:
    """An empty folder for pictures."""
    return tmp_path / "cache"
