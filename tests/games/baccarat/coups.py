"""Plays a coup of baccarat from cards written as text, for the tests of this folder."""

from firmware.cards.card import parse_cards
from firmware.games.contract import Chance, LineOutcome, Outcome, Settled, Stake
from firmware.games.registry import load_game


def play_coup(cards: str, profile: dict[str, object] | None = None, **lines: int) -> Outcome:
    """Deal exactly these cards to these bets and return the outcome; fails if cards are missing or left over."""
    game = load_game("baccarat", profile)
    shoe = list(parse_cards(cards.split()))
    node = game.deal(opened := game.open([Stake(1, lines)], 10**6), [shoe.pop(0) for _ in range(opened.card_count)])
    while isinstance(node, Chance):
        node = game.deal(node, [shoe.pop(0) for _ in range(node.card_count)])
    assert isinstance(node, Settled)
    assert not shoe, f"{shoe} left over"
    return node.outcome


def line(outcome: Outcome, name: str) -> LineOutcome:
    """Return one line of the only box."""
    return next(line for line in outcome.boxes[0].lines if line.line == name)
