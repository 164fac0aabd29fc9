"""Chips on the felt: stacks of the tray's values, the printed spots under them, and chips that travel."""

from collections.abc import Sequence
from typing import Final

from display import theme
from display.assets import CHIP_SIDE_ASPECT, CHIP_STEP
from display.draw_list import Box, Colour
from display.layout import frame
from display.layout.place import SpotPlace, centred
from display.view_model import SpotView
from display.widgets.controls import keycap, pill
from display.widgets.pen import Pen

DEFAULT_VALUES: Final = (100, 500, 2500, 10_000, 50_000, 100_000)
_MOST_CHIPS: Final = 7
_TWO_LINES: Final = 40
_FILLS: Final[dict[str, Colour]] = {"player": (30, 70, 170, 96), "banker": (170, 30, 40, 96), "tie": (20, 130, 60, 120)}
"""Baccarat's areas are tinted; their names stand in them as well."""


def stack_of(amount_minor: int, values: Sequence[int]) -> list[int]:
    """Return chip values, largest first, that show an amount: exact if seven chips are enough, else the largest ones."""
    chips: list[int] = []
    rest = amount_minor
    for value in sorted(values, reverse=True):
        while rest >= value and len(chips) < _MOST_CHIPS:
            chips.append(value)
            rest -= value
    if not chips and amount_minor > 0:
        chips.append(min(values))
    return chips


def stack(pen: Pen, amount_minor: int, place: Box) -> None:
    """Draw a stack of chips standing on a place, its top in the middle of the place or above."""
    values = [chip.value_minor for chip in pen.view.chips] or list(DEFAULT_VALUES)
    chips = stack_of(amount_minor, values)
    height = place.w * CHIP_SIDE_ASPECT
    foot = place.y + (place.h - height) / 2 + min(len(chips) - 1, 2) * place.w * CHIP_STEP / 2
    for number, value in enumerate(chips):
        pen.sprite(f"chipside:{value}", Box(place.x, foot - number * place.w * CHIP_STEP, place.w, height))


def travelling(pen: Pen) -> None:
    """Draw the chips on their way between the credit, the spots and the house."""
    for flight in pen.motion.flights:
        place = flight.place(pen.now_ms)
        if pen.now_ms < flight.end_ms:
            pen.moves()
        if place is not None:
            stack(pen, flight.amount_minor, place)


def spot_print(pen: Pen, spot: SpotView, place: SpotPlace, *, open_for_bets: bool, strong: bool = True) -> None:
    """Draw what is printed on the felt for a betting spot: its ring and its label."""
    ink = pen.colours.print if strong else pen.colours.print_faint
    ring = place.ring
    radius = ring.w / 2 if place.round else 18
    pen.panel(ring, _FILLS.get(spot.line, (0, 0, 0, 46)), radius, border=ink, width=4)
    pen.outline(ring.inset(8), pen.colours.print_faint, radius - 8 if place.round else 12, 2)
    if open_for_bets and spot.selected:
        pen.outline(ring.inset(-6), pen.colours.gold, radius + 6, 4)
        keycap(pen, frame.slot_of(pen.view, "button:bet"), ring.x + ring.w - 22, ring.y - 8)
        keycap(pen, frame.slot_of(pen.view, "button:spot"), ring.x + ring.w - 22, ring.y + 26)
    # Small letters need more contrast than the print has.
    if place.label.h < _TWO_LINES or not place.round:
        fits = pen.text_width(spot.label, theme.SMALL, "bold", upper=True) <= place.label.w
        ink = pen.colours.ink if strong and not fits else ink
        pen.text(spot.label, place.label, theme.SMALL, ink, weight="bold", align="c", upper=True)
    else:
        pen.paragraph(
            spot.label, place.label, theme.TINY, pen.colours.ink, weight="bold", align="c", valign="m", upper=True
        )
    if open_for_bets and place.round:
        middle = centred(ring.x + ring.w / 2, ring.y + ring.h / 2, ring.w * 0.5, 36)
        limit = spot.minimum_minor
        if limit and not spot.staked_minor:
            pen.text(pen.writer.money(limit, short=True), middle, theme.SMALL, pen.colours.muted, align="c")


def spot_money(pen: Pen, position: int, spot: SpotView, place: SpotPlace) -> None:
    """Draw the chips on a spot and, on its rim, the amount: the stake, or what the line won or lost."""
    track = pen.motion.stacks.get((position, spot.line))
    if track is None:
        return
    if pen.now_ms < track.change_ms:
        pen.moves()
    shown = track.amount(pen.now_ms)
    if shown:
        stack(pen, shown, place.chip)
    settled = spot.paid_minor is not None and pen.now_ms >= pen.motion.reveal_ms
    if not settled or spot.paid_minor is None:
        if shown:
            pill(pen, place.amount, pen.writer.amount(shown, short=True), theme.SMALL, pen.colours.ink)
        return
    net = spot.paid_minor - spot.staked_minor
    if not spot.staked_minor and not spot.paid_minor:
        return
    if net > 0:
        words, tone = "+" + pen.writer.amount(net, short=True), "win"
    elif net == 0:
        words, tone = "=\u00a0" + pen.writer.amount(spot.paid_minor, short=True), "push"
    else:
        words, tone = pen.writer.amount(net, short=True), "lose"
    colour = theme.tone_colour(pen.colours, tone)
    pill(pen, place.amount, words, theme.SMALL, colour, rim=colour)
