"""SSP frames: every published frame both ways, in pieces, among noise, with every bit flipped."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.errors import LocalProtocolError, RemoteProtocolError
from hal.wire import ssp_messages as message
from hal.wire.ssp import Decoder, Frame, checksum, encode
from tests.hal.wire.codec_checks import check_damage, check_noise_ends, check_reading, decoded

DOCUMENT: dict[str, Any] = json.loads((Path(__file__).parents[2] / "vectors" / "ssp.json").read_text())
VECTORS: list[dict[str, Any]] = DOCUMENT["frames"]
NOISE = b"\x00\x80\x01\xf0\x23"


def frame_of(vector: dict[str, Any]) -> Frame:
    return Frame(vector["sequence"], 0, bytes.fromhex(vector["data"]))


def raw_of(vector: dict[str, Any]) -> bytes:
    return bytes.fromhex(vector["hex"])


def test_every_vector_names_its_source() -> None:
    assert len(VECTORS) >= 40
    assert all(vector["source"] in DOCUMENT["sources"] for vector in VECTORS)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_every_published_frame_is_built_read_and_guarded(vector: dict[str, Any]) -> None:
    assert encode(frame_of(vector)) == raw_of(vector)
    check_reading(Decoder, raw_of(vector), frame_of(vector), NOISE)
    check_damage(Decoder, raw_of(vector))


@pytest.mark.parametrize("vector", [v for v in VECTORS if "events" in v], ids=lambda vector: str(vector["name"]))
def test_poll_events_are_understood(vector: dict[str, Any]) -> None:
    events, rest = message.parse_events(frame_of(vector).data[1:])
    assert [[event.code, event.channel][: len(want)] for event, want in zip(events, vector["events"], strict=True)] == (
        vector["events"]
    )
    assert rest == b""


def test_the_manual_s_misprint_has_a_good_checksum_and_an_event_nobody_knows() -> None:
    (frame,) = decoded(Decoder(), bytes.fromhex(DOCUMENT["misprint"]["hex"]))
    events, rest = message.parse_events(frame.data[1:])
    assert [event.code for event in events] == [message.RESET]
    assert rest == b"\xf8"


def test_the_checksum_is_the_published_one() -> None:
    assert checksum(b"123456789") == 0xAEE7  # check value of CRC-16/CMS


def test_a_stream_is_unstuffed_once_however_it_is_cut() -> None:
    """Fault 11: a decoder that un-stuffs its collected buffer at each read turns 7F 7F of the data into one."""
    frame = Frame(1, 0, b"\xf0\x7f\x7f\x7f\x01\x7f")
    raw = encode(frame)
    for cut in range(1, len(raw)):
        decoder = Decoder()
        decoder.feed(raw[:cut])
        assert decoder.next_frame() is None
        decoder.feed(raw[cut:])
        assert decoder.next_frame() == frame


def test_a_lone_start_byte_begins_anew_in_the_middle_of_a_frame() -> None:
    whole = encode(Frame(0, 0, b"\xf0\xeb"))
    assert decoded(Decoder(), whole[:4] + whole) == [Frame(0, 0, b"\xf0\xeb")]
    assert decoded(Decoder(), b"\x7f\x7f\x7f" + whole) == [Frame(0, 0, b"\xf0\xeb")]


def test_reset_forgets_half_a_frame() -> None:
    decoder = Decoder()
    decoder.feed(b"\x7f\x80\x40\x01\x02")
    decoder.reset()
    assert decoded(decoder, encode(Frame(1, 0, b"\xf0"))) == [Frame(1, 0, b"\xf0")]


def test_a_frame_without_data_is_refused() -> None:
    body = b"\x80\x00"
    with pytest.raises(RemoteProtocolError, match="without data"):
        decoded(Decoder(), b"\x7f" + body + checksum(body).to_bytes(2, "little"))


@pytest.mark.parametrize(
    "frame", [Frame(0, 0, b""), Frame(0, 0, bytes(256)), Frame(2, 0, b"\x07"), Frame(0, 0x7F, b"\x07")]
)
def test_our_own_impossible_frames_are_our_own_mistakes(frame: Frame) -> None:
    with pytest.raises(LocalProtocolError):
        encode(frame)


@given(st.binary(max_size=300))
def test_noise_ends_in_the_remote_error_or_in_silence(noise: bytes) -> None:
    check_noise_ends(Decoder, noise)


frames = st.builds(Frame, st.integers(0, 1), st.integers(0, 0x7E), st.binary(min_size=1, max_size=255))


@given(st.lists(frames, max_size=4), st.integers(1, 9))
def test_any_frames_are_read_in_any_pieces(sent: list[Frame], size: int) -> None:
    assert decoded(Decoder(), b"".join(encode(frame) for frame in sent), size) == sent


SETUP_V4 = bytes.fromhex("00 30 34 32 30 45 55 52 00 00 01 02 05 0A 02 02 00 00 64 04")
SETUP_V6 = SETUP_V4[:-1] + bytes.fromhex("06 45 55 52 47 42 50 05 00 00 00 2C 01 00 00")


def test_setup_replies_of_old_and_new_protocols() -> None:
    assert message.parse_setup(SETUP_V4) == message.Setup("0420", ("EUR", "EUR"), (5, 10), 4)
    assert message.parse_setup(SETUP_V6) == message.Setup("0420", ("EUR", "GBP"), (5, 300), 6)


@pytest.mark.parametrize("data", [b"", SETUP_V4[:12], SETUP_V4[:15], b"\x03" + SETUP_V4[1:]])
def test_a_setup_reply_that_is_no_note_validator_s_is_refused(data: bytes) -> None:
    with pytest.raises(RemoteProtocolError):
        message.parse_setup(data)


@given(st.binary(max_size=80))
def test_message_parsers_end_only_in_the_remote_error(data: bytes) -> None:
    message.parse_events(data)
    for parse in (message.parse_setup, message.parse_serial):
        try:
            parse(data)
        except RemoteProtocolError:
            continue


def test_the_serial_number_is_big_endian() -> None:
    assert message.parse_serial(bytes.fromhex("00 1C 96 2C")) == 1873452


def test_an_event_cut_short_is_not_guessed() -> None:
    assert message.parse_events(b"\xeb\xee") == ((message.Event(message.STACKED),), b"\xee")
