"""Turns what pydantic says about a refused value into `found` and `expected`, in the words of the file's author."""

import difflib
import json
from datetime import date, time
from typing import Any, get_args, get_origin

from pydantic.fields import FieldInfo

from firmware.settings.checks import Problem
from firmware.settings.sections import Settings
from firmware.settings.spec import Section, rows, spec_of

Location = tuple[str | int, ...]

_SHOWN_CHARACTERS = 60
# Phrases in place of pydantic's message. Other kinds of error have messages of our own, or need a look at the row.
_PHRASES = {
    "string_pattern_mismatch": "text that matches {pattern}",
    "string_too_long": "at most {max_length} characters",
    "too_short": "at least {min_length} of them",
    "bool_type": "true or false",
    "string_type": "text in quotes",
    "path_type": "text in quotes",
    "model_type": "a table",
    "dict_type": "a table",
    "tuple_type": "a list in square brackets",
}


def location_of(detail: Any) -> Location:
    """Where in the file the refused value stands. `detail` is one of pydantic's error details."""
    location: Location = detail["loc"]
    return tuple(part for part in location if part != "[key]")


def problem_of(detail: Any) -> Problem:
    """The problem that an error detail of pydantic stands for."""
    location = location_of(detail)
    key = ".".join(str(part) for part in location)
    if detail["type"] == "missing":
        return Problem(key, "nothing", _of_row(location) or _table_with(location))
    if detail["type"] == "extra_forbidden":
        return Problem(key, "an unknown key", _known_key(location))
    is_name = detail["loc"][-1] == "[key]" and detail["type"] == "literal_error"
    found = "an unknown key" if is_name else _shown(detail["input"])
    return Problem(key, found, _expectation(detail, location))


def _expectation(detail: Any, location: Location) -> str:
    kind: str = detail["type"]
    context: dict[str, Any] = detail.get("ctx", {})
    if kind == "literal_error":
        return "one of " + str(context["expected"]).replace("'", '"').replace(" or ", ", ")
    if kind in _PHRASES:
        return _PHRASES[kind].format_map(context)
    if kind.startswith("int_") or kind in ("greater_than_equal", "less_than_equal"):
        bound = next(
            (
                f", {words} {context[name]}"
                for name, words in (("ge", "at least"), ("le", "at most"))
                if name in context
            ),
            "",
        )
        return _of_row(location) or f"a whole number{bound}"
    return str(detail["msg"])


def _of_row(location: Location) -> str:
    """What the row at a location takes; empty if there is no such row, as for one item of a list."""
    section = _section_at(location[:-1])
    field = section.model_fields.get(str(location[-1])) if section else None
    if field is None or _section_in(field.annotation):
        return ""
    spec = spec_of(".".join(str(part) for part in location), field)
    if spec.choices:
        return "one of " + ", ".join(json.dumps(choice) for choice in spec.choices)
    if spec.kind != "whole number":
        return f"{spec.kind} ({spec.help_text})"
    unit = f" ({spec.unit})" if spec.unit else ""
    return f"a whole number from {spec.minimum} to {spec.maximum}{unit}"


def _table_with(location: Location) -> str:
    section = _section_at(location)
    required = [name for name, field in section.model_fields.items() if field.is_required()] if section else []
    return f"a table with {' and '.join(required)}" if required else "a table"


def _known_key(location: Location) -> str:
    """The known key that looks like the unknown one, or the one of this name in another table, else all that are known."""
    section = _section_at(location[:-1])
    name, known = str(location[-1]), list(section.model_fields) if section else []
    close = difflib.get_close_matches(name, known, 1)
    if close:
        return f'"{close[0]}"'
    elsewhere = [spec.key for spec in rows(Settings) if spec.key.rpartition(".")[2] == name]
    return elsewhere[0] if len(elsewhere) == 1 else f"one of {', '.join(known)}"


def _section_at(location: Location) -> type[Section] | None:
    annotation: Any = Settings
    for part in location:
        annotation = _step(annotation, str(part))
    return _section_in(annotation)


def _step(annotation: Any, name: str) -> Any:
    """The type of what stands at `name` inside a section, an optional section or a table of sections."""
    for candidate in (annotation, *get_args(annotation)):
        if get_origin(candidate) is dict:
            return get_args(candidate)[1]
        section = _section_in(candidate)
        if section is not None:
            field: FieldInfo | None = section.model_fields.get(name)
            return field.annotation if field else None
    return None


def _section_in(annotation: Any) -> type[Section] | None:
    if get_origin(annotation) is dict:
        return None
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, Section):
            return candidate
    return None


def _shown(value: object) -> str:
    """A value as it stands in the file, shortened."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, bool | str):
        text = json.dumps(value, ensure_ascii=False)
    elif isinstance(value, date | time):
        text = value.isoformat()
    else:
        text = str(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 3] + "..."
