"""A sealed program writes nothing into its own folder, whoever starts it."""

import shutil
import subprocess
from pathlib import Path

from tests.support.cabinet import ROOT


def started(home: Path) -> str:
    done = subprocess.run(
        [home / "croupier", "x"], capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/bin"}
    )
    return done.stdout.strip()


def test_a_sealed_program_compiles_no_modules_when_it_runs(tmp_path: Path) -> None:
    shutil.copy(ROOT / "croupier", tmp_path)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    for name in ("requirements.lock", ".venv/installed-requirements.lock"):
        (tmp_path / name).write_text("")
    python = tmp_path / ".venv/bin/python"
    python.write_text('#!/bin/sh\necho "${PYTHONDONTWRITEBYTECODE-writes} $*"\n')
    python.chmod(0o755)
    assert started(tmp_path) == "writes -P -m firmware x"
    (tmp_path / "sealed.json").write_text("")
    assert started(tmp_path) == "1 -P -m firmware x"
