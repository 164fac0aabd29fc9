"""The command ``par``: committed sheets at once, others computed, checks that can fail, errors in one line."""

import json
from pathlib import Path

import pytest

from firmware.cli import run
from firmware.games.registry import register
from firmware.maths.checks import check_published
from firmware.maths.game_sheet import game_sheet


def par(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = run(["par", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_json_is_one_object_with_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = par(capsys, "oasis", "--json")
    sheet = json.loads(out)
    assert status == 0
    assert sheet["house_edge"] == "59695589207/5837588937180"
    assert sheet["exact"] is True
    assert [row["upcard"] for row in sheet["by_upcard"]] == list("AKQJT98765432")


def test_an_option_makes_another_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = par(capsys, "baccarat", "--json", "--set", "deck_count=6")
    assert round(json.loads(out)["house_edge_percent"], 4) == 1.0558
    assert json.loads(out)["profile"]["deck_count"] == 6


def test_a_profile_may_come_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("tie_pays = 9\n")
    _, out, _ = par(capsys, "baccarat", "--json", "--profile", str(file))
    assert round(json.loads(out)["bets"]["tie"]["house_edge_percent"], 4) == 4.8440


def test_check_computes_and_compares(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = par(capsys, "baccarat", "--check")
    assert status == 0
    assert "agree" in out
    status, out, err = par(capsys, "baccarat", "--check", "--set", "deck_count=6", "--json")
    assert status == 1
    assert "no sheet of these rules is committed" in err
    assert json.loads(out)["problems"]


def test_a_wrong_count_is_found() -> None:
    registered = register("baccarat")
    sheet = game_sheet(registered, lambda _what, _share: None)
    sheet["bets"]["tie"]["lines"][0]["combinations"] += 1
    assert check_published(registered, sheet) == ["tie: published 475627426473216, computed 475627426473217"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["poker"], "there is no game"),
        (["baccarat", "--set", "deck_count"], "expected NAME=VALUE"),
        (["baccarat", "--set", "deck_count=7"], "deck_count"),
        (["oasis", "--set", "after_draw='must_improve'"], "after_draw"),
        (["russian", "--set", "max_win_minor=1000000"], "max_win_minor"),
        (["baccarat", "--write", "--set", "deck_count=6"], "only a game's own profile"),
    ],
)
def test_bad_use_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    status, out, err = par(capsys, *arguments)
    assert status == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert out == ""


def test_without_numba_a_computation_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.maths.installed.is_installed", lambda: False)
    status, _, err = par(capsys, "one_deck_blackjack", "--compute")
    assert status == 2
    assert "numpy and numba are not installed" in err
    assert par(capsys, "one_deck_blackjack")[0] == 0  # the committed sheet needs nothing
