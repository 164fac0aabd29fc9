"""Every row of the settlement matrix, for every class, at every poker table."""

import pytest

from firmware.games.registry import load_game
from tests.games.poker.table import ANTE, Table

GAMES = ("oasis", "oasis_jackpot", "caribbean", "russian")
PAYING_THE_ANTE = ("oasis", "oasis_jackpot", "caribbean")

HANDS = {
    "royal_flush": ("As Ks Qs Js Ts", 100),
    "straight_flush": ("9s 8s 7s 6s 5s", 50),
    "four_of_a_kind": ("9s 9h 9d 9c 5s", 20),
    "full_house": ("9s 9h 9d 5c 5s", 7),
    "flush": ("Js 9s 7s 5s 3s", 5),
    "straight": ("9s 8h 7d 6c 5s", 4),
    "three_of_a_kind": ("9s 9h 9d 6c 5s", 3),
    "two_pairs": ("9s 9h 6d 6c 5s", 2),
    "pair": ("9s 9h 7d 6c 5s", 1),
    "ace_king": ("As Kh 9d 6c 5s", 1),
    "no_hand": ("Js 9h 7d 6c 5s", 0),
}
LOWEST_QUALIFIER = "Ad Kd 4h 3c 2d"
NOT_QUALIFIED = "Qd Th 4h 3c 2d"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", HANDS)
def test_fold_loses_the_ante(game: str, name: str) -> None:
    table = Table(game, [HANDS[name][0]], "4d 4h 3d 3h 2d").act("fold")
    assert table.net() == -ANTE
    assert table.box().result == "fold"
    assert table.paid() == {"ante": 0}


@pytest.mark.parametrize("game", PAYING_THE_ANTE)
@pytest.mark.parametrize("name", HANDS)
def test_dealer_who_does_not_qualify_pays_the_ante_whatever_the_player_holds(game: str, name: str) -> None:
    table = Table(game, [HANDS[name][0]], NOT_QUALIFIED).act("raise")
    assert table.net() == ANTE
    assert table.paid() == {"ante": 2 * ANTE, "bet": 2 * ANTE}
    assert table.box().result == "no_qualify"
    assert table.outcome.dealer_qualifies is False


@pytest.mark.parametrize("name", HANDS)
def test_russian_dealer_who_does_not_qualify_pays_the_ante_when_it_is_taken(name: str) -> None:
    table = Table("russian", [HANDS[name][0]], NOT_QUALIFIED).act("raise").act("take_ante")
    assert table.net() == ANTE
    assert table.paid() == {"ante": 2 * ANTE, "bet": 2 * ANTE}
    assert table.box().result == "no_qualify"


@pytest.mark.parametrize("game", PAYING_THE_ANTE)
@pytest.mark.parametrize("name", [name for name in HANDS if name != "no_hand"])
def test_higher_hand_wins_the_ante_and_the_table_on_the_bet(game: str, name: str) -> None:
    hand, pays = HANDS[name]
    table = Table(game, [hand], LOWEST_QUALIFIER).act("raise")
    assert table.box().hands[0].name == name
    assert table.net() == ANTE + 2 * ANTE * pays
    assert table.paid() == {"ante": 2 * ANTE, "bet": 2 * ANTE * (1 + pays)}
    assert table.box().result == "win"


