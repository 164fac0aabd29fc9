"""Every row of every page of every game's rules is drawn, whole and readable, in both languages, also in large letters."""

import itertools
from pathlib import Path

import pytest

from display.draw_list import DrawList, Label
from display.locale import LANGUAGES
from display.motion import still
from display.scenes import compose
from display.text import Writer
from display.view_model import Comfort, MoneyFormat, PageRow, PageView, View
from firmware.app import games_on_offer
from firmware.presenter.help import help_page, help_page_count
from firmware.terminal.state import Pages
from tests.support.cabinet import settings_for

OFFERS = games_on_offer(settings_for(Path("unused")))
PAGES = [(game, page) for game, offer in OFFERS.items() for page in range(help_page_count(offer))]
SMALLEST = 17.0
"""Letters of two millimetres on a screen of 22 inches."""


def drawn(page: PageView, language: str, comfort: Comfort) -> DrawList:
    view = View(mode="page", language=language, wall_time_ms=0, page=page, comfort=comfort)
    return compose(view, still(view), 0)


def words_of(frame: DrawList) -> str:
    return " ".join(item.text for item in frame.items if isinstance(item, Label))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("big", [False, True], ids=["usual", "big letters"])
@pytest.mark.parametrize(("game", "number"), PAGES)
def test_every_row_of_the_rules_is_on_its_page(game: str, number: int, big: bool, language: str) -> None:
    page = help_page(Pages(page=number), OFFERS[game])
    frame = drawn(page, language, Comfort(big_text=big))
    written = words_of(frame)
    writer = Writer(language, MoneyFormat())
    for row in page.rows:
        for part in (row.label, row.value, row.second):
            words = writer.say(part) if part else ""
            # A sentence may run over several lines.
            assert all(word in written for word in words.split()), f"not on the page: {words}"
    rows = [item for item in frame.items if isinstance(item, Label) and item.size < SMALLEST]
    known = {writer.say(part) for row in page.rows for part in (row.label, row.value, row.second) if part}
    assert not [item.text for item in rows if item.text in known]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "number"), PAGES)
def test_rows_of_the_rules_stand_one_below_the_other_within_the_sheet(game: str, number: int, language: str) -> None:
    page = help_page(Pages(page=number), OFFERS[game])
    writer = Writer(language, MoneyFormat())
    labels = {writer.say(row.label) for row in page.rows if row.value and row.tone != "heading"}
    frame = drawn(page, language, Comfort())
    places = [item.box for item in frame.items if isinstance(item, Label) and item.align == "l" and item.text in labels]
    assert len(places) >= len(labels)
    tops = [box.y for box in places]
    assert tops == sorted(tops)
    assert all(above.y + above.h <= below.y + 0.5 for above, below in itertools.pairwise(places))
    assert not places or places[-1].y + places[-1].h <= 910


def test_a_page_that_is_too_long_is_found_by_this_test() -> None:
    page = help_page(Pages(page=2), OFFERS["oasis"])
    rows = (*page.rows, *(PageRow(f"more {number}", "1 : 1") for number in range(40)))  # type: ignore[arg-type]
    long = PageView(page.title, rows, path=page.path, columns=page.columns)
    assert "more 39" not in words_of(drawn(long, "en", Comfort()))
