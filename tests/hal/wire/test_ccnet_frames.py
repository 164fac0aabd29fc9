"""CCNET frames: every published frame both ways, in pieces, among noise, with every bit flipped."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.errors import LocalProtocolError, RemoteProtocolError
from hal.wire import ccnet_messages as message
from hal.wire.ccnet import Decoder, checksum, encode
from hal.wire.ccnet_messages import State
from tests.hal.wire.codec_checks import check_damage, check_noise_ends, check_reading, decoded

DOCUMENT: dict[str, Any] = json.loads((Path(__file__).parents[2] / "vectors" / "ccnet.json").read_text())
VECTORS: list[dict[str, Any]] = DOCUMENT["frames"]
NOISE = b"\x00\x03\x02\x00\x02\x03\x01\x33"


def data_of(name: str, sender: str) -> bytes:
    (vector,) = [v for v in VECTORS if (v["name"], v["from"]) == (name, sender)]
    return bytes.fromhex(vector["data"])


def test_every_vector_names_its_source() -> None:
    assert len(VECTORS) >= 40
    assert all(vector["source"] in DOCUMENT["sources"] for vector in VECTORS)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['from']} {vector['name']}")
def test_every_published_frame_is_built_read_and_guarded(vector: dict[str, Any]) -> None:
    raw, data = bytes.fromhex(vector["hex"]), bytes.fromhex(vector["data"])
    assert encode(data) == raw
    check_reading(Decoder, raw, data, NOISE)
    check_damage(Decoder, raw)


def test_our_commands_are_the_published_ones() -> None:
    for name, command in (
        ("ACK", message.ACK),
        ("NAK", message.NAK),
        ("RESET", message.RESET),
        ("SET SECURITY 0", message.SET_SECURITY),
        ("ENABLE all with escrow", message.enable_command(frozenset(range(24)))),
        ("DISABLE", message.enable_command(frozenset())),
        ("POLL", message.POLL),
        ("STACK", message.STACK),
        ("RETURN", message.RETURN),
        ("IDENTIFICATION", message.IDENTIFICATION),
        ("HOLD", message.HOLD),
        ("GET BILL TABLE", message.BILL_TABLE),
    ):
        assert command == data_of(name, "host"), name


STATES = {
    "power up": State(0x10),
    "power up with bill in validator": State(0x11),
    "power up with bill in stacker": State(0x12),
    "stacking": State(0x17),
    "busy for 1 s": State(0x1B, 10),
    "rejecting: inhibited": State(0x1C, 0x68),
    "failure: stack motor": State(0x47, 0x50),
    "escrow, bill type 2": State(0x80, 2),
    "stacked, bill type 2": State(0x81, 2),
    "returned, bill type 2": State(0x82, 2),
}


@pytest.mark.parametrize("name", STATES)
def test_states_are_understood(name: str) -> None:
    assert message.parse_state(data_of(name, "device")) == STATES[name]


def test_the_bill_table_gives_whole_units() -> None:
    table = message.parse_bill_table(data_of("bill table of roubles", "device"))
    wanted = [(row["currency"], row["value"]) for row in DOCUMENT["bill_table"]]
    assert [(bill.country, bill.value) for bill in table if bill.value] == wanted


def test_a_bill_worth_less_than_a_unit_has_no_value() -> None:
    row = bytes((25, *b"XTS", 0x82))
    assert message.parse_bill_table(row.ljust(120, b"\0"))[0].value == 0
    assert message.parse_bill_table(bytes((100, *b"XTS", 0x82)).ljust(120, b"\0"))[0].value == 1


def test_who_it_is() -> None:
    who = message.parse_identification(b"SM-RU1353".ljust(15) + b"41K70700PN88" + bytes(7))
    assert (who.part_number, who.serial) == ("SM-RU1353", "41K70700PN88")


def test_the_checksum_starts_at_nothing() -> None:
    assert checksum(b"123456789") == 0x2189  # check value of CRC-16/KERMIT; FFFF as start would give 6F91


def test_a_damaged_frame_takes_what_came_with_it_along() -> None:
    decoder = Decoder()
    decoder.feed(bytes.fromhex("02 03 06 14 67 D5") + encode(b"\x15"))
    with pytest.raises(RemoteProtocolError, match="02 03 06 14 67 d5"):
        decoder.next_frame()
    assert decoder.next_frame() is None
    assert decoded(decoder, encode(b"\x15")) == [b"\x15"]


@pytest.mark.parametrize("data", [b"", bytes(246)])
def test_our_own_impossible_frames_are_our_own_mistakes(data: bytes) -> None:
    with pytest.raises(LocalProtocolError):
        encode(data)


@given(st.binary(max_size=300))
def test_noise_ends_in_the_remote_error_or_in_silence(noise: bytes) -> None:
    check_noise_ends(Decoder, noise)


@given(st.lists(st.binary(min_size=1, max_size=244), max_size=4), st.integers(1, 9))
def test_any_frames_are_read_in_any_pieces(sent: list[bytes], size: int) -> None:
    assert decoded(Decoder(), b"".join(encode(data) for data in sent), size) == sent


@given(st.binary(max_size=130) | st.binary(min_size=120, max_size=120) | st.binary(min_size=34, max_size=34))
def test_message_parsers_end_only_in_the_remote_error(data: bytes) -> None:
    for parse in (message.parse_state, message.parse_bill_table, message.parse_identification):
        try:
            parse(data)
        except RemoteProtocolError:
            continue
