"""What the doctor says of the program's signature: the verdict of the running terminal, with what to do."""

from pathlib import Path

import pytest

from firmware.doctor.finding import Finding
from firmware.doctor.program import program as look
from firmware.settings.loader import load_settings
from firmware.settings.sections import Settings
from tests.manifest.programs import program, sign, trust
from tests.support.cabinet import ROOT, settings_for

CABINET = load_settings(ROOT / "config" / "cabinet.toml")


def for_money(settings: Settings) -> Settings:
    return settings.model_copy(update={"currency": settings.currency.model_copy(update={"code": "EUR"})})


def found(settings: Settings, root: Path, keys: Path) -> Finding:
    (finding,) = look(settings, root, keys)
    return finding


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return sign(program(tmp_path / "program"))


def test_a_signed_program_is_well_and_says_by_whom(root: Path, tmp_path: Path) -> None:
    finding = found(CABINET, root, trust(tmp_path / "keys"))
    assert finding.verdict == "ok"
    assert "not sealed" in finding.found


def test_an_altered_program_is_a_failure_that_names_the_file(root: Path, tmp_path: Path) -> None:
    (root / "firmware/money.py").write_bytes(b"")
    finding = found(CABINET, root, trust(tmp_path / "keys"))
    assert (finding.verdict, finding.found) == ("failed", "not as it was signed: changed firmware/money.py")


def test_unsigned_is_well_in_a_simulator_a_warning_in_a_cabinet_and_a_failure_for_money(
    root: Path, tmp_path: Path
) -> None:
    none = tmp_path / "none"
    assert found(settings_for(tmp_path / "data"), root, none).verdict == "ok"
    assert found(CABINET, root, none).verdict == "warning"
    assert found(for_money(CABINET), root, none).verdict == "failed"
