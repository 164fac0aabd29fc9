"""Reports: the same figures in every form, whole files, and a bad stick that is named and loses nothing."""

import csv
import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from display.text import Writer
from display.view_model import MoneyFormat
from firmware.audit.events import events_of
from firmware.cli import run
from firmware.entries.menu import REPORT_CUT_OFF, ReportOrdered, ReportSaved
from firmware.journal.record import Head, rows_for
from firmware.operator_menu.pages_reports import REPORTS
from firmware.remote.reading import read_store
from firmware.remote.report_command import report_bytes
from firmware.reports.content import Cell, Report, ReportPart, ReportRow, report_of
from firmware.reports.forms import as_csv, as_html, as_text, as_values, canonical, digest_of, report_from
from firmware.reports.saving import save_forms
from firmware.reports.signature import examine, files_of
from firmware.signing.ed25519 import verify
from firmware.signing.terminal_key import terminal_key
from firmware.terminal.evolve import fold
from firmware.terminal.state import Recorded
from tests.operator_menu.operator import Operator
from tests.support.cabinet import CabinetUnderTest


def _report(somebody: Operator, name: str, language: str = "en") -> Report:
    terminal = somebody.cabinet.terminal
    return report_of(name, terminal.state, terminal.environment(), Writer(language, MoneyFormat(2, "")).say, language)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", REPORTS)
def test_every_form_of_every_report_says_the_same(busy: Operator, name: str, language: str) -> None:
    report = _report(busy, name, language)
    values: dict[str, Any] = as_values(report)
    cells = [
        (row["label"], [cell["text"] for cell in row["values"]]) for part in values["parts"] for row in part["rows"]
    ]
    assert cells
    table = [row for row in csv.reader(as_csv(report).decode().splitlines()) if row[0]][1:]
    assert [row[1].lstrip("'") for row in table] == [label.lstrip("'") for label, _ in cells]
    assert [[cell.lstrip("'") for cell in row[2:4] if cell] for row in table] == [texts for _, texts in cells]
    page = _Text()
    page.feed(as_html(report).decode())
    text = as_text(report).decode()
    for label, texts in cells:
        for word in (label, *texts):
            assert word in page.words
            assert word in text
    assert digest_of(report) == hashlib.sha256(canonical(values)).hexdigest()
    assert digest_of(report) in text
    assert report_from(values) == report


def test_amounts_of_a_report_are_the_meters_in_minor_units(busy: Operator) -> None:
    values = as_values(_report(busy, "period"))
    rows = {
        row["label"]: row["values"]
        for part in values["parts"]
        if part["page"] == "meters.notes"
        for row in part["rows"]
    }
    assert rows["Notes in"][0]["minor"] == busy.cabinet.books.meter("notes_in_minor") == 15_000
    assert values["head"]["seq"] == busy.cabinet.records()[-1].seq
    assert values["head"]["link"] == busy.cabinet.records()[-1].link.hex()


def test_report_ordered_in_the_menu_is_on_the_stick_and_in_the_journal(busy: Operator) -> None:
    busy.open()
    busy.go("reports")
    busy.choose_act("report", "period")
    (saved,) = busy.entries("report_saved")
    assert isinstance(saved, ReportSaved)
    folder = busy.cabinet.settings.reports.folder
    assert folder is not None
    assert sorted(path.name for path in folder.iterdir()) == [
        f"{saved.name}.{end}" for end in ("csv", "html", "json", "txt")
    ]
    found = examine((folder / f"{saved.name}.json").read_bytes(), verify)
    assert found.problems == ()
    assert found.digest == saved.digest
    assert bytes.fromhex(found.key) == terminal_key(busy.cabinet.settings.storage.data_dir).public
    assert saved.error == ""
    assert busy.entries("report_ordered") == [ReportOrdered("period", "operator")]
    assert b"SIMULATOR" in (folder / f"{saved.name}.txt").read_bytes().upper()


def test_stick_that_is_not_there_is_named_and_nothing_else_happens(busy: Operator) -> None:
    folder = busy.cabinet.settings.reports.folder
    assert folder is not None
    folder.rmdir()
    busy.open()
    busy.go("reports")
    busy.choose_act("report", "cash")
    (saved,) = busy.entries("report_saved")
    assert isinstance(saved, ReportSaved)
    assert str(folder) in saved.error
    assert "No such file" in saved.error
    assert busy.view.notice is not None
    assert busy.view.notice.tone == "error"
    busy.close()
    busy.cabinet.expect_mode("attract")


