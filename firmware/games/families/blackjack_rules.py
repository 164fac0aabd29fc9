"""The rules of a blackjack table, complete and plain. Not responsible for the configuration they come from."""

from dataclasses import dataclass
from typing import Final, Literal

HoleCard = Literal["peek", "no_peek", "none"]
Double = Literal["any_two", "hard_9_11", "hard_10_11", "hard_11"]
Surrender = Literal["off", "late", "early"]
NaturalPays = Literal["3/2", "6/5", "1/1"]

WIN_PAYS: Final = (1, 1)
INSURANCE_PAYS: Final = (2, 1)


@dataclass(frozen=True, slots=True)
class BlackjackRules:
    """The rules of one table, complete."""

    deck_count: int
    max_boxes: int
    hole_card: HoleCard
    exposed: bool
    soft_17: Literal["stand", "hit"]
    double: Double
    double_after_split: bool
    max_hands: int
    split_aces_one_card: bool
    resplit_aces: bool
    surrender: Surrender
    insurance: bool
    natural_pays: tuple[int, int]
    ties: Literal["push", "lose"]
    tied_naturals: Literal["push", "win", "lose"]
    dealer_natural_takes: Literal["all_bets", "original_bets"]

    @property
    def has_hole_card(self) -> bool:
        """Tell whether the dealer has two cards before the players act."""
        return self.hole_card != "none"

    @property
    def natural_ends_round(self) -> bool:
        """Tell whether a dealer's natural is known before the players act: he peeks, or both cards are up."""
        return self.hole_card == "peek" or self.exposed

    @property
    def asks_before_peek(self) -> bool:
        """Tell whether surrender must be asked before the dealer peeks, for afterwards it would not be early."""
        return self.surrender == "early" and self.hole_card == "peek" and not self.exposed
