"""Russian Poker as a sheet: every hand and open card nearly exactly, and the rest measured deal by deal on a sample.

For all 134,459 hands up to suits against every open card best play is found with counts that are exact but for one thing:
where two cards and more are exchanged each discard alone is dead, and what several do together is taken as the sum. What this
misses is measured: for hands drawn by chance with a fixed seed the same values are counted in full (``russian_hand``), and the
mean difference is added, with its standard error. Not responsible for printing.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

import numpy as np

from firmware.cards.card import RANKS
from firmware.cards.poker_rank import HandClass
from firmware.errors import UserError
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.maths.checkpoint import Checkpoint
from firmware.maths.compiled import Array, Floats
from firmware.maths.draw_passes import NO_DRAW_DEALS
from firmware.maths.draw_poker import groups_of
from firmware.maths.hand_codes import hand_list
from firmware.maths.progress import Progress
from firmware.maths.russian_best import (
    FIRSTS,
    NEARLY_VERSION,
    Nearly,
    five_pays,
    hand_rows,
    nearly,
    numbers_by_size,
    possible,
    prices_of,
    six_tables,
)
from firmware.maths.russian_hand import MASKS, SIXTH
from firmware.maths.russian_lines import (
    BOUGHT_IN_VAIN,
    BOUGHT_LOSE,
    BOUGHT_TIE,
    BOUGHT_WIN,
    ENDS,
    FOLDED,
    LOSE,
    MOST_PAY,
    TIE,
    UNQUALIFIED,
    WIN,
    end_bets,
    flow_of,
    spread_kept,
    spread_sixth,
)
from firmware.maths.russian_options import RussianTerms, values_of
from firmware.maths.russian_passes import (
    LARGEST,
    average_alike,
    option_table,
)
from firmware.maths.russian_pays import class_table
from firmware.maths.sheet import Line, Sheet, merged, percent, text
from firmware.maths.sweep import FIELD, FIELD_BITS, Sweep

SAMPLE: Final = 6_000
"""Hands measured deal by deal."""
CHUNK: Final = 100
BOUND: Final = 3
"""The sheet's interval, in standard errors either way."""
SEED: Final = 20_240_229
MARGIN: Final = 0.03
"""Exchanges that are so much worse than the best by the nearly exact values are not measured."""
FOLD: Final = -1
EQUAL: Final = 1e-9
"""Values that are exact in both ways of counting may differ by so much rounding."""
CHANCES: Final = 10**15
"""Chances of lines are fractions of this."""
Gathered = dict[tuple[int, int], Floats]
"""Class and pay -> chances of the ends."""
Add = Callable[[str, float, float, float], None]
"""Takes a line's name, net result, money put up, and chance."""


def _parts(counts: Array) -> tuple[Array, Array, Array]:
    return counts & FIELD, (counts >> FIELD_BITS) & FIELD, (counts >> 2 * FIELD_BITS) & FIELD


# --- The measured difference


def measured(
    near: Nearly, progress: Progress, checkpoint: Checkpoint | None, sample: int = SAMPLE
) -> tuple[Floats, float]:
    """Return exact less nearly exact values of a fixed sample of hands and open cards.

    Also returns the largest difference of any exchange that was counted for it.
    """
    kept = checkpoint.load("sample") if checkpoint else None
    found: list[float] = [] if kept is None else kept["differences"].tolist()
    largest = 0.0 if kept is None else float(kept["largest"])
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
        inexact = {mask for mask in near.terms.prices if mask != SIXTH and mask.bit_count() > 1}
        only = frozenset(mask for mask in inexact if table[mask, upcard] > best - MARGIN)
        exact = max(FOLD, *(float(table[mask, upcard]) for mask in range(MASKS) if mask not in inexact))
        if only or len(found) < CHUNK:
            counted = values_of(near.terms, hand, upcard, only=None if len(found) < CHUNK else only)
            exact = max(exact, *(counted[mask] for mask in only), FOLD)
            for mask, value in counted.items():
                difference = abs(value - float(table[mask, upcard]))
                if mask not in inexact and difference > EQUAL:
                    raise ArithmeticError(
                        f"option {mask} of {hand} against {upcard}: two counts differ by {difference}"
                    )
                largest = max(largest, difference if mask in only else 0.0)
        found.append(exact - best)
        if len(found) % CHUNK == 0:
            if checkpoint:
                checkpoint.save("sample", differences=np.array(found), largest=np.array(largest))
            progress("exact hands of the sample", len(found) / sample)
    return np.array(found[:sample]), largest


