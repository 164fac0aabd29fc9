"""Views with a coach: what each button is worth, what is best, and what the last choice gave away."""

from dataclasses import replace
from typing import Final

from display.samples import blackjack, poker
from display.view_model import ButtonView, Text, View

_WORTHS: Final = {
    "button:fold": ("−", "1", "000"),
    "button:exchange": ("+", "0", "512"),
    "button:raise": ("+", "0", "348"),
    "button:hit": ("−", "0", "288"),
    "button:stand": ("−", "0", "540"),
    "button:double": ("−", "0", "575"),
    "button:split": ("−", "0", "476"),
    "button:surrender": ("−", "0", "500"),
}
_BEST: Final = ("button:exchange", "button:hit")


def _worth(sign: str, whole: str, places: str) -> Text:
    return Text("coach", "{sign}{whole}.{places}", (("sign", sign), ("whole", whole), ("places", places)))


def _coached(button: ButtonView) -> ButtonView:
    parts = _WORTHS.get(button.id)
    if parts is None or not button.enabled:
        return button
    return replace(button, worth=_worth(*parts), best=button.id in _BEST)


def _best(action: Text, value: Text) -> Text:
    return Text("coach", "Best: {action}, worth {value} of your first bet", (("action", action), ("value", value)))


def _mistake() -> Text:
    better = (("cost", _worth("", "0", "042")), ("action", Text("button", "Bet ×2")))
    return Text("coach", "Your last choice gave away {cost} of your first bet; better was: {action}", better)


def _with(view: View, *lines: Text) -> View:
    table = None if view.table is None else replace(view.table, coach=lines)
    return replace(view, table=table, buttons=tuple(map(_coached, view.buttons)))


def deciding() -> View:
    """A choice at a poker table."""
    best = _best(Text("button", "Exchange"), _worth("+", "0", "512"))
    return _with(poker.deciding_one(), best, _mistake())


def split() -> View:
    """Five actions at a full blackjack table."""
    return _with(blackjack.five_split(), _best(Text("button", "Hit"), _worth("−", "0", "288")))


def settled() -> View:
    """The end of a round in which the last choice was not the best one."""
    return _with(poker.settled_win(), _mistake())
