"""A person's path through the terminal: money in, a hand, money out, and the plug pulled in between."""

import pytest

from tests.support.cabinet import CabinetUnderTest

ACES_AGAINST_NINES = "As 9c Ah 9d 4h 2s 8h Jc Tc Kd 7s"
NO_QUALIFIER = "As 9c Ah 8d 4h 2s 8h Jc Tc Qd 7s"


def seat(cabinet: CabinetUnderTest, note_minor: int = 2_000) -> None:
    cabinet.insert_note(note_minor)
    cabinet.sit_down()


def deal(
    cabinet: CabinetUnderTest, cards: str = ACES_AGAINST_NINES, ante_minor: int = 500, note_minor: int = 2_000
) -> None:
    seat(cabinet, note_minor)
    cabinet.bet(3, "ante", ante_minor)
    cabinet.lay(cards)
    cabinet.press("deal")


def test_note_is_credited_and_opens_the_lobby(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.expect_credit(2_000)
    cabinet.expect_mode("lobby")
    assert cabinet.books.meter("notes.2000.count") == 1


def test_chips_on_the_table_are_still_the_players_credit(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    cabinet.bet(3, "ante", 500, 100)
    cabinet.expect_credit(2_000)
    assert cabinet.view.bet_minor == 600
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_credit(2_000)


def test_winning_hand_pays_the_matrix_and_keeps_the_exchange_fee(cabinet: CabinetUnderTest) -> None:
    deal(cabinet)
    cabinet.expect_credit(1_500)
    assert cabinet.cards(3) == ["As", "Ah", "4h", "8h", "Tc"]
    assert cabinet.dealer() == ["", "", "", "", "Kd"]
    cabinet.press("mark:4")
    cabinet.press("exchange")
    assert cabinet.cards(3) == ["As", "Ah", "4h", "8h", "7s"]
    cabinet.expect_credit(1_000)
    cabinet.press("raise")
    cabinet.expect_credit(3_000)  # 1000 - 1000 bet + 1000 ante + 2000 bet at 1 : 1
    assert cabinet.books.meter("coin_in_minor") == 2_000
    assert cabinet.books.meter("coin_out_minor") == 3_000
    cabinet.conserve()


def test_dealer_without_ace_king_pays_the_ante_and_returns_the_bet(cabinet: CabinetUnderTest) -> None:
    deal(cabinet, NO_QUALIFIER)
    cabinet.press("raise")
    cabinet.expect_credit(2_500)


def test_fold_loses_the_ante_and_shows_the_dealer(cabinet: CabinetUnderTest) -> None:
    deal(cabinet)
    cabinet.press("fold")
    cabinet.expect_credit(1_500)
    assert "" not in cabinet.dealer()


def test_exchange_that_would_not_leave_the_bet_is_not_offered(cabinet: CabinetUnderTest) -> None:
    seat(cabinet, 1_000)
    cabinet.bet(3, "ante", 100, 100, 100)  # 1000 - 300 ante - 300 fee = 400 < 600 for the bet
    cabinet.lay(ACES_AGAINST_NINES)
    cabinet.press("deal")
    names = {button.id for button in cabinet.view.buttons}
    assert "button:exchange" not in names
    assert "button:raise" in names


@pytest.mark.parametrize("marked", [1, 2])
def test_price_of_the_exchange_stands_on_its_button(cabinet: CabinetUnderTest, marked: int) -> None:
    deal(cabinet, note_minor=5_000)
    for index in range(marked):
        cabinet.press(f"mark:{index}")
    (button,) = [button for button in cabinet.view.buttons if button.id == "button:exchange"]
    assert button.price_minor == {1: 500, 2: 750}[marked]
    assert button.enabled


def test_three_marked_cards_cannot_be_exchanged_and_the_button_says_why(cabinet: CabinetUnderTest) -> None:
    deal(cabinet)
    for index in range(3):
        cabinet.press(f"mark:{index}")
    cabinet.press("exchange")
    assert cabinet.view.notice is not None
    assert cabinet.view.notice.text.message == "So many cards can't be exchanged"
    cabinet.expect_credit(1_500)


def test_power_cut_in_mid_hand_gives_the_same_hand_and_the_same_money(cabinet: CabinetUnderTest) -> None:
    deal(cabinet)
    before = cabinet.view.table
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_mode("table")
    cabinet.expect_credit(1_500)
    assert cabinet.view.table == before
    cabinet.press("mark:4")
    cabinet.press("exchange")
    cabinet.cut_power()
    cabinet.boot()
    assert cabinet.cards(3) == ["As", "Ah", "4h", "8h", "7s"]
    cabinet.press("raise")
    cabinet.expect_credit(3_000)
    assert cabinet.books.meter("power_resets") == 3


def test_result_is_still_shown_after_a_power_cut(cabinet: CabinetUnderTest) -> None:
    deal(cabinet)
    cabinet.press("raise")
    shown = cabinet.view.table
    cabinet.kill()
    cabinet.boot()
    assert cabinet.view.table == shown


def test_deal_without_chips_repeats_the_last_stakes(cabinet: CabinetUnderTest) -> None:
    deal(cabinet)
    cabinet.press("fold")
    cabinet.press("deal")
    cabinet.expect_credit(1_000)
    assert cabinet.view.table is not None
    assert cabinet.view.table.phase == "deciding"


def test_stake_is_one_commit_each_choice_one_and_the_end_is_in_the_last(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    cabinet.bet(3, "ante", 500)
    cabinet.lay(ACES_AGAINST_NINES)
    commits = cabinet.count_commits()
    cabinet.press("deal")
    cabinet.press("mark:4")
    cabinet.press("exchange")
    cabinet.press("raise")
    assert cabinet.count_commits() - commits == 3


def test_cash_out_pays_coins_and_ends_in_attract(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.expect_mode("cash_out")
    cabinet.wait(6_000)
    cabinet.expect_mode("attract")
    cabinet.expect_credit(0)
    assert cabinet.world.readings.tray_minor == 2_000
    cabinet.conserve()


def test_cash_out_above_the_hopper_limit_is_paid_by_coins_and_by_hand(cabinet: CabinetUnderTest) -> None:
    for _ in range(3):
        cabinet.insert_note(10_000)
    cabinet.press("cash_out")
    cabinet.wait(60_000)
    cabinet.expect_mode("handpay")
    assert cabinet.world.readings.tray_minor == 20_000
    assert cabinet.books.handpay_minor == 10_000
    cabinet.cut_power()
    cabinet.boot()
    cabinet.expect_mode("handpay")
    cabinet.act(lambda world: world.turn_key("attendant"))
    cabinet.expect_mode("attract")
    assert cabinet.books.meter("handpaid_minor") == 10_000
    cabinet.conserve()


def test_cash_out_in_mid_hand_is_refused(cabinet: CabinetUnderTest) -> None:
    deal(cabinet)
    cabinet.press("cash_out")
    assert cabinet.view.notice is not None
    assert cabinet.view.notice.text.message == "Finish the hand first"
    cabinet.expect_credit(1_500)


def test_second_box_shows_no_card_before_the_first_is_done(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    cabinet.bet(2, "ante", 100)
    cabinet.bet(5, "ante", 100)
    cabinet.press("deal")
    assert "" not in cabinet.cards(2)
    assert not any(cabinet.cards(5))
    cabinet.press("fold")
    assert "" not in cabinet.cards(5)


@pytest.mark.parametrize(
    "game",
    ["oasis", "oasis_jackpot", "russian", "caribbean", "baccarat", "open_blackjack", "one_deck_blackjack",
     "six_decks_blackjack", "european_blackjack"],
)  # fmt: skip
def test_every_game_plays_to_its_end_by_physical_buttons_alone(cabinet: CabinetUnderTest, game: str) -> None:
    cabinet.insert_note(10_000)
    while next(tile for tile in cabinet.view.lobby if tile.selected).game != game:
        cabinet.press("b2")
    cabinet.press("b9")
    cabinet.expect_mode("table")
    for _ in range(4):
        cabinet.press("b3")  # one chip
        cabinet.press("b9")  # deal
        for _ in range(30):
            table = cabinet.view.table
            assert table is not None
            if table.phase == "settled":
                break
            choice = next(
                button
                for button in cabinet.view.buttons
                if button.enabled and button.slot and button.slot < 10 and not button.id.startswith("button:mark")
            )
            cabinet.press(f"b{choice.slot}")
        assert cabinet.view.table is not None
        assert cabinet.view.table.phase == "settled"
        cabinet.conserve()
    assert cabinet.books.meter(f"game.{game}.games_played") == 4
    cabinet.press("b8")
    cabinet.expect_mode("lobby")
