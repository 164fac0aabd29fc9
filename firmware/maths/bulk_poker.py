"""Dealer poker for simulation by arrays: one open box of any table, played by best play, millions of rounds a second.

The settlement here is a second writing of the rules that play, for speed alone; tests hold it to them hand by hand on
the same decks. Not responsible for cards (``bulk_cards``) or for counting results (``bulk``).
"""

from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np

from firmware.cards.card import SUITS
from firmware.games.families.dealer_poker.game import DealerPoker
from firmware.maths.bulk_cards import Words, draw
from firmware.maths.compiled import Floats, Ints, SmallInts, compiled
from firmware.maths.draw_poker import Terms
from firmware.maths.hand_codes import CARD_CODES, hand_list, key_table, place_of, relabelings
from firmware.maths.kept_cards import choose, renamed, set_place
from firmware.maths.optimal import choice_table
from firmware.maths.poker_sheet import solution
from firmware.maths.progress import Progress
from firmware.maths.russian_best import hand_rows
from firmware.maths.russian_bought import LEAST_BUYING_PAY, Bought
from firmware.maths.russian_hand import QUALIFYING, SIXTH, bet_of
from firmware.maths.russian_options import RussianTerms
from firmware.maths.russian_pays import class_table, six_cards
from firmware.maths.sweep import FIELD, FIELD_BITS

FOLD: Final = -1
ASK: Final = -2
"""In the table of quick choices: look the hand up."""
DEALS: Final = 163_185


class PokerTables(NamedTuple):
    """All that a round needs. Money in minor units."""

    codes: Ints
    keys: Ints
    fives: Ints
    classes: SmallInts
    pays: Ints
    """By hand class, for six cards."""
    rows: Ints
    """Place of five cards -> row of the list of hands."""
    choices: SmallInts
    """Row x open card -> set of discards, 0 bet, 32 sixth card, -1 fold."""
    quick: SmallInts
    """Key -> the choice of all its hands, or ``ASK``."""
    bets: Ints
    """Row x open card -> dealer's hands that fail, lose, tie, of those without any known card but the five and the open one."""
    results: Floats
    bought: Bought
    fees: Ints
    """By number of cards exchanged; the sixth card's and the dealer's game's at 6 and 7."""
    suits: Ints
    """Strength of each suit; all -1 where suits don't decide."""
    ante: int
    dealer_first: int
    upcard_place: int
    ante_wins: int
    failed_returns: int
    tie_loses: int
    duplicate: bool
    buys: bool


def best_poker_tables(game: DealerPoker, ante_minor: int, progress: Progress) -> PokerTables:
    """Return the tables of a game with its best play; its choices are kept where ``optimal`` keeps them."""
    choices = choice_table(game.rules.profile, progress)
    bets = solution(Terms(game.rules.pays, 1, Fraction(0)), progress).bets  # counts of hands: prices don't matter
    return poker_tables(game, ante_minor, choices, bets)


def poker_tables(game: DealerPoker, ante_minor: int, choices: SmallInts, bets: Ints) -> PokerTables:
    """Return the tables of a game with these choices (row x open card) and counts of dealer's hands met."""
    profile, terms = game.rules.profile, RussianTerms.of(game.rules.profile)
    fees = np.zeros(8, np.int64)
    for mask, price in terms.prices.items():
        fees[6 if mask == SIXTH else mask.bit_count()] = int(price * ante_minor)
    fees[7] = int((profile.dealer_game_price or 0) * ante_minor)
    suits = np.full(4, -1, np.int64)
    if profile.suit_priority != "none":
        suits = np.array([3 - profile.suit_order.index(suit) for suit in SUITS], np.int64)
    return PokerTables(
        codes=CARD_CODES,
        keys=key_table(),
        fives=terms.fives,
        classes=class_table(),
        pays=np.array(terms.rules.pays, np.int64),
        rows=hand_rows(),
        choices=choices,
        quick=_quick(choices),
        bets=bets,
        results=terms.results,
        bought=terms.bought,
        fees=fees,
        suits=suits,
        ante=ante_minor,
        dealer_first=int(profile.first_card == "dealer"),
        upcard_place=0 if profile.upcard == "first" else 4,
        ante_wins=int(profile.ante_paid_when_dealer_qualifies),
        failed_returns=int(profile.dealer_game_failed == "ante_returned"),
        tie_loses=int(profile.equal_hands != "push"),
        duplicate=profile.duplicate_straight == "pays",
        buys=terms.buys,
    )


