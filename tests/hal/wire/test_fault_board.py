"""Faults are told once when they come and once when they go."""

from hal.events import DeviceEvent, DeviceFault
from hal.wire.fault_board import INCIDENT_MS, FaultBoard


def told(events: list[DeviceEvent]) -> list[tuple[str, bool]]:
    return [(event.code, event.is_up) for event in events if isinstance(event, DeviceFault)]


def test_a_condition_is_told_when_it_comes_and_when_it_goes() -> None:
    events: list[DeviceEvent] = []
    subject = FaultBoard("notes", events.append)
    subject.up("jam", "here", 1)
    subject.up("jam", "still here", 2)
    assert subject.is_up("jam")
    assert subject.any_condition
    assert subject.up_for_ms("jam", 10) == 8
    subject.settle(1_000_000)
    subject.down(("jam", "motor"), 20)
    subject.down(("jam",), 21)
    assert told(events) == [("jam", True), ("jam", False)]
    assert subject.up_for_ms("jam", 30) is None
    assert not subject.any_condition


def test_an_incident_is_told_each_time_and_ends_by_itself() -> None:
    events: list[DeviceEvent] = []
    subject = FaultBoard("notes", events.append)
    subject.up("string", "first", 0)
    subject.up("string", "second", 1_000)
    subject.settle(INCIDENT_MS)
    assert told(events) == [("string", True)] * 2
    subject.settle(1_000 + INCIDENT_MS)
    assert told(events)[-1] == ("string", False)
