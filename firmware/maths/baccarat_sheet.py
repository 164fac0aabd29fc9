"""Baccarat's odds by counting all orders of six cards, for any number of decks.

The tableau that plays decides who draws; here only points are counted. Not responsible for the sheet's figures.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import perm
from typing import Final

from firmware.cards.card import DECK
from firmware.cards.point_value import baccarat_points
from firmware.games.families.baccarat_options import BaccaratProfile, paytable
from firmware.games.families.baccarat_tableau import banker_draws, player_draws
from firmware.maths.sheet import Line, Sheet, merged

SIX: Final = 6
"""Cards of the longest coup; every coup is counted with all orders of the cards it leaves over."""
Ending = tuple[str, int]
"""Who wins (``player``, ``banker``, ``tie``) and with how many points."""


def shoe_points(deck_count: int) -> list[int]:
    """Return how many cards of each points a shoe has."""
    counts = Counter(baccarat_points(card) for card in DECK)
    return [counts[points] * deck_count for points in range(10)]


def endings(deck_count: int) -> dict[Ending, int]:
    """Return how many of all orders of six cards end in each way."""
    size = 52 * deck_count
    found: dict[Ending, int] = {}
    for ending, ways, used in coups(shoe_points(deck_count)):
        found[ending] = found.get(ending, 0) + ways * perm(size - used, SIX - used)
    return found


def coups(counts: list[int]) -> Iterator[tuple[Ending, int, int]]:
    """Yield how a coup ends, in how many orders of its own cards, and of how many cards it is, for all points dealt."""
    for first in range(10):
        for second in range(first, 10):
            pairs = _taken(counts, (first, second), 1 if first == second else 2)
            if pairs:
                yield from _with_player(counts, first, second, pairs)


def _taken(counts: list[int], points: tuple[int, ...], orders: int) -> int:
    """Return in how many orders cards of these points can be drawn, times ``orders``."""
    ways, left = orders, dict.fromkeys(points, 0)
    for one in points:
        ways *= counts[one] - left[one]
        left[one] += 1
    return max(0, ways)


def _with_player(counts: list[int], first: int, second: int, ways: int) -> Iterator[tuple[Ending, int, int]]:
    left = list(counts)
    left[first] -= 1
    left[second] -= 1
    player = (first + second) % 10
    for third in range(10):
        for fourth in range(third, 10):
            both = ways * _taken(left, (third, fourth), 1 if third == fourth else 2)
            if not both:
                continue
            left[third] -= 1
            left[fourth] -= 1
            yield from _third_cards(left, player, (third + fourth) % 10, both)
            left[third] += 1
            left[fourth] += 1


def _third_cards(left: list[int], player: int, banker: int, ways: int) -> Iterator[tuple[Ending, int, int]]:
    if not player_draws(player, banker):
        yield from _banker_third(left, player, player, banker, None, ways, 4)
        return
    for points in range(10):
        if left[points]:
            count = left[points]
            left[points] -= 1
            yield from _banker_third(left, player, (player + points) % 10, banker, points, ways * count, 5)
            left[points] += 1


def _banker_third(
    left: list[int], player_two: int, player: int, banker: int, third: int | None, ways: int, used: int
) -> Iterator[tuple[Ending, int, int]]:
    if not banker_draws(player_two, banker, third):
        yield _ending(player, banker), ways, used
        return
    for points in range(10):
        if left[points]:
            yield _ending(player, (banker + points) % 10), ways * left[points], used + 1


def _ending(player: int, banker: int) -> Ending:
    if player == banker:
        return "tie", player
    return ("player", player) if player > banker else ("banker", banker)


def bet_sheets(profile: BaccaratProfile) -> dict[str, Sheet]:
    """Return betting line -> its odds, for a table's profile."""
    total = perm(52 * profile.deck_count, SIX)
    pays = {(row.line, row.name): Fraction(*row.pays) for row in paytable(profile) if row.pays}
    found = {}
    all_endings = endings(profile.deck_count)
    for line in dict.fromkeys(line for line, _ in pays):
        if line.endswith("_pair"):
            found[line] = _pair_sheet(line, profile.deck_count, pays[line, "pair"])
            continue
        ways: dict[tuple[str, Fraction], int] = {}
        for (winner, points), count in all_endings.items():
            name = "banker_6" if winner == "banker" and points == 6 and ("banker", "banker_6") in pays else winner
            net = Fraction(0) if winner == "tie" and line != "tie" else pays.get((line, name), Fraction(-1))
            ways[name, net] = ways.get((name, net), 0) + count
        lines = [Line(name, net, Fraction(count, total), count) for (name, net), count in ways.items()]
        found[line] = Sheet(
            line, merged(lines), Fraction(1), total_combinations=total,
            method=(f"All {total:,} orders of six cards out of {profile.deck_count} decks.",),
        )  # fmt: skip
    return found


def _pair_sheet(line: str, deck_count: int, pays: Fraction) -> Sheet:
    size, alike = 52 * deck_count, 4 * deck_count
    chance = Fraction(alike - 1, size - 1)
    lines = (Line("pair", pays, chance), Line("no_pair", Fraction(-1), 1 - chance))
    return Sheet(line, lines, Fraction(1), method=("The second card of a hand has the first one's rank.",))
