"""ESC/POS bytes: status answers as published, slips that can't smuggle commands to the printer."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.errors import LocalProtocolError, RemoteProtocolError
from hal.wire import escpos

DOCUMENT: dict[str, Any] = json.loads((Path(__file__).parents[2] / "vectors" / "escpos.json").read_text())


@pytest.mark.parametrize("row", DOCUMENT["status"], ids=lambda row: f"{row['question']} {row['name']}")
def test_status_answers_are_understood(row: dict[str, Any]) -> None:
    answer = int(row["hex"], 16)
    assert escpos.parse_status(row["question"], answer) == frozenset(row["problems"])
    assert not escpos.is_fence(answer)


def test_questions_are_the_published_ones() -> None:
    frames = {frame["name"]: bytes.fromhex(frame["hex"]) for frame in DOCUMENT["frames"]}
    assert [escpos.status_request(n) for n in (1, 2, 3, 4)] == [frames[f"real-time status {n}"] for n in (1, 2, 3, 4)]
    assert frames["fence: transmit paper status"] == escpos.FENCE
    assert frames["automatic status back off"] == escpos.QUIET
    with pytest.raises(LocalProtocolError):
        escpos.status_request(5)


def test_a_flipped_bit_never_makes_a_bad_status_good_nor_a_status_a_fence() -> None:
    for bit in range(8):
        damaged = 0x12 ^ 1 << bit
        assert not escpos.is_fence(damaged)
        assert escpos.is_status(damaged) == (bit in (2, 3, 5, 6))
        for fence in (0x00, 0x03, 0x0C, 0x0F):
            assert not escpos.is_status(fence ^ 1 << bit)


@given(st.integers(1, 4), st.integers(0, 255))
def test_any_byte_is_a_status_or_the_remote_error(question: int, answer: int) -> None:
    try:
        escpos.parse_status(question, answer)
    except RemoteProtocolError:
        assert not escpos.is_status(answer)


def test_a_slip_in_two_languages() -> None:
    assert b"Handpay 125.00\n" in escpos.slip(["Handpay 125.00"], escpos.CP437)
    russian = escpos.slip(["Выплата 125,00"], escpos.CP866)
    assert b"\x1b\x74\x11" in russian
    assert "Выплата 125,00".encode("cp866") + b"\n" in russian
    assert escpos.slip(["Выплата"], escpos.CP437).count(b"?") == len("Выплата")


@given(st.text(max_size=40), st.sampled_from((escpos.CP437, escpos.CP866)))
def test_every_letter_of_every_script_takes_a_byte_and_never_fails(text: str, page: escpos.CodePage) -> None:
    composed = unicodedata.normalize("NFC", text)
    bare = len(escpos.slip([""], page))
    assert len(escpos.slip([text], page)) == bare + len(composed)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("1\u00a0234\u202f567", "1 234 567"),
        ("−5 – «Ёлка»…", '-5 - "Ёлка".'),
        ("Müller Café", "Muller Cafe"),
        ("и\u0306", "й"),
        ("№ 5 東京", "№ 5 ??"),
    ],
)
def test_letters_that_a_page_does_not_have_become_their_nearest(text: str, printed: str) -> None:
    assert printed.encode("cp866") + b"\n" in escpos.slip([text], escpos.CP866)


@given(st.lists(st.text(max_size=20), max_size=5))
def test_text_is_never_a_command_to_the_printer(lines: list[str]) -> None:
    body = escpos.slip(lines, escpos.CP437)
    bare = escpos.slip(["" for _ in lines], escpos.CP437)
    controls = [byte for byte in body if byte < 0x20]
    assert controls == [byte for byte in bare if byte < 0x20]


@pytest.mark.parametrize("lines", [["x"] * 201, ["x" * 65]])
def test_a_slip_that_no_printer_takes_is_our_own_mistake(lines: list[str]) -> None:
    with pytest.raises(LocalProtocolError):
        escpos.slip(lines, escpos.CP437)
