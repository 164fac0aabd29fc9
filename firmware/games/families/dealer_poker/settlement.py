"""The end of a round of dealer poker: one pure function from the final boxes to what every line pays.

Fees are purchases: they are never returned. Every win is a whole multiple of the ante, so nothing is ever rounded.
Not responsible for how the round got there.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from firmware.cards.card import SUITS, Card, rank_of, suit_of
from firmware.cards.poker_rank import WHEEL, class_of, rank_best, rank_five
from firmware.games.contract import BoxOutcome, HandOutcome, LineOutcome, Outcome
from firmware.games.families.dealer_poker.jackpot import settle_jackpot
from firmware.games.families.dealer_poker.second import second_combination
from firmware.games.families.dealer_poker.state import (
    BoxState,
    PokerRound,
    dealer_for,
    final_dealer,
    played,
    qualifies,
)
from firmware.games.families.dealer_poker.table import Rules

_ACE: Final = 12


def settle(rules: Rules, state: PokerRound) -> Outcome:
    """Return the outcome of a round in which every box is decided."""
    jackpot_paid: dict[int, int] = {}
    meter, won = None, 0
    if rules.profile.jackpot is not None:
        result = settle_jackpot(rules.profile.jackpot, state)
        jackpot_paid, meter, won = result.paid_minor, result.meter_minor, result.won_minor
    boxes = tuple(_settle_box(rules, state, box, jackpot_paid.get(box.box, 0)) for box in state.boxes)
    if not dealer_is_shown(rules, state):
        return Outcome(boxes, upcard(rules, state), "", None, meter, won)
    dealer = final_dealer(state)
    return Outcome(boxes, dealer, class_of(rank_five(dealer)).label, qualifies(dealer), meter, won)


def dealer_is_shown(rules: Rules, state: PokerRound) -> bool:
    """Tell whether the dealer turns his cards over at the end."""
    return rules.profile.reveal_when_all_folded or played(state)


def upcard(rules: Rules, state: PokerRound) -> tuple[Card, ...]:
    """Return the dealer's one card that lies face up from the start."""
    return state.dealer[:1] if rules.profile.upcard == "first" else state.dealer[-1:]


def _settle_box(rules: Rules, state: PokerRound, box: BoxState, jackpot_paid_minor: int) -> BoxOutcome:
    result = box_result(rules, state, box)
    second = second_combination(rules, box.cards)
    ante_paid, bet_paid = _paid(rules, box, result, () if second is None else (second,))
    lines = [LineOutcome("ante", box.ante_minor, ante_paid)]
    if box.bet_minor:
        lines.append(LineOutcome("bet", box.bet_minor, bet_paid))
    if box.drawn:
        lines.append(LineOutcome(box.drawn, box.draw_fee_minor, 0))
    if box.offer_answer == "buy_dealer_card":
        lines.append(LineOutcome(box.offer_answer, box.game_fee_minor, 0))
    if box.jackpot_minor:
        lines.append(LineOutcome("jackpot", box.jackpot_minor, jackpot_paid_minor))
    name = class_of(rank_best(box.cards)).label
    hand = HandOutcome(box.cards, name, result, None if second is None else second.label)
    return BoxOutcome(box.box, result, tuple(lines), (hand,))


def box_result(rules: Rules, state: PokerRound, box: BoxState) -> str:
    """Return a decided box's result: fold, no_qualify, win, push or lose."""
    if box.folded:
        return "fold"
    dealer = dealer_for(state, box)
    if not qualifies(dealer):
        return "no_qualify"
    difference = rank_best(box.cards) - rank_five(dealer)
    if difference == 0 and rules.profile.suit_priority == "highest_card":
        difference = _suit_difference(rules.profile.suit_order, best_five(box.cards), dealer)
    if difference > 0:
        return "win"
    return "push" if difference == 0 and rules.profile.equal_hands == "push" else "lose"


def _paid(rules: Rules, box: BoxState, result: str, second: Sequence[int]) -> tuple[int, int]:
    """Return what ante and bet pay back, stakes included."""
    ante, bet = box.ante_minor, box.bet_minor
    if result == "push":
        return ante, bet
    if result == "no_qualify":
        if not box.dealer:
            return 2 * ante, bet
        return (ante if rules.profile.dealer_game_failed == "ante_returned" else 0), bet
    if result != "win":
        return 0, 0
    ante_win = ante if rules.profile.ante_paid_when_dealer_qualifies else 0
    first = class_of(rank_best(box.cards))
    bet_win = bet * (rules.pays[first] + sum(rules.pays[hand_class] for hand_class in second))
    if rules.profile.max_win_minor is not None:
        bet_win = min(bet_win, rules.profile.max_win_minor - ante_win)
    return ante + ante_win, bet + bet_win


def best_five(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the five cards that count in a comparison."""
    return max(combinations(cards, 5), key=rank_five)


def _suit_difference(order: str, one: Sequence[Card], other: Sequence[Card]) -> int:
    """Compare two hands of equal ranks by the suit of their highest card; positive if the first is higher."""
    return _highest_suit(order, one) - _highest_suit(order, other)


def _highest_suit(order: str, cards: Sequence[Card]) -> int:
    """Return the strength (0-3) of the best suit among the cards of the highest rank; an ace in 5-4-3-2-A is low."""
    ranks = [rank_of(card) for card in cards]
    top = WHEEL[0] if set(ranks) == set(WHEEL) else max(ranks)
    return max(3 - order.index(SUITS[suit_of(card)]) for card in cards if rank_of(card) == top)
