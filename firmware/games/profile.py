"""What all game profiles share: strict validation, acknowledged player edges, and the digest.

A profile is a table of named options (``config/games/NAME.toml``) for one rule family; each family has one model, a
subclass of ``Profile``. Not responsible for reading files (``profile_files``) or for choosing the family
(``registry``).
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator, ValidationError

from firmware.errors import ConfigError
from firmware.games.problems import problem_lines, shown

CREDIT_MINOR: Final = 100
"""Minor units of one credit, the unit in which the house's rules speak of limits and prizes."""


def _ratio(value: object) -> Fraction:
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError("a whole number or a text such as '3/2'")  # noqa: TRY004 - pydantic reports ValueError
    try:
        ratio = Fraction(value)
    except (ValueError, ZeroDivisionError):
        raise ValueError("a whole number or a text such as '3/2'") from None
    if not 0 <= ratio <= 1_000_000 or ratio.denominator > 1_000_000:
        raise ValueError("a ratio between 0 and 1000000")
    return ratio


Ratio = Annotated[Fraction, PlainValidator(_ratio), PlainSerializer(str, return_type=str)]
"""An exact ratio: a whole number or a text such as ``"3/2"``."""


class Profile(BaseModel):
    """The options of one game. Unknown options and wrong types are refused; nothing is converted silently."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    family: str
    acknowledge_player_edge: tuple[str, ...] = ()
    """Names of combinations that favour the player (or are not proved not to) and are wanted nevertheless."""

    def contradictions(self) -> Iterable[tuple[str, object, str]]:
        """Return options that cannot go together, each as key, value found, and what would be expected there."""
        return ()

    def player_edges(self) -> Mapping[str, str]:
        """Return the options that give the player an edge, or may: name -> reason in one line."""
        return {}

    @classmethod
    def parse(cls, table: Mapping[str, object], source: str) -> Self:
        """Validate a table of options.

        Args:
            table: the options as TOML or JSON give them.
            source: what to name in the problems, usually the file.

        Raises:
            ConfigError: with all problems at once, each ``source: key: found X, expected Y``.
        """
        try:
            profile = cls.model_validate_json(json.dumps(table, default=str))
        except ValidationError as errors:
            lines = problem_lines(errors, tuple(cls.model_fields))
            raise ConfigError([f"{source}: {line}" for line in lines]) from None
        problems = [
            f"{key}: found {shown(found)}, expected {wanted}" for key, found, wanted in profile.contradictions()
        ]
        problems = problems or _edge_problems(profile)
        if problems:
            raise ConfigError([f"{source}: {line}" for line in problems])
        return profile

    def options(self) -> dict[str, Any]:
        """Return all options, defaults included, as plain JSON values."""
        return self.model_dump(mode="json")


def _edge_problems(profile: Profile) -> list[str]:
    """Return what is wrong with the acknowledgements: one that lacks, one for an edge that is not there."""
    key, given, edges = "acknowledge_player_edge", profile.acknowledge_player_edge, profile.player_edges()
    found = "nothing" if not given else ", ".join(shown(name) for name in given)
    lines = [f"{key}: found {found}, expected {name!r}: {why}" for name, why in edges.items() if name not in given]
    lines += [f"{key}: found {shown(name)}, expected no such name here" for name in given if name not in edges]
    return lines


def profile_digest(game_id: str, rules_version: int, profile: Profile) -> str:
    """Return the SHA-256 (hex) of the canonical JSON of all that decides a game: id, rules version and options."""
    content = {"game": game_id, "rules_version": rules_version, "options": profile.options()}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()
