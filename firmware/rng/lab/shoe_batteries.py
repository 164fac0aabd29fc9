"""The batteries for shoes of several decks. The copies of a card are told apart where that shows more.

Expected values are exact for random orders of such a shoe. Needs numpy and scipy (development). Not responsible for
single decks (``batteries``) or for the sources (``sources``).
"""

from collections.abc import Callable, Iterator
from math import erfc, sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy import stats

from firmware.rng.lab.result import Result

CARDS: Final = 52
SHOE_DECKS: Final = (6, 8)
"""As the tables use them; a test holds this to the profiles."""
LEAST_SHOES: Final = 200

Orders = npt.NDArray[np.int64]


def run_shoe_batteries(
    data: bytes, deck_count: int, tick: Callable[[str], object] = lambda _: None
) -> tuple[Result, ...]:
    """Return what all tests find. ``data`` are shuffled shoes of ``deck_count`` decks as ``sources.shoe_orders`` gives them.

    Raises:
        ValueError: there are fewer than ``LEAST_SHOES``, or they are no such shoes.
    """
    orders: Orders = np.frombuffer(data, dtype="<u2").reshape(-1, CARDS * deck_count).astype(np.int64)
    if len(orders) < LEAST_SHOES:
        raise ValueError(f"{len(orders)} shoes, at least {LEAST_SHOES} are needed")
    if not (np.sort(orders, axis=1) == np.arange(CARDS * deck_count)).all():
        raise ValueError(f"an order does not hold all cards of {deck_count} decks once")
    found = []
    for result in _tests(orders, deck_count):
        found.append(result)
        tick(result.name)
    return tuple(found)


def _tests(orders: Orders, deck_count: int) -> Iterator[Result]:
    name, count = f"{deck_count} decks: ", orders.shape[1]
    yield _card_by_position(name + "card × position", orders)
    stay = (orders == np.arange(count)).sum(axis=1).astype(np.float64)
    yield _mean(name + "cards that stay", "one card a shoe stays where it was, on average", stay, 1.0)
    yield _mean(name + "parity", "half of the orders are even", _parities(orders), 0.5)
    faces = orders % CARDS
    same = (faces[:, 1:] == faces[:, :-1]).sum(axis=1).astype(np.float64)
    words = "two cards next to each other are as often alike as they should be"
    yield _mean(name + "equal neighbours", words, same, float(deck_count - 1))
    ranks = (faces >> 2).astype(np.float64) - 6.0
    for lag in (1, 2, 3):
        products = (ranks[:, lag:] * ranks[:, :-lag]).sum(axis=1)
        mean = -14.0 * (count - lag) / (count - 1)  # 14 is the variance of a rank; all ranks of a shoe sum to nothing
        words = f"a card's rank says nothing of the rank {lag} further on"
        yield _mean(f"{name}serial correlation {lag}", words, products, mean)
    suits = faces & 3
    changes = (suits[:, 1:] != suits[:, :-1]).sum(axis=1).astype(np.float64)
    words = "a suit is followed by another one as often as it should be"
    yield _mean(name + "runs of suits", words, changes, (count - 1) * (count - count / 4) / (count - 1))


def _parities(orders: Orders) -> npt.NDArray[np.float64]:
    """Return 0 for an even order and 1 for an odd one: places less cycles."""
    found = np.zeros(len(orders))
    for number, order in enumerate(orders.tolist()):
        odd, seen = False, [False] * len(order)
        for start in range(len(order)):
            at, length = start, 0
            while not seen[at]:
                seen[at], at, length = True, order[at], length + 1
            odd ^= length > 0 and length % 2 == 0
        found[number] = odd
    return found


def _card_by_position(name: str, orders: Orders) -> Result:
    """The counts of cards at positions are a sum of permutation matrices: the usual sum of squares, scaled, is χ²."""
    count = orders.shape[1]
    expected = len(orders) / count
    cells = np.array([np.bincount(orders[:, position], minlength=count) for position in range(count)])
    statistic = float(((cells - expected) ** 2 / expected).sum()) * (count - 1) / count
    return _chi_square(name, "every card comes equally often at every position", statistic, (count - 1) ** 2)


def _chi_square(name: str, words: str, statistic: float, freedom: int) -> Result:
    p = float(min(1.0, 2 * min(stats.chi2.cdf(statistic, freedom), stats.chi2.sf(statistic, freedom))))
    return Result(name, words, f"χ² = {statistic:.1f}, {freedom} degrees of freedom", p)


def _mean(name: str, words: str, values: npt.NDArray[Any], expected: float) -> Result:
    """Compare the mean of independent shoes with what it must be, by the spread that they show themselves."""
    spread = float(values.std(ddof=1)) / sqrt(len(values))
    z = (float(values.mean()) - expected) / spread if spread else 0.0 if values[0] == expected else 99.0
    return Result(name, words, f"z = {z:+.2f}", erfc(abs(z) / sqrt(2)))