# --- The sheet


def figures(profile: DealerPokerProfile, progress: Progress, sample: int = SAMPLE) -> dict[str, Any]:
    """Return the sheet of a table as plain JSON values."""
    if profile.suit_priority != "none":
        raise UserError("par: suit_priority: this table's odds are computed without suits only")
    terms = RussianTerms.of(profile)
    near = nearly(terms, progress)
    checkpoint = Checkpoint(
        f"russian differences of exchanges {NEARLY_VERSION} {sorted(profile.options().items())} {SEED} {MARGIN}"
    )
    differences, largest = measured(near, progress, checkpoint, sample)
    mean = float(differences.mean())
    error = float(differences.std(ddof=1) / np.sqrt(len(differences)))
    lines, wager = russian_lines(near, progress)
    sums = sum((line.contribution for line in lines), Fraction(0))
    shown = sums + Fraction(round(mean * 10**6), 10**6)
    low, high = (-100 * (float(shown) + side * BOUND * error) for side in (1, -1))
    inexact = [
        f"House edge: what the lines add up to ({-100 * float(sums):.4f} %) and what was measured ({-100 * mean:+.4f} %, standard "
        f"error {100 * error:.4f} %). It lies between {low:.4f} and {high:.4f} %: {BOUND} standard errors either way.",
        "Bets at once, sixth cards, exchanges of one card and the dealer's bought card are counted in full. Where two cards and more "
        "are exchanged each discard alone is counted as dead exactly, and what several do together is taken as the sum: in the lines, "
        "play, average wager, standard deviation, hit frequency and figures by open card. What that leaves out was measured.",
        f"Measured: {len(differences)} hands and open cards by chance with a fixed seed. For each, every exchange of two cards and "
        f"more that is within {MARGIN} antes of the best was counted in full; none was more than {largest:.4f} antes from the sum.",
    ]
    found = Sheet(
        "ante", lines, wager, tuple(inexact),
        (
            "All hands of five cards up to suits, with every open card of the dealer and all draws.",
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
    weights = hands.weights[:, None] * possible() / (2_598_960 * 47)

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
    hands, five = hand_list(), five_pays(near.terms)
    gathered: Gathered = {}
    for first, end in groups_of(hands.keys):
        key, pay, rows = int(hands.keys[first]), int(five[first]), slice(first, end)
        ends = np.zeros((13, ENDS), np.float64)
        end_bets(
            hands.cards[rows], flow[rows], key, pay, near.bets[rows], near.terms.results, near.terms.bought,
            near.terms.buys, ends,
        )  # fmt: skip
        _gather(gathered, key, pay, ends)
    _add_ends(near.terms, gathered, 0.0, "", add)


def _gather(gathered: Gathered, key: int, pay: int, ends: Floats) -> None:
    """Add the ends of one key's hands (rank of the open card x end) to those of its class with the same pay."""
    at = (int(class_table()[key]), pay)
    gathered[at] = gathered.get(at, np.zeros(ENDS)) + ends.sum(axis=0)


def _add_exchanges(near: Nearly, weights: Floats, masks: list[int], fee: float, add: Add, progress: Progress) -> None:
    """Add the lines of exchanges that cost ``fee``."""
    hands, five, numbers = hand_list(), five_pays(near.terms), numbers_by_size()
    flows = np.zeros((5, LARGEST, 52), np.float64)
    dead = np.zeros((FIRSTS[-1], 52, 52), np.float64)
    start = 1.0 / (2_598_960 * 47)
    wanted = np.isin(near.choices, masks) & possible()
    for row in np.flatnonzero(wanted.any(axis=1)):
        for mask in np.unique(near.choices[row][wanted[row]]):
            chosen = (wanted[row] & (near.choices[row] == mask)).astype(np.int64)
            flow_of(hands.cards[row], int(mask), chosen, hands.weights[row] * start, numbers, FIRSTS, flows, dead)
    for size in range(1, 5):
        average_alike(size, numbers, int(FIRSTS[size]), dead)
    sweep, ends = Sweep(), np.zeros((13, ENDS), np.float64)
    gathered: Gathered = {}
    for first, end in groups_of(hands.keys):
        key, pay, rows = int(hands.keys[first]), int(five[first]), slice(first, end)
        sweep.move_to(key)
        ends[:] = 0.0
        spread_kept(
            hands.cards[rows], hands.weights[rows], key, pay, near.terms.results, near.terms.bought, near.terms.buys,
            sweep.tables, numbers, flows, dead, FIRSTS, ends,
        )  # fmt: skip
        _gather(gathered, key, pay, ends)
        progress("how exchanges end", end / len(hands.keys))
    _add_ends(near.terms, gathered, fee, " after exchange", add)


def _add_sixths(near: Nearly, flows: Floats, add: Add, progress: Progress) -> None:
    """Add the lines of hands that buy a sixth card; ``flows`` says how often each does."""
    hands = hand_list()
    keys, codes, classes, pays, duplicate = six_tables(near.terms)
    rows_of, sweep, ends = hand_rows(), Sweep(), np.zeros((MOST_PAY, 13, ENDS), np.float64)
    gathered: Gathered = {}
    for first, end in groups_of(hands.keys):
        key, rows = int(hands.keys[first]), slice(first, end)
        sweep.move_to(key)
        ends[:] = 0.0
        spread_sixth(
            hands.cards[rows], hands.weights[rows], key, keys, codes, classes, pays, duplicate, rows_of,
            near.terms.results, near.terms.bought, near.terms.buys, sweep.tables, flows, ends,
        )  # fmt: skip
        for pay in np.flatnonzero(ends.any(axis=(1, 2))).tolist():
            _gather(gathered, key, pay, ends[pay])
        progress("how sixth cards end", end / len(hands.keys))
    _add_ends(near.terms, gathered, float(near.terms.prices[SIXTH]), " after sixth card", add)


def _add_ends(terms: RussianTerms, gathered: Gathered, fee: float, after: str, add: Add) -> None:
    """Add the lines of what was gathered, after a draw that cost ``fee``."""
    results, bought = terms.results, terms.bought.terms
    base, put_up, price = -fee, 3.0 + fee, float(bought[0])
    for (hand_class, pay), ends in gathered.items():
        pays = f"{HandClass(hand_class).label}, pays {pay}"
        for end, name, net, staked in (
            (FOLDED, "surrender", results[4], 1.0 + fee),
            (UNQUALIFIED, "no_qualify, ante taken", results[0], put_up),
            (WIN, f"win, {pays}", results[1] + 2.0 * pay, put_up),
            (TIE, "push", results[2], put_up),
            (LOSE, "lose", results[3], put_up),
            (BOUGHT_WIN, f"bought, win, {pays}", 2.0 * pay + bought[4] - price, put_up + price),
            (BOUGHT_TIE, "bought, push", bought[2] - price, put_up + price),
            (BOUGHT_LOSE, "bought, lose", -3.0 - price, put_up + price),
            (BOUGHT_IN_VAIN, "bought in vain", bought[1] - price, put_up + price),
        ):
            add(f"{name}{after}", base + float(net), staked, float(ends[end]))


def _play(near: Nearly, upcards: Array | None = None) -> dict[str, float]:
    """Return how often each action is chosen, in percent of hands."""
    open_cards = possible() if upcards is None else possible() & upcards
    weights = hand_list().weights[:, None] * open_cards
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
        weights = hand_list().weights[:, None] * (possible() & upcards)
        value = float((near.values * weights).sum() / weights.sum())
        found.append({"upcard": RANKS[rank], "house_edge_percent": -100 * value, "play_percent": _play(near, upcards)})
    return found


def _blind(near: Nearly) -> dict[str, Any]:
    """Return the odds of a box that always bets, draws nothing and buys no game: exact."""
    hands, five = hand_list(), five_pays(near.terms)
    total = 2_598_960 * 47 * NO_DRAW_DEALS
    unqualified, win, tie = _parts(near.bets)
    lose = (NO_DRAW_DEALS - unqualified - win - tie) * possible()
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
