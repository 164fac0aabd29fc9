"""Bad sticks through real file systems: full, read-only, pulled, damaged and slow ones. Nothing is lost, the journal tells
the truth, no half file has a report's name, and the screen says what is wrong and what to do.

Mounting needs root, as continuous integration has it; anybody else does not collect these tests and is told so loudly.
"""

import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from display.view_model import Text
from firmware.entries.menu import ReportSaved
from firmware.menu_service import MenuService, in_a_thread
from firmware.operator_menu.pages_reports import REPORTS
from firmware.reports.desk import ReportDesk
from firmware.reports.saving import save_forms
from firmware.reports.signature import examine
from firmware.signing.ed25519 import verify
from firmware.terminal.report_troubles import TROUBLES
from firmware.terminal.step import ReportDone, SaveReport
from tests.operator_menu.operator import Operator

PATIENCE_S = 60.0


class Stick:
    """A small file system in memory, mounted where the reports go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put_in(self, options: str = "size=4m") -> None:
        """Mount a new, empty one."""
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(self.folder)], check=True)

    def change(self, options: str) -> None:
        """Mount it in another way, with all that is on it."""
        subprocess.run(["mount", "-o", f"remount,{options}", str(self.folder)], check=True)

    def pull(self) -> None:
        """Take it away whoever uses it."""
        subprocess.run(["umount", "-l", str(self.folder)], check=True)

    @property
    def names(self) -> list[str]:
        """What is in the folder now."""
        return sorted(path.name for path in self.folder.iterdir())


@pytest.fixture
def stick(busy: Operator) -> Iterator[Stick]:
    """A place for a stick at a cabinet with something in its books."""
    folder = busy.cabinet.settings.reports.folder
    assert folder is not None
    yield Stick(folder)
    while f" {folder} " in Path("/proc/self/mounts").read_text():
        subprocess.run(["umount", "-l", str(folder)], check=True)


def _save(operator: Operator, report: str = "period") -> ReportSaved:
    """Order a report on the page and return what the journal says became of it."""
    before = len(operator.entries("report_saved"))
    if not operator.is_open:
        operator.open()
    operator.go("reports")
    operator.choose_act("report", report)
    saved = operator.entries("report_saved")
    assert len(saved) == before + 1, "each order ends with exactly one entry"
    assert isinstance(saved[-1], ReportSaved)
    return saved[-1]


def _lies_in(folder: Path, number: int) -> bool:
    """Tell whether an opened file is in a folder, or is the folder."""
    return Path(f"/proc/self/fd/{number}").readlink().is_relative_to(folder)


def _expect_said(operator: Operator, cause: str) -> None:
    notice = operator.view.notice
    assert notice is not None
    assert (notice.text, notice.tone) == (TROUBLES[cause], "error")


def _expect_whole(stick: Stick, saved: ReportSaved, *others: str) -> None:
    """All files of a report are there, signed, as the journal says, and nothing else is."""
    assert saved.error == ""
    assert stick.names == sorted([*others, *(f"{saved.name}.{end}" for end in ("csv", "html", "json", "txt"))])
    found = examine((stick.folder / f"{saved.name}.json").read_bytes(), verify)
    assert (found.problems, found.digest) == ((), saved.digest)


def test_bare_place_of_a_stick_gets_no_report_on_a_cabinet(busy: Operator, stick: Stick) -> None:
    """Where nothing is mounted the folder is one of the machine's own disk, or of its memory."""
    terminal, told = busy.cabinet.terminal, list[ReportDone]()
    file = busy.cabinet.settings
    as_cabinet = file.model_copy(update={"terminal": file.terminal.model_copy(update={"mode": "cabinet"})})
    service = MenuService(as_cabinet, {}, seeded=True, background=lambda work: work())

    def save() -> ReportDone:
        service.save(SaveReport("period", "en"), terminal.state, terminal.environment(), told.append)
        return told[-1]

    before = set(stick.folder.parent.rglob("*"))
    assert save().cause == "missing"
    assert "no stick is mounted" in told[-1].error
    assert {path for path in stick.folder.parent.rglob("*") if "keys" not in path.parts} == before
    stick.put_in()
    saved = save()
    assert saved.error == ""
    assert stick.names == sorted(f"{saved.name}.{end}" for end in ("csv", "html", "json", "txt"))
    stick.pull()
    assert save().cause == "missing"
    assert stick.names == []


