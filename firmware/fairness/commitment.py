"""The commitment to a shoe, and the cut: what anybody can repeat with pencil, paper and ``sha256sum``. Pure.

How it works, in plain words:

1. Before anybody can bet, the terminal shuffles a shoe, draws a secret salt, and shows the SHA-256 digest of one line of
   text: ``croupier-shoe/1``, the shoe's name, the salt and the order of the cards, with single spaces between them.
2. The player may cut: with a cut at 20 the top 20 cards go, in their order, under the others. A cut at 0 is no cut.
   Or types a number: what is left of it after dividing by the number of cards is the cut.
3. The cards are dealt from the cut shoe, in order.
4. When the shoe is finished, its salt and order are shown. Whoever noted the digest can make it again from them: the
   order was fixed before the stakes, and the cut was the player's, so nobody could choose the cards.

The salt keeps the digest from telling anything of the order before. Not responsible for shuffling (``rng``), for when a
shoe may be opened (``rounds.shoes``) or for checking a whole record (``fairness.verify``).
"""

import hashlib
from typing import Final

FORM: Final = "croupier-shoe/1"
SALT_BYTES: Final = 16
"""128 bits: nobody can try them all, even for a shoe of which only the order of two cards is unknown."""
CARD_LENGTH: Final = 2
MOST_DIGITS: Final = 9
"""Of the number that a player types."""


def committed_text(shoe_id: str, salt: str, order: str) -> str:
    """Return the line whose digest is the commitment: ``salt`` as hex, ``order`` two characters a card."""
    return f"{FORM} {shoe_id} {salt} {order}"


def commitment_of(shoe_id: str, salt: str, order: str) -> str:
    """Return the commitment to an order: SHA-256 of ``committed_text`` as 64 lower-case hex characters."""
    return hashlib.sha256(committed_text(shoe_id, salt, order).encode("ascii")).hexdigest()


def card_count(order: str) -> int:
    """Return how many cards an order has as text, two characters a card."""
    return len(order) // CARD_LENGTH


def cut_of_number(order: str, number: int) -> int:
    """Return the cut that a player's number makes: its remainder by the number of cards."""
    return number % max(card_count(order), 1)


def cut(order: str, position: int) -> str:
    """Return the order after a cut: the first ``position`` cards go under the others.

    Raises:
        ValueError: the position is not inside the shoe.
    """
    if not 0 <= position < max(card_count(order), 1):
        raise ValueError(f"a cut at {position} lies outside a shoe of {card_count(order)} cards")
    return order[CARD_LENGTH * position :] + order[: CARD_LENGTH * position]


def uncut(order: str, position: int) -> str:
    """Return the order as it was before a cut at ``position``. Raises ValueError as ``cut`` does."""
    return cut(order, card_count(order) - position) if position else order
