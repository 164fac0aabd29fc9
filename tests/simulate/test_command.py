"""``croupier simulate`` as a user runs it."""

import json
from pathlib import Path

import pytest

from firmware.cli import run
from firmware.games.registry import game_ids
from firmware.simulate.command import make_report, report_text
from firmware.simulate.tally import Tally


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_is_simulated_and_reported_as_json(game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", game_id, "--rounds", "300", "--seed", "4", "--json"]) == 0
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert printed.err == ""
    assert (report["game"], report["rounds"], report["seed"]) == (game_id, 300, 4)
    assert sum(row["rounds"] for row in report["histogram"]) == 300
    net = sum(row["net_minor"] * row["rounds"] for row in report["histogram"])
    assert net == report["paid_minor"] - report["wagered_minor"]
    assert report["mean"] == pytest.approx(net / 300 / report["initial_bet_minor"])
    assert report["house_edge_percent"] == pytest.approx(-100 * report["mean"])


def test_equal_seeds_print_equal_figures(capsys: pytest.CaptureFixture[str]) -> None:
    figures = []
    for _ in range(2):
        run(["simulate", "baccarat", "--rounds", "1500", "--strategy", "tie", "--json"])
        report = json.loads(capsys.readouterr().out)
        del report["rounds_per_second"]
        figures.append(report)
    assert figures[0] == figures[1]
    assert figures[0]["strategy"] == "tie"


def test_the_text_report_has_the_figures_and_a_histogram() -> None:
    tally = Tally(100)
    for paid in (0, 0, 200, 250):
        tally.add(100, paid)
    assert report_text(make_report("one_deck_blackjack", "basic", 1, tally, 0.5)) == (
        "one_deck_blackjack, strategy basic, seed 1: 4 rounds, 8 a second\n"
        "  mean result         +12.5000 % of the initial bet\n"
        "  standard error       65.7489 %\n"
        "  house edge          -12.5000 % of the initial bet\n"
        "  element of risk     -12.5000 % of all money wagered\n"
        "  wagered per round    1.0000 initial bets\n"
        "  standard deviation   1.3150 initial bets\n"
        "  net result           share\n"
        "       -1.00       50.00000 %  ########################################\n"
        "       +1.00       25.00000 %  ####################\n"
        "       +1.50       25.00000 %  ####################\n"
    )


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["whist"], "there is no game 'whist'; choose one of"),
        (["baccarat", "--strategy", "basic"], "baccarat has no strategy 'basic'; choose one of banker, player, tie"),
        (["baccarat", "--rounds", "0"], "--rounds: found 0, expected 1 to 1000000000"),
        (["baccarat", "--rounds", "-5"], "--rounds: found -5"),
        (["baccarat", "--seed", "-1"], "--seed: found -1"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["simulate", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert line in printed.err
    assert printed.err.count("\n") == 1


def test_best_play_is_compared_with_the_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "baccarat", "--rounds", "200000", "--strategy", "optimal"]
    assert run([*arguments, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["engine"] == "arrays"
    assert round(report["sheet_house_edge_percent"], 4) == 1.0579
    assert abs(report["standard_errors_away"]) < 3
    assert run(arguments) == 0
    assert "by the sheet        +1.0579 %" in capsys.readouterr().out


def test_what_is_kept_is_gone_on_from_and_gives_the_same_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def report(*options: str) -> dict[str, object]:
        assert run(["simulate", "baccarat", "--engine", "arrays", "--json", *options]) == 0
        found: dict[str, object] = json.loads(capsys.readouterr().out)
        del found["rounds_per_second"]
        return found

    kept = str(tmp_path / "kept.json")
    report("--rounds", "1000000", "--keep", kept)
    resumed = report("--rounds", "2500000", "--keep", kept)
    assert resumed == report("--rounds", "2500000")
    assert run(["simulate", "baccarat", "--engine", "arrays", "--seed", "2", "--keep", kept]) == 2
    assert "another simulation" in capsys.readouterr().err
    (tmp_path / "bad.json").write_text("[]", encoding="utf-8")
    assert run(["simulate", "baccarat", "--engine", "arrays", "--keep", str(tmp_path / "bad.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_arrays_are_refused_where_there_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "caribbean", "--strategy", "raise_all", "--engine", "arrays"]) == 2
    assert "played by the rules only" in capsys.readouterr().err
