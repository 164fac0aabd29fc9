"""The self-audit identity: what the meters say the credit must be, term by term, against what the books say it is.

Money in, plus all that play paid or gave back, less all that was wagered, paid by the hopper or cancelled to a handpay,
is the credit and what the hopper still owes, modulo the meters' roll-over. Gaming standards ask for it before every
play and before value leaves (New Zealand gaming machine standard, 3.3.18 to 3.3.20). Not responsible for when it is
checked (``terminal``) or for what follows from a failure.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware.errors import InvariantError
from firmware.ledger.meters import ROLL_OVER

TERMS: Final = (
    ("notes_in_minor", 1),
    ("coins_in_minor", 1),
    ("coin_out_minor", 1),
    ("voided_minor", 1),
    ("coin_in_minor", -1),
    ("hopper_paid_minor", -1),
    ("cancelled_credit_minor", -1),
)
"""The meters of the identity, with their signs."""


class SelfAuditError(InvariantError):
    """The books don't balance or the identity does not hold: an unrecoverable error of the memory."""


@dataclass(frozen=True, slots=True)
class Term:
    """A meter in the identity and the sign with which it counts."""

    meter: str
    sign: int
    amount_minor: int


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity at one moment: its terms, and the credit and the unfinished pay-out that they must come to."""

    terms: tuple[Term, ...]
    credit_minor: int
    payout_minor: int

    @property
    def metered_minor(self) -> int:
        """What the meters say, between 0 and the roll-over."""
        return sum(term.sign * term.amount_minor for term in self.terms) % ROLL_OVER

    @property
    def holds(self) -> bool:
        """Tell whether meters and books agree."""
        return (self.metered_minor - self.credit_minor - self.payout_minor) % ROLL_OVER == 0


def identity_of(meter: Callable[[str], int], credit_minor: int, payout_minor: int) -> Identity:
    """Return the identity of these books; ``meter`` gives a master meter by its name."""
    return Identity(tuple(Term(name, sign, meter(name)) for name, sign in TERMS), credit_minor, payout_minor)
