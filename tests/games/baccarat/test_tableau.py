"""The third-card tableau, row by row as score cards print it."""

import pytest

from firmware.games.families.baccarat_tableau import banker_draws, player_draws
from tests.games.baccarat.coups import play_coup


@pytest.mark.parametrize("total", range(10))
def test_player_draws_on_nought_to_five_and_stands_on_six_and_more(total: int) -> None:
    assert player_draws(total, 0) == (total <= 5)


@pytest.mark.parametrize("natural", [8, 9])
def test_nobody_draws_against_a_natural(natural: int) -> None:
    assert not any(player_draws(total, natural) for total in range(10))
    assert not any(banker_draws(natural, total, None) for total in range(10))
    assert not any(banker_draws(total, natural, None) for total in range(10))


@pytest.mark.parametrize("total", range(8))
def test_banker_draws_to_five_when_the_player_stood(total: int) -> None:
    assert banker_draws(6, total, None) == (total <= 5)


@pytest.mark.parametrize(
    ("total", "draws_against"),
    [
        (0, "0123456789"),
        (1, "0123456789"),
        (2, "0123456789"),
        (3, "012345679"),
        (4, "234567"),
        (5, "4567"),
        (6, "67"),
        (7, ""),
    ],
)
def test_banker_draws_by_the_players_third_card(total: int, draws_against: str) -> None:
    drawn = "".join(str(third) for third in range(10) if banker_draws(0, total, third))
    assert drawn == draws_against


def test_a_drawn_ten_is_a_third_card_and_not_no_card() -> None:
    """With 4 the banker stands against a drawn zero, but would draw had the player stood."""
    assert banker_draws(5, 4, 0) is False
    assert banker_draws(6, 4, None) is True
    outcome = play_coup("2s 4h 3d Kh Tc", banker=1000)
    assert len(outcome.dealer_cards) == 2
    assert [outcome.boxes[0].hands[0].name, outcome.dealer_name] == ["5", "4"]


def test_a_drawn_ten_lets_the_banker_draw_on_three() -> None:
    outcome = play_coup("2s 3h 3d Kh Tc 6s", banker=1000)
    assert len(outcome.dealer_cards) == 3
    assert outcome.dealer_name == "9"
