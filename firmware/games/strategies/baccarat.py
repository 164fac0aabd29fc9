"""The bets of baccarat as strategies: there is nothing else to choose."""

from typing import Final

from firmware.games.contract import Action, Choice, Decision, Game, Stake, TableLayout
from firmware.games.strategies import Strategy


def _never_asked(game: Game, node: Decision, choices: tuple[Choice, ...], layout: TableLayout) -> Action:
    del node, choices, layout
    raise TypeError(f"{game.id} has no decisions")


def _always(line_name: str) -> Strategy:
    """The smallest exact bet on one line, every round."""

    def stakes(game: Game) -> tuple[Stake, ...]:
        line = next(line for line in game.spec.lines if line.line == line_name)
        smallest_minor = -(-line.minimum_minor // line.step_minor) * line.step_minor
        return (Stake(game.spec.positions[0], {line.line: smallest_minor}),)

    return Strategy(line_name, stakes, _never_asked)


STRATEGIES: Final = {name: _always(name) for name in ("banker", "player", "tie")}
