"""The batteries: is this pile of shuffled decks what a fair shuffle gives? Tests of the orders themselves.

Named after the lists of regulators (chi-square, frequency, gap, poker, coupon collector, permutation, runs, spectral,
serial correlation, subsequence) and applied to what is dealt, not to raw bits. Every expected value is exact for random
permutations of 52 cards; where the chance of a statistic is known only for many shuffles, they are many. A statistic that is
too good counts as strange too. Needs numpy and scipy (development). Not responsible for the sources (``sources``).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import comb, erfc, factorial, sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy import stats

from firmware.cards.card import Card
from firmware.cards.poker_rank import HandClass, class_of, rank_five
from firmware.rng.lab.result import Result

CARDS: Final = 52
LEAST_SHUFFLES: Final = 2_000
"""With fewer, some chances would be no more than rough."""
SMALLEST_EXPECTED: Final = 5.0
"""Cells of a chi-square test are joined until each expects so many."""
LAGS: Final = 8
POKER_COUNTS: Final = {
    HandClass.ROYAL_FLUSH: 4,
    HandClass.STRAIGHT_FLUSH: 36,
    HandClass.FOUR_OF_A_KIND: 624,
    HandClass.FULL_HOUSE: 3_744,
    HandClass.FLUSH: 5_108,
    HandClass.STRAIGHT: 10_200,
    HandClass.THREE_OF_A_KIND: 54_912,
    HandClass.TWO_PAIRS: 123_552,
    HandClass.PAIR: 1_098_240,
    HandClass.NO_HAND: 1_302_540,
}
"""Of the 2,598,960 five-card hands, published counts; Ace-King counts as no hand here."""

Orders = npt.NDArray[np.uint8]


def run_batteries(data: bytes, tick: Callable[[str], object] = lambda _: None) -> tuple[Result, ...]:
    """Return what all tests find. ``data`` are shuffled decks of 52 bytes; ``tick`` gets each test's name after it.

    Raises:
        ValueError: there are fewer than ``LEAST_SHUFFLES`` decks, or they are no decks.
    """
    orders: Orders = np.frombuffer(data, dtype=np.uint8).reshape(-1, CARDS)
    if len(orders) < LEAST_SHUFFLES:
        raise ValueError(f"{len(orders)} shuffles, at least {LEAST_SHUFFLES} are needed")
    if not (np.sort(orders, axis=1) == np.arange(CARDS)).all():
        raise ValueError("an order does not hold every card once")
    found = []
    for battery in _BATTERIES:
        for result in battery(orders):
            found.append(result)
            tick(result.name)
    return tuple(found)


def byte_frequency(data: bytes) -> Result:
    """Return the chi-square test of raw bytes: each of the 256 values equally often."""
    counts = np.bincount(np.frombuffer(data, dtype=np.uint8), minlength=256)
    return _chi_square("bytes", "each value of a raw byte comes equally often", counts, np.full(256, len(data) / 256))


def _two_sided(cumulated: float, above: float) -> float:
    return float(min(1.0, 2 * min(cumulated, above)))


def _chi_square_of(name: str, words: str, statistic: float, freedom: int) -> Result:
    p = _two_sided(stats.chi2.cdf(statistic, freedom), stats.chi2.sf(statistic, freedom))
    return Result(name, words, f"χ² = {statistic:.1f}, {freedom} degrees of freedom", p)


def _chi_square(name: str, words: str, counts: npt.NDArray[Any], expected: npt.NDArray[Any]) -> Result:
    kept_counts: list[float] = []
    kept_expected: list[float] = []
    for count, expects in zip(counts, expected, strict=True):  # small cells join the one before
        if kept_expected and kept_expected[-1] < SMALLEST_EXPECTED:
            kept_counts[-1] += count
            kept_expected[-1] += expects
        else:
            kept_counts.append(float(count))
            kept_expected.append(float(expects))
    if len(kept_expected) > 1 and kept_expected[-1] < SMALLEST_EXPECTED:
        last_count, last_expected = kept_counts.pop(), kept_expected.pop()
        kept_counts[-1] += last_count
        kept_expected[-1] += last_expected
    statistic = float(sum((c - e) ** 2 / e for c, e in zip(kept_counts, kept_expected, strict=True)))
    return _chi_square_of(name, words, statistic, len(kept_expected) - 1)


def _normal(name: str, words: str, total: float, mean: float, variance: float) -> Result:
    z = (total - mean) / sqrt(variance)
    return Result(name, words, f"z = {z:+.2f}", erfc(abs(z) / sqrt(2)))


def _places(orders: Orders) -> npt.NDArray[np.float64]:
    """Return (O - E)² / E of each card at each position: rows are positions."""
    cells = np.array([np.bincount(orders[:, position], minlength=CARDS) for position in range(CARDS)])
    expected = len(orders) / CARDS
    squares: npt.NDArray[np.float64] = (cells - expected) ** 2 / expected
    return squares


def _card_by_position(orders: Orders) -> Iterator[Result]:
    """The whole table: under fairness 51/52 of its sum has a chi-square law with 51² degrees; each row alone one with 51."""
    words = "every card comes equally often at every position (frequency)"
    table = _places(orders)
    share, freedom = (CARDS - 1) / CARDS, (CARDS - 1) ** 2
    yield _chi_square_of("card × position", words, float(table.sum()) * share, freedom)
    for name, lines in (("position", table.sum(axis=1)), ("card", table.sum(axis=0))):
        words = f"the same, {name} by {name}; the strangest of 52"
        yield _strangest(f"each {name}", words, lines.tolist(), CARDS - 1)
    for name, half in (("even", orders[::2]), ("odd", orders[1::2])):
        words = f"the same in every second shuffle, the {name} ones"
        yield _chi_square_of(f"subsequence, {name}", words, float(_places(half).sum()) * share, freedom)


def _strangest(name: str, words: str, statistics: Sequence[float], freedom: int) -> Result:
    """Return the strangest of several chi-square statistics, its chance corrected for their number (Šidák)."""
    chances = [
        _two_sided(stats.chi2.cdf(statistic, freedom), stats.chi2.sf(statistic, freedom)) for statistic in statistics
    ]
    least = min(chances)
    p = -float(np.expm1(len(chances) * np.log1p(-least))) if least < 1 else 1.0
    found = statistics[chances.index(least)]
    return Result(name, words, f"χ² = {found:.1f}, {freedom} degrees of freedom", p)


def _pairs(orders: Orders) -> Iterator[Result]:
    """Ordered pairs at each two neighbouring positions; the strangest place of 51 counts, corrected for their number."""
    expected = len(orders) / (CARDS * (CARDS - 1))
    freedom, found = 0, []
    for position in range(CARDS - 1):
        codes = orders[:, position].astype(np.int64) * CARDS + orders[:, position + 1]
        counts = np.bincount(codes, minlength=CARDS * CARDS).reshape(CARDS, CARDS)
        counts = counts[~np.eye(CARDS, dtype=bool)]
        if expected >= SMALLEST_EXPECTED:
            statistic, freedom = float(((counts - expected) ** 2 / expected).sum()), CARDS * (CARDS - 1) - 1
        else:  # too few shuffles for single cards: pairs of ranks, with their exact chances
            statistic, freedom = _coarse_pairs(orders[:, position], orders[:, position + 1])
        found.append(statistic)
    words = "every pair of cards comes equally often at neighbouring positions; the strangest of 51 places"
    yield _strangest("pairs", words, found, freedom)


def _coarse_pairs(first: npt.NDArray[np.uint8], second: npt.NDArray[np.uint8]) -> tuple[float, int]:
    rank, other = first // 4, second // 4
    counts = np.bincount(rank.astype(np.int64) * 13 + other, minlength=169).reshape(13, 13)
    expected = np.where(np.eye(13, dtype=bool), 12.0, 16.0) * len(first) / (CARDS * (CARDS - 1))
    return float(((counts - expected) ** 2 / expected).sum()), 168


def _permutations(orders: Orders) -> Iterator[Result]:
    """The order types of disjoint groups of a random permutation are independent of each other."""
    for size in (3, 5):
        groups = orders[:, : CARDS // size * size].reshape(-1, size).astype(np.int64)
        code = np.zeros(len(groups), dtype=np.int64)
        for place in range(size):
            smaller = (groups[:, place + 1 :] < groups[:, place : place + 1]).sum(axis=1)
            code = code * (size - place) + smaller
        counts = np.bincount(code, minlength=factorial(size))
        words = f"groups of {size} cards stand in each of their {factorial(size)} orders equally often"
        yield _chi_square(
            f"permutations of {size}", words, counts, np.full(factorial(size), len(groups) / factorial(size))
        )


def _runs(orders: Orders) -> Iterator[Result]:
    """How often the card number falls from one card to the next: Eulerian numbers."""
    falls = (orders[:, 1:] < orders[:, :-1]).sum(axis=1)
    row = [1]
    for size in range(2, CARDS + 1):
        row = [(k + 1) * (row[k] if k < len(row) else 0) + (size - k) * (row[k - 1] if k else 0) for k in range(size)]
    whole = factorial(CARDS)
    expected = np.array([count / whole for count in row]) * len(orders)
    words = "rising runs of card numbers are as many as they should be"
    yield _chi_square("runs", words, np.bincount(falls, minlength=CARDS), expected)


def _serial(orders: Orders) -> Iterator[Result]:
    """Serial correlation: from card to card within a shuffle (Wald-Wolfowitz), and between shuffles at the same place."""
    centred = orders.astype(np.float64) - (CARDS - 1) / 2
    values = np.arange(CARDS) - (CARDS - 1) / 2
    squares, fourths, n = float((values**2).sum()), float((values**4).sum()), CARDS
    mean = -squares / (n - 1)
    variance = (squares**2 - fourths) / (n - 1) + (squares**2 - 2 * fourths) / ((n - 1) * (n - 2)) - mean**2
    products = (centred * np.roll(centred, -1, axis=1)).sum()
    words = "a card's number says nothing of the next card's"
    yield _normal("serial correlation", words, float(products), len(orders) * mean, len(orders) * variance)
    total = 0.0
    for lag in range(1, LAGS + 1):
        product = float((centred[lag:] * centred[:-lag]).sum())
        total += product**2 / ((len(orders) - lag) * squares**2 / (n - 1))
    words = f"a shuffle says nothing of the next {LAGS} shuffles"
    yield _chi_square_of("correlation of shuffles", words, total, LAGS)


def _gaps(orders: Orders) -> Iterator[Result]:
    """How many shuffles pass until a spade lies again at the same place: a geometric law with chance 1/4."""
    longest = 24
    for position in (0, 25, 51):
        marks = np.flatnonzero(orders[:, position] % 4 == 0)
        gaps = np.minimum(np.diff(marks) - 1, longest)
        expected = [0.25 * 0.75**gap for gap in range(longest)] + [0.75**longest]
        counts = np.bincount(gaps, minlength=longest + 1)
        words = f"the wait for the next spade at position {position + 1}"
        yield _chi_square(f"gaps, position {position + 1}", words, counts, np.array(expected) * len(gaps))


def _coupons(orders: Orders) -> Iterator[Result]:
    """How many shuffles until every suit, or every rank, has been the first card."""
    for name, kinds, stream in (("suit", 4, orders[:, 0] % 4), ("rank", 13, orders[:, 0] // 4)):
        lengths, seen, length = [], 0, 0
        for value in stream.tolist():
            length += 1
            seen |= 1 << value
            if seen == (1 << kinds) - 1:
                lengths.append(length)
                seen = length = 0
        longest = kinds * 12
        # Chance that all kinds are seen after so many, by inclusion and exclusion.
        done = [
            sum((-1) ** k * comb(kinds, k) * (1 - k / kinds) ** n for k in range(kinds + 1)) for n in range(longest + 1)
        ]
        chances = np.diff(np.array([*done, 1.0]))
        counts = np.bincount(np.minimum(lengths, longest + 1) - 1, minlength=longest + 1)
        words = f"the number of shuffles until every {name} has been the first card"
        yield _chi_square(f"coupon collector, {name}s", words, counts, np.maximum(chances, 0) * len(lengths))


def _poker(orders: Orders) -> Iterator[Result]:
    """The first five cards are a poker hand as often as the published counts say."""
    seen = Counter(class_of(rank_five(list(map(Card, hand)))) for hand in orders[:, :5].tolist())
    seen[HandClass.NO_HAND] += seen[HandClass.ACE_KING]
    counts = np.array([seen[hand_class] for hand_class in POKER_COUNTS])
    expected = np.array(list(POKER_COUNTS.values())) * (len(orders) / 2_598_960)
    yield _chi_square("poker", "the first five cards are each poker hand as often as it should come", counts, expected)


def _fixed_points(orders: Orders) -> Iterator[Result]:
    """How many cards are where they lay before the shuffle; and whether as many shuffles are even as odd."""
    kept = (orders == np.arange(CARDS)).sum(axis=1)
    most = 8
    derangements = [1, 0]
    for size in range(2, CARDS + 1):
        derangements.append((size - 1) * (derangements[-1] + derangements[-2]))
    chances = [comb(CARDS, k) * derangements[CARDS - k] / factorial(CARDS) for k in range(most)]
    expected = np.array([*chances, 1 - sum(chances)]) * len(orders)
    words = "as many cards stay where they lay before the shuffle as should"
    yield _chi_square("cards that stay", words, np.bincount(np.minimum(kept, most), minlength=most + 1), expected)
    parity = np.zeros(len(orders), dtype=bool)
    for place in range(CARDS - 1):
        parity ^= ((orders[:, place + 1 :] < orders[:, place : place + 1]).sum(axis=1) % 2).astype(bool)
    words = "half of the shuffles are even permutations"
    yield _normal("parity", words, float(parity.sum()), len(orders) / 2, len(orders) / 4)


def _spectral(orders: Orders) -> Iterator[Result]:
    """The discrete Fourier test of NIST SP 800-22, section 2.6, on the colour of the first card."""
    signs = np.where(orders[: len(orders) // 2 * 2, 0] % 4 < 2, 1.0, -1.0)
    half = len(signs) // 2
    peaks = np.abs(np.fft.rfft(signs)[:half])
    below = float((peaks < sqrt(np.log(1 / 0.05) * len(signs))).sum())
    words = "no rhythm in the colour of the first card"
    yield _normal("spectral", words, below, 0.95 * half, len(signs) * 0.95 * 0.05 / 4)


def _repeats(orders: Orders) -> Iterator[Result]:
    """Two equal orders: with 52! of them the chance is nothing."""
    different = len(np.unique(orders, axis=0))
    pairs = comb(len(orders), 2) / factorial(CARDS)
    words = "no order comes twice"
    repeats = len(orders) - different
    yield Result("repeats", words, f"{repeats} repeated orders", 1.0 if repeats == 0 else pairs)


_BATTERIES: Final = (
    _card_by_position,
    _pairs,
    _permutations,
    _runs,
    _serial,
    _gaps,
    _coupons,
    _poker,
    _fixed_points,
    _spectral,
    _repeats,
)
