"""The answer to a round record: the result of a settled round, or a decision with what is legal and may be seen.

Plain JSON values; the keys are documented in the round record's format. Not responsible for playing the record.
"""

from firmware.cards.card import cards_text
from firmware.games.contract import BoxLayout, BoxOutcome, Decision, Game, HandLayout, Outcome

Answer = dict[str, object]


def decision_answer(
    game: Game, node: Decision, balance_minor: int, jackpot_meter_minor: int | None, cards_used: int
) -> Answer:
    """Return the answer for a record that stops early: what is legal, and no card that the player may not see.

    Args:
        game: the game that is played.
        node: the decision that has no action yet.
        balance_minor: the credit before the round opened.
        jackpot_meter_minor: the meter as the record gives it.
        cards_used: how many cards of the shoe have been drawn.
    """
    balance_left = balance_minor - node.state.staked_minor
    choices = game.choices(node, balance_left)
    seen = game.layout(node)
    return {
        "game": game.id,
        "state": "decision",
        "box": node.box,
        "hand": node.hand,
        "legal": list(dict.fromkeys(choice.name for choice in choices)),
        "choices": [
            {"action": choice.name, "cost": choice.cost_minor, "cards": choice.card_count} for choice in choices
        ],
        "staked": node.state.staked_minor,
        "balance": balance_left,
        "boxes": [_seen_box(box) for box in seen.boxes],
        "dealer": {**_seen_hand(seen.dealer), "qualifies": seen.dealer_qualifies},
        "jackpot_meter": jackpot_meter_minor,
        "cards_used": cards_used,
    }


def _seen_box(box: BoxLayout) -> Answer:
    """Return one box as the player sees it, in the shape of a settled one."""
    answer: Answer = {"box": box.box, "state": box.state, **_seen_hand(box.hands[0])}
    if len(box.hands) > 1:
        answer["hands"] = [_seen_hand(hand) for hand in box.hands]
    answer["lines"] = [{"line": line.line, "staked": line.staked_minor} for line in box.lines]
    return answer


def _seen_hand(hand: HandLayout) -> Answer:
    """Return the cards of a hand that lie face up, how many lie face down, and what may be said about it."""
    faces = [slot.card for slot in hand.slots if slot.card is not None]
    hidden = sum(slot.card is None for slot in hand.slots)
    return {"cards": cards_text(faces), "face_down": hidden, "hand": hand.name}


def settled_answer(game: Game, outcome: Outcome, balance_minor: int, cards_used: int) -> Answer:
    """Return the answer for a settled round.

    Args:
        game: the game that was played.
        outcome: how it ended.
        balance_minor: the credit before the round opened.
        cards_used: how many cards of the shoe the round took.
    """
    net = outcome.paid_minor - outcome.staked_minor
    return {
        "game": game.id,
        "state": "settled",
        "staked": outcome.staked_minor,
        "paid": outcome.paid_minor,
        "net": net,
        "balance": balance_minor + net,
        "boxes": [_box_answer(game, box) for box in outcome.boxes],
        "dealer": {
            "cards": cards_text(outcome.dealer_cards),
            "hand": outcome.dealer_name or None,
            "qualifies": outcome.dealer_qualifies,
        },
        "jackpot_meter": outcome.jackpot_meter_minor,
        "cards_used": cards_used,
    }


def _box_answer(game: Game, box: BoxOutcome) -> Answer:
    """Return one box; a box that was split lists all its hands under ``hands`` besides."""
    first = box.hands[0]
    answer: Answer = {"box": box.box, "cards": cards_text(first.cards), "hand": first.name}
    if game.spec.second_combination:
        answer["second_hand"] = first.second_name
    answer |= {"result": box.result, "staked": box.staked_minor, "paid": box.paid_minor}
    if len(box.hands) > 1:
        answer["hands"] = [
            {"cards": cards_text(hand.cards), "hand": hand.name, "result": hand.result} for hand in box.hands
        ]
    answer["lines"] = [{"line": line.line, "staked": line.staked_minor, "paid": line.paid_minor} for line in box.lines]
    return answer
