"""Where the cards go that the shoe gives: the deal, the draws, and the dealer's bought card.

Not responsible for who asked for them (``actions``) or for the order of the shoe.
"""

from collections.abc import Sequence
from dataclasses import replace

from firmware.cards.card import Card, rank_of
from firmware.games.families.dealer_poker.state import BoxState, PokerRound, Stage, highest_card
from firmware.games.families.dealer_poker.table import HAND_CARDS, Rules


def cards_needed(rules: Rules, state: PokerRound) -> int:
    """Return how many cards the round needs now."""
    if state.stage is Stage.DEAL:
        return HAND_CARDS * (len(state.boxes) + 1)
    if state.stage is Stage.DRAW:
        return len(state.discards) or 1
    waiting = len(_waiting(state))
    return min(waiting, 1) if rules.profile.dealer_game_draw == "shared" else waiting


def give(rules: Rules, state: PokerRound, cards: tuple[Card, ...]) -> PokerRound:
    """Return the round with exactly the cards it needs."""
    if state.stage is Stage.DEAL:
        return _deal(rules, state, cards)
    if state.stage is Stage.DRAW:
        box = state.active
        return state.with_active(replace(box, cards=_replaced(box.cards, state.discards, cards)), Stage.PLAY)
    return _dealer_draw(rules, state, cards)


def _deal(rules: Rules, state: PokerRound, cards: tuple[Card, ...]) -> PokerRound:
    """Deal one card at a time to every box in seat order and to the dealer, five times."""
    hands = len(state.boxes) + 1
    dealer_first = rules.profile.first_card == "dealer"
    boxes = []
    for index, box in enumerate(state.boxes):
        hand = cards[index + dealer_first :: hands]
        boxes.append(
            BoxState(box.box, box.ante_minor, box.jackpot_minor, box.blind, box.bet_minor, cards=hand, dealt=hand)
        )
    dealer = cards[0 if dealer_first else hands - 1 :: hands]
    return PokerRound(tuple(boxes), Stage.PLAY, state.meter_minor, dealer)


def _replaced(hand: tuple[Card, ...], discards: tuple[Card, ...], cards: Sequence[Card]) -> tuple[Card, ...]:
    """Put each new card where its discard lay; without discards append it."""
    if not discards:
        return (*hand, *cards)
    new = dict(zip(discards, cards, strict=True))
    return tuple(new.get(card, card) for card in hand)


def _waiting(state: PokerRound) -> list[int]:
    """Return the indices of the boxes for which the dealer still has to draw."""
    return [index for index, box in enumerate(state.boxes) if box.offer_answer == "buy_dealer_card" and not box.dealer]


def _dealer_draw(rules: Rules, state: PokerRound, cards: tuple[Card, ...]) -> PokerRound:
    """Replace the dealer's highest card for the boxes that bought; where the house redraws, some may go on waiting."""
    dropped = highest_card(state.dealer)
    boxes = list(state.boxes)
    dead = list(state.dealer_dead or (dropped,))
    waiting = _waiting(state)
    targets = [waiting] if rules.profile.dealer_game_draw == "shared" else [[index] for index in waiting]
    for card, indices in zip(cards, targets, strict=True):
        if rules.profile.dealer_redraws_same_rank and rank_of(card) == rank_of(dropped):
            dead.append(card)
            continue
        hand = tuple(card if own == dropped else own for own in state.dealer)
        for index in indices:
            boxes[index] = replace(boxes[index], dealer=hand)
    return replace(state, boxes=tuple(boxes), dealer_dead=tuple(dead))
