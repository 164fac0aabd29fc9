"""What ID-003 frames say, and that the two directions are told apart."""

import json
from pathlib import Path

import pytest

from hal.errors import RemoteProtocolError
from hal.wire import id003_messages as message
from hal.wire.id003 import Frame
from hal.wire.id003_messages import Command, Denomination, State, Status

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "id003.json").read_text())["frames"]


def frame(name: str, sender: str) -> Frame:
    vector = next(vector for vector in VECTORS if (vector["name"], vector["sender"]) == (name, sender))
    return Frame(vector["code"], bytes.fromhex(vector["data"]))


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("status", message.STATUS),
        ("reset", message.RESET),
        ("stack 1", Frame(Command.STACK_1)),
        ("stack 2", Frame(Command.STACK_2)),
        ("return", message.RETURN),
        ("hold", message.HOLD),
        ("acknowledge", message.ACK),
        ("version", message.VERSION),
        ("currency assignment", message.CURRENCY),
        ("inhibit", message.INHIBIT),
        ("accept", message.ACCEPT),
        ("communication poll", message.POLLED),
        ("security normal", message.NORMAL_SECURITY),
        ("direction any", message.ANY_DIRECTION),
        ("options power recovery", message.POWER_RECOVERY),
        ("all denominations on", message.denominations(frozenset(range(0x61, 0x71)))),
    ],
)
def test_our_commands_are_the_published_ones(name: str, command: Frame) -> None:
    assert command == frame(name, "host")


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("idle", Status(State.IDLE)),
        ("escrow 64", Status(State.ESCROW, 0x64)),
        ("barcode ticket", Status(State.ESCROW, 0x6F)),
        ("vend valid", Status(State.VEND_VALID)),
        ("rejecting inhibited", Status(State.REJECTING, 0x79)),
        ("failure transport motor", Status(State.FAILURE, 0xA6)),
        ("power up with bill in stacker", Status(State.POWER_UP_IN_STACKER)),
        ("stacker full", Status(State.STACKER_FULL)),
    ],
)
def test_states_are_read(name: str, status: Status) -> None:
    assert message.parse_status(frame(name, "device")) == status


def test_the_same_bytes_are_a_command_one_way_and_a_state_the_other() -> None:
    for code in range(0x40, 0x45):
        assert Command(code).name != State(code).name
    assert message.parse_status(message.RESET).state is State.POWER_UP
    assert message.parse_status(message.RETURN).state is State.STACKER_FULL


@pytest.mark.parametrize(
    "wrong", [Frame(0x50), Frame(0x4B), Frame(0x05), Frame(0x11, b"\0"), Frame(0x13), Frame(0x15, b"\0")]
)
def test_what_is_no_state_is_the_remote_side_s_mistake(wrong: Frame) -> None:
    with pytest.raises(RemoteProtocolError):
        message.parse_status(wrong)


def test_the_currency_assignment_is_read() -> None:
    rows = message.parse_currency(frame("currency EUR 5 10 20 50 100", "device").data)
    assert rows == tuple(Denomination(0x61 + at, "EUR", value) for at, value in enumerate((5, 10, 20, 50, 100)))


def test_unused_rows_are_left_out_and_unknown_countries_match_no_currency() -> None:
    assert message.parse_currency(bytes.fromhex("61 00 00 00 62 FE 01 01")) == (Denomination(0x62, "?", 10),)


@pytest.mark.parametrize("data", [b"", b"\x61\xe0\x05", b"\x60\xe0\x05\x00", b"\x71\xe0\x05\x00", b"\x61\xe0\x05\x0a"])
def test_a_currency_assignment_of_the_wrong_shape_is_refused(data: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        message.parse_currency(data)


def test_the_denominations_mask_disables_all_but_the_named() -> None:
    command = message.denominations(frozenset((0x61, 0x68, 0x69)))
    assert command == Frame(Command.SET_DENOMINATIONS, b"\x7e\xfe")
    assert message.taken_by(command) == {0x61, 0x68, 0x69}


@pytest.mark.parametrize(
    ("code", "fault"), [(0xA2, "motor"), (0xAB, "cash_box_removed"), (0xB1, "internal"), (0x01, "internal")]
)
def test_a_failure_has_a_fault_code(code: int, fault: str) -> None:
    assert message.failure(code)[0] == fault
    assert f"{code:02X}" in message.failure(code)[1]
