"""From the terminal's state to the view that the screen draws. Pure; no pixels, no language."""
