"""What the bets of baccarat win, lose and get back, and which bets are refused."""

import pytest

from firmware.cards.card import cards_text, parse_cards
from firmware.errors import ConfigError
from firmware.games.contract import Action, ActionRefusedError, Chance, Decision, Settled, Stake, StakeRefusedError
from firmware.games.registry import load_game
from tests.games.baccarat.coups import line, play_coup

PLAYER_WINS = "9s 2h Kd 5h"
BANKER_WINS = "2s 9h 5d Kh"
BANKER_SIX = "5s 2h Kd 4h 9c"  # player 5 draws 9 = 4, banker 6 stands
TIE = "6s 3h Kd 3d"


def test_cards_go_to_player_banker_player_banker_then_player_then_banker() -> None:
    outcome = play_coup("2s 3h 3d Kh Tc 6s", player=1000)
    assert cards_text(outcome.boxes[0].hands[0].cards) == ["2s", "3d", "Tc"]
    assert cards_text(outcome.dealer_cards) == ["3h", "Kh", "6s"]


def test_player_bet_wins_even_money() -> None:
    outcome = play_coup(PLAYER_WINS, player=1000, banker=2000, tie=500)
    assert [(part.line, part.paid_minor) for part in outcome.boxes[0].lines] == [
        ("player", 2000),
        ("banker", 0),
        ("tie", 0),
    ]
    assert outcome.boxes[0].result == "lose"  # 1000 won, 2500 lost
    assert outcome.boxes[0].hands[0].result == "win"


def test_banker_bet_wins_nineteen_to_twenty_exactly() -> None:
    outcome = play_coup(BANKER_WINS, banker=120)
    assert line(outcome, "banker").paid_minor == 120 + 114
    assert outcome.boxes[0].result == "win"


@pytest.mark.parametrize("amount", [101, 110, 119, 9999])
def test_banker_bet_whose_commission_would_not_be_whole_is_refused(amount: int) -> None:
    with pytest.raises(StakeRefusedError, match=f"box 1: banker {amount} is not a multiple of 20"):
        play_coup(BANKER_WINS, banker=amount)


def test_player_and_tie_bets_may_be_odd() -> None:
    outcome = play_coup(TIE, player=101, tie=103)
    assert line(outcome, "player").paid_minor == 101
    assert line(outcome, "tie").paid_minor == 103 * 9


def test_player_and_banker_bets_push_on_a_tie() -> None:
    outcome = play_coup(TIE, player=1000, banker=2000)
    assert [part.paid_minor for part in outcome.boxes[0].lines] == [1000, 2000]
    assert outcome.boxes[0].result == "push"
    assert outcome.boxes[0].hands[0].result == "push"


def test_tie_pays_nine_to_one_where_the_table_says_so() -> None:
    assert line(play_coup(TIE, {"tie_pays": 9}, tie=100), "tie").paid_minor == 1000


def test_without_commission_banker_pays_even_money_but_half_with_six() -> None:
    table: dict[str, object] = {"commission": "none"}
    assert line(play_coup(BANKER_WINS, table, banker=1000), "banker").paid_minor == 2000
    assert line(play_coup(BANKER_SIX, table, banker=1000), "banker").paid_minor == 1500
    assert line(play_coup(BANKER_SIX, banker=1000), "banker").paid_minor == 1950
    with pytest.raises(StakeRefusedError, match="not a multiple of 2"):
        play_coup(BANKER_SIX, table, banker=101)


def test_pair_bets_pay_eleven_to_one_on_the_first_two_cards_only() -> None:
    table: dict[str, object] = {"pair_bets": True}
    outcome = play_coup("4s 2h 4d 5h", table, player_pair=100, banker_pair=100)
    assert [part.paid_minor for part in outcome.boxes[0].lines] == [1200, 0]
    third_card_makes_no_pair = play_coup("2s 3h 3d Kh 3c 6s", table, player_pair=100)
    assert line(third_card_makes_no_pair, "player_pair").paid_minor == 0
    with pytest.raises(StakeRefusedError, match="no line 'player_pair'"):
        play_coup("4s 2h 4d 5h", player_pair=100)


