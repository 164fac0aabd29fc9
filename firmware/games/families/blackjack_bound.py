"""The most cards that one round of blackjack can take, so that a shoe never runs out in the middle of it.

Proof. Call the last card of a hand its final card. Before it, a player's hand had a hard total (aces as 1) of at most
20, for at 21 there is nothing to decide; the dealer's had at most 16, for he stands on every hard 17 and hits soft
hands only below a hard 8. So with ``n`` player hands all cards that are not final have a sum of at most ``20 n + 16``,
and ``n + 1`` cards are final. The longest list of cards whose sum stays within a limit takes the smallest cards of the
shoe first; that greedy count plus ``n + 1`` can't be exceeded whatever anybody does. It is not always reached.
"""

from typing import Final

_MOST_BEFORE_LAST_PLAYER: Final = 20
_MOST_BEFORE_LAST_DEALER: Final = 16


def most_cards_per_round(deck_count: int, box_count: int, hands_per_box: int) -> int:
    """Return the bound for a table with this many decks, boxes, and hands a box may be split into."""
    hand_count = box_count * hands_per_box
    left = _MOST_BEFORE_LAST_PLAYER * hand_count + _MOST_BEFORE_LAST_DEALER
    card_count = 0
    for points in range(1, 11):
        available = deck_count * (16 if points == 10 else 4)
        taken = min(available, left // points)
        card_count += taken
        left -= taken * points
    return card_count + hand_count + 1
