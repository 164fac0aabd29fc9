from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from hal.debounce import Anomaly, Change, Contact, Pulse, PulseCounter, PulseEvent, PulseWindow, Train

WINDOW = PulseWindow.around(50, 100, max_pulse_count=20)
Level = tuple[int, bool]


def feed(counter: PulseCounter, edges: Iterable[Level], end_ms: int) -> list[PulseEvent]:
    """Feed edges and wait for every due time in between, as a driver does."""
    events: list[PulseEvent] = []
    for at_ms, active in [*edges, (end_ms, None)]:
        while counter.due_ms is not None and counter.due_ms < at_ms:
            kept_ms = counter.due_ms
            events += counter.settle(kept_ms)
            next_ms = counter.due_ms
            assert next_ms != kept_ms, "a deadline that was kept comes again"
        if active is not None:
            events += counter.edge(at_ms, active)
    return events + counter.settle(end_ms)


def wave(pulses: Iterable[tuple[int, int]], start_ms: int = 1_000) -> list[Level]:
    """Return the edges of pulses, each given by its width and the gap after it."""
    edges, at_ms = [], start_ms
    for width_ms, gap_ms in pulses:
        edges += [(at_ms, True), (at_ms + width_ms, False)]
        at_ms += width_ms + gap_ms
    return edges


# --- contacts ----------------------------------------------------------------------------------------------------------


def test_a_contact_changes_once_it_has_been_stable_and_remembers_when_it_began() -> None:
    contact = Contact(10)
    assert contact.edge(100, True) is None
    assert contact.due_ms == 110
    assert contact.settle(109) is None
    assert contact.settle(110) == Change(100, True)
    assert contact.active
    assert contact.due_ms is None


def test_bounces_move_the_beginning_and_are_counted() -> None:
    contact = Contact(10)
    for at_ms, active in ((100, True), (103, False), (105, True), (108, False), (111, True)):
        assert contact.edge(at_ms, active) is None
    assert contact.settle(121) == Change(111, True)
    assert contact.discarded_count == 2


def test_a_late_call_still_finds_a_change_that_had_become_stable() -> None:
    contact = Contact(10)
    contact.edge(100, True)
    assert contact.edge(500, False) == Change(100, True)
    assert contact.settle(510) == Change(500, False)


def test_an_equal_level_again_changes_nothing() -> None:
    contact = Contact(10)
    contact.edge(100, True)
    assert contact.edge(105, True) is None
    assert contact.settle(110) == Change(100, True)


@given(st.lists(st.tuples(st.integers(1, 40), st.booleans()), max_size=60), st.integers(1, 20))
def test_no_level_shorter_than_the_stable_time_is_ever_told(steps: list[tuple[int, bool]], stable_ms: int) -> None:
    contact, at_ms = Contact(stable_ms), 0
    told: list[Change] = []
    level, levels = False, [(0, False)]
    for wait_ms, active in steps:
        at_ms += wait_ms
        if active != level:
            level = active
            levels.append((at_ms, active))
        change = contact.edge(at_ms, active)
        told += [change] if change else []
    change = contact.settle(at_ms + 1_000)
    told += [change] if change else []
    lasting = [
        (start, active)
        for (start, active), (end, _) in zip(levels, [*levels[1:], (at_ms + 1_000, False)], strict=True)
        if end - start >= stable_ms
    ]
    expected: list[Change] = []
    state = False
    for start, active in lasting:
        if active != state:
            state = active
            expected.append(Change(start, active))
    assert told == expected


# --- pulses ------------------------------------------------------------------------------------------------------------


def test_a_train_of_three_is_told_when_it_has_ended() -> None:
    counter = PulseCounter(WINDOW, False, 0)
    events = feed(counter, wave([(50, 100)] * 3), 2_000)
    assert [type(event) for event in events] == [Pulse, Pulse, Pulse, Train]
    assert events[-1] == Train(1_350 + 250, 3)


def test_two_trains_are_two_counts() -> None:
    counter = PulseCounter(WINDOW, False, 0)
    events = feed(counter, wave([(50, 100), (50, 300), (50, 100)]), 3_000)
    assert [event.pulse_count for event in events if isinstance(event, Train)] == [2, 1]


