"""The jackpot side bet: what is judged, what is paid, and the meter."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.games.contract import Stake, StakeRefusedError
from firmware.games.families.dealer_poker.checks import jackpot_return
from firmware.games.families.dealer_poker.profile import DealerPokerProfile, JackpotProfile
from firmware.games.registry import load_game, register
from tests.games.poker.table import ANTE, Table

UNIT = 100
METER = 5_000_000
SEED = 1_000_000
CONTRIBUTION = 40
QUALIFIED = "Ad Kd 4h 3c 2d"
NOT_QUALIFIED = "Qd Th 4h 3c 2d"
ROYAL = "As Ks Qs Js Ts"
ROYAL_TOO = "Ah Kh Qh Jh Th"
STRAIGHT_FLUSH = "9s 8s 7s 6s 5s"
STRAIGHT_FLUSH_TOO = "9c 8c 7c 6c 5c"
FLUSH = "Js 9s 7s 5s 3s"
NOTHING = "Jh 9d 7c 6h 5h"


def jackpot_table(boxes: list[str], dealer: str = QUALIFIED, draws: str = "", **options: Any) -> Table:
    meter = options.pop("meter", METER)
    jackpots = options.pop("jackpots", [UNIT] * len(boxes))
    assert isinstance(meter, int)
    assert isinstance(jackpots, list)
    return Table("oasis_jackpot", boxes, dealer, draws, jackpots=jackpots, meter=meter, **options)


def bundled() -> JackpotProfile:
    profile = register("oasis_jackpot").profile
    assert isinstance(profile, DealerPokerProfile)
    assert profile.jackpot is not None
    return profile.jackpot


def with_jackpot(**changes: object) -> dict[str, Any]:
    return {"jackpot": {**bundled().model_dump(mode="json"), **changes}}


def test_losing_side_bet_adds_its_contribution_to_the_meter() -> None:
    table = jackpot_table([NOTHING]).act("raise")
    assert table.paid()["jackpot"] == 0
    assert table.outcome.jackpot_meter_minor == METER + CONTRIBUTION


def test_round_without_a_side_bet_leaves_the_meter_alone() -> None:
    table = jackpot_table([ROYAL], jackpots=[0]).act("raise")
    assert "jackpot" not in table.paid()
    assert table.outcome.jackpot_meter_minor == METER


def test_royal_flush_takes_the_whole_meter_and_it_starts_again_at_its_seed() -> None:
    table = jackpot_table([ROYAL]).act("raise")
    assert table.paid()["jackpot"] == METER
    assert table.outcome.jackpot_meter_minor == SEED + CONTRIBUTION


def test_straight_flush_takes_a_tenth_of_the_meter_and_leaves_nine() -> None:
    table = jackpot_table([STRAIGHT_FLUSH]).act("raise")
    assert table.paid()["jackpot"] == METER // 10
    assert table.outcome.jackpot_meter_minor == METER * 9 // 10 + CONTRIBUTION


def test_fixed_prizes_do_not_touch_the_meter() -> None:
    table = jackpot_table([FLUSH]).act("raise")
    assert table.paid()["jackpot"] == 50 * UNIT
    assert table.outcome.jackpot_meter_minor == METER + CONTRIBUTION


@pytest.mark.parametrize(("dealer", "action"), [(QUALIFIED, "raise"), (NOT_QUALIFIED, "raise"), (QUALIFIED, "fold")])
def test_side_bet_does_not_depend_on_the_dealer_or_on_folding(dealer: str, action: str) -> None:
    assert jackpot_table([FLUSH], dealer).act(action).paid()["jackpot"] == 50 * UNIT


def test_side_bet_is_paid_when_the_hand_loses_to_the_dealer() -> None:
    table = jackpot_table([FLUSH], "9h 9d 9c Kd Kh").act("raise")
    assert table.box().result == "lose"
    assert table.paid() == {"ante": 0, "bet": 0, "jackpot": 50 * UNIT}


def test_side_bet_of_the_blind_box_is_paid_when_the_dealer_does_not_qualify() -> None:
    table = jackpot_table([NOTHING, "Jd 9h 7d 6d 5d", FLUSH], "Qd Th 4h 3c 2d").act("fold").act("fold")
    assert table.box(3).result == "no_qualify"
    assert table.paid(3) == {"ante": 2 * ANTE, "bet": 2 * ANTE, "jackpot": 50 * UNIT}


def test_the_five_cards_dealt_are_judged_not_those_after_a_change() -> None:
    kept = jackpot_table([FLUSH], draws="2h").act("exchange", "3s").act("raise")
    assert kept.paid()["jackpot"] == 50 * UNIT
    reached = jackpot_table(["Js 9s 7s 5s 3h"], draws="2s").act("exchange", "3h").act("raise")
    assert reached.box().hands[0].name == "flush"
    assert reached.paid()["jackpot"] == 0


def test_house_may_judge_the_final_hand() -> None:
    option = with_jackpot(judged_on="final") | {"acknowledge_player_edge": ["jackpot_judged_on_final_hand"]}
    reached = jackpot_table(["Js 9s 7s 5s 3h"], draws="2s", **option).act("exchange", "3h").act("raise")
    assert reached.paid()["jackpot"] == 50 * UNIT


def test_house_may_void_the_side_bet_on_a_fold() -> None:
    option = with_jackpot(void_on_fold=True)
    assert jackpot_table([FLUSH], **option).act("fold").paid()["jackpot"] == 0
    assert jackpot_table([FLUSH], **option).act("raise").paid()["jackpot"] == 50 * UNIT


def test_house_may_return_the_winning_side_bet() -> None:
    option = with_jackpot(stake_returned=True)
    won = jackpot_table([FLUSH], **option).act("raise")
    assert won.paid()["jackpot"] == 51 * UNIT
    assert won.outcome.jackpot_won_minor == 50 * UNIT
    assert jackpot_table([NOTHING], **option).act("raise").paid()["jackpot"] == 0


def test_two_winners_share_the_meter_of_the_start_in_box_order() -> None:
    table = jackpot_table([STRAIGHT_FLUSH, STRAIGHT_FLUSH_TOO]).act("raise").act("raise")
    assert [table.paid(box)["jackpot"] for box in (1, 2)] == [METER // 10, METER // 10]
    assert table.outcome.jackpot_meter_minor == METER * 8 // 10 + 2 * CONTRIBUTION


def test_two_royal_flushes_never_win_more_than_the_meter() -> None:
    table = jackpot_table([ROYAL, ROYAL_TOO]).act("raise").act("raise")
    assert [table.paid(box)["jackpot"] for box in (1, 2)] == [METER, 0]
    assert table.outcome.jackpot_meter_minor == SEED + 2 * CONTRIBUTION


def test_straight_flush_before_a_royal_flush_leaves_it_the_rest() -> None:
    table = jackpot_table([STRAIGHT_FLUSH, ROYAL_TOO]).act("raise").act("raise")
    assert [table.paid(box)["jackpot"] for box in (1, 2)] == [METER // 10, METER * 9 // 10]
    assert table.outcome.jackpot_won_minor == METER
    assert table.outcome.jackpot_meter_minor == SEED + 2 * CONTRIBUTION


def test_royal_flush_before_a_straight_flush_leaves_it_nothing() -> None:
    table = jackpot_table([ROYAL_TOO, STRAIGHT_FLUSH]).act("raise").act("raise")
    assert [table.paid(box)["jackpot"] for box in (1, 2)] == [METER, 0]


def test_share_that_is_not_whole_is_rounded_for_the_player() -> None:
    table = jackpot_table([STRAIGHT_FLUSH], meter=1_000_001).act("raise")
    assert table.paid()["jackpot"] == 100_001
    assert table.outcome.jackpot_meter_minor == 900_000 + CONTRIBUTION


def test_meter_takes_no_contribution_above_its_cap() -> None:
    cap = bundled().cap_minor
    assert jackpot_table([NOTHING], meter=cap - 10).act("raise").outcome.jackpot_meter_minor == cap
    assert jackpot_table([NOTHING], meter=cap + 10).act("raise").outcome.jackpot_meter_minor == cap + 10


def test_meter_stands_at_its_seed_when_none_is_given() -> None:
    table = Table("oasis_jackpot", [ROYAL], QUALIFIED, jackpots=[UNIT]).act("raise")
    assert table.paid()["jackpot"] == SEED


@pytest.mark.parametrize("amount", [1, 99, 101, 200])
def test_side_bet_costs_exactly_one_unit(amount: int) -> None:
    with pytest.raises(StakeRefusedError, match="is not the jackpot bet's price 100"):
        jackpot_table([NOTHING], jackpots=[amount])


def test_prizes_scale_with_the_unit() -> None:
    table = jackpot_table([FLUSH], jackpots=[500], **with_jackpot(unit_minor=500)).act("raise")
    assert table.paid()["jackpot"] == 25_000


def test_side_bet_without_an_ante_is_refused() -> None:
    with pytest.raises(StakeRefusedError, match="box 1 ante: none"):
        Table("oasis_jackpot", [NOTHING], QUALIFIED, antes=[0], jackpots=[UNIT])


@pytest.mark.parametrize("game", ["oasis", "russian", "caribbean"])
def test_table_without_a_jackpot_takes_no_side_bet_and_no_meter(game: str) -> None:
    with pytest.raises(StakeRefusedError, match="no jackpot bet"):
        Table(game, [NOTHING], QUALIFIED, jackpots=[UNIT])
    with pytest.raises(StakeRefusedError, match="jackpot_meter: this table has no jackpot"):
        Table(game, [NOTHING], QUALIFIED, meter=METER)
    Table(game, [NOTHING], QUALIFIED, jackpots=[0])


def test_negative_meter_is_refused() -> None:
    with pytest.raises(StakeRefusedError, match="jackpot_meter: -1 is negative"):
        jackpot_table([NOTHING], meter=-1)


FOUR_HANDS = (ROYAL, STRAIGHT_FLUSH_TOO, "Jd 8d 7d 5d 3d", "Jh 9h 7s 6h 5h")


@given(st.integers(0, 20_000_000), st.permutations(FOUR_HANDS))
def test_prizes_from_the_meter_never_exceed_it_and_nothing_is_lost(meter: int, hands: list[str]) -> None:
    table = jackpot_table(hands[:3], "Kc Qc 4c 3h 2h", meter=meter).act("raise").act("raise")
    after = table.outcome.jackpot_meter_minor
    assert after is not None
    fixed = 50 * UNIT if "Jd 8d 7d 5d 3d" in hands[:3] else 0
    from_meter = table.outcome.jackpot_won_minor - fixed
    assert 0 <= from_meter <= meter
    refilled = SEED if ROYAL in hands[:3] else meter - from_meter
    assert after == refilled + min(3 * CONTRIBUTION, max(0, bundled().cap_minor - refilled))


def test_declared_maximum_holds_a_meter_and_fixed_prizes_at_once() -> None:
    table = jackpot_table([ROYAL, "9s 9h 9d 9c 5s"], antes=[100, 100]).act("raise").act("raise")
    game = table.game
    stakes = [Stake(box, {"ante": 100, "jackpot": UNIT}) for box in (1, 2)]
    assert table.outcome.paid_minor == (METER + 20_400) + (50_000 + 4_400)
    assert table.outcome.paid_minor <= game.most_paid_minor(stakes, METER) == METER + 50_000 + 2 * 20_400
    assert game.most_paid_minor(stakes, 0) == 2 * 50_000 + 2 * 20_400


# --- What the side bet returns -------------------------------------------------------------------------------------


def break_even(prizes: dict[str, int]) -> int:
    """The meter in units at which the side bet returns exactly what it costs, rounded down."""
    jackpot = JackpotProfile.model_validate({**bundled().model_dump(), "fixed_units": prizes})
    low, high = 0, 10**9
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if jackpot_return(jackpot, middle * UNIT) <= 1 else (low, middle)
    return low


@pytest.mark.parametrize(
    ("flush", "full_house", "quads", "published"), [(50, 75, 100, 263_205), (50, 100, 150, 246_784)]
)
def test_break_even_meters_of_neighbouring_tables_are_the_published_ones(
    flush: int, full_house: int, quads: int, published: int
) -> None:
    found = break_even({"flush": flush, "full_house": full_house, "four_of_a_kind": quads})
    assert published in (found, found + 1)


def test_bundled_meter_can_never_favour_the_player() -> None:
    jackpot = bundled()
    assert break_even(jackpot.fixed_units) == 218_047
    assert jackpot.cap_minor < 218_047 * UNIT
    assert jackpot_return(jackpot, jackpot.cap_minor) < 1


def test_paytable_lists_shares_and_amounts() -> None:
    rows = {row.name: row for row in load_game("oasis_jackpot").paytable if row.line == "jackpot"}
    assert {name: row.percent_of_meter for name, row in rows.items() if row.percent_of_meter} == {
        "royal_flush": 100,
        "straight_flush": 10,
    }
    assert {name: row.amount_minor for name, row in rows.items() if row.amount_minor} == {
        "four_of_a_kind": 50_000,
        "full_house": 10_000,
        "flush": 5_000,
    }
