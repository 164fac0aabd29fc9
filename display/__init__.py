"""The screen: view in, draw list out, one canvas that paints it. Knows nothing of games, money rules or devices."""

import os

# pygame greets on standard output when it is imported, which would spoil what a program prints there.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