def test_the_count_starts_again_after_each_train() -> None:
    """LightningATM's mistake: 2, 2, 2 read as 2, 4, 6."""
    counter = PulseCounter(WINDOW, False, 0)
    events = feed(counter, wave([(50, 100), (50, 1_000)] * 3), 10_000)
    assert [event.pulse_count for event in events if isinstance(event, Train)] == [2, 2, 2]


def test_a_spike_is_noise_and_leaves_the_train_good() -> None:
    counter = PulseCounter(WINDOW, False, 0)
    edges = [*wave([(50, 40)]), (1_085, True), (1_095, False), *wave([(50, 100)], 1_150)]
    events = feed(counter, edges, 3_000)
    assert [event for event in events if isinstance(event, Anomaly)] == [Anomaly(1_095, "short", 10)]
    assert events[-1] == Train(1_450, 2)


def test_a_spike_alone_is_never_a_train() -> None:
    """JuanFi#173's mistake: a relay's spike credited a coin."""
    counter = PulseCounter(WINDOW, False, 0)
    events = feed(counter, wave([(20, 500)]), 3_000)
    assert events == [Anomaly(1_020, "short", 20)]


def test_bounce_at_both_edges_is_part_of_the_pulse() -> None:
    counter = PulseCounter(WINDOW, False, 0)
    edges = [(1_000, True), (1_001, False), (1_002, True), (1_050, False), (1_051, True), (1_052, False)]
    assert feed(counter, edges, 3_000)[-1] == Train(1_302, 1)
    assert counter.bounce_count == 2


def test_a_long_pulse_makes_the_train_doubtful() -> None:
    counter = PulseCounter(WINDOW, False, 0)
    events = feed(counter, wave([(50, 100), (126, 100)]), 3_000)
    assert Anomaly(1_276, "long", 126) in events
    assert events[-1] == Train(1_526, 1, clean=False)


def test_a_pulse_too_close_to_the_last_makes_the_train_doubtful() -> None:
    counter = PulseCounter(WINDOW, False, 0)
    events = feed(counter, wave([(50, 29), (50, 100)]), 3_000)
    assert Anomaly(1_129, "close", 29) in events
    assert events[-1] == Train(1_379, 1, clean=False)


def test_more_pulses_than_any_train_has_make_it_doubtful_and_are_told_once() -> None:
    counter = PulseCounter(WINDOW, False, 0)
    events = feed(counter, wave([(50, 100)] * 25), 10_000)
    assert [event.kind for event in events if isinstance(event, Anomaly)] == ["many"]
    assert [event.clean for event in events if isinstance(event, Train)] == [False]


def test_a_line_that_stays_active_is_stuck_once_and_what_ends_it_is_no_pulse() -> None:
    counter = PulseCounter(WINDOW, False, 0)
    events = feed(counter, [(1_000, True), (9_000, False), *wave([(50, 100)], 10_000)], 12_000)
    assert [event.kind for event in events if isinstance(event, Anomaly)] == ["stuck"]
    assert [(event.pulse_count, event.clean) for event in events if isinstance(event, Train)] == [(1, True)]


def test_a_train_that_ends_stuck_is_doubtful() -> None:
    counter = PulseCounter(WINDOW, False, 0)
    events = feed(counter, [(1_000, True), (1_050, False), (1_150, True), (9_000, False)], 10_000)
    assert [(event.pulse_count, event.clean) for event in events if isinstance(event, Train)] == [(1, False)]


def test_what_was_active_at_the_start_is_no_pulse() -> None:
    counter = PulseCounter(WINDOW, True, 1_000)
    assert feed(counter, [(1_040, False)], 3_000) == []
    assert feed(counter, wave([(50, 100)], 4_000), 6_000)[-1] == Train(4_300, 1)


def test_a_line_that_is_active_from_the_start_is_stuck() -> None:
    counter = PulseCounter(WINDOW, True, 1_000)
    events = feed(counter, [], 5_000)
    assert [event.kind for event in events if isinstance(event, Anomaly)] == ["stuck"]


