"""Blackjack for simulation by arrays: one box at any table without surrender, played by best play.

The flow and the settlement here are a second writing of the rules that play, for speed alone; tests hold it to them
hand by hand on the same shoes. A pair is split once at the most. Not responsible for cards (``bulk_cards``), for best
play (``blackjack_best``) or for counting results (``bulk``).
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.cards.card import DECK
from firmware.cards.point_value import blackjack_points
from firmware.games.families.blackjack import Blackjack
from firmware.games.families.blackjack_play import may_double_total
from firmware.games.families.blackjack_rules import BlackjackRules
from firmware.maths.blackjack_best import Table, full_shoe, is_natural, pairs, starts, without
from firmware.maths.blackjack_hands import hand_number, player_hands
from firmware.maths.bulk_cards import Words, draw
from firmware.maths.compiled import Ints, SmallInts, compiled

STAND, HIT, DOUBLE, SPLIT = range(4)
_CODES: Final = {"stand": STAND, "hit": HIT, "double": DOUBLE, "split": SPLIT}
BUST: Final = 22


class BlackjackTables(NamedTuple):
    """All that a round needs. Money in minor units."""

    points: Ints
    """By card, an ace 1."""
    children: Ints
    totals: Ints
    softs: Ints
    """Of the hands (``player_hands``)."""
    known: Ints
    """Dealer's first card x second one (0: not seen) -> number of what is seen."""
    first: SmallInts
    """Seen x hand: the choice with the first two cards."""
    later: SmallInts
    """Seen x hand: with more cards."""
    split_first: SmallInts
    """Seen x points of the pair x hand: a split hand with two cards."""
    split_later: SmallInts
    insure: Ints
    """Player's two cards, by points."""
    bet: int
    natural_paid: int
    """What a natural brings back."""
    tied_naturals_paid: int
    tie_paid: int
    has_hole: bool
    exposed: bool
    natural_ends: bool
    original_bets: bool
    insurance: bool
    aces_one_card: bool
    hits_soft_17: bool


def can_play(rules: BlackjackRules) -> bool:
    """Tell whether this table's rules are all here."""
    return rules.surrender == "off"


def blackjack_tables(game: Blackjack, bet_minor: int) -> BlackjackTables:
    """Return the tables of a game with its best play."""
    rules, hands = game.rules, player_hands()
    seen = starts(rules)
    known = np.zeros((11, 11), np.int64)
    shape = (len(seen), len(hands.totals))
    first, later = np.zeros(shape, np.int8), np.zeros(shape, np.int8)
    split_first, split_later = (
        np.zeros((len(seen), 11, shape[1]), np.int8),
        np.zeros((len(seen), 11, shape[1]), np.int8),
    )
    insure = np.zeros((11, 11), np.int64)
    for number, cards in enumerate(seen):
        known[cards[0], cards[1] if len(cards) > 1 else 0] = number
        known[cards[-1], cards[0] if len(cards) > 1 else 0] = number
        table = Table(rules, cards, without(full_shoe(rules.deck_count), cards))
        later[number] = np.where(table.values.hit > table.values.stand, HIT, STAND)
        for pair in pairs():
            if not is_natural(pair):
                options = table.first_options(pair)
                first[number, hand_number(pair)] = _CODES[max(options, key=options.__getitem__)]
            if rules.insurance and cards == (1,):
                insure[pair[0], pair[1]] = insure[pair[1], pair[0]] = table.insurance(pair) > 0
        if rules.max_hands > 1:
            for points in range(1, 11):
                _fill_split(rules, table, points, split_first[number, points], split_later[number, points])
    numerator, denominator = rules.natural_pays
    natural_paid = bet_minor + bet_minor * numerator // denominator
    tied = {"push": bet_minor, "win": natural_paid, "lose": 0}
    return BlackjackTables(
        points=np.array([blackjack_points(card) for card in DECK], np.int64),
        children=hands.children,
        totals=hands.totals,
        softs=hands.softs,
        known=known,
        first=first,
        later=later,
        split_first=split_first,
        split_later=split_later,
        insure=insure,
        bet=bet_minor,
        natural_paid=natural_paid,
        tied_naturals_paid=tied[rules.tied_naturals],
        tie_paid=bet_minor if rules.ties == "push" else 0,
        has_hole=rules.has_hole_card,
        exposed=rules.exposed,
        natural_ends=rules.natural_ends_round,
        original_bets=rules.dealer_natural_takes == "original_bets",
        insurance=rules.insurance,
        aces_one_card=rules.split_aces_one_card,
        hits_soft_17=rules.soft_17 == "hit",
    )


def _fill_split(rules: BlackjackRules, table: Table, points: int, two: SmallInts, more: SmallInts) -> None:
    values, hands = table.split_values(points), player_hands()
    more[:] = np.where(values.hit > values.stand, HIT, STAND)
    for second in range(1, 11):
        number = hand_number((points, second))
        total, soft = int(hands.totals[number]), bool(hands.softs[number])
        options = {"stand": float(values.stand[number])}
        if not (points == 1 and rules.split_aces_one_card):
            options["hit"] = float(values.hit[number])
            if rules.double_after_split and may_double_total(rules, total, soft):
                options["double"] = float(values.double[number])
        two[number] = _CODES[max(options, key=options.__getitem__)]


