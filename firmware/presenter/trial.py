"""How test games are shown: as the game itself, marked on every screen, with the way out in place of the pay-out. Pure."""

from dataclasses import replace
from typing import Final

from display.view_model import Text, View

TRIAL_MARK: Final = Text("watermark", "Test game: no money")
_LEAVE: Final = Text("button", "End the test")


def trial_view(view: View) -> View:
    """Return the view of a test game: no money is taken, and the button that pays out leaves."""
    buttons = tuple(
        replace(button, label=_LEAVE, enabled=True, reason=None) if button.id == "button:cash_out" else button
        for button in view.buttons
    )
    return replace(view, buttons=buttons, accepts_money=False)
