"""Scenes change only on purpose."""

import pytest

from display.samples import SAMPLES
from display.scenes import MODES
from tests.display.frames import CABINET_CASES, CASES, frame
from tests.display.golden_scenes import load, summary

GOLDENS = load()


@pytest.mark.parametrize(("name", "language"), [*CASES, *CABINET_CASES])
def test_a_scene_is_the_one_that_was_looked_at(name: str, language: str) -> None:
    golden = GOLDENS[f"{name}.{language}"]
    now = summary(frame(name, language))
    # Words first: they say what changed better than a digest does.
    assert now["texts"] == golden["texts"]
    assert now["targets"] == golden["targets"]
    assert now == golden, "the scene has changed: look at it, then python -m tests.display.golden_scenes"


def test_there_is_a_golden_for_each_sample_and_no_other() -> None:
    assert set(GOLDENS) == {f"{name}.{language}" for name, language in (*CASES, *CABINET_CASES)}


def test_every_mode_has_a_sample() -> None:
    assert {make().mode for make in SAMPLES.values()} == set(MODES)
