"""The names and the money of everything that a round of Russian Poker can end in.

Not responsible for how often it does (``russian_lines``, ``russian_hand``).
"""

from typing import Final, NamedTuple

from firmware.cards.poker_rank import HandClass
from firmware.maths.russian_ends import FOLDED
from firmware.maths.russian_hand import SIXTH
from firmware.maths.russian_options import RussianTerms

FOLD: Final = -1
"""Stands for a surrender where options are numbers."""


class Outcome(NamedTuple):
    """One way a round can end; money in antes."""

    name: str
    net: float
    put_up: float
    """All money put up: ante, bet, prices."""


SURRENDER: Final = Outcome("surrender", -1.0, 1.0)
"""Before any draw."""


def outcomes_of(terms: RussianTerms, option: int, hand_class: int, pay: int) -> tuple[Outcome, ...]:
    """Return the outcome of every end (``russian_ends``) of a final hand that was come to by an option."""
    results, bought = terms.results, terms.bought.terms
    fee = float(terms.prices.get(option, 0))
    after = " after sixth card" if option == SIXTH else " after exchange" if option else ""
    base, put_up, price = -fee, 3.0 + fee, float(bought[0])
    pays = f"{HandClass(hand_class).label}, pays {pay}"
    ends = [
        ("no_qualify, ante taken", results[0], put_up),
        (f"win, {pays}", results[1] + 2.0 * pay, put_up),
        ("push", results[2], put_up),
        ("lose", results[3], put_up),
        (f"bought, win, {pays}", 2.0 * pay + bought[4] - price, put_up + price),
        ("bought, push", bought[2] - price, put_up + price),
        ("bought, lose", -3.0 - price, put_up + price),
        ("bought in vain", bought[1] - price, put_up + price),
    ]
    ends.insert(FOLDED, ("surrender", results[4], 1.0 + fee))
    return tuple(Outcome(f"{name}{after}", base + float(net), staked) for name, net, staked in ends)
