"""Named ways to play blackjack. Not responsible for the chart's numbers (``blackjack_chart``)."""

from typing import Final

from firmware.cards.point_value import blackjack_points
from firmware.games.contract import Action, Choice, Decision, Game, HandLayout, Stake, TableLayout
from firmware.games.families.blackjack import Blackjack
from firmware.games.strategies import Strategy
from firmware.games.strategies.blackjack_chart import cell_of, chart_for


def _stakes(game: Game) -> tuple[Stake, ...]:
    line = game.spec.lines[0]
    smallest_minor = -(-line.minimum_minor // line.step_minor) * line.step_minor
    return (Stake(game.spec.positions[0], {line.line: smallest_minor}),)


def _basic(game: Game, node: Decision, choices: tuple[Choice, ...], layout: TableLayout) -> Action:
    """Play by the chart; never insure."""
    if not isinstance(game, Blackjack):
        raise TypeError(f"{game.id} is not blackjack")
    legal = frozenset(choice.name for choice in choices)
    if "no_insurance" in legal:
        return Action(node.box, "no_insurance", hand=node.hand)
    hand = next(box.hands[node.hand] for box in layout.boxes if box.box == node.box)
    chart, dealer, cell = chart_for(game.rules), _points(layout.dealer), cell_of(_points(hand))
    if "no_surrender" in legal:
        best = chart.best(dealer, cell, chart.allowed(cell) | {"surrender"})
        name = "surrender" if best == "surrender" else "no_surrender"
    else:
        name = chart.best(dealer, cell, legal)
    return Action(node.box, name, hand=node.hand)


def _points(hand: HandLayout) -> tuple[int, ...]:
    return tuple(blackjack_points(slot.card) for slot in hand.slots if slot.card is not None)


STRATEGIES: Final = {"basic": Strategy("basic", _stakes, _basic)}
