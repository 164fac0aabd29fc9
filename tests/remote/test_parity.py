"""The period's figures are the same wherever they are read: on the terminal's screen, by ``report`` from a copied store,
and on the read-only page."""

import csv
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from display.text import Writer
from display.view_model import Money, MoneyFormat
from firmware.cli import run
from firmware.operator_menu.pages_reports import REPORTS
from tests.operator_menu.operator import Operator
from tests.remote.conftest import Page
from tests.remote.test_serve import BEARER, ask

NOW = {"status"}
"""Pages about the running program and the moment, which only the terminal itself can know; money on them is compared."""


@dataclass(frozen=True)
class Row:
    """A row as people read it, and its amounts in minor units."""

    label: str
    texts: tuple[str, ...]
    minors: tuple[int | None, ...]


def _on_screen(operator: Operator, page: str, language: str) -> list[Row]:
    """Every row of a page of the terminal, sheet by sheet, as its screen writes it; rows that only lead on are none."""
    writer = Writer(language, MoneyFormat(2, ""))
    operator.go(page)
    rows = []
    for _ in range(operator.page.sheet_count):
        view = operator.view.page
        assert view is not None
        for row in view.rows:
            words = [each for each in (row.value, row.second) if each != ""]
            if row.target and row.value == "":
                continue
            texts = tuple(writer.say(each).replace("\u00a0", " ").replace("−", "-") for each in words)
            minors = tuple(each.minor if isinstance(each, Money) else None for each in words)
            rows.append(Row(writer.say(row.label), texts, minors))
        operator.step("down", "touch")
    return rows


def _in_report(values: Any, page: str) -> list[Row]:
    (part,) = [part for part in values["parts"] if part["page"] == page]
    return [
        Row(
            row["label"],
            tuple(cell["text"] for cell in row["values"]),
            tuple(cell.get("minor") for cell in row["values"]),
        )
        for row in part["rows"]
    ]


def _bare(text: str) -> str:
    """Paper puts the currency's sign behind an amount, the screen may not."""
    return "".join(sign for sign in text if sign in "0123456789.,-%")


def _agree(one: list[Row], other: list[Row], page: str) -> int:
    """Compare all rows; return how many figures were compared."""
    count = 0
    assert [row.label for row in one] == [row.label for row in other], page
    for left, right in zip(one, other, strict=True):
        assert left.minors == right.minors, (page, left, right)
        if page in NOW and not any(minor is not None for minor in left.minors):
            continue
        for mine, theirs, minor in zip(left.texts, right.texts, left.minors, strict=True):
            assert (_bare(mine) if minor is not None else mine) == (_bare(theirs) if minor is not None else theirs)
            count += 1
    return count


@pytest.mark.parametrize("language", ["en", "ru"])
def test_screen_command_and_web_page_agree_on_every_figure_of_the_period(
    page: Page, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], language: str
) -> None:
    operator = page.operator
    operator.cabinet.insert_note(2_000)  # something in the running period that is not in the last one
    operator.open()
    screen = {name: _on_screen(operator, name, language) for name in REPORTS["period"].pages}
    operator.close()
    shutil.copytree(operator.cabinet.settings.storage.data_dir, tmp_path / "copy")
    capfdbinary.readouterr()
    arguments = ["report", "period", "--data", str(tmp_path / "copy"), "--lang", language]
    assert run([*arguments, "--form", "json"]) == 0
    printed = json.loads(capfdbinary.readouterr().out)
    answer, body = ask(page, f"/report/period.json?lang={language}", **BEARER)
    assert answer.status == 200
    web = json.loads(body)
    count = 0
    for name, rows in screen.items():
        assert rows, name
        count += _agree(rows, _in_report(printed, name), name)
        _agree(_in_report(printed, name), _in_report(web, name), name)
    assert count > 100
    _, body = ask(page, f"/report/period.csv?lang={language}", **BEARER)
    assert run([*arguments, "--form", "csv"]) == 0
    tables = [
        [row for row in csv.reader(data.decode().splitlines()) if row[0] and row[0] not in NOW]
        for data in (body, capfdbinary.readouterr().out)
    ]
    assert tables[0] == tables[1]


def test_first_page_of_the_web_shows_the_period_s_figures_of_the_screen(page: Page) -> None:
    operator = page.operator
    operator.cabinet.insert_note(2_000)
    operator.open()
    rows = _on_screen(operator, "cash.period", "en")
    operator.close()
    _, body = ask(page, "/?lang=en", **BEARER)
    text = body.decode()
    amounts = [mine for row in rows for mine, minor in zip(row.texts, row.minors, strict=True) if minor]
    assert amounts
    for amount in amounts:
        assert amount in text
