"""What the coach says on the table, and what stands on each button: values in first stakes, to three places.

Not responsible for the values or for when they may be shown (``terminal.coach``).
"""

from collections.abc import Mapping
from typing import Final

from display.view_model import Text
from firmware.cards.card import card_text
from firmware.games.coaching import Advice
from firmware.games.contract import Action
from firmware.presenter.buttons import action_label
from firmware.terminal.coach import coaching, mistake_shown
from firmware.terminal.controls import Control
from firmware.terminal.state import State
from firmware.terminal.step import Environment

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_THINKING: Final = Text("coach", "The coach is working it out")


def worth(millionths: int, plus: str = "+") -> Text:
    """Return a value in first stakes, rounded to three places, with a sign."""
    thousandths = (abs(millionths) + 500) // 1000
    whole, rest = divmod(thousandths, 1000)
    sign = "" if not thousandths else plus if millionths > 0 else "−"
    return Text("coach", "{sign}{whole}.{places}", (("sign", sign), ("whole", whole), ("places", f"{rest:03}")))


def button_worths(
    state: State, environment: Environment, controls: tuple[Control, ...]
) -> dict[str, tuple[Text, bool]]:
    """Return what each button is worth and whether nothing is better, by the control's id; empty without a coach."""
    now = coaching(state, environment.options)
    if now is None or now.advice is None:
        return {}
    found = {}
    for control in controls:
        value = _value(state, now.advice, control)
        if value is not None:
            found[control.id] = (worth(value), value == now.advice.best.value_millionths)
    return found


def _value(state: State, advice: Advice, control: Control) -> int | None:
    """An exchange is worth what the marked cards are; with none marked yet, what the best ones are."""
    mine = [value for value in advice.values if value.action.name == control.id]
    if not mine or not mine[0].action.cards or not state.screen.marked:
        return mine[0].value_millionths if mine else None
    marked = _marked_cards(state)
    same = (value for value in (*advice.values, *advice.others) if value.action.name == control.id)
    return next((value.value_millionths for value in same if {*map(card_text, value.action.cards)} == marked), None)


def _marked_cards(state: State) -> set[str]:
    live = state.live
    if live is None:
        return set()
    decision = live.decision
    box = next(box for box in live.game.layout(live.node).boxes if box.box == decision.box)
    cards = [slot.card for slot in box.hands[decision.hand].slots]
    return {card_text(card) for index in state.screen.marked if (card := cards[index]) is not None}


def coach_lines(state: State, environment: Environment, house_names: Mapping[str, str]) -> tuple[Text, ...]:
    """Return what the coach says: the best choice now, and what the last choice gave away; empty without a coach."""
    lines = []
    now = coaching(state, environment.options)
    if now is not None:
        advice, words = now.advice, _THINKING
        if advice is not None:
            best = (("action", _named(advice.best.action, house_names)), ("value", worth(advice.best.value_millionths)))
            words = Text("coach", "Best: {action}, worth {value} of your first bet", best)
            if not advice.exact:
                words = Text("coach", "Best: {action}, worth about {value} of your first bet", best)
        lines.append(words)
    mistake = mistake_shown(state, environment.options)
    if mistake is not None:
        gone = (("cost", worth(mistake.cost_millionths, plus="")), ("action", _named(mistake.best, house_names)))
        lines.append(Text("coach", "Your last choice gave away {cost} of your first bet; better was: {action}", gone))
    return tuple(lines)


def _named(action: Action, house_names: Mapping[str, str]) -> Text:
    name = action_label(action.name, house_names)
    if not action.cards:
        return name
    cards = " ".join(text[0].replace("T", "10") + _SUITS[text[1]] for text in map(card_text, action.cards))
    return Text("coach", "{action} {cards}", (("action", name), ("cards", cards)))
