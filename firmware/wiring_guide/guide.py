"""The made parts of systemd/wiring.md: which block stands where, and their text. Pure.

A block lies between ``<!-- made: NAME -->`` and ``<!-- end -->``; the rest of the page is written by people.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from firmware.settings.sections import Settings
from firmware.terminal.faults import FAULTS
from firmware.wiring_guide.causes import CAUSES
from firmware.wiring_guide.circuits import circuit_drawings
from firmware.wiring_guide.header import serial_devices, signals_of
from firmware.wiring_guide.header_drawing import header_drawing
from firmware.wiring_guide.parts import parts_of

_BLOCK: Final = re.compile(r"(<!-- made: ([a-z -]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_CIRCUITS: Final = {"button": "button", "door": "door", "driver": "driver", "pulse": "pulse"}


class GuideError(ValueError):
    """The page asks for a block that nobody makes, or lacks one."""


def blocks(cabinets: Mapping[str, Settings]) -> dict[str, str]:
    """Return every made block by name, for cabinets by the name of their file."""
    found = {f"pins {name}": _pins(settings) for name, settings in cabinets.items()}
    found |= {f"parts {name}": _parts(settings) for name, settings in cabinets.items()}
    found["faults"] = _faults()
    return found


def drawings(cabinets: Mapping[str, Settings]) -> dict[str, str]:
    """Return every drawing (SVG) by its file's name."""
    headers = {f"header-{name}.svg": header_drawing(settings, f"{name}.toml") for name, settings in cabinets.items()}
    return headers | {f"{name}.svg": svg for name, svg in circuit_drawings(cabinets["awp"]).items()}


def with_blocks(page: str, made: Mapping[str, str]) -> str:
    """Return a page with its made blocks made anew. Raises GuideError."""
    asked = [name for _, name, _ in _BLOCK.findall(page)]
    wrong = sorted(set(asked) ^ set(made)) or sorted({name for name in asked if asked.count(name) > 1})
    if wrong:
        raise GuideError(f"the page and the program do not agree about the block {wrong[0]!r}")
    return _BLOCK.sub(lambda found: f"{found[1]}{made[found[2]]}{found[3]}", page)


def _table(head: str, rows: Iterator[str]) -> str:
    cells = head.count("|") - 1
    return "\n".join(("", head, "| " + " | ".join(["---"] * cells) + " |", *rows, "", ""))


def _pins(settings: Settings) -> str:
    def rows() -> Iterator[str]:
        for signal in signals_of(settings):
            circuit = _CIRCUITS[signal.kind.circuit]
            yield f"| `{signal.key}` | {signal.bcm} | {signal.place} | {signal.kind.words} | [{circuit}](wiring/{circuit}.svg) |"
        for name, protocol, port, rest in serial_devices(settings):
            yield f"| {name} | – | USB | {protocol}{', ' + rest if rest else ''} | `{port}` |"

    return _table("| signal | GPIO (BCM) | header pin | what | circuit or port |", rows())


def _parts(settings: Settings) -> str:
    rows = (f"| {part.count} | {part.what} | {part.use} |" for part in parts_of(settings))
    return _table("| count | part | for |", rows)


def _faults() -> str:
    rows = (f"| {code} | {row.title.message} | {row.remedy.message} | {CAUSES[code]} |" for code, row in FAULTS.items())
    return _table("| code | fault | first | then look at |", rows)
