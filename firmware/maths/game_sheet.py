"""One sheet for any of the house's games, as plain JSON values: the figures, and what identifies the exact rules.

Not responsible for the figures themselves (the families' sheets) or for files and the command line (``command``).
"""

from typing import Any, Final

from firmware.errors import UserError
from firmware.games.families.baccarat_options import BaccaratProfile
from firmware.games.families.blackjack_options import BlackjackProfile
from firmware.games.families.dealer_poker.profile import DealerPokerProfile
from firmware.games.registry import RegisteredGame
from firmware.maths import baccarat_sheet
from firmware.maths.installed import require_maths
from firmware.maths.progress import Progress

SHEET_VERSION: Final = 1
"""Of the JSON's shape."""
MAIN_BET: Final = "banker"
"""The bet whose figures stand at the top of a baccarat sheet; all bets are below."""


def game_sheet(registered: RegisteredGame, progress: Progress) -> dict[str, Any]:
    """Compute the sheet of a game.

    Raises:
        UserError: numba is missing, or an option's odds are not computed.
    """
    profile = registered.profile
    if isinstance(profile, BaccaratProfile):
        sheets = baccarat_sheet.bet_sheets(profile)
        figures = {**sheets[MAIN_BET].figures(), "bets": {name: sheet.figures() for name, sheet in sheets.items()}}
    elif isinstance(profile, BlackjackProfile):
        require_maths("par")
        from firmware.maths import blackjack_sheet

        figures = blackjack_sheet.sheet(profile)[0].figures()
    elif isinstance(profile, DealerPokerProfile):
        require_maths("par")
        figures = poker_figures(profile, progress)
    else:
        raise UserError(f"par: no odds are computed for the family {profile.family!r}")
    return {
        "game": registered.game.id,
        "sheet_version": SHEET_VERSION,
        "rules_version": registered.family.rules_version,
        "profile_digest": registered.digest,
        **figures,
        "profile": profile.options(),
    }


def poker_figures(profile: DealerPokerProfile, progress: Progress) -> dict[str, Any]:
    """Compute the sheet of a poker table. Needs numpy and numba."""
    from firmware.maths import poker_sheet, russian_sheet
    from firmware.maths.russian_best import is_russian

    if is_russian(profile):
        return russian_sheet.figures(profile, progress)
    terms = poker_sheet.terms_of(profile)
    return poker_sheet.make_sheet(profile, terms, poker_sheet.solution(terms, progress)).figures()
