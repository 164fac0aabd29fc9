"""Random cards for the simulation by arrays: a small fast generator, and draws without putting back.

The generator is xoshiro256** (Blackman and Vigna), seeded through splitmix64; draws are exactly unbiased (Lemire's
multiplication with rejection). For simulation only: a real table's order comes from ``firmware.rng``. Not responsible
for any game.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from firmware.maths.compiled import Ints, compiled

Words = npt.NDArray[np.uint64]
_MASK: Final = (1 << 64) - 1


def seeded_words(seed: int) -> Words:
    """Return the generator's four words for a seed."""
    words, state = [], seed & _MASK
    for _ in range(4):
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        words.append(mixed ^ (mixed >> 31))
    return np.array(words, np.uint64)


@compiled
def next_word(state: Words) -> np.uint64:
    """Return the next 64 random bits."""
    s1 = state[1]
    scrambled = s1 * np.uint64(5)
    scrambled = ((scrambled << np.uint64(7)) | (scrambled >> np.uint64(57))) * np.uint64(9)
    state[2] ^= state[0]
    state[3] ^= s1
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= s1 << np.uint64(17)
    state[3] = (state[3] << np.uint64(45)) | (state[3] >> np.uint64(19))
    return scrambled  # type: ignore[no-any-return]


@compiled
def below(limit: int, state: Words) -> int:
    """Return a random whole number from 0 to ``limit`` - 1, each exactly as likely; ``limit`` up to 2**31."""
    n = np.uint64(limit)
    product = (next_word(state) >> np.uint64(32)) * n
    low = product & np.uint64(0xFFFFFFFF)
    if low < n:
        least = np.uint64(0x100000000) % n
        while low < least:
            product = (next_word(state) >> np.uint64(32)) * n
            low = product & np.uint64(0xFFFFFFFF)
    return int(product >> np.uint64(32))


@compiled
def draw(cards: Ints, first: int, end: int, state: Words) -> None:
    """Draw cards into the places from ``first`` to ``end`` - 1, out of themselves and all behind them."""
    count = len(cards)
    for place in range(first, end):
        chosen = place + below(count - place, state)
        cards[place], cards[chosen] = cards[chosen], cards[place]
