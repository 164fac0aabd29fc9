"""The options of a blackjack table and the rules they make. Not responsible for play or payment.

``BlackjackProfile`` is what a configuration file says; an option that depends on another one may be left out there and
is filled in before anything else looks.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Literal, Self

from pydantic import Field

from firmware.games.contract import LineSpec, PaytableRow
from firmware.games.families.blackjack_bound import most_cards_per_round
from firmware.games.families.blackjack_edges import player_edges
from firmware.games.families.blackjack_rules import (
    INSURANCE_PAYS,
    WIN_PAYS,
    BlackjackRules,
    Double,
    HoleCard,
    NaturalPays,
    Surrender,
)
from firmware.games.profile import CREDIT_MINOR, Profile, Ratio


class BlackjackProfile(Profile):
    """A table of blackjack. Options that may be left out say what then holds."""

    family: Literal["blackjack"] = "blackjack"
    deck_count: Literal[1, 2, 4, 6, 8]
    max_boxes: int = Field(ge=1, le=6)
    shoe_carried: bool = False
    """True: the shoe stays for the next round until the cut card is reached; False: shuffled before every round."""
    cut_card_at: Ratio = Fraction(2, 3)
    """Where the cut card of a carried shoe lies, as a share of the shoe."""
    hole_card: HoleCard
    """``peek``: the dealer looks at once whether he has a natural; ``none``: he draws it after the players."""
    exposed: bool = False
    """Both dealer cards face up."""
    soft_17: Literal["stand", "hit"]
    double: Double
    double_after_split: bool
    max_hands: int = Field(ge=1, le=4)
    """Into how many hands a box may be split: 1 no split, 2 one split, 4 three."""
    split_aces_one_card: bool = True
    resplit_aces: bool = False
    surrender: Surrender = "off"
    insurance: bool
    """Left out: offered on an ace, but not with both dealer cards up."""
    natural_pays: NaturalPays
    """Left out: 3/2, or 1/1 with both dealer cards up."""
    ties: Literal["push", "lose"]
    """Equal totals. Left out: push, but lose with both dealer cards up. Tied naturals are apart."""
    tied_naturals: Literal["push", "win", "lose"] = "push"
    dealer_natural_takes: Literal["all_bets", "original_bets"]
    """What a dealer's natural found after play takes: split and doubled money too, or each box's first bet only."""
    minimum_minor: int = Field(default=CREDIT_MINOR, ge=1, le=10**9)
    maximum_minor: int = Field(default=100 * CREDIT_MINOR, ge=1, le=10**9)

    @classmethod
    def parse(cls, table: Mapping[str, object], source: str) -> Self:
        """Validate a table of options after giving those that were left out the value that goes with the others.

        Arguments and errors as in ``Profile.parse``.
        """
        exposed = table.get("exposed") is True
        follows = {
            "insurance": not exposed,
            "natural_pays": "1/1" if exposed else "3/2",
            "ties": "lose" if exposed else "push",
        }
        return super().parse({**follows, **table}, source)

    def contradictions(self) -> Iterable[tuple[str, object, str]]:
        """Return options that cannot go together, and a shoe that a round could exhaust."""
        if self.exposed and self.hole_card == "none":
            yield "hole_card", "none", "peek or no_peek where both dealer cards are exposed"
        if self.exposed and self.insurance:
            yield "insurance", True, "false where both dealer cards are exposed"
        if self.resplit_aces and self.max_hands < 3:
            yield "max_hands", self.max_hands, "3 or 4 with resplit_aces"
        if self.double_after_split and self.max_hands < 2:
            yield "max_hands", self.max_hands, "2 or more with double_after_split"
        needed = most_cards_per_round(self.deck_count, self.max_boxes, self.max_hands)
        left = 52 * self.deck_count - (max(cut_after_count(self) - 1, 0) if self.shoe_carried else 0)
        if needed > left:
            wanted = f"fewer boxes or hands: a round can take {needed} cards and the shoe may have only {left} left"
            yield "max_boxes", self.max_boxes, wanted
        step_minor = bet_line(self).step_minor
        if -(-self.minimum_minor // step_minor) * step_minor > self.maximum_minor:
            yield "maximum_minor", self.maximum_minor, f"a multiple of {step_minor} from {self.minimum_minor} up"

    def player_edges(self) -> Mapping[str, str]:
        """Return the known combinations that favour the player, or are not proved not to."""
        return player_edges(rules_of(self))


def rules_of(profile: BlackjackProfile) -> BlackjackRules:
    """Return the rules of a profile, without the configuration around them."""
    numerator, denominator = profile.natural_pays.split("/")
    return BlackjackRules(
        deck_count=profile.deck_count,
        max_boxes=profile.max_boxes,
        hole_card=profile.hole_card,
        exposed=profile.exposed,
        soft_17=profile.soft_17,
        double=profile.double,
        double_after_split=profile.double_after_split,
        max_hands=profile.max_hands,
        split_aces_one_card=profile.split_aces_one_card,
        resplit_aces=profile.resplit_aces,
        surrender=profile.surrender,
        insurance=profile.insurance,
        natural_pays=(int(numerator), int(denominator)),
        ties=profile.ties,
        tied_naturals=profile.tied_naturals,
        dealer_natural_takes=profile.dealer_natural_takes,
    )


def cut_after_count(profile: BlackjackProfile) -> int:
    """Return after how many dealt cards a carried shoe is shuffled before the next round."""
    return int(52 * profile.deck_count * profile.cut_card_at)


def paytable(rules: BlackjackRules) -> tuple[PaytableRow, ...]:
    """Return what is paid, by the class of the player's hand; ``dealer_blackjack`` is what insurance is about."""
    rows = [PaytableRow("bet", "blackjack", rules.natural_pays), PaytableRow("bet", "win", WIN_PAYS)]
    if rules.insurance:
        rows.append(PaytableRow("insurance", "dealer_blackjack", INSURANCE_PAYS))
    return tuple(rows)


def bet_line(profile: BlackjackProfile) -> LineSpec:
    """Return the betting line; its step is the smallest for which naturals and half bets are whole amounts."""
    rules = rules_of(profile)
    halves = 2 if rules.insurance or rules.surrender != "off" else 1
    step_minor = lcm(rules.natural_pays[1], halves)
    return LineSpec("bet", profile.minimum_minor, profile.maximum_minor, step_minor)
