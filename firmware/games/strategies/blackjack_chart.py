"""Basic strategy for any blackjack rules: the value of each action by total against what the dealer shows.

Computed, not typed in: cards come with the odds of the shoe without the visible cards, drawn with replacement; the value
of a total is the average over the two-card hands that make it. That gives the published charts, also for rules for which
none is published. Values are whole trillionths of a bet, so that every machine computes the same chart.
Not responsible for the exact return of a game (``maths``) nor for what is legal (``families.blackjack_play``).
"""

from functools import cache
from typing import Final

from firmware.games.families.blackjack_hand import BLACKJACK, better_value, dealer_draws
from firmware.games.families.blackjack_play import may_double_total
from firmware.games.families.blackjack_rules import BlackjackRules

Cell = tuple[str, int]
"""A row of the chart: ``hard`` and ``soft`` with the total, ``pair`` with the points of one card (ace 1)."""

_POINTS: Final = range(1, 11)
_NATURAL_HARD: Final = 11
"""Ace and ten with the ace as 1."""
_BUST: Final = 22
"""The key of every bust among the dealer's totals."""
_LARGEST_HARD: Final = 26
_WHOLE: Final = 2
"""Half bets in a bet."""
_ONE: Final = 10**12
"""One bet, and certainty."""


@cache
def chart_for(rules: BlackjackRules) -> "Chart":
    """Return the chart of a table; made once, its columns filled in when first asked for."""
    return Chart(rules)


def cell_of(points: tuple[int, ...]) -> Cell:
    """Return the row for a hand given as points (ace 1). A pair is a row of its own while it has two cards."""
    if len(points) == 2 and points[0] == points[1]:
        return "pair", points[0]
    total, soft = better_value(sum(points), 1 in points)
    return ("soft" if soft else "hard"), total


class Chart:
    """Values of all actions for one table."""

    def __init__(self, rules: BlackjackRules) -> None:
        """Make an empty chart."""
        self._rules = rules
        self._columns: dict[tuple[int, ...], dict[Cell, dict[str, int]]] = {}

    def values(self, dealer: tuple[int, ...], cell: Cell) -> dict[str, int]:
        """Return action -> expected result in trillionths of a bet, for ``hit``, ``stand``, ``double``, ``surrender`` and, for a pair,
        ``split``, whether or not the table allows them.

        Args:
            dealer: the points of the dealer's visible cards.
            cell: the row, from ``cell_of``.
        """
        dealer = tuple(sorted(dealer))
        column = self._columns.get(dealer)
        if column is None:
            column = self._columns[dealer] = _column(self._rules, dealer)
        return column[cell]

    def allowed(self, cell: Cell) -> frozenset[str]:
        """Return what the table allows with the first two cards of a row, surrender apart."""
        kind, number = cell
        total, soft = better_value(2 * number, number == 1) if kind == "pair" else (number, kind == "soft")
        double = {"double"} if may_double_total(self._rules, total, soft) else set()
        split = {"split"} if kind == "pair" and self._rules.max_hands > 1 else set()
        return frozenset({"hit", "stand"} | double | split)

    def best(self, dealer: tuple[int, ...], cell: Cell, legal: frozenset[str]) -> str:
        """Return the best of the legal actions."""
        values = self.values(dealer, cell)
        return max((name for name in values if name in legal), key=values.__getitem__)


def _column(rules: BlackjackRules, dealer: tuple[int, ...]) -> dict[Cell, dict[str, int]]:
    """All rows against one dealer's hand."""
    counts = [0] + [4 * rules.deck_count] * 9 + [16 * rules.deck_count]
    for points in dealer:
        counts[points] -= 1
    sums: dict[Cell, dict[str, int]] = {}
    weights: dict[Cell, int] = {}
    for first in _POINTS:
        for second in range(first, 11):
            weight = counts[first] * (counts[second] if first != second else counts[first] - 1)
            weight *= 1 if first == second else 2
            if weight <= 0:
                continue
            left = list(counts)
            left[first] -= 1
            left[second] -= 1
            values = _Values(rules, left, dealer).of((first, second))
            total, soft = better_value(first + second, first == 1)
            cells = [("soft" if soft else "hard", total)] + ([("pair", first)] if first == second else [])
            for cell in cells:
                weights[cell] = weights.get(cell, 0) + weight
                into = sums.setdefault(cell, {})
                for name, value in values.items():
                    if name == "split" and cell[0] != "pair":
                        continue
                    into[name] = into.get(name, 0) + weight * value
    for cell, into in sums.items():
        for name in into:
            into[name] //= weights[cell]
    return sums


