"""The second combination of Russian Poker: which one it is, and what both pay.

The first combination is the hand's class. The second is the best-paying combination that has at least one card outside
the first. Where the first can be made in several ways (quads aside), the way that leaves the player most is taken; of
three combinations the two best count. The second need not beat the dealer. Source: the house's rules, with the usual
reading where they are silent.

Not responsible for whether the box wins.
"""

from collections.abc import Sequence

from firmware.cards.card import Card, rank_of
from firmware.cards.poker_hand import Combination, combinations_in
from firmware.cards.poker_rank import HandClass, class_of, rank_best
from firmware.games.families.dealer_poker.table import HAND_CARDS, Rules

_KING, _ACE = 11, 12
_STRAIGHTS = (HandClass.STRAIGHT, HandClass.STRAIGHT_FLUSH, HandClass.ROYAL_FLUSH)


def second_combination(rules: Rules, cards: Sequence[Card]) -> HandClass | None:
    """Return the class of a hand's second combination, or None where it has none or the table pays none.

    Args:
        cards: the whole hand of the player, five cards or six.
    """
    if not rules.profile.second_combination:
        return None
    if len(cards) == HAND_CARDS and not _has_ace_king(cards):
        return None  # beside another combination five cards have room for Ace-King only
    found = list(combinations_in(cards))
    own_class = class_of(rank_best(cards))
    best: HandClass | None = None
    for first in found:
        if first.hand_class is not own_class:
            continue
        for other in found:
            if not other.indices <= first.indices and _counts(rules, cards, first, other):
                if best is None or _worth(rules, other.hand_class) > _worth(rules, best):
                    best = other.hand_class
    return best


def _has_ace_king(cards: Sequence[Card]) -> bool:
    ranks = {rank_of(card) for card in cards}
    return _ACE in ranks and _KING in ranks


def _worth(rules: Rules, hand_class: HandClass) -> tuple[int, HandClass]:
    return rules.pays[hand_class], hand_class


def _counts(rules: Rules, cards: Sequence[Card], first: Combination, other: Combination) -> bool:
    """Tell whether the house accepts a second combination: where it says so, not the same straight once more."""
    if rules.profile.duplicate_straight == "pays":
        return True
    if first.hand_class not in _STRAIGHTS or other.hand_class not in _STRAIGHTS:
        return True
    ranks = [{rank_of(cards[index]) for index in one.indices} for one in (first, other)]
    return ranks[0] != ranks[1]
