"""At the terminal: committed before the first chip, dealt as committed, secret until the shoe is finished, whatever
happens to the power in between."""

import contextlib
import io
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from display.motion import still
from display.scenes import compose
from display.view_model import View
from firmware.cli import run
from firmware.entries.fairness import ShoeCut, ShoePrepared
from firmware.entries.types import RoundOpened, RoundSettled
from firmware.errors import InvariantError
from firmware.fairness.commitment import commitment_of, cut
from firmware.fairness.verify import verify_record, verify_text
from firmware.presenter.fairness import grouped
from firmware.terminal.evolve import fold
from firmware.terminal.state import Recorded
from tests.support.cabinet import CabinetUnderTest

CARRIED = "six_decks_blackjack"


def shown(cabinet: CabinetUnderTest) -> str:
    """The commitment on the table."""
    table = cabinet.view.table
    assert table is not None
    return table.commitment


def entries(cabinet: CabinetUnderTest, kind: type) -> list[Any]:
    return [record.entry for record in cabinet.records() if isinstance(record.entry, kind)]


def words(value: object) -> str:
    return repr(value)


def seat(cabinet: CabinetUnderTest, game: str = "oasis") -> None:
    cabinet.insert_note(10_000)
    cabinet.sit_down(game)


def bet_and_deal(cabinet: CabinetUnderTest, line: str = "ante") -> None:
    cabinet.bet(1, line, 500)
    cabinet.press("deal")


def finish(cabinet: CabinetUnderTest) -> None:
    """Play the hand to its end: fold or stand."""
    for _ in range(20):
        table = cabinet.view.table
        if table is None or table.phase != "deciding":
            return
        names = [button.id.removeprefix("button:") for button in cabinet.view.buttons if button.enabled]
        cabinet.press(next(name for name in ("no_insurance", "no_surrender", "fold", "stand") if name in names))


def audit(cabinet: CabinetUnderTest, *arguments: str) -> Any:
    """What the audit prints as JSON, read beside the running terminal."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert run(["audit", *arguments, "--data", str(cabinet.settings.storage.data_dir), "--json"]) == 0
    return json.loads(out.getvalue())


def records(cabinet: CabinetUnderTest) -> list[dict[str, Any]]:
    return [values["record"] for values in audit(cabinet, "rounds")["rounds"]]


def test_commitment_is_recorded_and_on_the_screen_before_the_first_chip(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    (prepared,) = entries(cabinet, ShoePrepared)
    assert shown(cabinet) == prepared.commitment == commitment_of(prepared.shoe_id, prepared.salt, prepared.order)
    bet_and_deal(cabinet)
    (opened,) = entries(cabinet, RoundOpened)
    assert (opened.shoe_id, opened.shoe) == (prepared.shoe_id, prepared.order)
    assert shown(cabinet) == prepared.commitment  # of the cards on the table, all through the hand


def test_next_shoe_is_prepared_in_the_transaction_that_settles_the_hand(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    cabinet.bet(1, "ante", 500)
    commits = cabinet.count_commits()
    cabinet.press("deal")
    finish(cabinet)
    assert cabinet.count_commits() - commits == 2
    first, second = entries(cabinet, ShoePrepared)
    assert first.commitment != second.commitment == shown(cabinet)
    kinds = [type(record.entry) for record in cabinet.records()]
    assert kinds.index(RoundSettled) < len(kinds) - 1 - kinds[::-1].index(ShoePrepared)


def test_every_round_is_verified_by_its_exported_record_and_the_note_of_the_player(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    noted = []
    for number in range(4):
        noted.append(shown(cabinet)[:16])
        cut_at(cabinet, number * 10)
        bet_and_deal(cabinet)
        finish(cabinet)
    exported = records(cabinet)
    assert len(exported) == 4
    for number, (record, note) in enumerate(zip(exported, noted, strict=True)):
        assert record["fairness"]["cut"] == number * 10
        checks = verify_record(record, note)
        assert all(check.is_right for check in checks), checks


def test_a_typed_number_is_mixed_in_recorded_and_verified(cabinet: CabinetUnderTest) -> None:
    """4711 divided by 52 leaves 31: so many cards go under the others, and everybody can repeat it."""
    seat(cabinet)
    note = shown(cabinet)[:16]
    cabinet.touch("fairness")
    cabinet.touch("button:digit:9")  # nothing is typed before the row is touched
    cabinet.touch("page:row:number")
    for key in ("4", "7", "1", "2", "erase", "1"):
        cabinet.touch(f"button:digit:{key}")
    page = cabinet.view.page
    assert page is not None
    assert "4711" in [row.value for row in page.rows]
    cabinet.touch("button:digit:done")
    assert cabinet.view.page is not None
    assert not cabinet.view.page.pad
    cabinet.press("back")
    bet_and_deal(cabinet)
    (recorded,) = entries(cabinet, ShoeCut)
    assert recorded.position == 4711 % 52 == 31
    finish(cabinet)
    (record,) = records(cabinet)
    assert record["fairness"]["cut"] == 31
    assert all(check.is_right for check in verify_record(record, note))


def test_a_number_is_typed_only_while_the_next_shoe_can_be_cut(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    cabinet.touch("fairness")
    cabinet.touch("page:row:number")
    for _ in range(12):
        cabinet.touch("button:digit:9")
    assert cabinet.terminal.state.screen.pages.typed == "9" * 9
    cabinet.touch("button:digit:x")
    cabinet.touch("button:digit:²")
    assert cabinet.terminal.state.screen.pages.typed == "9" * 9
    cabinet.press("digit:done")
    cabinet.press("back")
    bet_and_deal(cabinet)
    cabinet.touch("fairness")
    cabinet.touch("page:row:number")
    cabinet.touch("button:digit:3")
    assert cabinet.terminal.state.screen.cut == 0
    assert cabinet.view.page is None or not cabinet.view.page.pad


def typed(cabinet: CabinetUnderTest) -> str | None:
    """The digits of the player's number so far, None while no number is typed."""
    return cabinet.terminal.state.screen.pages.typed


