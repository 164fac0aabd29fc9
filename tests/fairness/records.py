"""Rounds with proofs, dealt and recorded as the terminal does it, for tests that tamper with them."""

import hashlib
import json
import random
from functools import cache
from typing import Any

from firmware.cards.card import DECK, card_text, parse_cards
from firmware.games.contract import Action, Chance, Decision, Node, Stake
from firmware.games.record import play, record_of
from firmware.games.registry import load_game

SALT = "000102030405060708090a0b0c0d0e0f"
PASSIVE = ("fold", "stand", "no_insurance", "no_surrender", "take_ante")


def order_of(deck_count: int, seed: int) -> str:
    """A shuffled order as text."""
    cards = [card_text(card) for card in DECK] * deck_count
    random.Random(seed).shuffle(cards)
    return "".join(cards)


@cache
def _made(game_id: str, cut: int, first_card: int, seed: int) -> str:
    game = load_game(game_id)
    order = order_of(game.spec.deck_count, seed)
    cards = [order[index : index + 2] for index in range(0, len(order), 2)]
    dealt = (cards[cut:] + cards[:cut])[first_card:]
    shoe = iter(parse_cards(dealt))
    line = game.spec.lines[0]
    stakes = [Stake(game.spec.positions[0], {line.line: line.minimum_minor * 10})]
    node: Node = game.open(stakes, 1_000_000)
    used: list[Any] = []
    actions = []
    while isinstance(node, Chance | Decision):
        if isinstance(node, Chance):
            drawn = tuple(next(shoe) for _ in range(node.card_count))
            used += drawn
            node = game.deal(node, drawn)
        else:
            legal = [choice.name for choice in game.choices(node, 1_000_000)]
            name = next(name for name in PASSIVE if name in legal)
            actions.append(Action(node.box, name, (), node.hand))
            node = game.act(node, actions[-1], 1_000_000)
    record: dict[str, Any] = record_of(game_id, 1_000_000, stakes, used, actions)
    record["result"] = play(record)
    record["fairness"] = {
        "shoe": "shoe1-4",
        "commitment": hashlib.sha256(f"croupier-shoe/1 shoe1-4 {SALT} {order}".encode()).hexdigest(),
        "salt": SALT,
        "cut": cut,
        "order": order,
        "first_card": first_card,
    }
    return json.dumps(record)


def record(game_id: str = "oasis", cut: int = 0, first_card: int = 0, seed: int = 1) -> dict[str, Any]:
    """A settled round with its proof, fresh each time, so that a test may change it."""
    made: dict[str, Any] = json.loads(_made(game_id, cut, first_card, seed))
    return made
