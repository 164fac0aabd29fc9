"""The emulated ID-003 acceptor answers the known requests with the known replies, byte for byte."""

import json
from pathlib import Path

import pytest

from hal.emulators.id003 import Id003Acceptor, kermit

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "id003.json").read_text())["frames"]
HOST = {vector["name"]: bytes.fromhex(vector["frame"]) for vector in VECTORS if vector["sender"] == "host"}
DEVICE = {vector["name"]: bytes.fromhex(vector["frame"]) for vector in VECTORS if vector["sender"] == "device"}


class Line:
    """The device and the time."""

    def __init__(self, device: Id003Acceptor) -> None:
        self.device = device
        self.now_ms = 0

    def ask(self, name: str) -> str:
        """Send a known request; return the name of the answer, or its bytes if it has none."""
        self.device.receive(HOST[name], self.now_ms)
        self.now_ms += 20
        answer = self.device.output(self.now_ms)
        return next((known for known, frame in DEVICE.items() if frame == answer), answer.hex(" "))

    def state(self) -> str:
        return self.ask("status")

    def wait(self, duration_ms: int) -> None:
        self.now_ms += duration_ms
        self.device.advance(self.now_ms)

    def do(self, line: str) -> None:
        self.device.do(line.split(), self.now_ms)


def running(device: Id003Acceptor | None = None) -> Line:
    line = Line(device or Id003Acceptor())
    assert line.ask("reset") == "acknowledge"
    line.wait(500)
    assert line.ask("all denominations on") == DEVICE_ECHO
    assert line.ask("accept") == "inhibit echoed"
    assert line.state() == "idle"
    return line


DEVICE_ECHO = HOST["all denominations on"].hex(" ")


def test_the_crc_is_the_published_one() -> None:
    assert kermit(b"123456789") == 0x2189


def test_it_starts_as_published() -> None:
    line = Line(Id003Acceptor())
    assert line.state() == "power up"
    assert line.ask("reset") == "acknowledge"
    assert line.state() == "initialize"
    line.wait(500)
    assert line.state() == "inhibited"
    assert line.ask("version") == "version text"
    assert line.ask("currency assignment") == "currency EUR 5 10 20 50 100"


@pytest.mark.parametrize("order", ["stack 1", "stack 2"])
def test_a_note_passes_through_the_published_states(order: str) -> None:
    line = running()
    line.do("insert_note 500")
    assert line.state() == "accepting"
    line.wait(500)
    assert line.state() == "escrow 61"
    assert line.ask("hold") == "acknowledge"
    assert line.state() == "holding"
    assert line.ask(order) == "acknowledge"
    assert line.state() == "stacking"
    line.wait(210)
    assert line.state() == ("vend valid" if order == "stack 1" else "stacking")
    line.wait(300)
    assert line.state() == "vend valid"
    assert line.state() == "vend valid"
    assert line.ask("acknowledge") == ""
    assert line.state() == "stacked"
    line.wait(500)
    assert line.state() == "idle"
    assert line.device.path.cash_box == [500]


def test_return_and_refusal() -> None:
    line = running()
    line.do("insert_note 5000")
    line.wait(600)
    assert line.state() == "escrow 64"
    assert line.ask("return") == "acknowledge"
    assert line.state() == "returning"
    line.wait(400)
    assert line.ask("return") == "invalid command"
    line.ask("inhibit")
    line.do("insert_note 5000")
    assert line.device.path.mouth == [5_000, 5_000]
    line.ask("accept")
    line.ask("denominations 82 off")
    line.do("insert_note 1000")
    line.wait(510)
    assert line.state() == "rejecting inhibited"


@pytest.mark.parametrize(
    ("verb", "state"),
    [
        ("jam", "jam in acceptor"),
        ("remove_cash_box", "stacker open"),
        ("fill_stacker", "stacker full"),
        ("trouble 71", "pause"),
        ("trouble 72", "cheated"),
        ("trouble 73 166", "failure transport motor"),
        ("trouble 74", "communication error"),
    ],
)
def test_trouble_is_shown_as_published(verb: str, state: str) -> None:
    line = running()
    line.do(verb)
    assert line.state() == state


def test_a_power_cut_leaves_the_bill_where_it_was() -> None:
    for moved_ms, state in ((100, "power up with bill in acceptor"), (250, "power up with bill in stacker")):
        line = running()
        line.do("insert_note 500")
        line.wait(600)
        line.ask("stack 2")
        line.wait(moved_ms - 20)
        line.do("power_cut")
        assert line.state() == ""
        line.do("power_on")
        assert line.state() == state
        line.ask("reset")
        line.wait(900)
        assert line.state() == ("inhibited" if moved_ms == 100 else "vend valid")


def test_damaged_frames_are_not_answered() -> None:
    line = running()
    damaged = HOST["status"][:-1] + b"\x00"
    line.device.receive(damaged, line.now_ms)
    assert line.device.output(line.now_ms + 50) == b""
    line.device.receive(b"\x00\xfc\x00" + HOST["status"], line.now_ms + 60)
    assert line.device.output(line.now_ms + 100) == DEVICE["idle"]


def test_settings_can_be_read_back() -> None:
    line = running()
    frame = bytes([0xFC, 5, 0x83])
    line.device.receive(frame + kermit(frame).to_bytes(2, "little"), line.now_ms)
    assert line.device.output(line.now_ms + 20)[2:4] == b"\x83\x00"
