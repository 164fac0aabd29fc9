"""Money: integer minor units (cents) and the few exact operations that play needs.

Not responsible for who owns the money (``ledger``) nor for how it is written on the screen (``display``).
Nothing here rounds: a result that is not a whole minor unit is refused, so that 3:2, 19:20 and 1.5 antes are either
exact or impossible.
"""

from typing import Final

from firmware.errors import InvariantError

MAX_AMOUNT_MINOR: Final = 10**12
"""No single amount in a terminal is larger; a larger one is a corrupted number."""


class InexactAmountError(ValueError):
    """The product of an amount and a ratio is not a whole number of minor units."""


def times(amount_minor: int, numerator: int, denominator: int = 1) -> int:
    """Return ``amount_minor * numerator / denominator`` in minor units, exactly.

    Raises:
        InexactAmountError: the result would not be a whole minor unit.
    """
    product = amount_minor * numerator
    if product % denominator:
        raise InexactAmountError(f"{amount_minor} x {numerator}/{denominator} is not a whole minor unit")
    return product // denominator


def is_exact(amount_minor: int, numerator: int, denominator: int = 1) -> bool:
    """Tell whether ``times`` with the same arguments would succeed."""
    return amount_minor * numerator % denominator == 0


def checked(amount_minor: int) -> int:
    """Return the amount if it is a plausible non-negative one.

    Raises:
        InvariantError: the amount is negative or larger than ``MAX_AMOUNT_MINOR``.
    """
    if not 0 <= amount_minor <= MAX_AMOUNT_MINOR:
        raise InvariantError(f"amount out of range: {amount_minor}")
    return amount_minor
