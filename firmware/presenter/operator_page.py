"""The view of the operator's menu: a page of rows, or a past round drawn by the table itself and marked as recalled.

Not responsible for what stands on the pages (``operator_menu``).
"""

from dataclasses import replace
from typing import Final

from display.view_model import ButtonView, Text, View
from firmware.ids import number_of_round
from firmware.presenter.buttons import button_views
from firmware.presenter.table import past_table
from firmware.terminal.controls import controls
from firmware.terminal.evolve import HISTORY_LENGTH
from firmware.terminal.guests import Guest
from firmware.terminal.menu import Menu, MenuPage
from firmware.terminal.state import Pages, State
from firmware.terminal.step import Environment

_LABELS: Final = {"button:select": Text("button", "Choose")}
_RECALL_LABELS: Final = {
    "button:page_up": Text("button", "Step back"),
    "button:page_down": Text("button", "Step forward"),
}


def menu_view(state: State, environment: Environment, view: View) -> View:
    """Return the view with the open menu in place of the player's scene; ``view`` tells of the terminal itself."""
    menu = state.screen.menu
    if menu is None:
        return view
    page = environment.menu_page(state, environment)
    table = None
    if page.recalls and menu.asked is None:
        then = _at_round(state, environment, menu, page)
        table = past_table(then, _rules_of_then(then, environment))
    labels = _LABELS if table is None else _RECALL_LABELS
    return replace(
        view,
        mode="page" if table is None else "table",
        language=menu.language,
        bet_minor=0,
        win_minor=0,
        buttons=tuple(
            _named(button, labels) for button in button_views(controls(state, environment), {}, rebets=False)
        ),
        chips=(),
        table=table,
        page=page.view if table is None else None,
        accepts_money=page.takes_notes,
        touch_ppm=() if page.view.pattern.startswith("cross:") else view.touch_ppm,
    )


def _named(button: ButtonView, labels: dict[str, Text]) -> ButtonView:
    return replace(button, label=labels.get(button.id, button.label))


def _at_round(state: State, environment: Environment, menu: Menu, page: MenuPage) -> State:
    """Return the state as if the recalled round were the last one, with the player's pages at its step."""
    history = environment.past_rounds(number_of_round(page.recalls), HISTORY_LENGTH)
    steps = min(menu.steps_back, len(history[-1].acts)) if history else 0
    pages = Pages("hands", steps_back=steps)
    recorded = replace(state.recorded, history=history, guest=Guest())
    return replace(state, recorded=recorded, screen=replace(state.screen, pages=pages))


def _rules_of_then(state: State, environment: Environment) -> Environment:
    """Return the environment in which the recalled round's game is the one that dealt it."""
    history = state.recorded.history
    offer = environment.as_played(history[-1].opened) if history else None
    return environment if offer is None else replace(environment, games={**environment.games, offer.game.id: offer})
