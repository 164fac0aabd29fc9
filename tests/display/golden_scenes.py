"""Goldens of the scenes: for each sample and language a digest of its draw list, its texts and its touch targets.

``python -m tests.display.golden_scenes`` writes them anew, on purpose: look at the pictures first.
"""

import hashlib
import json
from dataclasses import fields
from pathlib import Path

from display.draw_list import Box, DrawList, Hit, Item, Label
from tests.display.frames import CABINET_CASES, CASES, frame

FILE = Path(__file__).parent / "golden" / "scenes.json"


def _plain(value: object) -> object:
    if isinstance(value, float | int) and not isinstance(value, bool):
        return round(float(value), 1)
    if isinstance(value, Box):
        return [_plain(side) for side in (value.x, value.y, value.w, value.h)]
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value


def _item(item: Item) -> list[object]:
    return [type(item).__name__, *(_plain(getattr(item, field.name)) for field in fields(item))]


def summary(drawn: DrawList) -> dict[str, object]:
    """Return what a golden keeps of a frame."""
    listing = json.dumps([_item(item) for item in drawn.items], ensure_ascii=False)
    return {
        "digest": hashlib.sha256(f"{drawn.static_count} {listing}".encode()).hexdigest()[:16],
        "items": len(drawn.items),
        "texts": " | ".join(item.text for item in drawn.items if isinstance(item, Label)),
        "targets": " ".join(item.target for item in drawn.items if isinstance(item, Hit)),
    }


def all_summaries() -> dict[str, dict[str, object]]:
    """Return the goldens of all samples as they are now."""
    return {f"{name}.{language}": summary(frame(name, language)) for name, language in (*CASES, *CABINET_CASES)}


def load() -> dict[str, dict[str, object]]:
    """Return the committed goldens."""
    goldens: dict[str, dict[str, object]] = json.loads(FILE.read_text(encoding="utf-8"))
    return goldens


if __name__ == "__main__":
    FILE.write_text(json.dumps(all_summaries(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
