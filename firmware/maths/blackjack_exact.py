"""Exact chances of how a round of blackjack ends under best play, as fractions.

The way to play is fixed (``blackjack_best``); every chance is then a fraction whose denominator divides a known product
of shoe sizes. The numerators are computed modulo several primes and put together by the Chinese remainder theorem, with
one prime more than needed as a check. Not responsible for which play is best.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Final

import numpy as np

from firmware.games.families.blackjack_rules import BlackjackRules
from firmware.maths.blackjack_best import (
    TEN,
    Table,
    full_shoe,
    is_natural,
    natural_costs_wager,
    pairs,
    starts,
    without,
)
from firmware.maths.blackjack_hands import hand_number
from firmware.maths.blackjack_odds import STATES, hand_ends
from firmware.maths.compiled import Ints

CARDS_COUNTED: Final = 30
"""No chance depends on more cards than this: two or three known, a hand's and the dealer's."""
_ACTION_CODES: Final = {"stand": 0, "hit": 1, "double": 2}

ENDS: Final = (
    "blackjack",
    "blackjack_tied",
    "dealer_blackjack",
    "win",
    "push",
    "lose",
    "double_win",
    "double_push",
    "double_lose",
    "dealer_blackjack_doubled",
    "surrender",
    "split",
    "split_mean",
    "insurance_won",
    "insurance_lost",
)
"""What is counted. ``split_mean`` is no chance but the sum of chance times net result of all splits."""
Objects = np.ndarray[tuple[int], np.dtype[np.object_]]
_END: Final = {name: index for index, name in enumerate(ENDS)}


@dataclass(frozen=True, slots=True)
class Case:
    """One dealer's start and one player's pair: how it is played."""

    known: tuple[int, ...]
    pair: tuple[int, int]
    action: str
    """``natural``, ``dealer_natural`` where both cards show one, or a first action."""
    insured: bool
    value: float
    """In bets, a dealer's natural included; without insurance."""


@dataclass(frozen=True)
class Play:
    """Best play of a table: every case, and the tables of values it came from."""

    rules: BlackjackRules
    tables: dict[tuple[int, ...], Table]
    cases: tuple[Case, ...]


def best_play(rules: BlackjackRules) -> Play:
    """Return best play of a fresh shoe."""
    shoe = full_shoe(rules.deck_count)
    tables = {known: Table(rules, known, without(shoe, known)) for known in starts(rules)}
    tables = {known: table for known, table in tables.items() if min(table.shoe) >= 0}
    cases = []
    for known, table in tables.items():
        for pair in pairs():
            if min(without(table.shoe, pair)) >= 0:
                cases.append(_case(rules, table, known, pair))
    return Play(rules, tables, tuple(cases))


def _case(rules: BlackjackRules, table: Table, known: tuple[int, ...], pair: tuple[int, int]) -> Case:
    natural = 1.0 if is_natural(known) and len(known) == 2 else table.natural_chance(pair)
    insured = rules.insurance and known == (1,) and table.insurance(pair) > 0
    if is_natural(pair):
        tied = {"push": 0.0, "win": _ratio(rules), "lose": -1.0}[rules.tied_naturals]
        return Case(known, pair, "natural", insured, (1 - natural) * _ratio(rules) + natural * tied)
    if len(known) == 2 and is_natural(known):
        return Case(known, pair, "dealer_natural", insured, -1.0)
    options = table.first_options(pair)
    best = max(options, key=options.__getitem__)
    return Case(known, pair, best, insured, options[best] - natural * (1 - table.natural_loss))


def _ratio(rules: BlackjackRules) -> float:
    return rules.natural_pays[0] / rules.natural_pays[1]


def exact_ends(play: Play) -> dict[str, Fraction]:
    """Return the chance of every end in ``ENDS``, exactly."""
    size = 52 * play.rules.deck_count
    denominator = prod(range(size - CARDS_COUNTED + 1, size + 1))
    modulus, residues, used = 1, [0] * len(ENDS), 0
    previous: list[int] | None = None
    for prime in _primes():
        found = _ends_modulo(play, prime)
        scale = denominator % prime
        inverse = pow(modulus, -1, prime)
        for index, value in enumerate(found):
            difference = (value * scale - residues[index]) * inverse % prime
            residues[index] += modulus * difference
        modulus *= prime
        used += 1
        signed = [value - modulus if 2 * value > modulus else value for value in residues]
        if signed == previous:
            return {name: Fraction(value, denominator) for name, value in zip(ENDS, signed, strict=True)}
        previous = signed
    raise ArithmeticError(f"no fraction after {used} primes")


def _primes() -> Iterator[int]:
    """Yield primes below 2**31, largest first: enough for the denominator of eight decks, twice over."""
    number, found = 2**31 - 1, 0
    while found < 24:
        if all(number % low for low in range(3, int(number**0.5) + 1, 2)):
            found += 1
            yield number
        number -= 2


def _ends_modulo(play: Play, prime: int) -> list[int]:
    rules = play.rules
    size = 52 * rules.deck_count
    inverses = np.array([0, *(pow(number, -1, prime) for number in range(1, size + 1))], np.int64)
    whole = _Modulo(play, prime, inverses)
    ends = np.zeros(len(ENDS), object)
    for case in play.cases:
        weight = _weight(full_shoe(rules.deck_count), case, prime, inverses)
        whole.add(case, weight, ends)
    return [int(value) % prime for value in ends]


