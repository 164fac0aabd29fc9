"""The program's digest, for which all its files are read, holds no page up."""

from collections.abc import Callable

from firmware.menu_service import program_digest
from firmware.operator_menu.body import COMPUTED
from tests.operator_menu.operator import Operator


def test_program_s_digest_is_computed_beside_the_pages_which_say_so_until_it_is_there(
    new_operator: Callable[..., Operator],
) -> None:
    operator = new_operator()
    cabinet, work = operator.cabinet, list[Callable[[], None]]()
    cabinet.shut_down()
    cabinet.background = work.append
    cabinet.boot()
    cabinet.background = lambda each: each()
    operator.open("technician")
    for page, label in (
        ("status", "Digest of the program"),
        ("diagnostics.software", "Digest of the program (SHA-256)"),
    ):
        operator.go(page)
        assert _value(operator, label) == COMPUTED
    operator.go("reports")
    operator.choose_act("report", "cash")
    folder = cabinet.settings.reports.folder
    assert folder is not None
    (saved,) = folder.glob("*.txt")
    assert program_digest()[:16] in saved.read_text(), "a report waits for it"
    for each in work:
        each()
    for page, label, digits in (
        ("status", "Digest of the program", 16),
        ("diagnostics.software", "Digest of the program (SHA-256)", 32),
    ):
        operator.go(page)
        assert _value(operator, label) == program_digest()[:digits]


def _value(operator: Operator, label: str) -> object:
    """What a row of the page says."""
    operator.cabinet.wait(1_100)
    (row,) = [row for row in operator.page.view.rows if row.label.message == label]
    return row.value
