"""All combinations of cards of whole shoes against the published counts, with the very drawing rules that play."""

from collections import Counter
from functools import cache
from itertools import product

import pytest

from firmware.games.families.baccarat_tableau import banker_draws, player_draws

POINTS = range(10)


def shoe_of(deck_count: int) -> list[int]:
    """How many cards of each number of points a shoe has."""
    return [16 * deck_count] + [4 * deck_count] * 9


def count_coups(shoe: list[int], player_total: int | None = None) -> Counter[str]:
    """Count all ordered draws of six cards by winner; ``player_total`` keeps only coups that begin with it."""
    wins: Counter[str] = Counter()
    for first, third, second, fourth in product(POINTS, repeat=4):
        player, banker = (first + third) % 10, (second + fourth) % 10
        if first > third or second > fourth or player_total not in (None, player):
            continue
        left = list(shoe)
        ways = 1 if first == third else 2
        ways *= 1 if second == fourth else 2
        for points in (first, third, second, fourth):
            ways *= left[points]
            left[points] -= 1
        if not ways:
            continue
        for winner, share in finish(player, banker, tuple(left)).items():
            wins[winner] += ways * share
    return wins


@cache
def finish(player: int, banker: int, left: tuple[int, ...]) -> Counter[str]:
    """Count the ordered draws of two more cards, used or not, by winner."""
    size = sum(left)
    wins: Counter[str] = Counter()
    if not player_draws(player, banker):
        if not banker_draws(player, banker, None):
            wins[winner_of(player, banker)] += size * (size - 1)
            return wins
        for card in POINTS:
            wins[winner_of(player, (banker + card) % 10)] += left[card] * (size - 1)
        return wins
    for third in POINTS:
        final = (player + third) % 10
        if not banker_draws(player, banker, third):
            wins[winner_of(final, banker)] += left[third] * (size - 1)
            continue
        for card in POINTS:
            wins[winner_of(final, (banker + card) % 10)] += left[third] * (left[card] - (card == third))
    return wins


def winner_of(player: int, banker: int) -> str:
    return "tie" if player == banker else "player" if player > banker else "banker"


def test_eight_decks_give_the_published_counts_exactly() -> None:
    wins = count_coups(shoe_of(8))
    assert wins == {
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
    }
    assert wins.total() == 4_998_398_275_503_360


def test_house_edges_of_eight_decks_are_the_published_ones() -> None:
    wins = count_coups(shoe_of(8))
    total = wins.total()
    banker = (wins["player"] * 20 - wins["banker"] * 19) / 20 / total
    player = (wins["banker"] - wins["player"]) / total
    tie = (total - 9 * wins["tie"]) / total
    assert [f"{100 * edge:.4f}" for edge in (banker, player, tie)] == ["1.0579", "1.2351", "14.3596"]


@pytest.mark.parametrize(("total", "published"), [(0, 0.278792), (5, 0.358488), (7, 0.572657), (9, 0.905475)])
def test_player_wins_as_often_as_published_once_his_two_cards_are_known(total: int, published: float) -> None:
    wins = count_coups(shoe_of(8), player_total=total)
    assert wins["player"] / wins.total() == pytest.approx(published, abs=5e-7)
