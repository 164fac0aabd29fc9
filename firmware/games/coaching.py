"""The coach's seam: what it is asked and what it answers. The terminal knows this and nothing of the mathematics.

``firmware.app`` may fill the seam with ``firmware.maths.advice.advise``; without it there is no coach. Values are whole
millionths of the box's initial stake, so that nothing here is a float. Not responsible for when a coach may speak: never
in play for money unless the operator allows it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from firmware.games.contract import Action, Decision, Game


@dataclass(frozen=True, slots=True)
class ActionValue:
    """One legal action and what it is worth: the box's expected result at the end of the round, all it has put up counted.

    ``value_millionths`` is in millionths of the initial stake (ante, bet). An exchange names the best cards to give up.
    """

    action: Action
    value_millionths: int


@dataclass(frozen=True, slots=True)
class Advice:
    """All legal actions, the best first. ``exact`` tells whether the values are exact; else ``note`` says what is not."""

    values: tuple[ActionValue, ...]
    exact: bool
    note: str = ""

    @property
    def best(self) -> ActionValue:
        """The best action."""
        return self.values[0]

    def cost_millionths(self, action: Action) -> int | None:
        """Return what an action gives away against the best one, None for one that is not among the values."""
        for value in self.values:
            same_cards = not action.cards or set(value.action.cards) == set(action.cards)
            if (value.action.name, len(value.action.cards)) == (action.name, len(action.cards)) and same_cards:
                return self.best.value_millionths - value.value_millionths
        return None


Coach = Callable[[Game, Decision, int], Advice | None]
"""(game, decision, balance in minor units) -> advice; None where there is none to give. May take half a second."""
