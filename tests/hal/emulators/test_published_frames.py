"""The emulated note acceptors answer with the published frames, byte for byte."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hal.emulators.base import Emulator
from hal.emulators.ccnet import CcnetValidator
from hal.emulators.ebds import EbdsAcceptor
from hal.emulators.escpos import EscposPrinter
from hal.emulators.ssp import SspValidator
from hal.wire import ccnet, ebds, ssp

VECTORS = Path(__file__).parents[2] / "vectors"


def frames(protocol: str) -> dict[str, bytes]:
    """Published frames of the device, by name; EBDS's with their acknowledgement bit."""
    document: dict[str, Any] = json.loads((VECTORS / f"{protocol}.json").read_text())
    return {
        vector["name"] + (f" {vector['ack']}" if "ack" in vector else ""): bytes.fromhex(vector["hex"])
        for vector in document["frames"]
        if vector["from"] == "device"
    }


SSP, CCNET, EBDS = frames("ssp"), frames("ccnet"), frames("ebds")


class Line:
    """A device and a clock."""

    def __init__(self, device: Emulator, wrap: Callable[[bytes], bytes]) -> None:
        self.device = device
        self.now_ms = 1_000
        self._wrap = wrap

    def wait(self, duration_ms: int) -> None:
        self.now_ms += duration_ms
        self.device.advance(self.now_ms)

    def raw(self, data: bytes) -> bytes:
        """Send bytes; return the answer."""
        self.device.receive(data, self.now_ms)
        self.now_ms += 50
        return self.device.output(self.now_ms)

    def ask(self, data: bytes) -> bytes:
        return self.raw(self._wrap(data))

    def do(self, line: str) -> None:
        self.device.do(line.split(), self.now_ms)


class SspLine(Line):
    def __init__(self) -> None:
        super().__init__(SspValidator(), self.frame)
        self.sequence = 1
        assert self.ask(b"\x11") == SSP["OK, sequence 1"]
        self.sequence = 0
        for command in (b"\x06\x07", b"\x02\xff\xff", b"\x0a", b"\x56"):
            assert self.ask(command)

    def frame(self, data: bytes) -> bytes:
        raw = ssp.encode(ssp.Frame(self.sequence, 0, data))
        self.sequence ^= 1
        return raw

    def poll(self, sequence: int) -> bytes:
        """Poll with this sequence bit, after another command if need be."""
        if self.sequence != sequence:
            self.ask(b"\x0c")
        return self.ask(b"\x56")


def test_ssp_note_from_mouth_to_cash_box() -> None:
    line = SspLine()
    line.do("insert_note 1000")
    line.wait(100)
    assert line.poll(1) == SSP["read, value unknown yet"]
    line.wait(500)
    assert line.poll(0) == SSP["channel 2 in escrow"]
    line.ask(b"\x56")
    line.wait(250)
    assert line.poll(1) == SSP["credit channel 2 and stacking"]
    line.ask(b"\x57")
    line.wait(300)
    assert line.poll(0) == SSP["stacked"]


@pytest.mark.parametrize(
    ("verb", "sequence", "name"),
    [
        ("jam", 0, "safe jam: the checksum holds a stuffed 7F"),
        ("fraud 1000", 0, "fraud attempt on channel 2"),
    ],
)
def test_ssp_troubles(verb: str, sequence: int, name: str) -> None:
    line = SspLine()
    line.do(verb)
    assert line.poll(sequence) == SSP[name]


def test_ssp_other_answers() -> None:
    line = SspLine()
    line.sequence = 1
    line.ask(b"\x0c")
    assert line.ask(b"\x09")
    assert line.poll(0) == SSP["disabled"]
    line.sequence = 1
    assert line.ask(b"\x0c") == SSP["serial number 1873452"]


def test_ssp_repeats_its_answer_to_the_same_sequence_bit_and_executes_nothing() -> None:
    line = SspLine()
    line.do("insert_note 1000")
    line.wait(700)
    shown = line.poll(0)
    for _ in range(3):
        line.sequence = 0
        assert line.ask(b"\x56") == shown
    assert line.device.path.place == "escrow"  # type: ignore[attr-defined]


def test_ssp_power_lost_with_a_note_before_the_lever_and_after_it() -> None:
    for wait_ms, name in ((100, b"\xe1\x02"), (300, b"\xe2\x02")):
        line = SspLine()
        line.do("insert_note 1000")
        line.wait(700)
        line.poll(0)
        line.ask(b"\x56")
        line.wait(wait_ms)
        line.do("restart")
        line.sequence = 1
        assert name in line.ask(b"\x56")


def ccnet_line(device: CcnetValidator) -> Line:
    line = Line(device, ccnet.encode)
    assert line.ask(b"\x33") == CCNET["power up"]
    assert line.ask(b"\x30") == CCNET["ACK"]
    assert line.ask(b"\x33") == CCNET["initialize"]
    line.wait(1_000)
    assert line.ask(b"\x33") == CCNET["disabled"]
    line.ask(b"\x34" + b"\xff" * 6)
    return line


