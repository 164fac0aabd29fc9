"""``simulate --strategy optimal``: returns within three standard errors of the sheet; seeds are fixed, so the outcome is too."""

import json

import pytest

from firmware.cli import run
from firmware.games.par_files import par_path
from firmware.games.registry import load_game
from firmware.maths.optimal import optimal_strategy
from firmware.simulate.runner import play_rounds
from firmware.simulate.tally import Tally

ROUNDS = 5_000
"""By the rules themselves; the arrays play millions (``test_bulk``)."""


@pytest.mark.parametrize(
    "game_id",
    ["caribbean", "baccarat", "one_deck_blackjack", "six_decks_blackjack", "european_blackjack", "open_blackjack"],
)
def test_best_play_returns_what_the_sheet_says(game_id: str) -> None:
    sheet = json.loads(par_path(game_id).read_text())
    game = load_game(game_id)
    strategy = optimal_strategy(game, lambda _what, _share: None)
    tally = Tally(game.cost_minor(strategy.stakes(game)))
    assert sum(play_rounds(game, strategy, 7, ROUNDS, tally)) == ROUNDS
    assert abs(tally.mean + sheet["house_edge_percent"] / 100) < 3 * tally.standard_error
    assert tally.standard_deviation == pytest.approx(sheet["standard_deviation"], rel=0.1)


def test_the_command_knows_best_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "baccarat", "--strategy", "optimal", "--rounds", "50", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["strategy"], report["rounds"]) == ("optimal", 50)
    assert run(["simulate", "baccarat", "--strategy", "none"]) == 2
    assert "optimal" in capsys.readouterr().err
