"""EBDS frames: every published frame both ways, in pieces, among noise, with every bit flipped."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.errors import LocalProtocolError, RemoteProtocolError
from hal.wire import ebds
from hal.wire import ebds_messages as message
from hal.wire.ebds import Frame, encode
from tests.hal.wire.codec_checks import check_damage, check_noise_ends, check_reading, decoded

DOCUMENT: dict[str, Any] = json.loads((Path(__file__).parents[2] / "vectors" / "ebds.json").read_text())
VECTORS: list[dict[str, Any]] = DOCUMENT["frames"]
NOISE = b"\x00\x0b\x02\x00\x02\x0b\x2e\x03"


def make() -> ebds.Decoder:
    return ebds.Decoder(frozenset((ebds.HOST, ebds.ACCEPTOR, ebds.AUXILIARY, ebds.EXTENDED)))


def frame_of(vector: dict[str, Any]) -> Frame:
    return Frame(vector["kind"], vector["ack"], bytes.fromhex(vector["data"]))


def status_of(name: str) -> message.Status:
    (vector,) = [v for v in VECTORS if v["name"] == name and v["ack"] == 1]
    return message.parse_status(frame_of(vector).data)


def test_every_vector_names_its_source() -> None:
    assert len(VECTORS) >= 45
    assert all(vector["source"] in DOCUMENT["sources"] for vector in VECTORS)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['name']} {vector['ack']}")
def test_every_published_frame_is_built_read_and_guarded(vector: dict[str, Any]) -> None:
    raw = bytes.fromhex(vector["hex"])
    assert encode(frame_of(vector)) == raw
    check_damage(make, raw)
    device = ebds.Decoder(frozenset((vector["kind"],)))
    assert decoded(device, raw) == [frame_of(vector)]
    check_reading(lambda: ebds.Decoder(frozenset((vector["kind"],))), raw, frame_of(vector), NOISE)


def test_our_messages_are_the_published_ones_with_power_up_policy_b() -> None:
    every = frozenset(range(1, 8))
    policy_b = 0x04
    for name, stack, return_note, extended, bills in (
        ("poll, all on, escrow, ack 0", False, False, False, every),
        ("stack, ack 0", True, False, False, every),
        ("return, ack 0", False, True, False, every),
        ("all off", False, False, False, frozenset[int]()),
        ("extended notes on", False, False, True, every),
    ):
        (vector,) = [v for v in VECTORS if v["name"] == name]
        published = frame_of(vector).data
        ours = message.host_message(bills, stack=stack, return_note=return_note, extended=extended)
        assert ours == published[:2] + bytes((published[2] | policy_b,)), name


def test_states_and_events_are_understood() -> None:
    assert status_of("idle").state == "idle"
    assert status_of("accepting").state == "accepting"
    assert (status_of("escrowed, bill 5").state, status_of("escrowed, bill 5").bill) == ("escrowed", 5)
    assert status_of("stacking").state == "stacking"
    assert status_of("returning").state == "returning"
    assert (status_of("stacked, bill 3").stacked, status_of("stacked, bill 3").bill) == (True, 3)
    assert status_of("returned").returned
    assert (status_of("jammed").jammed, status_of("jammed").state) == (True, "")
    assert status_of("stacker full").full
    assert status_of("failure").failed
    assert status_of("cheated").cheated
    assert status_of("rejected").rejected
    assert status_of("power up").power_up
    assert status_of("invalid command").invalid_command
    assert not status_of("cash box absent").cash_box_present
    assert status_of("idle").cash_box_present


@pytest.mark.parametrize("first", [0x03, 0x05, 0x0C, 0x51, 0x21])
def test_a_status_that_contradicts_itself_is_not_believed(first: int) -> None:
    """The checksum does not notice fields that are swapped; two states or two ends at a time can't be."""
    with pytest.raises(RemoteProtocolError, match="contradicts"):
        message.parse_status(bytes((first, 0x10, 0, 0, 1, 2)))


def test_an_extended_note_names_currency_and_value() -> None:
    (vector,) = [v for v in VECTORS if v["name"].startswith("extended note:")]
    status, note = message.parse_extended_note(frame_of(vector).data)
    assert (status.state, note) == ("escrowed", message.Note(1, "EUR", 5))


@pytest.mark.parametrize(("digits", "value"), [(b"005+03", 5_000), (b"500-02", 5), (b"005-02", 0), (b"100+00", 100)])
def test_extended_values_are_whole_units_or_none(digits: bytes, value: int) -> None:
    data = b"\x02" + bytes((4, 16, 0, 0, 1, 2)) + b"\x01EUR" + digits + bytes(8)
    assert message.parse_extended_note(data)[1].value == value


def test_an_eighth_bit_is_a_damaged_byte() -> None:
    raw = bytearray(encode(Frame(2, 0, bytes((1, 0x10, 0, 0, 1, 2)))))
    raw[5] |= 0x80
    raw[-1] ^= 0x80
    with pytest.raises(RemoteProtocolError):
        decoded(make(), bytes(raw))


def test_texts_end_at_the_first_unprintable_byte() -> None:
    (vector,) = [v for v in VECTORS if v["name"].startswith("variant name")]
    assert message.parse_text(frame_of(vector).data) == "SCNL 6670R"


def test_a_note_query_is_the_published_one() -> None:
    (vector,) = [v for v in VECTORS if v["name"] == "query extended note 1"]
    assert message.query_note(1, bytes(3)) == frame_of(vector).data


@pytest.mark.parametrize("frame", [Frame(1, 0, b""), Frame(1, 2, b"\0"), Frame(1, 0, b"\x80"), Frame(1, 0, bytes(123))])
def test_our_own_impossible_frames_are_our_own_mistakes(frame: Frame) -> None:
    with pytest.raises(LocalProtocolError):
        encode(frame)


@given(st.binary(max_size=300))
def test_noise_ends_in_the_remote_error_or_in_silence(noise: bytes) -> None:
    check_noise_ends(make, noise)


seven_bits = st.lists(st.integers(0, 127), min_size=1, max_size=60).map(bytes)


@given(
    st.lists(st.builds(Frame, st.sampled_from((1, 2, 6, 7)), st.integers(0, 1), seven_bits), max_size=4),
    st.integers(1, 9),
)
def test_any_frames_are_read_in_any_pieces(sent: list[Frame], size: int) -> None:
    assert decoded(make(), b"".join(encode(frame) for frame in sent), size) == sent


@given(st.binary(max_size=40) | st.binary(min_size=25, max_size=25).map(lambda data: b"\x02" + data[1:]))
def test_message_parsers_end_only_in_the_remote_error(data: bytes) -> None:
    message.parse_text(data)
    for parse in (message.parse_status, message.parse_extended_note):
        try:
            parse(data)
        except RemoteProtocolError:
            continue
