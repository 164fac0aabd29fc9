"""Slips for the attendant: ordered once, proved or not, and never in the way of the money."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from display.text import Writer
from display.view_model import MoneyFormat, Text
from firmware.paper import COLUMNS
from firmware.presenter.present import House
from firmware.presenter.slip import handpay_slip, void_slip
from firmware.settings.sections import Language
from firmware.simulator.cabinet import world_config
from hal.drivers.escpos import escpos_printer
from hal.emulators.escpos import EscposPrinter
from hal.emulators.pty import PtyPort
from hal.events import DeviceInfo, DeviceReady, SlipFailed, SlipPrinted
from hal.interfaces import Devices, EventSink, Printer
from hal.simulated.world import World
from hal.wire.escpos import CP866, slip
from tests.support.cabinet import CabinetUnderTest, settings_for


class PaperTray:
    """A printer that a test answers for."""

    name = "printer"

    def __init__(self) -> None:
        self.slips: list[tuple[str, tuple[str, ...]]] = []
        self.tell: EventSink = lambda _: None

    def start(self, sink: EventSink, last_event: int) -> None:
        self.tell = sink
        sink(DeviceReady("printer", 0, DeviceInfo(product="paper tray")))

    def stop(self) -> None:
        """Nothing to stop."""

    def print_slip(self, slip_id: str, lines: Iterable[str]) -> None:
        self.slips.append((slip_id, tuple(lines)))


class PrinterWorld(World):
    """A simulated cabinet with a printer of the test's own."""

    printer: Printer | None = None

    @property
    def devices(self) -> Devices:
        return replace(super().devices, printer=self.printer)


def cabinet_with(
    printer: Printer, tmp_path: Path, hopper_limit_minor: int = 500, languages: tuple[Language, ...] = ("en", "ru")
) -> CabinetUnderTest:
    settings = settings_for(tmp_path, hopper_limit_minor=hopper_limit_minor)
    terminal = settings.terminal.model_copy(update={"languages": languages})
    settings = settings.model_copy(update={"terminal": terminal})
    world = PrinterWorld(world_config(settings))
    world.printer = printer
    return CabinetUnderTest(settings, world=world)


@pytest.fixture
def tray() -> PaperTray:
    return PaperTray()


@pytest.fixture
def owing(tray: PaperTray, tmp_path: Path) -> Iterator[CabinetUnderTest]:
    """A cabinet that has paid 5.00 in coins and owes 15.00."""
    cabinet = cabinet_with(tray, tmp_path)
    cabinet.boot()
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(4_000)
    cabinet.expect_mode("handpay")
    yield cabinet
    cabinet.close()


def kinds(cabinet: CabinetUnderTest) -> list[str]:
    return [record.entry.KIND for record in cabinet.records() if record.entry.KIND.startswith("slip_")]


def test_a_rest_for_the_attendant_is_printed_once_after_its_commit(owing: CabinetUnderTest, tray: PaperTray) -> None:
    ((slip_id, lines),) = tray.slips
    assert kinds(owing) == ["slip_ordered"]
    assert "Pay-out" + slip_id.rjust(25) in lines
    assert "Amount" + "15.00\u00a0CRD".rjust(26) in lines
    for _ in range(2):
        tray.tell(SlipPrinted("printer", 0, slip_id))
        owing.wait(100)
    assert kinds(owing) == ["slip_ordered", "slip_proved"]


def test_a_pay_out_without_a_hopper_is_on_a_slip_from_the_start(tray: PaperTray, tmp_path: Path) -> None:
    cabinet = cabinet_with(tray, tmp_path, hopper_limit_minor=0)
    cabinet.boot()
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    ((_, lines),) = tray.slips
    assert "Amount" + "20.00\u00a0CRD".rjust(26) in lines
    cabinet.close()


def test_what_the_hopper_pays_alone_has_no_slip(tray: PaperTray, tmp_path: Path) -> None:
    cabinet = cabinet_with(tray, tmp_path, hopper_limit_minor=2_000)
    cabinet.boot()
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    cabinet.wait(8_000)
    cabinet.expect_credit(0)
    assert tray.slips == []
    cabinet.close()


