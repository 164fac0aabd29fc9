"""The cards that a player keeps, up to the names of suits: which pattern they are, and how they get there.

A player's hand, its discards and the dealer's open card can be renamed together without changing any chance. Results
of draws are therefore gathered per *pattern* of the cards kept. Not responsible for what is gathered.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from firmware.maths.compiled import Ints, compiled
from firmware.maths.hand_codes import relabelings, suit_sets


class Patterns(NamedTuple):
    """All sets of some cards: ``number`` gives the pattern's number by the set's place, -1 where it isn't the first.

    A set's place is the sum of binomials (its n-th lowest card over n); ``weights`` says how many sets look alike.
    """

    number: Ints
    weights: Ints


@compiled
def choose(n: int, k: int) -> int:
    """Return n over k for k up to five."""
    if k == 0:
        return 1
    if k == 1:
        return n
    if k == 2:
        return n * (n - 1) // 2
    if k == 3:
        return n * (n - 1) * (n - 2) // 6
    if k == 4:
        return n * (n - 1) * (n - 2) * (n - 3) // 24
    return n * (n - 1) * (n - 2) * (n - 3) * (n - 4) // 120


@compiled
def set_place(cards: Ints) -> int:
    """Return the place of a set of cards; sorts ``cards`` in place."""
    for index in range(1, len(cards)):
        card = cards[index]
        at = index
        while at and cards[at - 1] > card:
            cards[at] = cards[at - 1]
            at -= 1
        cards[at] = card
    place = 0
    for index in range(len(cards)):
        place += choose(cards[index], index + 1)
    return place


@compiled
def renamed(card: int, names: Ints) -> int:
    """Return a card with its suit renamed."""
    return (card & ~3) | names[card & 3]  # type: ignore[no-any-return]


@compiled
def next_set(cards: Ints, size: int) -> None:
    """Go on to the next set in the order of places: raise the first card that can be raised, start again below it."""
    at = 0
    while at + 1 < size and cards[at] + 1 == cards[at + 1]:
        cards[at] = at
        at += 1
    cards[at] += 1


@compiled
def _number_sets(size: int, number: Ints, weights: Ints) -> int:
    cards = np.zeros(size, np.int64)
    sets = np.zeros(4, np.int64)
    found = np.zeros((24, 4), np.int64)
    for index in range(size):
        cards[index] = index
    count = 0
    for place in range(len(number)):
        suit_sets(cards, sets)
        number[place] = -1
        if sets[0] >= sets[1] >= sets[2] >= sets[3]:
            number[place] = count
            weights[count] = 24 // relabelings(cards, found)
            count += 1
        next_set(cards, size)
    return count


@cache
def patterns(size: int) -> Patterns:
    """Return the patterns of sets of ``size`` cards (1 to 4)."""
    places = {1: 52, 2: 1326, 3: 22_100, 4: 270_725}[size]
    number = np.zeros(places, np.int64)
    weights = np.zeros(places, np.int64)
    count = _number_sets(size, number, weights)
    return Patterns(number, np.ascontiguousarray(weights[:count]))
