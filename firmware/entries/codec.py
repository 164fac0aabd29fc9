"""Entries to canonical text and back. Equal entries give equal bytes; every sample ever written stays decodable.

Not responsible for storage or chaining (``journal``).
"""

import json
from dataclasses import fields, is_dataclass
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from firmware.entries.fairness import FAIRNESS_TYPES
from firmware.entries.keeping import KEEPING_TYPES
from firmware.entries.menu import MENU_TYPES
from firmware.entries.service import SERVICE_TYPES
from firmware.entries.slips import SLIP_TYPES
from firmware.entries.types import ENTRY_TYPES, Entry

ALL_TYPES: Final = (*ENTRY_TYPES, *KEEPING_TYPES, *MENU_TYPES, *FAIRNESS_TYPES, *SLIP_TYPES, *SERVICE_TYPES)
"""Every kind of entry."""
_CLASSES = {f"{entry_type.KIND}/{entry_type.VERSION}": entry_type for entry_type in ALL_TYPES}
_ADAPTERS: dict[str, TypeAdapter[Entry]] = {}


class UnknownEntryError(ValueError):
    """The journal holds an entry that this program can't read: written by a newer version, or damaged."""


def kind_of(entry: Entry) -> str:
    """Return the entry's name in the journal: kind and version, e.g. ``note_credited/1``."""
    return f"{entry.KIND}/{entry.VERSION}"


def is_known(kind: str) -> bool:
    """Tell whether this program can read entries of a kind; it can't if a newer version wrote them."""
    return kind in _CLASSES


def encode(entry: Entry) -> str:
    """Return the entry's fields as canonical JSON: sorted keys, no spaces, ASCII."""
    return json.dumps(_plain(entry), sort_keys=True, separators=(",", ":"))


def decode(kind: str, body: str) -> Entry:
    """Return the entry for a kind and its body.

    Raises:
        UnknownEntryError: the kind is not known or the body does not fit it.
    """
    if kind not in _CLASSES:
        raise UnknownEntryError(f"entry kind {kind!r} is not known to this version")
    try:
        return _adapter(kind).validate_json(body, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "body"
        raise UnknownEntryError(f"entry {kind} is damaged at {place}: {first['msg']}") from None


def _adapter(kind: str) -> TypeAdapter[Entry]:
    if kind not in _ADAPTERS:  # made when first needed: a terminal's start decodes only a few kinds
        _ADAPTERS[kind] = TypeAdapter(_CLASSES[kind])
    return _ADAPTERS[kind]


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
