"""``croupier emulate`` as another program uses it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware import cli
from hal.emulators.registry import EMULATORS


def start(*arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "firmware", "emulate", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("protocol", sorted(EMULATORS))
def test_a_device_prints_its_pty_and_obeys_standard_input(protocol: str) -> None:
    with start(protocol) as program:
        assert program.stdout is not None
        first = program.stdout.readline()
        assert first.startswith(f"{protocol} on /dev/pts/")
        out, errors = program.communicate("power_cut\nsing\nquit\n", timeout=60)
    assert (program.returncode, out) == (0, "")
    assert f"input:1: {protocol} can't sing" in errors


def test_json_is_one_object_and_the_link_goes_with_the_device(tmp_path: Path) -> None:
    link = tmp_path / "note-acceptor"
    with start("ssp", "--json", "--link", str(link)) as program:
        assert program.stdout is not None
        told = json.loads(program.stdout.readline())
        descriptor = os.open(link, os.O_RDWR | os.O_NOCTTY)
        is_a_terminal = os.isatty(descriptor)
        os.close(descriptor)
        program.send_signal(signal.SIGTERM)
        program.communicate(timeout=60)
    assert is_a_terminal
    assert (told["protocol"], told["pty"]) == ("ssp", str(link))
    assert "insert_note" in told["verbs"]
    assert program.returncode == 0
    assert not link.is_symlink()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["icq"], "there is no emulated device icq"),
        (["ssp", "--faults", "lose=1"], "there is no fault lose"),
        (["ssp", "--script", "{tmp}/none.txt"], "none.txt: No such file or directory"),
        (["ssp", "--script", "{tmp}/wrong.txt"], "wrong.txt:2: ssp can't sing"),
        (["ssp", "--script", "{tmp}/binary.txt"], "binary.txt: not a text file"),
        (["ssp", "--link", "{tmp}/wrong.txt"], "wrong.txt: is there already"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    (tmp_path / "wrong.txt").write_text("power_cut\nsing\n")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    status = cli.run(["emulate", *(argument.replace("{tmp}", str(tmp_path)) for argument in arguments)])
    assert status == 2
    assert complaint in capsys.readouterr().err


def test_a_script_that_ends_with_quit_ends_the_device(tmp_path: Path) -> None:
    (tmp_path / "script.txt").write_text("insert_note 2000  # a twenty\nwait 10\nquit\n")
    with start("ssp", "--script", str(tmp_path / "script.txt")) as program:
        program.communicate(timeout=60)
    assert program.returncode == 0


SCRIPTS = {
    "cctalk-coin": "insert_coin 100\njam\nclear_jam\nreport_code 20\nreset",
    "cctalk-hopper": "refill_hopper 5\njam\nclear_jam\nshine\nrun_away 1",
    "cctalk-note": "insert_note 2000\njam\nclear_jam\nremove_cash_box\ninsert_cash_box\nfill_stacker",
    "ssp": "insert_note 2000\njam\nclear_jam\nremove_cash_box\ninsert_cash_box\nfill_stacker\nstring\nfraud 2000",
    "id003": "insert_note 2000\njam\nclear_jam\nremove_cash_box\ninsert_cash_box\nfill_stacker",
    "ccnet": "insert_note 2000\njam\nclear_jam\nremove_cash_box\ninsert_cash_box\nfill_stacker\nfraud",
    "ebds": "insert_note 2000\njam\nclear_jam\nremove_cash_box\ninsert_cash_box\nfill_stacker\nfraud",
    "escpos": "paper_out\nload_paper\nopen_cover\nclose_cover",
}
"""What one can do to each of the eight devices; then what one can do to all of them."""
TO_ALL = "corrupt_next\ndrop_next\nrepeat_last\nnoise 5\nsilence 50\nwait 60\npower_cut\npower_on\nquit\n"


@pytest.mark.parametrize("protocol", SCRIPTS)
def test_every_device_obeys_a_script_with_faults_on_its_line(tmp_path: Path, protocol: str) -> None:
    path = tmp_path / "script.txt"
    path.write_text(f"{SCRIPTS[protocol]}\n{TO_ALL}")
    faults = "corrupt=0.1,drop=0.1,repeat=0.1,noise=0.1,seed=7"
    with start(protocol, "--script", str(path), "--faults", faults) as program:
        _, errors = program.communicate(timeout=60)
    assert program.returncode == 0, errors
