"""The third-card tableau of baccarat: who draws, from point totals alone.

Rules as played everywhere for Punto Banco. A drawn ten is worth zero but *is* a third card, so "no third card" is None
and never 0. Not responsible for cards, money or the order of dealing (``baccarat``).
"""

from collections.abc import Iterable
from typing import Final

from firmware.cards.card import Card
from firmware.cards.point_value import baccarat_points

NATURALS: Final = (8, 9)
"""Two-card totals that end the coup at once for both sides."""

_BANKER_DRAWS_AGAINST: Final[tuple[frozenset[int], ...]] = (
    frozenset(range(10)),
    frozenset(range(10)),
    frozenset(range(10)),
    frozenset(range(10)) - {8},
    frozenset({2, 3, 4, 5, 6, 7}),
    frozenset({4, 5, 6, 7}),
    frozenset({6, 7}),
    frozenset(),
)
"""By the banker's two-card total 0-7: the points of the player's third card against which the banker draws."""


def total_of(cards: Iterable[Card]) -> int:
    """Return the points of a hand, 0-9: the last digit of the sum."""
    return sum(map(baccarat_points, cards)) % 10


def player_draws(player_total: int, banker_total: int) -> bool:
    """Tell whether the player hand takes a third card, from both two-card totals."""
    return player_total <= 5 and banker_total not in NATURALS


def banker_draws(player_total: int, banker_total: int, player_third: int | None) -> bool:
    """Tell whether the banker hand takes a third card.

    Args:
        player_total: the player's total of the first two cards.
        banker_total: the banker's total of the first two cards.
        player_third: the points (0 for a ten or a face) of the player's third card; None if the player stood.
    """
    if player_total in NATURALS or banker_total in NATURALS:
        return False
    if player_third is None:
        return banker_total <= 5
    return player_third in _BANKER_DRAWS_AGAINST[banker_total]
