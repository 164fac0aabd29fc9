"""The order of a round of blackjack: who is asked, who gets the next card, when the dealer draws and when it ends.

    deal -> insurance, box by box -> early surrender, box by box -> peek -> play, box by box and hand by hand -> dealer -> settled

A split hand gets its second card when its turn comes, so that one hand is finished before the next is looked at.
Not responsible for which actions are legal (``blackjack_play``) nor for what is paid (``blackjack_settlement``).
"""

from collections.abc import Sequence

from firmware.cards.card import Card
from firmware.games.contract import Chance, Decision, Node, Settled
from firmware.games.families.blackjack_hand import (
    BLACKJACK,
    can_make_natural,
    dealer_draws,
    hand_value,
    is_ace,
    is_natural,
)
from firmware.games.families.blackjack_rules import BlackjackRules
from firmware.games.families.blackjack_settlement import settle
from firmware.games.families.blackjack_state import BlackjackState, Box, Hand


def opening_card_count(rules: BlackjackRules, box_count: int) -> int:
    """Return how many cards the first deal takes: two a box, and one or two for the dealer."""
    return 2 * box_count + (2 if rules.has_hole_card else 1)


def deal_opening(rules: BlackjackRules, state: BlackjackState, cards: Sequence[Card]) -> Node:
    """Deal the first cards, one at a time: boxes then the dealer, twice (once for a dealer without a hole card)."""
    count = len(state.boxes)
    boxes = []
    for index, box in enumerate(state.boxes):
        hand = (cards[index], cards[count + 1 + index])
        boxes.append(Box(box.box, box.bet_minor, (Hand(hand, "stood" if is_natural(hand) else "playing"),)))
    dealer = tuple(cards[index] for index in (count, 2 * count + 1) if index < len(cards))
    return _ask_insurance(rules, BlackjackState(tuple(boxes), dealer, "insurance"), 0)


def deal_next(rules: BlackjackRules, state: BlackjackState, card: Card) -> Node:
    """Give one card to whom it is meant for: the hand in turn, or the dealer."""
    if state.phase == "dealer":
        return _dealer_turn(rules, BlackjackState(state.boxes, (*state.dealer, card), "dealer"))
    box = state.boxes[state.turn]
    hand = _with_card(rules, box, box.hands[state.hand], card)
    return next_turn(rules, state.with_box(state.turn, box.with_hand(state.hand, hand)))


def after_insurance(rules: BlackjackRules, state: BlackjackState) -> Node:
    """Go on after a box has answered the question of insurance."""
    return _ask_insurance(rules, state, state.turn + 1)


def after_early_surrender(rules: BlackjackRules, state: BlackjackState) -> Node:
    """Go on after a box has answered whether it surrenders before the dealer looks at the hole card."""
    return _ask_early_surrender(rules, state, state.turn + 1)


def next_turn(rules: BlackjackRules, state: BlackjackState) -> Node:
    """Find the next hand to be played, from the one in turn onwards; after the last it is the dealer's turn."""
    for turn in range(state.turn, len(state.boxes)):
        for index, hand in enumerate(state.boxes[turn].hands):
            if hand.open:
                found = BlackjackState(state.boxes, state.dealer, "play", turn, index)
                if hand.status == "waiting":
                    return Chance(found, 1)
                return Decision(found, state.boxes[turn].box, index)
    return _dealer_turn(rules, BlackjackState(state.boxes, state.dealer, "dealer"))


def _ask_insurance(rules: BlackjackRules, state: BlackjackState, turn: int) -> Node:
    if rules.insurance and is_ace(state.dealer[0]) and turn < len(state.boxes):
        return Decision(BlackjackState(state.boxes, state.dealer, "insurance", turn), state.boxes[turn].box)
    return _ask_early_surrender(rules, state, 0)


def _ask_early_surrender(rules: BlackjackRules, state: BlackjackState, turn: int) -> Node:
    """Only where the dealer is about to peek; otherwise surrender is one of the first choices of play."""
    if rules.asks_before_peek and can_make_natural(state.dealer[0]):
        for index in range(turn, len(state.boxes)):
            if not state.boxes[index].natural:
                found = BlackjackState(state.boxes, state.dealer, "early_surrender", index)
                return Decision(found, state.boxes[index].box)
    if rules.natural_ends_round and is_natural(state.dealer):
        return _settled(rules, state)
    return next_turn(rules, BlackjackState(state.boxes, state.dealer, "play"))


def _with_card(rules: BlackjackRules, box: Box, hand: Hand, card: Card) -> Hand:
    cards = (*hand.cards, card)
    total, _ = hand_value(cards)
    if total > BLACKJACK:
        return Hand(cards, "bust", hand.doubled)
    if total == BLACKJACK or hand.doubled:
        return Hand(cards, "stood", hand.doubled)
    if hand.status == "waiting" and is_ace(cards[0]) and rules.split_aces_one_card:
        again = rules.resplit_aces and is_ace(card) and len(box.hands) < rules.max_hands
        return Hand(cards, "playing" if again else "stood")
    return Hand(cards)


def _dealer_turn(rules: BlackjackRules, state: BlackjackState) -> Node:
    if len(state.dealer) == 1:
        return Chance(state, 1) if _second_card_matters(rules, state) else _settled(rules, state)
    if _total_matters(state) and dealer_draws(*hand_value(state.dealer), rules.soft_17 == "hit"):
        return Chance(state, 1)
    return _settled(rules, state)


def _second_card_matters(rules: BlackjackRules, state: BlackjackState) -> bool:
    """Tell whether anything is still open that a dealer without a hole card decides with his second card.

    A hand that stands, insurance, a late surrender, or split and double money that an original-bets-only table gives
    back to a dealer's natural.
    """
    return any(
        box.insurance_minor
        or (rules.dealer_natural_takes == "original_bets" and box.staked_minor > box.bet_minor)
        or any(
            hand.status == "stood" or (hand.status == "surrendered" and rules.surrender == "late") for hand in box.hands
        )
        for box in state.boxes
    )


def _total_matters(state: BlackjackState) -> bool:
    """Tell whether some hand is compared with the dealer's total: it stands and is no natural."""
    return any(hand.status == "stood" and not box.natural for box in state.boxes for hand in box.hands)


def _settled(rules: BlackjackRules, state: BlackjackState) -> Settled:
    final = BlackjackState(state.boxes, state.dealer, "settled")
    return Settled(final, settle(rules, final))