@pytest.mark.parametrize(
    ("may_exist", "notice"),
    [(False, "The slip was not printed"), (True, "It is not certain that the slip was printed")],
)
def test_a_slip_without_proof_is_recorded_once_and_told(
    may_exist: bool, notice: str, owing: CabinetUnderTest, tray: PaperTray
) -> None:
    slip_id = tray.slips[0][0]
    tray.tell(SlipFailed("printer", 0, slip_id, "no_proof", may_exist))
    owing.wait(100)
    assert owing.view.notice is not None
    assert owing.view.notice.text.message == notice
    tray.tell(SlipPrinted("printer", 0, slip_id))
    owing.wait(100)
    assert kinds(owing) == ["slip_ordered", "slip_unproved"]
    owing.expect_mode("handpay")


def test_nothing_is_printed_again_after_a_power_cut(owing: CabinetUnderTest, tray: PaperTray) -> None:
    owing.cut_power()
    owing.boot()
    owing.expect_mode("handpay")
    assert len(tray.slips) == 1
    owing.act(lambda world: world.turn_key("attendant"), wait_ms=500)
    owing.expect_credit(0)
    assert owing.books.handpay_minor == 0
    assert kinds(owing) == ["slip_ordered"]


def test_an_answer_about_a_slip_of_nobody_is_ignored(owing: CabinetUnderTest, tray: PaperTray) -> None:
    tray.tell(SlipPrinted("printer", 0, "someone else's"))
    tray.tell(SlipFailed("printer", 0, "someone else's", "lost", may_exist=True))
    owing.wait(100)
    assert kinds(owing) == ["slip_ordered"]


@pytest.mark.parametrize(
    ("languages", "title", "amount", "signature"),
    [
        (("en", "ru"), "ATTENDANT PAY", "Amount" + "20.00 CRD".rjust(26), "Attendant " + "_" * 22),
        (("ru", "en"), "РУЧНАЯ ВЫПЛАТА", "Сумма" + "20,00 CRD".rjust(27), "Сотрудник " + "_" * 22),
    ],
)
def test_a_slip_in_the_terminals_first_language_is_proved_and_on_the_emulated_paper(
    languages: tuple[Language, ...], title: str, amount: str, signature: str, tmp_path: Path
) -> None:
    emulator = EscposPrinter()
    with PtyPort(emulator, tmp_path / "printer") as port:
        printer = escpos_printer("printer", port.path)
        cabinet = cabinet_with(printer, tmp_path / "data", hopper_limit_minor=0, languages=languages)
        cabinet.boot()
        wait_until(cabinet, lambda: "printer" in cabinet.terminal.state.screen.ready)
        cabinet.touch(f"lang:{languages[1]}")  # a player's language is not the staff's
        cabinet.insert_note(2_000)
        cabinet.press("cash_out")
        wait_until(cabinet, lambda: len(kinds(cabinet)) == 2)
        assert kinds(cabinet) == ["slip_ordered", "slip_proved"]
        cabinet.shut_down()
        cabinet.close()
    (lines,) = emulator.slips
    assert {title, amount, signature} <= set(lines)
    assert all(len(line) <= COLUMNS for line in lines)


def wait_until(cabinet: CabinetUnderTest, true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
        cabinet.wait(20)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_slips_fit_narrow_paper_whatever_the_house_and_the_amount(language: str) -> None:
    venue = "Казино «Эльдорадо» — 東京 & a very long name of a house indeed"
    house = House("T001", venue, MoneyFormat(2, "€", symbol_first=True), Text("watermark", "Simulator: no value"))
    say = Writer(language, MoneyFormat(2, "EUR", symbol_first=False)).say
    handpay = handpay_slip(house, say, "p1-" + "7" * 40, 123_456_789_012_345, 0)
    for lines in (handpay, void_slip(house, say, "t1-7", 0)):
        assert all(len(line) <= COLUMNS for line in lines)
        printed = slip(lines, CP866).decode("cp866")
        assert 'Казино "Эльдорадо" - ?? & a very\nlong name of a house indeed\n' in printed
        assert printed.count("?") == 2
    digits = "".join(letter for line in handpay for letter in line if letter.isdigit())
    assert "123456789012345" in digits
