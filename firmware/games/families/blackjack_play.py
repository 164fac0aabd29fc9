"""What a player may do with a blackjack hand, what it costs, and what it turns into.

Not responsible for the order of play (``blackjack_flow``) nor for the words in which a refusal is told.
"""

from typing import Final

from firmware.cards.point_value import blackjack_points
from firmware.games.contract import Chance, Choice, Node
from firmware.games.families.blackjack_flow import after_early_surrender, after_insurance, next_turn
from firmware.games.families.blackjack_hand import can_make_natural, hand_value, is_ace
from firmware.games.families.blackjack_rules import BlackjackRules
from firmware.games.families.blackjack_state import BlackjackState, Box, Hand

_DOUBLE_TOTALS: Final[dict[str, range]] = {
    "hard_9_11": range(9, 12),
    "hard_10_11": range(10, 12),
    "hard_11": range(11, 12),
}

_HIT: Final = Choice("hit", 0)
_STAND: Final = Choice("stand", 0)
_SURRENDER: Final = Choice("surrender", 0)
_NO_SURRENDER: Final = Choice("no_surrender", 0)
_NO_INSURANCE: Final = Choice("no_insurance", 0)


def choices_at(rules: BlackjackRules, state: BlackjackState, balance_minor: int) -> tuple[Choice, ...]:
    """Return the legal actions of the box and hand in turn, in the order of the buttons."""
    box = state.boxes[state.turn]
    if state.phase == "insurance":
        half_minor = box.bet_minor // 2
        return (Choice("insurance", half_minor), _NO_INSURANCE) if balance_minor >= half_minor else (_NO_INSURANCE,)
    if state.phase == "early_surrender":
        return (_SURRENDER, _NO_SURRENDER)
    hand = box.hands[state.hand]
    if len(hand.cards) > 2:
        return (_HIT, _STAND)
    found = [_STAND] if _has_its_one_card(rules, box, hand) else [_HIT, _STAND]
    if balance_minor >= box.bet_minor:
        if _may_double(rules, box, hand):
            found.append(Choice("double", box.bet_minor))
        if _may_split(rules, box, hand):
            found.append(Choice("split", box.bet_minor))
    if box.untouched and _may_surrender(rules, state):
        found.append(_SURRENDER)
    return tuple(found)


def act_on(rules: BlackjackRules, state: BlackjackState, name: str) -> Node:
    """Apply an action that ``choices_at`` has named."""
    box = state.boxes[state.turn]
    if name == "insurance":
        insured = Box(box.box, box.bet_minor, box.hands, box.bet_minor // 2)
        return after_insurance(rules, state.with_box(state.turn, insured))
    if name == "no_insurance":
        return after_insurance(rules, state)
    if name == "no_surrender":
        return after_early_surrender(rules, state)
    hand = box.hands[state.hand]
    if name == "surrender":
        given_up = state.with_box(state.turn, box.with_hand(state.hand, Hand(hand.cards, "surrendered")))
        return (after_early_surrender if state.phase == "early_surrender" else next_turn)(rules, given_up)
    if name == "stand":
        stood = box.with_hand(state.hand, Hand(hand.cards, "stood"))
        return next_turn(rules, state.with_box(state.turn, stood))
    if name == "double":
        doubled = box.with_hand(state.hand, Hand(hand.cards, "playing", doubled=True))
        return Chance(state.with_box(state.turn, doubled), 1)
    if name == "split":
        return Chance(state.with_box(state.turn, _split(box, state.hand)), 1)
    return Chance(state, 1)


def _split(box: Box, index: int) -> Box:
    """Make two hands of one; the later hands move on by one."""
    first, second = box.hands[index].cards
    pair = (Hand((first,), "waiting"), Hand((second,), "waiting"))
    return Box(box.box, box.bet_minor, (*box.hands[:index], *pair, *box.hands[index + 1 :]), box.insurance_minor)


def _has_its_one_card(rules: BlackjackRules, box: Box, hand: Hand) -> bool:
    """Tell whether the hand comes from split aces and may take no more cards (it may at most be split again)."""
    return rules.split_aces_one_card and len(box.hands) > 1 and is_ace(hand.cards[0])


def may_double_total(rules: BlackjackRules, total: int, soft: bool) -> bool:
    """Tell whether the table lets two cards of this value be doubled."""
    return rules.double == "any_two" or (not soft and total in _DOUBLE_TOTALS[rules.double])


def _may_double(rules: BlackjackRules, box: Box, hand: Hand) -> bool:
    if len(box.hands) > 1 and (not rules.double_after_split or _has_its_one_card(rules, box, hand)):
        return False
    return may_double_total(rules, *hand_value(hand.cards))


def _may_split(rules: BlackjackRules, box: Box, hand: Hand) -> bool:
    """Tell whether the two cards have the same value (any two ten-valued cards do) and another hand is allowed."""
    first, second = hand.cards
    if blackjack_points(first) != blackjack_points(second) or len(box.hands) >= rules.max_hands:
        return False
    return rules.resplit_aces or len(box.hands) == 1 or not is_ace(first)


def _may_surrender(rules: BlackjackRules, state: BlackjackState) -> bool:
    """Tell whether the first decision may be to give up half the bet.

    Where the dealer peeks, early surrender has had its own question before the peek if he could have a natural.
    """
    if rules.surrender == "off":
        return False
    return rules.surrender == "late" or not (rules.asks_before_peek and can_make_natural(state.dealer[0]))