def test_pulses_before_the_first_quiet_may_be_the_tail_of_a_train() -> None:
    counter = PulseCounter(WINDOW, False, 1_000)
    events = feed(counter, wave([(50, 100), (50, 700), (50, 100)], 1_060), 5_000)
    assert [(event.pulse_count, event.clean) for event in events if isinstance(event, Train)] == [(2, False), (1, True)]


widths = st.integers(WINDOW.min_width_ms, WINDOW.max_width_ms)
gaps = st.integers(WINDOW.min_gap_ms + 5, WINDOW.train_end_ms - 15)
trains = st.lists(st.lists(st.tuples(widths, gaps), min_size=1, max_size=12), min_size=1, max_size=5)


def waveform(shape: list[list[tuple[int, int]]], quiet_ms: int = 700) -> tuple[list[Level], int]:
    edges: list[Level] = []
    at_ms = 1_000
    for train in shape:
        edges += wave(train, at_ms)
        at_ms = edges[-1][0] + quiet_ms
    return edges, at_ms + 1_000


@given(trains)
def test_every_good_waveform_is_counted_exactly(shape: list[list[tuple[int, int]]]) -> None:
    edges, end_ms = waveform(shape)
    events = feed(PulseCounter(WINDOW, False, 0), edges, end_ms)
    assert [event for event in events if isinstance(event, Anomaly)] == []
    assert [event.pulse_count for event in events if isinstance(event, Train)] == [len(train) for train in shape]


@given(trains, st.data())
def test_bounces_and_a_coarse_sampler_change_no_count(shape: list[list[tuple[int, int]]], data: st.DataObject) -> None:
    """Every edge bounces for up to 2 ms, and the times come from a sampler with a 5 ms period."""
    window = PulseWindow(
        min_width_ms=20, max_width_ms=140, min_gap_ms=20, train_end_ms=250, max_pulse_count=20, bounce_ms=3
    )
    edges, end_ms = waveform(shape)
    bouncing: list[Level] = []
    for at_ms, active in edges:
        bouncing.append((at_ms, active))
        if data.draw(st.booleans()):
            bouncing += [(at_ms + 1, not active), (at_ms + 2, active)]
    exact = feed(PulseCounter(window, False, 0), bouncing, end_ms)
    sampled: list[Level] = []
    level, position = False, 0
    for now_ms in range(0, end_ms, 5):
        while position < len(bouncing) and bouncing[position][0] <= now_ms:
            now_active = bouncing[position][1]
            position += 1
        if position and now_active != level:
            level = now_active
            sampled.append((now_ms, level))
    coarse = feed(PulseCounter(window, False, 0), sampled, end_ms)
    for events in (exact, coarse):
        assert [event.pulse_count for event in events if isinstance(event, Train)] == [len(train) for train in shape]


@given(trains, st.integers(0, 2**32))
def test_it_makes_no_difference_when_the_driver_comes_round(shape: list[list[tuple[int, int]]], seed: int) -> None:
    """A stalled program hands over late edges with their own times: the same trains come out."""
    edges, end_ms = waveform(shape)
    prompt = feed(PulseCounter(WINDOW, False, 0), edges, end_ms)
    stalled = PulseCounter(WINDOW, False, 0)
    late: list[PulseEvent] = []
    for at_ms, active in edges:  # never settled in between
        late += stalled.edge(at_ms, active)
    late += stalled.settle(end_ms)
    assert late == prompt


@given(st.lists(st.tuples(st.integers(1, 400), st.integers(1, 400)), max_size=40))
def test_every_pulse_is_counted_or_told_as_an_anomaly(pulses: list[tuple[int, int]]) -> None:
    counter = PulseCounter(PulseWindow(bounce_ms=1, stuck_ms=1_000, max_pulse_count=1_000), False, 0)
    events = feed(counter, wave(pulses), 1_000_000)
    counted = sum(event.pulse_count for event in events if isinstance(event, Train))
    anomalies = sum(isinstance(event, Anomaly) for event in events)
    assert counted + anomalies == len(pulses)
    assert counted == sum(isinstance(event, Pulse) for event in events)
