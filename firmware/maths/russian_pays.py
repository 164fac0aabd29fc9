"""What hands of five and six cards pay at a Russian Poker table, both combinations together.

Five cards: a table filled by the rules' own function. Six cards: a compiled form of the same rule, held to it by tests.
Not responsible for the dealer.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np

from firmware.cards.card import Card
from firmware.cards.poker_rank import HandClass, class_of, rank_five
from firmware.games.families.dealer_poker.second import second_combination
from firmware.games.families.dealer_poker.table import Rules
from firmware.maths.compiled import Ints, SmallInts, compiled
from firmware.maths.hand_codes import CARD_CODES, FLUSH_BASE, RANK_CODES, TABLE_SIZE, key_table, place_of

STRAIGHT, FLUSH, STRAIGHT_FLUSH = int(HandClass.STRAIGHT), int(HandClass.FLUSH), int(HandClass.STRAIGHT_FLUSH)
PAIR, TWO_PAIRS, TRIPS = int(HandClass.PAIR), int(HandClass.TWO_PAIRS), int(HandClass.THREE_OF_A_KIND)
FULL_HOUSE, QUADS, ACE_KING = int(HandClass.FULL_HOUSE), int(HandClass.FOUR_OF_A_KIND), int(HandClass.ACE_KING)
MOST_COMBINATIONS = 64
"""More than six cards can contain: two sets of three alike hold 6 pairs, 2 trips, 9 two pairs and 6 full houses."""


@cache
def class_table() -> SmallInts:
    """Return key -> class."""
    return np.array([int(class_of(key)) for key in range(7462)], np.int8)


def five_card_pays(rules: Rules) -> Ints:
    """Return what five cards pay to one, by their place in the tables of ``hand_codes``."""
    found = np.zeros(TABLE_SIZE, np.int64)

    def put(place: int, cards: list[Card]) -> None:
        second = second_combination(rules, cards)
        pays = rules.pays[class_of(rank_five(cards))]
        found[place] = pays + (0 if second is None else rules.pays[second])

    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] != ranks[4]:
            cards = [Card(rank * 4 + index % 4) for index, rank in enumerate(ranks)]
            put(sum(RANK_CODES[rank] for rank in ranks), cards)
    for ranks in combinations(range(13), 5):
        put(FLUSH_BASE + sum(1 << rank for rank in ranks), [Card(rank * 4) for rank in ranks])
    return found


@compiled
def _alike(cards: Ints, masks: Ints, classes: Ints, count: int) -> int:
    """Write the pairs, trips, quads and Ace-Kings among six cards; return the new count."""
    for i in range(6):
        for j in range(i + 1, 6):
            a, b = cards[i] >> 2, cards[j] >> 2
            if a == b or (a == 12 and b == 11) or (a == 11 and b == 12):
                masks[count] = (1 << i) | (1 << j)
                classes[count] = PAIR if a == b else ACE_KING
                count += 1
            if a != b:
                continue
            for m in range(j + 1, 6):
                if cards[m] >> 2 != a:
                    continue
                masks[count] = (1 << i) | (1 << j) | (1 << m)
                classes[count] = TRIPS
                count += 1
                for n in range(m + 1, 6):
                    if cards[n] >> 2 == a:
                        masks[count] = (1 << i) | (1 << j) | (1 << m) | (1 << n)
                        classes[count] = QUADS
                        count += 1
    return count


@compiled
def _together(cards: Ints, masks: Ints, classes: Ints, count: int) -> int:
    """Add two pairs and full houses made from the pairs and trips found so far; return the new count."""
    found = count
    for one in range(found):
        for other in range(found):
            if one == other or classes[other] != PAIR or (masks[one] & masks[other]) != 0:
                continue
            if _rank_of_mask(cards, masks[one]) == _rank_of_mask(cards, masks[other]):
                continue
            if classes[one] == PAIR and one < other:
                masks[count] = masks[one] | masks[other]
                classes[count] = TWO_PAIRS
                count += 1
            elif classes[one] == TRIPS:
                masks[count] = masks[one] | masks[other]
                classes[count] = FULL_HOUSE
                count += 1
    return count


@compiled
def _rank_of_mask(cards: Ints, mask: int) -> int:
    for index in range(6):
        if mask & (1 << index):
            return cards[index] >> 2  # type: ignore[no-any-return]
    return -1


@compiled
def six_cards(
    cards: Ints, keys: Ints, codes: Ints, class_of_key: SmallInts, pays: Ints, duplicate_pays: bool, found: Ints
) -> None:
    """Set ``found`` to the key, the pay of both combinations, and which card the best five leave out.

    Args:
        cards: six cards. pays: to one, by class.
        duplicate_pays: whether the same straight with another card of a doubled rank is a second combination.
    """
    masks = np.zeros(MOST_COMBINATIONS, np.int64)
    classes = np.zeros(MOST_COMBINATIONS, np.int64)
    five = np.zeros(5, np.int64)
    best = -1
    for out in range(6):
        five[:out] = cards[:out]
        five[out:] = cards[out + 1 :]
        key = keys[place_of(five[0], five[1], five[2], five[3], five[4], codes)]
        if key > best:
            best = key
            found[2] = out
    own = class_of_key[best]
    count = _together(cards, masks, classes, _alike(cards, masks, classes, 0))
    for out in range(6):
        five[:out] = cards[:out]
        five[out:] = cards[out + 1 :]
        hand_class = class_of_key[keys[place_of(five[0], five[1], five[2], five[3], five[4], codes)]]
        if hand_class == STRAIGHT or hand_class == FLUSH or hand_class >= STRAIGHT_FLUSH:
            masks[count] = 63 ^ (1 << out)
            classes[count] = hand_class
            count += 1
    second = 0
    for one in range(count):
        if classes[one] != own:
            continue
        for other in range(count):
            if (masks[other] & ~masks[one]) == 0 or pays[classes[other]] <= second:
                continue
            if not duplicate_pays and _same_straight(cards, masks[one], classes[one], masks[other], classes[other]):
                continue
            second = pays[classes[other]]
    found[0] = best
    found[1] = pays[own] + second


@compiled
def _same_straight(cards: Ints, one: int, one_class: int, other: int, other_class: int) -> bool:
    for hand_class in (one_class, other_class):
        if hand_class != STRAIGHT and hand_class < STRAIGHT_FLUSH:
            return False
    first = 0
    second = 0
    for index in range(6):
        if one & (1 << index):
            first |= 1 << (cards[index] >> 2)
        if other & (1 << index):
            second |= 1 << (cards[index] >> 2)
    return first == second


def six_card_pays(rules: Rules, cards: list[Card]) -> tuple[int, int]:
    """Return key and pay of six cards."""
    found = np.zeros(3, np.int64)
    pays = np.array(rules.pays, np.int64)
    duplicate = rules.profile.duplicate_straight == "pays"
    six_cards(np.array(cards, np.int64), key_table(), CARD_CODES, class_table(), pays, duplicate, found)
    return int(found[0]), int(found[1])
