"""The options of a baccarat table, and the paytable and betting lines they make. Not responsible for play."""

from collections.abc import Iterable
from math import lcm
from typing import Literal

from pydantic import Field

from firmware.games.contract import LineSpec, PaytableRow
from firmware.games.profile import CREDIT_MINOR, Profile


class BaccaratProfile(Profile):
    """A table of baccarat; the defaults are the house's: eight decks, tie 8:1, 5 % commission taken at once."""

    family: Literal["baccarat"] = "baccarat"
    deck_count: Literal[1, 6, 8] = 8
    tie_pays: Literal[8, 9] = 8
    commission: Literal["five_percent", "none"] = "five_percent"
    """``none``: Banker pays even money, but only half when it wins with six points."""
    pair_bets: bool = False
    """Side bets that the first two cards of a hand have the same rank, paid 11:1."""
    minimum_minor: int = Field(default=CREDIT_MINOR, ge=1, le=10**9)
    maximum_minor: int = Field(default=100 * CREDIT_MINOR, ge=1, le=10**9)

    def contradictions(self) -> Iterable[tuple[str, object, str]]:
        """Return limits between which there is no bet that can be paid exactly."""
        for line in betting_lines(self):
            if -(-self.minimum_minor // line.step_minor) * line.step_minor > self.maximum_minor:
                wanted = f"a multiple of {line.step_minor} (for {line.line}) from {self.minimum_minor} up"
                yield "maximum_minor", self.maximum_minor, wanted


def paytable(profile: BaccaratProfile) -> tuple[PaytableRow, ...]:
    """Return what each line pays, by the class of the winning hand."""
    rows = [PaytableRow("player", "player", (1, 1))]
    if profile.commission == "five_percent":
        rows.append(PaytableRow("banker", "banker", (19, 20)))
    else:
        rows += [PaytableRow("banker", "banker", (1, 1)), PaytableRow("banker", "banker_6", (1, 2))]
    rows.append(PaytableRow("tie", "tie", (profile.tie_pays, 1)))
    if profile.pair_bets:
        rows += [PaytableRow("player_pair", "pair", (11, 1)), PaytableRow("banker_pair", "pair", (11, 1))]
    return tuple(rows)


def betting_lines(profile: BaccaratProfile) -> tuple[LineSpec, ...]:
    """Return the lines that are open; the step is the smallest for which every win is a whole minor unit."""
    steps: dict[str, int] = {}
    for row in paytable(profile):
        if row.pays:
            steps[row.line] = lcm(steps.get(row.line, 1), row.pays[1])
    return tuple(
        LineSpec(line, profile.minimum_minor, profile.maximum_minor, step, optional=True)
        for line, step in steps.items()
    )