def test_a_line_with_nothing_on_it_is_no_bet() -> None:
    outcome = play_coup(TIE, player=100, tie=0)
    assert [part.line for part in outcome.boxes[0].lines] == ["player"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ({}, "nothing on player or banker or tie"),
        ({"player": 0}, "nothing on player or banker or tie"),
        ({"player": 99}, "player 99 is outside 100 to 10000"),
        ({"tie": 10_001}, "tie 10001 is outside"),
        ({"player": -100}, "player -100 is outside"),
        ({"bet": 100}, "no line 'bet' here"),
    ],
)
def test_impossible_bets_are_refused(lines: dict[str, int], reason: str) -> None:
    with pytest.raises(StakeRefusedError, match=reason):
        load_game("baccarat").open([Stake(1, lines)], 100_000)


def test_seats_balance_and_meter_are_checked() -> None:
    game = load_game("baccarat")
    with pytest.raises(StakeRefusedError, match="box 2: this table has boxes 1 to 1"):
        game.open([Stake(2, {"player": 100})], 100)
    with pytest.raises(StakeRefusedError, match="2 boxes"):
        game.open([Stake(1, {"player": 100}), Stake(1, {"player": 100})], 1000)
    with pytest.raises(StakeRefusedError, match="stakes: 0 boxes"):
        game.open([], 1000)
    with pytest.raises(StakeRefusedError, match="balance: 199 is not enough for stakes of 200"):
        game.open([Stake(1, {"player": 100, "tie": 100})], 199)
    with pytest.raises(StakeRefusedError, match="no jackpot"):
        game.open([Stake(1, {"player": 100})], 1000, 5000)


def test_there_is_nothing_to_decide() -> None:
    game = load_game("baccarat")
    opened = game.open([Stake(1, {"player": 100})], 1000)
    decision = Decision(opened.state, 1)
    assert game.choices(decision, 1000) == ()
    with pytest.raises(ActionRefusedError, match="no decisions"):
        game.act(decision, Action(1, "hit"), 1000)


def test_a_wrong_number_of_cards_is_refused() -> None:
    game = load_game("baccarat")
    opened = game.open([Stake(1, {"player": 100})], 1000)
    with pytest.raises(ValueError, match="3 cards given, 4 asked for"):
        game.deal(opened, parse_cards(["2s", "3s", "4s"]))


def test_the_layout_shows_both_hands_and_the_end() -> None:
    game = load_game("baccarat")
    opened = game.open([Stake(1, {"banker": 1000})], 1000)
    before = game.layout(opened)
    assert before.player is not None
    assert (before.player.slots, before.player.name, before.boxes[0].state) == ((), None, "done")
    drawing = game.deal(opened, parse_cards("2s 3h 3d Kh".split()))
    assert isinstance(drawing, Chance)
    seen = game.layout(drawing)
    assert seen.player is not None
    assert (seen.player.name, seen.dealer.name, seen.player.result) == ("5", "3", None)
    settled = game.deal(drawing, parse_cards(["8c"]))
    assert isinstance(settled, Settled)
    shown = game.layout(settled)
    assert shown.player is not None
    assert (shown.player.result, shown.dealer.result, shown.boxes[0].result) == ("push", "push", "push")
    assert [part.paid_minor for part in shown.boxes[0].lines] == [1000]


def test_naturals_are_named() -> None:
    outcome = play_coup("9s 4h Kd 4d", player=100)
    assert (outcome.boxes[0].hands[0].name, outcome.dealer_name) == ("natural_9", "natural_8")


def test_limits_without_an_exact_bet_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"maximum_minor: found 110, expected a multiple of 20 \(for banker\)"):
        load_game("baccarat", {"minimum_minor": 101, "maximum_minor": 110})


def test_a_coup_never_pays_more_than_declared() -> None:
    game = load_game("baccarat", {"pair_bets": True})
    stakes = [Stake(1, {"player": 100, "banker": 100, "tie": 100, "player_pair": 100, "banker_pair": 100})]
    assert game.most_paid_minor(stakes) == 900 + 200 + 2400
    outcome = play_coup(
        "3s 3h 3d 3c", {"pair_bets": True}, player=100, banker=100, tie=100, player_pair=100, banker_pair=100
    )
    assert outcome.paid_minor == game.most_paid_minor(stakes)
