"""Every state that the tour meets, drawn as the player sees it, in both languages; and the subcommand that makes pictures."""

from dataclasses import replace
from pathlib import Path

import pytest

from display.draw_list import CANVAS_HEIGHT, CANVAS_WIDTH, Box
from display.locale import LANGUAGES
from display.motion import still
from display.scenes import compose
from display.view_model import Comfort, View
from firmware.cli import run
from firmware.simulator.cabinet import SimulatedCabinet
from firmware.simulator.tour import bring_money, tour
from tests.display.checks import all_faults
from tests.support.cabinet import settings_for

CANVAS = Box(0, 0, CANVAS_WIDTH, CANVAS_HEIGHT)
FELTS = {"russian": (150, 34, 44), "baccarat": (108, 42, 112)}
DEFAULT_FELT = (18, 116, 78)


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> dict[str, View]:
    """All views of a tour in English."""
    folder = tmp_path_factory.mktemp("tour")
    return {name: view for _, found in tour(settings_for(folder), folder, "en") for name, view in found.items()}


def faults(views: dict[str, View], **comfort: bool) -> dict[str, list[str]]:
    """The faults of all views in all languages, by view and language."""
    found = {}
    for name, view in views.items():
        for language in LANGUAGES:
            changed = replace(view, language=language, comfort=Comfort(**comfort))  # type: ignore[arg-type]
            felt = FELTS.get(name.split("_")[0], DEFAULT_FELT)
            drawn = compose(changed, still(changed), 10_000)
            if several := all_faults(drawn, CANVAS, felt):
                found[f"{name} {language}"] = several
    return found


def test_the_tour_sees_every_game_before_during_and_after_play_and_its_rules(views: dict[str, View]) -> None:
    games = settings_for(Path("unused")).games.enabled
    for game in games:
        for phase in ("empty", "betting", "settled", "rules"):
            assert f"{game}_{phase}_1" in views
        assert game == "baccarat" or f"{game}_deciding_3" in views
    assert {"attract_1", "page_settings", "page_session", "page_hands", "page_hands_earlier"} <= set(views)


def test_every_state_of_every_game_can_be_read_and_touched(views: dict[str, View]) -> None:
    assert faults(views) == {}


def test_every_state_can_be_read_in_large_letters_by_a_left_hand(views: dict[str, View]) -> None:
    assert faults(views, big_text=True, left_handed=True) == {}


def test_a_full_cash_box_is_emptied_when_money_is_brought_and_one_that_takes_nothing_is_an_error(
    tmp_path: Path,
) -> None:
    settings = settings_for(tmp_path / "data")
    cabinet = SimulatedCabinet(settings)
    try:
        cabinet.boot()
        cabinet.world.fill_stacker()
        bring_money(cabinet, 10_000)
        assert cabinet.view.credit_minor == 500_000
        assert cabinet.world.readings.cash_box_note_count == 50
        cabinet.touch("button:cash_out")
        cabinet.settle(60_000)
        cabinet.act(lambda world: world.open_door("main"))
        with pytest.raises(ArithmeticError, match="not credited"):
            bring_money(cabinet, 10_000)
    finally:
        cabinet.close()


def test_pictures_whose_name_begins_so_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert (
        run(["screenshots", str(tmp_path / "small"), "--only", "baccarat_settled", "--size", "640x360", "--thumbnails"])
        == 0
    )
    pictures = sorted(path.name for path in (tmp_path / "small").glob("*.jpg"))
    assert "baccarat_settled_1.jpg" in pictures
    page = (tmp_path / "small" / "README.md").read_text(encoding="utf-8")
    assert all(f"({name})" in page for name in pictures)


def test_a_name_that_no_picture_has_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["screenshots", str(tmp_path), "--only", "omaha"]) == 2
    assert "no picture's name begins with 'omaha'" in capsys.readouterr().err
