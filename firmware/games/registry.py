"""Which games there are: a profile file for each, and the rule family that plays it.

A new game is a new file in ``config/games``; a new family is one module with a ``FAMILY`` and one line in
``_FAMILY_MODULES``. Not responsible for the rules or for the options.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from firmware.errors import ConfigError, UserError
from firmware.games import profile_files
from firmware.games.contract import Game
from firmware.games.problems import shown
from firmware.games.profile import Profile, profile_digest

_FAMILY_MODULES: Final = {
    "poker": "firmware.games.families.dealer_poker",
    "baccarat": "firmware.games.families.baccarat",
    "blackjack": "firmware.games.families.blackjack",
}
_LOBBY_ORDER: Final = (
    "oasis",
    "oasis_jackpot",
    "russian",
    "caribbean",
    "baccarat",
    "open_blackjack",
    "one_deck_blackjack",
    "six_decks_blackjack",
    "european_blackjack",
)
"""The house's games as the lobby lists them; games of further profiles follow by name."""


@dataclass(frozen=True, slots=True)
class Family:
    """A rule family: the model of its profiles and how a game is made from one.

    ``rules_version`` is raised whenever equal cards and actions could settle otherwise than before.
    """

    name: str
    rules_version: int
    profile: type[Profile]
    build: Callable[[str, Any], Game]


@dataclass(frozen=True, slots=True)
class RegisteredGame:
    """A game ready to play, with what identifies its exact rules."""

    game: Game
    family: Family
    profile: Profile
    digest: str


@cache
def family(name: str) -> Family:
    """Return the family with this name. Raises KeyError for an unknown one."""
    found: Family = importlib.import_module(_FAMILY_MODULES[name]).FAMILY
    return found


def game_ids(directory: Path | None = None) -> tuple[str, ...]:
    """Return the ids of all games, in the order of the lobby.

    Args:
        directory: the folder of the profiles; None for the bundled ones.
    """
    found = profile_files.profile_paths(directory or profile_files.bundled_directory())
    known = tuple(name for name in _LOBBY_ORDER if name in found)
    return known + tuple(name for name in found if name not in _LOBBY_ORDER)


def register(
    game_id: str, overrides: Mapping[str, object] | None = None, directory: Path | None = None
) -> RegisteredGame:
    """Load a game with its profile.

    Args:
        game_id: e.g. ``oasis``.
        overrides: options that replace those of the profile, one by one.
        directory: the folder of the profiles; None for the bundled ones.

    Raises:
        UserError: there is no such game.
        ConfigError: the profile or the overrides are refused; all problems at once.
    """
    paths = profile_files.profile_paths(directory or profile_files.bundled_directory())
    if game_id not in paths:
        raise UserError(f"there is no game {shown(game_id)}; choose one of {', '.join(game_ids(directory))}")
    path = paths[game_id]
    table = profile_files.read_table(path)
    name = table.get("family")
    if not isinstance(name, str) or name not in _FAMILY_MODULES:
        wanted = ", ".join(_FAMILY_MODULES)
        raise ConfigError([f"{path}: family: found {shown(name)}, expected one of {wanted}"])
    rules = family(name)
    source = str(path)
    if overrides:
        rules.profile.parse(table, source)  # the file's own mistakes are the file's
        table, source = {**table, **overrides}, "profile"
    profile = rules.profile.parse(table, source)
    digest = profile_digest(game_id, rules.rules_version, profile)
    return RegisteredGame(rules.build(game_id, profile), rules, profile, digest)


def load_game(game_id: str, overrides: Mapping[str, object] | None = None, directory: Path | None = None) -> Game:
    """Return the game with this id; arguments and errors as in ``register``."""
    return register(game_id, overrides, directory).game