def test_a_number_is_typed_by_the_twelve_physical_buttons_alone(cabinet: CabinetUnderTest) -> None:
    """From the table to the page, the keypad, back and the deal: no touch. The buttons count as the keypad does."""
    seat(cabinet)
    for button in ("b11", "b11", "b7"):
        cabinet.press(button)
    lamps = dict(cabinet.world.readings.lamps)
    assert [lamps.get(f"b{number}") for number in range(1, 13)] == ["on"] * 12
    for button in ("b4", "b7", "b1", "b10", "b11", "b1"):  # 4 7 1 0 erase 1
        cabinet.press(button)
    assert typed(cabinet) == "4711"
    cabinet.press("b12")
    assert typed(cabinet) is None
    assert cabinet.terminal.state.screen.cut == 4711 % 52
    cabinet.press("b9")
    cabinet.expect_mode("table")
    bet_and_deal(cabinet)
    assert [made.position for made in entries(cabinet, ShoeCut)] == [4711 % 52]


def test_a_page_on_which_a_number_is_typed_can_be_left_at_once(cabinet: CabinetUnderTest) -> None:
    for way in ("page:back", "key:escape"):
        if cabinet.view.mode != "table":
            seat(cabinet)
        cabinet.touch("fairness")
        cabinet.touch("page:row:number")
        cabinet.touch(way)
        cabinet.expect_mode("table")
        cabinet.touch("fairness")
        assert cabinet.view.page is not None
        assert not cabinet.view.page.pad
        cabinet.press("back")


def test_every_key_that_is_drawn_beside_a_typed_number_does_something(cabinet: CabinetUnderTest) -> None:
    def open_pad() -> View:
        seat(cabinet)
        cabinet.touch("fairness")
        cabinet.touch("page:row:number")
        cabinet.touch("button:digit:7")
        return cabinet.view

    before = open_pad()
    keys = {
        hit.target for hit in compose(before, still(before), 0).targets() if hit.target.startswith(("page:", "button:"))
    }
    assert {"page:back", "button:digit:1", "button:digit:done"} <= keys
    for key in sorted(keys):
        cabinet.touch(key)
        assert cabinet.view != before, f"{key} does nothing"
        while cabinet.view.mode == "page":
            cabinet.touch("page:back")
        before = open_pad()


