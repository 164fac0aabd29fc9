"""What can be read on every scene, in both languages and sizes: nothing clipped, nothing covered, enough contrast."""

from dataclasses import replace

import pytest

from display import motion
from display.draw_list import Label, Sprite
from display.locale import LANGUAGES
from display.samples import SAMPLES
from display.scenes import compose
from tests.display import checks
from tests.display.frames import CABINET_CASES, CASES, SIZES, area, frame, inks, inside

ALL = [*CASES, *CABINET_CASES]
FELTS = {"russian": (150, 34, 44), "blackjack": (66, 110, 46), "baccarat": (108, 42, 112)}
"""The brightest colour of some felts; the others are close to the default."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "language"), ALL)
def test_every_label_fits_its_box(name: str, language: str, size: tuple[int, int]) -> None:
    assert not list(checks.clipped_labels(frame(name, language), size))


@pytest.mark.parametrize(("name", "language"), ALL)
def test_no_label_is_smaller_than_can_be_read(name: str, language: str) -> None:
    assert not list(checks.tiny_labels(frame(name, language)))


@pytest.mark.parametrize(("name", "language"), ALL)
def test_no_two_texts_overlap(name: str, language: str) -> None:
    assert not list(checks.overlapping_labels(frame(name, language, with_notice=False)))


@pytest.mark.parametrize(("name", "language"), ALL)
def test_no_text_is_partly_covered(name: str, language: str) -> None:
    assert not list(checks.half_covered_labels(frame(name, language, with_notice=False)))


@pytest.mark.parametrize(("name", "language"), ALL)
def test_nothing_leaves_the_canvas(name: str, language: str) -> None:
    assert not list(checks.things_off_the_canvas(frame(name, language), area(name)))


@pytest.mark.parametrize(("name", "language"), ALL)
def test_touch_targets_are_large_apart_and_there_once(name: str, language: str) -> None:
    assert not list(checks.poor_targets(frame(name, language)))


@pytest.mark.parametrize(("name", "language"), ALL)
def test_text_stands_out_from_its_background(name: str, language: str) -> None:
    felt = FELTS.get(name.split("_")[0], (18, 116, 78))
    if name == "comfort_high_contrast":
        felt = (0, 34, 20)
    assert not list(checks.faint_labels(frame(name, language), felt))


@pytest.mark.parametrize("language", LANGUAGES)
def test_ribbon_of_a_large_win_cuts_no_text(language: str) -> None:
    view = replace(SAMPLES["poker_big_win"](), language=language)
    state = motion.advance(motion.still(SAMPLES["poker_deciding_one"](), 0), view, 0)
    drawn = compose(view, state, state.win.end_ms + 500)
    ((index, ribbon),) = [
        (index, item.box)
        for index, item in enumerate(drawn.items)
        if isinstance(item, Sprite) and item.name == "ribbon"
    ]
    under = [ink for ink in inks(drawn) if ink.index < index and ribbon.overlaps(ink.box)]
    assert under
    assert not [ink.label.text for ink in under if not inside(ink.box, ribbon)]
    lit = {"en": "Royal flush", "ru": "Роял-флеш"}[language]
    assert lit in {item.text for item in drawn.items[:index] if isinstance(item, Label)}
