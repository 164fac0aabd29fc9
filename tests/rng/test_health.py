"""Health tests of a source of randomness: what is planted is found, and what is sound is left alone."""

from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest

from firmware.rng import health
from firmware.rng.health import HealthTested
from firmware.rng.os_entropy import OsEntropy
from firmware.rng.seeded import SeededSource
from firmware.rng.source import RandomnessError

Change = Callable[[int, bytes], bytes]


class Planted:
    """A sound stream until ``good_count`` bytes are taken, then one with a planted fault."""

    def __init__(self, good_count: int, change: Change) -> None:
        self._sound = SeededSource(7)
        self._left = good_count
        self._change = change

    def take(self, count: int) -> bytes:
        taken = self._sound.take(count)
        good, self._left = taken[: self._left], max(self._left - count, 0)
        return good + self._change(self._left, taken[len(good) :])


def stuck_at(value: int) -> Change:
    return lambda _, data: bytes([value]) * len(data)


def stuck_bit(number: int, value: int) -> Change:
    mask = 1 << number
    return lambda _, data: bytes(byte | mask if value else byte & ~mask & 0xFF for byte in data)


def mostly_zero(_: int, data: bytes) -> bytes:
    return bytes(byte if index % 4 else 0 for index, byte in enumerate(data))


FAULTS = {
    "stuck at zero": stuck_at(0),
    "stuck at 255": stuck_at(255),
    "stuck at 0x5a": stuck_at(0x5A),
    "one bit stuck": stuck_bit(3, 1),
    "another bit stuck": stuck_bit(0, 0),
    "a quarter zero": mostly_zero,
    "one period of four bytes": lambda _, data: (b"\x12\x9c\x47\xe1" * len(data))[: len(data)],
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_planted_fault_is_found_at_the_start(fault: Change) -> None:
    source = HealthTested(Planted(0, fault))
    with pytest.raises(RandomnessError, match="test of b"):
        source.take(0)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_planted_fault_is_found_while_the_source_is_used_and_for_ever_after(fault: Change) -> None:
    source = HealthTested(Planted(health.START_UP_BYTES + 3_000, fault))
    source.take(3_000)
    with pytest.raises(RandomnessError) as found:
        source.take(2_000)
    with pytest.raises(RandomnessError, match=str(found.value)):
        source.take(1)


def test_bytes_that_fail_are_never_given() -> None:
    good_count = 500
    source = HealthTested(Planted(health.START_UP_BYTES + good_count, stuck_at(0)))
    given = source.take(good_count)
    for _ in range(health.BYTE_RUN - 1 - (given[-1] == 0)):
        given += source.take(1)
    with pytest.raises(RandomnessError, match="repetition count test of bytes"):
        source.take(1)
    assert b"\x00" * health.BYTE_RUN not in given


def test_sound_source_passes_and_its_bytes_are_unchanged_behind_the_start_up_test() -> None:
    plain, tested = SeededSource(11), HealthTested(SeededSource(11))
    plain.take(health.START_UP_BYTES)
    assert tested.take(20_000) == plain.take(20_000)
    HealthTested(OsEntropy()).take(20_000)


def test_source_that_can_not_be_read_or_gives_too_little_fails() -> None:
    class Missing:
        def take(self, count: int) -> bytes:
            raise OSError(5, "Input/output error")

    class Short:
        def take(self, count: int) -> bytes:
            return b"\x01"

    with pytest.raises(RandomnessError, match="Input/output error"):
        HealthTested(Missing()).take(1)
    with pytest.raises(RandomnessError, match="1 bytes for 1024"):
        HealthTested(Short()).take(1)


def cutoff(window: int, chance: Fraction) -> int:
    """1 + critbinom(window, chance, 1 - 2**-40), in exact fractions."""
    tail, count = Fraction(0), window
    while True:
        tail += comb(window, count) * chance**count * (1 - chance) ** (window - count)
        if tail > Fraction(1, 2**health.ALARM_BITS):
            return 1 + count
        count -= 1


def test_limits_are_those_of_the_standard() -> None:
    assert cutoff(health.BYTE_WINDOW, Fraction(1, 256)) == health.BYTE_COUNT
    assert cutoff(health.BIT_WINDOW, Fraction(1, 2)) == health.BIT_COUNT
    assert Fraction(1, 256) ** (health.BYTE_RUN - 1) <= Fraction(1, 2**health.ALARM_BITS)
    assert Fraction(1, 2) ** (health.BIT_RUN - 1) <= Fraction(1, 2**health.ALARM_BITS)
