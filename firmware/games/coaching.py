"""The coach's seam: what it is asked and what it answers. The terminal knows this and nothing of the mathematics.

``firmware.coach`` fills the seam with ``firmware.maths.advice.advise``; without it there is no coach. Values are whole
millionths of the box's initial stake, so that nothing here is a float. Not responsible for when a coach may speak: never
in play for money unless the operator allows it.
"""

from dataclasses import dataclass

from firmware.games.contract import Action


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
    others: tuple[ActionValue, ...] = ()
    """Exchanges of other cards than the best ones."""

    @property
    def best(self) -> ActionValue:
        """The best action."""
        return self.values[0]

    def value_millionths(self, action: Action) -> int | None:
        """Return what an action is worth, None for one that is not among the values."""
        for value in (*self.values, *self.others):
            if value.action.name == action.name and set(value.action.cards) == set(action.cards):
                return value.value_millionths
        return None

    def cost_millionths(self, action: Action) -> int | None:
        """Return what an action gives away against the best one, None for one that is not among the values."""
        value = self.value_millionths(action)
        return None if value is None else self.best.value_millionths - value
