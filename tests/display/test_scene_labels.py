"""What can be read on every scene, in both languages and sizes: nothing clipped, nothing covered, enough contrast."""

from itertools import combinations

import pytest

from display.draw_list import Hit, Sprite
from display.theme import TOUCH_MIN, palette
from display.view_model import Comfort
from tests.display.frames import (
    CABINET_CASES,
    CASES,
    SIZES,
    area,
    background,
    canvas,
    contrast,
    covers,
    frame,
    inks,
    inside,
    over,
)

ALL = [*CASES, *CABINET_CASES]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "language"), ALL)
def test_every_label_fits_its_box(name: str, language: str, size: tuple[int, int]) -> None:
    # At other sizes whole pixels make letters up to a twentieth wider than asked; the canvas then shrinks by one step.
    for ink in inks(frame(name, language), size):
        measured = canvas(size).measure(ink.label)
        assert measured.size >= ink.label.size * 0.93, f"{ink.label.text!r} needs {measured.width:.0f} px"


@pytest.mark.parametrize(("name", "language"), ALL)
def test_no_label_is_smaller_than_can_be_read(name: str, language: str) -> None:
    for ink in inks(frame(name, language)):
        assert ink.label.size >= 14, f"{ink.label.text!r} at {ink.label.size}"


@pytest.mark.parametrize(("name", "language"), ALL)
def test_no_two_texts_overlap(name: str, language: str) -> None:
    drawn = frame(name, language, with_notice=False)
    for one, other in combinations(inks(drawn), 2):
        if one.box.overlaps(other.box):
            hidden = any(inside(one.box, cover) for cover in covers(drawn, one.index))
            assert hidden, f"{one.label.text!r} and {other.label.text!r}"


@pytest.mark.parametrize(("name", "language"), ALL)
def test_no_text_is_partly_covered(name: str, language: str) -> None:
    drawn = frame(name, language, with_notice=False)
    for ink in inks(drawn):
        for cover in covers(drawn, ink.index):
            assert not cover.overlaps(ink.box.inset(1)), f"{ink.label.text!r} under {cover}"


@pytest.mark.parametrize(("name", "language"), ALL)
def test_nothing_leaves_the_canvas(name: str, language: str) -> None:
    for ink in inks(frame(name, language)):
        assert inside(ink.box, area(name)), ink.label.text
    for item in frame(name, language).items:
        if isinstance(item, Hit | Sprite):
            assert inside(item.box, area(name)), item


@pytest.mark.parametrize(("name", "language"), ALL)
def test_touch_targets_are_large_and_apart(name: str, language: str) -> None:
    targets = frame(name, language).targets()
    for hit in targets:
        assert min(hit.box.w, hit.box.h) >= TOUCH_MIN, hit
    for one, other in combinations(targets, 2):
        assert not one.box.inset(0.1).overlaps(other.box), f"{one.target} and {other.target}"


@pytest.mark.parametrize(("name", "language"), ALL)
def test_each_target_is_there_once(name: str, language: str) -> None:
    names = [hit.target for hit in frame(name, language).targets()]
    assert len(names) == len(set(names))


FELTS = {"russian": (150, 34, 44), "blackjack": (66, 110, 46), "baccarat": (108, 42, 112)}
"""The brightest colour of some felts; the others are close to the default."""
FAINT = palette(Comfort()).print_faint


@pytest.mark.parametrize(("name", "language"), ALL)
def test_text_stands_out_from_its_background(name: str, language: str) -> None:
    drawn = frame(name, language)
    felt = FELTS.get(name.split("_")[0], (18, 116, 78))
    if name == "comfort_high_contrast":
        felt = (0, 34, 20)
    for ink in inks(drawn):
        if ink.label.colour == FAINT:
            continue  # printed beside a spot that is closed: its state, not its name, is the message
        behind = background(drawn, ink, felt)
        ratio = contrast(over(ink.label.colour, behind), behind)
        # Large type, as WCAG 2 counts it: 24 px, or 19 px bold.
        large = ink.label.size >= (24 if ink.label.weight == "regular" else 19)
        assert ratio >= (3.0 if large else 4.5), f"{ink.label.text!r}: {ratio:.1f}"
