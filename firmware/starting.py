"""What every start of the program does before it loads anything large. Not responsible for loading it."""

import gc
import os


def hasten() -> None:
    """Spare the start what only costs time: pydantic's search for plugins, and looking for garbage where all stays."""
    # The search takes longer than all that pydantic does here.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Some hundred thousand objects are made that stay; looking through them over and over takes a sixth of a start.
    gc.set_threshold(50_000, 20, 50)
