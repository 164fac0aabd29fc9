"""Cabinets with an operator in front of them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.settings.sections import Access
from tests.operator_menu.operator import Operator, played
from tests.support.cabinet import CabinetUnderTest, settings_for


@pytest.fixture
def new_operator(tmp_path: Path) -> Iterator[Callable[..., Operator]]:
    """Makes an operator at a cabinet that is switched on; keyword arguments are PIN hashes of the settings."""
    made: list[CabinetUnderTest] = []

    def make(**pins: str) -> Operator:
        (tmp_path / "stick").mkdir(exist_ok=True)
        settings = settings_for(tmp_path / f"data{len(made)}")
        reports = settings.reports.model_copy(update={"folder": tmp_path / "stick"})
        settings = settings.model_copy(update={"reports": reports, "access": Access(**pins)})
        cabinet = CabinetUnderTest(settings, seed=1)
        made.append(cabinet)
        cabinet.boot()
        return Operator(cabinet)

    yield make
    for cabinet in made:
        cabinet.close()


@pytest.fixture
def operator(new_operator: Callable[..., Operator]) -> Operator:
    """An operator at a cabinet on which nothing has happened."""
    return new_operator()


@pytest.fixture
def busy(operator: Operator) -> Operator:
    """An operator at a cabinet with something in its books."""
    played(operator.cabinet)
    return operator