def test_ccnet_note_from_mouth_to_cash_box() -> None:
    line = ccnet_line(CcnetValidator())
    assert line.ask(b"\x33") == CCNET["idling"]
    line.do("insert_note 2000")
    assert line.ask(b"\x33") == CCNET["accepting"]
    line.wait(500)
    assert line.ask(b"\x33") == CCNET["escrow, bill type 2"]
    assert line.ask(b"\x35") == CCNET["ACK"]
    assert line.ask(b"\x33") == CCNET["stacking"]
    line.wait(500)
    for _ in range(3):
        assert line.ask(b"\x33") == CCNET["stacked, bill type 2"]
    assert line.ask(b"\xff") == CCNET["stacked, bill type 2"]
    line.ask(b"\x00")
    assert line.ask(b"\x33") == CCNET["idling"]


def test_ccnet_return_and_troubles() -> None:
    line = ccnet_line(CcnetValidator())
    line.do("insert_note 2000")
    line.wait(600)
    assert line.ask(b"\x36") == CCNET["ACK"]
    assert line.ask(b"\x33") == CCNET["returning"]
    line.wait(500)
    assert line.ask(b"\x33") == CCNET["returned, bill type 2"]
    line.ask(b"\x00")
    for verb, name in (
        ("jam", "validator jammed"),
        ("remove_cash_box", "cassette out of position"),
        ("fill_stacker", "cassette full"),
        ("fraud", "cheated"),
    ):
        other = ccnet_line(CcnetValidator())
        other.do(verb)
        assert other.ask(b"\x33") == CCNET[name]
    assert line.raw(ccnet.encode(b"\x33")[:-1] + b"\x00") == CCNET["NAK"]


def test_ccnet_bill_table_of_roubles() -> None:
    roubles = tuple(("RUS", value, exponent) for value, exponent in ((1, 1), (5, 1), (1, 2), (5, 2), (1, 3), (5, 3)))
    assert ccnet_line(CcnetValidator(bills=roubles)).ask(b"\x41") == CCNET["bill table of roubles"]


@pytest.mark.parametrize(
    ("wait_ms", "name"), [(100, "power up with bill in validator"), (300, "power up with bill in stacker")]
)
def test_ccnet_power_lost_with_a_bill_inside(wait_ms: int, name: str) -> None:
    line = ccnet_line(CcnetValidator())
    line.do("insert_note 2000")
    line.wait(600)
    line.ask(b"\x35")
    line.wait(wait_ms)
    line.do("restart")
    assert line.ask(b"\x33") == CCNET[name]


class EbdsLine(Line):
    def __init__(self) -> None:
        super().__init__(EbdsAcceptor(), self.frame)
        self.ack = 0
        self.ask(b"\x7f\x10\x04")

    def frame(self, data: bytes) -> bytes:
        raw = ebds.encode(ebds.Frame(ebds.HOST, self.ack, data))
        self.ack ^= 1
        return raw

    def poll(self, ack: int = 1, orders: int = 0x10) -> bytes:
        if self.ack != ack:
            self.ask(bytes((0x7F, 0x10, 4)))
        return self.ask(bytes((0x7F, orders, 4)))


def test_ebds_note_from_mouth_to_cash_box() -> None:
    line = EbdsLine()
    assert line.poll() == EBDS["idle 1"]
    assert line.poll(0) == EBDS["idle 0"]
    line.do("insert_note 500")
    line.wait(300)
    assert line.poll() == EBDS["accepting 1"]
    line.wait(200)
    assert line.poll() == EBDS["escrowed, bill 3 1"]
    assert line.poll(0, 0x30) == EBDS["stacking 0"][:5] + b"\x18" + EBDS["stacking 0"][6:-1] + b"\x28"
    line.wait(450)
    assert line.poll() == EBDS["stacked, bill 3 1"]
    line.ack = 1
    assert line.poll() == EBDS["stacked, bill 3 1"], "the same bit: the same answer"
    assert line.poll(0) == EBDS["idle 0"]


def test_ebds_return_and_troubles() -> None:
    line = EbdsLine()
    line.do("insert_note 500")
    line.wait(600)
    line.poll(0, 0x50)
    assert line.poll() == EBDS["returning 1"]
    line.poll(0)
    line.wait(400)
    assert line.poll() == EBDS["returned 1"]
    for verb, name in (("remove_cash_box", "cash box absent 1"), ("jam", "jammed 1"), ("fraud", "cheated 1")):
        other = EbdsLine()
        other.do(verb)
        assert other.poll() == EBDS[name]
    fresh = EbdsAcceptor()
    fresh.receive(ebds.encode(ebds.Frame(1, 1, b"\x7f\x10\x04")), 10)
    assert fresh.output(100) == EBDS["power up 1"]


def test_printer_answers_with_the_published_status_bytes() -> None:
    rows = json.loads((VECTORS / "escpos.json").read_text())["status"]
    for verb, question, name in (
        ("", 1, "online"),
        ("", 2, "nothing wrong"),
        ("", 3, "no error"),
        ("", 4, "paper there"),
        ("open_cover", 2, "cover open"),
        ("open_cover", 1, "offline"),
        ("jam", 3, "cutter"),
        ("break_down", 3, "unrecoverable"),
        ("paper_low", 4, "paper near its end"),
        ("paper_out", 4, "paper out"),
        ("paper_out", 2, "paper end stop"),
    ):
        line = Line(EscposPrinter(), bytes)
        if verb:
            line.do(verb)
        (wanted,) = [bytes.fromhex(row["hex"]) for row in rows if row["name"] == name]
        assert line.ask(bytes((0x10, 0x04, question))) == wanted, name
