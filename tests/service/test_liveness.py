"""Who has stopped moving."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.liveness import Part, stuck

TIMES = st.integers(0, 10**9)


def test_a_part_that_rests_is_not_judged() -> None:
    assert stuck([Part("the terminal", None, 0)], 10**9) == ()


@given(moved=TIMES, patience=st.integers(0, 10**6), late=st.integers(1, 10**6))
def test_a_part_may_use_its_whole_patience_and_not_a_millisecond_more(moved: int, patience: int, late: int) -> None:
    part = Part("x", moved, patience)
    assert stuck([part], moved + patience) == ()
    assert len(stuck([part], moved + patience + late)) == 1


def test_all_that_hang_are_named_and_no_other() -> None:
    parts = [Part("one", 0, 5_000), Part("two", 9_000, 5_000), Part("three", 1_000, 5_000)]
    assert stuck(parts, 10_000) == ("one has not moved for 10 s", "three has not moved for 9 s")
