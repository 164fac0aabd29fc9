"""The committed sheets: one for every game's exact rules, complete, and consistent with themselves."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from firmware.games.par_files import par_path, read_sheet, theoretical_return
from firmware.games.registry import game_ids, register
from firmware.maths.sheet_text import sheet_text

KEYS = {
    "game",
    "profile",
    "house_edge",
    "house_edge_percent",
    "rtp_percent",
    "element_of_risk_percent",
    "standard_deviation",
    "hit_frequency_percent",
    "lines",
    "exact",
    "rules_version",
    "profile_digest",
    "volatility_index",
    "confidence_band",
    "maximum_win",
}


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_a_sheet_of_its_exact_rules(game_id: str) -> None:
    """Red as soon as a profile or a rules version changes and the sheet is not computed again."""
    registered = register(game_id)
    sheet = read_sheet(game_id, registered.digest)
    assert sheet is not None, f"run ./croupier par {game_id} --write"
    assert set(sheet) >= KEYS
    assert sheet["rules_version"] == registered.family.rules_version
    assert sheet["profile"] == registered.profile.options()


@pytest.mark.parametrize("game_id", game_ids())
def test_lines_add_up_to_certainty_and_to_the_edge(game_id: str) -> None:
    sheet = json.loads(par_path(game_id).read_text())
    for figures in (sheet, *sheet.get("bets", {}).values()):
        main = [line for line in figures["lines"] if not line["name"].startswith("insurance")]
        assert sum(Fraction(line["probability"]) for line in main) == pytest.approx(1, abs=1e-9)
        total = sum(Fraction(line["probability"]) * Fraction(line["net"]) for line in figures["lines"])
        edge = Fraction(figures["house_edge"])
        assert float(total) == pytest.approx(-float(edge), abs=1e-12 if figures["exact"] is True else 1e-9)
        assert figures["rtp_percent"] == pytest.approx(100 - figures["house_edge_percent"])
        assert figures["house_edge_percent"] == pytest.approx(100 * float(edge))
        if "total_combinations" in figures:
            assert sum(line["combinations"] for line in main) == figures["total_combinations"]


@pytest.mark.parametrize("game_id", game_ids())
def test_no_sheet_gives_the_player_an_edge(game_id: str) -> None:
    sheet = json.loads(par_path(game_id).read_text())
    assert 0 < sheet["house_edge_percent"] < 6


@pytest.mark.parametrize("game_id", game_ids())
def test_the_text_shows_edge_and_every_line(game_id: str) -> None:
    sheet = json.loads(par_path(game_id).read_text())
    text = sheet_text(sheet)
    assert f"{sheet['house_edge_percent']:+.6f} %" in text
    assert all(line["name"] in text for line in sheet["lines"])


def test_a_changed_profile_has_no_sheet() -> None:
    changed = register("oasis", {"exchange_tariff": {"1": 1, "2": 2}})
    assert read_sheet("oasis", changed.digest) is None
    assert theoretical_return("oasis", changed.digest) is None


def test_the_operator_reads_return_and_hold_without_any_mathematics() -> None:
    found = theoretical_return("caribbean", register("caribbean").digest)
    assert found is not None
    assert found.house_edge == Fraction(1_041_372_912_372, 19_933_230_517_200)
    assert float(100 * found.hold) == pytest.approx(2.5553, abs=5e-5)


def test_a_broken_or_missing_sheet_is_no_sheet(tmp_path: Path) -> None:
    digest = register("baccarat").digest
    assert theoretical_return("baccarat", digest, tmp_path) is None
    (tmp_path / "baccarat.json").write_text("{")
    assert theoretical_return("baccarat", digest, tmp_path) is None
    (tmp_path / "baccarat.json").write_text("[]")
    assert theoretical_return("baccarat", digest, tmp_path) is None


def test_russian_says_how_far_it_is_exact() -> None:
    sheet = json.loads(par_path("russian").read_text())
    low, high = sheet["intervals"]["house_edge_percent"]
    assert low < sheet["house_edge_percent"] < high < low + 0.02
    for key, width in (
        ("average_wager", 0.015),
        ("element_of_risk_percent", 0.01),
        ("standard_deviation", 0.01),
        ("hit_frequency_percent", 0.15),
    ):
        low, high = sheet["intervals"][key]
        value = float(Fraction(sheet[key]))
        assert low < value < high < low + width, key
    for line in sheet["lines"]:
        if interval := line.get("probability_interval_percent"):
            assert 0 <= interval[0] <= line["probability_percent"] <= interval[1]
    assert any("3 standard errors either way" in note for note in sheet["exact"])
    assert sheet["blind_box"]["exact"] is True
    assert round(sheet["blind_box"]["house_edge_percent"], 1) == 30.0


def test_russian_puts_up_what_simulated_rounds_put_up() -> None:
    """3.048 antes a round in ten million (``simulations.md``), of which three standard errors are 0.0015."""
    low, high = json.loads(par_path("russian").read_text())["intervals"]["average_wager"]
    assert low - 0.002 < 3.048 < high + 0.002


def test_suits_decide_ties_half_and_half_where_they_count() -> None:
    lines = json.loads(par_path("oasis_jackpot").read_text())["lines"]
    won = {line["name"][16:]: line["combinations"] for line in lines if line["name"].startswith("tie won by suit")}
    lost = {line["name"][17:]: line["combinations"] for line in lines if line["name"].startswith("tie lost by suit")}
    assert set(map(str.strip, won)) == set(map(str.strip, lost))
    assert sum(won.values()) == sum(lost.values()) > 0
    assert all(line["name"] != "push" for line in lines)


def test_oasis_by_open_card_adds_up_to_the_whole() -> None:
    sheet = json.loads(par_path("oasis").read_text())
    mean = sum(Fraction(row["house_edge"]) for row in sheet["by_upcard"]) / 13
    assert mean == Fraction(sheet["house_edge"])
    assert sheet["play_percent"]["exchange_2"] > 0
