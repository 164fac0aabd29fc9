"""Electromechanical meters: how many steps each is to go on by what was just recorded. Pure.

The steps follow from the meters of the books before and after, so whichever way money goes, they go with it, and what is
smaller than a step is never lost: it counts once the next money fills the step. Not responsible for the books, which are
the truth; a meter that lost its power while it turned stays behind them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware.ledger.books import Books

COUNTED: Final = {
    "in": ("notes_in_minor", "coins_in_minor"),
    "out": ("hopper_paid_minor", "hopper_extra_minor", "handpaid_minor"),
}
"""What each hard meter counts: money that came in, and money that left by the hopper or by an attendant's hand."""


@dataclass(frozen=True, slots=True)
class PulseMeter:
    """Let a hard meter (``in`` or ``out``) go on by so many steps."""

    meter: str
    step_count: int


def hard_meter_steps(before: Books, after: Books, step_minor: int) -> Iterator[PulseMeter]:
    """Yield what the hard meters have to do after a commit; ``step_minor`` is what one step stands for."""
    for meter, names in COUNTED.items():
        was, now = (sum(books.meter(name) for name in names) // step_minor for books in (before, after))
        if now > was:
            yield PulseMeter(meter, now - was)
