"""The reference page of the settings: complete, and the committed one is the program's own."""

import pytest

from firmware.cli import run
from firmware.settings.reference import reference
from firmware.settings.sections import Settings
from firmware.settings.spec import rows
from tests.support.cabinet import ROOT


def test_committed_page_is_the_one_that_the_program_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["settings"]) == 0
    printed = capsys.readouterr().out
    committed = (ROOT / "config" / "settings.md").read_text(encoding="utf-8")
    assert committed == printed, "./croupier settings > config/settings.md"


def test_every_setting_has_one_row_of_five_cells() -> None:
    lines = [line for line in reference().splitlines() if line.startswith("| `")]
    assert len(lines) == len(list(rows(Settings)))
    for line in lines:
        assert line.count(" | ") == 4, line
