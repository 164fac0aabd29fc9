"""All hands a blackjack player can hold up to 21, and all ways the dealer can finish, as tables of points.

A hand is how many cards of each points (ace 1 to ten 10) it holds; suits and order don't matter. Built with the rules'
own functions for totals and for the dealer's draws. Not responsible for chances (``blackjack_odds``).
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from firmware.games.families.blackjack_hand import BLACKJACK, better_value, dealer_draws
from firmware.maths.compiled import Ints

RESULTS: Final = (17, 18, 19, 20, 21)
NATURAL: Final = 5
DEALER_BUST: Final = 6
RESULT_COUNT: Final = 7
"""Ends of the dealer's hand: the five totals, a natural, a bust."""


class PlayerHands(NamedTuple):
    """Every multiset of points with a sum up to 21; a hand's children have higher numbers."""

    counts: Ints
    """Hand x points (index 0 unused)."""
    sizes: Ints
    totals: Ints
    softs: Ints
    children: Ints
    """Hand x points -> the hand with one more card, -1 for a bust."""


class DealerTree(NamedTuple):
    """The dealer's cards beyond those known, as a tree of products: each node multiplies its parent's by a count.

    Node 0 is the empty product. ``ends`` lists node, number of orders, result and number of cards.
    """

    parents: Ints
    points: Ints
    taken: Ints
    """How many cards of these points the product has already."""
    ends: Ints


@cache
def player_hands() -> PlayerHands:
    """Return all hands, the empty one first."""
    rows: list[tuple[int, ...]] = []

    def extend(row: list[int], points: int, left: int) -> None:
        if points == 0:
            rows.append(tuple(row))
            return
        for count in range(left // points + 1):
            row[points] = count
            extend(row, points - 1, left - count * points)
        row[points] = 0

    extend([0] * 11, 10, BLACKJACK)
    rows.sort(key=lambda row: sum(points * count for points, count in enumerate(row)))
    numbers = {row: number for number, row in enumerate(rows)}
    children = np.full((len(rows), 11), -1, np.int64)
    values = []
    for row, number in numbers.items():
        hard = sum(points * count for points, count in enumerate(row))
        values.append((sum(row), *better_value(hard, row[1] > 0)))
        for points in range(1, 11):
            longer = (*row[:points], row[points] + 1, *row[points + 1 :])
            children[number, points] = numbers.get(longer, -1)
    sizes, totals, softs = (np.array(column, np.int64) for column in zip(*values, strict=True))
    return PlayerHands(np.array(rows, np.int64), sizes, totals, softs, children)


def hand_number(points: tuple[int, ...]) -> int:
    """Return the number of a hand given as points, -1 for a bust."""
    number = 0
    for one in points:
        number = int(player_hands().children[number, one])
        if number < 0:
            return -1
    return number


@cache
def dealer_tree(known: tuple[int, ...], hits_soft_17: bool) -> DealerTree:
    """Return the tree for a dealer of whom one card is known, or both."""
    orders: dict[tuple[int, ...], int] = {(0,) * 11: 1}
    ends: list[tuple[tuple[int, ...], int, int]] = []
    while orders:
        following: dict[tuple[int, ...], int] = {}
        for row, ways in orders.items():
            hard = sum(known) + sum(points * count for points, count in enumerate(row))
            size = len(known) + sum(row)
            total, soft = better_value(hard, row[1] > 0 or 1 in known)
            if size >= 2 and not dealer_draws(total, soft, hits_soft_17):
                natural = size == 2 and total == BLACKJACK
                ends.append((row, ways, NATURAL if natural else DEALER_BUST if total > BLACKJACK else total - 17))
                continue
            for points in range(1, 11):
                longer = (*row[:points], row[points] + 1, *row[points + 1 :])
                following[longer] = following.get(longer, 0) + ways
        orders = following
    nodes: dict[tuple[int, ...], int] = {(): 0}
    parents, last, taken = [0], [0], [0]
    leaves = []
    for row, ways, result in ends:
        cards = tuple(points for points in range(10, 0, -1) for _ in range(row[points]))
        for length in range(1, len(cards) + 1):
            if cards[:length] not in nodes:
                nodes[cards[:length]] = len(parents)
                parents.append(nodes[cards[: length - 1]])
                last.append(cards[length - 1])
                taken.append(cards[: length - 1].count(cards[length - 1]))
        leaves.append((nodes[cards], ways, result, len(cards)))
    return DealerTree(
        np.array(parents, np.int64),
        np.array(last, np.int64),
        np.array(taken, np.int64),
        np.array(leaves, np.int64),
    )