def test_full_stick_is_named_and_the_report_can_be_saved_once_there_is_room(busy: Operator, stick: Stick) -> None:
    stick.put_in("size=16k")
    saved = _save(busy, "all")
    assert "No space left" in saved.error
    _expect_said(busy, "full")
    assert stick.names == []
    stick.change("size=4m")
    _expect_whole(stick, _save(busy, "all"))


@pytest.mark.parametrize("kib", range(4, 64, 4))
def test_stick_that_is_full_at_any_file_has_all_of_a_report_or_nothing(stick: Stick, kib: int) -> None:
    stick.put_in(f"size={kib}k")
    forms = {ending: ending.encode() * 3_000 for ending in ("txt", "csv", "html", "json")}
    problem = save_forms(stick.folder, "name", forms)
    if problem is None:
        assert {path.name: path.read_bytes() for path in stick.folder.iterdir()} == {
            f"name.{ending}": data for ending, data in forms.items()
        }
    else:
        assert problem.cause == "full"
        assert stick.names == []
    assert (problem is None) == (kib >= 48), "every place of running full is tried"


def test_write_protected_stick_is_named_and_what_is_on_it_stays(busy: Operator, stick: Stick) -> None:
    stick.put_in()
    (stick.folder / "other.txt").write_text("somebody's")
    stick.change("ro")
    assert "Read-only" in _save(busy).error
    _expect_said(busy, "read_only")
    assert stick.names == ["other.txt"]
    stick.change("rw")
    _expect_whole(stick, _save(busy), "other.txt")


