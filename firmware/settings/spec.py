"""What a setting is: a row with type, range, unit, default, label, help and access level.

The rows themselves are the fields of the sections in `firmware.settings.sections`. From them come the validation of
the file, the operator's menu and the documentation. Not responsible for reading files.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.fields import FieldInfo

MAXIMUM_MINOR = 10**12
"""No amount of a setting is larger."""
Access = Literal["attendant", "operator", "technician"]
"""Who may change a setting in the menu; each may do what the one before may."""


class Section(BaseModel):
    """A table of the configuration file. Types are strict (no text for a number), keys are known, values are fixed."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


# pydantic's own Field returns Any too: what it returns takes the place of a default of any type.
def row(
    label: str,
    help_text: str,
    default: Any = ...,
    *,
    unit: str = "",
    access: Access = "technician",
    setup_only: bool = False,
    **constraints: Any,
) -> Any:
    """One setting. `label` and `help_text` are English message ids; `constraints` are pydantic's (ge, le, pattern, ...).

    Without `default` the setting is required. `setup_only` settings are frozen until the next RAM clear.
    """
    metadata: dict[str, JsonValue] = {"unit": unit, "access": access, "setup_only": setup_only}
    return Field(default, title=label, description=help_text, json_schema_extra=metadata, **constraints)


@dataclass(frozen=True)
class SettingSpec:
    """One row, ready for a menu or a page of documentation."""

    key: str
    """Path in the file, `limits.credit_limit_minor`."""
    label: str
    help_text: str
    help_key: str
    """Where a longer text about the setting is found: `setting.` and the key."""
    kind: str
    """`text`, `whole number`, `yes or no`, `choice`, `path`, `list`, `table` or `pin`."""
    unit: str
    required: bool
    default: object
    """None for a required setting and for one that is absent unless given."""
    minimum: int | None
    maximum: int | None
    choices: tuple[str | int, ...]
    access: Access
    setup_only: bool


def rows(model: type[Section], prefix: str = "") -> Iterator[SettingSpec]:
    """Every row of a section and of the sections inside it, in the order of the table."""
    for name, field in model.model_fields.items():
        key = f"{prefix}{name}"
        inner = section_of(field)
        if inner is not None:
            yield from rows(inner, f"{key}.")
        else:
            yield spec_of(key, field)


def section_of(field: FieldInfo) -> type[Section] | None:
    """The section that a field holds, or None if the field is a row."""
    kind: Any = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Section) else None


def spec_of(key: str, field: FieldInfo) -> SettingSpec:
    """The row that a field is, under a key."""
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    bounds: dict[str, int | None] = {"ge": None, "le": None}
    for constraint in field.metadata:
        for bound in bounds:
            bounds[bound] = getattr(constraint, bound, bounds[bound])
    required = field.is_required()
    return SettingSpec(
        key=key,
        label=field.title or "",
        help_text=field.description or "",
        help_key=f"setting.{key}",
        kind=kind_of(field.annotation),
        unit=str(extra.get("unit", "")),
        required=required,
        default=None if required else field.get_default(call_default_factory=True),
        minimum=bounds["ge"],
        maximum=bounds["le"],
        choices=_choices(field.annotation),
        access=extra.get("access", "technician"),  # type: ignore[arg-type] # only `row` writes it
        setup_only=bool(extra.get("setup_only")),
    )


def kind_of(annotation: Any) -> str:
    """The kind of value in an operator's words."""
    origin = get_origin(annotation)
    if origin is Literal:
        return "choice"
    if origin is tuple:
        return "list"
    if origin is dict:
        return "table"
    if origin is not None:  # X | None
        return kind_of(next(part for part in get_args(annotation) if part is not type(None)))
    names = {"str": "text", "int": "whole number", "bool": "yes or no", "Path": "path"}
    return names.get(getattr(annotation, "__name__", ""), "pin")


def _choices(annotation: Any) -> tuple[str | int, ...]:
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    for part in get_args(annotation):
        if get_origin(part) is Literal:
            return get_args(part)
    return ()
