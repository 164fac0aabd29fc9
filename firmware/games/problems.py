"""Pydantic's findings as lines for people: ``where: found X, expected Y``.

Shared by game profiles and round records. Not responsible for reading files or for deciding what is an error.
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_LONGEST_TEXT: Final = 60
_EXPECTED: Final = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number of at most 18 digits",
    "bool_type": "true or false",
    "string_type": "a text",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}
_BOUNDS: Final = {"greater_than_equal": "ge", "greater_than": "gt", "less_than_equal": "le", "less_than": "lt"}
_BOUND_TEXT: Final = {"ge": "at least", "gt": "more than", "le": "at most", "lt": "less than"}


def shown(value: object) -> str:
    """Return a value as one short line that is safe to print anywhere."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    text = ascii(value) if not isinstance(value, int) or abs(value) < 10**18 else "a number of more than 18 digits"
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "..."


def path_text(path: Iterable[int | str]) -> str:
    """Return a path such as ``stakes[0].ante``."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += ("." if text else "") + (step if step.isidentifier() or step.isdigit() else shown(step))
    return text


def expected(error: ErrorDetails, known: Sequence[str]) -> str:
    """Return what one of pydantic's findings asks for; ``known`` are the option names, for a likely slip."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if kind in _BOUNDS:
        bound = _BOUNDS[kind]
        return f"{_BOUND_TEXT[bound]} {context[bound]}"
    if kind == "literal_error":
        return str(context["expected"])
    if kind == "extra_forbidden":
        close = get_close_matches(str(error["loc"][-1]), known, n=1)
        return f"no such option; did you mean {close[0]!r}?" if close else "no such option"
    if kind in ("value_error", "assertion_error"):
        return str(context["error"])
    return error["msg"].removeprefix("Input should be ").removeprefix("Value error, ")


def problem_lines(errors: ValidationError, known: Sequence[str] = ()) -> list[str]:
    """Return one line per finding: ``path: found X, expected Y``."""
    lines = []
    for error in errors.errors(include_url=False):
        where = path_text(step for step in error["loc"] if step != "[key]") or "(whole)"
        if error["type"] == "missing":
            found, wanted = "nothing", "a value"
        else:
            found, wanted = shown(error["input"]), expected(error, known)
        lines.append(f"{where}: found {found}, expected {wanted}")
    return lines
