"""ccTalk frames: every published frame both ways, whole, in pieces, among noise, and with every bit flipped."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.errors import LocalProtocolError, RemoteProtocolError
from hal.wire.cctalk import LONGEST_DATA, Checksum, Echo, Reply, ReplyReader, Request, crc16, encode, sum8

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "vectors" / "cctalk.json").read_text())[
    "frames"
]
SENT = [vector for vector in VECTORS if vector["sender"] == "host"]
ANSWERED = [vector for vector in VECTORS if vector["sender"] == "device"]


def name_of(vector: dict[str, Any]) -> str:
    return str(vector["name"])


def frame_of(vector: dict[str, Any]) -> bytes:
    return bytes.fromhex(vector["frame"])


def request_of(vector: dict[str, Any]) -> Request:
    data = bytes.fromhex(vector["data"])
    return Request(vector["address"], vector["header"], data, Checksum(vector["checksum"]))


def poll(vector: dict[str, Any]) -> Request:
    """A request whose answer the vector could be."""
    return Request(vector["address"], 254, b"", Checksum(vector["checksum"]))


def reader(vector: dict[str, Any], echo: Echo = Echo.ABSENT) -> ReplyReader:
    return ReplyReader(poll(vector), echo)


def reply_of(vector: dict[str, Any]) -> Reply:
    return Reply(vector["header"], bytes.fromhex(vector["data"]))


def test_every_vector_names_its_source() -> None:
    assert len(SENT) >= 40
    assert len(ANSWERED) >= 30
    assert all(vector["source"] for vector in VECTORS)


@pytest.mark.parametrize("vector", SENT, ids=name_of)
def test_a_request_is_encoded_as_published(vector: dict[str, Any]) -> None:
    assert encode(request_of(vector)) == frame_of(vector)


@pytest.mark.parametrize("vector", ANSWERED, ids=name_of)
class TestEveryPublishedReply:
    def test_whole(self, vector: dict[str, Any]) -> None:
        assert reader(vector).receive(frame_of(vector)) == reply_of(vector)

    @pytest.mark.parametrize("echo", [Echo.PRESENT, Echo.UNKNOWN])
    def test_byte_by_byte_behind_the_echo(self, vector: dict[str, Any], echo: Echo) -> None:
        subject = reader(vector, echo)
        stream = encode(poll(vector)) + frame_of(vector)
        replies = [subject.receive(bytes((byte,))) for byte in stream]
        assert replies == [None] * (len(stream) - 1) + [reply_of(vector)]
        assert subject.echo is Echo.PRESENT

    def test_without_an_echo_this_is_found_out(self, vector: dict[str, Any]) -> None:
        subject = reader(vector, Echo.UNKNOWN)
        assert subject.receive(frame_of(vector)) == reply_of(vector)
        assert subject.echo is Echo.ABSENT

    def test_noise_behind_it_changes_nothing(self, vector: dict[str, Any]) -> None:
        subject = reader(vector)
        assert subject.receive(frame_of(vector) + b"\xff\x01\x00") == reply_of(vector)
        assert subject.receive(frame_of(vector)) == reply_of(vector)

    def test_noise_before_it_voids_the_exchange(self, vector: dict[str, Any]) -> None:
        for noise in (b"\x00", b"\xff", b"\x02\x00", b"\x7f" * 40):
            with pytest.raises(RemoteProtocolError, match="to address"):
                reader(vector).receive(noise + frame_of(vector))

    def test_every_flipped_bit_is_noticed_or_leaves_it_unfinished(self, vector: dict[str, Any]) -> None:
        frame = frame_of(vector)
        for bit in range(len(frame) * 8):
            damaged = bytearray(frame)
            damaged[bit // 8] ^= 1 << bit % 8
            subject = reader(vector)
            try:
                assert subject.receive(bytes(damaged)) is None
            except RemoteProtocolError:
                continue
            assert subject.has_begun

    def test_a_part_of_it_is_not_believed(self, vector: dict[str, Any]) -> None:
        for length in range(len(frame_of(vector))):
            assert reader(vector).receive(frame_of(vector)[:length]) is None


def test_the_echo_alone_is_no_reply() -> None:
    request = Request(2, 254)
    subject = ReplyReader(request, Echo.UNKNOWN)
    assert subject.receive(b"") is None
    assert subject.receive(encode(request)) is None
    assert not subject.has_begun


def test_an_echo_that_differs_is_told() -> None:
    subject = ReplyReader(Request(2, 254), Echo.PRESENT)
    with pytest.raises(RemoteProtocolError, match="echo differs"):
        subject.receive(b"\x02\x00\x01\xfe\xfe")


def test_a_missing_echo_is_told_where_there_was_one() -> None:
    subject = ReplyReader(Request(2, 254), Echo.PRESENT)
    with pytest.raises(RemoteProtocolError, match="echo differs"):
        subject.receive(b"\x01\x00\x02\x00\xfd")


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (b"\x01\x00\x03\x00\xfc", "of device 3"),
        (b"\x01\xfd", "length 253"),
        (b"\x01\x00\x02\x07\xf6", "header 7"),
        (b"\x01\x00\x02\x00\xfe", "checksum"),
    ],
)
def test_what_no_device_sends_is_refused(frame: bytes, reason: str) -> None:
    with pytest.raises(RemoteProtocolError, match=reason):
        ReplyReader(Request(2, 254), Echo.ABSENT).receive(frame)


@pytest.mark.parametrize(
    "request_",
    [Request(1, 254), Request(0, 254), Request(256, 254), Request(2, 256), Request(2, 254, bytes(LONGEST_DATA + 1))],
)
def test_our_own_impossible_requests_are_our_own_mistakes(request_: Request) -> None:
    with pytest.raises(LocalProtocolError):
        encode(request_)


def test_a_sum_that_is_zero_already_needs_a_zero() -> None:
    # Two public libraries answer 256 here and fail.
    assert sum8(b"\x80\x80") == 0
    assert encode(Request(2, 253, b"")) == b"\x02\x00\x01\xfd\x00"


def test_the_crc_is_the_published_one() -> None:
    assert crc16(b"123456789") == 0x31C3  # check value of CRC-16/XMODEM


@given(st.binary(max_size=80), st.sampled_from(list(Echo)), st.sampled_from(list(Checksum)))
def test_noise_ends_in_the_remote_error_or_in_silence(noise: bytes, echo: Echo, checksum: Checksum) -> None:
    subject = ReplyReader(Request(40, 159, b"", checksum), echo)
    try:
        reply = subject.receive(noise)
    except RemoteProtocolError:
        return
    assert reply is None or len(reply.data) <= LONGEST_DATA


@given(st.binary(max_size=LONGEST_DATA), st.sampled_from([0, 5, 6]), st.integers(1, 7))
def test_any_reply_is_read_in_any_pieces(data: bytes, header: int, size: int) -> None:
    body = bytes((1, len(data), 2, header)) + data
    stream = encode(Request(2, 254)) + body + bytes((sum8(body),))
    subject = ReplyReader(Request(2, 254), Echo.UNKNOWN)
    replies = [subject.receive(stream[at : at + size]) for at in range(0, len(stream), size)]
    assert replies[-1] == Reply(header, data)
    assert not any(replies[:-1])
