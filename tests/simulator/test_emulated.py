"""The demonstration on byte-level devices: the real drivers on ptys, with each protocol that notes can come by."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.cli import run
from tests.support.cabinet import ROOT

PROTOCOLS = ("ssp", "id003", "ccnet", "ebds", "cctalk")
PATIENCE_S = 150


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration without its pictures."""
    lines = (ROOT / "config" / "examples" / "demonstration.script").read_text(encoding="utf-8").splitlines()
    path = tmp_path_factory.mktemp("scripts") / "demonstration.script"
    path.write_text("\n".join(line for line in lines if not line.startswith("screenshot")), encoding="utf-8")
    return path


def test_the_demonstration_is_played_through_real_drivers_with_every_note_protocol(script: Path) -> None:
    words = [sys.executable, "-m", "firmware", "sim", "--headless", "--json", "--devices", "emulated"]
    programs = {
        protocol: subprocess.Popen(
            [*words, "--script", str(script), "--protocol", protocol],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for protocol in PROTOCOLS
    }
    try:
        for protocol, program in programs.items():
            out, errors = program.communicate(timeout=PATIENCE_S)
            assert program.returncode == 0, f"{protocol}: {errors[-500:]}"
            summary = json.loads(out)
            money = {name: summary[name] for name in ("notes_in_minor", "cash_box_minor", "paid_by_hopper_minor")}
            assert money == {"notes_in_minor": 2_000, "cash_box_minor": 2_000, "paid_by_hopper_minor": 3_000}, protocol
            assert (summary["credit_minor"], summary["rounds"], summary["power_ups"]) == (0, 1, 2), protocol
    finally:
        for program in programs.values():
            program.kill()
            program.wait()


def test_a_protocol_without_emulated_devices_is_refused(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sim", "--headless", "--script", str(script), "--protocol", "ssp"]) == 2
    assert "--protocol needs --devices emulated" in capsys.readouterr().err


def test_hardware_that_is_not_emulated_is_refused(
    script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        (ROOT / "config" / "simulator.toml").read_text(encoding="utf-8").replace("coin_minor = 100", "coin_minor = 50")
    )
    config = tmp_path / "simulator.toml"
    config.write_text(text, encoding="utf-8")
    words = ["sim", "--headless", "--devices", "emulated", "--script", str(script), "--config", str(config)]
    assert run(words) == 2
    assert "the emulated hopper has coins of 100" in capsys.readouterr().err
