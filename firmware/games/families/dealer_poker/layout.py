"""What the player may see of a round of dealer poker, node by node.

A face is in the layout only from the moment at which the table would show it: box 2 after box 1 is decided, the blind
box and the dealer's other cards at the end. Not responsible for how it looks.
"""

from collections.abc import Sequence

from firmware.cards.card import Card
from firmware.cards.poker_hand import best_indices
from firmware.cards.poker_rank import class_of, rank_best
from firmware.games.contract import BoxLayout, BoxOutcome, CardSlot, HandLayout, LineLayout, Outcome, TableLayout
from firmware.games.families.dealer_poker.second import second_combination
from firmware.games.families.dealer_poker.settlement import dealer_is_shown, upcard
from firmware.games.families.dealer_poker.state import BoxState, PokerRound, Stage, final_dealer, qualifies
from firmware.games.families.dealer_poker.table import HAND_CARDS, Rules

_REVEALED = (Stage.OFFER, Stage.DEALER_DRAW, Stage.SETTLED)


def layout(rules: Rules, state: PokerRound, outcome: Outcome | None) -> TableLayout:
    """Return what may be on the screen; ``outcome`` is the settled round's, None before."""
    results = {} if outcome is None else {box.box: box for box in outcome.boxes}
    boxes = tuple(_box_layout(rules, state, index, box, results.get(box.box)) for index, box in enumerate(state.boxes))
    dealer_qualifies = None
    if state.stage in _REVEALED and dealer_is_shown(rules, state):
        dealer_qualifies = qualifies(final_dealer(state))
    return TableLayout(boxes, _dealer_layout(rules, state), dealer_qualifies=dealer_qualifies)


def _box_layout(rules: Rules, state: PokerRound, index: int, box: BoxState, result: BoxOutcome | None) -> BoxLayout:
    box_state = "settled" if result is not None else _box_state(state, index, box)
    paid = {} if result is None else {line.line: line.paid_minor for line in result.lines}
    lines = tuple(LineLayout(line, staked, paid.get(line)) for line, staked in _staked_lines(box))
    text = None if result is None else result.result
    hand = _hand_layout(rules, box, _is_visible(state, index, box), box_state == "active", text)
    return BoxLayout(box.box, box_state, (hand,), lines, text)


def _box_state(state: PokerRound, index: int, box: BoxState) -> str:
    if box.blind:
        return "blind"
    if box.folded:
        return "folded"
    if state.stage in (Stage.PLAY, Stage.DRAW, Stage.OFFER) and index == state.turn:
        return "active"
    if state.stage is Stage.DEAL or (state.stage in (Stage.PLAY, Stage.DRAW) and index > state.turn):
        return "waiting"
    if state.stage is Stage.OFFER and index > state.turn:
        return "waiting"
    return "done"


def _is_visible(state: PokerRound, index: int, box: BoxState) -> bool:
    if state.stage in _REVEALED:
        return True
    return state.stage is not Stage.DEAL and box.is_open and index <= state.turn


def _staked_lines(box: BoxState) -> list[tuple[str, int]]:
    lines = [("ante", box.ante_minor)]
    if box.bet_minor:
        lines.append(("bet", box.bet_minor))
    if box.drawn:
        lines.append((box.drawn, box.draw_fee_minor))
    if box.offer_answer == "buy_dealer_card":
        lines.append((box.offer_answer, box.game_fee_minor))
    if box.jackpot_minor:
        lines.append(("jackpot", box.jackpot_minor))
    return lines


def _hand_layout(rules: Rules, box: BoxState, visible: bool, active: bool, result: str | None) -> HandLayout:
    if not visible:
        return HandLayout(_face_down(len(box.cards)), active=active, result=result)
    second = second_combination(rules, box.cards)
    return HandLayout(
        slots=tuple(CardSlot(card) for card in box.cards),
        name=class_of(rank_best(box.cards)).label,
        second_name=None if second is None else second.label,
        best=best_indices(box.cards),
        active=active,
        result=result,
    )


def _face_down(count: int) -> tuple[CardSlot, ...]:
    return (CardSlot(None),) * count


def _dealer_layout(rules: Rules, state: PokerRound) -> HandLayout:
    if not state.dealer:
        return HandLayout(())
    up = upcard(rules, state)
    if state.stage not in _REVEALED or not dealer_is_shown(rules, state):
        return HandLayout(tuple(_dealer_slot(card, up, shown=card in up) for card in state.dealer))
    hand = final_dealer(state)
    name = class_of(rank_best(hand)).label if len(hand) == HAND_CARDS else None
    extra = tuple(CardSlot(card, "dead") for card in _dead(state, hand))
    slots = tuple(_dealer_slot(card, up, shown=True) for card in hand)
    return HandLayout(slots + extra, name=name, best=best_indices(hand))


def _dealer_slot(card: Card, up: Sequence[Card], *, shown: bool) -> CardSlot:
    return CardSlot(card if shown else None, "up" if card in up else "")


def _dead(state: PokerRound, hand: Sequence[Card]) -> list[Card]:
    """Return the cards beside the dealer's hand: dropped, redrawn, or drawn for single boxes."""
    drawn = [card for box in state.boxes for card in box.dealer if card not in state.dealer]
    return [card for card in (*state.dealer_dead, *drawn) if card not in hand]
