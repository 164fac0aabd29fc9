"""What nearly exact counting of Russian Poker leaves out, measured: hands by chance with a fixed seed, counted deal by deal.

For each hand and open card of the sample best play is found with every discard dead, and what it ends in; and beside it what the nearly
exact counting (``russian_best``) says of the same hand. Both are enumerated, so the difference of one hand is exact, and only which
hands are looked at is chance. Not responsible for what is made of the differences (``russian_sheet``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np

from firmware.maths.checkpoint import Checkpoint
from firmware.maths.compiled import Array, Floats, Ints
from firmware.maths.hand_codes import hand_list
from firmware.maths.progress import Progress
from firmware.maths.russian_best import FIRSTS, NEARLY_VERSION, Nearly, numbers_by_size, prices_of
from firmware.maths.russian_hand import MASKS, SIXTH
from firmware.maths.russian_options import RussianTerms, ends_of, values_of
from firmware.maths.russian_outcomes import FOLD, SURRENDER, Outcome, outcomes_of
from firmware.maths.russian_passes import option_table

SAMPLE: Final = 6_000
"""Hands measured deal by deal."""
CHUNK: Final = 100
SEED: Final = 20_240_229
MARGIN: Final = 0.03
"""Exchanges that are so much worse than the best by the nearly exact values are not measured."""
EQUAL: Final = 1e-9
"""Values that are exact in both ways of counting may differ by so much rounding."""
Chances = dict[Outcome, float]


@dataclass(frozen=True)
class Measured:
    """Exact less nearly exact, hand by hand of the sample."""

    values: Floats
    upcards: Ints
    nearly: Ints
    """Options of nearly exact play, ``FOLD`` among them."""
    exact: Ints
    outcomes: tuple[Outcome, ...]
    chances: Floats
    """Hand x outcome."""
    costs: Floats
    """What the option of nearly exact play is worth less than the best one."""
    largest: float
    """The largest difference of any exchange's value that was counted in both ways."""


def measured(near: Nearly, progress: Progress, sample: int = SAMPLE, checkpoint: Checkpoint | None = None) -> Measured:
    """Measure a sample; what is done already is taken from the checkpoint.

    Raises:
        ArithmeticError: two counts of the same thing differ.
    """
    found = _Found.load(checkpoint)
    looks = _Looks(near)
    hands = hand_list()
    rows = np.random.default_rng(SEED).choice(len(hands.keys), size=sample, p=hands.weights / hands.weights.sum())
    cards = np.random.default_rng(SEED + 1).integers(0, 47, size=sample)
    while len(found.hands) < sample:
        number = len(found.hands)
        row = int(rows[number])
        upcard = int(np.flatnonzero(~np.isin(np.arange(52), hands.cards[row]))[cards[number]])
        found.add(looks.at(row, upcard, whole=number < CHUNK))
        if len(found.hands) % CHUNK == 0:
            found.save(checkpoint)
            progress("exact hands of the sample", len(found.hands) / sample)
    return found.measured(sample)


def checkpoint_of(terms: RussianTerms) -> Checkpoint:
    """Return where a table's sample is kept."""
    options = sorted(terms.rules.profile.options().items())
    return Checkpoint(f"russian differences of ends {NEARLY_VERSION} {options} {SEED} {MARGIN}")


@dataclass(frozen=True)
class _Hand:
    """One hand against one open card."""

    value: float
    upcard: int
    nearly: int
    exact: int
    chances: Chances
    cost: float
    largest: float


class _Looks:
    """Looks at hands one by one."""

    def __init__(self, near: Nearly) -> None:
        self._near = near
        self._numbers, self._prices = numbers_by_size(), prices_of(near.terms)
        self._table = np.zeros((MASKS, 52), np.float64)
        self._inexact = {mask for mask in near.terms.prices if mask != SIXTH and mask.bit_count() > 1}
        self._known: dict[tuple[int, ...], Chances] = {}

    def at(self, row: int, upcard: int, whole: bool) -> _Hand:
        """Return what differs for a row of ``hand_list``; ``whole``: every exchange is counted, not only those that may be best."""
        near, hand, table = self._near, hand_list().cards[row], self._table
        option_table(
            hand, row, near.bet_values, near.sums, near.dead, FIRSTS, near.sixths, self._numbers, self._prices, table
        )
        nearly, best = int(near.choices[row, upcard]), float(near.values[row, upcard])
        only = frozenset(mask for mask in self._inexact if table[mask, upcard] > best - MARGIN)
        counted = values_of(near.terms, hand, upcard, only=None if whole else only) if only or whole else {}
        for mask, value in counted.items():
            difference = abs(value - float(table[mask, upcard]))
            if mask not in self._inexact and difference > EQUAL:
                raise ArithmeticError(f"option {mask} of {hand} against {upcard}: two counts differ by {difference}")
        options = {FOLD: float(near.terms.results[4])}
        for mask in range(MASKS):
            if mask in only:
                options[mask] = counted[mask]
            elif mask not in self._inexact:
                options[mask] = float(table[mask, upcard])
        exact = max(options, key=lambda mask: options[mask])
        chances: Chances = {}
        if exact != nearly or nearly in self._inexact:
            chances = _sum((1.0, self._exactly(hand, upcard, exact)), (-1.0, self._nearly(hand, upcard, nearly)))
        difference = sum(outcome.net * chance for outcome, chance in chances.items())
        if abs(difference - (options[exact] - best)) > EQUAL:
            raise ArithmeticError(
                f"{hand} against {upcard}: ends differ by {difference}, values by {options[exact] - best}"
            )
        largest = max((abs(counted[mask] - float(table[mask, upcard])) for mask in only), default=0.0)
        return _Hand(options[exact] - best, upcard, nearly, exact, chances, options[exact] - options[nearly], largest)

    def _exactly(self, hand: Ints, upcard: int, option: int) -> Chances:
        if option == FOLD:
            return {SURRENDER: 1.0}
        if option == SIXTH:
            return self._ends(hand.tolist(), option, upcard, ())
        return self._ends(_kept(hand, option), option, upcard, _given_up(hand, option))

    def _nearly(self, hand: Ints, upcard: int, option: int) -> Chances:
        """What the nearly exact passes count: a draw without dead cards, plus what each discard alone changes."""
        if option not in self._inexact:
            return self._exactly(hand, upcard, option)
        kept, discards = _kept(hand, option), _given_up(hand, option)
        if not kept:
            discards = ()
        return _sum(
            (1.0 - len(discards), self._ends(kept, option, upcard, ())),
            *((1.0, self._ends(kept, option, upcard, (card,))) for card in discards),
        )

    def _ends(self, kept: Sequence[int], option: int, upcard: int, dead: tuple[int, ...]) -> Chances:
        """Return the chances of all ends; hands that are alike but for the names of suits end alike."""
        key = (option.bit_count(), option == SIXTH, *_alike(kept, upcard, dead))
        if key not in self._known:
            terms = self._near.terms
            ends = ends_of(terms, kept, option, upcard, dead)
            found: Chances = {}
            for hand_class, pay, end in np.argwhere(ends).tolist():
                outcome = outcomes_of(terms, option, hand_class, pay)[end]
                found[outcome] = found.get(outcome, 0.0) + float(ends[hand_class, pay, end])
            self._known[key] = found
        return self._known[key]


