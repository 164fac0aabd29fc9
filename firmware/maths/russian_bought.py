"""The dealer's bought card, counted exactly: what a hand gains by buying over taking the ante, over all dealer's hands.

A dealer without a game holds five different ranks. What a bought card can become depends on the ranks he keeps and on how
many cards of each rank are left, and on suits only where the four kept cards are of one suit. So the dealer's hands are
counted by sets of ranks, some 500 instead of 100,000 or more. Not responsible for hands that the dealer qualifies with.
"""

from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from firmware.cards.poker_rank import LOWEST_ACE_KING_KEY, HandClass, first_key
from firmware.maths.compiled import Floats, Ints, compiled
from firmware.maths.hand_codes import FLUSH_BASE, RANK_CODES, key_table

LEAST_BUYING_PAY: Final = 4
"""Below this no hand gains by buying for one ante or more: the dealer pairs with at most 12 cards of 37, and all else beats it."""
LEAST_BUYING_PRICE: Final = 1
ENDS: Final = 5
"""How a bought game ends: bought at all, won, tied, lost, in vain; as counts of dealer's hands."""
WHOLE_SUIT: Final = 8191
_DROPPED, _FIRST_OUT, _MASK = 4, 5, 9
_FLUSH: Final = first_key(HandClass.FLUSH)
_FULL_HOUSE: Final = first_key(HandClass.FULL_HOUSE)
_NONE: Final = 99
_MOST_PAIRING: Final = 17


class Bought(NamedTuple):
    """What decides the gain, in the form in which the counting takes it."""

    terms: Floats
    """Price, result where the dealer fails again, of a tie, 1 where a card of the dropped rank is drawn again, what a win adds
    to the bet's pay."""
    sets: Ints
    """By rank of the open card (from ``firsts`` on): four ranks kept, the rank dropped, up to two ranks that make a straight and
    its key, the kept ranks as bits."""
    firsts: Ints
    keys: Ints
    flush_ranks: Ints
    """Key -> the ranks of a flush as bits, 0 for any other hand."""

    @classmethod
    def of(cls, terms: Floats) -> "Bought":
        """Return the form for these terms."""
        keys = key_table()
        flush_ranks = np.zeros(7462, np.int64)
        for ranks in range(8192):
            if ranks.bit_count() == 5:
                flush_ranks[keys[FLUSH_BASE + ranks]] = ranks
        return cls(terms, *rank_sets(), keys, flush_ranks)


@cache
def rank_sets() -> tuple[Ints, Ints]:
    """Return the sets of ranks that are no game, by rank of the open card, and where each rank's begin (one more at the end)."""
    keys, straight = key_table(), first_key(HandClass.STRAIGHT)
    found: list[list[list[int]]] = [[] for _ in range(13)]
    for ranks in combinations(range(13), 5):
        if keys[sum(RANK_CODES[rank] for rank in ranks)] >= LOWEST_ACE_KING_KEY:
            continue
        kept = ranks[:_DROPPED]
        row = list(ranks)
        for rank in sorted(set(range(13)) - set(kept)):
            key = int(keys[sum(RANK_CODES[each] for each in (*kept, rank))])
            row += [rank, key] if key >= straight else []
        row += [_NONE] * (_MASK - len(row))
        row.append(sum(1 << rank for rank in kept))
        for upcard in ranks:
            found[upcard].append(row)
    firsts = np.cumsum([0, *map(len, found)]).astype(np.int64)
    return np.array([row for rows in found for row in rows], np.uint16), firsts


