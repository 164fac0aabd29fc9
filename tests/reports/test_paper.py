"""What is done with the cash comes on paper with proof, or as a file where there is no printer or it fails."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.entries.menu import ReportSaved
from firmware.paper import COLUMNS
from firmware.reports.content import Cell, ReportPart, ReportRow
from firmware.reports.forms import as_paper
from firmware.simulator.cabinet import world_config
from hal.drivers.escpos import escpos_printer
from hal.emulators.escpos import EscposPrinter
from hal.emulators.pty import PtyPort
from hal.events import SlipFailed, SlipPrinted
from hal.interfaces import Printer
from tests.operator_menu.operator import Operator
from tests.reports.test_reports import _report
from tests.support.cabinet import CabinetUnderTest, settings_for
from tests.terminal.test_slips import PaperTray, PrinterWorld, wait_until

NewOperator = Callable[[Printer], Operator]


@pytest.fixture
def with_printer(tmp_path: Path) -> Iterator[NewOperator]:
    """Makes an operator at a cabinet with a printer and a stick."""
    made: list[CabinetUnderTest] = []

    def make(printer: Printer) -> Operator:
        (tmp_path / "stick").mkdir()
        settings = settings_for(tmp_path / "data")
        reports = settings.reports.model_copy(update={"folder": tmp_path / "stick"})
        settings = settings.model_copy(update={"reports": reports})
        world = PrinterWorld(world_config(settings))
        world.printer = printer
        cabinet = CabinetUnderTest(settings, world=world)
        made.append(cabinet)
        cabinet.boot()
        for denomination in (2_000, 500, 500):
            cabinet.insert_note(denomination)
        return Operator(cabinet)

    yield make
    for cabinet in made:
        cabinet.close()


def _collect(operator: Operator) -> None:
    operator.go("cash.collect")
    operator.choose_act("collect", None)
    operator.confirm()


def _kinds(operator: Operator) -> list[str]:
    kinds = [record.entry.KIND for record in operator.cabinet.records()]
    return [kind for kind in kinds if "slip" in kind or kind.startswith("report_")]


def _stick(operator: Operator) -> list[str]:
    folder = operator.cabinet.settings.reports.folder
    assert folder is not None
    return sorted(path.name for path in folder.iterdir())


def test_collection_refill_and_period_come_on_paper_once_and_proved(with_printer: NewOperator) -> None:
    tray = PaperTray()
    operator = with_printer(tray)
    operator.open()
    _collect(operator)
    operator.go("cash.refill")
    operator.type("250")
    operator.confirm()
    operator.go("cash.period")
    operator.choose_act("close_period", None)
    operator.confirm()
    assert len(tray.slips) == 3
    assert len({slip_id for slip_id, _ in tray.slips}) == 3
    for slip_id, _ in tray.slips:
        tray.tell(SlipPrinted("printer", 0, slip_id))
    operator.cabinet.wait(100)
    assert _kinds(operator) == ["report_slip_ordered"] * 3 + ["slip_proved"] * 3
    collection, refill, period = ("\n".join(lines) for _, lines in tray.slips)
    assert "30.00" in collection
    assert ["2", "10.00"] in [line.split()[-2:] for line in collection.splitlines()]
    assert "250" in refill
    assert "30.00" in period
    head = operator.cabinet.records()
    assert any(record.link.hex() in collection.replace("\n", "") for record in head), "it names the journal's end"
    assert _stick(operator) == []


def test_slip_that_fails_is_saved_as_a_file_instead(with_printer: NewOperator) -> None:
    tray = PaperTray()
    operator = with_printer(tray)
    operator.open()
    _collect(operator)
    tray.tell(SlipFailed("printer", 0, tray.slips[0][0], "paper_out", may_exist=False))
    operator.cabinet.wait(100)
    assert _kinds(operator) == ["report_slip_ordered", "slip_unproved", "report_ordered", "report_saved"]
    saved = operator.entries("report_saved")[0]
    assert isinstance(saved, ReportSaved)
    assert [f"{saved.name}.{end}" for end in ("csv", "html", "json", "txt")] == _stick(operator)
    assert saved.name.endswith("-collection")


def test_without_a_printer_a_collection_is_saved_as_a_file(busy: Operator) -> None:
    busy.open()
    _collect(busy)
    assert _kinds(busy) == ["report_ordered", "report_saved"]
    text = next(name for name in _stick(busy) if name.endswith("collection.txt"))
    folder = busy.cabinet.settings.reports.folder
    assert folder is not None
    held = busy.cabinet.terminal.state.recorded.cash_box.last_collection
    assert held is not None
    assert f"{held.amount_minor / 100:.2f}" in (folder / text).read_text()


def test_a_report_can_be_printed_again_and_is_another_slip(with_printer: NewOperator) -> None:
    tray = PaperTray()
    operator = with_printer(tray)
    operator.open()
    for _ in range(2):
        operator.go("reports")
        operator.choose_act("print", "cash")
    assert len({slip_id for slip_id, _ in tray.slips}) == 2


def test_real_driver_proves_a_russian_slip_on_the_emulated_printer(with_printer: NewOperator, tmp_path: Path) -> None:
    emulator = EscposPrinter()
    with PtyPort(emulator, tmp_path / "printer") as port:
        operator = with_printer(escpos_printer("printer", port.path))
        cabinet = operator.cabinet
        wait_until(cabinet, lambda: "printer" in cabinet.terminal.state.screen.ready)
        operator.open()
        cabinet.touch("lang:ru")
        assert operator.menu.language == "ru"
        _collect(operator)
        wait_until(cabinet, lambda: len(_kinds(operator)) == 2)
        assert _kinds(operator) == ["report_slip_ordered", "slip_proved"]
        cabinet.shut_down()
    ((mark, title, *rest),) = emulator.slips
    assert (mark, title) == ("Симулятор: без денег", "КВИТАНЦИЯ ИНКАССАЦИИ")
    assert "?" not in "".join(rest)


def test_every_report_fits_the_narrowest_paper_and_says_when_it_is_cut_short(busy: Operator) -> None:
    for language in ("en", "ru"):
        lines = as_paper(_report(busy, "last_period", language))
        assert all(len(line) <= COLUMNS for line in lines)
        assert len(lines) <= 190
    report = _report(busy, "cash")
    rows = tuple(
        ReportRow(f"A label that is longer than the paper is wide {n}", (Cell("1.00", 100),)) for n in range(200)
    )
    long = as_paper(replace(report, parts=(ReportPart("p", "t", (), rows),)))
    assert len(long) == 190
    assert any(line.startswith("... + ") for line in long)