@compiled
def _next(shoe: Ints, at: Ints, state: Words, live: bool, points: Ints) -> int:
    """Return the points of the shoe's next card, which is drawn now if the shoe is ``live``."""
    if live:
        draw(shoe, at[0], at[0] + 1, state)
    at[0] += 1
    return points[shoe[at[0] - 1]]  # type: ignore[no-any-return]


@compiled
def _hand(
    shoe: Ints,
    at: Ints,
    state: Words,
    live: bool,
    number: int,
    two: SmallInts,
    more: SmallInts,
    tables: BlackjackTables,
) -> tuple[int, bool]:
    """Play a hand of two cards; return its total (22: bust) and whether it was doubled."""
    choice = np.int64(two[number])
    if tables.totals[number] == 21:
        return 21, False
    if choice == DOUBLE:
        number = tables.children[number, _next(shoe, at, state, live, tables.points)]
        return (tables.totals[number] if number >= 0 else BUST), True
    while choice == HIT:
        number = tables.children[number, _next(shoe, at, state, live, tables.points)]
        if number < 0:
            return BUST, False
        if tables.totals[number] == 21:
            return 21, False
        choice = np.int64(more[number])
    return tables.totals[number], False


@compiled
def play_blackjack(shoe: Ints, at: Ints, state: Words, live: bool, tables: BlackjackTables, out: Ints) -> None:
    """Play one round from place ``at[0]`` of a shoe on; ``out`` gets staked and paid."""
    points, bet = tables.points, tables.bet
    one = _next(shoe, at, state, live, points)
    up = _next(shoe, at, state, live, points)
    two = _next(shoe, at, state, live, points)
    hole = _next(shoe, at, state, live, points) if tables.has_hole else 0
    number = tables.children[tables.children[0, one], two]
    natural = tables.totals[number] == 21
    seen = tables.known[up, hole if tables.exposed else 0]
    staked, insured = bet, 0
    if tables.insurance and up == 1 and tables.insure[one, two]:
        insured = bet // 2
        staked += insured
    dealer_natural = tables.has_hole and up + hole == 11 and (up == 1 or hole == 1)
    if tables.natural_ends and dealer_natural:
        out[0], out[1] = staked, 3 * insured + (tables.tied_naturals_paid if natural else 0)
        return
    results = np.zeros(2, np.int64)
    doubled = np.zeros(2, np.int64)
    count = 1
    if natural:
        results[0] = 21
    elif tables.first[seen, number] == SPLIT:
        count = 2
        for index in range(2):
            single = tables.children[0, one]
            number = tables.children[single, _next(shoe, at, state, live, points)]
            if one == 1 and tables.aces_one_card:
                results[index] = tables.totals[number]
            else:
                first, later = tables.split_first[seen, one], tables.split_later[seen, one]
                results[index], doubled[index] = _hand(shoe, at, state, live, number, first, later, tables)
    else:
        first, later = tables.first[seen], tables.later[seen]
        results[0], doubled[0] = _hand(shoe, at, state, live, number, first, later, tables)
    staked += bet * (count - 1 + doubled[0] + doubled[1])
    stands = results[0] != BUST or (count == 2 and results[1] != BUST)
    if not tables.has_hole and (stands or insured > 0 or (tables.original_bets and staked - insured > bet)):
        hole = _next(shoe, at, state, live, points)
        dealer_natural = up + hole == 11 and (up == 1 or hole == 1)
    total = up + hole
    has_ace = up == 1 or hole == 1
    soft = has_ace and total <= 11
    if soft:
        total += 10
    if stands and not natural:
        while total < 17 or (tables.hits_soft_17 and soft and total == 17):
            card = _next(shoe, at, state, live, points)
            hard = total - 10 if soft else total
            hard += card
            has_ace = has_ace or card == 1
            soft = has_ace and hard <= 11
            total = hard + 10 if soft else hard
    paid = 3 * insured if dealer_natural else 0
    for index in range(count):
        back = 0
        if dealer_natural and index and tables.original_bets:
            back = bet
        elif results[index] == BUST:
            back = 0
        elif natural:
            back = tables.tied_naturals_paid if dealer_natural else tables.natural_paid
        elif dealer_natural:
            back = 0
        elif results[index] > total or total > 21:
            back = 2 * bet
        elif results[index] == total:
            back = tables.tie_paid
        paid += back
        if doubled[index]:
            paid += bet if dealer_natural and tables.original_bets else back
    out[0], out[1] = staked, paid


@compiled
def simulate_blackjack(
    shoe: Ints, state: Words, rounds: int, cut_after: int, tables: BlackjackTables, least: int, counts: Ints
) -> int:
    """Play rounds, from a fresh shoe once ``cut_after`` cards are used; ``counts`` gets how many ended with each net result.

    Returns all that was staked.
    """
    out = np.zeros(2, np.int64)
    at = np.zeros(1, np.int64)
    staked = 0
    for _ in range(rounds):
        if at[0] >= cut_after:
            at[0] = 0
        play_blackjack(shoe, at, state, True, tables, out)
        staked += out[0]
        counts[out[1] - out[0] - least] += 1
    return staked
