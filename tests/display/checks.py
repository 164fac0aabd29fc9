"""What must hold for every frame whatever it shows; each check yields one line per fault it finds."""

from collections.abc import Callable, Iterator
from itertools import combinations

from display.draw_list import Box, DrawList, Hit, Sprite
from display.theme import TOUCH_MIN, palette
from display.view_model import Comfort
from tests.display.frames import SIZES, background, canvas, contrast, covers, inks, inside, over

FAINT = palette(Comfort()).print_faint
_SMALLEST = 14
_NORMAL_CONTRAST, _LARGE_CONTRAST = 4.5, 3.0


def clipped_labels(drawn: DrawList, size: tuple[int, int]) -> Iterator[str]:
    """At other sizes whole pixels make letters up to a twentieth wider than asked; the canvas then shrinks by one step."""
    for ink in inks(drawn, size):
        measured = canvas(size).measure(ink.label)
        if measured.size < ink.label.size * 0.93:
            yield f"{ink.label.text!r} needs {measured.width:.0f} px"


def tiny_labels(drawn: DrawList) -> Iterator[str]:
    """Letters that nobody can read."""
    for ink in inks(drawn):
        if ink.label.size < _SMALLEST:
            yield f"{ink.label.text!r} at {ink.label.size}"


def overlapping_labels(drawn: DrawList) -> Iterator[str]:
    """Two texts in one place, neither of them hidden by a panel."""
    for one, other in combinations(inks(drawn), 2):
        if one.box.overlaps(other.box) and not any(inside(one.box, cover) for cover in covers(drawn, one.index)):
            yield f"{one.label.text!r} and {other.label.text!r}"


def half_covered_labels(drawn: DrawList) -> Iterator[str]:
    """A text under something that was painted later."""
    for ink in inks(drawn):
        for cover in covers(drawn, ink.index):
            if cover.overlaps(ink.box.inset(1)):
                yield f"{ink.label.text!r} under {cover}"


def things_off_the_canvas(drawn: DrawList, area: Box) -> Iterator[str]:
    """Texts, pictures and targets that are not wholly on the canvas."""
    for ink in inks(drawn):
        if not inside(ink.box, area):
            yield ink.label.text
    for item in drawn.items:
        if isinstance(item, Hit | Sprite) and not inside(item.box, area):
            yield str(item)


def poor_targets(drawn: DrawList) -> Iterator[str]:
    """Targets that are too small, that overlap, or that are there twice."""
    targets = drawn.targets()
    for hit in targets:
        if min(hit.box.w, hit.box.h) < TOUCH_MIN:
            yield f"{hit} is small"
    for one, other in combinations(targets, 2):
        if one.box.inset(0.1).overlaps(other.box):
            yield f"{one.target} and {other.target} overlap"
        if one.target == other.target:
            yield f"{one.target} is there twice"


def faint_labels(drawn: DrawList, felt: tuple[float, float, float]) -> Iterator[str]:
    """Texts without the contrast that WCAG 2 asks for. Print beside a closed spot is left out: its state is the message."""
    for ink in inks(drawn):
        if ink.label.colour == FAINT:
            continue
        behind = background(drawn, ink, felt)
        ratio = contrast(over(ink.label.colour, behind), behind)
        # Large type, as WCAG 2 counts it: 24 px, or 19 px bold.
        large = ink.label.size >= (24 if ink.label.weight == "regular" else 19)
        if ratio < (_LARGE_CONTRAST if large else _NORMAL_CONTRAST):
            yield f"{ink.label.text!r}: {ratio:.1f}"


def all_faults(drawn: DrawList, area: Box, felt: tuple[float, float, float]) -> list[str]:
    """Return the faults that any of the checks finds in a frame without a notice."""
    plain: tuple[Callable[[DrawList], Iterator[str]], ...] = (
        tiny_labels,
        overlapping_labels,
        half_covered_labels,
        poor_targets,
    )
    found = [f"{check.__name__}: {fault}" for check in plain for fault in check(drawn)]
    found += [f"clipped at {size}: {fault}" for size in SIZES for fault in clipped_labels(drawn, size)]
    found += [f"off the canvas: {fault}" for fault in things_off_the_canvas(drawn, area)]
    return found + [f"faint: {fault}" for fault in faint_labels(drawn, felt)]