def test_read_only_folder_bound_into_place_is_named(busy: Operator, stick: Stick, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    subprocess.run(["mount", "--bind", str(tmp_path / "elsewhere"), str(stick.folder)], check=True)
    stick.change("bind,ro")
    assert "Read-only" in _save(busy).error
    _expect_said(busy, "read_only")
    assert stick.names == []


@pytest.mark.parametrize("file", range(1, 6))
def test_stick_pulled_in_between_leaves_nothing_where_it_was_mounted(
    busy: Operator, stick: Stick, mocker: MockerFixture, file: int
) -> None:
    stick.put_in()
    written: list[int] = []
    really = os.fsync

    def fsync(number: int) -> None:
        is_ours = _lies_in(stick.folder, number)
        really(number)
        if is_ours:
            written.append(number)
        if is_ours and len(written) == file:
            stick.pull()

    mocker.patch("os.fsync", side_effect=fsync)
    saved = _save(busy)
    assert "pulled out" in saved.error
    _expect_said(busy, "pulled")
    assert stick.names == [], "the rest did not land on the terminal's own disk"
    stick.put_in()
    _expect_whole(stick, _save(busy))


def test_part_left_by_a_stick_that_was_pulled_goes_with_the_next_report(busy: Operator, stick: Stick) -> None:
    stick.put_in()
    (stick.folder / ".croupier-SIM-1-e1-00000001-period.txt.part").write_text("half a repo")
    (stick.folder / ".others.part").write_text("somebody's")
    _expect_whole(stick, _save(busy), ".others.part")


def test_file_where_the_folder_should_be_is_named_and_left_alone(busy: Operator, stick: Stick) -> None:
    stick.folder.rmdir()
    stick.folder.write_text("a file")
    assert "Not a directory" in _save(busy).error
    _expect_said(busy, "damaged")
    assert stick.folder.read_text() == "a file"
    stick.folder.unlink()
    stick.folder.mkdir()
    _expect_whole(stick, _save(busy))


def test_folder_in_the_place_of_a_report_s_file_is_named(stick: Stick) -> None:
    stick.put_in()
    (stick.folder / ".name.csv.part").mkdir()
    problem = save_forms(stick.folder, "name", {"txt": b"a", "csv": b"b"})
    assert problem is not None
    assert "name.csv" in problem.detail
    assert stick.names == [".name.csv.part"]


@pytest.fixture
def slow(mocker: MockerFixture, stick: Stick) -> Iterator[threading.Event]:
    """Every writing to the stick takes until this is set."""
    released, really = threading.Event(), os.fsync

    def fsync(number: int) -> None:
        if _lies_in(stick.folder, number):
            assert released.wait(PATIENCE_S)
        really(number)

    mocker.patch("os.fsync", side_effect=fsync)
    yield released
    released.set()


def _until(operator: Operator, what: Callable[[], bool]) -> None:
    """Let real time pass for the thread that writes, and the cabinet's for what it tells."""
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end
        threading.Event().wait(0.005)
        operator.cabinet.wait(20)


def test_slow_stick_holds_nothing_up_and_a_round_is_played_meanwhile(
    busy: Operator, stick: Stick, slow: threading.Event
) -> None:
    stick.put_in()
    cabinet = busy.cabinet
    cabinet.background = in_a_thread
    busy.open()
    busy.go("reports")
    busy.choose_act("report", "period")
    _until(busy, lambda: bool(stick.names))
    busy.close()
    cabinet.insert_note(5_000)
    rounds = cabinet.terminal.state.recorded.count("rounds")
    cabinet.sit_down("oasis")
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    cabinet.wait(3_000)
    cabinet.press_if_there("fold")
    cabinet.wait(3_000)
    assert cabinet.terminal.state.recorded.count("rounds") == rounds + 1
    assert busy.entries("report_saved") == []
    assert all(name.startswith(".") and name.endswith(".part") for name in stick.names)
    slow.set()
    _until(busy, lambda: bool(busy.entries("report_saved")))
    (saved,) = busy.entries("report_saved")
    assert isinstance(saved, ReportSaved)
    _expect_whole(stick, saved)
    cabinet.conserve()


def _expect_work(operator: Operator) -> str:
    """The page shows what is being saved; return how far it is."""
    operator.go("reports")
    footer = operator.page.view.footer
    assert isinstance(footer, Text)
    assert footer.message.startswith("Being saved")
    return str(dict(footer.args)["percent"])


def test_page_tells_how_far_a_report_is_and_stopping_it_leaves_nothing(
    busy: Operator, stick: Stick, slow: threading.Event
) -> None:
    stick.put_in()
    busy.cabinet.background = in_a_thread
    busy.open()
    busy.go("reports")
    rows = [row.label for row in busy.page.view.rows]
    busy.choose_act("report", "all")
    _until(busy, lambda: bool(stick.names))
    pages = len(REPORTS["all"].pages)
    assert _expect_work(busy) == str(100 * pages // (pages + 4)), "all pages are made, the first file is being written"
    assert [row.label for row in busy.page.view.rows][: len(rows)] == rows, "no row has moved"
    busy.choose_act("stop_report", None)
    assert busy.entries("report_saved") == [], "it is not over before it is over"
    slow.set()
    _until(busy, lambda: bool(busy.entries("report_saved")))
    (saved,) = busy.entries("report_saved")
    assert isinstance(saved, ReportSaved)
    assert saved.error == "stopped by the operator"
    _expect_said(busy, "stopped")
    assert stick.names == []
    _until(busy, lambda: [row.label for row in busy.page.view.rows] == rows)
    _expect_whole_next(busy, stick)


def _expect_whole_next(operator: Operator, stick: Stick) -> None:
    operator.cabinet.background = lambda work: work()
    _expect_whole(stick, _save(operator, "all"))


def test_two_reports_are_saved_one_after_the_other(busy: Operator, stick: Stick, slow: threading.Event) -> None:
    stick.put_in()
    busy.cabinet.background = in_a_thread
    busy.open()
    busy.go("reports")
    for report in ("period", "cash"):
        busy.choose_act("report", report)
    _until(busy, lambda: bool(stick.names))
    assert len(stick.names) == 1
    slow.set()
    _until(busy, lambda: len(busy.entries("report_saved")) == 2)
    assert len(stick.names) == 8
    assert all(saved.error == "" for saved in busy.entries("report_saved") if isinstance(saved, ReportSaved))


class _Impatient(ReportDesk):
    """A desk at which somebody stops the report at a step."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def step(self) -> None:
        """Stop there."""
        if self.work is not None and self.work.done == self.at:
            self.stop("operator")
        super().step()


@pytest.mark.parametrize("step", range(len(REPORTS["period"].pages) + 4))
def test_report_stopped_at_any_step_leaves_nothing_and_says_who_did_it(busy: Operator, step: int) -> None:
    cabinet, told = busy.cabinet, list[ReportDone]()
    terminal, desk = cabinet.terminal, _Impatient(step)
    service = MenuService(cabinet.settings, {}, seeded=True, background=lambda work: work(), desk=desk)
    service.save(SaveReport("period", "en"), terminal.state, terminal.environment(), told.append)
    assert [(done.error, done.cause) for done in told] == [("stopped by the operator", "stopped")]
    folder = cabinet.settings.reports.folder
    assert folder is not None
    assert list(folder.iterdir()) == []
    assert desk.work is None
