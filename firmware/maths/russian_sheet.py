"""Russian Poker as a sheet: every hand and open card nearly exactly, and the rest measured deal by deal on a sample.

For all 134,459 hands up to suits against every open card best play is found with counts in which each discard alone is
dead, and which average the gain of the dealer's bought card. What this misses, several dead cards together, is
measured: for hands drawn by chance with a fixed seed the same values are computed exactly (``russian_hand``), and the mean
difference is added, with its standard error. Not responsible for printing.
"""

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
from firmware.maths.hand_codes import CARD_CODES, FLUSH_BASE, hand_list, key_table, relabelings
from firmware.maths.kept_cards import patterns, set_place
from firmware.maths.progress import Progress
from firmware.maths.russian_hand import MASKS, MOST_PAY, SIXTH, bought_game, kind_of, mean_gains
from firmware.maths.russian_options import KINDS, RussianTerms, values_of
from firmware.maths.russian_passes import (
    LARGEST,
    average_alike,
    choose_options,
    gather_kept,
    gather_sixth,
    keep,
    option_table,
    pattern_of,
    sixth_row,
    spread_kept,
)
from firmware.maths.russian_pays import class_table
from firmware.maths.sheet import Line, Sheet, merged, percent, text
from firmware.maths.sweep import FIELD, FIELD_BITS, Sweep

SAMPLE: Final = 6_000
"""Hands measured deal by deal."""
CHUNK: Final = 100
SEED: Final = 20_240_229
MARGIN: Final = 0.05
"""Options that are so much worse than the best by the nearly exact values are not measured."""
FOLD: Final = -1
NEARLY_VERSION: Final = 2
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
    random = np.random.default_rng(SEED)
    rows = random.choice(len(hands.keys), size=sample, p=hands.weights / hands.weights.sum())
    cards = random.integers(0, 47, size=sample)
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
    checkpoint = Checkpoint(f"russian differences {NEARLY_VERSION} {sorted(profile.options().items())} {SEED} {MARGIN}")
    differences = measured(near, progress, checkpoint, sample)
    mean = float(differences.mean())
    error = float(differences.std(ddof=1) / np.sqrt(len(differences)))
    lines, wager = russian_lines(near)
    total = near.total + mean
    shown = Fraction(round(total * 10**6), 10**6)
    sums = sum((line.contribution for line in lines), Fraction(0))
    low, high = -100 * (total + 1.96 * error), -100 * (total - 1.96 * error)
    inexact = [
        f"House edge: enumerated for every hand and open card but for what several dead cards do together and the gain of the dealer's bought card "
        f"({-100 * near.total:.4f} %); what that leaves out was measured deal by deal on {len(differences)} hands and added "
        f"({-100 * mean:+.4f} %). It lies between {low:.3f} and {high:.3f} % with 95 % confidence.",
        "Lines, standard deviation, hit frequency and average wager leave out that discards can't be the dealer's; what the lines add "
        f"up to ({float(100 * sums):+.4f} %) differs from the result by that and by the measured part.",
        "After draws of three cards and more the gain of the bought game is an average of the same deal; options more than "
        f"{MARGIN} antes behind by the enumeration were not measured.",
    ]
    found = Sheet(
        "ante", lines, wager, tuple(inexact),
        (
            "All hands of five cards up to suits, with every open card of the dealer; bets without a draw are counted in full.",
            "Further open boxes know more cards and are not counted; the blind box's figures are exact.",
        ),
        adjustment=shown - sums,
        extra={
            "house_edge_interval_percent": [low, high],
            "play_percent": _play(near),
            "by_upcard": _by_rank(near),
            **({} if profile.blind_box == "none" else {"blind_box": _blind(near)}),
        },
    )  # fmt: skip
    return found.figures()


def russian_lines(near: Nearly) -> tuple[tuple[Line, ...], Fraction]:
    """Return the lines of nearly exact play, and all money put up per round."""
    terms, hands = near.terms, hand_list()
    shares: dict[tuple[str, float, float], float] = {}
    possible = _possible()
    weights = hands.weights[:, None] * possible / (2_598_960 * 47)
    five, kinds = five_pays(terms), _kinds()
    classes = np.array(class_table()[hands.keys], np.int64)

    def add(name: str, net: float, put_up: float, share: float) -> None:
        if share:
            key = (name, net, put_up)
            shares[key] = shares.get(key, 0.0) + share

    add("surrender", -1.0, 1.0, float((weights * (near.choices == FOLD)).sum()))
    bet = np.where(near.choices == 0, weights, 0.0)
    _add_final(near, bet, five, kinds, classes, 0.0, "", add)
    for price in sorted({terms.prices[mask] for mask in terms.prices if mask != SIXTH}):
        masks = [mask for mask in terms.prices if mask != SIXTH and terms.prices[mask] == price]
        flows = _flows(near, weights, masks)
        drawn = np.zeros_like(near.values)
        spread_kept(hands.cards, hands.weights, flows, numbers_by_size(), drawn)
        folded = near.bet_values <= terms.results[4]
        fee = float(price)
        add("surrender after exchange", -1.0 - fee, 1.0 + fee, float((drawn * folded * possible).sum()))
        _add_final(near, drawn * ~folded * possible, five, kinds, classes, fee, " after exchange", add)
    if SIXTH in terms.prices:
        _add_sixth(near, weights, add)
    total = sum(shares.values())
    lines: dict[tuple[str, Fraction], Fraction] = {}
    wager = Fraction(0)
    for (name, net, put_up), share in shares.items():
        chance = Fraction(share / total).limit_denominator(10**15)
        key = (name, Fraction(net).limit_denominator(1000))
        lines[key] = lines.get(key, Fraction(0)) + chance
        wager += chance * Fraction(put_up).limit_denominator(1000)
    return merged([Line(name, net, chance) for (name, net), chance in lines.items()]), wager