@compiled
def bought_gain(suits: Ints, upcard: int, key: int, pay: int, bought: Bought, ends: Floats) -> float:
    """Return what a hand gains by buying, summed over the dealer's hands without a game; where buying is no better, nothing.

    Args:
        suits: by suit, the ranks as bits of the cards that may be the dealer's other four or the bought one.
        key, pay: of the player's hand, which is better than any pair.
        ends: is added to, see ``ENDS``.
    """
    own, own_suit = upcard >> 2, upcard & 3
    sets, keys, again = bought.sets, bought.keys, bought.terms[3] > 0.5
    counts = np.zeros(13, np.int64)
    size = 0
    for rank in range(13):
        for suit in range(4):
            counts[rank] += suits[suit] >> rank & 1
        size += counts[rank]
    # The open card is there already; of every other rank one card goes to the dealer.
    ways_of, left_of = counts.copy(), counts - 1
    ways_of[own], left_of[own] = 1, counts[own]
    plain = np.zeros(_MOST_PAIRING, np.int64)
    # So many cards must be won against for a gain; where nothing but a pair can be won against, the rest is passed over.
    win, least = 2.0 * pay + bought.terms[4], 0
    while (
        not again
        and least < size
        and win * least + bought.terms[1] * (size - 4 - least) <= (1.0 + bought.terms[0]) * (size - 4)
    ):
        least += 1
    pairs_only = key < _FLUSH and not again
    gain = 0.0
    for at in range(bought.firsts[own], bought.firsts[own + 1]):
        dropped = sets[at, _DROPPED]
        ways = ways_of[dropped]
        pairing = 0
        for index in range(_DROPPED):
            ways *= ways_of[sets[at, index]]
            pairing += left_of[sets[at, index]]
        if ways == 0 or (pairs_only and pairing < least and sets[at, _FIRST_OUT] == _NONE):
            continue
        total = size - 4
        if again:
            total -= left_of[dropped]
        kept = sets[at, _MASK]
        others = kept & ~(1 << own)
        for suit in range(5):
            # In the fifth turn: all whose kept cards are of more than one suit.
            alike, suited, outs = ways, 0, 0
            if suit < 4:
                suited = suits[suit]
                if (suit != own_suit and dropped != own) or (suited & others) != others:
                    continue
                # With the dropped card of that suit too it would be a flush, a game.
                same = int(suit == own_suit) if dropped == own else suited >> dropped & 1
                alike = ways_of[dropped] - same
                ways -= alike + same
                outs = suited & ~kept
                if again:
                    outs &= ~(1 << dropped)
            elif not again and sets[at, _FIRST_OUT] == _NONE:
                plain[pairing] += alike
                continue
            if alike == 0:
                continue
            games, better, ties = pairing, 0, 0
            for column in range(_FIRST_OUT, _MASK, 2):
                rank, new = sets[at, column], sets[at, column + 1]
                if rank != _NONE:
                    count = counts[rank] - (suited >> rank & 1)
                    games += count
                    better += count if new > key else 0
                    ties += count if new == key else 0
            if outs and (key < _FLUSH or (key >= _FULL_HOUSE and sets[at, _FIRST_OUT] == _NONE)):
                count = _bit_count(outs)
                games += count
                better += count if key < _FLUSH else 0  # nothing but a straight flush beats a full house or more
            elif outs and sets[at, _FIRST_OUT] == _NONE:
                # Flushes are ordered as their ranks' bits are as numbers: an out beats the hand if it is above what is missing.
                missing = bought.flush_ranks[key] - kept
                games += _bit_count(outs)
                if missing > 0:
                    ties += int(missing & (missing - 1) == 0 and outs & missing != 0)
                    for shift in (1, 2, 4, 8):
                        missing |= missing >> shift
                    outs &= ~missing
                better += _bit_count(outs)
            elif outs:
                for rank in range(13):
                    if outs >> rank & 1:
                        new = keys[FLUSH_BASE + (kept | 1 << rank)]
                        games += 1
                        better += new > key
                        ties += new == key
            gain += _gain(alike, games, better, ties, total, pay, bought.terms, ends)
    for pairing in range(_MOST_PAIRING):
        if plain[pairing]:
            gain += _gain(plain[pairing], pairing, 0, 0, size - 4, pay, bought.terms, ends)
    return gain