def test_report_that_a_power_cut_broke_off_ends_in_the_journal_and_can_be_ordered_again(busy: Operator) -> None:
    cabinet, held = busy.cabinet, list[Callable[[], None]]()
    cabinet.background = held.append
    busy.open()
    busy.go("reports")
    busy.choose_act("report", "period")
    busy.choose_act("report", "cash")
    assert len(held) == 2, "both are being saved"
    cabinet.cut_power()
    assert busy.entries("report_saved") == []
    cabinet.background = lambda work: work()
    cabinet.boot()
    ends = [ReportSaved(report, "", REPORT_CUT_OFF) for report in ("period", "cash")]
    assert busy.entries("report_saved") == ends
    assert cabinet.terminal.state.recorded.reports_ordered == ()
    texts = [event.text for event in events_of(cabinet.records()) if "went off" in event.text.message]
    assert [dict(text.args) for text in texts] == [{"report": "period"}, {"report": "cash"}]
    busy.close()
    busy.open()
    busy.go("reports")
    busy.choose_act("report", "period")
    cabinet.cut_power()
    cabinet.boot()
    (*_, last) = busy.entries("report_saved")
    assert isinstance(last, ReportSaved)
    assert (last.name.endswith("-period"), last.error) == (True, ""), "a report that is saved is not ended once more"


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("croupier-T-e1-00000007-last-period", ("period", "cash")),
        ("croupier-T-e1-00000007-period", ("last_period", "cash")),
        ("last_period", ("period", "cash")),
        ("cash", ("period", "last_period")),
    ],
)
def test_end_of_a_report_ends_the_order_of_that_report(name: str, left: tuple[str, ...]) -> None:
    entries = [ReportOrdered(report, "operator") for report in ("period", "last_period", "cash")]
    head = Head(0, bytes(32))
    records = [row.record() for row in rows_for([*entries, ReportSaved(name, "", "")], 1, head)]
    assert fold(Recorded(), records).reports_ordered == left


@pytest.mark.parametrize("error", [28, 30, 5])
def test_full_or_read_only_or_broken_stick_leaves_no_half_file(
    tmp_path: Path, mocker: MockerFixture, error: int
) -> None:
    mocker.patch("os.fsync", side_effect=OSError(error, os.strerror(error)))
    problem = save_forms(tmp_path, "name", {"txt": b"a", "json": b"b"})
    assert problem is not None
    assert os.strerror(error) in problem.detail
    assert str(tmp_path / "name.txt") in problem.detail
    assert list(tmp_path.iterdir()) == []


def test_stick_that_gives_back_other_bytes_is_named(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch("os.read", side_effect=[b"rubbish", b""])
    problem = save_forms(tmp_path, "name", {"txt": b"a"})
    mocker.stopall()
    assert problem is not None
    assert "read back" in problem.detail
    assert list(tmp_path.iterdir()) == []


def test_a_name_can_neither_be_a_formula_nor_markup(busy: Operator) -> None:
    rows = (ReportRow("=1+1", (Cell("<script>"),)), ReportRow("@x", (Cell("-5.00", -500),)))
    report = replace(_report(busy, "cash"), parts=(ReportPart("p", "t", (), rows),))
    table = [row for row in csv.reader(as_csv(report).decode().splitlines()) if row[0]][1:]
    assert [row[1] for row in table] == ["'=1+1", "'@x"]
    assert table[1][2] == "-5.00"
    assert b"<script>" not in as_html(report)
    assert set(files_of(report, None)) == {"txt", "csv", "html", "json"}


def test_copied_store_gives_the_same_report_as_the_terminal(busy: Operator, tmp_path: Path) -> None:
    settings = busy.cabinet.settings
    shutil.copytree(settings.storage.data_dir, tmp_path / "copy")
    reading = read_store(settings, tmp_path / "copy", None, busy.cabinet.clock.wall_ms())
    offline = json.loads(report_bytes(reading, settings, "all", "json", "ru"))
    there = as_values(_report(busy, "all", "ru"))
    live = {"status", "diagnostics.devices"}  # what only the running terminal knows: its uptime, its devices
    assert offline["head"] == there["head"]
    for part, expected in zip(offline["parts"], there["parts"], strict=True):
        assert part["page"] == expected["page"]
        if part["page"] == "diagnostics.software":
            for each in (part, expected):
                del each["rows"][2]  # whether the running program is signed
        if part["page"] == "diagnostics.memory":
            for each in (part, expected):
                free = each["rows"].pop(3)  # others use this disk too, while the test runs
                assert free["label"] == "Свободное место"
        if part["page"] not in live:
            assert part == expected


def test_report_command_prints_a_form_and_names_what_is_wrong(
    busy: Operator,
    tmp_path: Path,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    data = str(busy.cabinet.settings.storage.data_dir)
    assert run(["report", "period", "--form", "json", "--data", data]) == 0
    printed = json.loads(capfdbinary.readouterr().out)
    assert printed["report"] == "period"
    assert run(["report", "nothing", "--data", data]) == 2
    assert b"there are period" in capfdbinary.readouterr().err
    assert run(["report", "period", "--data", str(tmp_path / "none")]) == 2
    assert run(["report", "period", "--data", data, "--out", str(tmp_path / "no" / "file")]) == 2
    assert capfdbinary.readouterr().err.count(b"\n") == 2


def test_simulator_without_a_folder_keeps_its_reports_beside_the_journal(cabinet: CabinetUnderTest) -> None:
    somebody = Operator(cabinet)
    somebody.open()
    somebody.go("reports")
    somebody.choose_act("report", "period")
    (saved,) = somebody.entries("report_saved")
    assert isinstance(saved, ReportSaved)
    assert (cabinet.settings.storage.data_dir / "reports" / f"{saved.name}.json").exists()
