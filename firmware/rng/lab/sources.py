"""What can be put to the test: the real source and shuffle, a repeatable one, and faults planted on purpose.

The planted ones are the mistakes that are made in the field; a battery that does not find them is worth nothing. Nothing
but the laboratory can reach them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from firmware.cards.card import DECK, Card
from firmware.rng.health import HealthTested
from firmware.rng.os_entropy import OsEntropy
from firmware.rng.seeded import SeededSource
from firmware.rng.source import ByteSource, shuffled

Shuffle = Callable[[ByteSource, Sequence[Card]], tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class Subject:
    """What is tested: where bytes come from (as raw as they are) and how they become an order; in words, too."""

    name: str
    words: str
    raw: Callable[[int], ByteSource]
    shuffle: Shuffle = shuffled
    is_health_tested: bool = False

    def source(self, seed: int) -> ByteSource:
        """Return the bytes as the shuffle gets them."""
        return HealthTested(self.raw(seed)) if self.is_health_tested else self.raw(seed)


class StuckBit:
    """A sound source of which one bit always reads 1."""

    def __init__(self, seed: int) -> None:
        """Start the sound stream of ``seed``."""
        self._sound = SeededSource(seed)

    def take(self, count: int) -> bytes:
        """Return ``count`` bytes with the bit set."""
        return bytes(byte | 0b1000 for byte in self._sound.take(count))


def modulo_shuffle(source: ByteSource, items: Sequence[Card]) -> tuple[Card, ...]:
    """Fisher-Yates whose index is a byte modulo the number of cards left: the low ones come too often."""
    order = list(items)
    for top in range(len(order) - 1, 0, -1):
        index = source.take(1)[0] % (top + 1)
        order[top], order[index] = order[index], order[top]
    return tuple(order)


def off_by_one_shuffle(source: ByteSource, items: Sequence[Card]) -> tuple[Card, ...]:
    """Fisher-Yates that never leaves a card where it is: only cyclic permutations come out."""
    order = list(items)
    for top in range(len(order) - 1, 0, -1):
        index = _fair(source, top)
        order[top], order[index] = order[index], order[top]
    return tuple(order)


def swap_any_shuffle(source: ByteSource, items: Sequence[Card]) -> tuple[Card, ...]:
    """Each card changes places with any card: more ways than orders, so some orders come more often."""
    order = list(items)
    for place in range(len(order)):
        index = _fair(source, len(order))
        order[place], order[index] = order[index], order[place]
    return tuple(order)


def _fair(source: ByteSource, count: int) -> int:
    size = 1 if count <= 256 else 2
    limit = 256**size // count * count
    while True:
        value = int.from_bytes(source.take(size), "big")
        if value < limit:
            return value % count


SUBJECTS: Final[dict[str, Subject]] = {
    subject.name: subject
    for subject in (
        Subject("os", "the operating system's generator behind the health tests, as a cabinet deals", lambda _: OsEntropy(), is_health_tested=True),
        Subject("seeded", "the repeatable generator of the simulator", SeededSource),
        Subject("planted-modulo", "PLANTED FAULT: a byte modulo the number of cards", SeededSource, modulo_shuffle),
        Subject("planted-off-by-one", "PLANTED FAULT: a shuffle that leaves no card where it is", SeededSource, off_by_one_shuffle),
        Subject("planted-swap-any", "PLANTED FAULT: each card changes places with any card", SeededSource, swap_any_shuffle),
        Subject("planted-stuck-bit", "PLANTED FAULT: one bit of every byte is stuck", StuckBit),
    )
}  # fmt: skip


def orders(subject: Subject, seed: int, count: int, tick: Callable[[], object]) -> bytes:
    """Return ``count`` shuffled decks, 52 bytes each; ``tick`` is called once a shuffle."""
    source = subject.source(seed)
    made = bytearray()
    for _ in range(count):
        made += bytes(subject.shuffle(source, DECK))
        tick()
    return bytes(made)


def shoe_orders(subject: Subject, seed: int, count: int, tick: Callable[[], object], deck_count: int) -> bytes:
    """Return ``count`` shuffled shoes, two bytes a card (little-endian); ``tick`` is called once a shuffle.

    The copies of a card are told apart, so that a fault that would hide among them is seen: number n is a copy of card n % 52.
    """
    source, cards = subject.source(seed), [Card(number) for number in range(len(DECK) * deck_count)]
    made = bytearray()
    for _ in range(count):
        for card in subject.shuffle(source, cards):
            made += card.to_bytes(2, "little")
        tick()
    return bytes(made)
