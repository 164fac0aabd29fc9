"""The RAM clear: two steps, a new epoch, a record that survives, and a power cut at every write of it."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from firmware.audit.clearing import ARCHIVE, PLAN_NAME, RECORDS, NewEpoch, clear, finish, look
from firmware.audit.ram_clear import Before, refusals
from firmware.audit.source import JournalSource
from firmware.cli import run
from firmware.entries.keeping import RamCleared
from firmware.entries.types import Commissioned, NoteCredited
from firmware.journal.critical import Places
from firmware.journal.errors import NoJournalError
from firmware.terminal import faults
from tests.audit.play import play_rounds
from tests.audit.test_command import verify
from tests.support.cabinet import CabinetUnderTest
from tests.terminal.test_fault_rows import break_books, turn

Capture = pytest.CaptureFixture[str]
NEW = NewEpoch("SIM-1", "simulator", "CRD", 2, "0.1.0")


def empty_handed(cabinet: CabinetUnderTest) -> None:
    """Play, then pay everything out and end."""
    play_rounds(cabinet, "oasis", 2)
    cabinet.act(lambda world: world.set_hopper(0))
    cabinet.press("lobby")
    cabinet.press("cash_out")
    cabinet.wait(10_000)
    if cabinet.view.mode == "handpay":
        turn(cabinet, "attendant")
    cabinet.act(lambda world: world.set_hopper(50))
    cabinet.expect_credit(0)


def boot_later(cabinet: CabinetUnderTest) -> None:
    """Start after the clear, which was done by the clock of the world, and do the set-up that follows it."""
    cabinet.clock.set_wall(1_900_000_000_000)
    cabinet.boot()
    cabinet.set_up()


def words_for(places: Places, *more: str) -> list[str]:
    copies = ["--data", str(places.data_dir), "--mirror", str(places.mirror_dir), "--anchor", str(places.anchor_file)]
    return ["ramclear", "--by", "Ann", "--reason", "sold", *copies, *more]


def ramclear(capsys: Capture, places: Places, *more: str, status: int = 0) -> Any:
    capsys.readouterr()
    assert run([*words_for(places, *more), "--json"]) == status
    captured = capsys.readouterr()
    return json.loads(captured.out) if captured.out else captured.err


# --- the procedure ------------------------------------------------------------------------------------------------


def before_of(cabinet: CabinetUnderTest, problems: tuple[str, ...] = ()) -> Before:
    with JournalSource(cabinet.settings.storage.data_dir) as source:
        return Before("SIM-1", 1, source.head, cabinet.terminal.state.recorded, problems)


def said(texts: tuple[Any, ...]) -> str:
    return " ".join(text.message for text in texts)


def test_sound_memory_that_owes_something_is_not_cleared(cabinet: CabinetUnderTest) -> None:
    assert refusals(before_of(cabinet), is_logic_door_open=True) == ()
    cabinet.insert_note(2_000)
    assert "credit" in said(refusals(before_of(cabinet), is_logic_door_open=True))
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    assert "round is open" in said(refusals(before_of(cabinet), is_logic_door_open=True))
    cabinet.press("fold")
    cabinet.act(lambda world: world.set_hopper(0))
    cabinet.press("lobby")
    cabinet.press("cash_out")
    cabinet.wait(3_000)
    assert "handpay" in said(refusals(before_of(cabinet), is_logic_door_open=True))
    turn(cabinet, "attendant")
    assert refusals(before_of(cabinet), is_logic_door_open=True) == ()


def test_locked_memory_is_cleared_with_what_it_still_owes_written_down(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(2_000)
    assert refusals(before_of(cabinet, ("entry 3 was changed",)), is_logic_door_open=True) == ()
    break_books(cabinet)
    cabinet.cut_power()
    cabinet.boot()
    before = before_of(cabinet)
    assert before.is_locked
    assert before.credit_minor == 4_000
    assert refusals(before, is_logic_door_open=True) == ()
    assert "logic door" in said(refusals(before, is_logic_door_open=False))


def test_code_is_good_for_this_very_memory_alone(cabinet: CabinetUnderTest) -> None:
    first = before_of(cabinet).code
    assert first == before_of(cabinet).code
    cabinet.insert_note(500)
    assert before_of(cabinet).code != first


# --- the command --------------------------------------------------------------------------------------------------


def test_two_steps_clear_the_memory_and_a_new_epoch_remembers_the_old(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture
) -> None:
    cabinet = new_cabinet()
    empty_handed(cabinet)
    old_meters, old_head = dict(cabinet.books.meters), cabinet.records()[-1]
    assert "another croupier uses this folder" in ramclear(capsys, places, "--code", before_of(cabinet).code, status=2)
    cabinet.shut_down()
    shown = ramclear(capsys, places)
    assert shown["meters"]["coin_in_minor"] == old_meters["coin_in_minor"]
    assert "is not the code" in ramclear(capsys, places, "--code", "12345678", status=2)
    assert verify(capsys, places)["epoch"] == 1
    done = ramclear(capsys, places, "--code", shown["code"])
    assert done["epoch"] == 2

    record = Path(done["record"])
    told = json.loads(record.read_bytes())
    assert {name: told["meters"][name] for name in old_meters} == old_meters
    with JournalSource(places.data_dir, epoch=2) as source:
        commissioned, cleared = (each.entry for each in source.records())
    assert isinstance(commissioned, Commissioned)
    assert isinstance(cleared, RamCleared)
    assert (cleared.by, cleared.reason, cleared.epoch) == ("Ann", "sold", 1)
    assert cleared.seq > old_head.seq
    assert {meter.name: meter.value for meter in cleared.meters}.items() >= old_meters.items()
    assert cleared.record_digest == hashlib.sha256(record.read_bytes()).hexdigest()
    assert places.mirror_dir is not None
    assert (places.mirror_dir / RECORDS / record.name).read_bytes() == record.read_bytes()
    after = json.loads((record.parent / "SIM-1-epoch-1-after.json").read_bytes())
    assert (after["epoch"], after["credit_minor"], after["meters"]) == (2, 0, {})
    assert after["entries"] == ["SIM-1/2/1", "SIM-1/2/2"]

    archive = places.data_dir / ARCHIVE / "epoch-00001"
    sums = json.loads((archive / "sealed.json").read_bytes())["sha256"]
    assert "journal.sqlite" in sums
    for name, digest in sums.items():
        assert hashlib.sha256((archive / name).read_bytes()).hexdigest() == digest
    with JournalSource(archive, epoch=1) as source:
        assert source.head.seq == cleared.seq
    assert verify(capsys, places)["sound"]

    cabinet.boot()
    assert cabinet.books.meter("coin_in_minor") == 0
    cabinet.set_up()
    cabinet.insert_note(5_000)
    cabinet.sit_down()
    cabinet.bet(1, "ante", 500)
    cabinet.press("deal")
    assert cabinet.terminal.state.recorded.round is not None
    assert cabinet.terminal.state.recorded.round.opened.round_id == "r2-1"


def test_note_that_the_old_epoch_credited_is_not_credited_again_by_the_new_one(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture
) -> None:
    cabinet = new_cabinet()
    empty_handed(cabinet)
    (*_, credited) = [record.entry for record in cabinet.records() if isinstance(record.entry, NoteCredited)]
    cabinet.shut_down()
    ramclear(capsys, places, "--code", ramclear(capsys, places)["code"])
    boot_later(cabinet)
    number = int(credited.key.rpartition(":")[2])
    # A device that numbers its own keys begins behind this: a new note under an old key would be confirmed and lost.
    assert cabinet.terminal.state.recorded.last_events["notes"] >= number > 0
    cabinet.post_again(credited)
    cabinet.expect_credit(0)
    cabinet.insert_note(2_000)
    cabinet.expect_credit(2_000)


def test_memory_that_owes_a_player_is_refused_by_the_command(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture
) -> None:
    cabinet = new_cabinet()
    cabinet.insert_note(2_000)
    cabinet.shut_down()
    assert "credit of 20.00 CRD has to be paid out" in ramclear(capsys, places, status=2)
    assert not (places.data_dir / PLAN_NAME).exists()


def test_reason_and_name_are_asked_for(places: Places, capsys: Capture) -> None:
    words = ["ramclear", "--by", " ", "--reason", "x", "--data", str(places.data_dir)]
    assert run(words) == 2
    assert "--by and --reason" in capsys.readouterr().err
    with pytest.raises(NoJournalError):
        look(places, "SIM-1")


def test_damaged_memory_is_locked_until_the_clear_and_sound_after_it(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture
) -> None:
    cabinet = new_cabinet()
    cabinet.insert_note(2_000)
    cabinet.shut_down()
    assert places.mirror_dir is not None
    assert places.anchor_file is not None
    (log,) = places.mirror_dir.glob("log-*.bin")
    for path in (places.data_dir / "journal.sqlite", log):
        data = bytearray(path.read_bytes())
        data[data.index(b"note_credited") + 40] ^= 1
        path.write_bytes(data)
    for _ in range(2):
        cabinet.boot()
        cabinet.expect_faults(faults.MEMORY)
        cabinet.cut_power()
    shown = ramclear(capsys, places)
    assert shown["problems"]
    ramclear(capsys, places, "--code", shown["code"])
    boot_later(cabinet)
    cabinet.expect_faults()
    cabinet.insert_note(1_000)
    cabinet.expect_credit(1_000)
    assert verify(capsys, places)["sound"]


# --- power cut in the middle --------------------------------------------------------------------------------------


class PlugPulled(BaseException):
    """Ends the program wherever it is; nothing of the program catches it."""


def cleared_with_the_plug_pulled_at(mocker: MockerFixture, places: Places, before: Before, step: int) -> bool:
    """Clear, but the power goes at the so-many-th change of a folder; tells whether it went at all."""
    left = [step]
    for name in ("replace", "rename", "unlink"):
        real = getattr(os, name)

        def change(*arguments: Any, real: Any = real, **options: Any) -> Any:
            if left[0] == 0:
                raise PlugPulled
            left[0] -= 1
            return real(*arguments, **options)

        mocker.patch.object(os, name, change)
    try:
        clear(places, NEW, before, by="Ann", reason="sold", at_ms=1_800_000_000_000)
    except PlugPulled:
        return True
    finally:
        mocker.stopall()
    return False


def test_power_cut_at_every_step_leaves_the_old_epoch_or_the_new_one(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture, mocker: MockerFixture
) -> None:
    cabinet = new_cabinet()
    empty_handed(cabinet)
    cabinet.shut_down()
    epoch, step, seen = 1, 0, set[bool]()
    while True:
        before = look(places, "SIM-1")
        assert (before.epoch, before.problems) == (epoch, ())
        was_cut = cleared_with_the_plug_pulled_at(mocker, places, before, step)
        was_planned = (places.data_dir / PLAN_NAME).exists()
        assert was_planned or step == 0 or not was_cut or _is_old(places, epoch)
        seen.add(was_planned)
        if was_planned:
            assert finish(places)
            assert not finish(places)
        epoch = epoch + 1 if was_planned or not was_cut else epoch
        values = verify(capsys, places)
        assert (values["epoch"], values["sound"]) == (epoch, True)
        if not was_cut:
            break
        step += 1
    assert seen == {False, True}
    assert step > 8
    boot_later(cabinet)
    cabinet.expect_faults()
    assert cabinet.terminal.state.recorded.commissioned is not None
    assert cabinet.terminal.state.recorded.commissioned.epoch == epoch


def _is_old(places: Places, epoch: int) -> bool:
    with JournalSource(places.data_dir) as source:
        return source.commissioned.epoch == epoch


def test_terminal_finishes_a_clear_that_the_power_interrupted(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, mocker: MockerFixture
) -> None:
    cabinet = new_cabinet()
    empty_handed(cabinet)
    cabinet.shut_down()
    before, step = look(places, "SIM-1"), 0
    while not (places.data_dir / PLAN_NAME).exists():
        assert cleared_with_the_plug_pulled_at(mocker, places, before, step)
        step += 1
    boot_later(cabinet)
    commissioned = cabinet.terminal.state.recorded.commissioned
    assert commissioned is not None
    assert commissioned.epoch == 2
    assert not (places.data_dir / PLAN_NAME).exists()
    cabinet.expect_faults()


def test_money_of_two_kinds_never_shares_a_store(
    new_cabinet: Callable[..., CabinetUnderTest], places: Places, capsys: Capture, tmp_path: Path
) -> None:
    cabinet = new_cabinet()
    cabinet.shut_down()
    shown = ramclear(capsys, places)
    terminal = cabinet.settings.terminal
    cabinet.settings = cabinet.settings.model_copy(update={"terminal": terminal.model_copy(update={"mode": "demo"})})
    with pytest.raises(Exception, match="not of SIM-1"):
        cabinet.boot()
    config = tmp_path / "demo.toml"
    config.write_text(
        f'[terminal]\nid = "SIM-1"\nmode = "demo"\n[storage]\ndata_dir = "{places.data_dir}"\n', encoding="utf-8"
    )
    words = ["ramclear", "--by", "Ann", "--reason", "x", "--config", str(config), "--code", shown["code"]]
    assert run(words) == 2
    assert "give its own settings with --config" in capsys.readouterr().err
