"""`croupier audit --lang ru`: what people read is Russian in full, and what programs read is the same in both languages."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.cli import run
from firmware.journal.critical import Places
from tests.audit.play import play_rounds
from tests.support.cabinet import CabinetUnderTest

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def data(cabinet: CabinetUnderTest) -> str:
    """The data folder of a cabinet on which something has happened."""
    play_rounds(cabinet, "oasis", 3)
    return str(cabinet.settings.storage.data_dir)


def said(capsys: Capture, *words: str, status: int = 0) -> str:
    capsys.readouterr()
    assert run(["audit", *words]) == status
    return capsys.readouterr().out


def _figures(text: str) -> list[str]:
    """All numbers of a text, with the decimal mark of any language."""
    return re.findall(r"\d+(?:\.\d+)?", text.replace(",", "."))


@pytest.mark.parametrize("report", ["meters", "events", "rounds", "verify", "export"])
def test_json_is_the_same_in_both_languages(data: str, capsys: Capture, report: str) -> None:
    english = said(capsys, report, "--data", data, "--json")
    assert english
    assert said(capsys, report, "--data", data, "--json", "--lang", "ru") == english


def test_meters_are_in_russian_with_the_same_figures(data: str, capsys: Capture) -> None:
    russian, english = said(capsys, "meters", "--data", data, "--lang", "ru"), said(capsys, "meters", "--data", data)
    first = russian.splitlines()[0]
    assert first.startswith("терминал SIM-1")
    assert "СИМУЛЯТОР" in first
    assert "100,00 CRD" in russian
    assert "100.00 CRD" in english
    for group in ("ИГРА", "КУПЮРЫ", "МОНЕТЫ", "САМОПРОВЕРКА"):
        assert group in [line.strip() for line in russian.splitlines()], group
    assert len(russian.splitlines()) == len(english.splitlines())
    rows = zip(russian.splitlines(), english.splitlines(), strict=True)
    for in_russian, in_english in rows:
        assert [f for f in _figures(in_russian[46:]) if "." in f] == [f for f in _figures(in_english[46:]) if "." in f]


@pytest.mark.parametrize("report", ["meters", "events", "rounds", "verify"])
def test_no_line_is_left_in_english(data: str, capsys: Capture, report: str) -> None:
    russian = said(capsys, report, "--data", data, "--lang", "ru").splitlines()
    english = said(capsys, report, "--data", data).splitlines()
    assert len(russian) == len(english)
    same = {line for line in russian if line in english and re.search(r"[a-z]{4}", line)}
    names = {line for line in same if re.fullmatch(r" +[+=-] [a-z_]+ .*|.*\b[0-9a-f]{8,}.*|  [a-z_]+ .*", line)}
    assert same - names == set()


def test_events_and_rounds_say_in_russian_what_happened(data: str, capsys: Capture) -> None:
    events = said(capsys, "events", "--data", data, "--lang", "ru", "--limit", "1000")
    assert "Терминал SIM-1" in events
    assert "100,00 CRD" in events
    rounds = said(capsys, "rounds", "--data", data, "--lang", "ru")
    assert "дилер: " in rounds
    assert "бокс 1: " in rounds or "бокс 2: " in rounds or "бокс 3: " in rounds
    assert "рассчитан" in rounds
    assert "," in rounds


def test_verification_says_in_russian_what_is_sound_and_what_is_wrong(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture
) -> None:
    cabinet = new_cabinet()
    play_rounds(cabinet, "oasis", 2)
    cabinet.shut_down()
    words = ["verify", "--data", str(places.data_dir), "--anchor", str(places.anchor_file), "--lang", "ru"]
    sound = said(capsys, *words)
    assert "записей в цепи" in sound
    assert sound.splitlines()[-1] == "всё сходится"
    anchor = places.anchor_file
    assert isinstance(anchor, Path)
    anchor.write_bytes(bytes(anchor.stat().st_size))
    assert "НЕВЕРНО: " in said(capsys, *words, status=1)
