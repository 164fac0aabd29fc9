"""Russian Poker as a sheet: every hand and open card nearly exactly, and the rest measured deal by deal on a sample.

For all 134,459 hands up to suits against every open card best play is found with counts in which each discard alone is
dead, and which average the gain of the dealer's bought card. What this misses, several dead cards together, is
measured: for hands drawn by chance with a fixed seed the same values are computed exactly (``russian_hand``), and the mean
difference is added, with its standard error. Not responsible for printing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from firmware.cards.card import RANKS
from firmware.cards.poker_rank import HandClass
from firmware.errors import UserError
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.maths.checkpoint import Checkpoint
from firmware.maths.compiled import Array, Floats, Ints, SmallInts
from firmware.maths.draw_passes import NO_DRAW_DEALS
from firmware.maths.draw_poker import groups_of
from firmware.maths.hand_codes import CARD_CODES, FLUSH_BASE, hand_list, key_table
from firmware.maths.kept_cards import patterns, set_place
from firmware.maths.progress import Progress
from firmware.maths.russian_hand import MASKS, MOST_PAY, SIXTH, bought_game, kind_of, mean_gains
from firmware.maths.russian_lines import ENDS, flow_of, spread_kept, spread_sixth
from firmware.maths.russian_options import KINDS, RussianTerms, values_of
from firmware.maths.russian_passes import (
    LARGEST,
    average_alike,
    choose_options,
    gather_kept,
    gather_sixth,
    option_table,
)
from firmware.maths.russian_pays import class_table
from firmware.maths.sheet import Line, Sheet, merged, percent, text
from firmware.maths.sweep import FIELD, FIELD_BITS, Sweep

SAMPLE: Final = 10_000
"""Hands measured deal by deal."""
CHUNK: Final = 100
SEED: Final = 20_240_229
MARGIN: Final = 0.05
"""Options that are so much worse than the best by the nearly exact values are not measured."""
FOLD: Final = -1
NEARLY_VERSION: Final = 2
"""Raised whenever nearly exact values change: differences measured before are worth nothing then."""
CHANCES: Final = 10**15
"""Chances of lines are fractions of this."""
Add = Callable[[str, float, float, float], None]
"""Takes a line's name, net result, money put up, and chance."""
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
    gains: Floats
    """Rank of the open card x kind x pay x means (``mean_gains``)."""

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


def gains_of(terms: RussianTerms) -> Floats:
    """Return what the bought card gains on average: rank of the open card x kind x pay x means."""
    found = np.zeros((13, 4, MOST_PAY, 6), np.float64)
    if not terms.buys:
        return found
    for rank in range(13):
        pool = np.array([card for card in range(52) if card != rank * 4], np.int64)
        outs = np.zeros((16, 16, 16), np.int64)
        bought_game(-1, 0, rank * 4, pool, CARD_CODES, key_table(), terms.bought, KINDS, outs, np.zeros(6))
        mean_gains(outs, len(pool) - 4, terms.bought, found[rank])
    return found


