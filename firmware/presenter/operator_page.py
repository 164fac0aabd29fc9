"""The view of the operator's menu: a page of rows, or a past round drawn by the table itself and marked as recalled.

Not responsible for what stands on the pages (``operator_menu``).
"""

from dataclasses import replace
from typing import Final

from display.view_model import ButtonView, Text, View
from firmware.presenter.buttons import button_views
from firmware.presenter.table import past_table
from firmware.terminal.controls import controls
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
        table = past_table(_at_round(state, menu, page), environment)
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
    )


def _named(button: ButtonView, labels: dict[str, Text]) -> ButtonView:
    return replace(button, label=labels.get(button.id, button.label))


def _at_round(state: State, menu: Menu, page: MenuPage) -> State:
    """Return the state with the player's pages at the recalled round and step."""
    history = state.recorded.history
    number = next((index for index, each in enumerate(history) if each.opened.round_id == page.recalls), 0)
    steps = min(menu.steps_back, len(history[number].acts))
    pages = Pages("hands", hands_back=len(history) - 1 - number, steps_back=steps)
    return replace(state, screen=replace(state.screen, pages=pages))
