"""Best play of a blackjack table: the value of every first decision and every later hand, by exact composition.

A split is worth twice one of its hands, each played best by its own cards alone: by exchangeability that is exact for
such play; what the second hand could gain from the first one's cards is left out, and so are splits beyond the first.
Insurance is taken where it pays, knowing only the own hand and the ace. Not responsible for exact fractions
(``blackjack_exact``).
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from firmware.games.families.blackjack_hand import better_value
from firmware.games.families.blackjack_play import may_double_total
from firmware.games.families.blackjack_rules import BlackjackRules
from firmware.maths.blackjack_hands import (
    DEALER_BUST,
    NATURAL,
    RESULT_COUNT,
    RESULTS,
    DealerTree,
    PlayerHands,
    dealer_tree,
    hand_number,
    player_hands,
)
from firmware.maths.blackjack_odds import Values, hand_values, natural_chance
from firmware.maths.compiled import Floats, Ints

TEN: Final = 10


def full_shoe(deck_count: int) -> Ints:
    """Return the cards of a shoe by points, their sum at 0."""
    counts = [4 * deck_count] * 10 + [16 * deck_count]
    return np.array([52 * deck_count, *counts[1:]], np.int64)


def without(shoe: Ints, points: tuple[int, ...]) -> Ints:
    """Return the shoe without some cards."""
    left = shoe.copy()
    for one in points:
        left[one] -= 1
        left[0] -= 1
    return left


def natural_costs_wager(rules: BlackjackRules) -> bool:
    """Tell whether a dealer's natural takes whatever is wagered; else it costs one bet for any play."""
    return rules.dealer_natural_takes == "all_bets" and not rules.natural_ends_round


def payoffs(rules: BlackjackRules) -> Floats:
    """Return player's total x dealer's result -> the result of standing, in wagers."""
    table = np.zeros((22, RESULT_COUNT), np.float64)
    for total in range(22):
        for index, dealer_total in enumerate(RESULTS):
            tie = -1.0 if rules.ties == "lose" else 0.0
            table[total, index] = 1.0 if total > dealer_total else tie if total == dealer_total else -1.0
        table[total, NATURAL] = -1.0 if natural_costs_wager(rules) else 0.0
        table[total, DEALER_BUST] = 1.0
    return table


@dataclass
class Table:
    """All values against one dealer's visible cards. ``shoe`` is without them and without other known cards."""

    rules: BlackjackRules
    known: tuple[int, ...]
    shoe: Ints
    _splits: dict[int, Values] = field(default_factory=dict)

    @cached_property
    def hands(self) -> PlayerHands:
        """All the player's hands."""
        return player_hands()

    @cached_property
    def tree(self) -> DealerTree:
        """How the dealer can finish."""
        return dealer_tree(self.known, self.rules.soft_17 == "hit")

    @cached_property
    def natural_loss(self) -> float:
        """What a dealer's natural takes of every wager; 0 where it takes one bet of any play."""
        return 1.0 if natural_costs_wager(self.rules) else 0.0

    @cached_property
    def values(self) -> Values:
        """Values of hands that come from no split."""
        return self._values(self.shoe, (), self.hands.sizes >= 2)

    def split_values(self, points: int) -> Values:
        """Values of hands that began with one of a pair of these points."""
        if points not in self._splits:
            shoe = without(self.shoe, (points,))
            self._splits[points] = self._values(shoe, (points,), self.hands.counts[:, points] > 0)
        return self._splits[points]

    def values_from(self, number: int, split_points: int = 0) -> Values:
        """Values of one hand and of what can come of it, and nothing else: quick enough for live use."""
        least = self.hands.counts[number]
        needed = (self.hands.counts >= least).all(axis=1)
        if not split_points:
            return self._values(self.shoe, (), needed)
        return self._values(without(self.shoe, (split_points,)), (split_points,), needed)

    def _values(self, shoe: Ints, base: tuple[int, ...], needed: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Values:
        hands, tree = self.hands, self.tree
        found = Values(*(np.full(len(hands.totals), -9.0) for _ in range(4)))
        least = np.zeros(11, np.int64)
        for one in base:
            least[one] += 1
        hand_values(
            shoe, np.array(self.known, np.int64), least, hands.counts, hands.totals, hands.children, tree.parents,
            tree.points, tree.taken, tree.ends, payoffs(self.rules), self.natural_loss, needed.astype(np.int64), *found,
        )  # fmt: skip
        return found

    def natural_chance(self, points: tuple[int, ...]) -> float:
        """Return the chance of a dealer's natural for a player who holds these cards."""
        return natural_chance(without(self.shoe, points), np.array(self.known, np.int64))

    def split_second(self, points: int, second: int, values: Values) -> tuple[str, float]:
        """Return how a split hand with its second card is played, and its value."""
        number = hand_number((points, second))
        total, soft = int(self.hands.totals[number]), bool(self.hands.softs[number])
        if total == 21 or (points == 1 and self.rules.split_aces_one_card):
            return "stand", float(values.stand[number])
        options = {"stand": values.stand[number], "hit": values.hit[number]}
        if self.rules.double_after_split and may_double_total(self.rules, total, soft):
            options["double"] = values.double[number]
        best = max(options, key=options.__getitem__)
        return best, float(options[best])

    def split(self, points: int) -> float:
        """Return the value of splitting a pair: twice that of one hand."""
        values = self.split_values(points)
        shoe = without(self.shoe, (points, points))
        return 2 * sum(
            float(shoe[second] / shoe[0]) * self.split_second(points, second, values)[1]
            for second in range(1, 11)
            if shoe[second] > 0
        )

    def first_options(self, pair: tuple[int, int], values: Values | None = None) -> dict[str, float]:
        """Return action -> value of the first decision with these two cards, for all actions the table allows.

        In bets. Where a natural costs one bet for any play, that cost is left out (``natural_chance`` of it).
        """
        values = values or self.values
        number = hand_number(pair)
        total, soft = better_value(sum(pair), 1 in pair)
        options = {"stand": float(values.stand[number]), "hit": float(values.hit[number])}
        if may_double_total(self.rules, total, soft):
            options["double"] = float(values.double[number])
        if pair[0] == pair[1] and self.rules.max_hands > 1:
            options["split"] = self.split(pair[0])
        if self.rules.surrender != "off":
            options["surrender"] = self.surrender(pair)
        return options

    def surrender(self, pair: tuple[int, int]) -> float:
        """Return the value of giving up half the bet, on the footing of ``first_options``."""
        natural = self.natural_chance(pair)
        if self.rules.surrender == "early":
            return -0.5 + natural * (1.0 - self.natural_loss)
        return -0.5 * (1.0 - natural) - natural * self.natural_loss

    def insurance(self, pair: tuple[int, ...]) -> float:
        """Return what insurance of half a bet is worth."""
        return 0.5 * (3.0 * self.natural_chance(pair) - 1.0)


def starts(rules: BlackjackRules) -> list[tuple[int, ...]]:
    """Return the dealer's visible cards at the first decision, by points."""
    if rules.exposed:
        return [(first, second) for first in range(1, 11) for second in range(first, 11)]
    return [(first,) for first in range(1, 11)]


def pairs() -> list[tuple[int, int]]:
    """Return the player's first two cards, by points, in ascending order."""
    return [(first, second) for first in range(1, 11) for second in range(first, 11)]


def is_natural(points: tuple[int, ...]) -> bool:
    """Tell whether two cards are a natural."""
    return sorted(points) == [1, TEN]
