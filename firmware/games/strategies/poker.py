"""Fixed strategies of the poker tables: they never draw, and play what reaches a threshold.

They need no optimiser, so their exact results are published; any simulator can be compared with them. Where the dealer
does not qualify they take the ante. Not responsible for optimal play (``maths``).
"""

from collections.abc import Callable
from typing import Final

from firmware.cards.poker_rank import CLASS_LABELS, HandClass
from firmware.games.contract import Action, Choice, Decision, Game, Stake, TableLayout
from firmware.games.strategies import Choose, Strategy


def one_open_box(game: Game) -> tuple[Stake, ...]:
    """Return one open box at the smallest ante that the table takes."""
    ante = next(line for line in game.spec.lines if line.line == "ante")
    smallest = -(-ante.minimum_minor // ante.step_minor) * ante.step_minor
    return (Stake(game.spec.positions[0], {"ante": smallest}),)


def _raise_from(lowest: HandClass) -> Choose:
    """Return the strategy that raises a class or better and folds the rest."""

    def choose(_game: Game, node: Decision, choices: tuple[Choice, ...], seen: TableLayout) -> Action:
        legal = {choice.name for choice in choices}
        if "take_ante" in legal:
            return Action(node.box, "take_ante")
        name = next(box for box in seen.boxes if box.box == node.box).hands[0].name
        if name is None or CLASS_LABELS[name] < lowest or "raise" not in legal:
            return Action(node.box, "fold")
        return Action(node.box, "raise")

    return choose


def _strategy(name: str, choose: Choose, stakes: Callable[[Game], tuple[Stake, ...]] = one_open_box) -> Strategy:
    return Strategy(name, stakes, choose)


STRATEGIES: Final = {
    strategy.name: strategy
    for strategy in (
        _strategy("raise_ace_king_up", _raise_from(HandClass.ACE_KING)),
        _strategy("raise_pair_up", _raise_from(HandClass.PAIR)),
        _strategy("raise_all", _raise_from(HandClass.NO_HAND)),
    )
}
"""Name -> strategy; the first is the default."""
