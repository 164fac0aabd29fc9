"""Scripts: the examples run; a line that is wrong, impossible or not met is named by its number."""

from pathlib import Path

import pytest

from firmware.cli import run
from firmware.simulator.script import VERBS
from tests.support.cabinet import ROOT

EXAMPLES = sorted((ROOT / "config" / "examples").glob("*.script"))


def script(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "a.script"
    path.write_text(text, encoding="utf-8")
    return ["sim", "--headless", "--script", str(path), "--screenshots", str(tmp_path / "pictures")]


@pytest.mark.parametrize("example", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_every_example_runs_and_its_expectations_are_met(example: Path, tmp_path: Path) -> None:
    assert run(["sim", "--headless", "--script", str(example), "--screenshots", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("boot\nfly away\n", 2, "a.script:2: 'fly' is no verb"),
        ("boot\ninsert_note\n", 2, "a.script:2: write insert_note MINOR"),
        ("boot\ninsert_note many\n", 2, "a.script:2: 'many' is not a whole number"),
        ("boot\n\n# comment\nboot\n", 2, "a.script:4: boot: the terminal is running already"),
        ("press deal\n", 2, "a.script:1: press: the terminal is off"),
        ("boot\npress deal\n", 2, "a.script:2: press: no button does 'deal' now"),
        ("boot\nexpect credit 5\n", 1, "a.script:2: expected credit 5, found 0"),
        ("boot\nexpect luck 5\n", 2, "a.script:2: 'luck' can't be expected"),
        ("boot\nopen_door main\nopen_door main\n", 2, "a.script:3: open_door: door main is open already"),
        ("boot\nlay_cards As Xx\n", 2, "a.script:2: 'Xx' is not a card"),
        ("boot\nlay_cards As As\n", 2, "a.script:2: lay_cards: a card is laid down twice"),
        ("boot\nbet 1 ante 100\n", 2, "a.script:2: bet: no bets are taken now"),
        ('boot\npress "deal\n', 2, "a.script:2: No closing quotation"),
        ("boot\nsit_down bingo\n", 2, "a.script:2: sit_down: there is no game 'bingo'"),
        ("boot\nscreenshot ../x\n", 2, "a.script:2: '../x' is not a plain name"),
        ("cut_power\n", 2, "a.script:1: cut_power: the terminal is off"),
    ],
)
def test_bad_line_is_named_with_its_number(
    text: str, status: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(script(tmp_path, text)) == status
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_missing_and_binary_scripts_are_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sim", "--headless", "--script", str(tmp_path / "none")]) == 2
    (tmp_path / "b").write_bytes(b"\xff\xfe\x00")
    assert run(["sim", "--headless", "--script", str(tmp_path / "b")]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_reference_names_every_verb() -> None:
    reference = (ROOT / "config" / "examples" / "README.md").read_text(encoding="utf-8")
    missing = [verb.usage for verb in VERBS.values() if f"`{verb.usage}`" not in reference]
    assert missing == []


@pytest.mark.parametrize("size", ["1x1", "axb", "1280", "1280x720x3", "99999x720", ""])
def test_bad_size_is_refused(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sim", "--headless", "--size", size]) == 2
    assert "--size" in capsys.readouterr().err


def test_seed_with_a_real_cabinets_settings_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sim", "--headless", "--seed", "1", "--config", str(ROOT / "config" / "cabinet.toml")]) == 2
    assert "real cabinet" in capsys.readouterr().err


def test_second_program_on_the_same_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from firmware.simulator.lock import HardwareLock

    held = HardwareLock(tmp_path)
    assert run(["sim", "--headless", "--data", str(tmp_path)]) == 2
    assert "another terminal is running" in capsys.readouterr().err
    held.release()
