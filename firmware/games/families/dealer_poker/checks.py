"""Which options of a poker table contradict each other, and which give the player an edge.

What is proved to keep the house's edge is the house's own price list: one card for an ante, two for one and a half
(at one ante for two cards the player would have almost 3 %), and Russian Poker's single ante for any number where the
ante is not paid. Anything more generous is unknown here and wants an acknowledgement by name.

Not responsible for single options' types and ranges (``profile``).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from firmware.cards.card import DECK
from firmware.games.families.dealer_poker.table import most_cards_per_round, stake_step_minor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.games.families.dealer_poker.profile import DealerPokerProfile, JackpotProfile

FIVE_CARD_COUNTS: Final = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pairs": 123_552,
    "pair": 1_098_240,
    "ace_king": 167_280,
    "no_hand": 1_135_260,
}
"""How many of the 2,598,960 five-card hands belong to each class."""

_COUNT_WORDS: Final = ("", "one", "two", "three", "four", "five")
_HIGHEST_SAFE_PAYS: Final = {
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


def contradictions(profile: DealerPokerProfile) -> Iterator[tuple[str, object, str]]:
    """Yield options that cannot go together: key, value found, what is expected."""
    if profile.max_boxes > profile.positions:
        yield "max_boxes", profile.max_boxes, f"at most positions ({profile.positions})"
    lowest = max(profile.ante_minimum_minor, stake_step_minor(profile))
    if profile.ante_maximum_minor < lowest:
        yield "ante_maximum_minor", profile.ante_maximum_minor, f"at least {lowest}, the smallest ante with whole fees"
    if profile.max_win_minor is not None and profile.max_win_minor < 3 * profile.ante_maximum_minor:
        wanted = f"at least {3 * profile.ante_maximum_minor}, three times ante_maximum_minor"
        yield "max_win_minor", profile.max_win_minor, wanted
    cards = most_cards_per_round(profile)
    if cards > len(DECK):
        yield "max_boxes", profile.max_boxes, f"fewer boxes or draws, as a round could take {cards} of 52 cards"
    if profile.jackpot is not None:
        yield from _jackpot_contradictions(profile.jackpot)


def _jackpot_contradictions(jackpot: JackpotProfile) -> Iterator[tuple[str, object, str]]:
    for name, percent in jackpot.percent_of_meter.items():
        if percent > 100:
            yield f"jackpot.percent_of_meter.{name}", percent, "at most 100"
        if name in jackpot.fixed_units:
            yield f"jackpot.fixed_units.{name}", jackpot.fixed_units[name], "no fixed prize beside a share of the meter"
    if jackpot.cap_minor < jackpot.seed_minor:
        yield "jackpot.cap_minor", jackpot.cap_minor, f"at least seed_minor ({jackpot.seed_minor})"
    contribution = jackpot.unit_minor * jackpot.contribution
    if jackpot.contribution > 1 or contribution.denominator != 1:
        wanted = "at most 1, and a whole amount of every unit"
        yield "jackpot.contribution", str(jackpot.contribution), wanted


def player_edges(profile: DealerPokerProfile) -> dict[str, str]:
    """Return the options that favour the player or are not proved not to: name -> reason in one line."""
    edges = _tariff_edges(profile)
    for name, pays in profile.pays.items():
        if pays > _HIGHEST_SAFE_PAYS[name]:
            edges[f"{name}_pays_{pays}"] = f"the house's table pays {_HIGHEST_SAFE_PAYS[name]}"
    if profile.ante_paid_when_dealer_qualifies:
        sold = {
            "second_combination": profile.second_combination,
            "sixth_card": profile.sixth_card_price is not None,
            "dealer_game": profile.dealer_game_price is not None,
        }
        edges |= {f"{name}_with_ante_paid": "it belongs to an ante that is not paid" for name, on in sold.items() if on}
    if profile.jackpot is not None:
        edges |= _jackpot_edges(profile.jackpot)
    return edges


def _tariff_edges(profile: DealerPokerProfile) -> dict[str, str]:
    edges: dict[str, str] = {}
    for count, price in profile.exchange_tariff.items():
        safe = Fraction(1)
        if profile.ante_paid_when_dealer_qualifies:
            safe = {1: Fraction(1), 2: Fraction(3, 2)}.get(count, Fraction(count))
        if price < safe:
            reason = (
                "the player gains almost 3 %" if count == 2 and price == 1 else f"proved safe only from {safe} antes"
            )
            edges[f"{_COUNT_WORDS[count]}_card_exchange_at_{_price_text(price)}"] = reason
    for name, price_or_none in (("sixth_card", profile.sixth_card_price), ("dealer_game", profile.dealer_game_price)):
        if price_or_none is not None and price_or_none < 1:
            edges[f"{name}_at_{_price_text(price_or_none)}"] = "known only at 1 ante"
    return edges


def _price_text(price: Fraction) -> str:
    return f"{price}_ante" if price == 1 else f"{price}_antes"


def jackpot_return(jackpot: JackpotProfile, meter_minor: int) -> Fraction:
    """Return what one side bet pays back on average, per unit staked, with the meter at ``meter_minor``. Exact."""
    total = Fraction(0)
    for name, percent in jackpot.percent_of_meter.items():
        total += FIVE_CARD_COUNTS[name] * Fraction(meter_minor * percent, 100 * jackpot.unit_minor)
    for name, units in jackpot.fixed_units.items():
        total += FIVE_CARD_COUNTS[name] * units
    if jackpot.stake_returned:
        total += sum(FIVE_CARD_COUNTS[name] for name in (*jackpot.percent_of_meter, *jackpot.fixed_units))
    return total * Fraction(1, sum(FIVE_CARD_COUNTS.values()))


def _jackpot_edges(jackpot: JackpotProfile) -> dict[str, str]:
    edges: dict[str, str] = {}
    highest = jackpot_return(jackpot, jackpot.cap_minor)
    if highest > 1:
        edges["jackpot_returns_over_100_percent"] = f"at jackpot.cap_minor it pays back {int(highest * 100)} %"
    if jackpot.judged_on == "final":
        edges["jackpot_judged_on_final_hand"] = "drawing cards raises the chance of a prize"
    return edges
