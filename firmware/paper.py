"""Lines for the narrowest paper (58 mm): wrapped text, a label with its figure, a rule. Pure.

One place for attendants' slips and printed reports. Not responsible for the letters that a printer has (``hal.wire.escpos``)
or for what a slip says.
"""

import textwrap
from typing import Final

COLUMNS: Final = 32
"""Letters in a line."""
RULE: Final = "-" * COLUMNS


def wrapped(text: str) -> tuple[str, ...]:
    """Return a text as lines, broken between words, and inside a word only where it is longer than a line."""
    return tuple(textwrap.wrap(text, COLUMNS)) or ("",)


def row(label: str, *figures: str) -> tuple[str, ...]:
    """Return a label and its figures at the right: on the same line where there is room, else below it."""
    together = "  ".join(figures)
    if len(label) + 1 + len(together) <= COLUMNS:
        return (label + together.rjust(COLUMNS - len(label)),)
    shown = (together,) if len(together) <= COLUMNS else tuple(line for text in figures for line in wrapped(text))
    return (*wrapped(label), *(line.rjust(COLUMNS) for line in shown))


def to_sign(label: str) -> tuple[str, ...]:
    """Return a place for a name and a signature: the label and a line to write on, with room above."""
    *above, last = wrapped(label)
    if len(last) > COLUMNS // 2:
        return ("", *above, last, "", "_" * COLUMNS)
    return ("", *above, f"{last} ".ljust(COLUMNS, "_"))
