"""The options of the poker tables: Oasis, Oasis with jackpot, Russian and Caribbean Poker are profiles of one family.

Each option is a choice that the house's rules leave open or in which houses differ; the default is this house's own.
Not responsible for what the options do in play, nor for which of them go together (``checks``).
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from firmware.games.families.dealer_poker import checks
from firmware.games.profile import CREDIT_MINOR, Profile, Ratio
from firmware.money import MAX_AMOUNT_MINOR

HOUSE_PAYS: Final = {
    "royal_flush": 100,
    "straight_flush": 50,
    "four_of_a_kind": 20,
    "full_house": 7,
    "flush": 5,
    "straight": 4,
    "three_of_a_kind": 3,
    "two_pairs": 2,
    "pair": 1,
    "ace_king": 1,
}
"""What the bet pays to one, from the house's rules; all four games agree."""


def _only_paying(table: dict[str, int]) -> dict[str, int]:
    if not set(table) <= set(HOUSE_PAYS):
        raise ValueError(f"only the classes {', '.join(HOUSE_PAYS)}")
    return table


def _all_paying(table: dict[str, int]) -> dict[str, int]:
    if set(table) != set(HOUSE_PAYS):
        raise ValueError(f"exactly the classes {', '.join(HOUSE_PAYS)}")
    return table


def _every_suit(order: str) -> str:
    if sorted(order) != sorted("shdc"):
        raise ValueError("the four suits s, h, d, c, each once")
    return order


Amount = Annotated[int, Field(ge=0, le=MAX_AMOUNT_MINOR)]
PositiveAmount = Annotated[int, Field(ge=1, le=MAX_AMOUNT_MINOR)]
Prizes = Annotated[dict[str, Annotated[int, Field(ge=1, le=1_000_000)]], AfterValidator(_only_paying)]
Pays = Annotated[dict[str, Annotated[int, Field(ge=0, le=10_000)]], AfterValidator(_all_paying)]
ButtonName = Literal["raise", "bet", "bet_x2", "call", "deal", "fold", "surrender", "exchange", "change"]


class JackpotProfile(BaseModel):
    """The jackpot side bet: one unit per box, judged on the box's cards alone, whatever the dealer has."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    unit_minor: PositiveAmount = CREDIT_MINOR
    """The side bet's price; the fixed prizes scale with it."""
    seed_minor: Amount = 10_000 * CREDIT_MINOR
    """What the meter starts with, and starts again with after a prize of 100 %."""
    contribution: Ratio = Fraction(2, 5)
    """The part of every side bet that goes to the meter."""
    cap_minor: Amount = 200_000 * CREDIT_MINOR
    """The meter takes no contributions above this."""
    percent_of_meter: Prizes = {"royal_flush": 100, "straight_flush": 10}
    """Prizes as a share of the meter as it stood when the round began."""
    fixed_units: Prizes = {"four_of_a_kind": 500, "full_house": 100, "flush": 50}
    """Prizes in units."""
    judged_on: Literal["dealt", "final"] = "dealt"
    """Which cards count: the five dealt ones, or the hand after an exchange or a sixth card."""
    void_on_fold: bool = False
    """Whether folding a box loses its side bet."""
    stake_returned: bool = False
    """Whether a winning side bet comes back beside its prize."""


class DealerPokerProfile(Profile):
    """The options of one poker table against the dealer."""

    family: Literal["poker"]

    # --- Boxes and stakes
    positions: Annotated[int, Field(ge=1, le=6)] = 6
    """Box positions marked on the table."""
    max_boxes: Annotated[int, Field(ge=1, le=6)] = 3
    """How many of them the player may buy."""
    neighbours_only: bool = False
    """Whether the boxes bought must lie side by side."""
    blind_box: Literal["third_bought", "third_seated", "none"] = "third_bought"
    """Which box plays blind: the third one bought, the third one in seat order, or none."""
    ante_minimum_minor: PositiveAmount = CREDIT_MINOR
    ante_maximum_minor: PositiveAmount = 100 * CREDIT_MINOR
    ante_step_minor: PositiveAmount = 1
    """Antes are multiples of this; 200 gives even credits only."""
    half_minor_units: Literal["refuse_stake", "refuse_action"] = "refuse_stake"
    """An ante for which a fee would not be whole: not taken at all, or taken without that action. Never rounded."""
    max_win_minor: PositiveAmount | None = None
    """The most that a box can win on ante and bet together; None for no cap."""

    # --- Deal
    first_card: Literal["boxes", "dealer"] = "boxes"
    """Who gets the first card in each of the five rounds of dealing."""
    upcard: Literal["first", "last"] = "last"
    """Which of the dealer's cards lies face up."""
    reveal_when_all_folded: bool = True
    """Whether the dealer shows his cards when nobody plays against them."""

    # --- Drawing
    exchange_tariff: dict[Annotated[int, Field(ge=1, le=5)], Ratio] = {}
    """Number of cards -> price in antes; empty for no exchange."""
    replacement_order: Literal["card_position", "named"] = "card_position"
    """Which discard is replaced first: by its place in the hand, or in the order in which they were named."""
    after_draw: Literal["free_choice", "must_improve"] = "free_choice"
    """Whether a hand that a draw did not improve may still be played."""
    sixth_card_price: Ratio | None = None
    """Price of a sixth card in antes; None where none is sold."""
    sixth_card_guard: bool = True
    """Whether a sixth card is sold only to those who can pay the bet afterwards, as an exchange always is."""

    # --- Settlement
    pays: Pays = HOUSE_PAYS
    """What the bet pays to one."""
    ante_paid_when_dealer_qualifies: bool = True
    """Whether a won ante pays 1 to 1 when the dealer qualifies, or only comes back."""
    second_combination: bool = False
    """Whether a second combination pays as well."""
    duplicate_straight: Literal["pays", "does_not_pay"] = "pays"
    """Whether the same straight, made with another card of a doubled rank, is a second combination."""
    equal_hands: Literal["push", "lose"] = "push"
    suit_priority: Literal["none", "highest_card"] = "none"
    """How hands of equal ranks are decided: not at all, or by the suit of their highest card."""
    suit_order: Annotated[str, AfterValidator(_every_suit)] = "hcds"
    """The suits from the highest to the lowest, where they count."""

    # --- Buying the dealer's game
    dealer_game_price: Ratio | None = None
    """Price in antes of a new card for a dealer who does not qualify; 0: only the waived ante; None: not sold."""
    dealer_game_offer: Literal["always", "paying_hand"] = "always"
    """Whether the game is offered to every box in play or only to those whose hand would be paid."""
    dealer_game_failed: Literal["ante_returned", "ante_lost"] = "ante_returned"
    """What becomes of the ante when the dealer's new hand does not qualify either; the bet always comes back."""
    dealer_game_draw: Literal["shared", "per_box"] = "shared"
    """Whether one card serves all boxes that buy."""
    dealer_redraws_same_rank: bool = False
    """Whether a card of the dropped card's rank is replaced by another."""

    jackpot: JackpotProfile | None = None
    button_names: dict[Literal["raise", "fold", "exchange"], ButtonName] = {"raise": "bet_x2"}
    """Action -> the button's name in the catalogues, where it is not the action's own."""

    def contradictions(self) -> Iterable[tuple[str, object, str]]:
        """Return options that cannot go together: key, value found, what is expected."""
        return checks.contradictions(self)

    def player_edges(self) -> Mapping[str, str]:
        """Return the options that favour the player or are not proved not to: name -> reason."""
        return checks.player_edges(self)