def cut_at(cabinet: CabinetUnderTest, count: int) -> None:
    cabinet.touch("fairness")
    for _ in range(count // 10):
        cabinet.press("cut_deep")
    cabinet.press("back")


def test_cut_goes_round_and_back_and_belongs_to_one_round(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    cabinet.touch("fairness")
    cabinet.press("cut_less")
    assert cabinet.terminal.state.screen.cut == 51
    cabinet.press("cut_more")
    assert cabinet.terminal.state.screen.cut == 0
    for _ in range(3):
        cabinet.press("cut_deep")
    cabinet.press("back")
    bet_and_deal(cabinet)
    finish(cabinet)
    (prepared, _), (made,) = entries(cabinet, ShoePrepared), entries(cabinet, ShoeCut)
    assert made.position == 30
    assert entries(cabinet, RoundOpened)[0].shoe == cut(prepared.order, 30)
    bet_and_deal(cabinet)
    assert len(entries(cabinet, ShoeCut)) == 1


def test_cut_in_mid_hand_is_refused(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    bet_and_deal(cabinet)
    cabinet.touch("fairness")
    before = cabinet.view
    cabinet.press("cut_deep")
    assert cabinet.terminal.state.screen.cut == 0
    assert [button.enabled for button in before.buttons if button.id.startswith("button:cut")] == [False] * 3


@pytest.mark.parametrize("game", ["oasis", "baccarat", CARRIED])
def test_power_cut_at_each_step_keeps_commitment_order_and_cut(cabinet: CabinetUnderTest, game: str) -> None:
    seat(cabinet, game)
    line = {"oasis": "ante", "baccarat": "player", CARRIED: "bet"}[game]
    promised = shown(cabinet)

    def again() -> None:
        cabinet.cut_power()
        cabinet.boot()
        if cabinet.view.mode != "table":
            cabinet.sit_down(game)

    again()
    assert shown(cabinet) == promised
    cut_at(cabinet, 20)
    bet_and_deal(cabinet, line)
    (prepared, *_), (opened,) = entries(cabinet, ShoePrepared), entries(cabinet, RoundOpened)
    assert prepared.commitment == promised
    assert opened.shoe == cut(prepared.order, 20)
    again()
    live = cabinet.terminal.state.live or cabinet.terminal.state.last
    assert live is not None
    assert live.shoe.shoe_id == prepared.shoe_id
    finish(cabinet)
    next_promised = shown(cabinet)
    again()
    assert shown(cabinet) == next_promised
    assert len(entries(cabinet, ShoePrepared)) == (1 if game == CARRIED else 2)


def secrets_of(prepared: ShoePrepared) -> tuple[str, ...]:
    """Salt, plain and as the page writes it, and a stretch of the order that no table shows by chance."""
    return prepared.salt, grouped(prepared.salt), prepared.order[20:60]


@pytest.mark.parametrize("game", ["oasis", CARRIED])
def test_neither_view_nor_audit_tells_salt_or_order_before_the_shoe_is_finished(
    cabinet: CabinetUnderTest, game: str
) -> None:
    views: list[View] = []
    cabinet.terminal.on_view = views.append
    seat(cabinet, game)
    cabinet.touch("fairness")
    cabinet.press("cut_more")
    cabinet.press("back")
    bet_and_deal(cabinet, "bet" if game == CARRIED else "ante")
    cabinet.touch("fairness")
    cabinet.press("back")
    (prepared, *_) = entries(cabinet, ShoePrepared)
    told = [words(views), *(json.dumps(audit(cabinet, report)) for report in ("events", "rounds", "export", "meters"))]
    assert not any(secret in text for secret in secrets_of(prepared) for text in told)
    assert any(prepared.commitment in text for text in told)
    finish(cabinet)
    cabinet.touch("fairness")
    after = [words(cabinet.view), json.dumps(audit(cabinet, "export")), json.dumps(audit(cabinet, "rounds"))]
    page = cabinet.view.page
    assert page is not None
    assert bool(page.qr) == (game != CARRIED)
    if game == CARRIED:  # the shoe goes on, and so does its secret
        assert not any(secret in text for secret in secrets_of(prepared) for text in after)
    else:
        assert grouped(prepared.salt) in after[0]
        assert prepared.salt in after[1]
        assert prepared.salt in after[2]
    hidden = entries(cabinet, ShoePrepared)[-1]
    assert not any(secret in text for secret in secrets_of(hidden) for text in after)


def test_carried_shoe_is_told_when_the_next_one_is_prepared(cabinet: CabinetUnderTest) -> None:
    cabinet.insert_note(10_000)
    cabinet.sit_down(CARRIED)
    first = shown(cabinet)
    for _ in range(200):
        if shown(cabinet) != first:
            break
        if cabinet.view.credit_minor < 1_000:
            cabinet.insert_note(10_000)
        cabinet.bet(1, "bet", 100)
        cabinet.press("deal")
        finish(cabinet)
        proved = ["fairness" in record for record in records(cabinet)[-1:]]
        assert proved == [shown(cabinet) != first]
    exported = records(cabinet)
    assert len(exported) > 10
    assert exported[-1]["fairness"]["first_card"] > 200
    for record in exported[::7] + exported[-1:]:
        assert all(check.is_right for check in verify_record(record, first))


def test_proof_is_on_the_page_with_a_qr_code(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    bet_and_deal(cabinet)
    finish(cabinet)
    cabinet.touch("fairness")
    page = cabinet.view.page
    assert page is not None
    assert len(page.qr) == len(page.qr[0]) > 40
    assert set("".join(page.qr)) == {"0", "1"}
    cabinet.press("back")
    cabinet.expect_mode("table")


def test_laid_down_cards_are_dealt_without_a_commitment_and_the_prepared_shoe_is_not_reused(
    cabinet: CabinetUnderTest,
) -> None:
    seat(cabinet)
    cabinet.lay("As 9c Ah 9d 4h 2s 8h Jc Tc Kd 7s")
    bet_and_deal(cabinet)
    assert shown(cabinet) == ""
    finish(cabinet)
    (record,) = records(cabinet)
    assert "fairness" not in record
    assert len({prepared.shoe_id for prepared in entries(cabinet, ShoePrepared)}) == 2


def forged(change: Callable[[Any], Any], kind: type, cabinet: CabinetUnderTest) -> list[Any]:
    return [
        replace(record, entry=change(record.entry)) if isinstance(record.entry, kind) else record
        for record in cabinet.records()
    ]


def test_journal_whose_deal_is_not_the_committed_one_is_a_contradiction(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    cut_at(cabinet, 10)
    bet_and_deal(cabinet)
    fold(Recorded(), cabinet.records())
    with pytest.raises(InvariantError, match="not in the order that was committed to"):
        fold(Recorded(), forged(lambda e: replace(e, position=11), ShoeCut, cabinet))
    with pytest.raises(InvariantError, match="not in the order that was committed to"):
        fold(Recorded(), forged(lambda e: replace(e, shoe=e.shoe[2:] + e.shoe[:2]), RoundOpened, cabinet))
    with pytest.raises(InvariantError, match="do not give its commitment"):
        fold(Recorded(), forged(lambda e: replace(e, salt="0" * 32), ShoePrepared, cabinet))


def test_proof_of_an_older_hand_is_reached_from_its_picture(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    for _ in range(3):
        bet_and_deal(cabinet)
        finish(cabinet)
    for name in ("help", "topic:hands", "older", "topic:fairness"):
        cabinet.press(name)
    second = entries(cabinet, ShoePrepared)[1]
    assert grouped(second.salt) in words(cabinet.view)
    cabinet.press("older")
    assert grouped(second.salt) not in words(cabinet.view)


def test_cut_and_proof_are_reached_by_physical_buttons_alone(cabinet: CabinetUnderTest) -> None:
    seat(cabinet)
    for button in ("b11", "b11", "b5", "b4", "b9"):
        cabinet.press(button)
    assert cabinet.terminal.state.screen.cut == 11
    cabinet.expect_mode("table")
    bet_and_deal(cabinet)
    assert [made.position for made in entries(cabinet, ShoeCut)] == [11]


@pytest.mark.parametrize("reader", [name for name in ("zbarimg",) if shutil.which(name)])
@pytest.mark.parametrize(("game", "line"), [("oasis", "ante"), ("baccarat", "player")])
def test_qr_code_is_read_from_the_screen_by_a_camera_program(
    reader: str, game: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "a.script"
    end = "press fold\n" if game == "oasis" else ""
    script.write_text(
        f"boot\ninsert_note 5000\nsit_down {game}\nbet 1 {line} 500\npress deal\n{end}touch fairness\nscreenshot qr\n"
    )
    folders = ["--data", str(tmp_path / "data"), "--screenshots", str(tmp_path)]
    assert run(["sim", "--headless", "--script", str(script), "--size", "1280x720", *folders]) == 0
    read = subprocess.run([reader, "-q", "--raw", str(tmp_path / "qr.png")], capture_output=True, text=True, check=True)
    capsys.readouterr()
    assert all(check.is_right for check in verify_text(read.stdout))
