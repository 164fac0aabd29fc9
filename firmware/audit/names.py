"""Names that the journal writes as short codes (doors, keys, levels, devices, causes), in words of the catalogues. Pure.

Not responsible for faults (``terminal.faults``) nor for the names of games and settings.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from display.view_model import Money, Text

LEVEL_WORDS: Final = {
    "attendant": Text("menu", "attendant"),
    "operator": Text("menu", "operator"),
    "technician": Text("menu", "technician"),
}
DOOR_WORDS: Final = {
    "main": Text("menu", "main door"),
    "cash_box": Text("menu", "cash box door"),
    "logic": Text("menu", "logic door"),
}
DEVICE_WORDS: Final = {
    "panel": Text("menu", "Panel"),
    "notes": Text("menu", "Note acceptor"),
    "coins": Text("menu", "Coin acceptor"),
    "hopper": Text("menu", "Hopper"),
    "printer": Text("menu", "Printer"),
    "terminal": Text("menu", "Terminal"),
}
_BY_WORDS: Final = {
    **LEVEL_WORDS,
    "self": Text("event", "itself"),
    "attendant_key": Text("event", "the attendant's key"),
}
_PLACE_WORDS: Final = {"hopper": Text("event", "hopper"), "cash_box": Text("event", "cash box")}
_REASON_WORDS: Final = {
    "complete": Text("event", "complete"),
    "empty": Text("event", "empty"),
    "jam": Text("event", "coin jam"),
    "stopped": Text("event", "stopped"),
    "fault": Text("event", "fault"),
    "unknown": Text("event", "unknown"),
    "damaged": Text("event", "damaged"),
    "inhibited": Text("event", "not taken now"),
    "key": Text("event", "key turned back"),
    "idle": Text("event", "nobody was there"),
    "back": Text("event", "left"),
    "pin": Text("event", "PIN"),
    "door_open": Text("event", "door opened"),
    "door_closed": Text("event", "door closed"),
}
_BY_ARGUMENT: Final[Mapping[str, Mapping[str, Text]]] = {
    "level": LEVEL_WORDS,
    "key": LEVEL_WORDS,
    "door": DOOR_WORDS,
    "device": DEVICE_WORDS,
    "by": _BY_WORDS,
    "place": _PLACE_WORDS,
    "reason": _REASON_WORDS,
}


def in_words(text: Text) -> Text:
    """Return a text whose codes are words where there are words for them; what has none stays as the journal writes it."""
    return replace(text, args=tuple((name, _word(name, value)) for name, value in text.args))


def _word(name: str, value: "str | int | Money | Text") -> "str | int | Money | Text":
    return _BY_ARGUMENT.get(name, {}).get(value, value) if isinstance(value, str) else value
