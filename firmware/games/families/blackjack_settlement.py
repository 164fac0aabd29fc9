"""What each blackjack box is paid, read from the paytable's ratios in the rules.

A box's money lies on up to four lines: ``bet`` (its first hand), ``split`` (the hands made by splitting), ``double``
(what doubling added) and ``insurance``. Not responsible for when a round ends (``blackjack_flow``).
"""

from dataclasses import dataclass

from firmware import money
from firmware.cards.card import Card
from firmware.games.contract import BoxOutcome, HandOutcome, LineOutcome, Outcome
from firmware.games.families.blackjack_hand import BLACKJACK, hand_value, is_natural, value_name
from firmware.games.families.blackjack_rules import INSURANCE_PAYS, WIN_PAYS, BlackjackRules
from firmware.games.families.blackjack_state import BlackjackState, Box, Hand


@dataclass(frozen=True, slots=True)
class DealerResult:
    """What of the dealer's hand decides the boxes."""

    total: int
    natural: bool


def settle(rules: BlackjackRules, state: BlackjackState) -> Outcome:
    """Return the outcome of a finished round."""
    dealer = DealerResult(hand_value(state.dealer)[0], is_natural(state.dealer))
    boxes = tuple(_settle_box(rules, box, dealer) for box in state.boxes)
    return Outcome(boxes, state.dealer, dealer_name(state.dealer))


def hand_result(rules: BlackjackRules, box: Box, index: int, dealer: DealerResult) -> str:
    """Return how one hand of a box ends against the dealer.

    The order of the questions is the rule: a bust has lost whatever the dealer does, a natural beats every other 21,
    and a dealer's natural beats everything but a natural.
    """
    hand = box.hands[index]
    if dealer.natural and index and rules.dealer_natural_takes == "original_bets":
        return "push"  # split money goes back, as if the dealer had looked before the split
    if hand.status == "bust":
        return "bust"
    if hand.status == "surrendered":
        return "lose" if dealer.natural and rules.surrender == "late" else "surrender"
    if box.natural:
        tied = "blackjack" if rules.tied_naturals == "win" else rules.tied_naturals
        return tied if dealer.natural else "blackjack"
    if dealer.natural:
        return "lose"
    total, _ = hand_value(hand.cards)
    if total > dealer.total or dealer.total > BLACKJACK:
        return "win"
    return "lose" if total < dealer.total else rules.ties


def back_minor(rules: BlackjackRules, bet_minor: int, result: str) -> int:
    """Return what comes back of one bet for a hand's result, stake included, in minor units."""
    if result == "win":
        return bet_minor + money.times(bet_minor, *WIN_PAYS)
    if result == "blackjack":
        return bet_minor + money.times(bet_minor, *rules.natural_pays)
    if result == "surrender":
        return money.times(bet_minor, 1, 2)
    return bet_minor if result == "push" else 0


def dealer_name(cards: tuple[Card, ...]) -> str:
    """Return the text of the dealer's visible cards: a total, ``soft_17``, or ``blackjack``."""
    return "blackjack" if is_natural(cards) else value_name(cards)


def hand_name(box: Box, hand: Hand) -> str:
    """Return the text of a player's hand: a total, ``soft_18``, or ``blackjack`` for a natural."""
    return "blackjack" if box.natural else value_name(hand.cards)


def box_lines(box: Box) -> dict[str, int]:
    """Return the money lying on a box by line, in minor units; lines without money are left out."""
    lines = {"bet": box.bet_minor}
    if len(box.hands) > 1:
        lines["split"] = box.bet_minor * (len(box.hands) - 1)
    if any(hand.doubled for hand in box.hands):
        lines["double"] = box.bet_minor * sum(hand.doubled for hand in box.hands)
    if box.insurance_minor:
        lines["insurance"] = box.insurance_minor
    return lines


def _settle_box(rules: BlackjackRules, box: Box, dealer: DealerResult) -> BoxOutcome:
    staked = box_lines(box)
    paid = dict.fromkeys(staked, 0)
    hands = []
    for index, hand in enumerate(box.hands):
        result = hand_result(rules, box, index, dealer)
        paid_minor = back_minor(rules, box.bet_minor, result)
        paid["split" if index else "bet"] += paid_minor
        if hand.doubled:
            given_back = dealer.natural and rules.dealer_natural_takes == "original_bets"
            paid["double"] += box.bet_minor if given_back else paid_minor
        hands.append(HandOutcome(hand.cards, hand_name(box, hand), result))
    if box.insurance_minor and dealer.natural:
        paid["insurance"] = box.insurance_minor + money.times(box.insurance_minor, *INSURANCE_PAYS)
    lines = tuple(LineOutcome(line, amount_minor, paid[line]) for line, amount_minor in staked.items())
    return BoxOutcome(box.box, _box_result(hands, lines), lines, tuple(hands))


def _box_result(hands: list[HandOutcome], lines: tuple[LineOutcome, ...]) -> str:
    """Return the result of the only hand; of several hands ``bust`` if all are, else by the money, insurance apart."""
    results = {hand.result for hand in hands}
    if len(hands) == 1 or results == {"bust"}:
        return hands[0].result
    net_minor = sum(line.paid_minor - line.staked_minor for line in lines if line.line != "insurance")
    return "win" if net_minor > 0 else "lose" if net_minor < 0 else "push"
