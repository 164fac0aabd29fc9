"""How often things happen: chances that do not depend on how the player decides. Pure numbers, exact where stated.

Poker: how many of the 2,598,960 five-card hands are of each class (the counts every textbook prints; the tests count
them again). Baccarat: the chances of the coup with eight decks, in millionths (published by every analysis of the game).
Not responsible for what is paid, nor for returns that depend on strategy.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from firmware.games.contract import PaytableRow

FIVE_CARD_HANDS: Final = 2_598_960
HAND_COUNTS: Final[Mapping[str, int]] = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pairs": 123_552,
    "pair": 1_098_240,
    "ace_king": 167_280,
    "no_hand": 1_135_260,
}
"""Five-card hands of each class, Ace-King being its own."""

_MILLION: Final = 1_000_000
COUP_MILLIONTHS: Final[Mapping[str, int]] = {"banker": 458_597, "player": 446_247, "tie": 95_156}
"""Eight decks: who wins the coup."""
_BANKER_SIX: Final = 53_864
"""Eight decks: the banker wins with a total of six."""


def one_in(hand_class: str) -> int | None:
    """Return the n of "one in n five-card hands", rounded; None for a class that is not in the table."""
    count = HAND_COUNTS.get(hand_class)
    return None if count is None else (FIVE_CARD_HANDS + count // 2) // count


def coup_edge(line: str, paytable: tuple[PaytableRow, ...]) -> Fraction | None:
    """Return what the house keeps of a stake on ``line`` in the long run, 0.0106 for 1.06 %; None without a chance.

    A tie gives stakes on player and banker back.
    """
    pays = {row.name: Fraction(*row.pays) for row in paytable if row.line == line and row.pays is not None}
    if line not in COUP_MILLIONTHS or line not in pays:
        return None
    won = COUP_MILLIONTHS[line]
    return_share = won * pays[line]
    if line == "banker" and "banker_6" in pays:
        return_share -= _BANKER_SIX * (pays[line] - pays["banker_6"])
    lost = _MILLION - won - (COUP_MILLIONTHS["tie"] if line != "tie" else 0)
    return (lost - return_share) / _MILLION
