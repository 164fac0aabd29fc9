"""Emulated ccTalk devices answer the published requests with the published replies, byte for byte."""

import json
from pathlib import Path

import pytest

from hal.emulators.base import Emulator, ScriptError
from hal.emulators.cctalk_bus import CctalkWire
from hal.emulators.cctalk_coin import CctalkCoinAcceptor
from hal.emulators.cctalk_hopper import CctalkHopper
from hal.emulators.cctalk_line import crc_ccitt
from hal.emulators.cctalk_note import CctalkBillValidator
from hal.emulators.registry import emulator_class

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "cctalk.json").read_text())["frames"]
FRAMES = {vector["name"]: bytes.fromhex(vector["frame"]) for vector in VECTORS}


class Line:
    """A device and the time."""

    def __init__(self, device: Emulator) -> None:
        self.device = device
        self.now_ms = 0

    def ask(self, name: str) -> bytes:
        """Send a published request; return what comes within 50 ms."""
        return self.send(FRAMES[name])

    def send(self, data: bytes) -> bytes:
        self.device.receive(data, self.now_ms)
        self.now_ms += 50
        answer = self.device.output(self.now_ms)
        self.now_ms += 60
        return answer

    def wait(self, duration_ms: int) -> None:
        self.now_ms += duration_ms
        self.device.advance(self.now_ms)

    def do(self, line: str) -> None:
        self.device.do(line.split(), self.now_ms)


def check(line: Line, request: str, reply: str) -> None:
    assert line.ask(request) == FRAMES[reply], f"{request} -> {reply}"


@pytest.mark.parametrize("protocol", ["cctalk", "cctalk-coin", "cctalk-hopper", "cctalk-note", "id003"])
def test_the_registry_has_them(protocol: str) -> None:
    device = emulator_class(protocol)()
    assert device.protocol == protocol
    assert {"power_cut", "drop_next"} <= set(device.verbs())


def test_the_crc_is_the_published_one() -> None:
    assert crc_ccitt(b"123456789") == 0x31C3


def test_a_coin_acceptor_speaks_the_published_frames() -> None:
    line = Line(CctalkCoinAcceptor(echo=False, coins=(b"EU010A", b"......")))
    for request, reply in [
        ("simple poll", "acknowledge"),
        ("category", "category Coin Acceptor"),
        ("serial number", "serial number 5326681"),
        ("polling priority", "polling priority 200 ms"),
        ("coin id 1", "coin id EU010A"),
        ("inhibit none", "acknowledge"),
        ("master accept", "acknowledge"),
        ("sorter path coin 1 to 3", "acknowledge"),
        ("default sorter path 1", "acknowledge"),
        ("self check", "self check well"),
        ("read credit events", "credit events after reset"),
        ("reset", "acknowledge"),
    ]:
        check(line, request, reply)
    line.do("busy 1")
    check(line, "simple poll", "busy")
    check(line, "simple poll", "acknowledge")


def test_five_events_over_the_wrap_as_published() -> None:
    device = CctalkCoinAcceptor(echo=False)
    line = Line(device)
    for _ in range(254):
        device.happen(3, 1)
    for position in (3, 4, 5):
        device.happen(position, 1)
    check(line, "read credit events", "credit events 254 to 2")


def test_a_hopper_speaks_the_published_frames() -> None:
    line = Line(CctalkHopper(echo=False, register_count=2))
    check(line, "hopper test", "hopper test powered up and disabled")
    check(line, "dispense 5, serial form", "dispense refused")
    for request, reply in [
        ("hopper reset", "hopper acknowledge"),
        ("hopper test", "hopper test disabled"),
        ("hopper enable", "hopper acknowledge"),
        ("hopper serial number", "hopper serial number DF D7 0A"),
    ]:
        check(line, request, reply)
    line.device.receive(FRAMES["dispense 5, serial form"], line.now_ms)
    assert line.device.output(line.now_ms + 10) == FRAMES["dispense accepted, counter 1"]
    line.now_ms += 205
    check(line, "hopper status", "hopper busy")
    line.wait(500)
    check(line, "hopper status", "hopper done")


def test_a_hopper_remembers_over_a_power_cut_as_published() -> None:
    line = Line(CctalkHopper(echo=False))
    line.ask("hopper reset")
    line.ask("hopper enable")
    line.ask("dispense 5, serial form")
    line.wait(200)
    line.do("power_cut")
    line.do("power_on")
    check(line, "hopper status", "hopper power lost while paying")
    assert line.ask("hopper test")[4:7] == b"\xc0\x01\x01"


def test_an_emergency_stop_tells_what_remains_as_published() -> None:
    line = Line(CctalkHopper(echo=False))
    line.ask("hopper reset")
    line.ask("hopper enable")
    line.ask("dispense 5, serial form")
    line.wait(200)
    check(line, "emergency stop", "emergency stop, 2 remaining")
    check(line, "hopper status", "hopper short by 2")


