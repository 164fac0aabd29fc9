"""The screen: view in, draw list out, one canvas that paints it. Knows nothing of games, money rules or devices."""

import os
import sys

# pygame greets on standard output when it is imported, which would spoil what a program prints there.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

# Two modules of pygame that nobody here uses load numpy wherever it is installed: 13 MB, and a tenth of a second at the start.
for _name in ("pygame.sndarray", "pygame.surfarray"):
    sys.modules.setdefault(_name, None)  # type: ignore[arg-type]