def _flows(near: Nearly, weights: Floats, masks: list[int]) -> Floats:
    """Return how often each pattern of kept cards is drawn to: size x pattern x open card."""
    flows = np.zeros((5, LARGEST, 52), np.float64)
    hands, numbers = hand_list(), numbers_by_size()
    names, kept = np.zeros((24, 4), np.int64), np.zeros(5, np.int64)
    wanted = np.isin(near.choices, masks) & _possible()
    cards = np.arange(52)
    for row in np.flatnonzero(wanted.any(axis=1)):
        for mask in np.unique(near.choices[row][wanted[row]]):
            size = keep(hands.cards[row], int(mask), kept)
            relabelings(kept[:size], names)
            pattern = pattern_of(hands.cards[row], int(mask), names[0], numbers)
            chosen = wanted[row] & (near.choices[row] == mask)
            moved = (cards & ~3) | names[0][cards & 3]
            flows[size, pattern, moved[chosen]] += weights[row][chosen]
    return flows


def _add_final(
    near: Nearly, flow: Floats, five: Ints, kinds: Ints, classes: Ints, fee: float, after: str, add: Any
) -> None:
    """Add the lines of bets: ``flow`` says how often each hand meets each open card."""
    terms = near.terms
    parts = _parts(near.bets)
    rank = np.arange(52) >> 2
    for hand_class in HandClass:
        for pay in np.unique(five[classes == hand_class]):
            rows = np.flatnonzero((classes == hand_class) & (five == pay))
            some = flow[rows] / NO_DRAW_DEALS
            unqualified, win, tie = (part[rows] * some for part in parts)
            lose = flow[rows] - unqualified - win - tie
            means = near.gains[rank[None, :], kinds[rows][:, None], min(int(pay), MOST_PAY - 1)]
            _add_outcomes(
                terms, HandClass(hand_class).label, int(pay), fee, after, unqualified, win, tie, lose, means, add
            )


def _add_outcomes(
    terms: RussianTerms, label: str, pay: int, fee: float, after: str, unqualified: Floats, win: Floats, tie: Floats,
    lose: Floats, means: Floats, add: Any,
) -> None:  # fmt: skip
    results, price = terms.results, float(terms.bought[0])
    bought = unqualified[..., None] * means
    base, put_up = -fee, 3.0 + fee
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


def _add_sixth(near: Nearly, weights: Floats, add: Any) -> None:
    terms, hands = near.terms, hand_list()
    keys, codes, classes, pays, duplicate = _six(terms)
    rows, names, found = hand_rows(), np.zeros((24, 4), np.int64), np.zeros(3, np.int64)
    fee = float(terms.prices[SIXTH])
    chosen = (near.choices == SIXTH) & _possible()
    cards = np.arange(52)
    gathered: dict[tuple[int, int, int], Floats] = {}
    folded = 0.0
    for row in np.flatnonzero(chosen.any(axis=1)):
        hand = hands.cards[row]
        for card in range(52):
            if card in hand:
                continue
            best = sixth_row(hand, card, keys, codes, classes, pays, duplicate, rows, names, found)
            upcards = cards[chosen[row] & (cards != card)]
            moved = (upcards & ~3) | names[0][upcards & 3]
            share = weights[row][upcards] / 46
            unqualified, win, tie = _parts(near.bets[best][moved])
            kind = kind_of(int(found[0]), KINDS)
            pay = min(int(found[1]), MOST_PAY - 1)
            means = near.gains[upcards >> 2, kind, pay]
            bet = unqualified * (terms.results[0] + means[:, 0]) + win * (terms.results[1] + 2.0 * found[1])
            bet = bet + tie * terms.results[2] + (NO_DRAW_DEALS - unqualified - win - tie) * terms.results[3]
            plays = bet / NO_DRAW_DEALS > terms.results[4]
            folded += float(share[~plays].sum())
            part = share[plays] / NO_DRAW_DEALS
            lose = NO_DRAW_DEALS - unqualified - win - tie
            sums = [float((part * one[plays]).sum()) for one in (unqualified, win, tie, lose)]
            bought = ((part * unqualified[plays])[:, None] * means[plays]).sum(axis=0)
            key = (int(classes[found[0]]), int(found[1]), 0)
            gathered[key] = gathered.get(key, np.zeros(10)) + np.array([*sums, *bought])
    add("surrender after sixth card", -1.0 - fee, 1.0 + fee, folded)
    for (hand_class, pay, _), gathered_sums in gathered.items():
        counts = gathered_sums[:4]
        unqualified, win, tie, lose = (np.array([value]) for value in counts)
        means = gathered_sums[4:][None, :] / max(float(counts[0]), 1e-300)
        label = HandClass(hand_class).label
        _add_outcomes(terms, label, pay, fee, " after sixth card", unqualified, win, tie, lose, means, add)


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
