"""Signed reports: any change of any form is told and found, and a key that is not the terminal's is not taken for it."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from firmware.cli import run
from firmware.reports.signature import Findings, compare_form, examine
from firmware.signing.ed25519 import fingerprint, new_key, public_pem, verify
from firmware.signing.terminal_key import FOLDER, PRIVATE_NAME, PUBLIC_NAME
from tests.operator_menu.operator import Operator


@pytest.fixture
def saved(busy: Operator) -> Path:
    """The JSON form of a report that the menu saved; the other forms lie beside it."""
    busy.open()
    busy.go("reports")
    busy.choose_act("report", "period")
    folder = busy.cabinet.settings.reports.folder
    assert folder is not None
    return next(folder.glob("*.json"))


def _examined(path: Path) -> Findings:
    return examine(path.read_bytes(), verify)


def _changed(path: Path, change: Any) -> Findings:
    values = json.loads(path.read_bytes())
    change(values)
    return examine(json.dumps(values).encode(), verify)


def test_every_changed_figure_is_told_with_its_page_and_row(saved: Path) -> None:
    assert _examined(saved).problems == ()
    values = json.loads(saved.read_bytes())
    for page, part in enumerate(values["parts"]):
        for row, line in enumerate(part["rows"]):
            for cell in range(len(line["values"])):

                def change(there: Any, page: int = page, row: int = row, cell: int = cell) -> None:
                    there["parts"][page]["rows"][row]["values"][cell]["text"] = "4711"

                found = _changed(saved, change)
                assert len(found.problems) == 1
                assert f"{part['page']}, row {row + 1}: was changed" in found.problems[0]
                assert "4711" in found.problems[0]
                assert found.key, "the signature itself is still the terminal's"


def test_hidden_minor_units_are_signed_as_well(saved: Path) -> None:
    def change(values: Any) -> None:
        cell = next(
            cell for part in values["parts"] for row in part["rows"] for cell in row["values"] if "minor" in cell
        )
        cell["minor"] += 1

    assert "was changed" in _changed(saved, change).problems[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda v: v["parts"][2]["rows"].pop(1), "1 row(s) behind row 1 are missing"),
        (lambda v: v["parts"][2]["rows"].insert(1, v["parts"][2]["rows"][0]), "row 1: was put in"),
        (lambda v: v["parts"].pop(1), "the page cash.period is missing"),
        (lambda v: v["parts"].append({**v["parts"][0], "page": "more"}), "the page more was put in"),
        (lambda v: v["parts"][0].update(title="Other"), "status: its title or columns were changed"),
        (lambda v: v.update(time="2020-01-01 00:00:00"), "time was changed; now: 2020-01-01"),
        (lambda v: v.update(terminal="OTHER"), "terminal was changed"),
        (lambda v: v["head"].update(seq=1), "head was changed"),
        (lambda v: v["parts"].reverse(), "was changed"),
        (lambda v: v.update(more=1), "something was changed that no row tells of"),
        (lambda v: v.update(signature=None), "it is not signed"),
        (lambda v: v["signature"].update(digest="0" * 64), "not by the key"),
        (lambda v: v["signature"]["lines"][1].append("0"), "not by the key"),
        (lambda v: v["signature"].pop("value"), "signature is damaged"),
        (lambda v: v["signature"].update(key=new_key().public.hex()), "not by the key"),
    ],
)
def test_what_was_done_to_a_report_is_said(saved: Path, change: Any, words: str) -> None:
    problems = _changed(saved, change).problems
    assert problems
    if words != "was changed":
        assert any(words in problem for problem in problems), problems


def test_any_flipped_byte_of_the_json_form_is_found_or_is_no_report(saved: Path) -> None:
    data, chance = saved.read_bytes(), random.Random(3)
    for place in chance.sample(range(len(data)), 300):
        other = bytearray(data)
        other[place] ^= 1 << chance.randrange(7)
        if json.loads(data) == _loaded(bytes(other)):
            continue  # white space between values
        try:
            found = examine(bytes(other), verify)
        except ValueError:
            continue
        sound = found.problems == ()
        fingerprint_only = json.loads(other)["signature"]["fingerprint"] != json.loads(data)["signature"]["fingerprint"]
        algorithm_only = json.loads(other)["signature"].get("algorithm") != "Ed25519"
        format_only = json.loads(other)["signature"].get("format") != "croupier-report/1"
        assert not sound or fingerprint_only or algorithm_only or format_only, (place, data[place - 20 : place + 20])


def _loaded(data: bytes) -> object:
    try:
        return json.loads(data)
    except ValueError:
        return None


@pytest.mark.parametrize("ending", ["txt", "csv", "html"])
def test_forms_for_people_are_compared_with_the_signed_one_line_by_line(saved: Path, ending: str) -> None:
    path = saved.with_suffix(f".{ending}")
    data = path.read_bytes()
    assert compare_form(data, ending, saved.read_bytes()) == ()
    changed = compare_form(data.replace(b"150.00", b"950.00"), ending, saved.read_bytes())
    assert any(line.startswith("is gone") and "150.00" in line for line in changed)
    assert any(line.startswith("was put in") and "950.00" in line for line in changed)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs ``report verify`` and gives its status and what it said."""

    def tell(*arguments: object) -> tuple[int, str]:
        status = run(["report", "verify", *map(str, arguments)])
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    return tell


