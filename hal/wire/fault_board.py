"""Which faults of one device are up, so that each is reported once when it comes and once when it goes.

A condition (a jam, a full cash box) ends when the device says so. An incident (a note on a string, a lost event) has no
end of its own: it is taken down after a short time, so that whoever latches it can clear it. Not responsible for what a
fault stops.
"""

from collections.abc import Callable, Iterable
from typing import Final

from hal.events import DeviceEvent, DeviceFault

INCIDENTS: Final = frozenset(("fraud", "string", "lost_events", "unknown_money", "runaway"))
INCIDENT_MS: Final = 5_000
"""How long an incident stays up after it was seen last."""


class FaultBoard:
    """The faults of the device ``name``; ``emit`` takes the events."""

    def __init__(self, name: str, emit: Callable[[DeviceEvent], None]) -> None:
        self._name = name
        self._emit = emit
        self._up_ms: dict[str, int] = {}

    def is_up(self, code: str) -> bool:
        """Whether this fault is up."""
        return code in self._up_ms

    @property
    def any_condition(self) -> bool:
        """Whether a fault is up that only the device can end."""
        return any(code not in INCIDENTS for code in self._up_ms)

    def up(self, code: str, detail: str, now_ms: int) -> None:
        """A fault is there; a condition is reported only when it is new, an incident each time."""
        if code not in self._up_ms or code in INCIDENTS:
            self._emit(DeviceFault(self._name, now_ms, code, detail))
        self._up_ms[code] = now_ms

    def down(self, codes: Iterable[str], now_ms: int) -> None:
        """These faults are gone."""
        for code in codes:
            if self._up_ms.pop(code, None) is not None:
                self._emit(DeviceFault(self._name, now_ms, code, is_up=False))

    def up_for_ms(self, code: str, now_ms: int) -> int | None:
        """Return how long ago a fault was seen last, or None if it isn't up."""
        return now_ms - self._up_ms[code] if code in self._up_ms else None

    def settle(self, now_ms: int) -> None:
        """Take down the incidents that are over."""
        over = [code for code, at_ms in self._up_ms.items() if code in INCIDENTS and now_ms >= at_ms + INCIDENT_MS]
        self.down(over, now_ms)
