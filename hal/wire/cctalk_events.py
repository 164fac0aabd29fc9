"""The event buffer's arithmetic: from an eight-bit counter that wraps and restarts to numbers that never repeat.

A device counts its events 1…255, 1… and is at 0 only after its own reset. We number events so that the number of the
device's n-th event is ``lap × 255 + counter``; a wrap goes into the next lap by itself, a reset jumps to the next lap's
beginning. Numbers only grow, also over restarts of the host, which hands the highest number of its journal back in. Pure.
Not responsible for reading the buffer or for what an event means.
"""

from dataclasses import dataclass

from hal.wire.cctalk_messages import BUFFER_COUNT, Buffer

_WRAP = 255


@dataclass(frozen=True, slots=True)
class Event:
    """One event with its number and its two bytes."""

    number: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class News:
    """What a reading of the buffer adds: events oldest first, how many were lost before them, and a device reset."""

    events: tuple[Event, ...] = ()
    lost_count: int = 0
    restarted: bool = False


class EventNumbers:
    """Remembers the number of the last event that was taken."""

    def __init__(self, last_number: int) -> None:
        self._last = last_number
        # At a lap's end the counter may stand at 255 or, after a reset, at 0; only the device can tell which.
        self._fresh = False

    @property
    def last(self) -> int:
        """The number of the newest event known."""
        return self._last

    def news(self, buffer: Buffer) -> News:
        """Return what is new in ``buffer`` without taking it.

        A lower counter means a wrap or a reset. A reset wipes the buffer, so zeros behind the events tell of one. Where
        the counter has passed the old value again they tell nothing; the host finds those resets by reading the inhibits
        back. In doubt it is a wrap, because events taken for new twice would be money credited twice.
        """
        base, last = self._last, 0 if self._fresh else _counter(self._last)
        restarted = buffer.counter == 0 and last != 0
        if 0 < buffer.counter < min(last, BUFFER_COUNT):
            restarted = not any(first or second for first, second in buffer.pairs[buffer.counter :])
        if restarted:
            base, last = _next_lap(self._last), 0
        diff = (buffer.counter - last) % _WRAP if last else buffer.counter
        taken = min(diff, BUFFER_COUNT)
        pairs = buffer.pairs[:taken]
        events = tuple(Event(base + diff - back, *pairs[back]) for back in range(taken - 1, -1, -1))
        return News(events, diff - taken, restarted)

    def take(self, news: News) -> None:
        """Move on behind ``news``."""
        if news.restarted and not news.events:
            self.restart()
        if news.events:
            self._last = news.events[-1].number
            self._fresh = False

    def restart(self) -> None:
        """The device was reset: its counter began again at 0."""
        self._last = _next_lap(self._last)
        self._fresh = True

    def begin(self, buffer: Buffer) -> None:
        """Forget what came before: go on from what the device counts now, with numbers that were never used."""
        self.restart()
        self._last += buffer.counter
        self._fresh = buffer.counter == 0


def _next_lap(number: int) -> int:
    return -(-number // _WRAP) * _WRAP


def _counter(number: int) -> int:
    """Return the device's counter at an event's number."""
    return (number - 1) % _WRAP + 1 if number else 0


def lap(number: int) -> int:
    """Return an event number's lap, the epoch of money keys."""
    return max(0, number - 1) // _WRAP