def test_command_tells_sound_reports_changed_ones_and_other_keys_apart(
    busy: Operator, saved: Path, tmp_path: Path, told: Any
) -> None:
    data_dir = busy.cabinet.settings.storage.data_dir
    key = data_dir / FOLDER / PUBLIC_NAME
    for ending in ("json", "txt", "csv", "html"):
        status, said = told(saved.with_suffix(f".{ending}"), "--key", key, "--data", data_dir)
        assert (status, "as it was signed, and in the journal" in said) == (0, True), said
    status, said = told(saved)
    assert status == 0
    assert "only a comparison tells" in said
    (tmp_path / "other.pub").write_bytes(public_pem(new_key().public))
    status, said = told(saved, "--key", tmp_path / "other.pub")
    assert status == 1
    assert "signed by another key" in said
    text = saved.with_suffix(".txt")
    text.write_bytes(text.read_bytes().replace(b"150.00", b"15.00"))
    status, said = told(text)
    assert status == 1
    assert "was put in" in said


def test_command_names_what_it_can_not_read(saved: Path, tmp_path: Path, told: Any) -> None:
    shutil.copy(saved.with_suffix(".txt"), tmp_path / "alone.txt")
    (tmp_path / "other.json").write_text("[]")
    for path, words in (
        (tmp_path / "none.json", "No such file"),
        (tmp_path / "alone.txt", "must lie beside it"),
        (tmp_path / "other.json", "no report of Croupier"),
        (tmp_path, ""),
    ):
        status, said = told(path)
        assert status == 2, said
        assert words in said
        assert said.count("\n") == 1
    status, said = told(saved, "--key", tmp_path / "other.json")
    assert (status, "not a public key" in said) == (2, True)


def test_report_of_the_command_line_is_signed_only_with_a_key_that_is_there(
    busy: Operator, tmp_path: Path, told: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    data_dir = busy.cabinet.settings.storage.data_dir
    shutil.copytree(data_dir, tmp_path / "copy")
    out = tmp_path / "r.json"
    arguments = ["report", "period", "--form", "json", "--out", str(out)]
    assert run([*arguments, "--data", str(tmp_path / "copy"), "--sign"]) == 2
    assert "has no key" in capsys.readouterr().err
    assert not (tmp_path / "copy" / FOLDER / PRIVATE_NAME).exists()
    assert run([*arguments, "--data", str(tmp_path / "copy")]) == 0
    assert told(out)[0] == 1
    busy.open()
    busy.go("reports")
    busy.choose_act("report", "cash")
    assert run([*arguments, "--data", str(data_dir), "--sign"]) == 0
    assert told(out, "--key", data_dir / FOLDER / PUBLIC_NAME)[0] == 0


def test_key_that_others_can_read_leaves_the_report_unsigned_and_says_so(busy: Operator) -> None:
    busy.open()
    busy.go("reports")
    busy.choose_act("report", "cash")
    key = busy.cabinet.settings.storage.data_dir / FOLDER / PRIVATE_NAME
    key.chmod(0o644)
    busy.choose_act("report", "handpays")
    saved = busy.entries("report_saved")[-1]
    assert "not signed" in saved.error  # type: ignore[attr-defined]
    folder = busy.cabinet.settings.reports.folder
    assert folder is not None
    found = examine((folder / f"{saved.name}.json").read_bytes(), verify)  # type: ignore[attr-defined]
    assert "it is not signed" in found.problems[0]
    assert fingerprint(new_key().public).count(" ") == 7
