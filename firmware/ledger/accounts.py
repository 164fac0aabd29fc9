"""The chart of accounts. Two books: claims (whose money it is) and cash (where it lies).

Inner accounts can never be negative; the two outer ones stand for the world beyond the books and may.
"""

from typing import Final

CREDIT: Final = "claim.credit"
"""The player's credit meter."""
STAKES: Final = "claim.stakes"
"""Reserved for the open round; posted to the house or voided back to the credit."""
PAYOUT: Final = "claim.payout"
"""Being paid by the hopper."""
HANDPAY: Final = "claim.handpay"
"""Owed by hand."""
HOUSE: Final = "claim.house"
"""Outer: the house's side of play."""
PLAYER: Final = "claim.player"
"""Outer: money outside the cabinet."""

CASH_BOX: Final = "cash.box"
HOPPER: Final = "cash.hopper"
OUTSIDE: Final = "cash.outside"
"""Outer: cash outside the cabinet."""

INNER: Final = frozenset({CREDIT, STAKES, PAYOUT, HANDPAY, CASH_BOX})
"""Accounts that can't be negative. The hopper's account starts at an unknown level until the first refill is recorded."""
