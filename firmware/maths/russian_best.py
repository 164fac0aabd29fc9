"""Best play of Russian Poker for every hand and open card, exact but for one thing, in a minute or two.

Where two cards and more are exchanged each discard alone is counted as dead, and what several do together is taken as the sum;
all else is exact. Not responsible for the sheet, or for measuring what that leaves out (``russian_sheet``).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.maths.checkpoint import Checkpoint
from firmware.maths.compiled import Array, Floats, Ints, SmallInts
from firmware.maths.draw_poker import groups_of
from firmware.maths.hand_codes import CARD_CODES, FLUSH_BASE, hand_list, key_table
from firmware.maths.kept_cards import patterns, set_place
from firmware.maths.progress import Progress
from firmware.maths.russian_hand import MASKS, SIXTH
from firmware.maths.russian_options import RussianTerms
from firmware.maths.russian_passes import LARGEST, average_alike, choose_options, gather_kept, gather_sixth
from firmware.maths.russian_pays import class_table
from firmware.maths.sweep import Sweep

NEARLY_VERSION: Final = 3
"""Raised whenever nearly exact values change: differences measured before are worth nothing then."""
FIRSTS: Final = np.array([0, 0, 13, 13 + 169, 13 + 169 + 1755, 13 + 169 + 1755 + LARGEST], np.int64)
"""Where the patterns of one, two, three and four kept cards begin in a table of all of them; at the end their number."""


def is_russian(profile: DealerPokerProfile) -> bool:
    """Tell whether a table sells or pays what the exact passes of ``draw_poker`` leave out."""
    return profile.second_combination or profile.sixth_card_price is not None or profile.dealer_game_price is not None


@dataclass(frozen=True)
class Nearly:
    """Nearly exact best play: by row of ``hand_list`` and open card."""

    terms: RussianTerms
    bets: Ints
    """Counts of the dealer's hands, three in one integer."""
    bet_values: Floats
    sums: Floats
    dead: Floats
    sixths: Floats
    values: Floats
    choices: SmallInts

    @property
    def total(self) -> float:
        """The value of a round."""
        weights = hand_list().weights[:, None]
        return float((self.values * weights).sum() / (2_598_960 * 47))


def numbers_by_size() -> Ints:
    """Return size x place -> number of the pattern, for sets of one to four cards."""
    found = np.zeros((5, 270_725), np.int64)
    for size in range(1, 5):
        number = patterns(size).number
        found[size, : len(number)] = number
    return found


def hand_rows() -> Ints:
    """Return place of five cards -> row of ``hand_list``, where the suits are in its order."""
    rows = np.full(2_598_960, -1, np.int64)
    for row, cards in enumerate(hand_list().cards):
        rows[set_place(cards.copy())] = row
    return rows


def prices_of(terms: RussianTerms) -> Floats:
    """Return option -> price; infinite where it is not sold."""
    found = np.full(MASKS, np.inf)
    found[0] = 0.0
    for mask, price in terms.prices.items():
        found[mask] = float(price)
    return found


def best_choices(terms: RussianTerms, progress: Progress) -> SmallInts:
    """Return best play's options by row of ``hand_list`` and open card, -1 for a fold; found once and kept."""
    kept = _kept(terms).load("choices")
    choices: SmallInts = nearly(terms, progress).choices if kept is None else kept["choices"]
    return choices


def _kept(terms: RussianTerms) -> Checkpoint:
    return Checkpoint(f"russian choices {NEARLY_VERSION} {sorted(terms.rules.profile.options().items())}")


def nearly(terms: RussianTerms, progress: Progress) -> Nearly:
    """Find nearly exact best play; its choices are kept for ``best_choices``."""
    hands, five = hand_list(), five_pays(terms)
    numbers = numbers_by_size()
    bets = np.zeros((len(hands.keys), 52), np.int64)
    bet_values = np.zeros((len(hands.keys), 52), np.float64)
    sums = np.zeros((5, LARGEST, 52), np.float64)
    dead = np.zeros((FIRSTS[-1], 52, 52), np.float64)
    sixths = np.zeros((len(hands.keys), 52), np.float64)
    (keys, codes, classes, pays, duplicate), list_rows = six_tables(terms), hand_rows()
    sweep = Sweep()
    for first, end in groups_of(hands.keys):
        key = int(hands.keys[first])
        sweep.move_to(key)
        rows = slice(first, end)
        gather_kept(
            hands.cards[rows], hands.weights[rows], key, int(five[first]), terms.results, terms.bought, terms.buys,
            sweep.tables, numbers, bets[rows], bet_values[rows], sums, dead, FIRSTS,
        )  # fmt: skip
        if SIXTH in terms.prices:
            gather_sixth(
                hands.cards[rows], hands.weights[rows], key, keys, codes, classes, pays, duplicate, list_rows,
                terms.results, terms.bought, terms.buys, sweep.tables, sixths,
            )  # fmt: skip
        progress("hands and draws", end / len(hands.keys))
    sixths /= 24 * 46
    for size in range(1, 5):
        average_alike(size, numbers, int(FIRSTS[size]), dead)
    values = np.zeros((len(hands.keys), 52), np.float64)
    choices = np.zeros((len(hands.keys), 52), np.int8)
    choose_options(
        hands.cards, bet_values, sums, dead, FIRSTS, sixths, numbers, prices_of(terms), float(terms.results[4]), values,
        choices,
    )  # fmt: skip
    _kept(terms).save("choices", choices=choices)
    return Nearly(terms, bets, bet_values, sums, dead, sixths, values, choices)


def five_pays(terms: RussianTerms) -> Ints:
    """Return what every hand of the list pays."""
    hands = hand_list()
    codes = CARD_CODES[hands.cards].sum(axis=1)
    suited = (hands.cards & 3 == (hands.cards & 3)[:, :1]).all(axis=1)
    sets = (1 << (hands.cards >> 2)).sum(axis=1)
    found: Ints = terms.fives[np.where(suited, FLUSH_BASE + sets, codes)]
    return found


def six_tables(terms: RussianTerms) -> tuple[Ints, Ints, SmallInts, Ints, bool]:
    """Return what pays of six cards are found by."""
    profile = terms.rules.profile
    pays = np.array(terms.rules.pays, np.int64)
    return key_table(), CARD_CODES, class_table(), pays, profile.duplicate_straight == "pays"


def possible() -> Array:
    """Return row x card: whether the card can be the dealer's."""
    found: Array = ~(hand_list().cards[:, :, None] == np.arange(52)).any(axis=1)
    return found
