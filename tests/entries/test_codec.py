"""Entries as text: canonical, reversible, and readable for ever."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.entries.codec import ALL_TYPES, UnknownEntryError, decode, encode, is_known, kind_of
from firmware.entries.types import NoteCredited, RoundOpened, StakeLine

SAMPLES = json.loads((Path(__file__).parent / "samples.json").read_text(encoding="utf-8"))
"""One of each kind as it was first written; lines are added, never changed."""


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample["kind"] for sample in SAMPLES])
def test_every_sample_ever_written_is_read_and_written_again_byte_for_byte(sample: dict[str, str]) -> None:
    entry = decode(sample["kind"], sample["body"])
    assert (kind_of(entry), encode(entry)) == (sample["kind"], sample["body"])


def test_there_is_a_sample_of_every_kind() -> None:
    assert {sample["kind"] for sample in SAMPLES} >= {f"{entry.KIND}/{entry.VERSION}" for entry in ALL_TYPES}


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("note_credited/2", "{}"),
        ("nothing/1", "{}"),
        ("note_credited/1", ""),
        ("note_credited/1", "[]"),
        ("note_credited/1", '{"key":"a"}'),
        ("note_credited/1", '{"key":"a","amount_minor":1.5,"escrow_id":null}'),
        ("note_credited/1", '{"key":"a","amount_minor":"1","escrow_id":null}'),
        ("note_credited/1", '{"key":"a","amount_minor":true,"escrow_id":null}'),
        ("round_opened/1", '{"stakes":[[1,"ante"]]}'),
    ],
)
def test_damaged_or_newer_entry_is_refused_with_its_kind(kind: str, body: str) -> None:
    with pytest.raises(UnknownEntryError, match=kind.partition("/")[0]):
        decode(kind, body)


@given(st.text(max_size=60), st.integers(0, 10**12), st.none() | st.text(max_size=20))
def test_any_note_survives_the_round_trip(key: str, amount: int, escrow: str | None) -> None:
    note = NoteCredited(key, amount, escrow)
    assert decode(kind_of(note), encode(note)) == note


def test_stakes_keep_the_order_of_purchase() -> None:
    lines = (StakeLine(5, "ante", 100), StakeLine(2, "ante", 300), StakeLine(5, "jackpot", 100))
    opened = RoundOpened("r1-1", 1, "oasis", "d", lines, 500, 900, "s1-1", "AsKd", 0)
    decoded = decode(kind_of(opened), encode(opened))
    assert isinstance(decoded, RoundOpened)
    assert decoded.stakes == lines


def test_kind_of_a_newer_version_is_not_known() -> None:
    assert is_known("note_credited/1")
    assert not is_known("note_credited/2")
