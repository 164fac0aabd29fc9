"""Unbiased mapping, proven by counting every case where the cases are few."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cards.card import DECK
from firmware.rng.os_entropy import OsEntropy
from firmware.rng.seeded import SeededSource
from firmware.rng.source import shuffled, unbiased_index


class Tape:
    """Bytes laid down by the test; raises when they run out."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def take(self, count: int) -> bytes:
        if len(self.data) < count:
            raise EOFError
        taken, self.data = self.data[:count], self.data[count:]
        return taken


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 7, 10, 51, 52, 100, 255, 256])
def test_every_byte_is_an_index_or_rejected_and_every_index_is_equally_often(count: int) -> None:
    hits: Counter[int] = Counter()
    rejected = 0
    for byte in range(256):
        try:
            hits[unbiased_index(Tape(bytes([byte])), count)] += 1
        except EOFError:
            rejected += 1
    assert set(hits) == set(range(count))
    assert len(set(hits.values())) == 1
    assert rejected == 256 % count


@pytest.mark.parametrize("count", [257, 300, 416, 65_536])
def test_two_bytes_map_evenly_too(count: int) -> None:
    hits: Counter[int] = Counter()
    for high, low in product(range(256), repeat=2):
        try:
            hits[unbiased_index(Tape(bytes([high, low])), count)] += 1
        except EOFError:
            continue
    assert len(hits) == count
    assert len(set(hits.values())) == 1


@pytest.mark.parametrize("count", [0, -1, 2**32 + 1])
def test_impossible_count_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="between 1 and"):
        unbiased_index(OsEntropy(), count)


def test_shuffle_of_four_reaches_every_order_equally_often() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    for tape in product(range(12), repeat=3):  # 12 is a multiple of 4, 3 and 2: no byte is rejected
        orders[shuffled(Tape(bytes(tape)), (0, 1, 2, 3))] += 1
    assert len(orders) == 24
    assert set(orders.values()) == {12**3 // 24}


@given(st.integers(0, 2**64))
def test_shuffle_keeps_every_card(seed: int) -> None:
    assert sorted(shuffled(SeededSource(seed), DECK)) == sorted(DECK)


def test_equal_seeds_shuffle_equally_and_others_do_not() -> None:
    assert shuffled(SeededSource(5), DECK) == shuffled(SeededSource(5), DECK)
    assert shuffled(SeededSource(5), DECK) != shuffled(SeededSource(6), DECK)


def test_operating_system_gives_fresh_bytes() -> None:
    assert OsEntropy().take(32) != OsEntropy().take(32)