def _weight(shoe: Ints, case: Case, prime: int, inverses: Ints) -> int:
    """Return the chance of the dealer's and the player's first cards, modulo the prime."""
    weight = 1
    left = shoe.copy()
    for one in (*case.known, *case.pair):
        weight = weight * int(left[one]) * int(inverses[left[0]]) % prime
        left[one] -= 1
        left[0] -= 1
    for cards in (case.known, case.pair):
        if len(cards) == 2 and cards[0] != cards[1]:
            weight *= 2
    return weight % prime


class _Modulo:
    """Adds up cases modulo one prime."""

    def __init__(self, play: Play, prime: int, inverses: Ints) -> None:
        self._play, self._prime, self._inverses = play, prime, inverses
        self._all_lost = natural_costs_wager(play.rules)
        self._ends: dict[tuple[tuple[int, ...], int], Ints] = {}

    def add(self, case: Case, weight: int, ends: Objects) -> None:
        """Add one case with its weight."""
        table = self._play.tables[case.known]
        natural = self._natural(table, case.pair)
        if case.insured:
            ends[_END["insurance_won"]] += weight * natural
            ends[_END["insurance_lost"]] += weight * (1 - natural)
        if case.action == "natural":
            certain = len(case.known) == 2 and is_natural(case.known)
            tied = 1 if certain else natural
            ends[_END["blackjack"]] += weight * (1 - tied)
            ends[_END["blackjack_tied"]] += weight * tied
        elif case.action == "dealer_natural":
            ends[_END["dealer_blackjack"]] += weight
        elif case.action == "surrender":
            late = self._play.rules.surrender == "late"
            ends[_END["surrender"]] += weight * (1 - natural if late else 1)
            ends[_END["dealer_blackjack"]] += weight * (natural if late else 0)
        elif case.action == "split":
            self._add_split(case, table, weight, natural, ends)
        else:
            states = self._states(table, 0)[hand_number(case.pair)]
            for name, state in (("win", 0), ("push", 1), ("lose", 2), ("dealer_blackjack", 3)):
                ends[_END[name]] += weight * int(states[state])
            for name, state in (("double_win", 4), ("double_push", 5), ("double_lose", 6)):
                ends[_END[name]] += weight * int(states[state])
            doubled = "dealer_blackjack_doubled" if self._all_lost else "dealer_blackjack"
            ends[_END[doubled]] += weight * int(states[7])
        ends %= self._prime

    def _add_split(self, case: Case, table: Table, weight: int, natural: int, ends: Objects) -> None:
        points = case.pair[0]
        shoe = without(table.shoe, case.pair)
        found = self._states(table, points)
        mean = 0
        for second in range(1, 11):
            if shoe[second] <= 0:
                continue
            states = [int(state) for state in found[hand_number((points, second))]]
            value = states[0] - states[2] + 2 * (states[4] - states[6])
            if self._all_lost:
                value -= states[3] + 2 * states[7]
            mean += int(shoe[second]) * int(self._inverses[shoe[0]]) * value
        played = 1 if self._all_lost else 1 - natural
        ends[_END["split"]] += weight * played
        ends[_END["split_mean"]] += weight * 2 * mean % self._prime
        if not self._all_lost:
            ends[_END["dealer_blackjack"]] += weight * natural

    def _states(self, table: Table, split_points: int) -> Ints:
        """Return what becomes of every two-card hand under best play; made once for a dealer's start or a split."""
        key = (table.known, split_points)
        if key not in self._ends:
            self._ends[key] = self._computed(table, split_points)
        return self._ends[key]

    def _computed(self, table: Table, split_points: int) -> Ints:
        values = table.split_values(split_points) if split_points else table.values
        actions = (values.hit > values.stand).astype(np.int64)
        shoe = without(table.shoe, (split_points,)) if split_points else table.shoe
        tree, hands = table.tree, table.hands
        wanted = np.zeros(len(hands.totals), np.int64)
        for number, action in self._first_actions(table, split_points):
            actions[number] = _ACTION_CODES[action]
            wanted[number] = 1
        found = np.zeros((len(hands.totals), STATES), np.int64)
        tie = 2 if self._play.rules.ties == "lose" else 1
        hand_ends(
            shoe, np.array(table.known, np.int64), hands.counts, hands.totals, hands.children, tree.parents,
            tree.points, tree.taken, tree.ends, tie, actions, self._prime, self._inverses, wanted, found,
        )  # fmt: skip
        return found

    def _first_actions(self, table: Table, split_points: int) -> Iterator[tuple[int, str]]:
        """Yield the two-card hands that are played on, and how each is begun."""
        if not split_points:
            for case in self._play.cases:
                if case.known == table.known and case.action in _ACTION_CODES:
                    yield hand_number(case.pair), case.action
            return
        left = without(table.shoe, (split_points, split_points))
        for second in range(1, 11):
            if left[second] > 0:
                action, _ = table.split_second(split_points, second, table.split_values(split_points))
                yield hand_number((split_points, second)), action

    def _natural(self, table: Table, pair: tuple[int, int]) -> int:
        """Return the chance of a dealer's natural, modulo the prime."""
        if len(table.known) != 1 or table.known[0] not in (1, TEN):
            return 0
        left = without(table.shoe, pair)
        return int(left[11 - table.known[0]]) * int(self._inverses[left[0]]) % self._prime