def _kept(hand: Ints, mask: int) -> list[int]:
    return [int(card) for index, card in enumerate(hand) if not mask >> index & 1]


def _given_up(hand: Ints, mask: int) -> tuple[int, ...]:
    return tuple(int(card) for index, card in enumerate(hand) if mask >> index & 1)


def _alike(kept: Sequence[int], upcard: int, dead: tuple[int, ...]) -> tuple[int, ...]:
    """Return the same cards under the renaming of suits that makes them least."""

    def under(names: tuple[int, ...]) -> tuple[int, ...]:
        def renamed(card: int) -> int:
            return card & ~3 | names[card & 3]

        return (renamed(upcard), *sorted(map(renamed, kept)), -1, *sorted(map(renamed, dead)))

    return min(under(names) for names in permutations(range(4)))


def _sum(*parts: tuple[float, Chances]) -> Chances:
    found: Chances = {}
    for factor, chances in parts:
        for outcome, chance in chances.items():
            found[outcome] = found.get(outcome, 0.0) + factor * chance
    return found


class _Found:
    """What was found so far, as it is kept on disk."""

    def __init__(self, hands: list[_Hand]) -> None:
        self.hands = hands

    def add(self, hand: _Hand) -> None:
        self.hands.append(hand)

    @classmethod
    def load(cls, checkpoint: Checkpoint | None) -> "_Found":
        kept = checkpoint.load("sample") if checkpoint else None
        if kept is None:
            return cls([])
        outcomes = [
            Outcome(str(name), float(net), float(put_up))
            for name, net, put_up in zip(kept["names"], kept["nets"], kept["put_up"], strict=True)
        ]
        columns = (kept[name] for name in ("values", "upcards", "nearly", "exact", "costs", "largest"))
        return cls(
            [
                _Hand(
                    float(value), int(upcard), int(nearly), int(exact),
                    {outcomes[at]: float(row[at]) for at in np.flatnonzero(row)}, float(cost), float(largest),
                )
                for value, upcard, nearly, exact, cost, largest, row in zip(*columns, kept["chances"], strict=True)
            ]
        )  # fmt: skip

    def save(self, checkpoint: Checkpoint | None) -> None:
        if checkpoint is None:
            return
        found = self.measured(len(self.hands))
        checkpoint.save(
            "sample",
            values=found.values,
            upcards=found.upcards,
            nearly=found.nearly,
            exact=found.exact,
            costs=found.costs,
            largest=np.array([hand.largest for hand in self.hands]),
            chances=found.chances,
            names=np.array([outcome.name for outcome in found.outcomes], dtype=np.str_),
            nets=np.array([outcome.net for outcome in found.outcomes], np.float64),
            put_up=np.array([outcome.put_up for outcome in found.outcomes], np.float64),
        )

    def measured(self, sample: int) -> Measured:
        hands = self.hands[:sample]
        columns = {outcome: at for at, outcome in enumerate(sorted({each for hand in hands for each in hand.chances}))}
        chances = np.zeros((len(hands), len(columns)), np.float64)
        for number, hand in enumerate(hands):
            for outcome, chance in hand.chances.items():
                chances[number, columns[outcome]] = chance

        def column(values: list[int]) -> Array:
            return np.array(values, np.int64)

        return Measured(
            np.array([hand.value for hand in hands], np.float64),
            column([hand.upcard for hand in hands]),
            column([hand.nearly for hand in hands]),
            column([hand.exact for hand in hands]),
            tuple(columns),
            chances,
            np.array([hand.cost for hand in hands], np.float64),
            max((hand.largest for hand in hands), default=0.0),
        )