@pytest.mark.parametrize("name", [name for name in HANDS if name != "no_hand"])
def test_russian_higher_hand_wins_the_bet_only_and_the_ante_comes_back(name: str) -> None:
    hand, pays = HANDS[name]
    table = Table("russian", [hand], LOWEST_QUALIFIER).act("raise")
    assert table.net() == 2 * ANTE * pays
    assert table.paid() == {"ante": ANTE, "bet": 2 * ANTE * (1 + pays)}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("hand", "dealer"),
    [
        ("As Kh 9d 6c 5s", "Ad Kc 9h 6s 5d"),
        ("9s 9h 7d 6c 5s", "9d 9c 7h 6s 5d"),
        ("9s 9h 6d 6c 5s", "9d 9c 6h 6s 5d"),
        ("9s 8h 7d 6c 5s", "9d 8c 7h 6s 5d"),
        ("Js 9s 7s 5s 3s", "Jd 9d 7d 5d 3d"),
        ("9s 8s 7s 6s 5s", "9d 8d 7d 6d 5d"),
        ("As Ks Qs Js Ts", "Ad Kd Qd Jd Td"),
    ],
)
def test_equal_hands_keep_ante_and_bet(game: str, hand: str, dealer: str) -> None:
    table = Table(game, [hand], dealer, suit_priority="none").act("raise")
    assert table.net() == 0
    assert table.paid() == {"ante": ANTE, "bet": 2 * ANTE}
    assert table.box().result == "push"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("hand", "dealer"),
    [
        ("Js 9h 7d 6c 5s", "Ad Kd 4h 3c 2d"),
        ("As Kh 9d 6c 5s", "Ad Kc Th 6s 5d"),
        ("9s 9h 7d 6c 5s", "9d 9c 8h 6s 5d"),
        ("9s 8s 7s 6s 5s", "Td 9d 8d 7d 6d"),
        ("9s 8h 7d 6c 5s", "Jd 9d 8d 5d 3d"),
    ],
)
def test_lower_hand_loses_ante_and_bet(game: str, hand: str, dealer: str) -> None:
    table = Table(game, [hand], dealer).act("raise")
    assert table.net() == -3 * ANTE
    assert table.paid() == {"ante": 0, "bet": 0}
    assert table.box().result == "lose"


@pytest.mark.parametrize(
    ("dealer", "does"),
    [("Ad Kd 4h 3c 2d", True), ("Ad Qd Jh Tc 9c", False), ("3d 2d Ah Kc Qc", True), ("2d 2h 3d 4d 5d", True)],
)
def test_dealer_qualifies_from_ace_king(dealer: str, does: bool) -> None:
    table = Table("caribbean", ["Js 9h 7d 6c 5s"], dealer).act("raise")
    assert table.outcome.dealer_qualifies is does


def test_ace_king_with_an_ace_in_the_middle_qualifies_and_pays() -> None:
    won = Table("caribbean", ["3s 2h Ad Kc Qs"], "Ah Kd 4h 3d 2d").act("raise")
    assert won.box().hands[0].name == "ace_king"
    assert won.net() == 3 * ANTE


@pytest.mark.parametrize("game", ["oasis", "oasis_jackpot"])
@pytest.mark.parametrize(("discards", "draws", "fee"), [("Js", "2h", ANTE), ("Js 9h", "2h 3h", ANTE * 3 // 2)])
def test_fee_of_an_exchange_is_lost_in_every_row(game: str, discards: str, draws: str, fee: int) -> None:
    hand = "Js 9h 7d 7c 5s"
    rows = {
        "8d 6h 4h 3c 2d": ("raise", ANTE),  # not qualified
        "Ad Kd 4h 3c 2d": ("raise", 3 * ANTE),  # won
        "8d 8h 4h 3c 2d": ("raise", -3 * ANTE),  # lost
        "8s 8c 4c 3c 2d": ("fold", -ANTE),
    }
    for dealer, (action, net) in rows.items():
        table = Table(game, [hand], dealer, draws).act("exchange", discards).act(action)
        assert table.net() == net - fee
        assert table.staked()["exchange"] == fee
        assert table.paid()["exchange"] == 0


def test_fee_of_an_exchange_is_lost_on_a_push() -> None:
    table = Table("oasis", ["Js 9h 7d 7c 5s"], "7s 7h 9c 5d 2d", "2h").act("exchange", "Js").act("raise")
    assert table.box().result == "push"
    assert table.net() == -ANTE
    assert table.paid() == {"ante": ANTE, "bet": 2 * ANTE, "exchange": 0}


@pytest.mark.parametrize("game", GAMES)
def test_every_paying_row_of_the_paytable_is_what_is_paid(game: str) -> None:
    rows = {row.name: row.pays for row in load_game(game).paytable if row.line == "bet"}
    assert rows == {name: (pays, 1) for name, (_, pays) in HANDS.items() if name != "no_hand"}
    for name, pays in rows.items():
        assert pays is not None
        bet = Table(game, [HANDS[name][0]], LOWEST_QUALIFIER).act("raise").paid()["bet"]
        assert bet == 2 * ANTE * (pays[0] + pays[1]) // pays[1]


@pytest.mark.parametrize("ante", [100, 102, 1_234, 10_000])
def test_a_full_house_wins_fifteen_antes_whatever_the_ante(ante: int) -> None:
    table = Table("oasis", [HANDS["full_house"][0]], LOWEST_QUALIFIER, antes=[ante]).act("raise")
    assert table.net() == 15 * ante
