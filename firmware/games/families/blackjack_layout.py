"""What the player may see of a round of blackjack: every card but the hole card, totals, money by line.

Not responsible for drawing it, nor for what is legal.
"""

from firmware.games.contract import (
    BoxLayout,
    CardSlot,
    Decision,
    HandLayout,
    LineLayout,
    Node,
    Outcome,
    Settled,
    TableLayout,
)
from firmware.games.families.blackjack_rules import BlackjackRules
from firmware.games.families.blackjack_settlement import box_lines, dealer_name, hand_name
from firmware.games.families.blackjack_state import BlackjackState, Box, Hand


def table_layout(rules: BlackjackRules, state: BlackjackState, node: Node) -> TableLayout:
    """Return the table as the player sees it at ``node``, whose state is ``state``."""
    outcome = node.outcome if isinstance(node, Settled) else None
    boxes = tuple(_box(state, index, outcome, isinstance(node, Decision)) for index in range(len(state.boxes)))
    return TableLayout(boxes=boxes, dealer=_dealer(rules, state))


def _box(state: BlackjackState, index: int, outcome: Outcome | None, asked: bool) -> BoxLayout:
    box = state.boxes[index]
    in_turn = index == state.turn and state.phase in ("insurance", "early_surrender", "play")
    if outcome:
        ended = outcome.boxes[index]
        hands = tuple(
            _hand(box, hand, active=False, result=end.result) for hand, end in zip(box.hands, ended.hands, strict=True)
        )
        lines = tuple(LineLayout(line.line, line.staked_minor, line.paid_minor) for line in ended.lines)
        return BoxLayout(box.box, "settled", hands, lines, ended.result)
    hands = tuple(
        _hand(box, hand, active=asked and in_turn and number == state.hand, result=_early_result(hand))
        for number, hand in enumerate(box.hands)
    )
    lines = tuple(LineLayout(line, amount_minor) for line, amount_minor in box_lines(box).items())
    return BoxLayout(box.box, _box_state(state, box, in_turn), hands, lines)


def _box_state(state: BlackjackState, box: Box, in_turn: bool) -> str:
    if in_turn:
        return "active"
    return "waiting" if state.phase == "deal" or any(hand.open for hand in box.hands) else "done"


def _early_result(hand: Hand) -> str | None:
    """What is certain before the dealer plays."""
    return "bust" if hand.status == "bust" else "surrender" if hand.status == "surrendered" else None


def _hand(box: Box, hand: Hand, *, active: bool, result: str | None) -> HandLayout:
    return HandLayout(
        tuple(CardSlot(card) for card in hand.cards),
        hand_name(box, hand),
        active=active,
        result=result,
        staked_minor=box.bet_minor * (2 if hand.doubled else 1),
    )


def _dealer(rules: BlackjackRules, state: BlackjackState) -> HandLayout:
    if not state.dealer:
        return HandLayout(())
    visible = state.dealer if rules.exposed or state.phase in ("dealer", "settled") else state.dealer[:1]
    faces = (*visible, *[None] * (len(state.dealer) - len(visible)))
    slots = tuple(CardSlot(card, "" if index else "up") for index, card in enumerate(faces))
    return HandLayout(slots, dealer_name(visible))
