"""What a poker table offers and charges, worked out once from its profile: prices, limits, paytable.

The paytable made here is the only one: settlement takes its pays from the same profile table, the table art, the help
pages and the PAR sheet read the rows. Not responsible for any round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from firmware.cards.poker_rank import CLASS_LABELS, HandClass
from firmware.games.contract import FeeSpec, LineSpec, PaytableRow, TableSpec

if TYPE_CHECKING:
    from fractions import Fraction

    from firmware.games.families.dealer_poker.profile import DealerPokerProfile, JackpotProfile

BET_ANTES: Final = 2
"""The bet is twice the ante at every one of these tables."""
HAND_CARDS: Final = 5
BLIND_FROM: Final = 3
"""The third box is the one that plays blind, where one does."""

Antes = tuple[int, int]
"""A price in antes: numerator and denominator."""


def _antes(price: Fraction) -> Antes:
    return price.numerator, price.denominator


@dataclass(frozen=True, slots=True)
class Rules:
    """A profile with its prices and pays in the form in which play needs them."""

    profile: DealerPokerProfile
    pays: tuple[int, ...]
    """What the bet pays to one, by hand class."""
    exchange: dict[int, Antes]
    """Number of cards -> price."""
    sixth_card: Antes | None
    dealer_game: Antes | None

    @classmethod
    def of(cls, profile: DealerPokerProfile) -> Rules:
        """Return the rules of a profile."""
        return cls(
            profile=profile,
            pays=tuple(profile.pays.get(hand_class.label, 0) for hand_class in HandClass),
            exchange={count: _antes(price) for count, price in sorted(profile.exchange_tariff.items())},
            sixth_card=None if profile.sixth_card_price is None else _antes(profile.sixth_card_price),
            dealer_game=None if profile.dealer_game_price is None else _antes(profile.dealer_game_price),
        )

    @property
    def fees(self) -> tuple[FeeSpec, ...]:
        """All that can be bought during play."""
        fees = [FeeSpec("exchange", antes, count) for count, antes in self.exchange.items()]
        if self.sixth_card is not None:
            fees.append(FeeSpec("buy_card", self.sixth_card))
        if self.dealer_game is not None:
            fees.append(FeeSpec("buy_dealer_card", self.dealer_game))
        return tuple(fees)


def stake_step_minor(profile: DealerPokerProfile) -> int:
    """Return the amount of which every ante must be a multiple, so that all fees are whole minor units."""
    prices = [*profile.exchange_tariff.values(), profile.sixth_card_price, profile.dealer_game_price]
    denominators = [price.denominator for price in prices if price is not None]
    if profile.half_minor_units == "refuse_action":
        denominators = []
    return math.lcm(profile.ante_step_minor, *denominators)


def most_cards_per_round(profile: DealerPokerProfile) -> int:
    """Return how many cards a round can take at most."""
    has_blind = profile.blind_box != "none" and profile.max_boxes >= BLIND_FROM
    open_boxes = profile.max_boxes - has_blind
    per_box = max([*profile.exchange_tariff, int(profile.sixth_card_price is not None)])
    dealer_draws = 0
    if profile.dealer_game_price is not None:
        dealer_draws = open_boxes if profile.dealer_game_draw == "per_box" else 1
        dealer_draws += (
            3 if profile.dealer_redraws_same_rank else 0
        )  # the dropped card's rank is there three times more
    return HAND_CARDS * (profile.max_boxes + 1) + open_boxes * per_box + dealer_draws


def spec(profile: DealerPokerProfile) -> TableSpec:
    """Return what the table offers before the deal."""
    step = stake_step_minor(profile)
    lines = [LineSpec("ante", profile.ante_minimum_minor, profile.ante_maximum_minor, step)]
    if profile.jackpot is not None:
        unit = profile.jackpot.unit_minor
        lines.append(LineSpec("jackpot", unit, unit, unit, optional=True))
    return TableSpec(
        family="poker",
        positions=tuple(range(1, profile.positions + 1)),
        max_boxes=profile.max_boxes,
        blind_from=BLIND_FROM if profile.blind_box != "none" else None,
        neighbours_only=profile.neighbours_only,
        lines=tuple(lines),
        deck_count=1,
        shoe_carried=False,
        cut_after_count=0,
        most_cards_per_round=most_cards_per_round(profile),
        second_combination=profile.second_combination,
        max_win_minor=profile.max_win_minor,
        fees=Rules.of(profile).fees,
        button_names={str(action): str(name) for action, name in profile.button_names.items()},
    )


def paytable(profile: DealerPokerProfile) -> tuple[PaytableRow, ...]:
    """Return all rows: the bet by class, the ante, the jackpot; highest first."""
    classes = [hand_class.label for hand_class in reversed(HandClass) if hand_class is not HandClass.NO_HAND]
    rows = [PaytableRow("bet", name, pays=(profile.pays[name], 1)) for name in classes]
    if profile.ante_paid_when_dealer_qualifies:
        rows.append(PaytableRow("ante", "win", pays=(1, 1)))
    rows.append(PaytableRow("ante", "no_qualify", pays=(1, 1)))
    if profile.jackpot is not None:
        rows.extend(_jackpot_rows(profile.jackpot))
    return tuple(rows)


def _jackpot_rows(jackpot: JackpotProfile) -> list[PaytableRow]:
    names = {**jackpot.percent_of_meter, **jackpot.fixed_units}
    rows = []
    for name in sorted(names, key=CLASS_LABELS.__getitem__, reverse=True):
        if name in jackpot.percent_of_meter:
            rows.append(PaytableRow("jackpot", name, percent_of_meter=jackpot.percent_of_meter[name]))
        else:
            amount = jackpot.fixed_units[name] * jackpot.unit_minor
            rows.append(PaytableRow("jackpot", name, amount_minor=amount))
    return rows
