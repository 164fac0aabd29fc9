"""The pages a player can open: by touch and by twelve buttons, with and without credit, and back to where he was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from display.view_model import Comfort, Money, PageView, View
from firmware.settings.sections import Settings
from tests.support.cabinet import CabinetUnderTest, settings_for

LOST_HAND = "9s Ah Kd As 7s 8c 2h 3h 4d 5c"


def player(settings: Settings, **changes: int) -> Settings:
    """The settings with other values for the player's time."""
    return settings.model_copy(update={"player": settings.player.model_copy(update=changes)})


def running(settings: Settings) -> CabinetUnderTest:
    """A cabinet that is switched on."""
    cabinet = CabinetUnderTest(settings, seed=3)
    cabinet.boot()
    return cabinet


@pytest.fixture
def cabinet(tmp_path: Path) -> Iterator[CabinetUnderTest]:
    """A running cabinet without credit."""
    cabinet = running(settings_for(tmp_path))
    yield cabinet
    cabinet.close()


def page(view: View) -> PageView:
    """The page that is shown."""
    assert view.mode == "page"
    assert view.page is not None
    return view.page


def values(cabinet: CabinetUnderTest) -> list[str]:
    """The values of the rows of the page."""
    return [value if isinstance(value, str) else str(value) for value in (row.value for row in page(cabinet.view).rows)]


def play_a_hand(cabinet: CabinetUnderTest) -> None:
    """A note and one hand of Oasis that is raised."""
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 100)
    cabinet.press("deal")
    cabinet.press("raise")


def test_rules_are_read_without_credit_from_attract_and_lobby_by_touch_and_by_button(cabinet: CabinetUnderTest) -> None:
    cabinet.touch("help")
    first = page(cabinet.view)
    assert (first.page_number, first.page_count) == (1, 6)
    cabinet.press("back")
    cabinet.expect_mode("attract")
    cabinet.press("b11")
    page(cabinet.view)
    cabinet.touch("page:back")
    cabinet.press("start")
    cabinet.expect_mode("lobby")
    cabinet.press("help")
    for _ in range(10):
        cabinet.touch("page:down")
    assert page(cabinet.view).page_number == 6
    cabinet.press("other_rules")
    assert page(cabinet.view).title.message == "Oasis Jackpot"
    cabinet.press("back")
    cabinet.expect_mode("lobby")


def test_the_price_of_an_exchange_on_the_page_is_the_one_that_is_taken(cabinet: CabinetUnderTest) -> None:
    cabinet.press("start")
    cabinet.press("help")
    cabinet.press("page_down")
    (row,) = [row for row in page(cabinet.view).rows if row.label.plural and row.label.count == 2]
    assert not isinstance(row.second, str | Money)
    prices = dict(row.second.args)
    assert (prices["price"], prices["ante"]) == (Money(1_500), Money(1_000))

    cabinet.press("back")
    cabinet.insert_note(5_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 1_000)
    cabinet.press("deal")
    cabinet.press("mark:0")
    cabinet.press("mark:1")
    cabinet.press("exchange")
    cabinet.expect_credit(5_000 - 1_000 - 1_500)


def test_help_during_a_hand_comes_back_to_the_same_hand(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 100)
    cabinet.press("deal")
    cards = cabinet.cards(1)
    cabinet.press("help")
    cabinet.press("other_rules")
    cabinet.press("back")
    cabinet.expect_mode("table")
    assert cabinet.cards(1) == cards


@pytest.mark.parametrize("by_touch", [True, False])
def test_every_setting_changes_and_all_of_them_are_forgotten_when_the_player_has_gone(
    cabinet: CabinetUnderTest, by_touch: bool
) -> None:
    cabinet.press("start")
    cabinet.press("help")
    cabinet.press("topic:settings")
    for number in range(len(page(cabinet.view).rows)):
        if by_touch:
            cabinet.touch(f"page:row:{number}")
        else:
            cabinet.press("select")
            cabinet.press("page_down")
    view = cabinet.view
    assert view.language == "ru"
    assert view.comfort == Comfort(
        big_text=True,
        high_contrast=True,
        four_colour=True,
        reduced_motion=True,
        left_handed=True,
        deal_speed="fast",
        volume=4,
        back_design="red",
    )
    cabinet.wait(61_000)
    cabinet.expect_mode("attract")
    assert cabinet.view.comfort == Comfort()
    assert cabinet.view.language == "en"


