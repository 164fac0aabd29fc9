"""Simulated returns within three standard errors of the published ones; seeds are fixed, so the outcome is too."""

import pytest

from firmware.games.registry import load_game
from firmware.games.strategies import strategies_for
from firmware.simulate.runner import play_rounds
from firmware.simulate.tally import Tally

ROUNDS = 20_000
ONE, SIX, EURO, OPEN = "one_deck_blackjack", "six_decks_blackjack", "european_blackjack", "open_blackjack"
NO_HOLE_CARD = {
    "max_boxes": 1,
    "hole_card": "none",
    "dealer_natural_takes": "all_bets",
    "double": "hard_9_11",
    "max_hands": 4,
    "resplit_aces": True,
}
LIBERAL = {
    "double": "any_two",
    "double_after_split": True,
    "acknowledge_player_edge": ["double_any_two", "double_after_split"],
}


def simulate(game_id: str, strategy: str, options: dict[str, object], seed: int = 20) -> Tally:
    game = load_game(game_id, options)
    chosen = strategies_for(game)[strategy]
    tally = Tally(game.cost_minor(chosen.stakes(game)))
    assert sum(play_rounds(game, chosen, seed, ROUNDS, tally)) == ROUNDS == tally.round_count
    return tally


@pytest.mark.parametrize(("bet", "edge_percent"), [("banker", 1.0579), ("player", 1.2351), ("tie", 14.3596)])
def test_baccarat_returns_what_is_published(bet: str, edge_percent: float) -> None:
    tally = simulate("baccarat", bet, {})
    assert abs(tally.mean + edge_percent / 100) < 3 * tally.standard_error
    assert tally.staked_minor == ROUNDS * tally.initial_minor


@pytest.mark.parametrize(
    ("game_id", "options", "edge_percent"),
    [
        pytest.param(SIX, NO_HOLE_CARD, 0.55, id="six decks, no hole card, resplit to four hands"),
        pytest.param(ONE, LIBERAL, -0.1839, id="one deck, double any two and after a split"),
        pytest.param(OPEN, {"exposed": True, "tied_naturals": "win"}, 0.96, id="both cards up, tied naturals win"),
        pytest.param(OPEN, {"exposed": True}, 1.17, id="both cards up"),
        pytest.param(OPEN, {}, 0.67, id="one card up, one down"),
        pytest.param(SIX, {}, 0.46, id="six decks, shoe carried over"),
    ],
)
def test_blackjack_by_basic_strategy_returns_what_is_published(
    game_id: str, options: dict[str, object], edge_percent: float
) -> None:
    tally = simulate(game_id, "basic", options)
    assert abs(tally.mean + edge_percent / 100) < 3 * tally.standard_error
    assert 1.0 < tally.standard_deviation < 1.3


def test_naturals_come_as_often_as_counted() -> None:
    """4.82655 % with one deck; those that the dealer ties are not paid."""
    tally = simulate(ONE, "basic", {})
    share = tally.rounds_by_net[150] / ROUNDS
    paid = 0.0482655 * (1 - 3 * 15 / (50 * 49 / 2))
    assert share == pytest.approx(paid, abs=3 * (paid * (1 - paid) / ROUNDS) ** 0.5)


@pytest.mark.parametrize("game_id", [ONE, EURO])
def test_equal_seeds_give_equal_rounds_and_others_do_not(game_id: str) -> None:
    game = load_game(game_id)
    strategy = strategies_for(game)["basic"]
    tallies = [Tally(100) for _ in range(3)]
    for seed, tally in zip((5, 5, 6), tallies, strict=True):
        assert sum(play_rounds(game, strategy, seed, 500, tally)) == 500
    assert tallies[0] == tallies[1] != tallies[2]
