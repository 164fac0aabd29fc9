"""Best play at a table of dealer poker with draws of up to two cards, and how it ends: every deal counted.

Covers Caribbean and Oasis Poker and their like: ante paid, no second combination, no sixth card, no purchase of the
dealer's game. Not responsible for the sheet's wording (``poker_sheet``) or for Russian Poker (``russian``).
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from firmware.cards.poker_rank import HandClass, class_of
from firmware.maths.checkpoint import Checkpoint
from firmware.maths.compiled import Array, Ints, SmallInts
from firmware.maths.draw_choice import (
    DENOMINATOR,
    SHARES,
    choose_with_two,
    choose_without_two,
    chosen_cells,
    possible_pairs,
)
from firmware.maths.draw_passes import count_draws, gather, gather_pairs
from firmware.maths.hand_codes import hand_list
from firmware.maths.kept_cards import patterns
from firmware.maths.progress import Progress
from firmware.maths.sweep import Sweep

HALF: Final = 2
"""Values are in half antes, so that a tie that suits decide (half a win, half a loss) is whole."""
OUTCOMES: Final = ("no_qualify", "win", "push", "lose", "fold")


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table pays, in antes: on the bet by class, for a tie, and what one and two cards cost (None: not sold)."""

    pays: tuple[int, ...]
    ante_pays: int
    tie: Fraction | None
    """The net result of equal hands; None where suits decide: half wins, half losses."""
    one_price: Fraction | None = None
    two_price: Fraction | None = None

    def results(self, hand_class: HandClass) -> tuple[int, int, int, int]:
        """Return what a bet nets when the dealer doesn't qualify, and on win, tie and loss, in half antes."""
        win = HALF * (self.ante_pays + 2 * self.pays[hand_class])
        lose = -3 * HALF
        tie = (win + lose) // 2 if self.tie is None else int(HALF * self.tie)
        return HALF, win, tie, lose


@dataclass(frozen=True, slots=True)
class Solution:
    """Best play of every hand (in the order of ``hand_list``) against every open card, and its results."""

    choices: SmallInts
    values: Ints
    """Over ``DENOMINATOR`` times the lowest common denominator of the prices, in half antes."""
    scale: int
    bets: Ints
    """Counts of the dealer's hands without a draw, three in one integer (``sweep``)."""
    draw_ends: Ints
    """Class x open card's rank x cards drawn less one x outcome: deals."""
    pair_candidates: int
    """In how many cells two cards had to be counted exactly, because the bound did not rule them out."""

    @property
    def total_value(self) -> Fraction:
        """The value of a round in antes, under best play."""
        weights = np.broadcast_to(hand_list().weights[:, None], self.values.shape)
        total = weighted_sum(self.values, weights)
        return Fraction(total, 2_598_960 * 47 * DENOMINATOR * self.scale * HALF)


_FOLD: Final = -1 * HALF


def weighted_sum(values: Ints, weights: Ints) -> int:
    """Return the sum of values times weights (up to 24), exactly, though it may exceed 64 bits."""
    high, low = np.divmod(values, 1 << 31)
    return (int((high * weights).sum()) << 31) + int((low * weights).sum())


def solve(terms: Terms, progress: Progress, checkpoint: Checkpoint | None = None, *, reuse: bool = False) -> Solution:
    """Find best play by counting every deal.

    Args:
        terms: the table. progress: is told how far it is.
        checkpoint: keeps the first stage until all is done, so that an interrupted computation goes on from there.
        reuse: take a whole solution that an earlier run has left there.
    """
    hands, groups = hand_list(), groups_of(hand_list().keys)
    prices = [price for price in (terms.one_price, terms.two_price) if price is not None]
    scale = int(np.lcm.reduce([price.denominator for price in prices] or [1]))
    pays = np.array([terms.results(class_of(int(key))) for key in hands.keys], np.int64)
    whole = checkpoint.load("solution") if checkpoint and reuse else None
    if whole is None:
        first = checkpoint.load("first") if checkpoint else None
        if first is None:
            first = _without_two(terms, scale, pays, groups, progress)
            if checkpoint and prices:
                checkpoint.save("first", **first)
        whole = {"bets": first["bets"], "values": first["values"], "choices": first["choices"]}
        if terms.two_price is not None:
            _draw_two(terms, scale, whole["values"], whole["choices"], first["candidates"], pays, groups, progress)
        whole["candidates"] = np.array([len(first["candidates"])], np.int64)
        ends = _count(whole["choices"], pays, groups, progress) if prices else None
        whole["ends"] = np.zeros((len(HandClass), 13, 2, 5), np.int64) if ends is None else ends
        if checkpoint:
            checkpoint.save("solution", **whole)
            checkpoint.forget("first")
    return Solution(
        whole["choices"], whole["values"], scale, whole["bets"], whole["ends"], int(whole["candidates"][0])
    )  # fmt: skip