@compiled
def no_game_count(suits: Ints, upcard: int, bought: Bought) -> int:
    """Return how many of the dealer's hands are no game; ``suits`` as in ``bought_gain``."""
    own, own_suit = upcard >> 2, upcard & 3
    counts = np.zeros(13, np.int64)
    for rank in range(13):
        for suit in range(4):
            counts[rank] += suits[suit] >> rank & 1
    counts[own] = 1
    found = 0
    for at in range(bought.firsts[own], bought.firsts[own + 1]):
        ways = counts[bought.sets[at, _DROPPED]]
        for index in range(_DROPPED):
            ways *= counts[bought.sets[at, index]]
        others = (bought.sets[at, _MASK] | 1 << bought.sets[at, _DROPPED]) & ~(1 << own)
        found += ways - int((suits[own_suit] & others) == others)
    return found


@compiled
def _gain(ways: int, games: int, better: int, ties: int, total: int, pay: int, terms: Floats, ends: Floats) -> float:
    """Return the gain of so many like dealer's hands, of whose next cards ``games`` are one, ``better`` than the player's."""
    wins = games - better - ties
    value = (2.0 * pay + terms[4]) * wins + terms[2] * ties - 3.0 * better + terms[1] * (total - games)
    value = value / total - terms[0]
    if value <= 1.0:
        return 0.0
    ends[0] += ways
    share = ways / total
    ends[1] += share * wins
    ends[2] += share * ties
    ends[3] += share * better
    ends[4] += share * (total - games)
    return ways * (value - 1.0)  # type: ignore[no-any-return]


@compiled
def gains_by_upcard(cards: Ints, key: int, pay: int, bought: Bought, gains: Floats, ends: Floats) -> None:
    """Set gains and ends by open card, for known cards that are neither the dealer's nor to come."""
    suits = np.zeros(4, np.int64)
    ends[:] = 0.0
    for upcard in range(52):
        suits_without(cards, suits)
        if suits[upcard & 3] >> (upcard >> 2) & 1:
            take_out(upcard, suits)
            gains[upcard] = bought_gain(suits, upcard, key, pay, bought, ends[upcard])


@compiled
def gains_by_dead_card(hand: Ints, key: int, pay: int, bought: Bought, gains: Floats, ends: Floats) -> None:
    """Set gains and ends by dead card and open card; on the diagonal, for no dead card. 52 x 52, and 52 x 52 x ``ENDS``."""
    known = np.zeros(6, np.int64)
    known[:5] = hand
    plain_gains, plain_ends = np.zeros(52, np.float64), np.zeros((52, ENDS), np.float64)
    gains_by_upcard(hand, key, pay, bought, plain_gains, plain_ends)
    for card in range(52):
        if card in hand:
            continue
        known[5] = card
        gains_by_upcard(known, key, pay, bought, gains[card], ends[card])
        gains[card, card] = plain_gains[card]
        ends[card, card] = plain_ends[card]


@compiled
def _bit_count(bits: int) -> int:
    bits -= bits >> 1 & 0x5555
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333)
    return ((bits + (bits >> 4) & 0x0F0F) * 0x0101 >> 8) & 0xFF


@compiled
def suits_of(cards: Ints, suits: Ints) -> None:
    """Set ``suits`` to the ranks of each suit among the cards, as bits."""
    suits[:] = 0
    for card in cards:
        suits[card & 3] |= 1 << (card >> 2)


@compiled
def suits_without(cards: Ints, suits: Ints) -> None:
    """Set ``suits`` to the ranks of each suit in a deck without these cards, as bits."""
    suits_of(cards, suits)
    for suit in range(4):
        suits[suit] ^= WHOLE_SUIT


@compiled
def take_out(card: int, suits: Ints) -> None:
    """Take a card out of the suits."""
    suits[card & 3] &= ~(1 << (card >> 2))
