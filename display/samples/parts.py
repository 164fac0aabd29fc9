"""Small builders for sample views: cards, hands, buttons, chips, spots."""

from dataclasses import replace
from typing import Final

from display.samples.words import ACTIONS, HANDS, LINES, RESULTS
from display.view_model import (
    ButtonView,
    CardView,
    ChipView,
    HandView,
    PaytableLine,
    SpotView,
    Text,
    View,
)

NOON_MS: Final = (20_000 * 24 + 21) * 3_600_000 + 47 * 60_000
"""A fixed moment: 21:47 on the cabinet's wall clock."""
CHIP_VALUES: Final = (100, 500, 1000, 2500, 10_000, 50_000)


def cards(
    key: str, codes: str, *, best: tuple[int, ...] = (), selected: tuple[int, ...] = (), dead: tuple[int, ...] = ()
) -> tuple[CardView, ...]:
    """Return cards from a string such as ``Qs 9d ??``; ``??`` lies face down."""
    return tuple(
        CardView(f"{key}.{index}", "" if code == "??" else code, index in selected, index in best, index in dead)
        for index, code in enumerate(codes.split())
    )


def hand(
    key: str,
    codes: str = "",
    name: str = "",
    *,
    best: tuple[int, ...] = (),
    selected: tuple[int, ...] = (),
    total: str = "",
    active: bool = False,
    result: str = "",
    caption: Text | None = None,
) -> HandView:
    """Return a hand with its caption by name and its result word."""
    return HandView(
        key,
        cards(key, codes, best=best, selected=selected),
        caption or (HANDS[name] if name else None),
        total,
        active,
        result,
        RESULTS[result] if result else None,
    )


def spot(line: str, staked: int = 0, paid: int | None = None, minimum: int = 100, maximum: int = 10_000) -> SpotView:
    """Return a betting spot."""
    return SpotView(line, LINES[line], staked, paid, minimum, maximum)


def button(
    action: str,
    slot: int,
    *,
    price: int | None = None,
    tone: str = "neutral",
    enabled: bool = True,
    attention: bool = False,
    reason: Text | None = None,
) -> ButtonView:
    """Return an action button."""
    return ButtonView(f"button:{action}", ACTIONS[action], slot, price, enabled, attention, tone, reason)


def chips(selected: int = 500) -> tuple[ChipView, ...]:
    """Return the chip tray."""
    return tuple(ChipView(value, selected=value == selected) for value in CHIP_VALUES)


def common(*, cash_out: bool = True) -> tuple[ButtonView, ...]:
    """Return the buttons that are there in most scenes."""
    why_not = None if cash_out else Text("notice", "Finish the hand first")
    return (
        button("language", 10),
        button("help", 11),
        button("cash_out", 12, tone="negative", enabled=cash_out, reason=why_not),
    )


def bet_buttons(*, placed: bool) -> tuple[ButtonView, ...]:
    """Return the buttons before the deal."""
    return (
        button("chip", 1),
        button("spot", 2),
        button("bet", 3, tone="positive"),
        button("undo", 4, enabled=placed),
        button("clear", 5, enabled=placed),
        button("rebet", 6, price=1500, enabled=not placed),
        button("double_bets", 7, enabled=placed),
        button("lobby", 8),
        button("deal", 9, tone="primary", enabled=placed, attention=placed, price=1500 if placed else None),
        *common(),
    )


def play_buttons(*actions: ButtonView, marks: int = 0) -> tuple[ButtonView, ...]:
    """Return the buttons of a decision; ``marks`` cards can be chosen by button."""
    return (
        *(
            ButtonView(f"button:mark:{index}", Text("button", "Card {number}", (("number", index + 1),)), index + 1)
            for index in range(marks)
        ),
        *actions,
        *common(cash_out=False),
    )


POKER_PAYS: Final = (
    ("royal_flush", "100 : 1"),
    ("straight_flush", "50 : 1"),
    ("four_of_a_kind", "20 : 1"),
    ("full_house", "7 : 1"),
    ("flush", "5 : 1"),
    ("straight", "4 : 1"),
    ("three_of_a_kind", "3 : 1"),
    ("two_pairs", "2 : 1"),
    ("pair", "1 : 1"),
    ("ace_king", "1 : 1"),
)


def poker_paytable(lit: str = "") -> tuple[PaytableLine, ...]:
    """Return the poker paytable with one row lit."""
    return tuple(PaytableLine(HANDS[name], pays, lit=name == lit) for name, pays in POKER_PAYS)


def in_language(view: View, language: str) -> View:
    """Return the view in another language."""
    return replace(view, language=language)
