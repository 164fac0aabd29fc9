"""The dealer's bought card, counted by sets of ranks, against every dealer's hand and every next card by the rules' ranking."""

import random
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from firmware.cards.card import DECK, Card, parse_cards, rank_of, suit_of
from firmware.cards.poker_rank import LOWEST_ACE_KING_KEY, rank_five
from firmware.errors import UserError
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.families.dealer_poker.state import highest_card
from firmware.games.registry import register
from firmware.maths.russian_bought import ENDS, LEAST_BUYING_PAY, bought_gain, no_game_count, suits_of
from firmware.maths.russian_options import RussianTerms, bought_value, hand_pays

HANDS = (
    "2s 3s 4h 5d 6c",  # the lowest straight that a six makes
    "Ts Jh Qd Kc As",
    "2s 4s 6s 7s 9s",
    "Ks Qs 9s 8s 2s",
    "2s 2h 2d 3c 3s",
    "As Ah Ad Ac Kd",
    "5s 6s 7s 8s 9s",
    "As Ah Ad Kc 7d",  # three of a kind and Ace-King: four to one
)


def terms(**options: object) -> RussianTerms:
    profile = register("russian", options).profile
    assert isinstance(profile, DealerPokerProfile)
    return RussianTerms.of(profile)


def by_the_rules(table: RussianTerms, hand: Sequence[Card], upcard: Card, live: Sequence[Card]) -> tuple[float, float]:
    """Gain of the hand by buying, over all hands of a dealer who has no game, and in how many it buys."""
    gain = bought = 0.0
    for four in combinations(live, 4):
        dealer = (upcard, *four)
        if rank_five(dealer) >= LOWEST_ACE_KING_KEY:
            continue
        rest = [card for card in live if card not in four]
        if table.bought.terms[3] and all(rank_of(card) == rank_of(highest_card(dealer)) for card in rest):
            continue
        value = bought_value(table, hand, dealer, rest)
        gain += max(0.0, value - 1.0)
        bought += value > 1.0
    return gain, bought


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("again", [False, True])
def test_the_gain_is_that_of_every_hand_and_card(hand: str, again: bool) -> None:
    table, own = terms(dealer_redraws_same_rank=again), parse_cards(hand.split())
    key, pay = hand_pays(table, own)
    assert pay >= LEAST_BUYING_PAY
    generator = random.Random(hand + str(again))
    found = 0.0
    for turn in range(6):
        upcard, *others = generator.sample([card for card in DECK if card not in own], 47)
        # Mostly cards of one suit, the open card's or another, so that flushes and straight flushes come up.
        suit = suit_of(upcard) if turn % 2 else suit_of(others[0])
        live = sorted([card for card in others if suit_of(card) == suit][:9] + others[-6:])
        live = sorted(set(live))
        suits, ends = np.zeros(4, np.int64), np.zeros(ENDS, np.float64)
        suits_of(np.array(live, np.int64), suits)
        gain = bought_gain(suits, upcard, key, pay, table.bought, ends)
        expected, bought = by_the_rules(table, own, upcard, live)
        assert gain == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert ends[0] == bought
        assert ends[1:].sum() == pytest.approx(bought)
        found += gain
    assert found > 0


def test_hands_without_a_game_are_counted_as_the_rules_rank_them() -> None:
    table, generator = terms(), random.Random(4)
    for turn in range(12):
        upcard, *others = generator.sample(DECK, 52)
        suit = suit_of(upcard)
        live = [card for card in others if suit_of(card) == suit][: 10 if turn % 2 else 2]
        live = sorted({*live, *others[-12:]})
        suits = np.zeros(4, np.int64)
        suits_of(np.array(live, np.int64), suits)
        expected = sum(rank_five((upcard, *four)) < LOWEST_ACE_KING_KEY for four in combinations(live, 4))
        assert no_game_count(suits, upcard, table.bought) == expected > 0


def test_a_hand_that_pays_less_never_gains() -> None:
    """Three to one, with the most cards dead that can be: 37 are left, and no gain."""
    table = terms()
    live = np.array([card for card in DECK if rank_of(card) < 11], np.int64)
    suits, ends = np.zeros(4, np.int64), np.zeros(ENDS, np.float64)
    suits_of(live[:41], suits)
    assert bought_gain(suits, 51, 5000, LEAST_BUYING_PAY - 1, table.bought, ends) == 0.0


def test_a_cheaper_dealers_game_is_refused_by_name() -> None:
    with pytest.raises(UserError, match="dealer_game_price"):
        terms(dealer_game_price=0, acknowledge_player_edge=["dealer_game_at_0_antes"])
