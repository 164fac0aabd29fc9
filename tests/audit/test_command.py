"""`croupier audit`: readable and JSON, on a live store and on a copy, never writing, refusing what it can't judge."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware.audit.source import JournalSource
from firmware.cli import run
from firmware.journal.critical import Places
from firmware.journal.record import chain_link
from firmware.journal.store import open_store
from firmware.terminal.snapshot import encode_recorded
from tests.audit.play import play_rounds
from tests.support.cabinet import CabinetUnderTest

Capture = pytest.CaptureFixture[str]


def audit(capsys: Capture, *words: str, status: int = 0) -> Any:
    capsys.readouterr()
    assert run(["audit", *words, "--json"]) == status
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return json.loads(captured.out) if captured.out else captured.err


def data_of(cabinet: CabinetUnderTest) -> str:
    return str(cabinet.settings.storage.data_dir)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith("-shm")
    }


def test_meters_of_a_running_terminal_are_its_books(cabinet: CabinetUnderTest, capsys: Capture) -> None:
    play_rounds(cabinet, "oasis", 3)
    values = audit(capsys, "meters", "--data", data_of(cabinet))
    by_name = {line["name"]: line for line in values["meters"]}
    for name, value in cabinet.books.meters.items():
        assert by_name[name]["master"] == value
    assert values["credit_minor"] == cabinet.view.credit_minor
    assert values["self_audit"]["holds"]
    assert (values["terminal"], values["epoch"], values["mark"]) == ("SIM-1", 1, "SIMULATOR, NO VALUE")


def test_reading_changes_nothing_and_disturbs_nobody(cabinet: CabinetUnderTest, capsys: Capture) -> None:
    play_rounds(cabinet, "baccarat", 2)
    before = contents(cabinet.settings.storage.data_dir)
    for report in ("meters", "events", "rounds", "verify", "export"):
        audit(capsys, report, "--data", data_of(cabinet))
    assert contents(cabinet.settings.storage.data_dir) == before
    play_rounds(cabinet, "baccarat", 1)
    cabinet.expect_faults()


def test_terminal_goes_on_while_it_is_audited(cabinet: CabinetUnderTest) -> None:
    play_rounds(cabinet, "oasis", 2)
    with JournalSource(cabinet.settings.storage.data_dir) as source:
        records = source.records()
        first = next(records)
        play_rounds(cabinet, "oasis", 2)
        assert [record.seq for record in (first, *records)] == list(range(1, source.head.seq + 1))
    assert len(cabinet.records()) > source.head.seq


def test_copy_on_a_medium_that_can_not_be_written_is_read(
    cabinet: CabinetUnderTest, capsys: Capture, tmp_path: Path
) -> None:
    play_rounds(cabinet, "oasis", 2)
    cabinet.shut_down()
    copy = tmp_path / "copy"
    shutil.copytree(cabinet.settings.storage.data_dir, copy)
    for path in copy.iterdir():
        path.chmod(0o444)
    copy.chmod(0o555)
    try:
        values = audit(capsys, "verify", "--data", str(copy))
    finally:
        copy.chmod(0o755)
    assert values["sound"]
    assert values["rounds"] == 2


def test_rounds_are_exported_as_records_that_play_takes(
    cabinet: CabinetUnderTest, capsys: Capture, tmp_path: Path
) -> None:
    play_rounds(cabinet, "russian", 3)
    values = audit(capsys, "rounds", "--data", data_of(cabinet), "--limit", "2")
    assert [each["number"] for each in values["rounds"]] == [2, 3]
    assert [each["round"] for each in values["rounds"]] == ["r1-2", "r1-3"]
    for each in values["rounds"]:
        path = tmp_path / "record.json"
        path.write_text(json.dumps(each["record"]))
        assert run(["play", str(path)]) == 0
        assert json.loads(capsys.readouterr().out) == each["record"]["result"]
    bare = audit(capsys, "rounds", "--data", data_of(cabinet), "--record", "3")
    assert bare == values["rounds"][1]["record"]


def test_events_are_the_newest_and_can_be_of_one_class(cabinet: CabinetUnderTest, capsys: Capture) -> None:
    play_rounds(cabinet, "oasis", 2)
    head = cabinet.records()[-1].seq
    values = audit(capsys, "events", "--data", data_of(cabinet), "--limit", "5")
    assert [event["seq"] for event in values["events"]] == list(range(head - 4, head + 1))
    values = audit(capsys, "events", "--data", data_of(cabinet), "--class", "power")
    assert {event["class"] for event in values["events"]} == {"power"}
    assert values["events"][0]["text"] == "Terminal SIM-1, epoch 1, simulator"


@pytest.mark.parametrize("report", ["meters", "events", "rounds", "verify", "export"])
def test_every_report_is_readable_by_people_and_marked(cabinet: CabinetUnderTest, capsys: Capture, report: str) -> None:
    play_rounds(cabinet, "oasis_jackpot", 2)
    capsys.readouterr()
    assert run(["audit", report, "--data", data_of(cabinet)]) == 0
    out = capsys.readouterr().out
    assert "SIMULATOR, NO VALUE" in out.splitlines()[0]
    assert len(out.splitlines()) > 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["meters", "--limit", "0"], "--limit"),
        (["events", "--class", "nonsense"], "expected one of power, money"),
        (["rounds", "--record", "99"], "round 99 is not among"),
        (["meters", "--epoch", "2"], "is of epoch 1, not of epoch 2"),
    ],
)
def test_bad_use_is_one_line_and_status_2(
    cabinet: CabinetUnderTest, capsys: Capture, words: list[str], said: str
) -> None:
    error = audit(capsys, *words, "--data", data_of(cabinet), status=2)
    assert said in error
    assert len(error.strip().splitlines()) == 1


def test_no_journal_a_foreign_file_and_an_empty_one_are_refused(capsys: Capture, tmp_path: Path) -> None:
    assert "there is no journal" in audit(capsys, "meters", "--data", str(tmp_path), status=2)
    (tmp_path / "journal.sqlite").write_bytes(b"not a database at all" * 100)
    assert "not a journal" in audit(capsys, "meters", "--data", str(tmp_path), status=2)
    (tmp_path / "journal.sqlite").write_bytes(b"")
    assert "empty" in audit(capsys, "meters", "--data", str(tmp_path), status=2)


def test_newer_schema_is_refused(cabinet: CabinetUnderTest, capsys: Capture) -> None:
    cabinet.shut_down()
    with sqlite3.connect(cabinet.settings.storage.data_dir / "journal.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "another version" in audit(capsys, "verify", "--data", data_of(cabinet), status=2)


@pytest.mark.parametrize("report", ["meters", "events", "rounds", "verify", "export"])
def test_entry_that_only_a_newer_version_knows_is_refused_by_name(
    cabinet: CabinetUnderTest, capsys: Capture, report: str
) -> None:
    cabinet.shut_down()
    with sqlite3.connect(cabinet.settings.storage.data_dir / "journal.sqlite") as connection:
        seq, at_ms, link = connection.execute("SELECT seq, at_ms, link FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
        columns = [row[1] for row in connection.execute("PRAGMA table_info(entry)")]
        last = dict(
            zip(columns, connection.execute("SELECT * FROM entry WHERE seq = ?", (seq,)).fetchone(), strict=True)
        )
        new = {**last, "seq": seq + 1, "kind": "teleported/1", "body": "{}"}
        new["link"] = chain_link(link, seq + 1, at_ms, "teleported/1", "{}")
        names = ", ".join(columns)
        marks = ", ".join("?" for _ in columns)
        connection.execute(f"INSERT INTO entry ({names}) VALUES ({marks})", [new[name] for name in columns])
    connection.close()
    error = audit(capsys, report, "--data", data_of(cabinet), status=2)
    assert "teleported/1" in error
    assert "newer version" in error


# --- verify -------------------------------------------------------------------------------------------------------


def verify(capsys: Capture, places: Places, status: int = 0) -> Any:
    mirror, anchor = str(places.mirror_dir), str(places.anchor_file)
    return audit(
        capsys, "verify", "--data", str(places.data_dir), "--mirror", mirror, "--anchor", anchor, status=status
    )


def flip(path: Path, what: bytes, offset: int = 0) -> None:
    data = bytearray(path.read_bytes())
    data[data.rindex(what) + offset] ^= 1
    path.write_bytes(data)


def test_sound_memory_is_found_sound_with_all_its_copies(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture
) -> None:
    cabinet = new_cabinet()
    play_rounds(cabinet, "oasis", 3)
    for _ in range(2):
        values = verify(capsys, places)
        assert values["sound"]
        assert values["problems"] == []
        assert values["copies"] == ["mirror", "anchor"]
        assert values["entries"] == values["head"]["seq"] == len(cabinet.records())
        if cabinet.is_running:
            cabinet.shut_down()
            cabinet.boot()


def test_changed_byte_in_each_copy_is_found_and_named(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture
) -> None:
    cabinet = new_cabinet()
    play_rounds(cabinet, "oasis", 3)
    cabinet.shut_down()
    assert places.mirror_dir is not None
    assert places.anchor_file is not None
    (log,) = places.mirror_dir.glob("log-*.bin")
    for path, word in ((places.data_dir / "journal.sqlite", "entry"), (log, "mirror")):
        good = path.read_bytes()
        flip(path, b'"amount_minor":10000', 18)
        assert any(word in problem for problem in verify(capsys, places, status=1)["problems"])
        path.write_bytes(good)
    good = places.anchor_file.read_bytes()
    flip(places.anchor_file, b"CRA1", 20)
    assert verify(capsys, places)["sound"]  # the other slot remembers
    places.anchor_file.write_bytes(bytes(len(good)))
    assert any("anchor" in problem for problem in verify(capsys, places, status=1)["problems"])
    places.anchor_file.write_bytes(good)
    assert verify(capsys, places)["sound"]


def test_missing_copies_are_named(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture
) -> None:
    cabinet = new_cabinet()
    cabinet.shut_down()
    assert places.mirror_dir is not None
    assert places.anchor_file is not None
    places.anchor_file.unlink()
    shutil.rmtree(places.mirror_dir)
    problems = verify(capsys, places, status=1)["problems"]
    assert any("anchor" in problem for problem in problems)
    assert any("mirror" in problem for problem in problems)
    assert not places.mirror_dir.exists()  # looking at it makes nothing


def test_rolled_back_journal_is_found_by_the_anchor(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture, tmp_path: Path
) -> None:
    cabinet = new_cabinet()
    cabinet.insert_note(2_000)
    cabinet.shut_down()
    old = tmp_path / "old"
    shutil.copytree(places.data_dir, old)
    cabinet.boot()
    play_rounds(cabinet, "oasis", 25)
    cabinet.shut_down()
    shutil.rmtree(places.data_dir)
    shutil.copytree(old, places.data_dir)
    problems = verify(capsys, places, status=1)["problems"]
    assert any("anchor" in problem for problem in problems)


def test_forged_snapshot_is_found_by_folding_again(cabinet: CabinetUnderTest, capsys: Capture) -> None:
    play_rounds(cabinet, "oasis", 2)
    recorded = cabinet.terminal.state.recorded
    cabinet.shut_down()
    books = replace(recorded.books, meters={**recorded.books.meters, "handpays": 77})
    store = open_store(cabinet.settings.storage.data_dir)
    store.keep_snapshot(encode_recorded(replace(recorded, books=books)))
    store.close()
    problems = audit(capsys, "verify", "--data", data_of(cabinet), status=1)["problems"]
    assert problems == ["snapshot: its meters are not those that the whole journal gives"]


def test_mirror_of_another_terminal_is_refused(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture, tmp_path: Path
) -> None:
    cabinet = new_cabinet()
    cabinet.shut_down()
    settings = cabinet.settings
    other = settings.model_copy(
        update={
            "terminal": settings.terminal.model_copy(update={"id": "SIM-2"}),
            "storage": settings.storage.model_copy(
                update={"data_dir": tmp_path / "d2", "mirror_dir": tmp_path / "m2", "anchor_file": tmp_path / "a2"}
            ),
        }
    )
    stranger = CabinetUnderTest(other, seed=1)
    stranger.boot()
    stranger.shut_down()
    words = ["verify", "--data", str(places.data_dir), "--mirror", str(tmp_path / "m2")]
    assert "the mirror is of terminal SIM-2" in audit(capsys, *words, status=2)
