"""Reads a configuration file and reports everything that is wrong with it at once."""

import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from firmware.errors import ConfigError
from firmware.settings.checks import RULES, Problem
from firmware.settings.sections import Settings, Storage
from firmware.settings.wording import Location, location_of, problem_of

# Stand-ins for required settings that are missing or refused, so that the rules between the others are still checked.
_PLACEHOLDERS: dict[str, object] = {"terminal.id": "X", "terminal.mode": "simulator", "storage.data_dir": "/"}


def load_settings(path: Path | str) -> Settings:
    """Read, check and return the settings of a TOML file, with all paths made absolute.

    Raises ConfigError with every problem of the file, one line each: `file: key.path: found X, expected Y`.
    """
    path = Path(path)
    data = _read(path)
    settings, problems = check(data)
    if problems:
        raise ConfigError(
            [f"{path}: {problem.key}: found {problem.found}, expected {problem.expected}" for problem in problems]
        )
    return settings.model_copy(update={"storage": _absolute(settings.storage, path.resolve().parent)})


def check(data: dict[str, Any]) -> tuple[Settings, list[Problem]]:
    """Check the tables of a configuration. The settings may only be used when there is no problem."""
    try:
        settings, refused, problems = Settings.model_validate(data), set[str](), list[Problem]()
    except ValidationError as error:
        details = error.errors(include_url=False)
        problems = [problem_of(detail) for detail in details]
        refused = {problem.key for problem in problems}
        settings = Settings.model_validate(_without(data, [location_of(detail) for detail in details]))
    for rule in RULES:
        problems += [problem for problem in rule(settings) if not _touches(problem, refused)]
    return settings, problems


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(
            [f"{path}: found no such file, expected a configuration such as config/simulator.toml"]
        ) from None
    except OSError as error:
        raise ConfigError([f"{path}: cannot be read: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            [f"{path}: found a byte that is not UTF-8 at offset {error.start}, expected a text file"]
        ) from None
    except RecursionError:
        raise ConfigError([f"{path}: is not TOML: tables nested too deeply"]) from None
    except ValueError as error:  # TOML's own errors, and a number of thousands of digits
        raise ConfigError([f"{path}: is not TOML: {error}"]) from None


def _absolute(storage: Storage, folder: Path) -> Storage:
    def absolute(place: Path | None) -> Path | None:
        return None if place is None else folder / place.expanduser()

    names = ("data_dir", "mirror_dir", "anchor_file")
    return storage.model_copy(update={name: absolute(getattr(storage, name)) for name in names})


def _without(data: dict[str, Any], locations: list[Location]) -> dict[str, Any]:
    """A copy of the tables without the refused values, required ones replaced by stand-ins."""
    copy: dict[str, Any] = _copied(data)
    for location in locations:
        _remove(copy, location)
    for key, placeholder in _PLACEHOLDERS.items():
        section, name = key.split(".")
        copy.setdefault(section, {}).setdefault(name, placeholder)
    return copy


def _copied(value: Any) -> Any:
    return {name: _copied(inner) for name, inner in value.items()} if isinstance(value, dict) else value


def _remove(table: dict[str, Any], location: Location) -> None:
    """Remove the value at a location; an item of a list goes with its list, a value of an inline pin with the pin."""
    for part in location[:-1]:
        inner = table.get(str(part))
        if not isinstance(inner, dict):
            table.pop(str(part), None)
            return
        table = inner
    table.pop(str(location[-1]), None)


def _touches(problem: Problem, refused: set[str]) -> bool:
    """Whether a rule looked at something that is refused already, at the same place, above it or inside it."""
    return any(
        key == other or key.startswith(f"{other}.") or other.startswith(f"{key}.")
        for key in (problem.key, *problem.looked_at)
        for other in refused
    )
