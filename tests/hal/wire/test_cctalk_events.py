"""The event buffer's arithmetic: wraps, losses, resets, and numbers that never come twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.wire.cctalk_events import Event, EventNumbers, News, lap
from hal.wire.cctalk_messages import Buffer

NOTHING = ((0, 0),) * 5


class Device:
    """What a device counts: it remembers five events and forgets all at a reset."""

    def __init__(self) -> None:
        self.counter = 0
        self.pairs = list(NOTHING)
        self.happened: list[int] = []

    def happen(self) -> None:
        serial = len(self.happened)
        self.happened.append(serial)
        self.counter = self.counter % 255 + 1
        self.pairs = [(1 + serial % 16, 1 + serial // 16 % 16), *self.pairs[:4]]

    def reset(self) -> None:
        self.counter, self.pairs = 0, list(NOTHING)

    @property
    def buffer(self) -> Buffer:
        return Buffer(self.counter, tuple(self.pairs))

    def pair(self, serial: int) -> tuple[int, int]:
        return 1 + serial % 16, 1 + serial // 16 % 16


def five(*pairs: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    return pairs + NOTHING[len(pairs) :]


def test_the_counter_goes_from_255_to_1() -> None:
    subject = EventNumbers(254)
    news = subject.news(Buffer(2, ((5, 1), (4, 1), (3, 1), (3, 1), (3, 1))))
    assert news == News((Event(255, 3, 1), Event(256, 4, 1), Event(257, 5, 1)))
    subject.take(news)
    assert subject.last == 257
    assert subject.news(Buffer(2, ((5, 1), (4, 1), (3, 1), (3, 1), (3, 1)))) == News()


def test_events_are_taken_oldest_first() -> None:
    news = EventNumbers(0).news(Buffer(3, five((3, 1), (2, 1), (1, 1))))
    assert [event.first for event in news.events] == [1, 2, 3]


def test_six_events_are_five_and_a_loss() -> None:
    news = EventNumbers(48).news(Buffer(54, ((5, 1), (4, 1), (3, 1), (2, 1), (1, 1))))
    assert [event.number for event in news.events] == [50, 51, 52, 53, 54]
    assert news.lost_count == 1


def test_a_counter_at_0_is_a_reset_once() -> None:
    subject = EventNumbers(300)
    news = subject.news(Buffer(0, NOTHING))
    assert news == News(restarted=True)
    subject.take(news)
    assert subject.last == 510
    assert subject.news(Buffer(0, NOTHING)) == News()
    assert subject.news(Buffer(1, five((7, 1)))) == News((Event(511, 7, 1),))


def test_a_reset_and_an_event_between_two_readings_are_both_seen() -> None:
    subject = EventNumbers(7)
    news = subject.news(Buffer(1, five((3, 1))))
    assert news == News((Event(256, 3, 1),), restarted=True)
    subject.take(news)
    assert subject.news(Buffer(1, five((3, 1)))) == News()


def test_an_unchanged_counter_is_never_taken_for_a_reset() -> None:
    # Number 257 is the second event after a reset; the zeros behind it are no news.
    assert EventNumbers(257).news(Buffer(2, five((3, 1), (3, 1)))) == News()
    assert EventNumbers(257).news(Buffer(3, five((4, 1), (3, 1), (3, 1)))) == News((Event(258, 4, 1),))


def test_a_full_buffer_behind_a_lower_counter_is_a_wrap() -> None:
    news = EventNumbers(253).news(Buffer(1, ((3, 1), (2, 1), (1, 1), (9, 1), (9, 1))))
    assert [event.number for event in news.events] == [254, 255, 256]
    assert not news.restarted


def test_a_reset_that_the_inhibits_betray_starts_a_new_lap() -> None:
    subject = EventNumbers(7)
    subject.restart()
    assert subject.news(Buffer(9, ((1, 1),) * 5)).lost_count == 4
    subject.restart()
    assert subject.last == 255


@pytest.mark.parametrize(("last", "counter", "begun"), [(0, 0, 0), (0, 17, 17), (300, 17, 527), (510, 0, 510)])
def test_beginning_without_a_journal_uses_no_number_twice(last: int, counter: int, begun: int) -> None:
    subject = EventNumbers(last)
    buffer = Buffer(counter, ((1, 1),) * 5 if counter else NOTHING)
    subject.begin(buffer)
    assert subject.last == begun >= last
    assert subject.news(buffer) == News()


@pytest.mark.parametrize(("number", "expected"), [(0, 0), (1, 0), (255, 0), (256, 1), (510, 1), (511, 2)])
def test_a_lap_has_255_numbers(number: int, expected: int) -> None:
    assert lap(number) == expected


@given(st.lists(st.integers(-1, 12), max_size=60))
def test_every_event_is_told_once_with_a_new_number_or_counted_as_lost(steps: list[int]) -> None:
    """``-1`` resets the device; any other step lets so many events happen before the next reading."""
    device, subject = Device(), EventNumbers(0)
    told: list[Event] = []
    seen_count = 0
    for step in steps:
        if step < 0:
            device.reset()
        for _ in range(step):
            device.happen()
        news = subject.news(device.buffer)
        subject.take(news)
        assert news.restarted == (step < 0 and seen_count > 0)
        assert len(news.events) + news.lost_count == max(step, 0)
        seen_count = 0 if step < 0 else seen_count + step
        newest = range(len(device.happened) - len(news.events), len(device.happened))
        assert [(event.first, event.second) for event in news.events] == [device.pair(serial) for serial in newest]
        told.extend(news.events)
    numbers = [event.number for event in told]
    assert numbers == sorted(set(numbers))


@given(st.lists(st.integers(0, 5), max_size=40), st.integers(0, 39))
def test_a_host_that_starts_again_goes_on_where_its_journal_ends(steps: list[int], stop_at: int) -> None:
    device, subject = Device(), EventNumbers(0)
    numbers: list[int] = []
    for index, step in enumerate(steps):
        for _ in range(step):
            device.happen()
        if index == stop_at:
            subject = EventNumbers(numbers[-1] if numbers else 0)
        news = subject.news(device.buffer)
        subject.take(news)
        numbers += [event.number for event in news.events]
    assert numbers == list(range(1, len(device.happened) + 1))
