"""Best play of one hand of Russian Poker: what a table sells and pays, and the value of every option.

Not responsible for the counting (``russian_hand``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from firmware.cards.card import Card, rank_of
from firmware.cards.poker_rank import LOWEST_ACE_KING_KEY, HandClass, rank_five
from firmware.errors import UserError
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.families.dealer_poker.state import highest_card
from firmware.games.families.dealer_poker.table import Rules
from firmware.maths.compiled import Floats, Ints
from firmware.maths.hand_codes import CARD_CODES, key_table, place_of
from firmware.maths.russian_bought import LEAST_BUYING_PRICE, Bought
from firmware.maths.russian_ends import ENDS, MOST_PAY
from firmware.maths.russian_hand import MASKS, SIXTH, bet_of, option_values
from firmware.maths.russian_pays import class_table, five_card_pays, six_card_pays

BET: Final = 0


@dataclass(frozen=True)
class RussianTerms:
    """What decides the odds of a table, in the form in which the counting needs it."""

    rules: Rules
    results: Floats
    """Of a bet when the dealer doesn't qualify, what a win adds to the bet's pay, of a tie, of a loss; of a fold; and which
    share of the ties is won (half of them where suits decide)."""
    bought: Bought
    buys: bool
    prices: dict[int, Fraction]
    """Option (set of discards as bits, or ``SIXTH``) -> price in antes."""
    fives: Ints
    """What five cards pay, by place."""

    @classmethod
    def of(cls, profile: DealerPokerProfile) -> "RussianTerms":
        """Return the terms of a table.

        Raises:
            UserError: an option whose odds are not computed.
        """
        if profile.after_draw != "free_choice" or profile.max_win_minor is not None:
            raise UserError("par: after_draw or max_win_minor: odds are computed for free_choice and no cap")
        suits = profile.suit_priority != "none"
        if suits and profile.dealer_game_price is not None:
            raise UserError("par: suit_priority: odds are computed for tables that do not sell the dealer's game")
        if profile.dealer_game_price is not None and profile.dealer_game_offer != "always":
            raise UserError("par: dealer_game_offer: odds are computed for 'always' only")
        tie = 0.0 if profile.equal_hands == "push" and not suits else -3.0
        ante = float(profile.ante_paid_when_dealer_qualifies)
        price = profile.dealer_game_price
        if profile.dealer_game_price is not None and profile.dealer_game_price < LEAST_BUYING_PRICE:
            raise UserError("par: dealer_game_price: odds are computed for a price of one ante or more")
        failed = 0.0 if profile.dealer_game_failed == "ante_returned" else -1.0
        again = float(profile.dealer_redraws_same_rank)
        bought = Bought.of(np.array([float(price or 0), failed, tie, again, ante]))
        prices = {
            mask: profile.exchange_tariff[mask.bit_count()]
            for mask in range(1, SIXTH)
            if mask.bit_count() in profile.exchange_tariff
        }
        if profile.sixth_card_price is not None:
            prices[SIXTH] = profile.sixth_card_price
        results = np.array([1.0, ante, tie, -3.0, -1.0, 0.5 if suits else 0.0])
        return cls(Rules.of(profile), results, bought, price is not None, prices, five_card_pays(Rules.of(profile)))


def values_of(
    terms: RussianTerms,
    hand: Ints,
    upcard: int,
    seen: tuple[int, ...] = (),
    only: frozenset[int] | None = None,
) -> dict[int, float]:
    """Return option -> value in antes, its price taken off; the fold is always -1 and not among them.

    Args:
        hand: five cards. seen: other cards that can't come any more.
        only: the options to work out besides the bet, None for all that the table sells.
    """
    wanted = [BET, *(mask for mask in terms.prices if only is None or mask in only)]
    values = _count(terms, hand, upcard, _unseen(*hand.tolist(), upcard, *seen), wanted, np.zeros((0, 0, 0)))
    return {mask: float(values[mask]) - float(terms.prices.get(mask, Fraction(0))) for mask in sorted(wanted)}


def ends_of(terms: RussianTerms, kept: Sequence[int], option: int, upcard: int, dead: Sequence[int]) -> Floats:
    """Return class x pay x end (``russian_ends``): the chances of what an option ends in, with best play after the draw.

    Args:
        kept: the cards that are not given up; five for a bet and for a sixth card.
        dead: cards that can't come any more; a discard that is not among them may come back.
    """
    discards = 0 if option == SIXTH else option.bit_count()
    # The cards given up are never looked at: any may stand for them.
    hand = np.array([*[0] * discards, *kept], np.int64)
    mask = SIXTH if option == SIXTH else (1 << discards) - 1
    ends = np.zeros((len(HandClass), MOST_PAY, ENDS), np.float64)
    _count(terms, hand, upcard, _unseen(*kept, upcard, *dead), [mask], ends)
    return ends


def _unseen(*known: int) -> Ints:
    return np.array([card for card in range(52) if card not in known], np.int64)


def _count(terms: RussianTerms, hand: Ints, upcard: int, pool: Ints, options: Sequence[int], ends: Floats) -> Floats:
    """Return the values of the options, before their price; ``ends`` gets how they end, unless it has no size."""
    wanted = np.zeros(MASKS, np.int8)
    wanted[list(options)] = 1
    values = np.zeros(MASKS, np.float64)
    profile = terms.rules.profile
    option_values(
        hand, upcard, pool, wanted, CARD_CODES, key_table(), terms.fives, class_table(),
        np.array(terms.rules.pays, np.int64), profile.duplicate_straight == "pays", terms.results, terms.bought, terms.buys,
        values, ends,
    )  # fmt: skip
    return values


def final_value(terms: RussianTerms, cards: Sequence[Card], upcard: int, seen: tuple[int, ...] = ()) -> float:
    """Return the value of betting on a final hand of five cards or six, in antes, fees not counted. Exact."""
    key, pays = hand_pays(terms, cards)
    return bet_of(
        key,
        pays,
        upcard,
        _unseen(*cards, upcard, *seen),
        CARD_CODES,
        key_table(),
        terms.results,
        terms.bought,
        terms.buys,
    )


def hand_pays(terms: RussianTerms, cards: Sequence[Card]) -> tuple[int, int]:
    """Return key and pay of a hand of five cards or six."""
    if len(cards) == 6:
        return six_card_pays(terms.rules, list(cards))
    a, b, c, d, e = cards
    place = place_of(a, b, c, d, e, CARD_CODES)
    return int(key_table()[place]), int(terms.fives[place])


def bought_value(terms: RussianTerms, cards: Sequence[Card], dealer: Sequence[Card], unseen: Sequence[Card]) -> float:
    """Return the value of buying a card for a dealer who does not qualify, in antes, the price taken off. Exact."""
    key, pays = hand_pays(terms, cards)
    price, failed, tie, again, ante = (float(value) for value in terms.bought.terms)
    dropped = highest_card(dealer)
    rest = [card for card in dealer if card != dropped]
    total = count = 0.0
    for card in unseen:
        if again and rank_of(card) == rank_of(dropped):
            continue
        new = rank_five((*rest, card))
        count += 1
        if new < LOWEST_ACE_KING_KEY:
            total += failed
        else:
            total += 2.0 * pays + ante if new < key else tie if new == key else -3.0
    return total / count - price
