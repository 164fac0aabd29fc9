"""``croupier play`` as a user meets it: one JSON object, or one line and exit status 2."""

import io
import json
from pathlib import Path

import pytest

from firmware.cli import run
from tests.games.test_record import RECORD


def test_record_file_is_answered_with_one_json_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(RECORD))
    assert run(["play", str(file)]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["net"] == 8_000
    assert captured.err == ""


def test_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(RECORD).encode())))
    assert run(["play", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == "settled"


@pytest.mark.parametrize("content", [b"", b"[]", b"\x00\xff", json.dumps({**RECORD, "balance": 5}).encode()])
def test_refused_record_ends_with_status_2_and_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(content)
    assert run(["play", str(file)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b"])
def test_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    path = f"{tmp_path}/{name}"
    assert run(["play", path]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(path)
    assert captured.err.count("\n") == 1