def _quick(choices: SmallInts) -> SmallInts:
    """Return key -> the choice that is best for all its hands against all open cards, or ``ASK``."""
    hands = hand_list()
    possible = ~(hands.cards[:, :, None] == np.arange(52)).any(axis=1)
    most = np.where(possible, choices, -9).max(axis=1)
    least = np.where(possible, choices, 99).min(axis=1)
    found = np.full(7462, ASK, np.int8)
    for key in range(7462):
        rows = slice(*np.searchsorted(hands.keys, (key, key + 1)))
        if most[rows].max() == least[rows].min() and most[rows].max() <= 0:
            found[key] = most[rows].max()
    return found


@compiled
def play_poker(cards: Ints, tables: PokerTables, out: Ints) -> None:
    """Play one round on a deck whose first cards are dealt.

    ``out`` gets: staked, paid (minor units), the first choice (set of discards by their places in the hand, 0, 32 or
    -1), whether a hand was bet, whether the dealer's game was bought.
    """
    ante = tables.ante
    codes, keys = tables.codes, tables.keys
    own = tables.dealer_first
    other = 1 - own
    open_card = cards[2 * tables.upcard_place + other]
    place = place_of(cards[own], cards[own + 2], cards[own + 4], cards[own + 6], cards[own + 8], codes)
    key, pay = int(keys[place]), int(tables.fives[place])
    first = int(tables.quick[key])
    if first == ASK:
        first = _choice(_dealt(cards, own), open_card, tables)
    out[0], out[1], out[2], out[3], out[4] = ante, 0, first, 0, 0
    if first == FOLD:
        return
    next_card = 10
    hand = cards[:0]  # made only where it is needed: making it takes as long as all the rest
    if first:
        hand = _dealt(cards, own)
        dealt = hand.copy()
        count = 0
        dead = np.zeros(5, np.int64)
        if first == SIXTH:
            hand[5] = cards[next_card]
            next_card += 1
            out[0] += tables.fees[6]
        else:
            for index in range(5):
                if first >> index & 1:
                    hand[index] = cards[next_card]
                    dead[count] = dealt[index]
                    next_card += 1
                    count += 1
            out[0] += tables.fees[count]
        size = 6 if first == SIXTH else 5
        key, pay, row_card = _final(hand, size, tables, dead, count)
        known = count if first != SIXTH else 1
        if not _bets(hand, size, open_card, dead, count, known, row_card, key, pay, tables):
            return
    out[3] = 1
    out[0] += 2 * ante
    place = place_of(cards[other], cards[other + 2], cards[other + 4], cards[other + 6], cards[other + 8], codes)
    dealer_key = int(keys[place])
    if dealer_key < QUALIFYING:
        if not tables.buys or pay < LEAST_BUYING_PAY:
            out[1] = 4 * ante
            return
        dealer = _dealt(cards, other)
        if not first:
            hand = _dealt(cards, own)
        if not _buys(cards, hand, first, dealer, key, pay, tables):
            out[1] = 4 * ante
            return
        out[4] = 1
        out[0] += tables.fees[7]
        top = 0
        for index in range(1, 5):
            if dealer[index] >> 2 > dealer[top] >> 2:
                top = index
        dropped = dealer[top] >> 2
        while tables.bought.terms[3] > 0.5 and cards[next_card] >> 2 == dropped:
            next_card += 1
        dealer[top] = cards[next_card]
        dealer_key = int(keys[place_of(dealer[0], dealer[1], dealer[2], dealer[3], dealer[4], codes)])
        if dealer_key < QUALIFYING:
            out[1] = 2 * ante + ante * tables.failed_returns
            return
    difference = key - dealer_key
    if difference == 0 and tables.suits[0] >= 0:
        difference = _highest_suit(hand if first else _dealt(cards, own), tables.suits)
        difference -= _highest_suit(_dealt(cards, other), tables.suits)
    if difference > 0:
        out[1] = ante + ante * tables.ante_wins + 2 * ante * (1 + pay)
    elif difference == 0 and not tables.tie_loses:
        out[1] = 3 * ante


@compiled
def _dealt(cards: Ints, first: int) -> Ints:
    """Return the five cards of one hand, with room for a sixth."""
    hand = np.zeros(6, np.int64)
    for index in range(5):
        hand[index] = cards[2 * index + first]
    return hand


@compiled
def _choice(hand: Ints, open_card: int, tables: PokerTables) -> int:
    """Return the first choice, with discards as bits by their places in the hand."""
    names = np.zeros((24, 4), np.int64)
    five = hand[:5].copy()
    relabelings(five, names)
    for index in range(5):
        five[index] = renamed(five[index], names[0])
    row = tables.rows[set_place(five)]
    mask = int(tables.choices[row, renamed(open_card, names[0])])
    if mask <= 0 or mask == SIXTH:
        return mask
    own = 0
    for index in range(5):
        card = renamed(hand[index], names[0])
        for place in range(5):
            if five[place] == card and mask >> place & 1:
                own |= 1 << index
    return own


