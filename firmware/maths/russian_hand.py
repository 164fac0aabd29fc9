"""One decision of Russian Poker, or of any table with draws: the value of fold, bet and every draw, deal by deal.

Against one open card the dealer has 163,185 hands. They are passed from the weakest to the strongest, and so are the
player's hands after every possible draw: counts by sets of up to four cards tell, for each drawn hand, how many of the
dealer's hands without the drawn cards it meets, beats and ties. Exact. Not responsible for hands up to suits (``draw_poker``,
``russian_sheet``) or for what the dealer's bought card gains (``russian_bought``).
"""

from typing import Final

import numpy as np

from firmware.maths.compiled import Floats, Ints, SmallInts, compiled
from firmware.maths.hand_codes import place_of
from firmware.maths.kept_cards import choose, next_set
from firmware.maths.russian_bought import ENDS, LEAST_BUYING_PAY, Bought, bought_gain, no_game_count, suits_of, take_out
from firmware.maths.russian_ends import add_end, bet_value, tie_value
from firmware.maths.russian_pays import six_cards
from firmware.maths.sweep import EQUAL, LOWER, NOT_QUALIFIED

MASKS: Final = 33
"""Options: 0 bet at once; 1 to 31 the set of cards given up, as bits; 32 a sixth card."""
SIXTH: Final = 32
QUALIFYING: Final = 1113


