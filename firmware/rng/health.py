"""Health tests of a source of randomness, after NIST SP 800-90B, section 4.4: at the start, and for ever after.

Every byte goes through a repetition count test and an adaptive proportion test; so does each of the eight bits by itself,
because one bit that is stuck leaves the bytes looking lively. What is tested is the output of the kernel's generator, which
claims full entropy: 8 bits a byte. A false alarm has a chance of 2**-40 for each sample and test, the strictest that the
standard allows; a terminal that shuffles all day long meets one in thousands of years.

A failure is final: this source gives nothing any more until the program is started again. Not responsible for statistics
of shuffles (``batteries``) or for what a terminal does about a failure (``terminal``).
"""

from typing import Final

from firmware.rng.source import ByteSource, RandomnessError

START_UP_BYTES: Final = 1_024
"""Section 4.3: the start-up test looks at 1,024 consecutive samples or more; they are used for nothing else."""
ALARM_BITS: Final = 40
"""A false alarm has a chance of 2**-ALARM_BITS."""
BITS: Final = 8
BYTE_RUN: Final = 1 + ALARM_BITS // 8
"""So many equal bytes in a row fail: 1 + ceil(ALARM_BITS / H) with H = 8 (section 4.4.1)."""
BIT_RUN: Final = 1 + ALARM_BITS
"""So many equal values of one bit in a row fail (H = 1)."""
BYTE_WINDOW: Final = 512
BYTE_COUNT: Final = 19
"""So many bytes equal to the first in a window of 512 fail: 1 + critbinom(512, 2**-8, 1 - 2**-40) (section 4.4.2)."""
BIT_WINDOW: Final = 1_024
BIT_COUNT: Final = 625
"""So many bits equal to the first in a window of 1,024 fail: 1 + critbinom(1024, 1/2, 1 - 2**-40)."""


class Repetition:
    """The repetition count test: how often the same value came in a row."""

    name: Final = "repetition count"

    def __init__(self, limit: int) -> None:
        """Fail at ``limit`` equal values in a row."""
        self._limit = limit
        self._last: int | None = None
        self._count = 0

    def fails(self, value: int) -> bool:
        """Take a value; tell whether the test fails with it."""
        self._count = self._count + 1 if value == self._last else 1
        self._last = value
        return self._count >= self._limit


class Proportion:
    """The adaptive proportion test: how often the first value of a window comes in it."""

    name: Final = "adaptive proportion"

    def __init__(self, window: int, limit: int) -> None:
        """Fail at ``limit`` values equal to the first of a ``window``."""
        self._window, self._limit = window, limit
        self._first = 0
        self._seen = self._count = 0

    def fails(self, value: int) -> bool:
        """Take a value; tell whether the test fails with it."""
        if self._seen == 0:
            self._first, self._count = value, 0
        self._count += value == self._first
        self._seen = (self._seen + 1) % self._window
        return self._count >= self._limit


def _tests(run: int, window: int, count: int) -> tuple[Repetition | Proportion, ...]:
    return Repetition(run), Proportion(window, count)


class HealthTested:
    """A source of bytes behind the tests: it gives only what has passed, and nothing once a test has failed."""

    def __init__(self, source: ByteSource) -> None:
        """Prepare; the start-up test runs when bytes are asked for the first time, be it 0 of them."""
        self._source = source
        self._bytes = _tests(BYTE_RUN, BYTE_WINDOW, BYTE_COUNT)
        self._bits = tuple(_tests(BIT_RUN, BIT_WINDOW, BIT_COUNT) for _ in range(BITS))
        self._has_started = False
        self._failure = ""
        self._byte_count = 0

    @property
    def byte_count(self) -> int:
        """How many bytes were looked at since the start."""
        return self._byte_count

    @property
    def failure(self) -> str:
        """What failed; empty as long as nothing has."""
        return self._failure

    def take(self, count: int) -> bytes:
        """Return ``count`` tested bytes. Raises RandomnessError, from then on for ever."""
        if not self._has_started:
            self._tested(START_UP_BYTES)
            self._has_started = True
        return self._tested(count)

    def _tested(self, count: int) -> bytes:
        if self._failure:
            raise RandomnessError(self._failure)
        try:
            taken = self._source.take(count)
        except OSError as error:
            raise self._failed(f"it can't be read: {error.strerror or error}") from error
        if len(taken) != count:
            raise self._failed(f"it gave {len(taken)} bytes for {count}")
        for byte in taken:
            self._look_at(byte)
        self._byte_count += count
        return taken

    def _look_at(self, byte: int) -> None:
        for test in self._bytes:
            if test.fails(byte):
                raise self._failed(f"{test.name} test of bytes")
        for number, tests in enumerate(self._bits):
            for test in tests:
                if test.fails(byte >> number & 1):
                    raise self._failed(f"{test.name} test of bit {number}")

    def _failed(self, what: str) -> RandomnessError:
        self._failure = f"source of randomness: {what}"
        return RandomnessError(self._failure)