@compiled
def _final(hand: Ints, size: int, tables: PokerTables, dead: Ints, count: int) -> tuple[int, int, int]:
    """Return key and pay of the final hand, and for six cards which one the best five leave out."""
    if size == 6:
        found = np.zeros(3, np.int64)
        six_cards(hand, tables.keys, tables.codes, tables.classes, tables.pays, tables.duplicate, found)
        return found[0], found[1], found[2]
    place = place_of(hand[0], hand[1], hand[2], hand[3], hand[4], tables.codes)
    return tables.keys[place], tables.fives[place], 5


@compiled
def _bets(
    hand: Ints, size: int, open_card: int, dead: Ints, count: int, known: int, out_card: int, key: int, pay: int,
    tables: PokerTables,
) -> bool:  # fmt: skip
    """Tell whether a bet is worth more than a fold; counted deal by deal only where bounds don't tell."""
    names = np.zeros((24, 4), np.int64)
    five = np.zeros(5, np.int64)
    five[:out_card] = hand[:out_card]
    five[out_card:] = hand[out_card + 1 : 6] if size == 6 else hand[out_card:5]
    relabelings(five, names)
    for index in range(5):
        five[index] = renamed(five[index], names[0])
    counts = tables.bets[tables.rows[set_place(five)], renamed(open_card, names[0])]
    good = (counts & FIELD) + ((counts >> FIELD_BITS) & FIELD)
    met = choose(46 - known, 4)
    # A deal is worth 2 antes or more above a fold, or 2 below it (a tie: above); dead cards only take deals away.
    if 2 * (DEALS - good) < met:
        return True
    if counts >> FIELD_BITS == 0 and 2 * good < met and pay < LEAST_BUYING_PAY:
        return False
    pool = np.zeros(52, np.int64)
    left = 0
    for card in range(52):
        is_known = card == open_card
        for index in range(size):
            is_known = is_known or hand[index] == card
        for index in range(count):
            is_known = is_known or dead[index] == card
        if not is_known:
            pool[left] = card
            left += 1
    value = bet_of(
        key, pay, open_card, pool[:left], tables.codes, tables.keys, tables.results, tables.bought, tables.buys,
    )  # fmt: skip
    return bool(value > tables.results[4])


@compiled
def _buys(cards: Ints, hand: Ints, first: int, dealer: Ints, key: int, pay: int, tables: PokerTables) -> bool:
    """Tell whether buying the dealer's card is worth more than the ante's win."""
    known = np.zeros(52, np.int64)
    for index in range(10):
        known[cards[index]] = 1
    for index in range(6 if first == SIXTH else 5):
        known[hand[index]] = 1
    rest = dealer.copy()
    top = 0
    for index in range(1, 5):
        if dealer[index] >> 2 > dealer[top] >> 2:
            top = index
    total = 0.0
    count = 0
    for card in range(52):
        if known[card] or (tables.bought.terms[3] > 0.5 and card >> 2 == dealer[top] >> 2):
            continue
        rest[top] = card
        new = tables.keys[place_of(rest[0], rest[1], rest[2], rest[3], rest[4], tables.codes)]
        count += 1
        if new < QUALIFYING:
            total += tables.bought.terms[1]
        elif new < key:
            total += 2.0 * pay + tables.results[1]
        else:
            total += tables.bought.terms[2] if new == key else -3.0
    return bool(round(1e6 * (total / count - tables.bought.terms[0])) > 1_000_000)


@compiled
def _highest_suit(cards: Ints, suits: Ints) -> int:
    """Return the strength of the best suit among the cards of the highest rank; an ace in 5-4-3-2-A is low."""
    ranks = 0
    for index in range(5):
        ranks |= 1 << (cards[index] >> 2)
    top = 3 if ranks == 0b1000000001111 else 12
    while not ranks >> top & 1:
        top -= 1
    best = -1
    for index in range(5):
        if cards[index] >> 2 == top:
            best = max(best, suits[cards[index] & 3])
    return best


@compiled
def simulate_poker(
    deck: Ints, state: Words, rounds: int, most_cards: int, tables: PokerTables, least: int, counts: Ints
) -> int:
    """Play rounds; ``counts`` gets how many ended with each net result from ``least`` on. Returns all that was staked."""
    out = np.zeros(5, np.int64)
    staked = 0
    for _ in range(rounds):
        draw(deck, 0, most_cards, state)
        play_poker(deck, tables, out)
        staked += out[0]
        counts[out[1] - out[0] - least] += 1
    return staked
