"""Statistics of a simulation, against the textbook and a library."""

from math import sqrt
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.simulate.tally import Tally


def test_figures_of_a_known_sample() -> None:
    tally = Tally(100)
    for paid in (0, 200, 250, 100):
        tally.add(100, paid)
    assert (tally.round_count, tally.staked_minor, tally.paid_minor) == (4, 400, 550)
    assert tally.mean == pytest.approx((-1 + 1 + 1.5 + 0) / 4)
    assert tally.standard_deviation == pytest.approx(stdev([-1, 1, 1.5, 0]))
    assert tally.standard_error == pytest.approx(stdev([-1, 1, 1.5, 0]) / 2)


def test_one_round_has_no_spread() -> None:
    tally = Tally(100)
    tally.add(300, 0)
    assert (tally.mean, tally.standard_deviation) == (-3, 0)


@given(nets=st.lists(st.integers(-400, 800), min_size=2, max_size=200))
def test_mean_and_spread_are_the_librarys(nets: list[int]) -> None:
    tally = Tally(50)
    for net in nets:
        tally.add(400, 400 + net)
    assert tally.mean == pytest.approx(mean(nets) / 50)
    assert tally.standard_deviation == pytest.approx(stdev(nets) / 50, abs=1e-9)
    assert tally.standard_error == pytest.approx(stdev(nets) / 50 / sqrt(len(nets)), abs=1e-9)
