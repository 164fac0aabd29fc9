"""Plays rounds of a game through its contract with a strategy and a seeded shoe.

The strategy sees what a player sees. Not responsible for statistics (``tally``) or for the command line (``command``).
"""

from collections.abc import Iterator

from firmware.games.contract import Chance, Decision, Game, Outcome, Stake
from firmware.games.strategies import Strategy
from firmware.simulate.seeded_shoe import SeededShoe
from firmware.simulate.tally import Tally

_BALANCE_MINOR = 10**11
"""Enough for every raise, double and split; simulated play never runs out of money."""


def play_rounds(game: Game, strategy: Strategy, seed: int, round_count: int, tally: Tally) -> Iterator[int]:
    """Play, counting into ``tally``; yields how many rounds are new since the last yield, a thousand at a time."""
    shoe = SeededShoe(game.spec.deck_count, seed)
    stakes = strategy.stakes(game)
    for first in range(0, round_count, 1000):
        new_count = min(1000, round_count - first)
        for _ in range(new_count):
            outcome = play_round(game, strategy, stakes, shoe)
            tally.add(outcome.staked_minor, outcome.paid_minor)
        yield new_count


def play_round(game: Game, strategy: Strategy, stakes: tuple[Stake, ...], shoe: SeededShoe) -> Outcome:
    """Play one round. The shoe is shuffled first unless the table carries it and the cut card is not reached."""
    if not game.spec.shoe_carried or shoe.drawn_count >= game.spec.cut_after_count:
        shoe.shuffle()
    node = game.deal(chance := game.open(stakes, _BALANCE_MINOR), shoe.draw(chance.card_count))
    while True:
        if isinstance(node, Chance):
            node = game.deal(node, shoe.draw(node.card_count))
        elif isinstance(node, Decision):
            balance_minor = _BALANCE_MINOR - node.state.staked_minor
            choices = game.choices(node, balance_minor)
            action = strategy.choose(game, node, choices, game.layout(node))
            node = game.act(node, action, balance_minor)
        else:
            return node.outcome
