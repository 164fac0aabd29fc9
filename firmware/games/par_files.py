"""The committed PAR sheets: reads what a game returns in theory, for the operator's reports. Needs no mathematics.

A sheet belongs to exact rules: one whose digest differs from the game's says nothing about it and is not returned.
Not responsible for computing sheets (``firmware.maths``) or for their whole content.
"""

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from firmware.games.profile_files import bundled_directory


@dataclass(frozen=True, slots=True)
class TheoreticalReturn:
    """What a sheet says about one game under best play."""

    game: str
    house_edge: Fraction
    """The house's part of every initial stake (ante, bet)."""
    average_wager: Fraction
    """All money put up per initial stake: bets, fees, doubles and splits included."""

    @property
    def hold(self) -> Fraction:
        """The house's part of all money put up: what a coin-in meter times this should have kept."""
        return self.house_edge / self.average_wager


def par_path(game_id: str, directory: Path | None = None) -> Path:
    """Return where a game's sheet lies; ``directory`` is the folder of the sheets, None for the bundled one."""
    return (directory or bundled_directory().parent / "par") / f"{game_id}.json"


def read_sheet(game_id: str, digest: str, directory: Path | None = None) -> dict[str, Any] | None:
    """Return the sheet of a game whose rules have this digest; None where there is none, or it is of other rules."""
    try:
        found = json.loads(par_path(game_id, directory).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict) or found.get("profile_digest") != digest:
        return None
    return found


def theoretical_return(game_id: str, digest: str, directory: Path | None = None) -> TheoreticalReturn | None:
    """Return what a game returns in theory, None where no sheet of its exact rules is there."""
    found = read_sheet(game_id, digest, directory)
    if found is None:
        return None
    return TheoreticalReturn(game_id, Fraction(found["house_edge"]), Fraction(found["average_wager"]))
