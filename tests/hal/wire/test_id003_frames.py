"""ID-003 frames: every known frame both ways, whole, in pieces, among noise, and with every bit flipped."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.errors import LocalProtocolError, RemoteProtocolError
from hal.wire.id003 import LONGEST_DATA, Decoder, Frame, checksum, encode

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "vectors" / "id003.json").read_text())["frames"]
NOISE = b"\x00\x11\x40\xfb\x05"


def name_of(vector: dict[str, Any]) -> str:
    return f"{vector['sender']} {vector['name']}"


def frame_of(vector: dict[str, Any]) -> Frame:
    return Frame(vector["code"], bytes.fromhex(vector["data"]))


def decoded(stream: bytes, size: int = 0) -> list[Frame]:
    subject = Decoder()
    frames = []
    for at in range(0, len(stream), size or len(stream)):
        subject.feed(stream[at : at + (size or len(stream))])
        while (frame := subject.next_frame()) is not None:
            frames.append(frame)
    return frames


def test_every_vector_names_its_source() -> None:
    assert len(VECTORS) >= 45
    assert all(vector["source"] for vector in VECTORS)


@pytest.mark.parametrize("vector", VECTORS, ids=name_of)
class TestEveryKnownFrame:
    def test_is_encoded_as_published(self, vector: dict[str, Any]) -> None:
        assert encode(frame_of(vector)) == bytes.fromhex(vector["frame"])

    @pytest.mark.parametrize("size", [0, 1, 3])
    def test_is_read_in_pieces_and_among_noise(self, vector: dict[str, Any], size: int) -> None:
        raw = bytes.fromhex(vector["frame"])
        assert decoded(raw, size) == [frame_of(vector)]
        assert decoded(NOISE + raw + NOISE + raw + raw, size) == [frame_of(vector)] * 3

    def test_every_flipped_bit_is_noticed_or_leaves_it_unfinished(self, vector: dict[str, Any]) -> None:
        raw = bytes.fromhex(vector["frame"])
        for bit in range(len(raw) * 8):
            damaged = bytearray(raw)
            damaged[bit // 8] ^= 1 << bit % 8
            try:
                assert decoded(bytes(damaged)) == []
            except RemoteProtocolError:
                continue

    def test_a_part_of_it_is_not_believed(self, vector: dict[str, Any]) -> None:
        raw = bytes.fromhex(vector["frame"])
        for length in range(1, len(raw)):
            assert decoded(raw[:length]) == []


def test_the_checksum_is_the_published_one() -> None:
    assert checksum(b"123456789") == 0x2189  # check value of CRC-16/KERMIT


def test_a_damaged_frame_takes_what_came_with_it_along() -> None:
    subject = Decoder()
    subject.feed(b"\xfc\x05\x11\x27\x57" + encode(Frame(0x12)))
    with pytest.raises(RemoteProtocolError, match="fc 05 11 27 57"):
        subject.next_frame()
    assert subject.next_frame() is None
    subject.feed(encode(Frame(0x12)))
    assert subject.next_frame() == Frame(0x12)


def test_reset_forgets_half_a_frame() -> None:
    subject = Decoder()
    subject.feed(b"\xfc\x30\x11")
    subject.reset()
    subject.feed(encode(Frame(0x1A)))
    assert subject.next_frame() == Frame(0x1A)


def test_a_start_with_an_impossible_length_is_noise() -> None:
    assert decoded(b"\xfc\x04\x11" + encode(Frame(0x15))) == [Frame(0x15)]


@pytest.mark.parametrize("frame", [Frame(0x100), Frame(-1), Frame(0x11, bytes(LONGEST_DATA + 1))])
def test_our_own_impossible_frames_are_our_own_mistakes(frame: Frame) -> None:
    with pytest.raises(LocalProtocolError):
        encode(frame)


@given(st.binary(max_size=200))
def test_noise_ends_in_the_remote_error_or_in_silence(noise: bytes) -> None:
    subject = Decoder()
    subject.feed(noise)
    for _ in range(len(noise) + 1):
        try:
            if subject.next_frame() is None:
                return
        except RemoteProtocolError:
            continue
    raise AssertionError("the decoder never comes to an end")


@given(st.lists(st.builds(Frame, st.integers(0, 255), st.binary(max_size=30)), max_size=5), st.integers(1, 9))
def test_any_frames_are_read_in_any_pieces(frames: list[Frame], size: int) -> None:
    assert decoded(b"".join(encode(frame) for frame in frames), size) == frames