def nearly(terms: RussianTerms, progress: Progress) -> Nearly:
    """Find nearly exact best play."""
    hands, five = hand_list(), five_pays(terms)
    gains, numbers = gains_of(terms), numbers_by_size()
    bets = np.zeros((len(hands.keys), 52), np.int64)
    bet_values = np.zeros((len(hands.keys), 52), np.float64)
    sums = np.zeros((5, LARGEST, 52), np.float64)
    dead = np.zeros((FIRSTS[-1], 52, 52), np.float64)
    sixths = np.zeros((len(hands.keys), 52), np.float64)
    (keys, codes, classes, pays, duplicate), list_rows = _six(terms), hand_rows()
    sweep = Sweep()
    for first, end in groups_of(hands.keys):
        key = int(hands.keys[first])
        sweep.move_to(key)
        rows = slice(first, end)
        gather_kept(
            hands.cards[rows], hands.weights[rows], key, int(five[first]), terms.results, gains, KINDS, *sweep.tables,
            numbers, bets[rows], bet_values[rows], sums, dead, FIRSTS,
        )  # fmt: skip
        if SIXTH in terms.prices:
            gather_sixth(
                hands.cards[rows], hands.weights[rows], key, keys, codes, classes, pays, duplicate, list_rows,
                terms.results, gains, KINDS, *sweep.tables, sixths,
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
    return Nearly(terms, bets, bet_values, sums, dead, sixths, values, choices, gains)


def five_pays(terms: RussianTerms) -> Ints:
    """Return what every hand of the list pays."""
    hands = hand_list()
    codes = CARD_CODES[hands.cards].sum(axis=1)
    suited = (hands.cards & 3 == (hands.cards & 3)[:, :1]).all(axis=1)
    sets = (1 << (hands.cards >> 2)).sum(axis=1)
    found: Ints = terms.fives[np.where(suited, FLUSH_BASE + sets, codes)]
    return found


def _six(terms: RussianTerms) -> tuple[Ints, Ints, SmallInts, Ints, bool]:
    profile = terms.rules.profile
    pays = np.array(terms.rules.pays, np.int64)
    return key_table(), CARD_CODES, class_table(), pays, profile.duplicate_straight == "pays"


def _parts(counts: Array) -> tuple[Array, Array, Array]:
    return counts & FIELD, (counts >> FIELD_BITS) & FIELD, (counts >> 2 * FIELD_BITS) & FIELD


def _kinds() -> Ints:
    return np.array([kind_of(int(key), KINDS) for key in hand_list().keys], np.int64)


def _possible() -> Array:
    """Return row x card: whether the card can be the dealer's."""
    found: Array = ~(hand_list().cards[:, :, None] == np.arange(52)).any(axis=1)
    return found


# --- The measured difference


def measured(near: Nearly, progress: Progress, checkpoint: Checkpoint | None, sample: int = SAMPLE) -> Floats:
    """Return exact less nearly exact values of a fixed sample of hands and open cards."""
    kept = checkpoint.load("sample") if checkpoint else None
    found: list[float] = [] if kept is None else kept["differences"].tolist()
    hands = hand_list()
    rows = np.random.default_rng(SEED).choice(len(hands.keys), size=sample, p=hands.weights / hands.weights.sum())
    cards = np.random.default_rng(SEED + 1).integers(0, 47, size=sample)
    numbers, prices = numbers_by_size(), prices_of(near.terms)
    table = np.zeros((MASKS, 52), np.float64)
    while len(found) < sample:
        row = int(rows[len(found)])
        hand = hands.cards[row]
        upcard = int(np.flatnonzero(~np.isin(np.arange(52), hand))[cards[len(found)]])
        option_table(hand, row, near.bet_values, near.sums, near.dead, FIRSTS, near.sixths, numbers, prices, table)
        best = float(near.values[row, upcard])
        only = frozenset(mask for mask in near.terms.prices if table[mask, upcard] > best - MARGIN)
        exact = max(FOLD, *values_of(near.terms, hand, upcard, only=only, exact_draws=2).values())
        found.append(exact - best)
        if len(found) % CHUNK == 0:
            if checkpoint:
                checkpoint.save("sample", differences=np.array(found))
            progress("exact hands of the sample", len(found) / sample)
    return np.array(found[:sample])


# --- The sheet


def figures(profile: DealerPokerProfile, progress: Progress, sample: int = SAMPLE) -> dict[str, Any]:
    """Return the sheet of a table as plain JSON values."""
    if profile.suit_priority != "none":
        raise UserError("par: suit_priority: this table's odds are computed without suits only")
    terms = RussianTerms.of(profile)
    near = nearly(terms, progress)
    checkpoint = Checkpoint(
        f"russian differences by hands {NEARLY_VERSION} {sorted(profile.options().items())} {SEED} {MARGIN}"
    )
    differences = measured(near, progress, checkpoint, sample)
    mean = float(differences.mean())
    error = float(differences.std(ddof=1) / np.sqrt(len(differences)))
    lines, wager = russian_lines(near, progress)
    sums = sum((line.contribution for line in lines), Fraction(0))
    shown = sums + Fraction(round(mean * 10**6), 10**6)
    low, high = -100 * (float(shown) + 1.96 * error), -100 * (float(shown) - 1.96 * error)
    inexact = [
        f"House edge: what the lines add up to ({-100 * float(sums):.4f} %) and what was measured ({-100 * mean:+.4f} %, standard "
        f"error {100 * error:.4f} %). It lies between {low:.3f} and {high:.3f} % with 95 % confidence.",
        "Lines, play, average wager, standard deviation, hit frequency and figures by open card: enumerated for every hand and open "
        "card, with all draws. Each discard alone is counted as dead exactly; what several do together, and the dealer's other cards "
        "in what his bought card gains, is left out: that is what was measured.",
        f"Measured: {len(differences)} hands by chance with a fixed seed, each deal by deal. After draws of three cards and more the "
        f"gain of the bought game is an average of the same deal; options more than {MARGIN} antes behind by the enumeration were "
        "not measured.",
    ]
    found = Sheet(
        "ante", lines, wager, tuple(inexact),
        (
            "All hands of five cards up to suits, with every open card of the dealer; bets at once are counted in full but for what "
            "the dealer's bought card gains.",
            "Further open boxes know more cards and are not counted; the blind box's figures are exact.",
        ),
        adjustment=shown - sums,
        extra={
            "house_edge_interval_percent": [low, high],
            "lines_add_up_to_percent": 100 * float(sums),
            "measured_percent": 100 * mean,
            "measured_standard_error_percent": 100 * error,
            "play_percent": _play(near),
            "by_upcard": _by_rank(near),
            **({} if profile.blind_box == "none" else {"blind_box": _blind(near)}),
        },
    )  # fmt: skip
    return found.figures()


def russian_lines(near: Nearly, progress: Progress) -> tuple[tuple[Line, ...], Fraction]:
    """Return the lines of nearly exact play, which add up to its value, and all money put up per round."""
    terms, hands = near.terms, hand_list()
    shares: dict[tuple[str, float, float], float] = {}
    weights = hands.weights[:, None] * _possible() / (2_598_960 * 47)

    def add(name: str, net: float, put_up: float, share: float) -> None:
        if share:
            key = (name, net, put_up)
            shares[key] = shares.get(key, 0.0) + share

    add("surrender", -1.0, 1.0, float((weights * (near.choices == FOLD)).sum()))
    _add_bets(near, np.where(near.choices == 0, weights, 0.0), add)
    for price in sorted({terms.prices[mask] for mask in terms.prices if mask != SIXTH}):
        masks = [mask for mask in terms.prices if mask != SIXTH and terms.prices[mask] == price]
        _add_exchanges(near, weights, masks, float(price), add, progress)
    if SIXTH in terms.prices:
        _add_sixths(near, np.where(near.choices == SIXTH, weights, 0.0), add, progress)
    lines: dict[tuple[str, Fraction], Fraction] = {}
    wager = Fraction(0)
    for (name, net, put_up), share in shares.items():
        chance = Fraction(round(share * CHANCES), CHANCES)
        key = (name, Fraction(net).limit_denominator(1000))
        lines[key] = lines.get(key, Fraction(0)) + chance
        wager += chance * Fraction(put_up).limit_denominator(1000)
    found = merged([Line(name, net, chance) for (name, net), chance in lines.items()])
    difference = float(sum((line.contribution for line in found), Fraction(0))) - near.total
    if abs(difference) > 1e-9:
        raise ArithmeticError(f"the lines and the value of play differ by {difference}")
    return found, wager


def _add_bets(near: Nearly, flow: Floats, add: Add) -> None:
    """Add the lines of bets at once: ``flow`` says how often each hand meets each open card."""
    five, kinds, classes = five_pays(near.terms), _kinds(), np.array(class_table()[hand_list().keys], np.int64)
    parts = _parts(near.bets)
    rank = np.arange(52) >> 2
    for hand_class in HandClass:
        for pay in np.unique(five[classes == hand_class]):
            rows = np.flatnonzero((classes == hand_class) & (five == pay))
            some = flow[rows] / NO_DRAW_DEALS
            unqualified, win, tie = (part[rows] * some for part in parts)
            lose = flow[rows] - unqualified - win - tie
            means = near.gains[rank[None, :], kinds[rows][:, None], min(int(pay), MOST_PAY - 1)]
            ends = np.stack([unqualified, win, tie, lose, np.zeros_like(lose)], axis=-1)
            _add_ends(near.terms, HandClass(hand_class).label, int(pay), 0.0, "", ends, means, add)


def _add_exchanges(near: Nearly, weights: Floats, masks: list[int], fee: float, add: Add, progress: Progress) -> None:
    """Add the lines of exchanges that cost ``fee``."""
    hands, five, numbers = hand_list(), five_pays(near.terms), numbers_by_size()
    flows = np.zeros((5, LARGEST, 52), np.float64)
    dead = np.zeros((FIRSTS[-1], 52, 52), np.float64)
    start = 1.0 / (2_598_960 * 47)
    wanted = np.isin(near.choices, masks) & _possible()
    for row in np.flatnonzero(wanted.any(axis=1)):
        for mask in np.unique(near.choices[row][wanted[row]]):
            chosen = (wanted[row] & (near.choices[row] == mask)).astype(np.int64)
            flow_of(hands.cards[row], int(mask), chosen, hands.weights[row] * start, numbers, FIRSTS, flows, dead)
    for size in range(1, 5):
        average_alike(size, numbers, int(FIRSTS[size]), dead)
    sweep, ends = Sweep(), np.zeros((13, ENDS), np.float64)
    gathered: dict[tuple[int, int, int], Floats] = {}
    for first, end in groups_of(hands.keys):
        key, pay, rows = int(hands.keys[first]), int(five[first]), slice(first, end)
        sweep.move_to(key)
        ends[:] = 0.0
        spread_kept(
            hands.cards[rows], hands.weights[rows], key, pay, near.terms.results, near.gains, KINDS, *sweep.tables,
            numbers, flows, dead, FIRSTS, ends,
        )  # fmt: skip
        at = (int(class_table()[key]), pay, kind_of(key, KINDS))
        gathered[at] = gathered.get(at, np.zeros((13, ENDS))) + ends
        progress("how exchanges end", end / len(hands.keys))
    for (hand_class, pay, kind), sums in gathered.items():
        means = near.gains[:, kind, min(pay, MOST_PAY - 1)]
        _add_ends(near.terms, HandClass(hand_class).label, pay, fee, " after exchange", sums, means, add)


def _add_sixths(near: Nearly, flows: Floats, add: Add, progress: Progress) -> None:
    """Add the lines of hands that buy a sixth card; ``flows`` says how often each does."""
    hands = hand_list()
    keys, codes, classes, pays, duplicate = _six(near.terms)
    rows_of, sweep, ends = hand_rows(), Sweep(), np.zeros((MOST_PAY, 13, ENDS), np.float64)
    gathered: dict[tuple[int, int, int], Floats] = {}
    for first, end in groups_of(hands.keys):
        key, rows = int(hands.keys[first]), slice(first, end)
        sweep.move_to(key)
        ends[:] = 0.0
        spread_sixth(
            hands.cards[rows], hands.weights[rows], key, keys, codes, classes, pays, duplicate, rows_of,
            near.terms.results, near.gains, KINDS, *sweep.tables, flows, ends,
        )  # fmt: skip
        for pay in np.flatnonzero(ends.any(axis=(1, 2))).tolist():
            at = (int(classes[key]), pay, kind_of(key, KINDS))
            gathered[at] = gathered.get(at, np.zeros((13, ENDS))) + ends[pay]
        progress("how sixth cards end", end / len(hands.keys))
    fee = float(near.terms.prices[SIXTH])
    for (hand_class, pay, kind), sums in gathered.items():
        means = near.gains[:, kind, pay]
        _add_ends(near.terms, HandClass(hand_class).label, pay, fee, " after sixth card", sums, means, add)


def _add_ends(
    terms: RussianTerms, label: str, pay: int, fee: float, after: str, ends: Floats, means: Floats, add: Add
) -> None:
    """Add the lines of one kind of hand: chances of its ends, and by the same open cards how the bought game ends."""
    results, price = terms.results, float(terms.bought[0])
    unqualified, win, tie, lose, folded = (ends[..., index] for index in range(ENDS))
    bought = unqualified[..., None] * means
    base, put_up = -fee, 3.0 + fee
    add(f"surrender{after}", base + results[4], 1.0 + fee, float(folded.sum()))
    add(f"no_qualify, ante taken{after}", base + results[0], put_up, float(unqualified.sum() - bought[..., 1].sum()))
    add(f"win, {label}, pays {pay}{after}", base + results[1] + 2.0 * pay, put_up, float(win.sum()))
    add(f"push{after}", base + results[2], put_up, float(tie.sum()))
    add(f"lose{after}", base + results[3], put_up, float(lose.sum()))
    if terms.buys:
        for name, net, index in (
            (f"bought, win, {label}, pays {pay}{after}", 2.0 * pay, 2),
            (f"bought, push{after}", float(terms.bought[2]), 3),
            (f"bought, lose{after}", -3.0, 4),
            (f"bought in vain{after}", float(terms.bought[1]), 5),
        ):
            add(name, base + net - price, put_up + price, float(bought[..., index].sum()))


def _play(near: Nearly, upcards: Array | None = None) -> dict[str, float]:
    """Return how often each action is chosen, in percent of hands."""
    possible = _possible() if upcards is None else _possible() & upcards
    weights = hand_list().weights[:, None] * possible
    total = float(weights.sum())
    counts = np.array([0 if mask == SIXTH else int(mask).bit_count() for mask in range(MASKS)])
    drawn = np.where(near.choices > 0, counts[np.maximum(near.choices, 0)], 0)
    shares = {
        "surrender": near.choices == FOLD,
        "bet": near.choices == 0,
        "sixth_card": near.choices == SIXTH,
        **{f"exchange_{count}": drawn == count for count in range(1, 6)},
    }
    return {name: 100 * float((weights * mask).sum()) / total for name, mask in shares.items()}


def _by_rank(near: Nearly) -> list[dict[str, Any]]:
    found = []
    for rank in reversed(range(13)):
        upcards = np.arange(52) >> 2 == rank
        weights = hand_list().weights[:, None] * (_possible() & upcards)
        value = float((near.values * weights).sum() / weights.sum())
        found.append({"upcard": RANKS[rank], "house_edge_percent": -100 * value, "play_percent": _play(near, upcards)})
    return found


def _blind(near: Nearly) -> dict[str, Any]:
    """Return the odds of a box that always bets, draws nothing and buys no game: exact."""
    hands, five = hand_list(), five_pays(near.terms)
    total = 2_598_960 * 47 * NO_DRAW_DEALS
    possible = _possible()
    unqualified, win, tie = _parts(near.bets)
    lose = (NO_DRAW_DEALS - unqualified - win - tie) * possible
    mean = square = Fraction(0)
    results = [Fraction(float(result)).limit_denominator(1000) for result in near.terms.results]
    for pay in np.unique(five):
        rows = five == pay
        weights = hands.weights[rows][:, None]
        nets = (results[0], results[1] + 2 * int(pay), results[2], results[3])
        for net, part in zip(nets, (unqualified, win, tie, lose), strict=True):
            chance = Fraction(int((weights * part[rows]).sum()), total)
            mean += chance * net
            square += chance * net**2
    return {
        "house_edge": text(-mean),
        "house_edge_percent": percent(-mean),
        "standard_deviation": float(square - mean**2) ** 0.5,
        "exact": True,
    }