def _without_two(
    terms: Terms, scale: int, pays: Ints, groups: list[tuple[int, int]], progress: Progress
) -> dict[str, Array]:
    """Return counts of bets, values and choices without draws of two cards, and the cells where two may be better."""
    hands, four, three = hand_list(), patterns(4), patterns(3)
    sweep = Sweep()
    draws_one, draws_two = terms.one_price is not None, terms.two_price is not None
    ones = np.zeros((len(four.weights) if draws_one or draws_two else 0, 52, 52), np.int64)
    bounds = np.zeros((len(three.weights) if draws_two else 0, 52, 52), np.int64)
    bets = np.zeros((len(hands.keys), 52), np.int64)
    for first, end in groups:
        sweep.move_to(int(hands.keys[first]))
        rows = slice(first, end)
        gather(
            hands.cards[rows], hands.weights[rows], pays[first], _FOLD, sweep.tables, bets[rows],
            four.number, ones, three.number, bounds,
        )  # fmt: skip
        progress("hands without a draw, and draws of one card", end / len(hands.keys))
    values = np.zeros((len(hands.keys), 52), np.int64)
    choices = np.zeros((len(hands.keys), 52), np.int8)
    ones *= scale
    bounds *= scale
    choose_without_two(
        hands.cards, pays * scale, _FOLD * scale, bets, four.number, ones if draws_one else ones[:0],
        _price(terms.one_price, scale), values, choices,
    )  # fmt: skip
    candidates = np.zeros(0, np.int64)
    if draws_two:
        arguments = (hands.cards, _FOLD * scale, values, three.number, bounds, _price(terms.two_price, scale))
        count = possible_pairs(*arguments, candidates)
        candidates = np.zeros(count, np.int64)
        possible_pairs(*arguments, candidates)
        candidates = np.unique(candidates)
    return {"bets": bets, "values": values, "choices": choices, "candidates": candidates}


def _price(price: Fraction | None, scale: int) -> int:
    return 0 if price is None else int(price * HALF * scale) * DENOMINATOR


def groups_of(keys: Ints) -> list[tuple[int, int]]:
    """Return first and end of every run of equal keys."""
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    return list(zip(starts.tolist(), [*starts[1:].tolist(), len(keys)], strict=True))


def _draw_two(
    terms: Terms,
    scale: int,
    values: Ints,
    choices: SmallInts,
    codes: Ints,
    pays: Ints,
    groups: list[tuple[int, int]],
    progress: Progress,
) -> None:
    """Change values and choices where drawing two cards is better; ``codes`` are the cells where it may be."""
    hands, three = hand_list(), patterns(3)
    starts, cells = _cells(codes, np.zeros(len(codes), np.int64))
    sums = np.zeros(len(codes), np.int64)
    sweep = Sweep()
    for first, end in groups:
        sweep.move_to(int(hands.keys[first]))
        rows = slice(first, end)
        gather_pairs(
            hands.cards[rows], hands.weights[rows], pays[first], _FOLD, sweep.tables,
            three.number, starts, cells, sums,
        )  # fmt: skip
        progress("draws of two cards", end / len(hands.keys))
    price = _price(terms.two_price, scale)
    choose_with_two(hands.cards, values, choices, three.number, codes, sums * scale, price)


def _cells(codes: Ints, shares: Ints) -> tuple[Ints, Ints]:
    """Return where each pattern's cells start, and rows x, y, open card, share; ``codes`` are sorted."""
    cells = np.stack([codes // 2704 % 52, codes // 52 % 52, codes % 52, shares], axis=1)
    starts = np.searchsorted(codes // 140_608, np.arange(len(patterns(3).weights) + 1)).astype(np.int64)
    return starts, np.ascontiguousarray(cells)


def _count(choices: SmallInts, pays: Ints, groups: list[tuple[int, int]], progress: Progress) -> Ints:
    hands, four, three = hand_list(), patterns(4), patterns(3)
    ones = np.zeros((len(four.weights), 52, 52), np.int8)
    twos = np.zeros((1_000_000, 2), np.int64)
    count = chosen_cells(hands.cards, choices, four.number, ones, three.number, twos)
    if count > len(twos):
        twos = np.zeros((count, 2), np.int64)
        chosen_cells(hands.cards, choices, four.number, ones, three.number, twos)
    codes, index = np.unique(twos[:count, 0], return_index=True)
    starts, cells = _cells(codes, twos[index, 1])
    ends = np.zeros((len(HandClass), 13, 2, 5), np.int64)
    sweep = Sweep()
    for first, end in groups:
        key = int(hands.keys[first])
        sweep.move_to(key)
        rows = slice(first, end)
        count_draws(
            hands.cards[rows], hands.weights[rows], pays[first], _FOLD, sweep.tables,
            four.number, four.weights, ones, three.number, three.weights, starts, cells, ends[class_of(key)],
        )  # fmt: skip
        progress("how the draws end", end / len(hands.keys))
    divided, rest = np.divmod(ends, 24 * SHARES)
    if rest.any():
        raise ArithmeticError("the counts of draws are not whole")
    return divided
