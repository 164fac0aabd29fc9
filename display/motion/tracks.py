"""Things under way: a card that flies and turns, chips that travel, a number that counts up. Each is a function of time.

Starts and durations are absolute, in milliseconds. Not responsible for deciding what moves (``motion``) or for drawing.
"""

from dataclasses import dataclass
from typing import Final

from display.draw_list import Box
from display.layout.place import CardPlace

LONG_AGO_MS: Final = -1e12
"""The time of what was there before anything was shown."""


@dataclass(frozen=True, slots=True)
class CardPose:
    """A card at one moment: its box, turn, squeeze about its middle, and face (empty: the back)."""

    key: str
    code: str
    box: Box
    angle: float
    scale_x: float
    in_flight: bool


def ease(share: float) -> float:
    """Return a smooth course from 0 to 1 that starts quickly and arrives gently."""
    rest = 1 - min(max(share, 0.0), 1.0)
    return 1 - rest * rest * rest


def between(origin: Box, target: Box, share: float) -> Box:
    """Return the box ``share`` of the way from one box to another."""
    return Box(
        origin.x + (target.x - origin.x) * share,
        origin.y + (target.y - origin.y) * share,
        origin.w + (target.w - origin.w) * share,
        origin.h + (target.h - origin.h) * share,
    )


def _share(now_ms: float, start_ms: float, duration_ms: float) -> float:
    if duration_ms <= 0:
        return 1.0 if now_ms >= start_ms else 0.0
    return min(max((now_ms - start_ms) / duration_ms, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class CardTrack:
    """A card's way: from ``origin`` to ``home``, and its turn from ``before`` to ``code``."""

    key: str
    code: str
    before: str
    origin: CardPlace
    home: CardPlace
    depart_ms: float = 0
    fly_ms: float = 0
    turn_at_ms: float = 0
    turn_ms: float = 0
    hidden_before: bool = False
    """The card does not exist on the table before it departs (it is still in the shoe)."""

    @property
    def landed_ms(self) -> float:
        """When the card lies in its place."""
        return self.depart_ms + self.fly_ms

    @property
    def end_ms(self) -> float:
        """When nothing of the card moves any more."""
        return max(self.landed_ms, self.turn_at_ms + self.turn_ms if self.code != self.before else 0)

    def pose(self, now_ms: float) -> CardPose | None:
        """Return where and how the card is at a time; None while it is not on the table."""
        if self.hidden_before and now_ms < self.depart_ms:
            return None
        course = _share(now_ms, self.depart_ms, self.fly_ms)
        in_flight = course < 1
        if in_flight:
            box = between(self.origin.box, self.home.box, ease(course))
            angle = self.home.angle if course > 0.5 else self.origin.angle
        else:
            box, angle = self.home.box, self.home.angle
        code, scale_x = self.code, 1.0
        if self.code != self.before:
            turned = _share(now_ms, self.turn_at_ms, self.turn_ms)
            code = self.code if turned >= 0.5 else self.before
            scale_x = 1.0 if turned in (0.0, 1.0) else max(abs(1 - 2 * turned), 0.06)
        return CardPose(self.key, code, box, angle, scale_x, in_flight)


@dataclass(frozen=True, slots=True)
class StackTrack:
    """The chips on a spot: ``before_minor`` until ``change_ms``, then ``after_minor``."""

    before_minor: int
    after_minor: int
    change_ms: float = 0

    def amount(self, now_ms: float) -> int:
        """Return what lies on the spot at a time."""
        return self.after_minor if now_ms >= self.change_ms else self.before_minor


@dataclass(frozen=True, slots=True)
class ChipFlight:
    """Chips that travel between two places."""

    amount_minor: int
    origin: Box
    target: Box
    depart_ms: float
    fly_ms: float

    @property
    def end_ms(self) -> float:
        """When they arrive."""
        return self.depart_ms + self.fly_ms

    def place(self, now_ms: float) -> Box | None:
        """Return where the chips are at a time; None before they leave and after they arrive."""
        if not self.depart_ms <= now_ms < self.end_ms:
            return None
        return between(self.origin, self.target, ease(_share(now_ms, self.depart_ms, self.fly_ms)))


@dataclass(frozen=True, slots=True)
class Roll:
    """A number that counts up."""

    start_minor: int = 0
    end_minor: int = 0
    start_ms: float = LONG_AGO_MS
    duration_ms: float = 0

    @property
    def end_ms(self) -> float:
        """When it has arrived."""
        return self.start_ms + self.duration_ms

    def value(self, now_ms: float) -> int:
        """Return the number at a time; at and after the end exactly ``end_minor``."""
        share = _share(now_ms, self.start_ms, self.duration_ms)
        return self.start_minor + int((self.end_minor - self.start_minor) * share)
