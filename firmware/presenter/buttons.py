"""The buttons of the moment: the terminal's controls with their words, prices and reasons."""

from collections.abc import Mapping
from typing import Final

from display.view_model import ButtonView, Text
from firmware.presenter.vocabulary import ACTIONS
from firmware.terminal.controls import Control

_ACTION_NAMES: Final[dict[str, Text]] = {
    "bet": Text("button", "Bet"),
    "call": Text("button", "Call"),
    "deal": Text("button", "Deal"),
    "bet_x2": Text("button", "Bet ×2"),
    "change": Text("button", "Exchange"),
    "surrender": Text("button", "Surrender"),
    "fold": Text("button", "Fold"),
}
"""What a house may call an action; a profile chooses by these names."""


def button_views(
    controls: tuple[Control, ...],
    house_names: Mapping[str, str],
    *,
    rebets: bool,
    worths: Mapping[str, tuple[Text, bool]] | None = None,
) -> tuple[ButtonView, ...]:
    """Return the buttons; ``house_names`` maps an action to the profile's name for it, ``rebets`` renames Deal.

    ``worths`` is what the coach says of them, by the control's id: the value, and whether nothing is better.
    """
    worths = worths or {}
    return tuple(
        ButtonView(
            id=f"button:{control.id}",
            label=_label(control, house_names, rebets),
            slot=control.slot,
            price_minor=control.cost_minor,
            enabled=control.enabled,
            attention=control.attention,
            tone=control.tone,
            reason=control.reason,
            worth=worths[control.id][0] if control.id in worths else None,
            best=control.id in worths and worths[control.id][1],
        )
        for control in controls
    )


def _label(control: Control, house_names: Mapping[str, str], rebets: bool) -> Text:
    if control.id.startswith("mark:"):
        return Text("button", "Card {number}", (("number", control.slot),))
    if control.id.startswith("digit:") and control.id not in ACTIONS:
        return Text("button", "{digit}", (("digit", control.id.removeprefix("digit:")),))
    if control.id == "deal" and rebets:
        return Text("button", "Rebet and deal")
    if control.id == "exchange" and control.card_count:
        return Text("button", "Exchange {count} card", plural="Exchange {count} cards", count=control.card_count)
    return action_label(control.id, house_names)


def action_label(action: str, house_names: Mapping[str, str]) -> Text:
    """Return what this table calls an action."""
    return _ACTION_NAMES.get(house_names.get(action, "")) or ACTIONS.get(action) or Text("button", "Choose")