def test_settings_stay_while_there_is_credit(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(500)
    cabinet.press("help")
    cabinet.press("topic:settings")
    cabinet.touch("page:row:5")
    cabinet.wait(120_000)
    assert cabinet.view.comfort.four_colour


def test_the_volume_stays_within_the_limits_of_the_house(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    sound = settings.sound.model_copy(update={"softest_step": 1, "loudest_step": 2, "volume_percent": 100})
    cabinet = running(settings.model_copy(update={"sound": sound}))
    seen = []
    for _ in range(3):
        seen.append(cabinet.view.comfort.volume)
        cabinet.touch("sound")
    assert seen == [2, 1, 2]
    cabinet.close()


def test_past_hands_are_shown_as_tables_step_by_step(cabinet: CabinetUnderTest) -> None:
    cabinet.press("start")
    cabinet.press("help")
    cabinet.press("topic:hands")
    assert page(cabinet.view).rows[0].label.message == "No hand has been played yet"
    cabinet.press("back")

    cabinet.lay(LOST_HAND)
    play_a_hand(cabinet)
    first, dealer = cabinet.cards(1), cabinet.dealer()
    cabinet.press("deal")
    cabinet.press("fold")
    credit_minor = cabinet.view.credit_minor

    cabinet.press("help")
    cabinet.press("topic:hands")
    cabinet.press("older")
    table = cabinet.view.table
    assert table is not None
    assert (table.recall, table.round_number, table.phase) == (True, 1, "settled")
    assert cabinet.cards(1) == first
    assert cabinet.dealer() == dealer
    cabinet.press("step_back")
    table = cabinet.view.table
    assert table is not None
    assert table.phase == "deciding"
    assert cabinet.dealer().count("") == 4, "a past moment shows no more than was seen then"
    cabinet.press("step_on")
    cabinet.press("newer")
    table = cabinet.view.table
    assert table is not None
    assert table.round_number == 2
    assert cabinet.view.credit_minor == credit_minor
    cabinet.press("back")
    cabinet.expect_mode("table")
    assert cabinet.view.table is not None
    assert not cabinet.view.table.recall


def test_past_hands_survive_a_power_cut(cabinet: CabinetUnderTest) -> None:
    play_a_hand(cabinet)
    cards = cabinet.cards(1)
    cabinet.cut_power()
    cabinet.boot()
    cabinet.press("help")
    cabinet.press("topic:hands")
    assert cabinet.cards(1) == cards


def hands_shown(cabinet: CabinetUnderTest) -> int:
    """How many past hands the player can turn to."""
    cabinet.press("help")
    cabinet.press("topic:hands")
    count = 0
    while cabinet.view.mode == "table":
        count += 1
        if not any(button.id == "button:older" and button.enabled for button in cabinet.view.buttons):
            break
        cabinet.press("older")
    cabinet.press("back")
    return count


def test_a_new_guest_does_not_see_the_hands_of_the_one_before(cabinet: CabinetUnderTest) -> None:
    play_a_hand(cabinet)
    play_a_hand(cabinet)
    assert hands_shown(cabinet) == 2
    cabinet.press("cash_out")
    cabinet.wait(60_000)
    cabinet.expect_credit(0)
    # Until somebody else's money comes in, the guest may still look.
    assert hands_shown(cabinet) == 2
    cabinet.insert_note(2_000)
    assert hands_shown(cabinet) == 0
    play_a_hand(cabinet)
    assert hands_shown(cabinet) == 1
    cabinet.cut_power()
    cabinet.boot()
    assert hands_shown(cabinet) == 1


def test_more_money_of_the_same_guest_hides_nothing(cabinet: CabinetUnderTest) -> None:
    play_a_hand(cabinet)
    cabinet.insert_note(2_000)
    assert hands_shown(cabinet) == 1


def test_hands_of_a_guest_who_lost_everything_go_with_the_next_money(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(500)
    cabinet.lay(LOST_HAND)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.press("fold")
    cabinet.expect_credit(0)
    assert hands_shown(cabinet) == 1
    cabinet.insert_note(500)
    assert hands_shown(cabinet) == 0
    recorded = cabinet.terminal.state.recorded
    assert [entries.opened.number for entries in recorded.history] == [1]


def test_a_touch_of_a_meter_counts_in_credits_where_the_house_allows_it(tmp_path: Path) -> None:
    cabinet = running(player(settings_for(tmp_path), credit_value_minor=500))
    cabinet.insert_note(2_000)
    seen = []
    for _ in range(2):
        cabinet.touch("meter:credit")
        seen.append(cabinet.view.comfort.in_credits)
    assert seen == [True, False]
    cabinet.expect_credit(2_000)
    cabinet.close()


def test_meters_show_money_only_where_no_credit_has_a_value(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.touch("meter:credit")
    assert not cabinet.view.comfort.in_credits


def test_the_session_counts_time_stakes_and_result(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.wait(3_600_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 100)
    cabinet.press("deal")
    cabinet.press("fold")
    cabinet.press("help")
    cabinet.press("topic:session")
    rows = page(cabinet.view).rows
    assert not isinstance(rows[0].value, str | Money)
    assert dict(rows[0].value.args)["hours"] == 1
    assert [row.value for row in rows[1:]] == ["1", Money(100), Money(0), Money(-100), Money(1_900)]


def test_a_reality_check_interrupts_between_hands_and_never_in_one(tmp_path: Path) -> None:
    cabinet = running(player(settings_for(tmp_path), reality_check_min=10))
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 100)
    cabinet.press("deal")
    cabinet.wait(700_000)
    cabinet.expect_mode("table")
    cabinet.press("fold")
    cabinet.wait(200)
    assert page(cabinet.view).title.message == "A short break"
    cabinet.press("proceed")
    cabinet.expect_mode("table")
    cabinet.wait(590_000)
    cabinet.expect_mode("table")
    cabinet.wait(20_000)
    page(cabinet.view)
    cabinet.press("cash_out")
    cabinet.wait(60_000)
    assert cabinet.view.credit_minor == 0
    cabinet.wait(700_000)
    cabinet.expect_mode("attract")
    cabinet.close()


def why_no_deal(cabinet: CabinetUnderTest) -> str:
    """Press Deal, which is refused, and return what the screen says."""
    credit_minor = cabinet.view.credit_minor
    cabinet.touch("button:deal")
    assert cabinet.terminal.state.live is None
    assert cabinet.view.credit_minor == credit_minor
    assert cabinet.view.notice is not None
    return cabinet.view.notice.text.message


def test_limits_of_loss_and_time_end_the_stakes_and_say_so(tmp_path: Path) -> None:
    cabinet = running(player(settings_for(tmp_path), loss_limit_minor=300, session_limit_min=30))
    cabinet.lay(LOST_HAND)
    play_a_hand(cabinet)
    assert cabinet.books.meter("coin_out_minor") == 0, "the hand was to be lost"
    assert "loss limit" in why_no_deal(cabinet)
    cabinet.press("cash_out")
    cabinet.wait(90_000)
    cabinet.insert_note(2_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 100)
    cabinet.wait(1_801_000)
    assert "time of this session" in why_no_deal(cabinet)
    cabinet.close()


def test_the_next_deal_waits_for_the_shortest_round(tmp_path: Path) -> None:
    cabinet = running(player(settings_for(tmp_path), minimum_round_ms=5_000))
    play_a_hand(cabinet)
    assert why_no_deal(cabinet) == "One moment before the next deal"
    cabinet.wait(5_000)
    cabinet.press("deal")
    assert cabinet.terminal.state.recorded.count("rounds") == 2
    cabinet.close()


def test_the_same_refusal_twice_is_two_notices(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(500)
    cabinet.sit_down()
    cabinet.touch("button:deal")
    first = cabinet.view.notice
    cabinet.touch("button:deal")
    second = cabinet.view.notice
    assert first is not None
    assert second is not None
    assert first.text == second.text
    assert first != second


def test_a_side_bet_needs_the_main_bet_of_its_box_and_goes_with_it(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.sit_down("oasis_jackpot")
    cabinet.bet(2, "jackpot", 100)
    assert cabinet.view.notice is not None
    assert cabinet.view.notice.text.message == "Place the main bet of the box first"
    cabinet.bet(2, "ante", 500)
    cabinet.bet(2, "jackpot", 100)
    assert cabinet.view.bet_minor == 600
    cabinet.touch("box:2:ante", "long_press")
    assert cabinet.view.bet_minor == 0