@compiled
def _mark(four: Ints, amount: int, ones: Ints, twos: Ints, threes: Ints, fours: Ints, number: int) -> None:
    """Add an amount to every set of the dealer's four cards (places in the pool, ascending)."""
    a, b, c, d = four
    fours[number] += amount
    ones[a] += amount
    ones[b] += amount
    ones[c] += amount
    ones[d] += amount
    twos[b * (b - 1) // 2 + a] += amount
    twos[c * (c - 1) // 2 + a] += amount
    twos[c * (c - 1) // 2 + b] += amount
    twos[d * (d - 1) // 2 + a] += amount
    twos[d * (d - 1) // 2 + b] += amount
    twos[d * (d - 1) // 2 + c] += amount
    c3 = c * (c - 1) * (c - 2) // 6
    d3 = d * (d - 1) * (d - 2) // 6
    ab = b * (b - 1) // 2 + a
    threes[c3 + ab] += amount
    threes[d3 + ab] += amount
    threes[d3 + c * (c - 1) // 2 + a] += amount
    threes[d3 + c * (c - 1) // 2 + b] += amount


@compiled
def _counts(new: Ints, size: int, whole: int, ones: Ints, twos: Ints, threes: Ints, fours: Ints) -> int:
    """Return the counts of dealer's hands without the new cards (places in the pool, ascending)."""
    value = whole
    for i in range(size):
        a = new[i]
        value -= ones[a]
        for j in range(i + 1, size):
            b = new[j]
            ab = b * (b - 1) // 2 + a
            value += twos[ab]
            for m in range(j + 1, size):
                c = new[m]
                abc = c * (c - 1) * (c - 2) // 6 + ab
                value -= threes[abc]
                for n in range(m + 1, size):
                    d = new[n]
                    value += fours[d * (d - 1) * (d - 2) * (d - 3) // 24 + abc]
    return value


@compiled
def option_values(
    hand: Ints,
    upcard: int,
    pool: Ints,
    wanted: SmallInts,
    codes: Ints,
    keys: Ints,
    fives: Ints,
    class_of_key: SmallInts,
    class_pays: Ints,
    duplicate_pays: bool,
    results: Floats,
    bought: Bought,
    buys: bool,
    values: Floats,
    ends: Floats,
) -> None:
    """Set the values of all wanted options, before their price, in antes, and how they end.

    Args:
        hand: five cards. pool: the cards that may come, ascending: all but the hand, the open card and other seen ones.
        wanted: by option (``MASKS``) whether to work it out.
        fives: what five cards pay to one, by place. class_pays: by class.
        results: of a bet: not qualified, added to a win's pay on the bet, tie, loss; then of a fold; share of ties that win.
        buys: whether the dealer's game is sold.
        values: gets the values, by option.
        ends: class x pay x end (``russian_ends``), gets the chances of all wanted options added up; of no size where nobody asks.
    """
    n = len(pool)
    deals = choose(n, 4)
    four = np.array([0, 1, 2, 3], np.int64)
    places = np.zeros((deals, 4), np.int8)
    dealer_keys = np.zeros(deals, np.int64)
    for number in range(deals):
        for index in range(4):
            places[number, index] = four[index]
        dealer_keys[number] = keys[place_of(pool[four[0]], pool[four[1]], pool[four[2]], pool[four[3]], upcard, codes)]
        next_set(four, 4)
    order = _by_key(dealer_keys)
    # All hands that the player can come to: key, option, and the new cards' places in the pool.
    count = 0
    for mask in range(SIXTH):
        if wanted[mask]:
            count += choose(n, _bits(mask))
    if wanted[SIXTH]:
        count += n
    final_keys = np.zeros(count, np.int64)
    final_pays = np.zeros(count, np.int64)
    options = np.zeros(count, np.int8)
    drawn = np.zeros((count, 5), np.int8)
    cards = np.zeros(5, np.int64)
    six = np.zeros(6, np.int64)
    found = np.zeros(3, np.int64)
    at = 0
    for mask in range(MASKS):
        if not wanted[mask]:
            continue
        size = 1 if mask == SIXTH else _bits(mask)
        new = np.arange(5)
        for _ in range(choose(n, size)):
            if mask == SIXTH:
                six[:5] = hand
                six[5] = pool[new[0]]
                six_cards(six, keys, codes, class_of_key, class_pays, duplicate_pays, found)
                final_keys[at], final_pays[at] = found[0], found[1]
            else:
                taken = 0
                for index in range(5):
                    if mask & (1 << index):
                        cards[index] = pool[new[taken]]
                        taken += 1
                    else:
                        cards[index] = hand[index]
                place = place_of(cards[0], cards[1], cards[2], cards[3], cards[4], codes)
                final_keys[at], final_pays[at] = keys[place], fives[place]
            options[at] = mask
            for index in range(size):
                drawn[at, index] = new[index]
            at += 1
            if size:
                next_set(new, size)
    pool_suits = np.zeros(4, np.int64)
    suits_of(pool, pool_suits)
    suits = np.zeros(4, np.int64)
    bought_ends = np.zeros(ENDS, np.float64)
    ones = np.zeros(n, np.int64)
    twos = np.zeros(choose(n, 2), np.int64)
    threes = np.zeros(choose(n, 3), np.int64)
    fours = np.zeros(deals, np.int64)
    whole = 0
    for mask in range(MASKS):
        if wanted[mask]:
            values[mask] = 0.0
    first = 0
    while first < deals and dealer_keys[order[first]] < QUALIFYING:
        number = order[first]
        _mark(places[number], NOT_QUALIFIED, ones, twos, threes, fours, number)
        whole += NOT_QUALIFIED
        first += 1
    equal_from = first
    equal_key = -1
    new = np.zeros(5, np.int64)
    for index in _by_key(final_keys):
        key = final_keys[index]
        if key > equal_key and key >= QUALIFYING:
            for move in range(equal_from, first):
                number = order[move]
                _mark(places[number], LOWER - EQUAL, ones, twos, threes, fours, number)
                whole += LOWER - EQUAL
            while first < deals and dealer_keys[order[first]] < key:
                number = order[first]
                _mark(places[number], LOWER, ones, twos, threes, fours, number)
                whole += LOWER
                first += 1
            equal_from = first
            while first < deals and dealer_keys[order[first]] == key:
                number = order[first]
                _mark(places[number], EQUAL, ones, twos, threes, fours, number)
                whole += EQUAL
                first += 1
            equal_key = key
        mask = options[index]
        size = 1 if mask == SIXTH else _bits(mask)
        for one in range(size):
            new[one] = drawn[index, one]
        counts = _counts(new, size, whole, ones, twos, threes, fours)
        met = choose(n - size, 4)
        pay = final_pays[index]
        gain = 0.0
        bought_ends[:] = 0.0
        if buys and pay >= LEAST_BUYING_PAY:
            suits[:] = pool_suits
            for one in range(size):
                take_out(pool[new[one]], suits)
            gain = bought_gain(suits, upcard, key, pay, bought, bought_ends)
        value = bet_value(counts, pay, gain, results, met)
        values[mask] += max(value, results[4]) if mask else value
        if len(ends):
            add_end(counts, met, pay, gain, bought_ends, 1.0 / choose(n, size), results, ends[class_of_key[key], pay])
    for mask in range(1, MASKS):
        if wanted[mask]:
            values[mask] /= choose(n, 1 if mask == SIXTH else _bits(mask))


@compiled
def bet_of(
    key: int,
    pays: int,
    upcard: int,
    pool: Ints,
    codes: Ints,
    keys: Ints,
    results: Floats,
    bought: Bought,
    buys: bool,
) -> float:
    """Return the value of betting on a final hand, deal by deal; arguments as in ``option_values``."""
    n = len(pool)
    value = 0.0
    suits = np.zeros(4, np.int64)
    suits_of(pool, suits)
    if key < QUALIFYING:  # it beats no dealer who has a game
        deals = choose(n, 4)
        unqualified = no_game_count(suits, upcard, bought)
        return (unqualified * results[0] + (deals - unqualified) * results[3]) / deals  # type: ignore[no-any-return]
    for a in range(n):
        for b in range(a + 1, n):
            for c in range(b + 1, n):
                for d in range(c + 1, n):
                    dealer = keys[place_of(pool[a], pool[b], pool[c], pool[d], upcard, codes)]
                    if dealer < QUALIFYING:
                        value += results[0]
                    elif dealer < key:
                        value += results[1] + 2.0 * pays
                    else:
                        value += tie_value(pays, results) if dealer == key else results[3]
    if buys and pays >= LEAST_BUYING_PAY:
        value += bought_gain(suits, upcard, key, pays, bought, np.zeros(ENDS, np.float64))
    return value / choose(n, 4)


@compiled
def _bits(mask: int) -> int:
    count = 0
    while mask:
        count += mask & 1
        mask >>= 1
    return count


@compiled
def _by_key(keys: Ints) -> Ints:
    """Return the order that sorts keys (0 to 7,461): a counting sort."""
    starts = np.zeros(7464, np.int64)
    for key in keys:
        starts[key + 1] += 1
    for key in range(7463):
        starts[key + 1] += starts[key]
    order = np.zeros(len(keys), np.int64)
    for index in range(len(keys)):
        order[starts[keys[index]]] = index
        starts[keys[index]] += 1
    return order
