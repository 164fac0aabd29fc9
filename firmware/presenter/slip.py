"""What stands on the attendant's slip and on the test slip, in the language that ``say`` writes. Pure.

Not responsible for the language's choice or for what a printer's letters are (``hal.wire.escpos``).
"""

from collections.abc import Callable
from typing import Final

from display.view_model import Money, Text
from firmware.operator_menu.body import Words, moment
from firmware.paper import RULE, row, to_sign, wrapped
from firmware.presenter.present import House

Say = Callable[[Words], str]
"""Writes a text, an amount with the currency's code, or a plain word in one language."""

_LETTERS: Final = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789 .,:;-+*/=()")


def handpay_slip(house: House, say: Say, slip_id: str, amount_minor: int, wall_ms: int) -> tuple[str, ...]:
    """Return the lines of the slip about an amount that an attendant has to pay."""
    return (
        *_head(house, say, Text("slip", "Attendant pay")),
        *row(say(Text("slip", "Terminal")), house.terminal_id),
        *row(say(Text("slip", "Pay-out")), slip_id),
        *row(say(Text("slip", "Time")), moment(house.local_ms(wall_ms))),
        *row(say(Text("slip", "Amount")), say(Money(amount_minor))),
        RULE,
        *to_sign(say(Text("slip", "Attendant"))),
        *to_sign(say(Text("slip", "Player"))),
    )


def void_slip(house: House, say: Say, slip_id: str, wall_ms: int) -> tuple[str, ...]:
    """Return the lines of a test slip, which is worth nothing and says so, with the letters of its language to look at."""
    void = Text("slip", "Test: void, no value")
    return (
        *_head(house, say, void),
        *row(say(Text("slip", "Terminal")), house.terminal_id),
        *row(say(Text("slip", "Test")), slip_id),
        *row(say(Text("slip", "Time")), moment(house.local_ms(wall_ms))),
        RULE,
        *_LETTERS,
        *wrapped(say(Text("slip", "abcdefghijklmnopqrstuvwxyz"))),
        RULE,
        *wrapped(say(void).upper()),
    )


def _head(house: House, say: Say, title: Text) -> tuple[str, ...]:
    """Return the house's name, whether the money is none, and the title."""
    above = (house.venue, say(house.watermark) if house.watermark is not None else "")
    return (*(line for text in above if text for line in wrapped(text)), *wrapped(say(title).upper()), RULE)
