"""Values of draws against rounds that the game itself deals, played on by best play: within four standard errors."""

import random

import numpy as np
import pytest

from firmware.cards.card import DECK, Card, parse_card, parse_cards
from firmware.games.contract import Action, Chance, Decision, Game, Node, Settled, Stake
from firmware.games.registry import load_game
from firmware.maths.advice import advise

ANTE = 1000
PLENTY = 10**9
ROUNDS = 500


def begin(game: Game, hand: tuple[Card, ...], dealer: list[Card]) -> Node:
    opened = game.open([Stake(1, {"ante": ANTE})], PLENTY)
    return game.deal(opened, [card for both in zip(hand, dealer, strict=True) for card in both])


def finish(game: Game, node: Node, cards: list[Card]) -> Settled:
    """Play on by advice; later cards come from the given ones."""
    while not isinstance(node, Settled):
        if isinstance(node, Chance):
            count = node.card_count
            node, cards = game.deal(node, cards[:count]), cards[count:]
        else:
            advice = advise(game, node, PLENTY)
            assert advice is not None
            node = game.act(node, advice.best.action, PLENTY)
    return node


@pytest.mark.parametrize(
    ("game_id", "hand", "upcard", "action", "discards"),
    [
        ("oasis", "Ks Js 8s 4s 2h", "Ad", "exchange", "2h"),
        ("oasis", "As Ks Qs 7h 2d", "5c", "exchange", "7h 2d"),
        ("russian", "9s 8h 7d 6s 2h", "Kd", "buy_card", ""),
        ("russian", "9s 9h 9d 5c Ts", "Kd", "exchange", "5c Ts"),
        ("russian", "As Ah 7d 5c 2s", "8h", "exchange", "7d 5c 2s"),
    ],
)
def test_a_draw_is_worth_what_it_brings_by_the_rules(
    game_id: str, hand: str, upcard: str, action: str, discards: str
) -> None:
    game, own, up = load_game(game_id), parse_cards(hand.split()), parse_card(upcard)
    given = parse_cards(discards.split())
    rest = [card for card in DECK if card not in (*own, up)]
    generator = random.Random(11)
    first_is_up = game_id == "russian"
    results: list[float] = []
    for _ in range(ROUNDS):
        others = generator.sample(rest, 12)
        dealer = [up, *others[:4]] if first_is_up else [*others[:4], up]
        node = begin(game, own, dealer)
        assert isinstance(node, Decision)
        if not results:
            advice = advise(game, node, PLENTY)
            assert advice is not None
            same = [row for row in advice.values if (row.action.name, set(row.action.cards)) == (action, set(given))]
            value = same[0].value_millionths / 1e6
        outcome = finish(game, game.act(node, Action(1, action, given), PLENTY), others[4:]).outcome
        results.append((outcome.paid_minor - outcome.staked_minor) / ANTE)
    error = float(np.std(results)) / ROUNDS**0.5
    assert abs(float(np.mean(results)) - value) < 4 * error
    assert error < 0.35
