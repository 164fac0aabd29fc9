"""Named ways to play, as pure functions: for simulation, tests and benchmarks.

A strategy says what to stake and which action to choose. Each family's module has a table ``STRATEGIES``; its first
one is the default. Not responsible for dealing or counting (``firmware.simulate``).
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from firmware.games.contract import Action, Choice, Decision, Game, Stake, TableLayout

Choose = Callable[[Game, Decision, tuple[Choice, ...], TableLayout], Action]
"""(game, node, legal actions, what the player sees) -> the action. Deterministic: equal arguments, equal action."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to play: the stakes of every round, and the action at every decision.

    ``stakes`` takes the game and returns one stake at the table's minimum (for poker one open box); the results are
    counted per initial stake, so its size does not matter.
    """

    name: str
    stakes: Callable[[Game], tuple[Stake, ...]]
    choose: Choose


_MODULES: Final = {
    "poker": "firmware.games.strategies.poker",
    "baccarat": "firmware.games.strategies.baccarat",
    "blackjack": "firmware.games.strategies.blackjack",
}


def strategies_for(game: Game) -> Mapping[str, Strategy]:
    """Return name -> strategy for a game, the default first."""
    found: Mapping[str, Strategy] = importlib.import_module(_MODULES[game.spec.family]).STRATEGIES
    return found