class _Values:
    """Values for one composition of the shoe. A hand is its hard total and whether it holds an ace."""

    def __init__(self, rules: BlackjackRules, counts: list[int], dealer: tuple[int, ...]) -> None:
        self._rules = rules
        self._size = sum(counts)
        self._counts = [(points, counts[points]) for points in _POINTS if counts[points]]
        self._dealer: dict[int, int] = {}
        self._natural = 0
        self._deal(dealer)
        self._stands: dict[tuple[int, int, int], int] = {}
        self._plays: dict[tuple[int, bool, int], int] = {}

    def of(self, pair: tuple[int, int]) -> dict[str, int]:
        """The values of a first decision with these two cards."""
        hard, ace = sum(pair), 1 in pair
        all_lost = self._rules.dealer_natural_takes == "all_bets" and not self._rules.natural_ends_round
        values = {
            "stand": self._stand(better_value(hard, ace)[0], 1, _WHOLE),
            "hit": self._hit(hard, ace, _WHOLE),
            "double": self._double(hard, ace, 2 * _WHOLE if all_lost else _WHOLE),
        }
        if pair[0] == pair[1]:
            values["split"] = self._split(pair[0], all_lost)
        lost = _ONE if self._rules.surrender == "early" else _ONE + self._natural
        values["surrender"] = -lost // 2
        return values

    def _deal(self, dealer: tuple[int, ...]) -> None:
        """Walk the dealer's draws with the table's own rule and add up how they end."""
        reached = {(sum(dealer), 1 in dealer): _ONE}
        if len(dealer) == 1:
            reached = {
                (dealer[0] + points, 1 in (dealer[0], points)): _ONE * count // self._size
                for points, count in self._counts
            }
            self._natural = reached.pop((_NATURAL_HARD, True), 0)
        for hard in range(min(hard for hard, _ in reached), _LARGEST_HARD + 1):
            for ace in (False, True):
                odds = reached.pop((hard, ace), 0)
                total, soft = better_value(hard, ace)
                if not odds:
                    continue
                if not dealer_draws(total, soft, self._rules.soft_17 == "hit"):
                    self._dealer[min(total, _BUST)] = self._dealer.get(min(total, _BUST), 0) + odds
                    continue
                for points, count in self._counts:
                    key = (hard + points, ace or points == 1)
                    reached[key] = reached.get(key, 0) + odds * count // self._size

    def _stand(self, total: int, wager: int, natural_halves: int) -> int:
        """The value of standing; a dealer's natural takes ``natural_halves`` half bets of the wager."""
        key = (total, wager, natural_halves)
        if key not in self._stands:
            tie = -1 if self._rules.ties == "lose" else 0
            value = 0
            for dealer_total, odds in self._dealer.items():
                won = 1 if dealer_total == _BUST or total > dealer_total else tie if total == dealer_total else -1
                value += odds * won
            self._stands[key] = value * wager - self._natural * natural_halves // 2
        return self._stands[key]

    def _bust(self, wager: int, natural_halves: int) -> int:
        return -wager * (_ONE - self._natural) - self._natural * natural_halves // 2

    def _hit(self, hard: int, ace: bool, natural_halves: int) -> int:
        value = 0
        for points, count in self._counts:
            if hard + points > BLACKJACK:
                value += count * self._bust(1, natural_halves)
            else:
                value += count * self._play(hard + points, ace or points == 1, natural_halves)
        return value // self._size

    def _play(self, hard: int, ace: bool, natural_halves: int) -> int:
        """The value of the better of hitting and standing."""
        key = (hard, ace, natural_halves)
        if key not in self._plays:
            total, _ = better_value(hard, ace)
            stand = self._stand(total, 1, natural_halves)
            self._plays[key] = stand if total == BLACKJACK else max(stand, self._hit(hard, ace, natural_halves))
        return self._plays[key]

    def _double(self, hard: int, ace: bool, natural_halves: int) -> int:
        value = 0
        for points, count in self._counts:
            total, _ = better_value(hard + points, ace or points == 1)
            lost = total > BLACKJACK
            value += count * (self._bust(2, natural_halves) if lost else self._stand(total, 2, natural_halves))
        return value // self._size

    def _split(self, points: int, all_lost: bool) -> int:
        """Twice the value of one hand that starts with the card; another split of it is left out.

        Where a natural takes the first bet only, each of the two hands bears half of it.
        """
        natural_halves = _WHOLE if all_lost else _WHOLE // 2
        value = 0
        for second, count in self._counts:
            hard, ace = points + second, 1 in (points, second)
            total, soft = better_value(hard, ace)
            if points == 1 and self._rules.split_aces_one_card:
                value += count * self._stand(total, 1, natural_halves)
                continue
            best = self._play(hard, ace, natural_halves)
            if self._rules.double_after_split and may_double_total(self._rules, total, soft):
                best = max(best, self._double(hard, ace, 2 * natural_halves if all_lost else natural_halves))
            value += count * best
        return 2 * value // self._size
