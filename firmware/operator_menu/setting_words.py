"""Labels and helps of settings as texts of the catalogues; their messages stand in the table of settings. Pure."""

from display.view_model import Text


def label_of(message: str) -> Text:
    """Return a setting's label."""
    return Text("setting", message)


def help_of(message: str) -> Text:
    """Return a setting's help."""
    return Text("setting help", message)
