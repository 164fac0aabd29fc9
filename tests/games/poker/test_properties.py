"""Random rounds of the poker tables with many house options, checked against the order of the shoe itself."""

import random
from typing import Any

import pytest

from firmware.cards.card import Card
from firmware.cards.poker_rank import LOWEST_ACE_KING_KEY, rank_best, rank_five
from firmware.games.contract import Decision, Settled, TableLayout
from firmware.games.registry import load_game
from tests.games.random_play import Play

ROUNDS = 150
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "caribbean": ("caribbean", {}),
    "caribbean, dealer first": ("caribbean", {"first_card": "dealer", "upcard": "first"}),
    "oasis": ("oasis", {}),
    "oasis, no blind box": ("oasis", {"blind_box": "none", "replacement_order": "named"}),
    "oasis, third seat blind": ("oasis", {"blind_box": "third_seated", "after_draw": "must_improve"}),
    "oasis_jackpot": ("oasis_jackpot", {}),
    "russian": ("russian", {}),
    "russian, a draw per box": ("russian", {"dealer_game_draw": "per_box", "dealer_redraws_same_rank": True}),
    "russian, redraw": ("russian", {"dealer_redraws_same_rank": True, "dealer_game_offer": "paying_hand"}),
}
every_variant = pytest.mark.parametrize("name", VARIANTS)


def hands_from_shoe(round_: Play, options: dict[str, Any]) -> tuple[dict[int, tuple[Card, ...]], tuple[Card, ...]]:
    """The hands as dealt by box, and the dealer's, read off the shoe."""
    seats = sorted(stake.box for stake in round_.stakes)
    first = options.get("first_card", "boxes") == "dealer"
    order = [0, *seats] if first else [*seats, 0]
    hands = {seat: round_.shoe[place : 5 * len(order) : len(order)] for place, seat in enumerate(order)}
    return hands, hands.pop(0)


def blind_seat(round_: Play, options: dict[str, Any]) -> int | None:
    rule = options.get("blind_box", "third_bought")
    bought = [stake.box for stake in round_.stakes]
    if rule == "none" or len(bought) < 3:
        return None
    return bought[2] if rule == "third_bought" else sorted(bought)[2]


def faces_by_box(layout: TableLayout) -> dict[int, set[Card]]:
    return {
        box.box: {slot.card for hand in box.hands for slot in hand.slots if slot.card is not None}
        for box in layout.boxes
    }


@every_variant
def test_only_boxes_up_to_the_one_that_decides_and_the_upcard_are_seen(name: str) -> None:
    game_id, options = VARIANTS[name]
    game = load_game(game_id, options)
    chance = random.Random(name)
    up = 0 if options.get("upcard", "first" if game_id == "russian" else "last") == "first" else 4
    for _ in range(ROUNDS):
        round_ = Play.opened(game, chance)
        hands, dealer = hands_from_shoe(round_, options)
        blind = blind_seat(round_, options)
        offered = False
        while isinstance(round_.node, Decision):
            layout = game.layout(round_.node)
            offered = offered or any(choice.name == "take_ante" for choice in game.choices(round_.node, 0))
            seen = faces_by_box(layout)
            dealer_seen = {slot.card for slot in layout.dealer.slots if slot.card is not None}
            drawn = {action.box for action in round_.actions if action.name in ("exchange", "buy_card")}
            for box, hand in hands.items():
                if not offered and (box == blind or box > round_.node.box):
                    assert seen[box] == set()
                elif box not in drawn:
                    assert seen[box] == set(hand)
                else:
                    assert len(seen[box]) in (5, 6)
            assert dealer_seen == (set(dealer) if offered else {dealer[up]})
            round_.act_at_random(chance)


@every_variant
def test_results_are_what_the_cards_say(name: str) -> None:
    game_id, options = VARIANTS[name]
    game = load_game(game_id, options)
    chance = random.Random(name)
    seen = set()
    for _ in range(ROUNDS):
        round_ = Play.opened(game, chance)
        _, dealer = hands_from_shoe(round_, options)
        end = round_.to_the_end(chance)
        assert isinstance(end, Settled)
        bought = {action.box for action in round_.actions if action.name == "buy_dealer_card"}
        folded = {action.box for action in round_.actions if action.name == "fold"}
        for box in end.outcome.boxes:
            seen.add(box.result)
            if box.box in folded:
                assert box.result == "fold"
            elif box.box not in bought:
                own, other = rank_best(box.hands[0].cards), rank_five(dealer)
                if other < LOWEST_ACE_KING_KEY:
                    assert box.result == "no_qualify"
                elif own != other:
                    assert box.result == ("win" if own > other else "lose")
            paid = sum(line.paid_minor for line in box.lines if line.line != "jackpot")
            ante = box.lines[0].staked_minor
            if box.result in ("fold", "lose"):
                assert paid == 0
            if box.result == "no_qualify":
                assert paid == (3 if box.box in bought else 4) * ante
    assert seen >= {"fold", "win", "lose", "no_qualify"}
