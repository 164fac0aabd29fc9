"""Published odds that a computed sheet must reproduce, for the profiles whose rules they are about.

Sources: Wizard of Odds for Caribbean Stud (event table), Oasis Poker with one card for one ante, and baccarat with eight decks. Not
responsible for comparing with a committed sheet (``command``).
"""

from typing import Any, Final

from firmware.games.families.baccarat_options import BaccaratProfile
from firmware.games.families.dealer_poker.profile import HOUSE_PAYS, DealerPokerProfile
from firmware.games.registry import RegisteredGame

CARIBBEAN: Final = {
    "win, royal_flush": 16_759_740,
    "win, straight_flush": 156_929_720,
    "win, four_of_a_kind": 2_832_435_800,
    "win, full_house": 16_624_475_280,
    "win, flush": 21_856_990_280,
    "win, straight": 43_805_516_100,
    "win, three_of_a_kind": 234_242_908_320,
    "win, two_pairs": 488_012_139_360,
    "win, pair": 2_324_742_321_600,
    "win, ace_king": 18_505_682_208,
    "no_qualify": 4_532_514_033_720,
    "push": 321_623_100,
    "fold": 9_523_005_974_460,
    "lose": 2_726_592_727_512,
}
"""Combinations out of 19,933,230,517,200; the published table has pair and Ace-King in one row."""
CARIBBEAN_LOSS: Final = (1_041_372_912_372, 19_933_230_517_200)
BACCARAT: Final = {
    "banker": 2_292_252_566_437_888,
    "player": 2_230_518_282_592_256,
    "tie": 475_627_426_473_216,
}
BACCARAT_EDGES: Final = {"banker": 1.0579, "player": 1.2351, "tie": 14.3596}
OASIS_ONE_CARD_PERCENT: Final = 1.04


def check_published(registered: RegisteredGame, sheet: dict[str, Any]) -> list[str]:
    """Return what differs from the published figures, one line each; nothing where none are about these rules."""
    profile = registered.profile
    if isinstance(profile, DealerPokerProfile) and _is_caribbean_stud(profile):
        if not profile.exchange_tariff:
            return _caribbean(sheet)
        if set(profile.exchange_tariff) == {1} and profile.exchange_tariff[1] == 1:
            found = round(sheet["house_edge_percent"], 2)
            return (
                [] if found == OASIS_ONE_CARD_PERCENT else [f"published {OASIS_ONE_CARD_PERCENT} %, computed {found} %"]
            )
    if isinstance(profile, BaccaratProfile) and profile.deck_count == 8 and profile.tie_pays == 8:
        return _baccarat(sheet, profile)
    return []


def _is_caribbean_stud(profile: DealerPokerProfile) -> bool:
    return (
        profile.pays == HOUSE_PAYS
        and profile.ante_paid_when_dealer_qualifies
        and profile.equal_hands == "push"
        and profile.suit_priority == "none"
        and not profile.second_combination
        and profile.sixth_card_price is None
        and profile.dealer_game_price is None
    )


def _caribbean(sheet: dict[str, Any]) -> list[str]:
    found = {line["name"]: line.get("combinations") for line in sheet["lines"]}
    problems = [
        f"{name}: published {count}, computed {found.get(name)}"
        for name, count in CARIBBEAN.items()
        if found.get(name) != count
    ]
    loss = sum(-line["net"] * line["combinations"] for line in sheet["lines"])
    if (loss, sheet["total_combinations"]) != CARIBBEAN_LOSS:
        problems.append(f"published loss {CARIBBEAN_LOSS}, computed {(loss, sheet['total_combinations'])}")
    return problems


def _baccarat(sheet: dict[str, Any], profile: BaccaratProfile) -> list[str]:
    ways: dict[str, int] = {}
    for line in sheet["bets"]["tie"]["lines"]:
        ways[line["name"]] = line["combinations"]
    problems = [
        f"{name}: published {count}, computed {ways.get(name)}"
        for name, count in BACCARAT.items()
        if ways.get(name) != count
    ]
    for bet, published in BACCARAT_EDGES.items():
        if bet == "banker" and profile.commission != "five_percent":
            continue
        found = round(sheet["bets"][bet]["house_edge_percent"], 4)
        if found != published:
            problems.append(f"{bet}: published {published} %, computed {found} %")
    return problems