def test_a_bill_validator_speaks_the_published_frames() -> None:
    line = Line(CctalkBillValidator(echo=False, crc=False))
    for request, reply in [
        ("bill simple poll", "bill acknowledge"),
        ("bill id 1", "bill id EU0005A"),
        ("bill mode stacker and escrow", "bill acknowledge"),
        ("bill inhibit none", "bill acknowledge"),
        ("bill master accept", "bill acknowledge"),
        ("route to stacker", "route refused, escrow empty"),
    ]:
        check(line, request, reply)
    line.do("insert_note 500")
    line.wait(600)
    check(line, "read bill events", "bill 1 in escrow")
    check(line, "route hold", "bill acknowledge")
    check(line, "route to stacker", "bill acknowledge")
    line.wait(600)
    check(line, "read bill events", "bill 1 stacked")


def test_the_crc_form_is_the_published_one() -> None:
    line = Line(CctalkBillValidator(echo=False))
    for request in ("crc simple poll", "crc reset", "crc inhibit none", "crc master accept"):
        check(line, request, "crc acknowledge")
    assert line.ask("bill simple poll") == b"", "the other form is not heard"
    line.device._answers[1] = lambda _: None  # type: ignore[attr-defined]
    check(line, "crc reset", "crc negative acknowledge")


def test_the_adapter_s_echo_comes_before_the_answer() -> None:
    line = Line(CctalkCoinAcceptor(echo=True))
    assert line.ask("simple poll") == FRAMES["simple poll"] + FRAMES["acknowledge"]
    line.do("set_echo 0")
    assert line.ask("simple poll") == FRAMES["acknowledge"]


def test_a_pause_within_a_frame_throws_it_away() -> None:
    line = Line(CctalkCoinAcceptor(echo=False))
    assert line.send(FRAMES["simple poll"][:3]) == b""
    assert line.send(FRAMES["simple poll"][3:]) == b""
    check(line, "simple poll", "acknowledge")


def test_damaged_and_foreign_frames_are_not_answered() -> None:
    line = Line(CctalkCoinAcceptor(echo=False))
    assert line.send(FRAMES["simple poll"][:-1] + b"\x00") == b""
    assert line.ask("hopper test") == b""
    assert line.ask("hopper test one register") == b""


def test_one_wire_has_three_devices_and_one_echo() -> None:
    line = Line(CctalkWire())
    assert line.ask("simple poll") == FRAMES["simple poll"] + FRAMES["acknowledge"]
    assert line.ask("hopper reset") == FRAMES["hopper reset"] + FRAMES["hopper acknowledge"]
    assert line.ask("crc simple poll") == FRAMES["crc simple poll"] + FRAMES["crc acknowledge"]
    line.do("silence 100")
    assert line.ask("simple poll") == FRAMES["simple poll"]
    for verb in ("drop_next", "corrupt_next"):
        line.do(verb)
        assert line.ask("simple poll") != FRAMES["simple poll"] + FRAMES["acknowledge"]
    line.do("power_cut")
    assert line.ask("simple poll") == b""
    line.do("power_on")
    assert line.ask("simple poll") == FRAMES["simple poll"] + FRAMES["acknowledge"]


def test_the_wire_s_verbs_reach_its_devices() -> None:
    wire = CctalkWire()
    line = Line(wire)
    for verb in ("jam coins", "jam notes", "remove_cash_box", "refill_hopper 10", "fill_stacker", "jam hopper"):
        line.do(verb)
    assert wire.coins.self_check() == b"\x03"
    assert wire.notes.self_check() == b"\x27"
    assert wire.hopper.coin_count == 60
    for verb in ("clear_jam coins", "clear_jam notes", "clear_jam hopper", "insert_cash_box"):
        line.do(verb)
    assert wire.notes.self_check() == b"\x00"
    with pytest.raises(ScriptError, match="no printer on this wire"):
        line.do("jam printer")


def test_coins_sorted_to_the_hopper_land_in_it() -> None:
    wire = CctalkWire(echo=False)
    line = Line(wire)
    line.ask("inhibit none")
    line.do("insert_coin 100")
    line.wait(200)
    assert wire.hopper.coin_count == 51


@pytest.mark.parametrize(
    ("device", "verb", "reason"),
    [
        (CctalkBillValidator, "insert_cash_box", "in already"),
        (CctalkHopper, "refill_hopper -1", "number of coins"),
        (CctalkCoinAcceptor, "change_serial 16777216", "three bytes"),
        (CctalkCoinAcceptor, "insert_note 500", "can't insert_note"),
    ],
)
def test_what_can_t_be_done_is_said(device: type[Emulator], verb: str, reason: str) -> None:
    with pytest.raises(ScriptError, match=reason):
        Line(device()).do(verb)


def test_notes_pushed_in_where_they_can_t_go_stay_in_the_mouth() -> None:
    device = CctalkBillValidator(echo=False)
    line = Line(device)
    line.do("insert_note 500")
    line.do("remove_cash_box")
    line.do("insert_note 1000")
    with pytest.raises(ScriptError, match="out already"):
        line.do("remove_cash_box")
    assert device.path.mouth == [500, 1_000]
