"""From edges with their times to what they mean: a contact that bounces, and trains of pulses that are money.

Pure: told levels and times, it never looks at a clock. ``active`` is the meaning of a level (pressed, a coin passes),
whatever voltage that is. Times are milliseconds of one monotonic clock; they may be as coarse as a sampler's period.
Not responsible for pins, threads or what a pulse is worth.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Change:
    """A contact has changed for good: at ``at_ms`` it left its old state."""

    at_ms: int
    active: bool


class Contact:
    """A bouncing contact. A change counts once it has been stable for ``stable_ms``; shorter ones never happened."""

    def __init__(self, stable_ms: int, active: bool = False) -> None:
        self._stable_ms = stable_ms
        self._active = active
        self._since_ms: int | None = None
        self.discarded_count = 0
        """Changes that did not last."""

    @property
    def active(self) -> bool:
        """The state that counts."""
        return self._active

    @property
    def due_ms(self) -> int | None:
        """When ``settle`` has something to say if no edge comes before."""
        return None if self._since_ms is None else self._since_ms + self._stable_ms

    def edge(self, at_ms: int, active: bool) -> Change | None:
        """Take a new level; edges come in their order. Returns a change that an earlier level has meanwhile become."""
        change = self.settle(at_ms)
        if active == self._active:
            if self._since_ms is not None:
                self._since_ms = None
                self.discarded_count += 1
        elif self._since_ms is None:
            self._since_ms = at_ms
        return change

    def settle(self, now_ms: int) -> Change | None:
        """Tell that no further edge came until now. Returns the change that has become stable, if one has."""
        if self._since_ms is None or now_ms < self._since_ms + self._stable_ms:
            return None
        change = Change(self._since_ms, not self._active)
        self._active, self._since_ms = change.active, None
        return change


AnomalyKind = Literal["short", "long", "close", "many", "stuck"]


@dataclass(frozen=True, slots=True)
class Anomaly:
    """A signal that no good device gives.

    ``short``: a pulse below the window. ``long``: above it. ``close``: too soon after the one before. ``many``: more
    pulses than any train has. ``stuck``: active without end, told once; ``detail_ms`` is the width or the gap.
    """

    at_ms: int
    kind: AnomalyKind
    detail_ms: int = 0


@dataclass(frozen=True, slots=True)
class Train:
    """A train of pulses has ended. ``clean`` is False when something in it makes the count doubtful."""

    at_ms: int
    pulse_count: int
    clean: bool = True


@dataclass(frozen=True, slots=True)
class Pulse:
    """One good pulse has ended; it may be part of a train that goes on."""

    at_ms: int


PulseEvent = Pulse | Train | Anomaly


@dataclass(frozen=True, slots=True)
class PulseWindow:
    """What a good pulse and a good train look like.

    ``bounce_ms``: levels shorter than this are contact bounce and never happened. ``train_end_ms``: so much quiet ends a
    train; it must be longer than any gap inside one. ``stuck_ms``: a level that is active for so long is no pulse.
    """

    min_width_ms: int = 15
    max_width_ms: int = 250
    min_gap_ms: int = 15
    train_end_ms: int = 350
    max_pulse_count: int = 100
    bounce_ms: int = 3
    stuck_ms: int = 500

    @classmethod
    def around(cls, width_ms: int, gap_ms: int, max_pulse_count: int = 100) -> "PulseWindow":
        """Return the window for a device's nominal times: 0.6 to 2.5 times the width, 2.5 times the gap ends a train."""
        return cls(
            min_width_ms=max(1, width_ms * 6 // 10),
            max_width_ms=width_ms * 25 // 10,
            min_gap_ms=max(1, gap_ms * 3 // 10),
            train_end_ms=gap_ms * 25 // 10,
            max_pulse_count=max_pulse_count,
            bounce_ms=min(3, max(1, width_ms // 8)),
            stuck_ms=max(500, width_ms * 4),
        )


class PulseCounter:
    """Counts the pulses of one line and tells where trains end.

    A pulse outside the window is discarded and told as an anomaly. A short one is noise and leaves its train good; a long
    one, a close one or too many make the train doubtful. What was active when counting began is never a pulse, and
    pulses before the first quiet may be the tail of a train whose head nobody saw: they are told as a doubtful train.
    """

    def __init__(self, window: PulseWindow, active: bool, now_ms: int) -> None:
        self._window = window
        self._contact = Contact(window.bounce_ms, active)
        self._active = active  # as judged so far; the contact may already know of a later change
        self._rise_ms: int | None = now_ms if active else None
        self._counts = not active  # the end of a level that began unseen is not the end of a pulse
        self._fall_ms: int | None = None if active else now_ms
        self._fresh = True  # no quiet yet since counting began
        self._stuck = False
        self._pulse_count = 0
        self._clean = True

    @property
    def active(self) -> bool:
        """Whether the line is active now."""
        return self._active

    @property
    def bounce_count(self) -> int:
        """Levels that were too short to be anything but bounce."""
        return self._contact.discarded_count

    @property
    def due_ms(self) -> int | None:
        """When ``settle`` has something to say if no edge comes before."""
        unsure_ms = self._contact.due_ms
        quiet_ms = self._quiet_due_ms()
        if unsure_ms is None or quiet_ms is None:
            return quiet_ms if unsure_ms is None else unsure_ms
        # A level that may yet be bounce: until that is known, only what was due before it began can be told.
        return quiet_ms if quiet_ms <= unsure_ms - self._window.bounce_ms else unsure_ms

    def _quiet_due_ms(self) -> int | None:
        """When the train ends or the line is stuck if the level stays as it is."""
        if self._active:
            return None if self._rise_ms is None or self._stuck else self._rise_ms + self._window.stuck_ms
        return None if self._fall_ms is None else self._fall_ms + self._window.train_end_ms

    def edge(self, at_ms: int, active: bool) -> list[PulseEvent]:
        """Take a new level; edges come in their order."""
        events = self._until(at_ms)
        self._contact.edge(at_ms, active)  # nothing can have become stable since
        return events

    def settle(self, now_ms: int) -> list[PulseEvent]:
        """Tell that no further edge came until now."""
        return self._until(now_ms)

    def _until(self, now_ms: int) -> list[PulseEvent]:
        """Everything that became true until now, in its order."""
        events: list[PulseEvent] = []
        change = self._contact.settle(now_ms)
        if change is not None:
            events += self._quiet_until(change.at_ms)
            events += self._change(change)
        # While the contact is unsure since some time, the quiet (or the activity) is only sure up to that time.
        unsure_ms = self._contact.due_ms
        sure_ms = now_ms if unsure_ms is None else min(now_ms, unsure_ms - self._window.bounce_ms)
        return events + self._quiet_until(sure_ms)

    def _quiet_until(self, sure_ms: int) -> list[PulseEvent]:
        """End the train, or call the line stuck, if that became due before ``sure_ms``."""
        due_ms = self._quiet_due_ms()
        if due_ms is None or sure_ms < due_ms:
            return []
        if self._active:
            self._stuck = True
            self._clean = self._clean and not self._pulse_count
            return [Anomaly(due_ms, "stuck", self._window.stuck_ms)]
        clean = self._clean and not (self._fresh and self._pulse_count)
        train = Train(due_ms, self._pulse_count, clean)
        self._fall_ms, self._pulse_count, self._clean, self._fresh = None, 0, True, False
        return [train] if train.pulse_count or not train.clean else []

    def _change(self, change: Change) -> list[PulseEvent]:
        self._active = change.active
        if change.active:
            self._rise_ms = change.at_ms
            return []
        rise_ms, self._rise_ms = self._rise_ms, None
        counts, self._counts = self._counts, True
        stuck, self._stuck = self._stuck, False
        unseen = self._fresh and not self._pulse_count  # then the quiet before it began at an unknown time
        gap_ms = None if self._fall_ms is None or rise_ms is None or unseen else rise_ms - self._fall_ms
        if rise_ms is None or not counts or stuck:
            self._fall_ms = change.at_ms
            return []
        return self._judge(change.at_ms, change.at_ms - rise_ms, gap_ms)

    def _judge(self, at_ms: int, width_ms: int, gap_ms: int | None) -> list[PulseEvent]:
        window = self._window
        if width_ms < window.min_width_ms:
            return [Anomaly(at_ms, "short", width_ms)]  # noise: neither the train's count nor its quiet know of it
        self._fall_ms = at_ms
        if width_ms > window.max_width_ms:
            self._clean = False
            return [Anomaly(at_ms, "long", width_ms)]
        if gap_ms is not None and gap_ms < window.min_gap_ms:
            self._clean = False
            return [Anomaly(at_ms, "close", gap_ms)]
        self._pulse_count += 1
        if self._pulse_count > window.max_pulse_count:
            was_clean, self._clean = self._clean, False
            return [Anomaly(at_ms, "many")] if was_clean else []
        return [Pulse(at_ms)]
