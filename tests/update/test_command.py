"""The commands as people type them: what is refused, with which words and status, and what a script reads."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.cli import run
from firmware.entries.types import CashOutStarted, FaultRaised
from firmware.manifest.model import Manifest
from firmware.manifest.tree import PROGRAM
from firmware.signing.ed25519 import private_key, public_key
from firmware.update import command as module
from firmware.update.gate import obstacles, version_obstacles
from hal.simulated.world import World
from tests.manifest.programs import KEY, program
from tests.support.cabinet import CabinetUnderTest, settings_for
from tests.update.releases import Site, bundle, site

Play = Callable[[CabinetUnderTest], object]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    made = site(tmp_path)
    monkeypatch.setenv("CROUPIER_VERSIONS", str(made.place.versions))
    monkeypatch.setenv("CROUPIER_FACTORY", str(made.place.factory))
    monkeypatch.setenv("CROUPIER_BOOT", str(made.place.boot))
    monkeypatch.setattr(module, "__version__", "1.0.0")
    return made


def update(here: Site, *words: object) -> int:
    places = ("--data", here.folder / "data", "--keys", here.keys)
    return run([str(word) for word in ("update", *words, *places)])


def table(here: Site) -> CabinetUnderTest:
    cabinet = CabinetUnderTest(settings_for(here.folder / "data"), seed=1)
    cabinet.boot()
    return cabinet


def test_an_update_tells_what_it_did_and_what_is_installed(here: Site, capsys: pytest.CaptureFixture[str]) -> None:
    assert update(here) == 0
    assert "version 1.0.0, counter 0, not signed" in capsys.readouterr().out
    assert update(here, bundle(here.folder, "1.1.0", 4), "--by", "Ann", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["from"], told["to"], told["to_counter"], told["by"]) == ("1.0.0", "1.1.0", 4, "Ann")
    assert update(here, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["version"], told["counter"], told["signed"]) == ("1.1.0", 4, True)
    assert told["previous"] == str(here.place.factory)


@pytest.mark.parametrize(
    ("version", "counter", "minimum", "words"),
    [
        ("1.2.0", 4, "0.1", "is not newer"),
        ("1.2.0", 3, "0.1", "is not newer"),
        ("1.9.0", 5, "1.5", "needs 1.5 or later here, found 1.1.0"),
    ],
    ids=["same counter", "older", "too far"],
)
def test_an_older_version_or_one_too_far_is_refused(
    here: Site, capsys: pytest.CaptureFixture[str], version: str, counter: int, minimum: str, words: str
) -> None:
    assert update(here, bundle(here.folder, "1.1.0", 4)) == 0
    assert update(here, bundle(here.folder, version, counter, minimum_version=minimum)) == 2
    assert words in capsys.readouterr().err
    assert here.start() == "1.1.0 run"


def test_a_damaged_file_is_one_line_and_status_2(here: Site, capsys: pytest.CaptureFixture[str]) -> None:
    path = bundle(here.folder, "1.1.0", 4)
    path.write_bytes(path.read_bytes()[:-1])
    assert update(here, path) == 2
    error = capsys.readouterr().err
    assert "damaged, incomplete, or not signed" in error
    assert error.count("\n") == 1


def insert(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)


def deal(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(10_000)
    cabinet.sit_down()
    cabinet.bet(3, "ante", 500)
    cabinet.press("deal")


def large_cash_out(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(10_000)
    cabinet.insert_note(10_000)
    cabinet.insert_note(10_000)
    cabinet.press("cash_out")


def fault(code: str) -> Play:
    def raise_it(cabinet: CabinetUnderTest) -> None:
        cabinet.terminal._parts.journal.append((FaultRaised(code, "terminal", "test"),), cabinet.clock.wall_ms())

    return raise_it


@pytest.mark.parametrize(
    ("play", "words"),
    [
        (insert, "there is credit"),
        (deal, "a round is open"),
        (large_cash_out, "handpay is pending"),
        (fault("M2"), "fault M2 is up (The books do not balance)"),
        (fault("W1"), "fault W1 is up"),
    ],
    ids=["credit", "round", "handpay", "memory", "large win"],
)
def test_nothing_is_installed_while_money_or_a_lock_up_waits(
    here: Site, capsys: pytest.CaptureFixture[str], play: Play, words: str
) -> None:
    play(table(here))
    assert update(here, bundle(here.folder, "1.1.0", 4)) == 1
    error = capsys.readouterr().err
    assert error.startswith("update: not now: ")
    assert words in error
    assert here.start() == "1.0.0 run"


def test_credit_that_came_while_it_was_written_stops_it_before_the_switch(
    here: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def later(data_dir: Path) -> tuple[str, ...]:
        asked.append(data_dir)
        return ("there is credit",) if len(asked) > 1 else ()

    monkeypatch.setattr(module, "obstacles", later)
    assert update(here, bundle(here.folder, "1.1.0", 4)) == 1
    assert here.start() == "1.0.0 run"


def open_a_door(world: World) -> None:
    world.open_door("logic")


def test_an_open_door_out_of_service_and_an_altered_program_do_not_stand_in_the_way(here: Site) -> None:
    cabinet = table(here)
    cabinet.act(open_a_door)
    for code in ("O1", "A1", "A2", "B1"):
        fault(code)(cabinet)
    assert obstacles(here.folder / "data") == ()


def test_a_terminal_without_a_journal_is_new_and_a_damaged_journal_is_not_trusted(here: Site) -> None:
    assert obstacles(here.folder / "nothing") == ()
    cabinet = table(here)
    cabinet.cut_power()
    (here.folder / "data" / "journal.sqlite").write_bytes(b"no journal" * 1_000)
    (found,) = obstacles(here.folder / "data")
    assert found.startswith("the journal can't be trusted")


def test_a_pay_out_that_is_not_finished_is_in_the_way(here: Site) -> None:
    cabinet = table(here)
    cabinet.insert_note(2_000)
    cabinet.press("cash_out")
    assert any(isinstance(at.entry, CashOutStarted) for at in cabinet.records())
    assert "a pay-out or handpay is pending: finish it with the attendant key" in obstacles(here.folder / "data")


def test_only_one_update_at_a_time(here: Site, capsys: pytest.CaptureFixture[str]) -> None:
    with module._alone(here.place):
        assert update(here, bundle(here.folder, "1.1.0", 4)) == 2
    assert "another update is under way" in capsys.readouterr().err


def test_versions_are_compared_by_counter_and_by_their_numbers() -> None:
    new = Manifest("1.10.0", 5, "1.9", {}, {})
    assert version_obstacles(new, "1.9.0", 4) == ()
    assert len(version_obstacles(new, "1.8.9", 5)) == 2


def test_keys_bundles_and_manifests_are_made_and_checked_by_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = program(tmp_path / "program")
    secret, keys = tmp_path / "release.pem", tmp_path / "keys"
    keys.mkdir()
    assert run(["manifest", "key", str(secret)]) == 0
    assert secret.stat().st_mode & 0o777 == 0o600
    (keys / "maker.pub").write_bytes((tmp_path / "release.pub").read_bytes())
    assert public_key((tmp_path / "release.pub").read_bytes()) == private_key(secret.read_bytes()).public
    common = ["--root", str(root), "--keys", str(keys)]
    assert run(["manifest", "verify", *common]) == 1
    assert run(["manifest", "make", "--key", str(secret), "--counter", "9", *common]) == 0
    assert run(["manifest", "seal", *common]) == 0
    capsys.readouterr()
    assert run(["manifest", "verify", "--json", *common]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["state"], told["counter"], told["sealed"]) == ("signed", 9, True)
    (root / "firmware/money.py").write_bytes(b"")
    assert run(["manifest", "verify", "--json", *common]) == 1
    assert json.loads(capsys.readouterr().out)["problems"] == ["changed firmware/money.py"]
    (root / "sealed.json").unlink()
    made = str(tmp_path / "x.bundle")
    assert run(["bundle", "make", made, "--key", str(secret), "--counter", "9", *common]) == 0
    capsys.readouterr()
    assert run(["bundle", "show", made, "--json", "--keys", str(keys)]) == 0
    assert json.loads(capsys.readouterr().out)["counter"] == 9


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["manifest", "key"], "say where the key goes"),
        (["manifest", "make"], "say which private key signs"),
        (["manifest", "make", "--key", "/none"], "/none: No such file"),
        (["bundle", "show"], "say which FILE"),
        (["bundle", "make", "--key", "{key}", "--wheels", "/none"], "no packages there"),
        (["bundle", "make", "--key", "{key}", "--minimum-version", "x"], "'x' is no version"),
        (["manifest", "make", "--key", "{key}", "--counter", "-1", "--root", "{root}"], "-1 is no counter"),
        (["manifest", "verify", "--root", "{root}", "--keys", "{root}", "--require"], "no key is trusted"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_use_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], error: str
) -> None:
    (tmp_path / "key.pem").write_bytes(KEY.pem())
    root = program(tmp_path / "program")
    filled = [word.format(key=tmp_path / "key.pem", root=root) for word in words]
    assert run(filled) in (1, 2)
    assert error in capsys.readouterr().err


def test_a_key_is_never_made_in_the_program_nor_over_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["manifest", "key", str(PROGRAM / "release.pem")]) == 2
    assert run(["manifest", "key", str(tmp_path / "a.pem")]) == 0
    assert run(["manifest", "key", str(tmp_path / "a.pem")]) == 2
    assert "never overwritten" in capsys.readouterr().err
